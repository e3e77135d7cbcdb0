/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ASCIICAST_H
#define W_CLI_ASCIICAST_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/output/lossy_utf8.h"

/*
 * A recording in the form that asciinema players show: asciicast version 2, a
 * header and one line of JSON for each piece of output.
 *
 * The output of a command that had no terminal ends its lines with a newline
 * alone, which would make a staircase: a carriage return is put before each
 * that has none. Both streams become output of the one terminal.
 */
struct w_asciicast_about {
	unsigned columns;
	unsigned rows;
	uint64_t begin_us; /* since 1970 */
	const char *command;
	const char *title;
};

struct w_asciicast {
	struct w_lossy_utf8 decoders[2];
	uint64_t last_us;
	bool is_return; /* the last character was one */
};

void w_asciicast_begin(
    struct w_buf *out, const struct w_asciicast_about *about);

/* Pieces come in the order of their times; a time that goes back is taken for
 * the one before. */
void w_asciicast_add(struct w_asciicast *cast, struct w_buf *out,
    bool is_stderr, uint64_t at_us, const char *bytes, size_t len);

void w_asciicast_end(struct w_asciicast *cast, struct w_buf *out);

#endif /* W_CLI_ASCIICAST_H */
