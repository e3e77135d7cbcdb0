/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "../unit/sampling.h"
#include "aftermath.h"

/*
 * Every system call of a run fails once, at each of its occurrences, with an
 * errno that the kernel could give. After that the same engine must run the
 * same command without a fault. WRIT_FAULT_FULL=1 takes every scene under
 * every hold, else the two that matter most are taken.
 */

static const struct {
	const char *function;
	int error;
} faults[] = {
    {"epoll_create1", EMFILE},
    {"timerfd_create", EMFILE},
    {"epoll_ctl", ENOMEM},
    {"epoll_wait", EINTR},
    {"pipe2", EMFILE},
    {"socketpair", EMFILE},
    {"memfd_create", EMFILE},
    {"memfd_create", EINVAL},
    {"open", EMFILE},
    {"openat", EMFILE},
    {"openat2", EMFILE},
    {"openat2", EAGAIN},
    {"fcntl", EMFILE},
    {"posix_openpt", ENOSPC},
    {"unlockpt", EIO},
    {"pidfd_open", EMFILE},
    {"read", EINTR},
    {"read", EIO},
    {"pread64", EIO},
    {"write", EINTR},
    {"write", ENOSPC},
    {"send", EAGAIN},
    {"recv", EINTR},
    {"sendmsg", EINTR},
    {"sendmsg", ETOOMANYREFS},
    {"recvmsg", EINTR},
    {"recvmsg", ENOMEM},
    {"poll", EINTR},
    {"poll", ENOMEM},
    {"mkdir", EACCES},
    {"mkdirat", EAGAIN},
    {"mkdirat", EACCES},
    {"mkdtemp", ENOSPC},
    {"statfs64", EACCES},
    {"mmap64", ENOMEM},
    {"mprotect", ENOMEM},
    {"getrandom", ENOSYS},
    {"clone3", EAGAIN},
    {"clone3", ENOMEM},
    {"waitid", EINTR},
    {"waitid", ECHILD},
    {"pidfd_send_signal", ESRCH},
};

enum {
	FAULTS = sizeof(faults) / sizeof(*faults)
};

static const struct {
	writ_hold hold;
	const char *word;
} holds[] = {
    {WRIT_HOLD_AUTO, NULL},
    {WRIT_HOLD_CGROUP, "cgroup"},
    {WRIT_HOLD_PIDNS, "pidns"},
    {WRIT_HOLD_KEEPER, "keeper"},
    {WRIT_HOLD_CALLER, NULL},
};

enum {
	HOLDS = sizeof(holds) / sizeof(*holds)
};

static int own_group = -1;
static const char *env[2] = {mark, NULL};
static char inside[300]; /* the workspace of walled runs */

/* A command, and what a true result of it looks like. */
struct scene {
	const char *name;
	void (*fill)(writ_request *request);
	void (*check)(const writ_result *result);
	bool is_quick;
	bool needs_hold; /* leaves processes behind */
	int runs;        /* under the fault */
	bool is_walled;  /* holds the tree by its own means */
};

/* ---- scenes ---- */

static void
check_ending(const writ_result *result, writ_outcome outcome, int code)
{
	if (result->outcome != outcome)
		find("the result has a wrong outcome");
	if (!result->status_known) {
		if (writ_result_exit(result) != 125 && outcome == WRIT_EXITED)
			find("an unknown status is passed on as known");
		return;
	}
	if (result->exit_code != code)
		find("the result has a wrong exit code");
}

static void
check_text(const writ_output *out, const char *text)
{
	if (!out->truncated && strcmp(out->head, text) != 0)
		find("the output is not what the command wrote");
	if (out->bytes != strlen(text))
		find("output is missing");
}

static void
fill_small(writ_request *request)
{
	request->shell = "echo out; echo err >&2; exit 7";
}

static void
check_small(const writ_result *result)
{
	check_ending(result, WRIT_EXITED, 7);
	check_text(&result->out[WRIT_STDOUT], "out\n");
	check_text(&result->out[WRIT_STDERR], "err\n");
}

static void
fill_family(writ_request *request)
{
	request->shell = "sleep 300 & setsid sleep 300 & "
			 "echo out; echo err >&2; exit 7";
}

static char input[200000];

static void
fill_rich(writ_request *request)
{
	request->shell = "wc -c; seq 1 20000; echo err >&2; exit 7";
	request->cwd = temp.path;
	request->env_mode = WRIT_ENV_ISOLATED;
	request->stdin_kind = WRIT_STDIN_DATA;
	request->stdin_data = input;
	request->stdin_len = sizeof(input);
	request->output_limit = 1000;
	request->memory = UINT64_C(4) << 30;
	request->processes = 1000;
	request->timeout_ms = 60000;
	request->idle_timeout_ms = 60000;
}

