/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_APPLY_DISPLAY_H
#define W_CLI_APPLY_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "cli/manifest/event_line.h"
#include "cli/manifest/indented_output.h"
#include "cli/manifest/progress_bar.h"
#include "cli/output/writer.h"
#include "manifest/apply/apply.h"

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
struct w_display {
	struct w_writer writer; /* standard output */
	struct w_buf buf;       /* gathered for it */
	struct w_progress progress;
	struct w_event_style style;
	struct w_indented_output live;
	struct w_sanitizer
	    aside[2]; /* of output beside events, by writ_stream */
	bool is_aside_sanitized;
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

struct w_display_options {
	const struct w_manifest *manifest;
	size_t total; /* resources that are to have an event in the end */
	size_t done;  /* that have one already */
	bool is_json;
	bool is_quiet;
	bool is_raw;     /* a terminal gets output as it is */
	bool shows_diff; /* of files */
};

/* Signals are ours from now on. */
writ_status w_display_open(struct w_display *display,
    const struct w_display_options *plan, writ_error *err);

/* Appends to what is written; in no JSON. */
struct w_buf *w_display_text(struct w_display *display);

/* Writes what has gathered, and waits until it is taken, or a signal comes.
 * Returns the exit status: 0, 1 after a message, or that of a program whose
 * reader is gone. */
int w_display_close(struct w_display *display);

#endif /* W_CLI_APPLY_DISPLAY_H */
