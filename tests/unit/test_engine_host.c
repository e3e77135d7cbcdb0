/* SPDX-License-Identifier: Apache-2.0 */

/* What a host does around an engine: it closes descriptors that are not its
 * own, changes its directory, forks, and calls from callbacks. */

#include "engine_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

static const char *const true_argv[] = {"/bin/true", NULL};

/* In a child, which has an engine of its own. Its exit status: 0, an error in
 * words; 1, the run went well; else something is wrong. */
static int
run_after(void (*before)(void), bool is_warm)
{
	const pid_t pid = fork();
	int ended;

	assert_true(pid >= 0);
	if (pid == 0) {
		writ_request request = WRIT_REQUEST_INIT;
		writ_engine *own = NULL;
		writ_result *result = NULL;
		writ_error err = {.status = WRIT_OK};

		request.argv = true_argv;
		if (writ_engine_new(NULL, &own, &err) != WRIT_OK)
			_exit(2);
		if (is_warm) {
			if (writ_run(own, &request, &result, &err) != WRIT_OK)
				_exit(3);
			writ_result_free(result);
		}
		before();
		const writ_status status =
		    writ_run(own, &request, &result, &err);
		if (status == WRIT_OK)
			_exit(1);
		_exit(err.message[0] != '\0' ? 0 : 4);
	}
	assert_int_equal(waitpid(pid, &ended, 0), pid);
	assert_true(WIFEXITED(ended));
	return WEXITSTATUS(ended);
}

static void
close_all(void)
{
	(void)close_range(3, ~0U, 0);
}

static void
descriptors_that_the_host_closed_are_an_error(void **state)
{
	(void)state;
	assert_int_equal(run_after(close_all, false), 0);
	assert_int_equal(run_after(close_all, true), 0);
}

static void
an_engine_can_be_freed_after_its_descriptors_were_closed(void **state)
{
	(void)state;
	const pid_t pid = fork();
	int ended;

	assert_true(pid >= 0);
	if (pid == 0) {
		writ_request request = WRIT_REQUEST_INIT;
		writ_engine *own = NULL;
		writ_result *result = NULL;

		request.argv = true_argv;
		if (writ_engine_new(NULL, &own, NULL) != WRIT_OK ||
		    writ_run(own, &request, &result, NULL) != WRIT_OK)
			_exit(2);
		writ_result_free(result);
		close_all();
		writ_engine_free(own);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &ended, 0), pid);
	assert_int_equal(ended, 0);
}

static void
the_directory_of_an_engine_is_that_of_its_birth(void **state)
{
	const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	static const char *const argv[] = {"/bin/pwd", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;

	(void)state;
	request.argv = argv;
	request.cwd = temp.path;
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	assert_memory_equal(
	    result->out[WRIT_STDOUT].head, temp.path, strlen(temp.path));
	writ_result_free(result);
	/* A directory that is gone is an error, not another one. */
	assert_int_equal(mkdir(temp_path(&temp, "gone"), 0700), 0);
	assert_int_equal(chdir(temp_path(&temp, "gone")), 0);
	assert_int_equal(rmdir(temp_path(&temp, "gone")), 0);
	request.cwd = NULL;
	writ_error err = {.status = WRIT_OK};
	const writ_status status = writ_run(engine, &request, &result, &err);
	assert_int_not_equal(status, WRIT_OK);
	assert_true(err.message[0] != '\0');
	assert_int_equal(fchdir(here), 0);
	assert_int_equal(close(here), 0);
}

static void
a_result_outlives_its_engine(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_engine *own = NULL;
	writ_result *result = NULL;
	char *json = NULL;
	size_t len;

	(void)state;
	request.argv = true_argv;
	assert_int_equal(writ_engine_new(NULL, &own, NULL), WRIT_OK);
	assert_int_equal(writ_run(own, &request, &result, NULL), WRIT_OK);
	writ_engine_free(own);
	assert_int_equal(result->exit_code, 0);
	assert_int_equal(writ_result_json(result, &json, &len, NULL), WRIT_OK);
	free(json);
	writ_result_free(result);
}

static void
an_engine_does_nothing_in_a_fork(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	int ended;

	(void)state;
	request.argv = true_argv;
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	writ_result_free(result);
	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		writ_error err = {.status = WRIT_OK};

		_exit(writ_run(engine, &request, &result, &err) < 0 &&
			      err.message[0] != '\0'
			  ? 0
			  : 1);
	}
	assert_int_equal(waitpid(pid, &ended, 0), pid);
	assert_int_equal(ended, 0);
	/* It is none the worse for it. */
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	writ_result_free(result);
}

#define HOST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    HOST(descriptors_that_the_host_closed_are_an_error),
	    HOST(an_engine_can_be_freed_after_its_descriptors_were_closed),
	    HOST(the_directory_of_an_engine_is_that_of_its_birth),
	    HOST(a_result_outlives_its_engine),
	    HOST(an_engine_does_nothing_in_a_fork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
