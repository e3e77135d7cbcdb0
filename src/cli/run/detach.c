/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ run --detach`: two processes with a socket between them.
 *
 *     starter                          runner (a new session)
 *     waits                            starts the command
 *                     <-- report ---   waiting for an approval (optional)
 *                     <-- report ---   the run id, or the error
 *     prints the id
 *                     --- a byte -->   continues alone
 *
 * If the starter goes away before its byte (Ctrl-C, a closed output), nobody
 * knows the id of the run; the runner then reads end of file and ends it. A
 * report is one packet, so it arrives whole or not at all.
 *
 * The fork comes before an engine exists. The runner closes every descriptor
 * of its caller: an open pipe would keep `id=$(writ run --detach ...)` waiting
 * until the run ends.
 */

#include "cli/run/detach.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/approval/question_wait.h"
#include "cli/caller.h"
#include "cli/output/print.h"
#include "cli/run/refusal.h"

/* The runner's end of the socket; all higher descriptors are closed. */
#define RUNNER_FD        3

#define RUN_ID_SIZE      40
#define STARTED_LINE_MAX 256

struct report {
	writ_error err; /* status WRIT_OK: the run has started, or waits */
	int pid;
	char run_id[RUN_ID_SIZE];
	char approval[RUN_ID_SIZE]; /* that the run waits for; "": none */
	char left[RUN_ID_SIZE];     /* the time left for it */
};

static void
send_report(int fd, struct report *report)
{
	report->pid = getpid();
	/* If the starter is gone, the runner's loop sees end of file. */
	(void)send(fd, report, sizeof(*report), MSG_NOSIGNAL);
}

void
w_detach_report_start(int parent_fd, const char *run_id)
{
	struct report report = {.err = {.status = WRIT_OK}};

	(void)snprintf(report.run_id, sizeof(report.run_id), "%s", run_id);
	send_report(parent_fd, &report);
}

void
w_detach_report_waiting(int parent_fd, const char *approval, const char *left)
{
	struct report report = {.err = {.status = WRIT_OK}};

	(void)snprintf(
	    report.approval, sizeof(report.approval), "%s", approval);
	(void)snprintf(report.left, sizeof(report.left), "%s", left);
	send_report(parent_fd, &report);
}

void
w_detach_report_error(
    int parent_fd, const writ_error *err, const char *approval)
{
	struct report report = {.err = *err};

	(void)snprintf(
	    report.approval, sizeof(report.approval), "%s", approval);

	send_report(parent_fd, &report);
}

/* ---- the runner ---- */

static void
reset_signals(void)
{
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		(void)sigaction(sig, &standard, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Leaves the caller's terminal first: until setsid() its hangup can still
 * reach us. Then resets signals and closes files. */
static int
detach_from_caller(int fd)
{
	if (setsid() < 0)
		return -1;
	reset_signals();

	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null_fd < 0)
		return -1;
	for (int i = 0; i < 3; i++) {
		if (dup2(null_fd, i) < 0)
			return -1;
	}
	if (fd != RUNNER_FD && dup3(fd, RUNNER_FD, O_CLOEXEC) < 0)
		return -1;
	return close_range(RUNNER_FD + 1, ~0U, 0);
}

static int
run_detached(const struct w_watch_options *options, int fd)
{
	const bool has_reader =
	    !options->is_quiet && isatty(STDERR_FILENO) == 1;
	struct w_watch_options own = *options;
	writ_error err;

	if (detach_from_caller(fd) < 0) {
		(void)w_fail(&err, WRIT_E_SYSTEM, "detach", errno,
		    "cannot detach from the caller");
		w_detach_report_error(fd, &err, "");
		return writ_status_exit(err.status);
	}
	own.has_reader = has_reader;
	own.is_detached = true;
	own.parent_fd = RUNNER_FD;
	own.is_json = false;
	own.is_quiet = true;
	return w_watch_run(&own);
}

/* ---- the starter ---- */

static int
detach_fail(const struct w_watch_options *options, writ_error *err,
    const char *approval)
{
	const struct w_refusal refusal = {
	    .err = err,
	    .approval = approval,
	    .is_json = options->is_json,
	    .is_agent = options->request->agent != NULL ||
			w_cli_caller() != WRIT_CALLER_TRUSTED,
	};

	/* The runner is a child of writ, and cannot tell who called. */
	if (approval != NULL)
		w_question_suggest(err, approval, refusal.is_agent);
	return w_refusal_print(&refusal);
}

/* The runner ended without a report. */
static int
fail_silent(const struct w_watch_options *options, pid_t runner)
{
	writ_error err;
	int how = 0;

	if (waitpid(runner, &how, 0) == runner && WIFSIGNALED(how))
		(void)w_fail(&err, WRIT_E_SYSTEM, "detach", 0,
		    "the process that was to run it was ended by signal %d "
		    "before it had started the command",
		    WTERMSIG(how));
	else
		(void)w_fail(&err, WRIT_E_SYSTEM, "detach", 0,
		    "the process that was to run it ended before it had "
		    "started the command");
	return detach_fail(options, &err, NULL);
}

static int
print_started(
    const struct w_watch_options *options, const struct report *report)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, STARTED_LINE_MAX);
	if (options->is_json)
		w_buf_add_fmt(&line, "{\"run_id\":\"%s\",\"pid\":%d}\n",
		    report->run_id, report->pid);
	else
		w_buf_add_fmt(&line, "%s\n", report->run_id);
	if (w_print(&line) != 0)
		return writ_status_exit(WRIT_E_SYSTEM);
	return 0;
}

static bool
receive(int fd, struct report *report)
{
	ssize_t len;

	do {
		len = recv(fd, report, sizeof(*report), 0);
	} while (len < 0 && errno == EINTR);
	return len == (ssize_t)sizeof(*report);
}

static int
await_report(const struct w_watch_options *options, pid_t runner, int fd)
{
	struct report report;
	bool is_there = receive(fd, &report);

	while (is_there && report.err.status == WRIT_OK &&
	       report.approval[0] != '\0') {
		if (!options->is_quiet)
			w_question_note_wait(report.approval, report.left);
		is_there = receive(fd, &report);
	}
	if (!is_there)
		return fail_silent(options, runner);
	if (report.err.status != WRIT_OK) {
		/* Nothing of a failed run is left when this returns. */
		(void)waitpid(runner, NULL, 0);
		return detach_fail(options, &report.err,
		    report.approval[0] == '\0' ? NULL : report.approval);
	}

	int status = print_started(options, &report);
	/* If the command has ended already, nobody reads the byte. */
	if (status == 0)
		(void)send(fd, "", 1, MSG_NOSIGNAL);
	return status;
}

int
w_detach_run(const struct w_watch_options *options)
{
	int pair[2] = {-1, -1};
	writ_error err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
		(void)w_fail(&err, WRIT_E_SYSTEM, "detach", errno,
		    "cannot make a socket");
		return detach_fail(options, &err, NULL);
	}

	pid_t runner = fork();
	if (runner == 0) {
		w_close(&pair[0]);
		return run_detached(options, pair[1]);
	}
	w_close(&pair[1]);
	W_AUTO_FD int fd = pair[0];
	if (runner < 0) {
		(void)w_fail(&err, WRIT_E_SYSTEM, "detach", errno,
		    "cannot make a process");
		return detach_fail(options, &err, NULL);
	}
	return await_report(options, runner, fd);
}
