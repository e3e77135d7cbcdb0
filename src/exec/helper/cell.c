/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A cell: the process that builds a sandbox around itself, starts the command
 * in it and stays as its parent.
 *
 *     realm_enter  host name, view           once for a realm, or here
 *     cell         /tmp, /proc, network      of this run
 *     confine      keyring, privileges, Landlock, seccomp; then the order is
 *                  taken: streams, directory, limits, exec
 *
 * The walls stand before it is known what is to run, so a cell can be made
 * ahead. Only a run that needs privileges to get ready (another user, a lower
 * niceness) has its order taken first. Nothing of the engine's memory is here.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "exec/helper/helper.h"
#include "exec/helper/order.h"
#include "exec/same_file.h"
#include "exec/settle.h"
#include "os/syscall.h"
#include "sandbox/enter/realm.h"
#include "sandbox/layer.h"
#include "sandbox/profile.h"

static const char host_name[] = "writ";

struct cell {
	const struct w_realm *realm;
	const char *strings;
	int is_init; /* PID 1 of its namespace; else a subreaper */
};

/* A private copy: later changes to the file do not matter. */
const struct w_realm *
realm_map(void)
{
	struct stat file;

	if (w_sys2(__NR_fstat, W_HELPER_REALM_FD, &file) < 0 ||
	    file.st_size <= 0)
		quit(125);
	long at = w_sys6(__NR_mmap, 0, file.st_size, PROT_READ, MAP_PRIVATE,
	    W_HELPER_REALM_FD, 0);
	if (at < 0 && at > -4096)
		quit(125);
	return (const struct w_realm *)at;
}

static int
has(const struct w_realm *realm, enum w_layer layer)
{
	return (realm->layers & W_LAYER_BIT(layer)) != 0;
}

static long
enter_view(const struct w_realm *realm, int is_per_run, struct fault *out_fault)
{
	/* Across both phases: what one keeps, the next may put. */
	static int kept[W_MOUNT_SLOTS];

	out_fault->step = W_STEP_VIEW;
	return w_enter_mounts(W_REALM_AT(realm, realm->ops, struct w_mount_op),
	    realm->op_count, W_REALM_AT(realm, realm->strings, char),
	    is_per_run, kept, &out_fault->detail);
}

/* Another wall behind the filter; not there in all containers. Without a user
 * namespace of our own it would be the machine's. */
static void
forbid_user_namespaces(const struct w_realm *realm)
{
	if (has(realm, W_LAYER_USERNS) && has(realm, W_LAYER_NO_NEW_PRIVS))
		(void)w_enter_write("/proc/sys/user/max_user_namespaces", "0");
}

long
realm_enter(const struct w_realm *realm, struct fault *out_fault)
{
	long ret = 0;

	forbid_user_namespaces(realm);
	if (has(realm, W_LAYER_UTSNS)) {
		out_fault->step = W_STEP_HOSTNAME;
		ret =
		    w_sys2(__NR_sethostname, host_name, sizeof(host_name) - 1);
	}
	if (ret == 0 && has(realm, W_LAYER_MOUNTNS))
		ret = enter_view(realm, 0, out_fault);
	/* Here it costs the runs of a spawner nothing: what a cell still needs
	 * is permitted already, and the next exec is the command's. */
	if (ret == 0 && has(realm, W_LAYER_CAPABILITIES)) {
		out_fault->step = W_STEP_PRIVILEGES;
		ret = w_enter_no_bounds();
	}
	return ret;
}

static const char *
text(const struct w_order *order, uint64_t at)
{
	return (const char *)order + at;
}

