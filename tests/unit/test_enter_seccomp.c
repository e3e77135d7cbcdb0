/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "inside.h"
#include "os/syscall.h"
#include "sandbox/child/enter.h"
#include "sandbox/seccomp/seccomp_filter.h"

enum {
	NO_DESCRIPTOR = -1,
	FAMILY_VSOCK = 40,
	LATER_THAN_ANY = 470,
};

static const struct w_seccomp_kind readonly = {.denies_metadata = true};
static const struct w_seccomp_kind networked = {
    .has_unix_paths = true, .has_internet = true, .has_netlink = true};

/* Loads the filter of a kind into this process; exits on failure. */
static long
lock_in(const struct w_seccomp_kind *kind)
{
	static struct w_seccomp_filter filter;

	w_seccomp_build(kind, &filter);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		_exit(99);
	long ret = w_enter_seccomp(filter.code, filter.count, kind->explains);
	if (ret < 0)
		_exit(98);
	return ret;
}

static void
make_forbidden_calls(struct notes *notes, void *kind)
{
	long *saw = notes->saw;

	(void)lock_in(kind);
	*saw++ = w_sys4(__NR_ptrace, 0, 0, 0, 0);
	*saw++ = w_sys2(__NR_clone3, 0, 0);
	*saw++ = w_sys2(__NR_io_uring_setup, 1, 0);
	*saw++ = w_sys0(LATER_THAN_ANY);
	*saw++ = w_sys2(__NR_keyctl, 0, -3);
	*saw++ = w_sys5(__NR_mount, 0, "/", 0, 0, 0);
	*saw++ = w_sys3(__NR_open_tree, NO_DESCRIPTOR, "", 0);
	*saw++ = w_sys1(__NR_unshare, CLONE_NEWUSER);
	*saw++ = w_sys5(__NR_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
	*saw++ = w_sys1(__NR_personality, 0x0040000);
	*saw++ = w_sys3(__NR_bpf, 0, 0, 0);
	*saw++ = w_sys3(__NR_socket, FAMILY_VSOCK, SOCK_STREAM, 0);
	*saw++ = w_sys3(__NR_socket, AF_PACKET, SOCK_RAW, 0);
	*saw++ = w_sys3(__NR_ioctl, NO_DESCRIPTOR, TIOCSTI, 0);
	*saw++ =
	    w_sys3(__NR_ioctl, NO_DESCRIPTOR, (UINT64_C(1) << 32) | TIOCSTI, 0);
	*saw++ = w_sys3(__NR_ioctl, NO_DESCRIPTOR, TIOCLINUX, 0);
	*saw++ = w_sys3(__NR_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_NEW_LISTENER, 0);
}

static const long forbidden[] = {-EPERM, -ENOSYS, -ENOSYS, -ENOSYS, -EPERM,
    -EPERM, -EPERM, -EPERM, -EPERM, -EPERM, -EPERM, -EAFNOSUPPORT,
    -EAFNOSUPPORT, -EPERM, -EPERM, -EPERM, -EPERM};

static void
check_notes(const struct notes *notes, const long *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (notes->saw[i] != wanted[i])
			fail_msg("call %zu: %ld, should be %ld", i,
			    notes->saw[i], wanted[i]);
	}
}

static void
what_is_forbidden_fails_with_an_ordinary_error(void **state)
{
	struct w_seccomp_kind kinds[] = {readonly, networked};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct notes *notes = notes_open();
		assert_int_equal(
		    inside(make_forbidden_calls, notes, &kinds[i]), 0);
		check_notes(
		    notes, forbidden, sizeof(forbidden) / sizeof(*forbidden));
		notes_close(notes);
	}
}

static void
make_calls_of_a_kind(struct notes *notes, void *kind)
{
	long *saw = notes->saw;

	(void)lock_in(kind);
	*saw++ = w_sys4(__NR_fchmodat, NO_DESCRIPTOR, "none", 0600, 0);
	*saw++ = w_sys2(__NR_fchmod, NO_DESCRIPTOR, 0600);
	*saw++ = w_sys4(__NR_utimensat, NO_DESCRIPTOR, "none", 0, 0);
	*saw++ = w_sys2(__NR_fremovexattr, NO_DESCRIPTOR, "user.none");
	*saw++ = w_sys3(__NR_ioctl, NO_DESCRIPTOR, 0x40086602, 0);
	*saw++ = w_sys3(__NR_ioctl, NO_DESCRIPTOR, 0x80086601, 0);
	*saw++ = w_sys3(__NR_shmat, NO_DESCRIPTOR, 0, 0);
	*saw++ = w_sys4(__NR_prlimit64, getppid(), 99, "", 0);
	for (int family = 0; family < 3; family++) {
		static const int families[] = {AF_UNIX, AF_INET, AF_NETLINK};
		long fd = w_sys3(__NR_socket, families[family], SOCK_DGRAM, 0);
		*saw++ = fd < 0 ? fd : 0;
	}
}

