/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>

#include <writ/writ.h>

#include "leftovers.h"
#include "own_state.h"
#include "temp.h"

/*
 * Hosts that an engine may find itself in. Each host is a process of its own,
 * so that what it does to its signals and descriptors stays there; it returns
 * 0, or the line of the expectation that was not met.
 */
#define EXPECT(claim)                    \
	do {                             \
		if (!(claim))            \
			return __LINE__; \
	} while (0)

static const writ_hold holds[] = {WRIT_HOLD_AUTO, WRIT_HOLD_CGROUP,
    WRIT_HOLD_PIDNS, WRIT_HOLD_KEEPER, WRIT_HOLD_CALLER};

enum {
	HOLDS = sizeof(holds) / sizeof(*holds)
};

static struct temp temp;

static int
set_up(void **state)
{
	return temp_begin(&temp, state);
}

static void
run_host(int (*host)(void))
{
	int ends[2], line = -1;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0) {
		int report = fcntl(ends[1], F_DUPFD_CLOEXEC, 1000);

		(void)alarm(120);
		line = host();
		(void)!write(
		    report < 0 ? ends[1] : report, &line, sizeof(line));
		_exit(0);
	}
	assert_true(pid > 0);
	(void)close(ends[1]);
	(void)!read(ends[0], &line, sizeof(line));
	(void)close(ends[0]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(line, 0);
}

static writ_engine *
new_engine(void)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_engine *engine = NULL;

	options.spill_dir = temp.path;
	(void)writ_engine_new(&options, &engine, NULL);
	return engine;
}

/* Runs "exit 7" with some output; a status that is told must be right. */
static int
run_seven(writ_engine *engine, writ_hold hold, int *out_known)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;

	request.shell = "sleep 0.01; echo out; exit 7";
	request.hold = hold;
	writ_status status = writ_run(engine, &request, &result, NULL);
	if (status == WRIT_E_SANDBOX)
		return 0;
	EXPECT(status == WRIT_OK);
	EXPECT(result->outcome == WRIT_EXITED);
	EXPECT(strcmp(result->out[WRIT_STDOUT].head, "out\n") == 0);
	if (result->status_known)
		EXPECT(result->exit_code == 7 && result->signal == 0);
	else
		EXPECT(
		    result->exit_code == -1 && writ_result_exit(result) == 125);
	*out_known += result->status_known;
	writ_result_free(result);
	return 0;
}

static int
run_under_every_hold(void)
{
	writ_engine *engine = new_engine();
	int known = 0;

	EXPECT(engine != NULL);
	for (int i = 0; i < HOLDS; i++) {
		for (int times = 0; times < 10; times++) {
			int line = run_seven(engine, holds[i], &known);

			if (line != 0)
				return line;
		}
	}
	writ_engine_free(engine);
	/* A run with an init of its own is always known. */
	EXPECT(known > 0);
	return 0;
}

static void
steal(int sig)
{
	int saved = errno;

	(void)sig;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
	errno = saved;
}

static int
host_that_steals(void)
{
	const struct sigaction action = {.sa_handler = steal};

	EXPECT(sigaction(SIGCHLD, &action, NULL) == 0);
	int line = run_under_every_hold();
	return line;
}

static int
host_that_ignores(void)
{
	EXPECT(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
	return run_under_every_hold();
}

static int
host_that_blocks_everything(void)
{
	sigset_t all;

	(void)sigfillset(&all);
	EXPECT(sigprocmask(SIG_SETMASK, &all, NULL) == 0);
	return run_under_every_hold();
}

static int
host_without_streams(void)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;

	for (int fd = 0; fd < 3; fd++)
		EXPECT(close(fd) == 0);
	writ_engine *engine = new_engine();
	EXPECT(engine != NULL);
	for (int i = 0; i < HOLDS; i++) {
		request.shell = "cat; echo out; echo err >&2; seq 1 1000 >&2";
		request.hold = holds[i];
		request.stdin_kind = WRIT_STDIN_DATA;
		request.stdin_data = "in ";
		request.stdin_len = 3;
		request.output_limit = 100;
		writ_status status = writ_run(engine, &request, &result, NULL);
		if (status == WRIT_E_SANDBOX)
			continue;
		EXPECT(status == WRIT_OK);
		EXPECT(result->exit_code == 0);
		EXPECT(strcmp(result->out[0].head, "in out\n") == 0);
		EXPECT(result->out[1].bytes == 3897);
		EXPECT(result->out[1].spill_bytes == 3897);
		writ_result_free(result);
	}
	writ_engine_free(engine);
	return 0;
}

