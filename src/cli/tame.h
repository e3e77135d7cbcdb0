/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_TAME_H
#define W_CLI_TAME_H

#include "cli/repair.h"

/*
 * The output of a run, made harmless for a terminal: characters, line ends,
 * tabs and colours (SGR sequences) pass; everything else that a terminal
 * would obey is taken out. A carriage return becomes the end of the line, so
 * that nothing is written over. Bytes that are not UTF-8 become U+FFFD.
 */
enum w_tame_state {
	W_TAME_TEXT,
	W_TAME_ESCAPE,        /* after ESC */
	W_TAME_INTERMEDIATE,  /* ESC, then bytes before the final one */
	W_TAME_CONTROL,       /* after ESC [ */
	W_TAME_STRING,        /* OSC, DCS, ...: up to BEL or ESC \ */
	W_TAME_STRING_ESCAPE, /* ESC within one */
};

#define W_TAME_SEQUENCE_MAX 64

struct w_tame {
	struct w_repair repair;
	enum w_tame_state state;
	char sequence[W_TAME_SEQUENCE_MAX]; /* parameters of ESC [ */
	size_t sequence_len;
	bool is_return; /* the last character was one */
};

void w_tame_add(
    struct w_tame *tame, struct w_buf *out, const char *bytes, size_t len);

/* The output is over. */
void w_tame_end(struct w_tame *tame, struct w_buf *out);

#endif /* W_CLI_TAME_H */
