/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_LIVE_H
#define W_MANIFEST_LIVE_H

#include <writ/run.h>

#include "manifest/turn.h"

/*
 * What a command writes, on its way to whoever watches: both streams, any
 * bytes, without secrets. As it comes it goes in whole lines, so that the
 * streams do not mix within one; a line longer than W_LIVE_LINE_MAX goes in
 * pieces.
 */
#define W_LIVE_LINE_MAX ((size_t)64 << 10)

struct w_live {
	struct w_turn *turn;
	struct w_hiding hiding[2]; /* by writ_stream */
	struct w_buf lines[2];     /* what has no end of line yet */
};

void w_live_init(struct w_live *live, struct w_turn *turn);
void w_live_done(struct w_live *live);

/* A writ_output_fn, with the struct as its context. */
int w_live_take(void *ctx, writ_job *job, writ_stream stream, const char *bytes,
    size_t len);

/* Shows what has no end of line: there will be no more. */
void w_live_end(struct w_live *live);

/* Shows what a result has kept of both streams. */
void w_live_show_kept(struct w_turn *turn, const writ_result *result);

/* Appends the last bytes of a stream, at most max. */
void w_live_add_tail(struct w_buf *buf, struct w_turn *turn,
    const writ_output *output, size_t max);

#endif /* W_MANIFEST_LIVE_H */