static void
check_rich(const writ_result *result)
{
	const writ_output *out = &result->out[WRIT_STDOUT];
	struct stat st;

	check_ending(result, WRIT_EXITED, 7);
	check_text(&result->out[WRIT_STDERR], "err\n");
	if (out->bytes != 7 + 108894)
		find("output is missing");
	if (out->head_len >= 9 && memcmp(out->head, "200000\n1\n", 9) != 0)
		find("the output has a wrong head");
	if (out->tail_len >= 6 &&
	    memcmp(out->tail + out->tail_len - 6, "20000\n", 6) != 0)
		find("the output has a wrong tail");
	if (out->spill_path == NULL) {
		if (out->spill_bytes != 0)
			find("there are bytes in no spill file");
		return;
	}
	if (stat(out->spill_path, &st) < 0 ||
	    (uint64_t)st.st_size != out->spill_bytes)
		find("the spill file has another size");
	if (out->spill_errno == 0 && out->spill_bytes != out->bytes)
		find("the spill file is incomplete and does not say so");
}

static void
fill_deadline(writ_request *request)
{
	request->shell = "trap '' TERM; echo out; echo err >&2; "
			 "sleep 300 & sleep 300; sleep 300";
	request->timeout_ms = 100;
	request->grace_ms = 50;
}

static void
check_deadline(const writ_result *result)
{
	check_ending(result, WRIT_TIMED_OUT, -1);
	check_text(&result->out[WRIT_STDOUT], "out\n");
	check_text(&result->out[WRIT_STDERR], "err\n");
}

static int
pause_once(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	(void)ctx;
	(void)bytes;
	(void)len;
	/* Resumed before the answer: so it goes on at once. */
	writ_job_resume(job, stream);
	return 0;
}

static void
fill_user(writ_request *request)
{
	fill_small(request);
	request->on_output = pause_once;
	if (geteuid() == 0)
		request->user = "nobody";
}

static void
fill_counted(writ_request *request)
{
	fill_small(request);
	request->memory = UINT64_C(256) << 20;
	request->processes = 50;
}

static void
check_counted(const writ_result *result)
{
	check_small(result);
	if (result->memory_by == NULL || result->processes_by == NULL)
		find("nobody counted");
}

/* What is outside is not there, or a copy of it. */
static void
fill_walled(writ_request *request)
{
	fill_small(request);
	request->shell = "[ $$ -lt 10 ] || exit 8; "
			 "(echo >../outside) 2>/dev/null; "
			 "echo out; echo err >&2; exit 7";
	request->sandbox = "workspace";
	request->cwd = inside;
}

static void
check_walled(const writ_result *result)
{
	check_small(result);
	if (temp_has(&temp, "outside"))
		find("there was no wall");
}

static void
fill_readonly(writ_request *request)
{
	fill_walled(request);
	request->sandbox = "readonly";
}

static void
fill_terminal(writ_request *request)
{
	fill_small(request);
	request->pty = true;
}

static void
check_terminal(const writ_result *result)
{
	check_ending(result, WRIT_EXITED, 7);
	check_text(&result->out[WRIT_STDOUT], "out\r\nerr\r\n");
}

static void
fill_walled_terminal(writ_request *request)
{
	fill_walled(request);
	request->pty = true;
}

static const struct scene scenes[] = {
    {"small", fill_small, check_small, .is_quick = true, .runs = 1},
    {"family", fill_family, check_small, .is_quick = true, .needs_hold = true,
	.runs = 1},
    {"rich", fill_rich, check_rich, .runs = 1},
    {"deadline", fill_deadline, check_deadline, .needs_hold = true, .runs = 1},
    {"counted", fill_counted, check_counted, .runs = 1},
    {"user", fill_user, check_small, .runs = 1},
    {"walled", fill_walled, check_walled, .is_quick = true, .runs = 3,
	.is_walled = true},
    {"readonly", fill_readonly, check_walled, .runs = 3, .is_walled = true},
    {"terminal", fill_terminal, check_terminal, .is_quick = true, .runs = 1},
    {"walled terminal", fill_walled_terminal, check_terminal, .is_quick = true,
	.runs = 1, .is_walled = true},
    {"bare sandbox inits", fill_small, check_small, .runs = 3},
    {"bare sandbox inits with limits", fill_counted, check_counted, .runs = 3},
};

enum {
	SCENES = sizeof(scenes) / sizeof(*scenes)
};

/* ---- trials ---- */

static writ_request
request_of(const struct scene *scene, int hold)
{
	writ_request request = WRIT_REQUEST_INIT;

	request.env = env;
	request.hold = holds[hold].hold;
	scene->fill(&request);
	return request;
}

static void
check_result(const struct scene *scene, int hold, const writ_result *result)
{
	scene->check(result);
	if (holds[hold].word == NULL)
		return;
	if (result->tree_by == NULL ||
	    strcmp(result->tree_by, holds[hold].word) != 0)
		find("another hold than the one that was asked for");
}

