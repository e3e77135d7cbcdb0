/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_LIVE_OUTPUT_H
#define W_CLI_LIVE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <writ/audit.h>

#include "base/buf.h"
#include "cli/output/sanitizer.h"

/*
 * The last lines of a run's recorded output, as text and colours. Both streams
 * are one text, in the order in which the run wrote it.
 */
#define W_LIVE_LINES_MAX 2000

/* Bytes of a line that are kept. */
#define W_LIVE_LINE_BYTES 4096

/* The colour sequences that are on at the end of a line. */
#define W_LIVE_COLOUR_MAX 128

struct w_live_output {
	writ_recording *recording; /* NULL: nothing is recorded (yet) */
	uint64_t skip;             /* bytes to pass over: they are not shown */
	struct w_sanitizer sanitizers[2]; /* by writ_stream */
	char **lines;                     /* the oldest one is at first */
	size_t first;
	size_t count;
	struct w_buf line; /* the unfinished one */
	char colour[W_LIVE_COLOUR_MAX];
	size_t colour_len;
};

/* Starts with all zero. Frees everything: another run may follow. */
void w_live_output_done(struct w_live_output *output);

/* Reads what is new, but not much at a time. path: of the recording; NULL:
 * none. Returns whether there may be more. false also if the recording cannot
 * be read. *out_is_changed: there is something new. */
bool w_live_output_read(
    struct w_live_output *output, const char *path, bool *out_is_changed);

/* Lines including the unfinished one. */
size_t w_live_output_count(const struct w_live_output *output);

/* The line, from 0: text and complete colour sequences. Borrowed. */
const char *w_live_output_line(const struct w_live_output *output, size_t at);

/* Takes a piece of output; w_live_output_read() does so. false: no memory. */
bool w_live_output_add(struct w_live_output *output, writ_stream stream,
    const char *bytes, size_t len);

/* Appends so many columns of such a line, with its colours if they are wanted.
 * Tabs become blanks, and characters that would move or hide others are
 * escaped. Colours are off at the end. Returns the columns. */
size_t w_live_output_cut(
    struct w_buf *buf, const char *line, size_t columns, bool has_colour);

#endif /* W_CLI_LIVE_OUTPUT_H */
