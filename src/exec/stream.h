/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_STREAM_H
#define W_EXEC_STREAM_H

#include <stdbool.h>
#include <sys/types.h>

#include "exec/capture.h"
#include "exec/spill.h"
#include "os/loop.h"

/* One output stream of a run: our end of its pipe and what is kept. */
struct w_stream {
	struct w_source source; /* fd -1: ended */
	struct w_loop *loop;
	bool is_paused;
	bool is_widened; /* the pipe was made larger for a busy writer */
	struct w_capture capture;
	struct w_spill spill;
};

/* A buffer for reading, shared by all streams of an engine. */
enum { W_STREAM_READ_MAX = 64 * 1024 };

/* Reads once. The number of bytes, now in buf, 0 at the end of the stream, or
 * a negative errno; -EAGAIN: nothing there at the moment. */
ssize_t w_stream_read(struct w_stream *stream, char *buf);

/* Keeps what was read. */
void w_stream_keep(struct w_stream *stream, const char *buf, size_t len);

void w_stream_pause(struct w_stream *stream, bool is_paused);

/* Closes our end. */
void w_stream_close(struct w_stream *stream);

#endif /* W_EXEC_STREAM_H */
