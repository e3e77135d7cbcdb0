/* SPDX-License-Identifier: Apache-2.0 */

/* Reads a run's output. */

#include "run/streams/stream.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/auto.h"

/* The pipe size for a writer that fills the default one, if the user's limit
 * for pipe memory permits: fewer context switches. */
enum {
	WIDE_PIPE = 1 << 20,
	/* Below this, a copy is cheaper than more reads, and a few dozen reads
	 * must empty a pipe. */
	SPACE_MIN = 16 * 1024
};

/* Large output is read directly into the ring, without a copy. */
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
	ssize_t n;
	do {
		n = read(stream->source.fd, to, room);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return (struct w_chunk){.error = n < 0 ? errno : 0};

	size_t len = (size_t)n;
	w_spill_add(&stream->spill, &stream->capture, to, len);
	if (space == NULL)
		w_capture_add(&stream->capture, to, len);
	else
		w_capture_commit(&stream->capture, len);
	w_capture_add(&stream->last, to, len);
	if (len == W_STREAM_READ_MAX && !stream->is_widened) {
		stream->is_widened = true;
		(void)fcntl(stream->source.fd, F_SETPIPE_SZ, WIDE_PIPE);
	}
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
