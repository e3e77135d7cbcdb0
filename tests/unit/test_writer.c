/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writing to a standard stream without waiting for its reader, for each kind of
 * file.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/output/writer.h"

#define TOTAL 300000 /* more than a pipe or a socket holds */

struct channel {
	int read_fd;
	int write_fd;
	struct w_writer writer;
	char *bytes;
	size_t read_len;
};

static void
open_channel(struct channel *channel, int is_socket)
{
	int fds[2];

	if (is_socket)
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	else
		assert_int_equal(pipe(fds), 0);
	*channel = (struct channel){.read_fd = fds[0], .write_fd = fds[1]};
	channel->bytes = malloc(TOTAL);
	assert_non_null(channel->bytes);
	for (size_t i = 0; i < TOTAL; i++)
		channel->bytes[i] = (char)(i * 7 + i / 251);
	w_writer_init(&channel->writer, channel->write_fd);
}

static void
close_channel(struct channel *channel)
{
	w_writer_done(&channel->writer);
	if (channel->read_fd >= 0)
		(void)close(channel->read_fd);
	(void)close(channel->write_fd);
	free(channel->bytes);
}

/* Reads what is there and compares it with what was written. */
static void
read_some(struct channel *channel)
{
	static char got[65536];
	ssize_t len = read(channel->read_fd, got, sizeof(got));

	assert_true(len > 0);
	assert_memory_equal(
	    got, channel->bytes + channel->read_len, (size_t)len);
	channel->read_len += (size_t)len;
}

static void
pass_everything(struct channel *channel)
{
	enum w_writer_state state =
	    w_writer_put(&channel->writer, channel->bytes, TOTAL);

	assert_int_equal(state, W_WRITER_WAITS);
	assert_true(w_writer_has_pending(&channel->writer));
	while (state == W_WRITER_WAITS) {
		read_some(channel);
		state = w_writer_flush(&channel->writer);
	}
	assert_int_equal(state, W_WRITER_EMPTY);
	assert_false(w_writer_has_pending(&channel->writer));
	while (channel->read_len < TOTAL)
		read_some(channel);
}

static void
a_full_pipe_keeps_the_rest_and_loses_nothing(void **state)
{
	struct channel channel;

	(void)state;
	open_channel(&channel, 0);
	pass_everything(&channel);
	assert_int_equal(channel.writer.mode, W_WRITER_REOPEN);
	close_channel(&channel);
}

static void
a_full_socket_keeps_the_rest_and_loses_nothing(void **state)
{
	struct channel channel;

	(void)state;
	open_channel(&channel, 1);
	pass_everything(&channel);
	assert_int_equal(channel.writer.mode, W_WRITER_SOCKET);
	close_channel(&channel);
}

static void
a_pipe_that_cannot_be_opened_again_is_written_in_small_pieces(void **state)
{
	struct channel channel;

	(void)state;
	open_channel(&channel, 0);
	channel.writer.mode = W_WRITER_CAREFUL;
	pass_everything(&channel);
	close_channel(&channel);
}

static void
the_flags_that_others_share_stay_as_they_are(void **state)
{
	struct channel channel;

	(void)state;
	open_channel(&channel, 0);
	assert_int_equal(w_writer_put(&channel.writer, "x", 1), W_WRITER_EMPTY);
	assert_int_equal(fcntl(channel.write_fd, F_GETFL) & O_NONBLOCK, 0);
	close_channel(&channel);
}

static void
order_is_kept_when_more_comes_before_the_rest_is_gone(void **state)
{
	struct channel channel;
	const size_t half = TOTAL / 2;

	(void)state;
	open_channel(&channel, 0);
	assert_int_equal(
	    w_writer_put(&channel.writer, channel.bytes, half), W_WRITER_WAITS);
	read_some(&channel);
	assert_int_equal(
	    w_writer_put(&channel.writer, channel.bytes + half, TOTAL - half),
	    W_WRITER_WAITS);
	while (w_writer_flush(&channel.writer) == W_WRITER_WAITS)
		read_some(&channel);
	while (channel.read_len < TOTAL)
		read_some(&channel);
	close_channel(&channel);
}

static void
a_reader_that_went_away_breaks_the_outlet(void **state)
{
	(void)state;
	for (int is_socket = 0; is_socket < 2; is_socket++) {
		struct channel channel;

		open_channel(&channel, is_socket);
		(void)close(channel.read_fd);
		channel.read_fd = -1;
		assert_int_equal(
		    w_writer_put(&channel.writer, "x", 1), W_WRITER_BROKEN);
		assert_int_equal(channel.writer.sys_errno, EPIPE);
		assert_int_equal(
		    w_writer_put(&channel.writer, "x", 1), W_WRITER_BROKEN);
		assert_false(w_writer_has_pending(&channel.writer));
		close_channel(&channel);
	}
}

static void
a_reader_that_goes_away_later_breaks_the_outlet(void **state)
{
	struct channel channel;

	(void)state;
	open_channel(&channel, 0);
	assert_int_equal(w_writer_put(&channel.writer, channel.bytes, TOTAL),
	    W_WRITER_WAITS);
	(void)close(channel.read_fd);
	channel.read_fd = -1;
	assert_int_equal(w_writer_flush(&channel.writer), W_WRITER_BROKEN);
	assert_int_equal(channel.writer.sys_errno, EPIPE);
	assert_false(w_writer_has_pending(&channel.writer));
	close_channel(&channel);
}

static void
a_full_disk_breaks_the_outlet(void **state)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct w_writer writer;

	(void)state;
	assert_true(fd >= 0);
	w_writer_init(&writer, fd);
	assert_int_equal(w_writer_put(&writer, "x", 1), W_WRITER_BROKEN);
	assert_int_equal(writer.sys_errno, ENOSPC);
	w_writer_done(&writer);
	(void)close(fd);
}

static void
what_is_kept_has_a_maximum(void **state)
{
	const size_t huge = W_WRITER_PENDING_MAX + (1 << 20);
	struct channel channel;
	char *bytes = calloc(1, huge);

	(void)state;
	assert_non_null(bytes);
	open_channel(&channel, 0);
	assert_int_equal(
	    w_writer_put(&channel.writer, bytes, huge), W_WRITER_BROKEN);
	assert_int_equal(channel.writer.sys_errno, ENOMEM);
	close_channel(&channel);
	free(bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_full_pipe_keeps_the_rest_and_loses_nothing),
	    cmocka_unit_test(a_full_socket_keeps_the_rest_and_loses_nothing),
	    cmocka_unit_test(
		a_pipe_that_cannot_be_opened_again_is_written_in_small_pieces),
	    cmocka_unit_test(the_flags_that_others_share_stay_as_they_are),
	    cmocka_unit_test(
		order_is_kept_when_more_comes_before_the_rest_is_gone),
	    cmocka_unit_test(a_reader_that_went_away_breaks_the_outlet),
	    cmocka_unit_test(a_reader_that_goes_away_later_breaks_the_outlet),
	    cmocka_unit_test(a_full_disk_breaks_the_outlet),
	    cmocka_unit_test(what_is_kept_has_a_maximum),
	};

	/* As in writ: a write fails with EPIPE instead. */
	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
