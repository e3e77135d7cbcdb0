/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_STREAM_H
#define W_RUN_STREAM_H

#include <stdbool.h>
#include <sys/types.h>

#include "os/loop.h"
#include "run/streams/capture.h"
#include "run/streams/spill.h"

/* One output stream of a run: our end of its pipe and what is kept. */
struct w_stream {
	struct w_source source; /* fd -1: ended */
	struct w_loop *loop;
	bool is_paused;
	bool is_widened; /* the pipe was made larger for a busy writer */
	struct w_capture capture;
	struct w_capture last; /* of a confined run whose output is not
				  captured: its end, to explain a failure */
	struct w_spill spill;
};

/* Bytes of a stream that are kept to explain a failure. */
enum {
	W_STREAM_LAST_MAX = 16 * 1024
};

/* Size of the read buffer that all streams of an engine share. */
enum {
	W_STREAM_READ_MAX = 64 * 1024
};

/* The result of one read. */
struct w_chunk {
	const char *bytes; /* valid until the next read of any stream */
	size_t len;        /* 0 with error 0: the end of the stream */
	int error;         /* EAGAIN: nothing to read now */
	bool is_full;      /* there is probably more */
};

/* Reads once and keeps what was read. */
struct w_chunk w_stream_read(struct w_stream *stream, char *buf);

void w_stream_pause(struct w_stream *stream, bool is_paused);

/* Closes our end. */
void w_stream_close(struct w_stream *stream);

#endif /* W_RUN_STREAM_H */
