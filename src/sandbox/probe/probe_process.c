/* SPDX-License-Identifier: Apache-2.0 */

/* Probes what a process can do to itself. */

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/probe/probe_child.h"

/* If clone3 is blocked, value says whether clone works: it does everything
 * except starting a process in a cgroup. */
int
w_probe_clone3(struct w_probe_child *child)
{
	struct clone_args args = {.flags = 0};

	long pid = syscall(SYS_clone3, &args, CLONE_ARGS_SIZE_VER0);
	int error = pid < 0 ? w_probe_child_fail(child, "clone3") : 0;
	if (error == ENOSYS)
		pid = syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
	if (pid == 0)
		_exit(0);
	if (pid > 0 && waitpid((pid_t)pid, NULL, __WALL) == pid)
		child->value = 1;
	return error;
}

int
w_probe_no_new_privs(struct w_probe_child *child)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return w_probe_child_fail(child, "setting no_new_privs");
	errno = EINVAL;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		return w_probe_child_fail(child, "reading no_new_privs");
	return 0;
}

int
w_probe_capabilities(struct w_probe_child *child)
{
	struct __user_cap_header_struct header = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct caps[2] = {0};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return w_probe_child_fail(child, "setting no_new_privs");
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
		return w_probe_child_fail(
		    child, "clearing ambient capabilities");
	if (syscall(SYS_capset, &header, caps) < 0)
		return w_probe_child_fail(child, "giving up capabilities");
	caps[0].permitted = ~0U;
	if (syscall(SYS_capget, &header, caps) < 0)
		return w_probe_child_fail(child, "reading capabilities");
	errno = EPERM;
	if ((caps[0].permitted | caps[1].permitted) != 0)
		return w_probe_child_fail(child, "giving up capabilities");
	return 0;
}

int
w_probe_keyring(struct w_probe_child *child)
{
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0)
		return 0;
	/* No keyrings, or none can be made: nothing to protect. */
	child->value = errno;
	if (errno == ENOSYS || errno == EDQUOT)
		return 0;
	return w_probe_child_fail(child, "joining a new session keyring");
}

/* In a domain that grants nothing, listing the root directory must fail. */
int
w_probe_landlock(struct w_probe_child *child)
{
	const struct landlock_ruleset_attr attr = {
	    .handled_access_fs = LANDLOCK_ACCESS_FS_READ_DIR};

	child->value = syscall(SYS_landlock_create_ruleset, NULL, 0,
	    LANDLOCK_CREATE_RULESET_VERSION);
	if (child->value < 0)
		return w_probe_child_fail(child, "asking for the Landlock ABI");
	long fd = syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
	if (fd < 0)
		return w_probe_child_fail(child, "making a Landlock ruleset");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return w_probe_child_fail(child, "setting no_new_privs");
	if (syscall(SYS_landlock_restrict_self, fd, 0) < 0)
		return w_probe_child_fail(
		    child, "enforcing a Landlock ruleset");
	errno = ENOTSUP;
	if (open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) >= 0 ||
	    errno != EACCES)
		return w_probe_child_fail(child, "being refused by Landlock");
	return 0;
}

/* A filter that denies getppid(), which never fails otherwise. */
int
w_probe_seccomp(struct w_probe_child *child)
{
	struct sock_filter code[] = {
	    BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
	    .len = sizeof(code) / sizeof(code[0]), .filter = code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return w_probe_child_fail(child, "setting no_new_privs");
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
		return w_probe_child_fail(child, "loading a seccomp filter");
	errno = ENOTSUP;
	if (syscall(SYS_getppid) >= 0 || errno != EPERM)
		return w_probe_child_fail(child, "being refused by the filter");
	return 0;
}