static void
run_once(writ_engine *engine, const struct scene *scene, int hold)
{
	writ_request request = request_of(scene, hold);
	writ_result *result = NULL;
	writ_error err = {0};

	writ_status status = writ_run(engine, &request, &result, &err);
	if (status == WRIT_OK)
		check_result(scene, hold, result);
	else
		check_error(status, &err);
	if (status != WRIT_OK && result != NULL)
		find("an error and a result");
	writ_result_free(result);
}

/* The engine as good as new. */
static void
run_again(writ_engine *engine, const struct scene *scene, int hold)
{
	writ_request request = request_of(scene, hold);
	writ_result *result = NULL;
	writ_error err = {0};

	writ_status status = writ_run(engine, &request, &result, &err);
	/* A hold may be given up for good when the kernel refused it. */
	if (status == WRIT_E_SANDBOX)
		return;
	if (status != WRIT_OK) {
		find("the next run fails too:");
		(void)fprintf(stderr, "    %s\n", err.message);
		return;
	}
	check_result(scene, hold, result);
	if (!result->status_known)
		find("the next run has no status");
	writ_result_free(result);
}

/* false: there was no such call. */
static bool
try_nth(const struct scene *scene, int hold, int fault, unsigned nth)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_engine *engine = NULL;
	writ_error err = {0};

	trial.nth = nth;
	trial.function = faults[fault].function;
	trial.error = faults[fault].error;
	(void)alarm(60);
	options.spill_dir = temp.path;
	inject_arm(trial.function, nth, 1, trial.error);
	writ_status status = writ_engine_new(&options, &engine, &err);
	if (status != WRIT_OK)
		check_error(status, &err);
	for (int i = 0; status == WRIT_OK && i < scene->runs; i++)
		run_once(engine, scene, hold);
	bool was_hit = inject_disarm();
	if (status == WRIT_OK && was_hit)
		run_again(engine, scene, hold);
	/* The end of an engine fails as well. Where calls are left out, its
	 * first: a kernel that says of one process after the other that it is
	 * gone, while it is there, does not exist. */
	if (!was_hit)
		inject_arm(trial.function, sample_step() == 1 ? nth : 1, 1,
		    trial.error);
	writ_engine_free(engine);
	(void)inject_disarm();
	(void)alarm(0);
	check_nothing_left(own_group);
	return was_hit;
}

static bool
is_available(int hold)
{
	writ_request request = request_of(&scenes[0], hold);
	writ_engine *engine = NULL;
	writ_result *result = NULL;

	assert_int_equal(writ_engine_new(NULL, &engine, NULL), WRIT_OK);
	writ_status status = writ_run(engine, &request, &result, NULL);
	writ_result_free(result);
	writ_engine_free(engine);
	return status == WRIT_OK;
}

static void
sweep(const struct scene *scene, int hold)
{
	char name[64];
	unsigned trials = 0;

	(void)snprintf(name, sizeof(name), "%s under hold %d", scene->name,
	    (int)holds[hold].hold);
	trial.scene = name;
	for (int fault = 0; fault < FAULTS; fault++) {
		unsigned nth = 1 + sample_begin();

		for (; try_nth(scene, hold, fault, nth); nth += sample_step())
			trials++;
	}
	(void)fprintf(stderr, "%s: %u trials\n", name, trials);
}

static bool
fits(const struct scene *scene, int hold)
{
	if (scene->is_walled && holds[hold].hold != WRIT_HOLD_AUTO)
		return false;
	return !scene->needs_hold || holds[hold].hold != WRIT_HOLD_CALLER;
}

static void
every_system_call_fails_once(void **state)
{
	bool is_full = getenv("WRIT_FAULT_FULL") != NULL;

	(void)state;
	findings = 0;
	for (int hold = 0; hold < HOLDS; hold++) {
		if (!is_available(hold))
			continue;
		for (int i = 0; i < SCENES; i++) {
			if ((!is_full && !scenes[i].is_quick) ||
			    !fits(&scenes[i], hold))
				continue;
			sweep(&scenes[i], hold);
		}
	}
	assert_int_equal(findings, 0);
}

static int
set_up(void **state)
{
	const struct sigaction action = {.sa_handler = on_alarm};

	(void)state;
	(void)sigaction(SIGALRM, &action, NULL);
	(void)snprintf(mark, sizeof(mark), "WRIT_TEST_MARK=c%dx", getpid());
	own_group = enter_own_group();
	temp_open(&temp);
	(void)fchmod(temp.fd, 0755);
	temp_dir(&temp, "inside");
	(void)snprintf(inside, sizeof(inside), "%s/inside", temp.path);
	/* What a run may write is looked through after it. */
	assert_int_equal(chdir(inside), 0);
	fds_before = count_fds();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	assert_int_equal(chdir("/"), 0);
	temp_close(&temp);
	leave_own_group(own_group);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_system_call_fails_once),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
