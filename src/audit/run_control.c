/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs of other processes: killing them and waiting for them.
 *
 * Only a `writ run` is ever signalled, because only there a signal means the
 * run; and only through a pidfd of a process that was checked after opening it,
 * so a later process with the same pid is never hit. Times alone cannot tell
 * that after the clock was set back, so the process must also have this trail
 * open, as every writer has.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <writ/audit.h>

#include "audit/query/query.h"
#include "base/auto.h"
#include "base/error.h"
#include "os/file.h"
#include "os/loop.h"

/* What is needed to handle a run's process. */
struct target {
	char run[W_ID_LEN + 1];
	writ_run_state state;
	int pid;
	uint64_t pidns;
	uint64_t begin_us;
	uint64_t begin_seq;
	char door[32];
};

static bool
take_target(void *ctx, const writ_audit_run *run)
{
	struct target *target = ctx;
	const struct w_audit_run_view *view = w_audit_run_view_of(run);

	*target = (struct target){
	    .state = run->state,
	    .pid = run->pid,
	    .pidns = view->begin.pidns,
	    .begin_us = run->begin_us,
	    .begin_seq = run->begin_seq,
	};
	memcpy(target->run, run->run_id, strlen(run->run_id) + 1);
	(void)snprintf(target->door, sizeof(target->door), "%s",
	    run->door == NULL ? "" : run->door);
	return false;
}

/* -1: it is gone, or another process has its pid now. */
static int
open_process(const struct target *target)
{
	struct w_liveness view;
	W_AUTO_FD int fd = (int)syscall(SYS_pidfd_open, target->pid, 0);

	w_liveness_init(&view);
	if (fd < 0 || w_liveness_state(&view, target->pid, target->pidns,
			  target->begin_us) != WRIT_RUN_RUNNING)
		return -1;
	return w_take_fd(&fd);
}

/* ---- kill ---- */

/* Whether the process has the trail's directory open. 0: yes; ESRCH: no; or the
 * errno of the check. */
static int
find_trail(const writ_audit *audit, int pid)
{
	char path[48];
	struct stat ours;
	struct stat theirs;
	int error = ESRCH;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	if (fstat(audit->dir_fd, &ours) < 0)
		return errno;
	DIR *dir = opendir(path);
	if (dir == NULL)
		return errno == ENOENT ? ESRCH : errno;
	for (struct dirent *e = readdir(dir); e != NULL && error != 0;
	     e = readdir(dir)) {
		if (fstatat(dirfd(dir), e->d_name, &theirs, 0) == 0 &&
		    theirs.st_dev == ours.st_dev &&
		    theirs.st_ino == ours.st_ino)
			error = 0;
	}
	(void)closedir(dir);
	return error;
}

static writ_status
check_killable(const struct target *target, writ_error *err)
{
	if (target->state == WRIT_RUN_UNKNOWN)
		return w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "run %s was begun in another pid namespace, where its "
		    "process cannot be reached",
		    target->run);
	if (target->state == WRIT_RUN_LOST)
		return w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "run %s is not running: process %d, which ran it, is gone",
		    target->run, target->pid);
	if (target->state != WRIT_RUN_RUNNING)
		return w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "run %s is not running: it has %s", target->run,
		    target->state == WRIT_RUN_ENDED ? "ended" : "not begun");
	if (strcmp(target->door, "cli") == 0)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "audit", 0,
	    "run %s belongs to process %d, which runs it through '%s'",
	    target->run, target->pid, target->door);
	w_suggest(err, "ask that program to end it");
	return WRIT_E_INVALID;
}

/* Whether a SIGTERM is still pending. Standard signals do not queue: a second
 * one sent now would be lost. */
