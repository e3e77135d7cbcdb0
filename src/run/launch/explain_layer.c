/* SPDX-License-Identifier: Apache-2.0 */

/* Finds which layer of a sandbox failed, and why. */

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/launch/explain.h"
#include "run/launch/run_sandbox.h"
#include "sandbox/mounts/mount_plan.h"
#include "sandbox/probe/remedy.h"

static const struct {
	uint32_t flag;
	enum w_layer layer;
} spaces[] = {
    {CLONE_NEWUSER, W_LAYER_USERNS},
    {CLONE_NEWNS, W_LAYER_MOUNTNS},
    {CLONE_NEWPID, W_LAYER_PIDNS},
    {CLONE_NEWNET, W_LAYER_NETNS},
    {CLONE_NEWIPC, W_LAYER_IPCNS},
    {CLONE_NEWUTS, W_LAYER_UTSNS},
    {CLONE_NEWCGROUP, W_LAYER_CGROUPNS},
};

static bool
can_clone(uint32_t flags)
{
	struct clone_args args = {.flags = flags, .exit_signal = SIGCHLD};

	long pid = syscall(SYS_clone3, &args, sizeof(args));
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		(void)waitpid((pid_t)pid, NULL, __WALL);
	return pid > 0;
}

/* clone3() does not say which namespace failed. So each is tried by itself,
 * inside a user namespace if the sandbox has one. */
static int
find_failed_namespace(uint32_t namespaces)
{
	uint32_t within = namespaces & CLONE_NEWUSER;

	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		if ((namespaces & spaces[i].flag) != 0 &&
		    !can_clone(spaces[i].flag | within))
			return (int)spaces[i].layer;
	}
	return -1;
}

int
w_explain_layer(const struct w_launch *launch, const struct w_attempt *attempt)
{
	if (launch->sandbox == NULL || launch->sandbox->sandbox_plan == NULL ||
	    w_explain_is_exhaustion(attempt->error))
		return -1;
	if (!attempt->is_step)
		return find_failed_namespace(
		    launch->sandbox->sandbox_plan->namespaces);
	switch (attempt->step) {
	case W_STEP_USERNS:
		return W_LAYER_USERNS;
	case W_STEP_VIEW:
		return W_LAYER_MOUNTNS;
	case W_STEP_NETWORK:
		return W_LAYER_NETNS;
	case W_STEP_HOSTNAME:
		return W_LAYER_UTSNS;
	case W_STEP_LIMIT_GROUP:
		return W_LAYER_CGROUP;
	case W_STEP_KEYRING:
		return W_LAYER_KEYRING;
	case W_STEP_PRIVILEGES:
		return W_LAYER_CAPABILITIES;
	case W_STEP_RULES:
	case W_STEP_LANDLOCK:
		return W_LAYER_LANDLOCK;
	case W_STEP_SECCOMP:
		return W_LAYER_SECCOMP;
	case W_STEP_PROCESS:
	case W_STEP_SHARED:
	case W_STEP_SESSION:
	case W_STEP_TERMINAL:
	case W_STEP_STDIO:
	case W_STEP_CWD:
	case W_STEP_LIMITS:
	case W_STEP_NICE:
	case W_STEP_IDENTITY:
	case W_STEP_PROGRAM:
	case W_STEP_EXEC:
		break;
	}
	return -1;
}

bool
w_explain_is_lacking(const struct w_attempt *attempt)
{
	if (!attempt->is_step ||
	    (attempt->step != W_STEP_VIEW && attempt->step != W_STEP_RULES))
		return true;
	switch (attempt->error) {
	case EPERM:
	case EACCES:
	case ENOSYS:
	case EINVAL:
	case ENODEV:
	case EOPNOTSUPP:
		return true;
	default:
		return false;
	}
}

/* The path that a step was about; NULL: none. A private root is assembled at
 * W_MOUNT_BASE, which is cut off here. */
static const char *
explain_layer_path_of(
    const struct w_sandbox_plan *sandbox_plan, const struct w_attempt *attempt)
{
	const char *strings =
	    W_SANDBOX_PLAN_AT(sandbox_plan, sandbox_plan->strings, char);

	if (attempt->step == W_STEP_VIEW &&
	    attempt->detail < sandbox_plan->op_count) {
		const struct w_mount_op *op =
		    W_SANDBOX_PLAN_AT(
			sandbox_plan, sandbox_plan->ops, struct w_mount_op) +
		    attempt->detail;

		const char *path =
		    strings + (op->target != 0 ? op->target : op->source);
		const size_t len = sizeof(W_MOUNT_BASE) - 1;
		return strncmp(path, W_MOUNT_BASE "/", len + 1) == 0
			   ? path + len
			   : path;
	}
	if (attempt->step == W_STEP_RULES &&
	    attempt->detail < sandbox_plan->rule_count)
		return strings + W_SANDBOX_PLAN_AT(sandbox_plan,
				     sandbox_plan->rules,
				     struct w_landlock_rule)[attempt->detail]
				     .path;
	return NULL;
}

writ_status
w_explain_missing_layer(const struct w_launch *launch,
    const struct w_attempt *attempt, int layer, writ_error *err)
{
	const char *path =
	    attempt->is_step
		? explain_layer_path_of(launch->sandbox->sandbox_plan, attempt)
		: NULL;

	if (path != NULL && *path != '\0' &&
	    (attempt->error == ESTALE || attempt->error == ENOENT ||
		attempt->error == ELOOP || attempt->error == ENOTDIR)) {
		writ_status status = w_fail(err, WRIT_E_SANDBOX, "sandbox",
		    attempt->error == ESTALE ? 0 : attempt->error,
		    "'%s' changed while the sandbox was being built", path);

		w_suggest(err, "try again, or find out what keeps changing it");
		return status;
	}
	return w_probe_explain((enum w_layer)layer, attempt->error, err);
}