static void
readonly_denies_what_no_mount_guards(void **state)
{
	static const long wanted[] = {-EPERM, -EPERM, -EPERM, -EPERM, -EPERM,
	    -EBADF, -EPERM, -EPERM, -EAFNOSUPPORT, -EAFNOSUPPORT,
	    -EAFNOSUPPORT};
	struct w_seccomp_kind kind = readonly;
	struct notes *notes = notes_open();

	(void)state;
	assert_int_equal(inside(make_calls_of_a_kind, notes, &kind), 0);
	check_notes(notes, wanted, sizeof(wanted) / sizeof(*wanted));
	notes_close(notes);
}

static void
other_kinds_leave_files_and_the_network_to_other_walls(void **state)
{
	static const long wanted[] = {-EBADF, -EBADF, -EBADF, -EBADF, -EBADF,
	    -EBADF, -EINVAL, -EINVAL, 0, 0, 0};
	struct w_seccomp_kind kind = networked;
	struct notes *notes = notes_open();

	(void)state;
	assert_int_equal(inside(make_calls_of_a_kind, notes, &kind), 0);
	check_notes(notes, wanted, sizeof(wanted) / sizeof(*wanted));
	notes_close(notes);
}

static void *
in_thread(void *arg)
{
	*(long *)arg = 0;
	return NULL;
}

static void
make_ordinary_calls(struct notes *notes, void *kind)
{
	pthread_t thread;
	int pair[2];

	(void)lock_in(kind);
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	notes->saw[0] = waitpid(pid, NULL, 0) == pid ? 0 : -errno;
	if (pthread_create(&thread, NULL, in_thread, &notes->saw[1]) == 0)
		(void)pthread_join(thread, NULL);
	notes->saw[2] = socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	notes->saw[3] = memfd_create("x", 0) < 0 ? -errno : 0;
	notes->saw[4] = prctl(PR_SET_NAME, "x", 0, 0, 0);
	notes->saw[5] = w_sys1(__NR_personality, 0xffffffff) < 0;
	notes->saw[6] = w_sys4(__NR_prlimit64, 1, 0, 0, pair);
	execl("/bin/true", "true", NULL);
	_exit(97);
}

static void
ordinary_programs_notice_nothing(void **state)
{
	static const long wanted[] = {0, 0, 0, 0, 0, 0};
	struct w_seccomp_kind kinds[] = {readonly, networked};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct notes *notes = notes_open();
		assert_int_equal(
		    inside(make_ordinary_calls, notes, &kinds[i]), 0);
		check_notes(notes, wanted, sizeof(wanted) / sizeof(*wanted));
		/* Querying changes nothing. */
		assert_true(notes->saw[6] != -EINVAL);
		notes_close(notes);
	}
}

#if defined(__x86_64__)
static void
use_the_old_gate(struct notes *notes, void *kind)
{
	long ret = 20; /* getpid of 32-bit programs */

	(void)lock_in(kind);
	__asm__ volatile("int $0x80" : "+a"(ret) : : "memory");
	notes->saw[0] = ret;
}

static void
use_the_other_numbers(struct notes *notes, void *kind)
{
	(void)lock_in(kind);
	notes->saw[0] = w_sys0(0x40000000 + __NR_getpid);
}

static void
calls_of_another_machine_end_the_process(void **state)
{
	struct w_seccomp_kind kind = networked;
	struct notes *notes = notes_open();

	(void)state;
	int status = inside(use_the_old_gate, notes, &kind);
	/* A kernel without 32-bit support ends it too, in its own way. */
	assert_true(WIFSIGNALED(status));
	assert_true(WTERMSIG(status) == SIGSYS || WTERMSIG(status) == SIGSEGV);
	status = inside(use_the_other_numbers, notes, &kind);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
	assert_int_equal(notes->saw[0], -9999);
	notes_close(notes);
}
#endif

