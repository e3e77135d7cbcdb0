/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <time.h>

#include "bindings.h"
#include "sampling.h"
#include "temp.h"

#define NAME  "a.binding.yaml"
#define OTHER 65534
#define GOOD                      \
	"spec_version: \"1.0\"\n" \
	"bindings:\n"             \
	"- {module_id: cli.a, target: 'exec://a'}\n"

static writ_status
read_name(const struct temp *temp, const char *name, struct collected *got,
    writ_error *err)
{
	const struct w_binding_sink sink = collecting(got);

	*err = (writ_error){.message = ""};
	return w_binding_read_file(temp->fd, name, false, &sink, err);
}

static void
read_ok(const struct temp *temp)
{
	struct collected got;
	writ_error err;

	if (read_name(temp, NAME, &got, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	assert_int_equal(got.elements, 1);
	assert_int_equal(got.problems, 0);
}

static void
read_refused(const struct temp *temp, const char *name, const char *message)
{
	struct collected got;
	writ_error err;

	assert_int_equal(read_name(temp, name, &got, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, message);
	assert_int_equal(got.elements, 0);
}

static void
a_file_of_ones_own_is_read(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, NAME, 0644, GOOD);
	read_ok(temp);
	read_refused(
	    temp, "none", "cannot open 'none': No such file or directory");
	read_refused(temp, "a/b", "'a/b' is not the name of a file");
	read_refused(temp, "..", "'..' is not the name of a file");
	read_refused(temp, "", "'' is not the name of a file");
}

static void
what_is_no_file_is_refused_at_once(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, NAME, 0644, GOOD);
	temp_link(temp, NAME, "link");
	temp_link(temp, "nowhere", "dangling");
	temp_dir(temp, "dir");
	assert_int_equal(mkfifoat(temp->fd, "pipe", 0600), 0);
	read_refused(temp, "link", "'link' is a symbolic link");
	read_refused(temp, "dangling", "'dangling' is a symbolic link");
	read_refused(temp, "dir", "'dir' is not a file");
	read_refused(temp, "pipe", "'pipe' is not a file");
}

static void
what_others_can_write_is_refused(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, NAME, 0664, GOOD);
	read_refused(temp, NAME, "'" NAME "' can be changed by other users");
	assert_int_equal(fchmodat(temp->fd, NAME, 0602, 0), 0);
	read_refused(temp, NAME, "'" NAME "' can be changed by other users");
	assert_int_equal(fchmodat(temp->fd, NAME, 0600, 0), 0);
	read_ok(temp);
	if (geteuid() != 0)
		return;
	assert_int_equal(fchownat(temp->fd, NAME, OTHER, 0, 0), 0);
	read_refused(temp, NAME, "'" NAME "' can be changed by other users");
}

static void
a_directory_that_others_can_write_is_refused(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, NAME, 0644, GOOD);
	assert_int_equal(fchmod(temp->fd, 0777), 0);
	read_refused(temp, NAME,
	    "'" NAME "' is in a directory that other users can change");
	/* In a sticky directory like /tmp nobody can rename another user's
	 * files. */
	assert_int_equal(fchmod(temp->fd, 01777), 0);
	read_ok(temp);
}

static void
a_file_may_have_a_second_name(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, "first", 0644, GOOD);
	assert_int_equal(linkat(temp->fd, "first", temp->fd, NAME, 0), 0);
	read_ok(temp);
}

static void
a_file_that_is_too_large_is_refused(void **state)
{
	const struct temp *temp = *state;
	char *big = malloc(W_BINDING_BYTES_MAX + 1);

	assert_non_null(big);
	memset(big, '#', W_BINDING_BYTES_MAX + 1);
	temp_bytes(temp, NAME, 0644, big, W_BINDING_BYTES_MAX + 1);
	read_refused(temp, NAME, "'" NAME "' is larger than 16 MiB");
	free(big);
}

/* ---- writing ---- */

static writ_status
write_text(const struct temp *temp, const char *name, const char *text,
    bool may_replace, writ_error *err)
{
	*err = (writ_error){.message = ""};
	return w_binding_write(
	    temp->fd, name, text, strlen(text), may_replace, err);
}