static bool
is_pending(int pid)
{
	char path[48];
	char text[4096];
	uint64_t pending;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (w_file_read_at(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return false;
	const char *at = strstr(text, "ShdPnd:");
	return at != NULL && sscanf(at, "ShdPnd: %" SCNx64, &pending) == 1 &&
	       (pending >> (SIGTERM - 1) & 1) != 0;
}

enum {
	PENDING_STEPS = 1000 /* of a millisecond each */
};

static int
send_term(int fd)
{
	return (int)syscall(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0);
}

/* The first signal ends the run with its grace period, the second at once. */
static int
send_signals(int fd, int pid, bool is_now)
{
	const struct timespec step = {.tv_nsec = 1000000};

	if (send_term(fd) != 0)
		return errno;
	if (!is_now)
		return 0;
	for (int i = 0; i < PENDING_STEPS && is_pending(pid); i++)
		(void)nanosleep(&step, NULL);
	/* The first may have ended it. */
	return send_term(fd) != 0 && errno != ESRCH ? errno : 0;
}

writ_status
writ_audit_kill(
    writ_audit *audit, const char *run_id, bool is_now, writ_error *err)
{
	struct target target;

	writ_status status =
	    writ_audit_find(audit, run_id, take_target, &target, err);
	if (status == WRIT_OK)
		status = check_killable(&target, err);
	if (status != WRIT_OK)
		return status;
	W_AUTO_FD int fd = open_process(&target);
	int error = fd < 0 ? ESRCH : find_trail(audit, target.pid);
	if (error == 0)
		error = send_signals(fd, target.pid, is_now);
	if (error == ESRCH) {
		target.state = WRIT_RUN_LOST;
		return check_killable(&target, err);
	}
	return error == 0 ? WRIT_OK
			  : w_fail(err, WRIT_E_SYSTEM, "audit", error,
				"cannot signal process %d, which runs %s",
				target.pid, target.run);
}

/* ---- wait ---- */

enum {
	STEP_MS = 50
};

static bool
note_end(void *ctx, const writ_record *record)
{
	(void)record;
	*(bool *)ctx = true;
	return false;
}

static writ_status
find_run_end(writ_audit *audit, const struct target *target, bool *out_is_over,
    writ_error *err)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;

	filter.kind = "end";
	filter.run_id = target->run;
	filter.after_seq = target->begin_seq;
	filter.limit = 1;
	return writ_audit_records(audit, &filter, note_end, out_is_over, err);
}

/* How long to wait until the next check; 0: timed out. */
static int
next_step(uint64_t end_ns)
{
	uint64_t now = w_now_ns();

	if (end_ns == 0 || now + STEP_MS * W_NS_PER_MS <= end_ns)
		return STEP_MS;
	return now >= end_ns ? 0 : (int)((end_ns - now) / W_NS_PER_MS) + 1;
}

/* fd is a pidfd, or -1 if the process cannot be seen. */
static writ_status
run_control_await(writ_audit *audit, const struct target *target, int fd,
    uint64_t end_ns, bool *out_is_over, writ_error *err)
{
	struct pollfd process = {.fd = fd, .events = POLLIN};
	bool is_over = false;
	int step = 1;

	while (!is_over && step > 0) {
		writ_status status = find_run_end(audit, target, &is_over, err);

		if (status != WRIT_OK)
			return status;
		step = next_step(end_ns);
		if (!is_over && step > 0 && poll(&process, 1, step) > 0)
			is_over = true;
	}
	*out_is_over = is_over;
	return WRIT_OK;
}

writ_status
writ_audit_wait(writ_audit *audit, const char *run_id, int timeout_ms,
    bool *out_is_over, writ_error *err)
{
	uint64_t end_ns = timeout_ms < 0
			      ? 0
			      : w_now_ns() + (uint64_t)timeout_ms * W_NS_PER_MS;
	struct target target;

	writ_status status =
	    writ_audit_find(audit, run_id, take_target, &target, err);
	if (status != WRIT_OK)
		return status;
	W_AUTO_FD int fd =
	    target.state == WRIT_RUN_RUNNING ? open_process(&target) : -1;
	if (fd < 0 && target.state != WRIT_RUN_UNKNOWN) {
		*out_is_over = true;
		return WRIT_OK;
	}
	return run_control_await(audit, &target, fd, end_ns, out_is_over, err);
}
