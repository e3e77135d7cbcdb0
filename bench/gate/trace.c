/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Counts what a program and its helpers ask of the processor and the kernel.
 *
 *     writ-gate-trace calls|steps whole|marked REPORT PROGRAM [ARGUMENT]...
 *
 * calls: system calls of the program and its helpers. steps: instructions of
 * its helpers, one trap each; a trap costs microseconds, so the program itself
 * is left to callgrind. The commands that are run are never counted: a process
 * that executes anything but the program or its helper is let go.
 *
 * whole: from the start until the last process has ended. marked: between the
 * two marks of the program (mark.h). At a mark the program waits until its
 * helpers have nothing left to do, so that no work falls to either side by
 * chance.
 *
 * The count goes to REPORT. The exit status is that of the program.
 */

#include "mark.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	TRACEES_MAX = 256,
	SECONDS_MAX = 120,
	LOOK_NS = 2000000,
	QUIET_LOOKS = 10,
	BROKEN = 125
};

struct tracee {
	pid_t pid;
	bool is_program; /* or a thread of it: not a helper */
	bool is_known;   /* its first stop is over */
};

static struct tracee tracees[TRACEES_MAX];
static size_t tracee_count;
static pid_t program;
static char program_exe[PATH_MAX];
static bool has_steps, is_marked, is_counting;
static unsigned long long total;
static pid_t held; /* the program, stopped at a mark; 0: it is not */
static bool held_for;
static int program_status = BROKEN;

static _Noreturn void
give_up(const char *what)
{
	(void)fprintf(
	    stderr, "writ-gate-trace: %s: %s\n", what, strerror(errno));
	_exit(BROKEN);
}

static void
out_of_time(int number)
{
	static const char text[] = "writ-gate-trace: it does not end\n";

	(void)number;
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(BROKEN);
}

/* ---- who is traced ---- */

static bool
is_thread_of_program(pid_t pid)
{
	char path[64];

	(void)snprintf(
	    path, sizeof(path), "/proc/%d/task/%d", (int)program, (int)pid);
	return access(path, F_OK) == 0;
}

/* A child may stop before its parent reports that it was born. */
static struct tracee *
tracee_of(pid_t pid)
{
	for (size_t i = 0; i < tracee_count; i++) {
		if (tracees[i].pid == pid)
			return &tracees[i];
	}
	if (tracee_count == TRACEES_MAX) {
		errno = E2BIG;
		give_up("too many processes");
	}
	struct tracee *tracee = &tracees[tracee_count++];
	*tracee = (struct tracee){
	    .pid = pid, .is_program = is_thread_of_program(pid)};
	return tracee;
}

static void
forget(pid_t pid)
{
	struct tracee *tracee = tracee_of(pid);

	*tracee = tracees[--tracee_count];
}

/* What a process executes; empty: it is gone. */
static void
exe_of(pid_t pid, char *out, size_t size)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	ssize_t len = readlink(path, out, size - 1);
	if (len < 0 && errno != ENOENT && errno != ESRCH)
		give_up("cannot tell what is executed");
	out[len < 0 ? 0 : len] = '\0';
}

/* The helper is a file in memory, whatever it is called. */
static bool
is_ours(pid_t pid)
{
	char exe[PATH_MAX];

	exe_of(pid, exe, sizeof(exe));
	return strncmp(exe, "/memfd:", 7) == 0 || strcmp(exe, program_exe) == 0;
}

/* ---- counting ---- */

static void
resume(const struct tracee *tracee, int sig)
{
	bool is_stepped = has_steps && is_counting && !tracee->is_program;

	/* Who was killed meanwhile says so by its next wait. */
	(void)ptrace(is_stepped ? PTRACE_SINGLESTEP : PTRACE_SYSCALL,
	    tracee->pid, NULL, (void *)(uintptr_t)sig);
}

/* true: it is a mark, and the program has to wait. */
static bool
enter_call(const struct tracee *tracee)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tracee->pid, sizeof(info), &info) <
		0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return false;
	if (tracee->is_program && info.entry.nr == SYS_prctl &&
	    info.entry.args[0] == GATE_MARK) {
		held = tracee->pid;
		held_for = info.entry.args[1] != 0;
		return true;
	}
	total += is_counting && !has_steps;
	return false;
}

