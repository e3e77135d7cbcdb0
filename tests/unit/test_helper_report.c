/* SPDX-License-Identifier: Apache-2.0 */

/* How a start went, as the other end of the socket reports it. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/helper/protocol.h"
#include "run/launch/helper_report.h"

static void
make_pair(int fds[2])
{
	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
}

static void
tell_failure(int fd, int error)
{
	struct w_helper_event told = {.kind = W_HELPER_EVENT_FAILED,
	    .step = W_STEP_EXEC,
	    .sys_errno = error,
	    .detail = 7};

	assert_int_equal(write(fd, &told, sizeof(told)), sizeof(told));
}

static void
an_end_without_words_is_a_success(void **state)
{
	struct w_helper_report report;
	int fds[2];

	(void)state;
	make_pair(fds);
	(void)close(fds[1]);
	assert_int_equal(w_helper_report_await(fds[0], &report), 0);
	(void)close(fds[0]);
}

static void
a_failure_is_told_with_its_details(void **state)
{
	struct w_helper_report report;
	int fds[2];

	(void)state;
	make_pair(fds);
	tell_failure(fds[1], ENOSYS);
	(void)close(fds[1]);
	assert_int_equal(w_helper_report_await(fds[0], &report), ENOSYS);
	assert_int_equal(report.step, W_STEP_EXEC);
	assert_int_equal(report.detail, 7);
	(void)close(fds[0]);
}

static void
a_failure_is_told_although_orders_were_left_unread(void **state)
{
	struct w_helper_report report;
	int fds[2];

	(void)state;
	make_pair(fds);
	assert_int_equal(write(fds[0], "orders", 6), 6);
	tell_failure(fds[1], ENOSYS);
	(void)close(fds[1]);
	assert_int_equal(w_helper_report_await(fds[0], &report), ENOSYS);
	(void)close(fds[0]);
}

static void
an_end_with_orders_unread_is_no_success(void **state)
{
	struct w_helper_report report;
	int fds[2];

	(void)state;
	make_pair(fds);
	assert_int_equal(write(fds[0], "orders", 6), 6);
	(void)close(fds[1]);
	assert_int_equal(w_helper_report_await(fds[0], &report), ENOTCONN);
	(void)close(fds[0]);
}

static void
anything_else_is_a_broken_protocol(void **state)
{
	struct w_helper_report report;
	int fds[2];

	(void)state;
	make_pair(fds);
	assert_int_equal(write(fds[1], "?", 1), 1);
	assert_int_equal(w_helper_report_await(fds[0], &report), EPROTO);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_end_without_words_is_a_success),
	    cmocka_unit_test(a_failure_is_told_with_its_details),
	    cmocka_unit_test(
		a_failure_is_told_although_orders_were_left_unread),
	    cmocka_unit_test(an_end_with_orders_unread_is_no_success),
	    cmocka_unit_test(anything_else_is_a_broken_protocol),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
