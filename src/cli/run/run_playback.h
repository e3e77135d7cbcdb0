/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_RUN_PLAYBACK_H
#define W_CLI_RUN_PLAYBACK_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/audit.h>

#include "cli/output/sanitizer.h"

/* Which part of the recorded output is shown. */
struct w_playback_choice {
	bool is_hidden[2]; /* by writ_stream */
	bool has_tail;
	uint64_t tail_lines; /* of each stream */
	uint64_t from;       /* bytes of each stream */
	uint64_t to;         /* exclusive; UINT64_MAX: to the end */
	bool is_json;        /* a line of JSON for each piece */
	bool is_raw;         /* no sanitizing for a terminal */
};

/* The state of printing a recording to the standard streams. */
struct w_playback {
	struct w_playback_choice choice;
	writ_recording *recording; /* NULL: not there (yet) */
	uint64_t seen[2];          /* bytes read so far, by writ_stream */
	uint64_t skip_lines[2];    /* lines still to skip */
	struct w_sanitizer sanitizers[2]; /* for streams that are terminals */
	bool is_broken;                   /* the reader of the output is gone */
};

void w_playback_done(struct w_playback *playback);

/* Opens the recording and finds the start of the tail. Fails with
 * WRIT_E_NOTFOUND if there is none (yet). */
writ_status w_playback_open(
    struct w_playback *playback, const char *path, writ_error *err);

/* Prints what was recorded since the last call. Fails with WRIT_E_SYSTEM if
 * the output cannot be written; sys_errno says why. */
writ_status w_playback_pass(struct w_playback *playback, writ_error *err);

/* After the last output: prints held bytes and resets a terminal's modes. */
void w_playback_end(struct w_playback *playback);

#endif /* W_CLI_RUN_PLAYBACK_H */
