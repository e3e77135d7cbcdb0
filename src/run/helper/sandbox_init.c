/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The sandbox init: builds a sandbox around itself, starts the command in it
 * and stays as its parent.
 *
 *     sandbox_plan_enter  host name, view             once per plan, or here
 *     sandbox_init        /tmp, /proc, network        of this run
 *     restrict_self       keyring, privileges, Landlock, seccomp; then receives
 *                         the spec: streams, directory, limits, exec
 *
 * The sandbox is complete before the command is known, so an init can be made
 * ahead of time. Only a run that needs privileges to get ready (another user, a
 * lower niceness) receives its spec first. Nothing of the engine's memory is
 * here.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "os/syscall.h"
#include "run/helper/helper.h"
#include "run/helper/process_spec.h"
#include "run/launch/child_setup.h"
#include "run/launch/same_file.h"
#include "sandbox/child/sandbox_plan.h"
#include "sandbox/plan/layer.h"
#include "sandbox/profile/profile.h"

static const char host_name[] = "writ";

struct sandbox_init {
	const struct w_sandbox_plan *sandbox_plan;
	const char *strings;
	int is_init; /* PID 1 of its namespace; else a subreaper */
};

/* Private, so later changes of the file have no effect. */
const struct w_sandbox_plan *
sandbox_plan_map(void)
{
	struct stat file;

	if (w_sys2(__NR_fstat, W_HELPER_SANDBOX_PLAN_FD, &file) < 0 ||
	    file.st_size <= 0)
		quit(125);
	long at = w_sys6(__NR_mmap, 0, file.st_size, PROT_READ, MAP_PRIVATE,
	    W_HELPER_SANDBOX_PLAN_FD, 0);
	if (at < 0 && at > -4096)
		quit(125);
	return (const struct w_sandbox_plan *)at;
}

static int
sandbox_init_has(const struct w_sandbox_plan *sandbox_plan, enum w_layer layer)
{
	return (sandbox_plan->layers & W_LAYER_BIT(layer)) != 0;
}

static long
enter_view(const struct w_sandbox_plan *sandbox_plan, int is_per_run,
    struct fault *out_fault)
{
	/* Shared by both phases: the second mounts what the first kept. */
	static int kept[W_MOUNT_SLOTS];

	out_fault->step = W_STEP_VIEW;
	return w_enter_mounts(W_SANDBOX_PLAN_AT(sandbox_plan, sandbox_plan->ops,
				  struct w_mount_op),
	    sandbox_plan->op_count,
	    W_SANDBOX_PLAN_AT(sandbox_plan, sandbox_plan->strings, char),
	    is_per_run, kept, &out_fault->detail);
}

long
sandbox_plan_enter(
    const struct w_sandbox_plan *sandbox_plan, struct fault *out_fault)
{
	long ret = 0;

	/* A second barrier behind the filter, where the container has this
	 * file. Without a user namespace of our own it would be the host's
	 * limit. */
	if (sandbox_init_has(sandbox_plan, W_LAYER_USERNS) &&
	    sandbox_init_has(sandbox_plan, W_LAYER_NO_NEW_PRIVS))
		(void)w_enter_write("/proc/sys/user/max_user_namespaces", "0");
	if (sandbox_init_has(sandbox_plan, W_LAYER_UTSNS)) {
		out_fault->step = W_STEP_HOSTNAME;
		ret =
		    w_sys2(__NR_sethostname, host_name, sizeof(host_name) - 1);
	}
	if (ret == 0 && sandbox_init_has(sandbox_plan, W_LAYER_MOUNTNS))
		ret = enter_view(sandbox_plan, 0, out_fault);
	/* Done here, a fork server pays for it once. What a sandbox init still
	 * needs is in its permitted set, and the next exec is the command's. */
	if (ret == 0 && sandbox_init_has(sandbox_plan, W_LAYER_CAPABILITIES)) {
		out_fault->step = W_STEP_PRIVILEGES;
		ret = w_enter_no_bounds();
	}
	return ret;
}

static const char *
text(const struct w_process_spec *spec, uint64_t at)
{
	return (const char *)spec + at;
}

