/* SPDX-License-Identifier: Apache-2.0 */

/* A process that tries something and is thrown away. */

#include "sandbox/trial.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRIAL_SECONDS 5

int
w_trial_fail(struct w_trial *trial, const char *step)
{
	trial->step = step;
	return errno;
}

/*
 * A plain copy of the process. The system call itself, not fork(): that would
 * run the handlers of the host, and its end would raise SIGCHLD. A parent
 * that dies takes the copy with it.
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
	/* 0: the parent is outside of our pid namespace. */
	pid_t now = (pid_t)syscall(SYS_getppid);
	if (now != 0 && now != parent)
		_exit(1);
	return 0;
}

long
w_trial_fork(void)
{
	return copy_process();
}

_Noreturn static void
be_child(w_trial_fn fn, struct w_trial *trial)
{
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	sigset_t all;

	/* No handler of the host runs here, and nothing lasts. */
	(void)sigfillset(&all);
	(void)sigdelset(&all, SIGALRM);
	(void)sigaction(SIGALRM, &standard, NULL);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)alarm(TRIAL_SECONDS);
	trial->error = fn(trial);
	_exit(0);
}

static void
judge(const struct w_trial *trial, int status, struct w_probe *out)
{
	out->error = trial->error;
	out->step = trial->step;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		out->error = ETIMEDOUT;
	else if (WIFSIGNALED(status))
		/* Some filters kill instead of refusing. */
		out->error = EPERM;
	if (WIFSIGNALED(status) && out->step[0] == '\0')
		out->step = "surviving the trial";
	out->is_available = out->error == 0;
}

static void
await_child(long pid, const struct w_trial *trial, struct w_probe *out)
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
	judge(trial, status, out);
}

static void
prepare(struct w_trial *trial, bool has_userns)
{
	/* A child that dies before it has an answer has failed. */
	*trial = (struct w_trial){
	    .has_userns = has_userns, .error = EPERM, .step = ""};
	(void)snprintf(trial->uid_map, sizeof(trial->uid_map), "%u %u 1",
	    geteuid(), geteuid());
	(void)snprintf(trial->gid_map, sizeof(trial->gid_map), "%u %u 1",
	    getegid(), getegid());
}

void
w_trial_run(
    w_trial_fn fn, bool has_userns, struct w_probe *out_probe, long *out_value)
{
	struct w_trial *trial = mmap(NULL, sizeof(*trial),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	*out_probe = (struct w_probe){.step = ""};
	if (trial == MAP_FAILED) {
		out_probe->error = errno;
		return;
	}
	prepare(trial, has_userns);
	long pid = copy_process();
	if (pid == 0)
		be_child(fn, trial);
	if (pid < 0) {
		out_probe->error = errno;
		out_probe->step = "making a process";
	} else {
		await_child(pid, trial, out_probe);
	}
	*out_value = trial->value;
	(void)munmap(trial, sizeof(*trial));
}
