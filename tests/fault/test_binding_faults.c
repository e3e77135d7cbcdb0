/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>

#include "../unit/bindings.h"
#include "../unit/leftovers.h"
#include "../unit/temp.h"
#include "inject.h"
#include "os/file.h"

/*
 * Every call and every allocation of reading and of writing a binding file
 * fails once. A reading fails with words or finds all that is there; a writing
 * leaves the old file or the new one, and nothing else.
 */

enum {
	TRIES_MAX = 2000
};

#define NAME "a.binding.yaml"
#define OLD  "spec_version: '1.0'\nbindings: []\n"
#define NEW                                                            \
	"spec_version: '1.0'\n"                                        \
	"bindings:\n"                                                  \
	"- module_id: cli.a\n"                                         \
	"  target: exec://a b\n"                                       \
	"  argv: [a, b]\n"                                             \
	"  json_flag: [--json]\n"                                      \
	"  examples: [{title: x, inputs: {n: 1}}]\n"                   \
	"  input_schema:\n"                                            \
	"    properties: {n: {type: integer}, f: {pattern: '^a+$'}}\n" \
	"- module_id: cli.b\n"                                         \
	"  command: [b, '{{args.x}}', {when: args.x, then: [c]}]\n"    \
	"  input_schema: {properties: {x: {type: string}}}\n"          \
	"- module_id: cli.c\n"

static int
count_entries(const struct temp *temp)
{
	DIR *dir = opendir(temp->path);
	int count = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		count++;
	assert_int_equal(closedir(dir), 0);
	return count - 2;
}

static bool
has_text(const struct temp *temp, const char *text)
{
	char got[2000];

	assert_true(w_file_read_at(temp->fd, NAME, got, sizeof(got)) >= 0);
	return strcmp(got, text) == 0;
}

/* Each call of the function fails once, until none is left to fail. */
static void
write_while_failing(const struct temp *temp, const char *function, int error)
{
	unsigned n = 1;
	bool was_refused = true;

	for (; was_refused && n < TRIES_MAX; n++) {
		writ_error err = {.message = ""};
		int fds = count_fds();

		assert_int_equal(w_binding_write(temp->fd, NAME, OLD,
				     strlen(OLD), true, NULL),
		    WRIT_OK);
		inject_arm(function, n, 1, error);
		writ_status status = w_binding_write(
		    temp->fd, NAME, NEW, strlen(NEW), true, &err);
		was_refused = inject_disarm();
		assert_int_equal(count_fds(), fds);
		assert_int_equal(count_entries(temp), 1);
		if (status == WRIT_OK) {
			assert_true(has_text(temp, NEW));
			continue;
		}
		assert_true(err.message[0] != '\0');
		assert_true(has_text(temp, OLD) || has_text(temp, NEW));
	}
	if (n <= 2 || n == TRIES_MAX)
		fail_msg("%s was called %u times", function, n - 2);
}

static void
a_failed_writing_leaves_a_whole_file(void **state)
{
	const struct temp *temp = *state;

	write_while_failing(temp, "write", ENOSPC);
	write_while_failing(temp, "short write", ENOSPC);
	write_while_failing(temp, "fsync", EIO);
	write_while_failing(temp, "fchmod", EPERM);
	write_while_failing(temp, "openat", EMFILE);
	write_while_failing(temp, "getrandom", EIO);
	write_while_failing(temp, "renameat2", EACCES);
	write_while_failing(temp, "renameat2", EINVAL);
}

/* Where there is no rename that spares, a link does it. */
static void
an_old_file_system_does_as_well(void **state)
{
	const struct temp *temp = *state;
	writ_error err = {.message = ""};

	inject_arm("renameat2", 1, 1, EINVAL);
	assert_int_equal(
	    w_binding_write(temp->fd, NAME, NEW, strlen(NEW), false, &err),
	    WRIT_OK);
	assert_true(inject_disarm());
	assert_true(has_text(temp, NEW));
	assert_int_equal(count_entries(temp), 1);
}

static void
read_while_failing(const struct temp *temp, const char *function, int error)
{
	unsigned n = 1;
	bool was_refused = true;

	for (; was_refused && n < TRIES_MAX; n++) {
		struct collected got;
		const struct w_binding_sink sink = collecting(&got);
		writ_error err = {.message = ""};
		int fds = count_fds();

		inject_arm(function, n, 1, error);
		writ_status status =
		    w_binding_read_file(temp->fd, NAME, true, &sink, &err);
		was_refused = inject_disarm();
		assert_int_equal(count_fds(), fds);
		if (status != WRIT_OK) {
			assert_true(err.message[0] != '\0');
			continue;
		}
		if (got.elements != 2)
			fail_msg("%s", got.problem.message);
		assert_int_equal(got.problems, 1);
	}
	if (n <= 2 || n == TRIES_MAX)
		fail_msg("%s was called %u times", function, n - 2);
}

static void
a_failed_reading_says_so(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, NAME, 0600, NEW);
	read_while_failing(temp, "read", EIO);
	read_while_failing(temp, "openat", EMFILE);
	read_while_failing(temp, "allocation", ENOMEM);
}

#define WITH_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_TEMP(a_failed_writing_leaves_a_whole_file),
	    WITH_TEMP(an_old_file_system_does_as_well),
	    WITH_TEMP(a_failed_reading_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
