/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The walls that the runs of a session share.
 *
 * The maker is cloned into their namespaces, sets them up, hands their
 * descriptors to the engine and exits: the descriptors alone keep them. So an
 * idle session has no process that could be killed or stopped, and when the
 * engine ends, however it does, the kernel frees all of it.
 *
 * Over HOME it puts a layer that takes what programs write to its directories
 * with a dot. The merged HOME is not mounted at its place but in the stage: the
 * view of a run takes from it what that run may see (home_grants.c). A run that
 * gets more than the session's walls has a maker of its own, which joins the
 * session and gives it a fresh layer.
 *
 * A fork server joins them after its exec, and makes a mount namespace of its
 * own there. No run can join: that takes capabilities in the session's user
 * namespace, and descriptors of its namespaces.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <sys/mman.h>

#include "os/syscall.h"
#include "run/helper/helper.h"
#include "run/helper/host_network.h"
#include "sandbox/child/sandbox_plan.h"

/* What is mounted on the machine later is seen in the session, and what is
 * unmounted is not kept busy; nothing goes the other way. */
static long
follow_machine(void)
{
	struct mount_attr attr = {.propagation = MS_SLAVE};

	return w_sys5(__NR_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &attr,
	    sizeof(attr));
}

static long
make_dirs(void)
{
	static const char *const paths[] = {
#define X(name, path) W_SHARED_WALLS_STAGE path,
	    W_SHARED_DIR_MAP(X)
#undef X
	};
	const long umask = w_sys1(__NR_umask, 0);
	long ret = w_sys3(
	    __NR_mkdirat, AT_FDCWD, W_SHARED_WALLS_STAGE W_SHARED_HOME, 0755);

	for (int i = 0; i < W_SHARED_DIR_COUNT && ret == 0; i++)
		ret = w_sys3(__NR_mkdirat, AT_FDCWD, paths[i], 01777);
	(void)w_sys1(__NR_umask, umask);
	return ret;
}

/*
 * Unsets itself first: only this bash is meant, not those that it starts. The
 * file is written when it ends, by its own words, whatever functions of their
 * names there are.
 */
static const char hook[] =
    "trap \"{ builtin pwd -P; builtin export -p; } 2>/dev/null "
    ">|'$WRIT_SHELL_STATE'\" EXIT\n"
    "unset BASH_ENV WRIT_SHELL_STATE\n";

static long
make_hook(void)
{
	long fd =
	    w_sys4(__NR_openat, AT_FDCWD, W_SHARED_WALLS_STAGE W_SHARED_HOOK,
		O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);
	if (fd < 0)
		return fd;
	long ret = w_sys3(__NR_write, fd, hook, sizeof(hook) - 1);
	(void)w_sys1(__NR_close, fd);
	return ret < 0 ? ret : 0;
}

/* A tmpfs with these options; or, on disk, the directory of that name. */
static long
mount_stage(const char *text, int is_on_disk)
{
	return is_on_disk ? w_sys5(__NR_mount, text, W_SHARED_WALLS_STAGE, NULL,
				MS_BIND, NULL)
			  : w_sys5(__NR_mount, "tmpfs", W_SHARED_WALLS_STAGE,
				"tmpfs", MS_NOSUID | MS_NODEV, text);
}

/* The user namespace first: the others belong to it. */
static long
join_all(uint32_t joins)
{
	long ret = 0;

	if ((joins & W_JOINS_USER) != 0)
		ret = w_sys2(__NR_setns, W_HELPER_USER_NS_FD, CLONE_NEWUSER);
	if (ret == 0 && (joins & W_JOINS_NETWORK) != 0)
		ret = w_sys2(__NR_setns, W_HELPER_NET_NS_FD, CLONE_NEWNET);
	if (ret == 0 && (joins & W_JOINS_MOUNT) != 0)
		ret = w_sys2(__NR_setns, W_HELPER_MOUNT_NS_FD, CLONE_NEWNS);
	return ret;
}

