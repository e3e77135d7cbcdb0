/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_RUN_PLAYBACK_H
#define W_CLI_RUN_PLAYBACK_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/audit.h>

#include "cli/output/sanitizer.h"

/* Which part of the kept output of a run is shown. */
struct w_playback_choice {
	bool is_hidden[2]; /* by writ_stream */
	bool has_tail;
	uint64_t tail_lines; /* of each stream */
	uint64_t from;       /* bytes of each stream */
	uint64_t to;         /* behind the last; UINT64_MAX: to the end */
	bool is_json;        /* a line of JSON for each piece */
	bool is_raw;         /* a terminal gets it as it is */
};

/* A kept output on its way to the standard streams. */
struct w_playback {
	struct w_playback_choice choice;
	writ_recording *recording; /* NULL: not there (yet) */
	uint64_t seen[2];          /* bytes read so far, by writ_stream */
	uint64_t skip_lines[2];    /* still to be left out */
	struct w_sanitizer sanitizers[2]; /* for streams that are terminals */
	bool is_broken;                   /* the reader of the output is gone */
};

void w_playback_done(struct w_playback *playback);

/*
 * Opens the recording and finds the beginning of the tail. WRIT_E_NOTFOUND:
 * there is none, or not yet.
 */
writ_status w_playback_open(
    struct w_playback *playback, const char *path, writ_error *err);

/* Passes on what has come since. Fails with WRIT_E_SYSTEM when the output
 * cannot be written; sys_errno says why. */
writ_status w_playback_pass(struct w_playback *playback, writ_error *err);

/* No more will be passed on: what is left, with a terminal as it was found. */
void w_playback_end(struct w_playback *playback);

#endif /* W_CLI_RUN_PLAYBACK_H */