static void
call_with_a_listener(struct notes *notes, void *pipe_end)
{
	struct w_seccomp_kind kind = networked;

	kind.explains = true;
	long fd = lock_in(&kind);
	if (write(*(int *)pipe_end, &fd, sizeof(fd)) != sizeof(fd))
		_exit(96);
	notes->saw[0] = w_sys3(__NR_mkdirat, NO_DESCRIPTOR, "none", 0700);
	notes->saw[1] = w_sys5(__NR_mount, 0, "/", 0, 0, 0);
	notes->saw[2] = w_sys2(__NR_clone3, 0, 0);
	/* The start of a command passes without a question to the listener. */
	notes->saw[3] =
	    w_sys5(__NR_execveat, NO_DESCRIPTOR, "", 0, 0, AT_EMPTY_PATH);
}

/* Answers one call with the result of the filter without a listener. */
static int
answer(int listener)
{
	static struct w_seccomp_filter plain;
	struct seccomp_notif asked;
	struct seccomp_notif_resp reply = {0};

	memset(&asked, 0, sizeof(asked));
	w_seccomp_build(&networked, &plain);
	assert_int_equal(ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked), 0);
	uint32_t action = w_seccomp_evaluate(&plain, &asked.data);
	reply.id = asked.id;
	if (action == SECCOMP_RET_ALLOW)
		reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	else
		reply.error = -(int)(action & SECCOMP_RET_DATA);
	assert_int_equal(ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply), 0);
	return asked.data.nr;
}

static void
a_listener_is_asked_and_its_answer_counts(void **state)
{
	struct notes *notes = notes_open();
	int ends[2];
	long there = -1;
	int status;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		call_with_a_listener(notes, &ends[1]);
		_exit(0);
	}
	assert_int_equal(read(ends[0], &there, sizeof(there)), sizeof(there));
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	assert_true(pidfd >= 0);
	int listener = (int)syscall(SYS_pidfd_getfd, pidfd, there, 0);
	assert_true(listener >= 0);
	assert_int_equal(answer(listener), __NR_mkdirat);
	assert_int_equal(answer(listener), __NR_mount);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(notes->saw[0], -EBADF);
	assert_int_equal(notes->saw[1], -EPERM);
	assert_int_equal(notes->saw[2], -ENOSYS);
	assert_int_equal(notes->saw[3], -EBADF);
	(void)close(listener);
	(void)close(pidfd);
	(void)close(ends[0]);
	(void)close(ends[1]);
	notes_close(notes);
}

static void
load_all_kinds(struct notes *notes, void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < 16; i++) {
		struct w_seccomp_kind kind = {
		    .has_unix_paths = (i & 1) != 0,
		    .has_internet = (i & 2) != 0,
		    .has_netlink = (i & 4) != 0,
		    .denies_metadata = (i & 8) != 0,
		};
		(void)lock_in(&kind);
		notes->saw[0] = i;
	}
}

static void
the_kernel_takes_every_kind_one_upon_the_other(void **state)
{
	struct notes *notes = notes_open();

	(void)state;
	assert_int_equal(inside(load_all_kinds, notes, NULL), 0);
	assert_int_equal(notes->saw[0], 15);
	notes_close(notes);
}

static void
load_nonsense(struct notes *notes, void *unused)
{
	static const struct sock_filter endless = {
	    .code = BPF_LD | BPF_W | BPF_ABS};

	(void)unused;
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	notes->saw[0] = w_enter_seccomp(&endless, 1, 0);
	notes->saw[1] = w_enter_seccomp(&endless, 1, 1);
}

static void
a_filter_that_the_kernel_refuses_is_an_error(void **state)
{
	struct notes *notes = notes_open();

	(void)state;
	assert_int_equal(inside(load_nonsense, notes, NULL), 0);
	assert_int_equal(notes->saw[0], -EINVAL);
	assert_int_equal(notes->saw[1], -EINVAL);
	notes_close(notes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    what_is_forbidden_fails_with_an_ordinary_error),
		cmocka_unit_test(readonly_denies_what_no_mount_guards),
		cmocka_unit_test(
		    other_kinds_leave_files_and_the_network_to_other_walls),
		cmocka_unit_test(ordinary_programs_notice_nothing),
#if defined(__x86_64__)
		cmocka_unit_test(calls_of_another_machine_end_the_process),
#endif
		cmocka_unit_test(a_listener_is_asked_and_its_answer_counts),
		cmocka_unit_test(
		    the_kernel_takes_every_kind_one_upon_the_other),
		cmocka_unit_test(a_filter_that_the_kernel_refuses_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