static int
maker_has(const char *letters, char letter)
{
	while (*letters != '\0' && *letters != letter)
		letters++;
	return *letters == letter;
}

static long
open_dir(const char *path)
{
	return w_sys4(__NR_openat, AT_FDCWD, path,
	    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
}

/* Mounts a directory of the layer. */
static long
bind_upper(int layer)
{
	long tree = w_sys3(__NR_open_tree, layer, "upper",
	    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW);

	if (tree < 0)
		return tree;
	long ret = w_sys5(__NR_move_mount, tree, "", AT_FDCWD,
	    W_SHARED_WALLS_STAGE W_SHARED_HOME, MOVE_MOUNT_F_EMPTY_PATH);
	(void)w_sys1(__NR_close, tree);
	return ret;
}

/* The places of a layer, opened before the stage covers one of them. */
struct maker_layer {
	long home;
	long layer;
};

/* Where no overlay can be mounted, the layer without HOME beneath it takes its
 * place: empty caches. *out_refused is the errno then. A session can be without
 * both. */
static void
mount_layer(const struct maker_layer *places, uint32_t *out_refused)
{
	long ret = places->home < 0 ? places->home : places->layer;

	if (ret >= 0)
		ret = w_enter_overlay((int)places->home, (int)places->layer,
		    W_SHARED_WALLS_STAGE W_SHARED_HOME);
	if (ret < 0 && places->layer >= 0)
		(void)bind_upper((int)places->layer);
	*out_refused = (uint32_t)-ret;
}

static const struct w_session_order *
session_order(void)
{
	long at = w_sys6(__NR_mmap, 0, sizeof(struct w_session_order),
	    PROT_READ, MAP_PRIVATE, W_HELPER_SANDBOX_PLAN_FD, 0);

	if (at < 0 && at > -4096)
		quit(125);
	return (const struct w_session_order *)at;
}

static struct maker_layer
open_layer(void)
{
	const struct w_session_order *order = session_order();

	return (struct maker_layer){
	    .home = open_dir(order->home),
	    .layer = open_dir(order->layer),
	};
}

static long
set_up(const char *text, const char *letters, uint32_t *out_refused,
    struct host_sockets *out_sockets, struct fault *out_fault)
{
	struct maker_layer places = {-1, -1};

	out_fault->step = W_STEP_VIEW;
	long ret = follow_machine();
	if (maker_has(letters, 'h'))
		places = open_layer();
	if (ret == 0)
		ret = mount_stage(text, maker_has(letters, 'd'));
	if (ret == 0)
		ret = make_dirs();
	if (ret == 0)
		ret = make_hook();
	if (ret == 0 && maker_has(letters, 'h'))
		mount_layer(&places, out_refused);
	if (ret == 0 && maker_has(letters, 'n')) {
		out_fault->step = W_STEP_NETWORK;
		ret = w_enter_loopback();
	}
	if (ret == 0 && maker_has(letters, 'r'))
		ret = host_network_set_up(&session_order()->ports, out_sockets);
	return ret;
}

/* The same walls, but for a layer of its own. */
static long
set_up_fresh(uint32_t joins, uint32_t *out_refused, struct fault *out_fault)
{
	enum {
		DETACH = 2 /* MNT_DETACH, which only libc's header has */
	};

	out_fault->step = W_STEP_SHARED;
	long ret = join_all(joins);
	if (ret == 0)
		ret = w_sys1(__NR_unshare, CLONE_NEWNS);
	if (ret == 0)
		ret = w_sys5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	out_fault->step = W_STEP_VIEW;
	if (ret == 0)
		ret = w_sys2(
		    __NR_umount2, W_SHARED_WALLS_STAGE W_SHARED_HOME, DETACH);
	if (ret == 0) {
		const struct maker_layer places = open_layer();

		mount_layer(&places, out_refused);
	}
	return ret;
}

/* A session that reaches hosts from now on. What was started before keeps the
 * files that it sees. */
static long
set_up_hosts(
    uint32_t joins, struct host_sockets *out_sockets, struct fault *out_fault)
{
	out_fault->step = W_STEP_SHARED;
	long ret = join_all(joins | W_JOINS_NETWORK);
	if (ret == 0)
		ret = w_sys5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	out_fault->step = W_STEP_NETWORK;
	return ret == 0
		   ? host_network_set_up(&session_order()->ports, out_sockets)
		   : ret;
}

static long
open_all(int fds[W_SESSION_FDS])
{
	static const struct {
		const char *path;
		int flags;
	} files[W_SESSION_FDS] = {
	    [W_SESSION_FD_USER] = {"/proc/self/ns/user", 0},
	    [W_SESSION_FD_MOUNT] = {"/proc/self/ns/mnt", 0},
	    [W_SESSION_FD_NETWORK] = {"/proc/self/ns/net", 0},
	    [W_SESSION_FD_TMP] = {W_SHARED_WALLS_STAGE, O_PATH | O_DIRECTORY},
	};

	for (int i = 0; i < W_SESSION_FDS; i++) {
		long fd = w_sys4(__NR_openat, AT_FDCWD, files[i].path,
		    files[i].flags | O_CLOEXEC, 0);

		if (fd < 0)
			return fd;
		fds[i] = (int)fd;
	}
	return 0;
}

_Noreturn void
session_maker(const char *letters, const char *text)
{
	struct fault fault = {.step = W_STEP_VIEW};
	struct host_sockets sockets = {.count = 0};
	int fds[W_SESSION_FDS];
	uint32_t refused = 0;
	const uint32_t joins =
	    W_JOINS_MOUNT | (maker_has(letters, 'u') ? W_JOINS_USER : 0);
	long ret;

	if (maker_has(letters, 'f'))
		ret = set_up_fresh(joins, &refused, &fault);
	else if (maker_has(letters, 'j'))
		ret = set_up_hosts(joins, &sockets, &fault);
	else
		ret = set_up(text, letters, &refused, &sockets, &fault);
	if (ret == 0)
		ret = open_all(fds);
	const struct w_helper_event answer = {
	    .kind = ret == 0 ? W_HELPER_EVENT_SESSION : W_HELPER_EVENT_FAILED,
	    .step = (int32_t)fault.step,
	    .sys_errno = (int32_t)-ret,
	    .detail = refused,
	};
	(void)send_fds(W_HELPER_SOCKET_FD, &answer, sizeof(answer), fds,
	    ret == 0 ? W_SESSION_FDS : 0);
	if (ret == 0 && sockets.count > 0) {
		const struct w_helper_event hosts = {
		    .kind = W_HELPER_EVENT_HOSTS,
		    .detail = sockets.is_redirected,
		};

		(void)send_fds(W_HELPER_SOCKET_FD, &hosts, sizeof(hosts),
		    sockets.fds, sockets.count);
	}
	quit(0);
}

long
session_join(const struct w_sandbox_plan *sandbox_plan, uint64_t namespaces,
    struct fault *out_fault)
{
	const int fds[] = {
	    W_HELPER_USER_NS_FD, W_HELPER_MOUNT_NS_FD, W_HELPER_NET_NS_FD};

	if (sandbox_plan->joins == 0)
		return 0;
	out_fault->step = W_STEP_SHARED;
	long ret = join_all(sandbox_plan->joins);
	/* Before any run exists, which would inherit them. */
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		(void)w_sys1(__NR_close, fds[i]);
	if (ret == 0)
		ret = w_sys1(__NR_unshare, (long)namespaces);
	if (ret == 0 && (sandbox_plan->joins & W_JOINS_USER) != 0)
		ret = w_enter_ambient((int)sandbox_plan->has_layer);
	/* New credentials may have made us dumpable again. */
	if (ret == 0)
		ret = w_sys5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
	return ret;
}
