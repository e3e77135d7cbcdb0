/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/resource.h>

#include "leftovers.h"
#include "os/file.h"
#include "run/resolve/environ.h"
#include "run/resolve/prepare.h"
#include "starting.h"
#include "temp.h"

static struct temp temp;
static int fds_before;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	fds_before = count_fds();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	int after = count_fds();
	temp_close(&temp);
	return after == fds_before ? 0 : -1;
}

static writ_request
request_of(const char *shell)
{
	writ_request request = WRIT_REQUEST_INIT;

	request.shell = shell;
	request.cwd = temp.path;
	return request;
}

/* No request here has a sandbox, so this is not used. */
static const struct w_prepare_context context;

static void
expect_error(writ_request *request, writ_status status, const char *stage)
{
	struct w_prepared prepared = {.cwd_fd = 4711};
	writ_error err = {0};

	assert_int_equal(
	    prepare_run(request, &context, &prepared, &err), status);
	assert_string_equal(err.stage, stage);
	assert_int_equal(prepared.cwd_fd, 4711);
}

static const struct w_child_limit *
limit_of(const struct w_prepared *prepared, int resource)
{
	for (size_t i = 0; i < prepared->limit_count; i++) {
		if (prepared->limits[i].resource == (uint32_t)resource)
			return &prepared->limits[i];
	}
	return NULL;
}

static void
a_shell_string_becomes_words_for_sh(void **state)
{
	writ_request request = request_of("echo 'a b' | cat");
	struct w_prepared prepared;

	(void)state;
	assert_int_equal(
	    prepare_run(&request, &context, &prepared, NULL), WRIT_OK);
	assert_int_equal(prepared.argv.count, 3);
	assert_string_equal(prepared.argv.items[0], "sh");
	assert_string_equal(prepared.argv.items[1], "-c");
	assert_string_equal(prepared.argv.items[2], "echo 'a b' | cat");
	assert_string_equal(prepared.cwd, temp.path);
	assert_true(prepared.cwd_fd >= W_FD_SAFE);
	assert_true(prepared.program.fd >= W_FD_SAFE);
	assert_null(prepared.scratch);
	w_prepared_done(&prepared);
}

static void
words_stay_as_they_are(void **state)
{
	static const char *const argv[] = {
	    "echo", "", "$HOME `x` *", "-n", "a\nb", NULL};
	writ_request request = request_of(NULL);
	struct w_prepared prepared;

	(void)state;
	request.argv = argv;
	assert_int_equal(
	    prepare_run(&request, &context, &prepared, NULL), WRIT_OK);
	for (size_t i = 0; argv[i] != NULL; i++)
		assert_string_equal(prepared.argv.items[i], argv[i]);
	w_prepared_done(&prepared);
}

static void
the_program_is_looked_for_in_the_new_path(void **state)
{
	static const char *const argv[] = {"tool", NULL};
	char path[300];
	const char *const env[] = {path, NULL};
	writ_request request = request_of(NULL);
	struct w_prepared prepared;

	(void)state;
	(void)snprintf(path, sizeof(path), "PATH=%s", temp.path);
	request.argv = argv;
	expect_error(&request, WRIT_E_NOTFOUND, "program");
	temp_file(&temp, "tool", 0755, "#!/bin/sh\n");
	request.env = env;
	assert_int_equal(
	    prepare_run(&request, &context, &prepared, NULL), WRIT_OK);
	assert_true(prepared.program.is_script);
	w_prepared_done(&prepared);
}

static void
a_missing_directory_is_not_a_missing_program(void **state)
{
	static const char *const argv[] = {"no-such-program", NULL};
	writ_request request = request_of(NULL);

	(void)state;
	request.argv = argv;
	request.cwd = temp_path(&temp, "none");
	expect_error(&request, WRIT_E_INVALID, "cwd");
	request.cwd = temp.path;
	expect_error(&request, WRIT_E_NOTFOUND, "program");
}

static void
a_private_directory_goes_with_what_was_prepared(void **state)
{
	writ_request request = request_of("true");
	struct w_prepared prepared;
	char path[64];

	(void)state;
	request.env_mode = WRIT_ENV_ISOLATED;
	assert_int_equal(
	    prepare_run(&request, &context, &prepared, NULL), WRIT_OK);
	assert_non_null(prepared.scratch);
	assert_string_equal(
	    w_environ_get(prepared.env.items, "HOME"), prepared.scratch);
	(void)snprintf(path, sizeof(path), "%s", prepared.scratch);
	assert_int_equal(access(path, F_OK), 0);
	w_prepared_done(&prepared);
	assert_int_equal(access(path, F_OK), -1);
}

static void
limits_are_set_only_where_asked_for(void **state)
{
	writ_request request = request_of("true");
	struct w_prepared prepared;

	(void)state;
	assert_int_equal(
	    prepare_run(&request, &context, &prepared, NULL), WRIT_OK);
	assert_int_equal(prepared.limit_count, 1);
	assert_int_equal(limit_of(&prepared, RLIMIT_CORE)->hard, 0);
	w_prepared_done(&prepared);

	request.cpu_ms = 1001;
	request.memory = 1 << 30;
	request.file_size = 12345;
	request.open_files = 64;
	assert_int_equal(
	    prepare_run(&request, &context, &prepared, NULL), WRIT_OK);
	assert_int_equal(prepared.limit_count, 5);
	assert_int_equal(limit_of(&prepared, RLIMIT_CPU)->soft, 2);
	assert_in_range(
	    limit_of(&prepared, RLIMIT_DATA)->soft, 1 << 30, UINT64_C(4) << 30);
	assert_int_equal(limit_of(&prepared, RLIMIT_FSIZE)->hard, 12345);
	assert_int_equal(limit_of(&prepared, RLIMIT_NOFILE)->soft, 64);
	w_prepared_done(&prepared);
}

static void
more_open_files_than_allowed_are_refused(void **state)
{
	writ_request request = request_of("true");
	struct rlimit now;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
	if (geteuid() == 0 || now.rlim_max == RLIM_INFINITY) {
		(void)fprintf(stderr, "everything is allowed here\n");
		skip();
	}
	request.open_files = now.rlim_max + 1;
	expect_error(&request, WRIT_E_INVALID, "limits");
}

#define IN_TEMP(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(a_shell_string_becomes_words_for_sh),
	    IN_TEMP(words_stay_as_they_are),
	    IN_TEMP(the_program_is_looked_for_in_the_new_path),
	    IN_TEMP(a_missing_directory_is_not_a_missing_program),
	    IN_TEMP(a_private_directory_goes_with_what_was_prepared),
	    IN_TEMP(limits_are_set_only_where_asked_for),
	    IN_TEMP(more_open_files_than_allowed_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
