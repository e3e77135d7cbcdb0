/* SPDX-License-Identifier: Apache-2.0 */

/* Sandboxes of requests, and changes on disk before the start. */

#include "sandboxed_runs.h"

#include "run/resolve/prepare.h"

static struct w_prepare_context
context_here(void)
{
	return (struct w_prepare_context){
	    .launcher = &runner.launcher,
	    .sandbox_cache = &runner.launcher.sandbox_cache,
	};
}

static writ_status
prepare(writ_request *request, struct w_prepared *out, writ_error *err)
{
	const struct w_prepare_context context = context_here();

	return prepare_run(request, &context, out, err);
}

static void
a_program_outside_the_view_is_named(void **state)
{
	const char *const argv[] = {temp_path(&temp, "outside/script"), NULL};
	writ_request request = walled(NULL);
	struct w_prepared prepared;
	writ_error err = {0};

	(void)state;
	temp_dir(&temp, "outside");
	temp_dir(&temp, "inside");
	temp_file(&temp, "outside/script", 0755, "#!/bin/sh\n");
	request.argv = argv;
	request.sandbox = "strict";
	request.cwd = temp_path(&temp, "inside");
	assert_int_equal(prepare(&request, &prepared, &err), WRIT_E_SANDBOX);
	assert_non_null(strstr(err.message, argv[0]));
	assert_non_null(strstr(err.message, "'strict'"));
	assert_non_null(strstr(err.suggestion, "--read"));
}

static void
only_the_cells_own_hold_can_be_asked_for(void **state)
{
	static const writ_hold others[] = {
	    WRIT_HOLD_CGROUP, WRIT_HOLD_KEEPER, WRIT_HOLD_CALLER};
	struct w_prepared prepared;

	(void)state;
	for (int i = 0; i < 3; i++) {
		writ_request request = walled("true");
		writ_error err = {0};

		request.hold = others[i];
		assert_int_equal(
		    prepare(&request, &prepared, &err), WRIT_E_INVALID);
		assert_non_null(strstr(err.message, "'workspace'"));
	}
	writ_request request = walled("true");
	request.hold = WRIT_HOLD_PIDNS;
	assert_int_equal(prepare(&request, &prepared, NULL), WRIT_OK);
	assert_non_null(prepared.sandbox->sandbox_plan);
	w_prepared_done(&prepared);
}

static void
limits_of_a_profile_are_upper_bounds(void **state)
{
	writ_request request = walled("true");
	struct w_prepared prepared;
	char path[300];

	(void)state;
	temp_file(&temp, "tight.yaml", 0644,
	    "extends: workspace\n"
	    "limits: {timeout: 90s, processes: 7, max_output: 1MiB}\n");
	(void)snprintf(path, sizeof(path), "%s/tight.yaml", temp.path);
	request.sandbox = path;
	request.timeout_ms = 100000;
	request.processes = 3;
	assert_int_equal(prepare(&request, &prepared, NULL), WRIT_OK);
	assert_int_equal(request.timeout_ms, 90000);
	assert_int_equal(request.processes, 3);
	assert_int_equal(request.max_output, 1 << 20);
	w_prepared_done(&prepared);
}

static void
without_a_profile_there_is_no_sandbox(void **state)
{
	writ_request request = shell("true");
	struct w_prepared prepared;

	(void)state;
	assert_int_equal(prepare(&request, &prepared, NULL), WRIT_OK);
	assert_null(prepared.sandbox);
	w_prepared_done(&prepared);
	request.sandbox = "none";
	assert_int_equal(prepare(&request, &prepared, NULL), WRIT_OK);
	assert_null(prepared.sandbox);
	w_prepared_done(&prepared);
	assert_int_equal(runner.launcher.sandbox_cache.count, 0);
}

/* ---- between the check and the start ---- */

static void
swap_in(const char *name, const char *text)
{
	temp_file(&temp, "other", 0755, text);
	assert_int_equal(renameat(temp.fd, "other", temp.fd, name), 0);
}

static writ_status
launch(struct w_prepared *prepared, writ_error *err)
{
	int null_fd = runner.launcher.null_fd;
	const struct w_launch launch = {
	    .program = &prepared->program,
	    .argv = prepared->argv.items,
	    .envp = prepared->env.items,
	    .cwd_fd = prepared->cwd_fd,
	    .stdio = {null_fd, null_fd, null_fd},
	    .umask = -1,
	    .identity = &prepared->identity,
	    .cwd = prepared->cwd,
	    .program_path = prepared->program_path,
	    .sandbox = prepared->sandbox,
	};
	struct w_tree tree;

	writ_status status = w_launch(&runner.launcher, &launch, &tree, err);
	if (status == WRIT_OK)
		w_tree_end_now(&tree);
	return status;
}

/* With every kind of sandbox init: a file other than the checked one is not
 * executed. */
static void
a_program_that_changed_meanwhile_is_not_run(void **state)
{
	const char *const argv[] = {temp_path(&temp, "script"), NULL};

	(void)state;
	swap_in("script", "#!/bin/sh\nexit 7\n");
	for (int i = 0; i < RUNS; i++) {
		writ_request request = walled(NULL);
		struct w_prepared prepared;
		writ_error err = {0};

		request.argv = argv;
		assert_int_equal(prepare(&request, &prepared, &err), WRIT_OK);
		swap_in("script", "#!/bin/sh\ntouch fooled\n");
		writ_status status = launch(&prepared, &err);
		w_prepared_done(&prepared);
		if (status == WRIT_E_SANDBOX)
			skip();
		assert_int_equal(status, WRIT_E_NOTEXEC);
		assert_non_null(strstr(err.message, "changed on disk"));
		assert_true(runner.launcher.is_stale);
		assert_false(temp_has(&temp, "fooled"));
		assert_int_equal(settle_marked(mark, 0), 0);
	}
}

static void
a_directory_that_was_exchanged_is_not_entered(void **state)
{
	writ_request request = walled("touch fooled");
	struct w_prepared prepared;
	writ_error err = {0};

	(void)state;
	temp_dir(&temp, "work");
	temp_dir(&temp, "other");
	request.cwd = temp_path(&temp, "work");
	assert_int_equal(prepare(&request, &prepared, &err), WRIT_OK);
	assert_int_equal(
	    renameat2(temp.fd, "work", temp.fd, "other", RENAME_EXCHANGE), 0);
	assert_int_not_equal(launch(&prepared, &err), WRIT_OK);
	assert_true(err.message[0] != '\0');
	w_prepared_done(&prepared);
	assert_false(temp_has(&temp, "work/fooled"));
	assert_false(temp_has(&temp, "other/fooled"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    RUNNING(a_program_outside_the_view_is_named),
	    RUNNING(only_the_cells_own_hold_can_be_asked_for),
	    RUNNING(limits_of_a_profile_are_upper_bounds),
	    RUNNING(without_a_profile_there_is_no_sandbox),
	    RUNNING(a_program_that_changed_meanwhile_is_not_run),
	    RUNNING(a_directory_that_was_exchanged_is_not_entered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