static void
see_stop(pid_t pid, int status)
{
	struct tracee *tracee = tracee_of(pid);
	int sig = WSTOPSIG(status);
	int event = status >> 16;

	if (event == PTRACE_EVENT_EXEC && pid == program &&
	    program_exe[0] == '\0') {
		exe_of(pid, program_exe, sizeof(program_exe));
		is_counting = !is_marked;
	} else if (event == PTRACE_EVENT_EXEC && !is_ours(pid)) {
		forget(pid);
		(void)ptrace(PTRACE_DETACH, pid, NULL, NULL);
		return;
	}
	if (event != 0) {
		sig = 0;
	} else if (sig == (SIGTRAP | 0x80)) {
		if (enter_call(tracee))
			return;
		sig = 0;
	} else if (sig == SIGTRAP) {
		total += has_steps && is_counting && !tracee->is_program;
		sig = 0;
	} else if (sig == SIGSTOP && !tracee->is_known) {
		sig = 0;
	}
	tracee->is_known = true;
	resume(tracee, sig);
}

/* Everybody but the program waits for something. */
static bool
are_helpers_quiet(void)
{
	for (size_t i = 0; i < tracee_count; i++) {
		char path[64], text[512] = "";

		if (tracees[i].pid == held)
			continue;
		(void)snprintf(
		    path, sizeof(path), "/proc/%d/stat", (int)tracees[i].pid);
		FILE *file = fopen(path, "re");
		if (file == NULL)
			continue;
		(void)!fgets(text, sizeof(text), file);
		(void)fclose(file);
		const char *state = strrchr(text, ')');
		if (state != NULL && strncmp(state, ") S", 3) != 0)
			return false;
	}
	return true;
}

/* While the program is held: nothing has happened for a while. */
static void
look_around(void)
{
	static int looks;
	const struct timespec pause = {.tv_nsec = LOOK_NS};

	looks = are_helpers_quiet() ? looks + 1 : 0;
	if (looks < QUIET_LOOKS) {
		(void)nanosleep(&pause, NULL);
		return;
	}
	looks = 0;
	is_counting = held_for;
	struct tracee *tracee = tracee_of(held);
	held = 0;
	resume(tracee, 0);
}

static void
follow(void)
{
	for (;;) {
		int status;
		pid_t pid =
		    waitpid(-1, &status, __WALL | (held != 0 ? WNOHANG : 0));

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return;
		if (pid == 0) {
			look_around();
		} else if (WIFSTOPPED(status)) {
			see_stop(pid, status);
		} else {
			if (pid == program)
				program_status = WIFEXITED(status)
						     ? WEXITSTATUS(status)
						     : BROKEN;
			forget(pid);
		}
	}
}

static void
start(char **argv)
{
	int status;

	program = fork();
	if (program < 0)
		give_up("cannot fork");
	if (program == 0) {
		(void)personality(ADDR_NO_RANDOMIZE);
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			give_up("cannot be traced");
		(void)raise(SIGSTOP);
		(void)execv(argv[0], argv);
		give_up(argv[0]);
	}
	if (waitpid(program, &status, 0) < 0 || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, program, NULL,
		(void *)(uintptr_t)(PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
				    PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
				    PTRACE_O_TRACESYSGOOD |
				    PTRACE_O_EXITKILL)) < 0)
		give_up("cannot trace");
	struct tracee *tracee = tracee_of(program);
	tracee->is_program = true;
	tracee->is_known = true;
	resume(tracee, 0);
}

int
main(int argc, char **argv)
{
	if (argc < 5) {
		(void)fprintf(stderr, "usage: writ-gate-trace calls|steps "
				      "whole|marked REPORT PROGRAM...\n");
		return BROKEN;
	}
	has_steps = strcmp(argv[1], "steps") == 0;
	is_marked = strcmp(argv[2], "marked") == 0;
	(void)signal(SIGALRM, out_of_time);
	(void)alarm(SECONDS_MAX);
	/* Opened before: the report may be a place that only we can write. */
	FILE *report = fopen(argv[3], "we");
	if (report == NULL)
		give_up(argv[3]);
	start(argv + 4);
	follow();
	if (fprintf(report, "%llu\n", total) < 0 || fclose(report) != 0)
		give_up(argv[3]);
	return program_status;
}
