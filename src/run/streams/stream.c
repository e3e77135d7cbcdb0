/* SPDX-License-Identifier: Apache-2.0 */

/* Reading a run's output. */

#include "run/streams/stream.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/auto.h"

/* What a writer that fills the standard pipe gets, if the user's allowance of
 * pipe memory still permits: fewer switches between the two sides. */
enum {
	WIDE_PIPE = 1 << 20,
	/* For less space than this a copy costs less than the reads, and a
	 * few dozen of them must empty a pipe. */
	SPACE_MIN = 16 * 1024
};

static ssize_t
read_fd(int fd, char *buf, size_t len)
{
	ssize_t n;

	do {
		n = read(fd, buf, len);
	} while (n < 0 && errno == EINTR);
	return n;
}

static void
widen(struct w_stream *stream)
{
	if (stream->is_widened)
		return;
	stream->is_widened = true;
	(void)fcntl(stream->source.fd, F_SETPIPE_SZ, WIDE_PIPE);
}

/* A flood goes straight to its place in the ring, without a copy. */
struct w_chunk
w_stream_read(struct w_stream *stream, char *buf)
{
	size_t room = W_STREAM_READ_MAX;
	char *space = w_capture_space(&stream->capture, &room);

	if (room < SPACE_MIN)
		space = NULL;
	if (space == NULL || room > W_STREAM_READ_MAX)
		room = W_STREAM_READ_MAX;
	char *to = space == NULL ? buf : space;
	ssize_t n = read_fd(stream->source.fd, to, room);
	if (n <= 0)
		return (struct w_chunk){.error = n < 0 ? errno : 0};

	size_t len = (size_t)n;
	w_spill_add(&stream->spill, &stream->capture, to, len);
	if (space == NULL)
		w_capture_add(&stream->capture, to, len);
	else
		w_capture_commit(&stream->capture, len);
	if (len == W_STREAM_READ_MAX)
		widen(stream);
	return (struct w_chunk){
	    .bytes = to, .len = len, .is_full = len == room};
}

void
w_stream_pause(struct w_stream *stream, bool is_paused)
{
	stream->is_paused = is_paused;
	if (stream->source.fd >= 0)
		(void)w_loop_modify(
		    stream->loop, &stream->source, is_paused ? 0 : EPOLLIN);
}

void
w_stream_close(struct w_stream *stream)
{
	int fd = stream->source.fd;

	w_loop_remove(stream->loop, &stream->source);
	w_close(&fd);
}
