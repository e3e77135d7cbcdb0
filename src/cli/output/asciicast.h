/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ASCIICAST_H
#define W_CLI_ASCIICAST_H

#include <stdbool.h>
#include <stdint.h>

#include "data/lossy_utf8.h"

/*
 * A recording for asciinema players in the asciicast version 2 format: a
 * header and one line of JSON for each piece of output.
 *
 * A command without a terminal ends its lines with a newline alone, which a
 * player would show as a staircase. So a carriage return is added before each
 * newline that has none. Both streams become output of one terminal.
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
	bool is_return; /* the last character was a carriage return */
};

void w_asciicast_begin(
    struct w_buf *out, const struct w_asciicast_about *about);

/* Pieces come in order of time; a time that goes backwards is replaced by the
 * one before. */
void w_asciicast_add(struct w_asciicast *cast, struct w_buf *out,
    bool is_stderr, uint64_t at_us, const char *bytes, size_t len);

void w_asciicast_end(struct w_asciicast *cast, struct w_buf *out);

#endif /* W_CLI_ASCIICAST_H */
