/* SPDX-License-Identifier: Apache-2.0 */

/* What the relay gives up before it reads the first byte. */

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/socket.h>

#include "os/syscall.h"
#include "run/relay/relay.h"
#include "sandbox/child/enter.h"
#include "sandbox/landlock/landlock_abi.h"

enum {
	FILTER_MAX = 64
};

#define STMT(code, k) ((struct sock_filter)BPF_STMT((code), (k)))
#define JUMP(code, k, yes, no)         \
	((struct sock_filter)BPF_JUMP( \
	    (code), (k), (uint8_t)(yes), (uint8_t)(no)))

/* No file at all, and nobody to signal. Ports stay: which are allowed is said
 * by name, by the engine. A kernel without Landlock has the filter. */
static long
leave_files(void)
{
	static const uint64_t rights[] = {
	    [1] = (W_LANDLOCK_MAKE_SYM << 1) - 1,
	    [W_LANDLOCK_ABI_REFER] = (W_LANDLOCK_REFER << 1) - 1,
	    [W_LANDLOCK_ABI_TRUNCATE] = (W_LANDLOCK_TRUNCATE << 1) - 1,
	    [W_LANDLOCK_ABI_NET] = (W_LANDLOCK_TRUNCATE << 1) - 1,
	    [W_LANDLOCK_ABI_IOCTL_DEV] = (W_LANDLOCK_IOCTL_DEV << 1) - 1,
	};
	const size_t newest = sizeof(rights) / sizeof(*rights) - 1;
	uint32_t failed = 0;

	const long abi = w_sys3(
	    __NR_landlock_create_ruleset, NULL, 0, W_LANDLOCK_CREATE_VERSION);
	if (abi < 1)
		return 0;
	const struct w_landlock_scope scope = {
	    .fs = rights[(size_t)abi > newest ? newest : (size_t)abi],
	    .net = abi >= W_LANDLOCK_ABI_NET ? W_LANDLOCK_BIND_TCP : 0,
	    .scoped =
		abi >= W_LANDLOCK_ABI_SCOPES
		    ? W_LANDLOCK_SCOPE_ABSTRACT_UNIX | W_LANDLOCK_SCOPE_SIGNAL
		    : 0,
	};
	const long fd = w_enter_landlock_make(&scope, NULL, 0, "", &failed);
	if (fd < 0)
		return fd;
	const long ret = w_enter_landlock((int)fd);
	(void)w_sys1(__NR_close, fd);
	return ret;
}

/* socket() makes only those of the internet, and fcntl() sets only the size of
 * a pipe. */
static size_t
filter_arguments(struct sock_filter *filter, size_t len)
{
	const uint32_t domain = offsetof(struct seccomp_data, args[0]);
	const uint32_t command = offsetof(struct seccomp_data, args[1]);

	filter[len++] = JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fcntl, 0, 3);
	filter[len++] = STMT(BPF_LD | BPF_W | BPF_ABS, command);
	filter[len++] = JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETPIPE_SZ, 0, 1);
	filter[len++] = STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[len++] =
	    STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));

	filter[len++] = JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 4);
	filter[len++] = STMT(BPF_LD | BPF_W | BPF_ABS, domain);
	filter[len++] = JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 1, 0);
	filter[len++] = JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1);
	filter[len++] = STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return len;
}

long
relay_lock_up(void)
{
	static const uint16_t allowed[] = {__NR_epoll_pwait, __NR_splice,
	    __NR_recvfrom, __NR_sendto, __NR_read, __NR_accept4, __NR_connect,
	    __NR_getsockopt, __NR_setsockopt, __NR_getsockname, __NR_shutdown,
	    __NR_close, __NR_epoll_ctl, __NR_pipe2, __NR_recvmsg,
	    __NR_clock_gettime, __NR_getrandom, __NR_exit_group,
	    __NR_restart_syscall};
	const size_t count = sizeof(allowed) / sizeof(*allowed);
	struct sock_filter filter[FILTER_MAX];
	size_t len = 0;

#if defined(__x86_64__)
	const uint32_t arch = AUDIT_ARCH_X86_64;
#else
	const uint32_t arch = AUDIT_ARCH_AARCH64;
#endif
	filter[len++] =
	    STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	filter[len++] = JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0);
	filter[len++] = STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	filter[len++] =
	    STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < count; i++) {
		filter[len++] =
		    JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		filter[len++] = STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	len = filter_arguments(filter, len);
	filter[len++] = STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	long ret = w_enter_no_privileges();
	if (ret == 0)
		ret = leave_files();
	return ret < 0 ? ret : w_enter_seccomp(filter, len, 0);
}
