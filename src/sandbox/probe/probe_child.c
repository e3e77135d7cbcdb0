/* SPDX-License-Identifier: Apache-2.0 */

/* A throwaway process that tries one thing. */

#include "sandbox/probe/probe_child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROBE_SECONDS 5

int
w_probe_child_fail(struct w_probe_child *child, const char *step)
{
	child->step = step;
	return errno;
}

/*
 * A plain copy of the process. The raw system call, not fork(): that would run
 * the host's atfork handlers, and its exit would raise SIGCHLD. The copy dies
 * with its parent.
 */
static long
copy_process(void)
{
	pid_t parent = (pid_t)syscall(SYS_getpid);
	long pid = syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);

	if (pid != 0)
		return pid;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		_exit(1);
	/* 0: the parent is outside our pid namespace. */
	pid_t now = (pid_t)syscall(SYS_getppid);
	if (now != 0 && now != parent)
		_exit(1);
	return 0;
}

long
w_probe_child_fork(void)
{
	return copy_process();
}

_Noreturn static void
be_child(w_probe_child_fn fn, struct w_probe_child *child)
{
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	sigset_t all;

	/* Block the host's signal handlers; nothing here lasts. */
	(void)sigfillset(&all);
	(void)sigdelset(&all, SIGALRM);
	(void)sigaction(SIGALRM, &standard, NULL);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)alarm(PROBE_SECONDS);
	child->error = fn(child);
	_exit(0);
}

static void
probe_child_classify(
    const struct w_probe_child *child, int status, struct w_probe *out)
{
	out->error = child->error;
	out->step = child->step;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		out->error = ETIMEDOUT;
	else if (WIFSIGNALED(status))
		/* Some filters kill instead of returning an error. */
		out->error = EPERM;
	if (WIFSIGNALED(status) && out->step[0] == '\0')
		out->step = "surviving the trial";
	out->is_available = out->error == 0;
}

static void
await_child(long pid, const struct w_probe_child *child, struct w_probe *out)
{
	int status = 0;
	pid_t got;

	do
		got = waitpid((pid_t)pid, &status, __WALL);
	while (got < 0 && errno == EINTR);
	if (got < 0) {
		out->error = errno;
		out->step = "waiting for a process";
		return;
	}
	probe_child_classify(child, status, out);
}

static void
probe_child_prepare(struct w_probe_child *child, bool has_userns)
{
	/* A child that dies without a result has failed. */
	*child = (struct w_probe_child){
	    .has_userns = has_userns, .error = EPERM, .step = ""};
	(void)snprintf(child->uid_map, sizeof(child->uid_map), "%u %u 1",
	    geteuid(), geteuid());
	(void)snprintf(child->gid_map, sizeof(child->gid_map), "%u %u 1",
	    getegid(), getegid());
}

void
w_probe_child_run(w_probe_child_fn fn, bool has_userns,
    struct w_probe *out_probe, long *out_value)
{
	struct w_probe_child *child = mmap(NULL, sizeof(*child),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	*out_probe = (struct w_probe){.step = ""};
	if (child == MAP_FAILED) {
		out_probe->error = errno;
		return;
	}
	probe_child_prepare(child, has_userns);
	long pid = copy_process();
	if (pid == 0)
		be_child(fn, child);
	if (pid < 0) {
		out_probe->error = errno;
		out_probe->step = "making a process";
	} else {
		await_child(pid, child, out_probe);
	}
	*out_value = child->value;
	(void)munmap(child, sizeof(*child));
}