/* For the engine, which watches how full it is. */
static void
show_tmp(const struct w_process_spec *spec)
{
	const struct w_helper_event message = {.kind = W_HELPER_EVENT_TMP};

	if (!spec->wants_tmp)
		return;
	int fd = (int)w_sys4(
	    __NR_openat, AT_FDCWD, "/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	(void)send_fds(W_HELPER_SOCKET_FD, &message, sizeof(message), &fd, 1);
	(void)w_sys1(__NR_close, fd);
}

/* Receives the spec and applies it, except for the user. */
static long
apply_spec(struct received *out_received, struct fault *out_fault)
{
	out_fault->step = W_STEP_STDIO;
	long ret = process_spec_receive(out_received);
	if (ret < 0)
		return ret;
	const struct w_process_spec *spec = out_received->spec;
	const struct w_enter_file cwd = {
	    text(spec, spec->cwd), spec->cwd_dev, spec->cwd_ino};
	out_fault->step = W_STEP_LIMIT_GROUP;
	ret = w_child_join_groups(
	    out_received->groups, out_received->group_count);
	if (ret < 0)
		return ret;
	show_tmp(spec);
	out_fault->step = W_STEP_TERMINAL;
	ret = take_session((int)spec->has_terminal);
	if (ret < 0)
		return ret;
	out_fault->step = W_STEP_CWD;
	ret = out_received->cwd >= 0 ? w_sys1(__NR_fchdir, out_received->cwd)
				     : w_enter_directory(&cwd);
	if (ret < 0)
		return ret;
	out_fault->step = W_STEP_NICE;
	ret = w_child_set_nice(spec->nice);
	if (ret < 0)
		return ret;
	if (spec->umask >= 0)
		(void)w_sys1(__NR_umask, spec->umask);
	out_fault->step = W_STEP_LIMITS;
	return w_child_set_limits(spec->limits, spec->limit_count);
}

static long
change_user(const struct w_sandbox_plan *sandbox_plan,
    const struct w_process_spec *spec)
{
	static struct identity identity;
	const uint32_t *groups =
	    (const uint32_t *)(const void *)text(spec, spec->groups);

	if (!spec->has_identity)
		return 0;
	identity.is_set = 1;
	identity.uid = spec->uid;
	identity.gid = spec->gid;
	for (uint32_t i = 0; i < spec->group_count && i < HELPER_GROUPS_MAX;
	     i++)
		identity.groups[identity.group_count++] = groups[i];
	if (sandbox_plan->has_home)
		/* In a session it lies where other runs write. */
		(void)w_sys5(__NR_fchownat, AT_FDCWD, W_SANDBOX_PLAN_HOME,
		    identity.uid, identity.gid, AT_SYMLINK_NOFOLLOW);
	/* Programs open their terminal by its name. */
	if (spec->has_terminal)
		(void)w_sys3(__NR_fchown, 0, identity.uid, -1);
	return take_identity(&identity);
}

/* The Landlock rules are made before the user changes: the new user may be
 * unable to open all paths that are granted. spec: NULL while it is not
 * known. */
static long
apply_restrictions(const struct sandbox_init *sandbox_init,
    const struct w_process_spec *spec, struct fault *out_fault)
{
	const struct w_sandbox_plan *sandbox_plan = sandbox_init->sandbox_plan;
	long ruleset = -1, ret = 0;

	if (sandbox_init_has(sandbox_plan, W_LAYER_LANDLOCK)) {
		out_fault->step = W_STEP_RULES;
		ruleset = w_enter_landlock_make(&sandbox_plan->scope,
		    W_SANDBOX_PLAN_AT(sandbox_plan, sandbox_plan->rules,
			struct w_landlock_rule),
		    sandbox_plan->rule_count, sandbox_init->strings,
		    &out_fault->detail);
		if (ruleset < 0)
			return ruleset;
	}
	out_fault->step = W_STEP_KEYRING;
	if (sandbox_init_has(sandbox_plan, W_LAYER_KEYRING))
		ret = w_enter_keyring();
	if (ret < 0)
		return ret;
	out_fault->step = W_STEP_IDENTITY;
	ret = spec == NULL ? 0 : change_user(sandbox_plan, spec);
	if (ret < 0)
		return ret;
	/* After setresuid(), which clears it. */
	if (!sandbox_init->is_init)
		(void)w_sys5(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	out_fault->step = W_STEP_PRIVILEGES;
	/* The ambient capabilities were for building the sandbox. */
	ret = sandbox_init_has(sandbox_plan, W_LAYER_CAPABILITIES)
		  ? w_enter_no_privileges()
		  : w_sys5(__NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL,
			0, 0, 0);
	if (ret < 0)
		return ret;
	out_fault->step = W_STEP_LANDLOCK;
	ret = ruleset < 0 ? 0 : w_enter_landlock((int)ruleset);
	if (ruleset >= 0)
		(void)w_sys1(__NR_close, ruleset);
	return ret;
}

/* From here on the filter applies to us, too. */
static long
load_filter(const struct sandbox_init *sandbox_init, struct fault *out_fault)
{
	const struct w_sandbox_plan *sandbox_plan = sandbox_init->sandbox_plan;
	const struct w_helper_event message = {.kind = W_HELPER_EVENT_LISTENER};

	if (!sandbox_init_has(sandbox_plan, W_LAYER_SECCOMP))
		return 0;
	out_fault->step = W_STEP_SECCOMP;
	long ret =
	    w_enter_seccomp(W_SANDBOX_PLAN_AT(sandbox_plan,
				sandbox_plan->filter, struct sock_filter),
		sandbox_plan->filter_count, (int)sandbox_plan->notifies);
	if (ret < 0 || !sandbox_plan->notifies)
		return ret;

	int listener = (int)ret;
	ret = send_fds(
	    W_HELPER_SOCKET_FD, &message, sizeof(message), &listener, 1);
	(void)w_sys1(__NR_close, listener);
	return ret < 0 ? ret : 0;
}

static long
execute(const struct w_process_spec *spec, int program, uint64_t pass)
{
	const uint64_t *argv =
	    (const uint64_t *)(const void *)text(spec, spec->argv);
	const uint64_t *envp =
	    (const uint64_t *)(const void *)text(spec, spec->envp);

	const char *path = text(spec, spec->program);

	/* AT_EMPTY_PATH does nothing for a path, but an explaining filter lets
	 * a call with it pass while the engine does not listen yet; a judging
	 * one needs the pass. */
	if (spec->is_script)
		return w_sys6(__NR_execveat, AT_FDCWD, (long)path, (long)argv,
		    (long)envp, AT_EMPTY_PATH, (long)pass);
	return w_sys6(__NR_execveat, program, (long)"", (long)argv, (long)envp,
	    AT_EMPTY_PATH, (long)pass);
}

/* Runs as the user of the command. */
static long
open_program(const struct received *received, struct fault *out_fault)
{
	/* NOLINTNEXTLINE(clang-analyzer-*): both callers have received it */
	const struct w_process_spec *spec = received->spec;
	const struct w_enter_file file = {
	    text(spec, spec->program), spec->program_dev, spec->program_ino};

	out_fault->step = W_STEP_PROGRAM;
	if (received->program < 0)
		return w_enter_program(&file);
	long ret =
	    spec->is_script ? w_same_file(received->program, file.path) : 0;
	return ret < 0 ? ret : received->program;
}

/* Restricts itself first, then receives the spec. */
static long
restrict_self_early(const struct sandbox_init *sandbox_init,
    struct received *out_received, struct fault *out_fault)
{
	long ret = apply_restrictions(sandbox_init, NULL, out_fault);

	if (ret == 0)
		ret = load_filter(sandbox_init, out_fault);
	if (ret == 0)
		ret = apply_spec(out_received, out_fault);
	return ret < 0 ? ret : open_program(out_received, out_fault);
}

/* Keeps its privileges until the spec is applied. */
static long
restrict_self_late(const struct sandbox_init *sandbox_init,
    struct received *out_received, struct fault *out_fault)
{
	long ret = apply_spec(out_received, out_fault);

	if (ret >= 0)
		ret = apply_restrictions(
		    sandbox_init, out_received->spec, out_fault);
	if (ret < 0)
		return ret;
	long program = open_program(out_received, out_fault);
	if (program < 0)
		return program;
	ret = load_filter(sandbox_init, out_fault);
	return ret < 0 ? ret : program;
}

static long
restrict_self(const void *what, struct fault *out_fault)
{
	const struct sandbox_init *sandbox_init = what;
	struct received received;

	long program =
	    sandbox_init->sandbox_plan->is_late
		? restrict_self_late(sandbox_init, &received, out_fault)
		: restrict_self_early(sandbox_init, &received, out_fault);
	if (program < 0)
		return program;
	close_rest();
	out_fault->step = W_STEP_EXEC;
	unblock_signals();
	return execute(
	    received.spec, (int)program, sandbox_init->sandbox_plan->exec_pass);
}

static long
enter_rest(const struct sandbox_init *sandbox_init, struct fault *out_fault)
{
	const struct w_sandbox_plan *sandbox_plan = sandbox_init->sandbox_plan;

	long ret = sandbox_init_has(sandbox_plan, W_LAYER_MOUNTNS)
		       ? enter_view(sandbox_plan, 1, out_fault)
		       : 0;
	if (ret == 0 && sandbox_init_has(sandbox_plan, W_LAYER_NETNS) &&
	    (sandbox_plan->network == W_NETWORK_LOOPBACK ||
		sandbox_plan->network == W_NETWORK_HOSTS) &&
	    (sandbox_plan->joins & W_JOINS_NETWORK) == 0) {
		out_fault->step = W_STEP_NETWORK;
		ret = w_enter_loopback();
	}
	if (ret == 0 && !sandbox_init->is_init) {
		out_fault->step = W_STEP_PROCESS;
		ret = w_sys5(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	}
	return ret;
}

_Noreturn void
sandbox_init(const struct w_sandbox_plan *sandbox_plan, int has_terminal)
{
	static struct sandbox_init self;
	struct fault fault = {.step = W_STEP_VIEW};

	self.sandbox_plan = sandbox_plan;
	self.strings =
	    W_SANDBOX_PLAN_AT(sandbox_plan, sandbox_plan->strings, char);
	self.is_init = (sandbox_plan->namespaces & CLONE_NEWPID) != 0;
	long ret = enter_rest(&self, &fault);
	if (ret >= 0 && has_terminal) {
		/* Before the command's process exists, which inherits it. */
		fault.step = W_STEP_TERMINAL;
		ret = terminal_make();
	}
	if (ret < 0) {
		report_failed(&fault, ret);
		quit(127);
	}
	const struct supervision supervision = {
	    .role = self.is_init ? W_ROLE_INIT : W_ROLE_SUBREAPER,
	    .may_keep = (int)sandbox_plan->may_keep,
	    .group_name = "",
	    .become = restrict_self,
	    .what = &self,
	    .keeps_privileges = (int)sandbox_plan->is_late,
	    .has_terminal = has_terminal,
	};
	supervise(&supervision);
}
