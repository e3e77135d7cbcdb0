/* SPDX-License-Identifier: Apache-2.0 */

/* Reading a run's output. */

#include "exec/stream.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/auto.h"

/* What a writer that fills the standard pipe gets, if the user's allowance of
 * pipe memory still permits: fewer switches between the two sides. */
enum { WIDE_PIPE = 1 << 20 };

ssize_t
w_stream_read(struct w_stream *stream, char *buf)
{
	ssize_t n;

	do {
		n = read(stream->source.fd, buf, W_STREAM_READ_MAX);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == W_STREAM_READ_MAX && !stream->is_widened) {
		stream->is_widened = true;
		(void)fcntl(stream->source.fd, F_SETPIPE_SZ, WIDE_PIPE);
	}
	return n;
}

void
w_stream_keep(struct w_stream *stream, const char *buf, size_t len)
{
	w_spill_add(&stream->spill, &stream->capture, buf, len);
	w_capture_add(&stream->capture, buf, len);
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