/* The engine looks at how full it is. */
static void
show_tmp(const struct w_order *order)
{
	const struct w_tell message = {.kind = W_TELL_TMP};

	if (!order->wants_tmp)
		return;
	int fd = (int)w_sys4(
	    __NR_openat, AT_FDCWD, "/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	(void)send_fds(W_HELPER_SOCKET_FD, &message, sizeof(message), &fd, 1);
	(void)w_sys1(__NR_close, fd);
}

static long
enter_cwd(const struct taken *taken)
{
	const struct w_order *order = taken->order;
	const struct w_enter_file cwd = {
	    text(order, order->cwd), order->cwd_dev, order->cwd_ino};

	return taken->cwd >= 0 ? w_sys1(__NR_fchdir, taken->cwd)
			       : w_enter_directory(&cwd);
}

/* Takes the order and becomes what it says, but for the user. */
static long
settle(struct taken *out_taken, struct fault *out_fault)
{
	out_fault->step = W_STEP_STDIO;
	long ret = order_take(out_taken);
	if (ret < 0)
		return ret;
	const struct w_order *order = out_taken->order;
	out_fault->step = W_STEP_LIMIT_GROUP;
	ret = w_settle_groups(out_taken->groups, out_taken->group_count);
	if (ret < 0)
		return ret;
	show_tmp(order);
	out_fault->step = W_STEP_TERMINAL;
	ret = take_session((int)order->has_terminal);
	if (ret < 0)
		return ret;
	out_fault->step = W_STEP_CWD;
	ret = enter_cwd(out_taken);
	if (ret < 0)
		return ret;
	out_fault->step = W_STEP_NICE;
	ret = w_settle_nice(order->nice);
	if (ret < 0)
		return ret;
	if (order->umask >= 0)
		(void)w_sys1(__NR_umask, order->umask);
	out_fault->step = W_STEP_LIMITS;
	return w_settle_limits(order->limits, order->limit_count);
}

static long
change_user(const struct w_realm *realm, const struct w_order *order)
{
	static struct identity identity;
	const uint32_t *groups =
	    (const uint32_t *)(const void *)text(order, order->groups);

	if (!order->has_identity)
		return 0;
	identity.is_set = 1;
	identity.uid = order->uid;
	identity.gid = order->gid;
	for (uint32_t i = 0; i < order->group_count && i < HELPER_GROUPS_MAX;
	     i++)
		identity.groups[identity.group_count++] = groups[i];
	if (realm->has_home)
		(void)w_sys5(__NR_fchownat, AT_FDCWD, W_REALM_HOME,
		    identity.uid, identity.gid, 0);
	/* Programs open their terminal by its name. */
	if (order->has_terminal)
		(void)w_sys3(__NR_fchown, 0, identity.uid, -1);
	return take_identity(&identity);
}

/* What brought us the capabilities to build this is not the command's. */
static long
drop_ambient(void)
{
	return w_sys5(
	    __NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

/* The rules are made before the user changes: that one may not be able to look
 * at all that is granted. order: NULL while it is not known. */
static long
raise_walls(const struct cell *cell, const struct w_order *order,
    struct fault *out_fault)
{
	const struct w_realm *realm = cell->realm;
	long ruleset = -1, ret = 0;

	if (has(realm, W_LAYER_LANDLOCK)) {
		out_fault->step = W_STEP_RULES;
		ruleset = w_enter_landlock_make(&realm->scope,
		    W_REALM_AT(realm, realm->rules, struct w_landlock_rule),
		    realm->rule_count, cell->strings, &out_fault->detail);
		if (ruleset < 0)
			return ruleset;
	}
	out_fault->step = W_STEP_KEYRING;
	if (has(realm, W_LAYER_KEYRING))
		ret = w_enter_keyring();
	if (ret < 0)
		return ret;
	out_fault->step = W_STEP_IDENTITY;
	ret = order == NULL ? 0 : change_user(realm, order);
	if (ret < 0)
		return ret;
	/* After the identity, whose change would clear it. */
	if (!cell->is_init)
		(void)w_sys5(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	out_fault->step = W_STEP_PRIVILEGES;
	ret = has(realm, W_LAYER_CAPABILITIES) ? w_enter_no_privileges()
					       : drop_ambient();
	if (ret < 0)
		return ret;
	out_fault->step = W_STEP_LANDLOCK;
	ret = ruleset < 0 ? 0 : w_enter_landlock((int)ruleset);
	(void)w_sys1(__NR_close, ruleset);
	return ret;
}

/* From here on only what the filter lets through. */
static long
load_filter(const struct cell *cell, struct fault *out_fault)
{
	const struct w_realm *realm = cell->realm;
	const struct w_tell message = {.kind = W_TELL_LISTENER};

	if (!has(realm, W_LAYER_SECCOMP))
		return 0;
	out_fault->step = W_STEP_SECCOMP;
	long ret = w_enter_seccomp(
	    W_REALM_AT(realm, realm->filter, struct sock_filter),
	    realm->filter_count, (int)realm->explains);
	if (ret < 0 || !realm->explains)
		return ret;

	int listener = (int)ret;
	ret = send_fds(
	    W_HELPER_SOCKET_FD, &message, sizeof(message), &listener, 1);
	(void)w_sys1(__NR_close, listener);
	return ret < 0 ? ret : 0;
}

static long
execute(const struct w_order *order, int program)
{
	const uint64_t *argv =
	    (const uint64_t *)(const void *)text(order, order->argv);
	const uint64_t *envp =
	    (const uint64_t *)(const void *)text(order, order->envp);

	const char *path = text(order, order->program);

	/* The flag means nothing for a path; but a filter that explains lets
	 * such a call pass, while the engine does not listen yet. */
	if (order->is_script)
		return w_sys5(
		    __NR_execveat, AT_FDCWD, path, argv, envp, AT_EMPTY_PATH);
	return w_sys5(__NR_execveat, program, "", argv, envp, AT_EMPTY_PATH);
}

/* As the user that it runs as. */
static long
open_program(const struct taken *taken, struct fault *out_fault)
{
	const struct w_order *order = taken->order;
	const struct w_enter_file file = {text(order, order->program),
	    order->program_dev, order->program_ino};

	out_fault->step = W_STEP_PROGRAM;
	if (taken->program < 0)
		return w_enter_program(&file);
	long ret =
	    order->is_script ? w_same_file(taken->program, file.path) : 0;
	return ret < 0 ? ret : taken->program;
}

/* The walls first, the order then. */
static long
confine_early(
    const struct cell *cell, struct taken *out_taken, struct fault *out_fault)
{
	long ret = raise_walls(cell, NULL, out_fault);

	if (ret == 0)
		ret = load_filter(cell, out_fault);
	if (ret == 0)
		ret = settle(out_taken, out_fault);
	return ret < 0 ? ret : open_program(out_taken, out_fault);
}

/* With privileges until all is ready. */
static long
confine_late(
    const struct cell *cell, struct taken *out_taken, struct fault *out_fault)
{
	long ret = settle(out_taken, out_fault);

	if (ret >= 0)
		ret = raise_walls(cell, out_taken->order, out_fault);
	if (ret < 0)
		return ret;
	long program = open_program(out_taken, out_fault);
	if (program < 0)
		return program;
	ret = load_filter(cell, out_fault);
	return ret < 0 ? ret : program;
}

static long
confine(const void *what, struct fault *out_fault)
{
	const struct cell *cell = what;
	struct taken taken;

	long program = cell->realm->is_late
			   ? confine_late(cell, &taken, out_fault)
			   : confine_early(cell, &taken, out_fault);
	if (program < 0)
		return program;
	close_rest();
	out_fault->step = W_STEP_EXEC;
	unblock_signals();
	return execute(taken.order, (int)program);
}

static long
enter_network(const struct w_realm *realm, struct fault *out_fault)
{
	out_fault->step = W_STEP_NETWORK;
	return has(realm, W_LAYER_NETNS) && realm->network == W_NETWORK_LOOPBACK
		   ? w_enter_loopback()
		   : 0;
}

static long
enter_rest(const struct cell *cell, struct fault *out_fault)
{
	const struct w_realm *realm = cell->realm;

	long ret =
	    has(realm, W_LAYER_MOUNTNS) ? enter_view(realm, 1, out_fault) : 0;
	if (ret == 0)
		ret = enter_network(realm, out_fault);
	if (ret == 0 && !cell->is_init) {
		out_fault->step = W_STEP_PROCESS;
		ret = w_sys5(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	}
	return ret;
}

/* Before the command's process exists: it inherits the terminal. */
static long
enter_terminal(struct fault *out_fault)
{
	out_fault->step = W_STEP_TERMINAL;
	return terminal_make();
}

_Noreturn void
cell(const struct w_realm *realm, int has_terminal)
{
	static struct cell self;
	struct fault fault = {.step = W_STEP_VIEW};

	take_low_numbers();
	self.realm = realm;
	self.strings = W_REALM_AT(realm, realm->strings, char);
	self.is_init = (realm->namespaces & CLONE_NEWPID) != 0;
	long ret = enter_rest(&self, &fault);
	if (ret >= 0 && has_terminal)
		ret = enter_terminal(&fault);
	if (ret < 0) {
		report_failed(&fault, ret);
		quit(127);
	}
	const struct charge charge = {
	    .role = self.is_init ? W_ROLE_INIT : W_ROLE_KEEPER,
	    .may_keep = (int)realm->may_keep,
	    .group_name = "",
	    .become = confine,
	    .what = &self,
	    .keeps_privileges = (int)realm->is_late,
	    .has_terminal = has_terminal,
	};
	supervise(&charge);
}
