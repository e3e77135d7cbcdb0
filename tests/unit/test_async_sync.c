/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "os/async_sync.h"
#include "temp.h"

/* Waits for the result of the started sync. */
static int
wait_for(struct w_async_sync *sync)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	int error = -1;

	for (int i = 0; i < 10000; i++) {
		if (w_async_sync_finish(sync, &error))
			return error;
		(void)nanosleep(&nap, NULL);
	}
	return -1;
}

/* Starts a sync of the descriptor and waits for its result. */
static int
sync_once(struct w_async_sync *sync, int fd)
{
	int again;

	assert_int_equal(w_async_sync_start(sync, fd), 0);
	int error = wait_for(sync);
	assert_false(w_async_sync_finish(sync, &again));
	return error;
}

static int
make_file(const struct temp *temp)
{
	int fd = openat(
	    temp->fd, "file", O_RDWR | O_CREAT | O_CLOEXEC | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "some bytes", 10), 10);
	return fd;
}

static void
a_file_is_synced_again_and_again(void **state)
{
	struct temp temp;
	struct w_async_sync sync;

	(void)state;
	temp_open(&temp);
	int fd = make_file(&temp);
	w_async_sync_init(&sync);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(write(fd, "more", 4), 4);
		assert_int_equal(sync_once(&sync, fd), 0);
	}
	w_async_sync_done(&sync);
	(void)close(fd);
	temp_close(&temp);
}

static void
the_second_start_waits_for_the_first(void **state)
{
	struct temp temp;
	struct w_async_sync sync;
	int error;

	(void)state;
	temp_open(&temp);
	int fd = make_file(&temp);
	w_async_sync_init(&sync);
	assert_false(w_async_sync_finish(&sync, &error));
	assert_int_equal(w_async_sync_start(&sync, fd), 0);
	assert_int_equal(w_async_sync_start(&sync, fd), EBUSY);
	/* It is the file that is synced, not the number. */
	(void)close(fd);
	assert_int_equal(wait_for(&sync), 0);
	w_async_sync_done(&sync);
	temp_close(&temp);
}

static void
one_under_way_does_not_outlive_the_end(void **state)
{
	struct temp temp;
	struct w_async_sync sync;

	(void)state;
	temp_open(&temp);
	int fd = make_file(&temp);
	w_async_sync_init(&sync);
	assert_int_equal(w_async_sync_start(&sync, fd), 0);
	w_async_sync_done(&sync);
	assert_false(sync.is_busy);
	w_async_sync_done(&sync);
	(void)close(fd);
	temp_close(&temp);
}

static void
what_cannot_be_synced_says_so(void **state)
{
	struct w_async_sync sync;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	w_async_sync_init(&sync);
	assert_int_equal(sync_once(&sync, ends[1]), EINVAL);
	(void)close(ends[0]);
	(void)close(ends[1]);
	assert_int_equal(sync_once(&sync, ends[1]), EBADF);
	w_async_sync_done(&sync);
}

/* Makes one system call fail in this process from now on. */
static bool
refuse(unsigned nr, unsigned error)
{
	struct sock_filter filter[] = {
	    BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = 4, .filter = filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* In its own process: exit status 0 if two syncs work without that call. */
static int
sync_without(int fd, unsigned nr, unsigned error)
{
	struct w_async_sync sync;
	int result = -1;

	if (!refuse(nr, error))
		return 1;
	w_async_sync_init(&sync);
	for (int i = 0; i < 2; i++) {
		if (w_async_sync_start(&sync, fd) != 0)
			return 2;
		/* Made synchronously: there is nothing to wait for. */
		if (!w_async_sync_finish(&sync, &result) || result != 0 ||
		    w_async_sync_finish(&sync, &result))
			return 3;
	}
	w_async_sync_done(&sync);
	return 0;
}

static void
where_the_kernel_refuses_it_is_synced_at_once(void **state)
{
	static const struct {
		unsigned nr, error;
	} cases[] = {
	    {SYS_io_setup, ENOSYS},
	    {SYS_io_setup, EAGAIN},
	    {SYS_io_submit, EPERM},
	    {SYS_io_submit, EINVAL},
	};
	struct temp temp;

	(void)state;
	temp_open(&temp);
	int fd = make_file(&temp);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int status;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0)
			_exit(sync_without(fd, cases[i].nr, cases[i].error));
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	(void)close(fd);
	temp_close(&temp);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_file_is_synced_again_and_again),
	    cmocka_unit_test(the_second_start_waits_for_the_first),
	    cmocka_unit_test(one_under_way_does_not_outlive_the_end),
	    cmocka_unit_test(what_cannot_be_synced_says_so),
	    cmocka_unit_test(where_the_kernel_refuses_it_is_synced_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