static int
host_with_thousands_of_descriptors(void)
{
	enum {
		MANY = 5000
	};
	struct rlimit files;
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;

	EXPECT(getrlimit(RLIMIT_NOFILE, &files) == 0);
	if (files.rlim_max < MANY + 100)
		return 0;
	files.rlim_cur = MANY + 100;
	EXPECT(setrlimit(RLIMIT_NOFILE, &files) == 0);
	for (int i = 0; i < MANY; i++)
		EXPECT(dup(0) >= 0); /* without close-on-exec */
	writ_engine *engine = new_engine();
	EXPECT(engine != NULL);
	request.shell = "for f in /proc/self/fd/*; do echo ${f##*/}; done";
	for (int i = 0; i < HOLDS; i++) {
		request.hold = holds[i];
		writ_status status = writ_run(engine, &request, &result, NULL);
		if (status == WRIT_E_SANDBOX)
			continue;
		EXPECT(status == WRIT_OK);
		EXPECT(result->exit_code == 0);
		EXPECT(result->out[0].bytes < 20);
		writ_result_free(result);
	}
	writ_engine_free(engine);
	return 0;
}

static int
host_out_of_descriptors(void)
{
	struct rlimit files;
	writ_engine *engine = new_engine();
	int known = 0;

	EXPECT(engine != NULL);
	EXPECT(getrlimit(RLIMIT_NOFILE, &files) == 0);
	struct rlimit tight = files;
	int free_fd = dup(0);
	EXPECT(free_fd >= 0 && close(free_fd) == 0);
	for (rlim_t spare = 0; spare < 24; spare++) {
		writ_request request = WRIT_REQUEST_INIT;
		writ_result *result = NULL;
		writ_error err = {0};

		request.shell = "echo out; exit 7";
		tight.rlim_cur = (rlim_t)free_fd + spare;
		EXPECT(setrlimit(RLIMIT_NOFILE, &tight) == 0);
		writ_status status = writ_run(engine, &request, &result, &err);
		EXPECT(setrlimit(RLIMIT_NOFILE, &files) == 0);
		if (status != WRIT_OK) {
			EXPECT(err.message[0] != '\0');
			continue;
		}
		EXPECT(result->exit_code == 7);
		EXPECT(strcmp(result->out[0].head, "out\n") == 0);
		writ_result_free(result);
	}
	/* With descriptors again, all is well again. */
	int line = run_seven(engine, WRIT_HOLD_AUTO, &known);
	EXPECT(line == 0 && known == 1);
	writ_engine_free(engine);
	EXPECT(!has_child());
	return 0;
}

static int
host_that_forks_elsewhere(void)
{
	writ_engine *engine = new_engine();
	int known = 0;

	EXPECT(engine != NULL);
	/* Holds copies of every descriptor of the engine for a while. */
	pid_t other = fork();
	if (other == 0) {
		for (;;)
			(void)pause();
	}
	EXPECT(other > 0);
	for (int i = 0; i < HOLDS; i++) {
		int line = run_seven(engine, holds[i], &known);

		if (line != 0)
			return line;
	}
	writ_engine_free(engine);
	EXPECT(waitpid(-1, NULL, WNOHANG) == 0);
	EXPECT(kill(other, SIGKILL) == 0);
	EXPECT(waitpid(other, NULL, 0) == other);
	EXPECT(!has_child());
	return 0;
}

static void
a_host_that_reaps_every_child_gets_no_wrong_status(void **state)
{
	(void)state;
	run_host(host_that_steals);
}

static void
a_host_that_ignores_sigchld_gets_no_wrong_status(void **state)
{
	(void)state;
	run_host(host_that_ignores);
}

static void
a_host_that_blocks_every_signal_is_served(void **state)
{
	(void)state;
	run_host(host_that_blocks_everything);
}

static void
a_host_without_standard_streams_is_served(void **state)
{
	(void)state;
	run_host(host_without_streams);
}

static void
a_host_with_thousands_of_descriptors_leaks_none(void **state)
{
	(void)state;
	run_host(host_with_thousands_of_descriptors);
}

static void
a_host_out_of_descriptors_gets_errors_and_recovers(void **state)
{
	(void)state;
	run_host(host_out_of_descriptors);
}

static void
a_host_that_forks_a_child_of_its_own_is_served(void **state)
{
	(void)state;
	run_host(host_that_forks_elsewhere);
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(a_host_that_reaps_every_child_gets_no_wrong_status),
	    IN_TEMP(a_host_that_ignores_sigchld_gets_no_wrong_status),
	    IN_TEMP(a_host_that_blocks_every_signal_is_served),
	    IN_TEMP(a_host_without_standard_streams_is_served),
	    IN_TEMP(a_host_with_thousands_of_descriptors_leaks_none),
	    IN_TEMP(a_host_out_of_descriptors_gets_errors_and_recovers),
	    IN_TEMP(a_host_that_forks_a_child_of_its_own_is_served),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
