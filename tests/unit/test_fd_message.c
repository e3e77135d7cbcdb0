/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "leftovers.h"
#include "os/fd_message.h"
#include "os/file.h"

static int ours, theirs;
static int fds_before;
static char text[8];
static int fds[W_FD_MESSAGE_MAX];
static struct w_fd_message message;

static int
set_up(void **state)
{
	(void)state;
	fds_before = count_fds();
	message = (struct w_fd_message){.bytes = text,
	    .len = sizeof(text),
	    .fds = fds,
	    .count = W_FD_MESSAGE_MAX};
	memset(text, 0, sizeof(text));
	return w_fd_pair(&ours, &theirs);
}

static int
tear_down(void **state)
{
	(void)state;
	(void)close(ours);
	(void)close(theirs);
	return count_fds() == fds_before ? 0 : -1;
}

static bool
is_same_file(int a, int b)
{
	struct stat one, other;

	assert_int_equal(fstat(a, &one), 0);
	assert_int_equal(fstat(b, &other), 0);
	return one.st_ino == other.st_ino && one.st_dev == other.st_dev;
}

static void
send_copies(size_t count)
{
	int sent[W_FD_MESSAGE_MAX] = {0};
	char word[] = "word";
	const struct w_fd_message packet = {
	    .bytes = word, .len = sizeof(word), .fds = sent, .count = count};

	for (size_t i = 0; i < count; i++)
		sent[i] = ours;
	assert_int_equal(w_fd_message_send(ours, &packet), 0);
}

static void
close_received(void)
{
	for (size_t i = 0; i < message.count; i++)
		assert_int_equal(close(fds[i]), 0);
}

static void
bytes_and_descriptors_arrive_together(void **state)
{
	static const size_t counts[] = {0, 1, 2, 3, W_FD_MESSAGE_MAX};

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		send_copies(counts[i]);
		message.count = W_FD_MESSAGE_MAX;
		assert_int_equal(w_fd_message_receive(theirs, 0, &message), 5);
		assert_string_equal(text, "word");
		assert_int_equal(message.count, counts[i]);
		for (size_t j = 0; j < counts[i]; j++) {
			assert_true(is_same_file(fds[j], ours));
			assert_true(fcntl(fds[j], F_GETFD) & FD_CLOEXEC);
		}
		close_received();
	}
}

/* Descriptors that do not fit must not stay open unnoticed. */
static void
no_more_come_than_there_is_room_for(void **state)
{
	(void)state;
	message.count = 1;
	send_copies(3);
	assert_int_equal(w_fd_message_receive(theirs, 0, &message), 5);
	assert_int_equal(message.count, 1);
	close_received();
}

static void
an_empty_socket_is_an_error_only_without_waiting(void **state)
{
	(void)state;
	assert_int_equal(
	    w_fd_message_receive(theirs, MSG_DONTWAIT, &message), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(message.count, 0);
}

static void
the_end_of_the_other_side_is_no_message(void **state)
{
	(void)state;
	assert_int_equal(shutdown(ours, SHUT_RDWR), 0);
	assert_int_equal(w_fd_message_receive(theirs, 0, &message), 0);
	assert_int_equal(message.count, 0);
	message.len = 1;
	assert_int_equal(w_fd_message_send(theirs, &message), EPIPE);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(bytes_and_descriptors_arrive_together),
	    CASE(no_more_come_than_there_is_room_for),
	    CASE(an_empty_socket_is_an_error_only_without_waiting),
	    CASE(the_end_of_the_other_side_is_no_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
