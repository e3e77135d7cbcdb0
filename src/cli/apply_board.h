/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_APPLY_BOARD_H
#define W_CLI_APPLY_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "cli/event_line.h"
#include "cli/live_output.h"
#include "cli/outlet.h"
#include "cli/progress.h"
#include "manifest/apply.h"

/*
 * What an apply shows: its lines on standard output, or with --json its
 * events; the bar on standard error; and the signals that end it.
 *
 * Lines gather and are written when there are many, when a command takes a
 * tenth of a second, and at the end, so that many resources that are as they
 * should be do not cost a system call each. A reader that does not read holds
 * the apply up between resources, never a command while it runs: then output
 * that nobody takes is left out, and the board says so.
 */
struct w_board {
	struct w_outlet outlet; /* standard output */
	struct w_buf buf;       /* gathered for it */
	struct w_progress progress;
	struct w_event_style style;
	struct w_live_output live;
	struct w_tame aside[2]; /* of output beside events, by writ_stream */
	bool is_aside_tamed;
	bool is_json;
	bool is_quiet; /* only what failed */
	bool is_cut;   /* live output was left out */
	int signal_fd;
	int signal; /* the first that came; 0: none */
	uint64_t flushed_ms;
	size_t changed; /* of what was applied now */
	size_t failed;
	struct w_apply_watch watch; /* for w_apply() */
};

struct w_board_plan {
	const struct w_manifest *manifest;
	size_t total; /* resources that are to have an event in the end */
	size_t done;  /* that have one already */
	bool is_json;
	bool is_quiet;
	bool is_raw;     /* a terminal gets output as it is */
	bool shows_diff; /* of files */
};

/* Signals are ours from now on. */
writ_status w_board_open(
    struct w_board *board, const struct w_board_plan *plan, writ_error *err);

/* Appends to what is written; in no JSON. */
struct w_buf *w_board_text(struct w_board *board);

/* Writes what has gathered, and waits until it is taken, or a signal comes.
 * Returns the exit status: 0, 1 after a message, or that of a program whose
 * reader is gone. */
int w_board_close(struct w_board *board);

#endif /* W_CLI_APPLY_BOARD_H */