static void
write_refused(const struct temp *temp, const char *name, bool may_replace,
    const char *message)
{
	writ_error err;

	assert_int_equal(
	    write_text(temp, name, GOOD, may_replace, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, message);
}

static void
what_is_written_can_be_read(void **state)
{
	const struct temp *temp = *state;
	writ_error err;
	struct stat st;
	mode_t before = umask(077);

	assert_int_equal(write_text(temp, NAME, GOOD, false, &err), WRIT_OK);
	(void)umask(before);
	read_ok(temp);
	assert_int_equal(fstatat(temp->fd, NAME, &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
	assert_int_equal(st.st_nlink, 1);
}

static void
a_file_is_replaced_only_when_that_is_wanted(void **state)
{
	const struct temp *temp = *state;
	writ_error err;

	temp_file(temp, NAME, 0600, "old");
	write_refused(temp, NAME, false, "'" NAME "' is there already");
	assert_int_equal(write_text(temp, NAME, GOOD, true, &err), WRIT_OK);
	read_ok(temp);
}

static void
links_and_what_is_no_file_are_not_replaced(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, "victim", 0600, "old");
	temp_link(temp, "victim", "link");
	temp_dir(temp, "dir");
	write_refused(temp, "link", true,
	    "'link' is a symbolic link and is not replaced");
	write_refused(
	    temp, "dir", true, "'dir' is not a file and is not replaced");
	write_refused(temp, "a/b", true, "'a/b' is not the name of a file");
	assert_int_equal(fchmod(temp->fd, 0777), 0);
	write_refused(temp, NAME, true,
	    "'" NAME "' is in a directory that other users can change");
}

/* ---- large files ---- */

static double
seconds(void)
{
	struct timespec now;

	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Reads head and as many copies of body as fit; each body must be an element or
 * a problem. */
static void
reads_quickly(const char *head, const char *body, const char *tail)
{
	const size_t most = W_BINDING_BYTES_MAX / sample_step() / sample_step();
	char *text = malloc(W_BINDING_BYTES_MAX);
	size_t size = strlen(body);
	size_t len = strlen(head);
	struct collected got;
	const struct w_binding_sink sink = collecting(&got);
	double start = seconds();
	writ_error err = {.message = ""};

	assert_non_null(text);
	memcpy(text, head, len);
	for (; len + size + strlen(tail) <= most; len += size)
		memcpy(text + len, body, size);
	memcpy(text + len, tail, strlen(tail));
	len += strlen(tail);
	writ_status status = w_binding_read_text(text, len, false, &sink, &err);
	free(text);
	if (status != WRIT_OK)
		assert_true(err.message[0] != '\0');
	print_message("# %zu elements, %zu problems, %s: %.1f s\n",
	    got.elements, got.problems, err.message, seconds() - start);
	/* Under any sanitizer, on a busy machine; a quadratic reader would
	 * need hours. */
	assert_true(seconds() - start < 120);
}

static void
sixteen_mebibytes_take_seconds(void **state)
{
	(void)state;
	reads_quickly("spec_version: '1.0'\nbindings:\n",
	    "- module_id: cli.a\n  target: exec://a\n", "");
	reads_quickly("{spec_version: '1.0', bindings: [",
	    "{module_id: cli.a, target: exec://a},", "]}");
	reads_quickly("{\"spec_version\":\"1.0\",\"bindings\":[",
	    "{\"module_id\":\"cli.a\",\"target\":\"exec://a\"},\n", "{}]}");
	reads_quickly("{\"spec_version\":\"1.0\",\"bindings\":[", "1,", "1]}");
	reads_quickly("spec_version: '1.0'\nbindings:\n", "- 1\n", "");
	reads_quickly("spec_version: '1.0'\nbindings: [{module_id: cli.a, "
		      "target: exec://a, description: ",
	    "word ", "}]");
	reads_quickly("spec_version: '1.0'\nbindings: [{module_id: cli.a, "
		      "target: exec://a, documentation: \"",
	    "\\n", "\"}]");
	reads_quickly("spec_version: '1.0'\nbindings: ", "[", "");
	reads_quickly("", "a: ", "");
	reads_quickly("", "- ", "");
	reads_quickly("", "? ", "");
	reads_quickly("", "\n", "");
	reads_quickly("a: ", "\xe2\x80\xa8", "");
	reads_quickly("", " ", "");
	reads_quickly("", "#", "");
}

#define WITH_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_TEMP(a_file_of_ones_own_is_read),
	    WITH_TEMP(what_is_no_file_is_refused_at_once),
	    WITH_TEMP(what_others_can_write_is_refused),
	    WITH_TEMP(a_directory_that_others_can_write_is_refused),
	    WITH_TEMP(a_file_may_have_a_second_name),
	    WITH_TEMP(a_file_that_is_too_large_is_refused),
	    WITH_TEMP(what_is_written_can_be_read),
	    WITH_TEMP(a_file_is_replaced_only_when_that_is_wanted),
	    WITH_TEMP(links_and_what_is_no_file_are_not_replaced),
	    cmocka_unit_test(sixteen_mebibytes_take_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
