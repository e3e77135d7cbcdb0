/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_PROGRESS_BAR_H
#define W_CLI_PROGRESS_BAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "cli/output/writer.h"

/*
 * The progress of an apply, as the last line of a terminal:
 *
 *     [#######.............] 12/30  exec#build  14s
 *
 * It appears on standard error when the apply takes longer than a second, and
 * is wiped before anything else is written.
 */
struct w_progress {
	struct w_writer writer; /* standard error */
	size_t total;
	size_t done;
	const char *type; /* of the current resource; NULL: none */
	const char *name;
	uint64_t start_ms;
	uint64_t next_ms; /* when to draw again; UINT64_MAX: never */
	bool is_looked_at;
	bool is_shown;
	bool has_colour;
};

void w_progress_init(struct w_progress *progress, size_t total, bool is_wanted);
void w_progress_done(struct w_progress *progress);

/* Sets the current resource; borrowed until the next one. */
void w_progress_at(
    struct w_progress *progress, const char *type, const char *name);

/* Draws the bar if it is due. */
void w_progress_tick(struct w_progress *progress, uint64_t now_ms);

/* Draws the bar again after other output. */
void w_progress_redraw(struct w_progress *progress, uint64_t now_ms);

/* Wipes the bar before other output. Returns whether it was shown. */
bool w_progress_wipe(struct w_progress *progress);

/* Appends the line, in at most that many columns. */
void w_progress_add(struct w_buf *buf, const struct w_progress *progress,
    uint64_t elapsed_ms, size_t columns);

#endif /* W_CLI_PROGRESS_BAR_H */
