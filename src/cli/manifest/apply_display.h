/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_APPLY_DISPLAY_H
#define W_CLI_APPLY_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/manifest.h>

#include "base/buf.h"
#include "cli/manifest/event_line.h"
#include "cli/manifest/indented_output.h"
#include "cli/manifest/progress_bar.h"
#include "cli/output/writer.h"

/*
 * The display of an apply: its lines on standard output, or its events with
 * --json; the progress bar on standard error; and the signals that end it.
 *
 * Lines are gathered and written when there are many, when a command takes a
 * tenth of a second, and at the end, so that unchanged resources do not cost a
 * system call each. A stalled reader delays the apply between resources, never
 * while a command runs: then live output is dropped, and the display says so.
 */
struct w_display {
	struct w_writer writer; /* standard output */
	struct w_buf buf;       /* gathered for it */
	struct w_progress progress;
	struct w_event_style style;
	struct w_indented_output live;
	struct w_sanitizer aside[2]; /* for output beside events, by
				      * writ_stream */
	bool is_aside_sanitized;
	bool is_json;
	bool is_quiet; /* only failures are shown */
	bool is_cut;   /* live output was dropped */
	int signal_fd;
	int signal; /* the first one received; 0: none */
	uint64_t flushed_ms;
	writ_apply_watch watch; /* for writ_apply_run() */
};

struct w_display_options {
	const writ_manifest *manifest;
	size_t total; /* resources that will have an event at the end */
	size_t done;  /* resources that have one already */
	bool is_json;
	bool is_quiet;
	bool is_raw;     /* output goes to the terminal unsanitized */
	bool shows_diff; /* of files */
};

/* From now on signals are read here. */
writ_status w_display_open(struct w_display *display,
    const struct w_display_options *plan, writ_error *err);

/* Appends to the output; not with --json. */
struct w_buf *w_display_text(struct w_display *display);

/* Writes what was gathered and waits until it is read, or a signal comes.
 * Returns the exit status: 0, 1 after a message, or that of a program whose
 * reader is gone. */
int w_display_close(struct w_display *display);

#endif /* W_CLI_APPLY_DISPLAY_H */
