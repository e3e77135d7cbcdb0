/* SPDX-License-Identifier: Apache-2.0 */

/* Turns the step and errno of a failed start into a status and a message. */

#include "run/launch/explain.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *word;
	const char *text;
} steps[] = {
#define X(name, word, text) [W_STEP_##name] = {word, text},
    W_STEP_MAP(X)
#undef X
};

bool
w_explain_is_exhaustion(int error)
{
	return error == ENOMEM || error == EMFILE || error == ENFILE ||
	       error == EAGAIN;
}

static writ_status
explain_exec(const struct w_launch *launch, int error, writ_error *err)
{
	const char *name = launch->argv[0];
	writ_status status;

	switch (error) {
	case E2BIG:
		status = w_fail(err, WRIT_E_INVALID, "exec", error,
		    "the arguments and environment of '%s' are too long for "
		    "the kernel",
		    name);
		w_suggest(err, "pass the data by standard input or in a file");
		return status;
	case ENOENT:
		return w_fail(err, WRIT_E_NOTEXEC, "exec", 0,
		    "cannot execute '%s': its loader or interpreter does not "
		    "exist",
		    name);
	case ENOEXEC:
		status = w_fail(err, WRIT_E_NOTEXEC, "exec", 0,
		    "cannot execute '%s': not a program for this machine",
		    name);
		w_suggest(err, "a script needs a first line like #!/bin/sh");
		return status;
	case EACCES:
	case EPERM:
	case ETXTBSY:
	case ELIBBAD:
	case EISDIR:
	case EINVAL:
	case ELOOP:
		return w_fail(err, WRIT_E_NOTEXEC, "exec", error,
		    "cannot execute '%s'", name);
	default:
		return w_fail(err,
		    error == ENOMEM ? WRIT_E_NOMEM : WRIT_E_SYSTEM, "exec",
		    error, "cannot execute '%s'", name);
	}
}

static writ_status
explain_clone(const struct w_launch *launch, int error, writ_error *err)
{
	writ_status status =
	    w_fail(err, error == ENOMEM ? WRIT_E_NOMEM : WRIT_E_SYSTEM, "spawn",
		error, "cannot start a process for '%s'", launch->argv[0]);

	if (error == EAGAIN)
		w_suggest(err, "the limit of processes is reached: see "
			       "ulimit -u and the pids control group");
	else if (error == EMFILE)
		w_suggest(err, "raise the limit of open files (ulimit -n)");
	else if (error == ENOSYS)
		w_suggest(err, "clone3 is needed: Linux 5.5 or later, and no "
			       "seccomp filter that hides it");
	return status;
}

static writ_status
explain_step(const struct w_launch *launch, const struct w_attempt *attempt,
    writ_error *err)
{
	int error = attempt->error;
	bool is_asked = error == EPERM || error == EACCES || error == EINVAL;

	switch (attempt->step) {
	case W_STEP_EXEC:
		return explain_exec(launch, error, err);
	case W_STEP_PROCESS:
		return explain_clone(launch, error, err);
	case W_STEP_PROGRAM:
		/* Another user may be unable to see the script. */
		if (error != ESTALE)
			return explain_exec(launch, error, err);
		return w_fail(err, WRIT_E_NOTEXEC, "program", 0,
		    "'%s' changed on disk while it was being started",
		    launch->argv[0]);
	case W_STEP_SHARED:
	case W_STEP_VIEW:
	case W_STEP_NETWORK:
	case W_STEP_HOSTNAME:
	case W_STEP_LIMIT_GROUP:
	case W_STEP_KEYRING:
	case W_STEP_PRIVILEGES:
	case W_STEP_RULES:
	case W_STEP_LANDLOCK:
	case W_STEP_SECCOMP:
	case W_STEP_CWD:
	case W_STEP_NICE:
	case W_STEP_LIMITS:
	case W_STEP_USERNS:
	case W_STEP_SESSION:
	case W_STEP_TERMINAL:
	case W_STEP_STDIO:
	case W_STEP_IDENTITY:
		break;
	}
	writ_status status = w_fail(err,
	    is_asked ? WRIT_E_INVALID : WRIT_E_SYSTEM,
	    steps[attempt->step].word, error, "%s", steps[attempt->step].text);
	if (attempt->step == W_STEP_NICE)
		w_suggest(err, "only root may lower the niceness");
	else if (attempt->step == W_STEP_LIMITS)
		w_suggest(err, "only root may go above a hard limit");
	return status;
}

writ_status
w_explain_start(const struct w_launch *launch, const struct w_attempt *attempt,
    writ_error *err)
{
	int layer = w_explain_layer(launch, attempt);

	if (layer >= 0)
		return w_explain_missing_layer(launch, attempt, layer, err);
	if (!attempt->is_step)
		return explain_clone(launch, attempt->error, err);
	return explain_step(launch, attempt, err);
}

static void
suggest_pidns(int error, writ_error *err)
{
	if (geteuid() == 0)
		w_suggest(err, "root lacks CAP_SYS_ADMIN here, as in most "
			       "containers; use tree keeper, or grant it");
	else if (error == ENOSPC || error == EUSERS)
		w_suggest(err, "raise the sysctl user.max_user_namespaces, or "
			       "use tree keeper");
	else
		w_suggest(err, "user namespaces are forbidden here (sysctl "
			       "kernel.unprivileged_userns_clone, AppArmor, "
			       "a container); use tree keeper");
}

writ_status
w_explain_hold(writ_hold hold, int error, writ_error *err)
{
	writ_status status;

	if (hold == WRIT_HOLD_CGROUP) {
		status = w_fail(err, WRIT_E_SANDBOX, "cgroup", error,
		    "cannot hold the run in a control group");
		w_suggest(err, "it needs a writable cgroup v2 hierarchy; use "
			       "tree pidns or auto");
		return status;
	}
	status = w_fail(err, WRIT_E_SANDBOX, "pidns", error,
	    "cannot hold the run in a pid namespace");
	suggest_pidns(error, err);
	return status;
}
