/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_BLOCK_READER_H
#define W_EXPR_BLOCK_READER_H

#include "expr/template/block_program.h"

/*
 * A block template while it is parsed. block_read.c finds the signs and hands
 * what stands between them to block_words.c; both make steps of it with the
 * functions of block_reader.c.
 */

struct w_block_open {
	bool is_loop;
	bool has_else;
	size_t at;     /* in the text */
	size_t first;  /* the FOR, or the last IF */
	size_t jumps;  /* JUMPs to the end; a chain by target, 0: none */
	size_t locals; /* before it */
	bool had_element;
};

struct w_block_reader {
	struct w_arena *arena;
	const char *text;
	size_t len;
	size_t at;
	bool is_jet;
	bool has_element;
	struct w_block_step *steps;
	size_t count;
	size_t cap;
	struct w_block_open open[W_BLOCK_DEPTH_MAX];
	size_t depth;
	struct w_expr_locals locals;
	writ_error *err;
};

/* What stands between two signs. */
struct w_block_tag {
	size_t at; /* of the opening sign */
	size_t from;
	size_t end;
	size_t behind;
};

/* Fails with a place in the text. */
writ_status w_block_refuse(
    const struct w_block_reader *in, size_t at, const char *what);

/* Whether `with` stands at `at`. */
bool w_block_begins(
    const struct w_block_reader *in, size_t at, const char *with);

writ_status w_block_add_step(
    struct w_block_reader *in, const struct w_block_step *step);
writ_status w_block_add_text(
    struct w_block_reader *in, size_t from, size_t end);
/* A step with the expression between two places. */
writ_status w_block_add_expr(
    struct w_block_reader *in, enum w_block_kind kind, size_t from, size_t end);

size_t w_block_skip_blanks(
    const struct w_block_reader *in, size_t at, size_t end);
size_t w_block_name_len(const struct w_block_reader *in, size_t at, size_t end);
/* Whether a word stands there; *io_at is behind it and its blanks then. */
bool w_block_take_word(const struct w_block_reader *in, size_t *io_at,
    size_t end, const char *word);

/* Gives a name a slot, until the block ends that it stands in. */
writ_status w_block_add_name(
    struct w_block_reader *in, const char *name, size_t len, uint8_t *out_slot);
/* A name at *io_at, which is moved behind it and its blanks. */
writ_status w_block_take_name(
    struct w_block_reader *in, size_t *io_at, size_t end, uint8_t *out_slot);

/* What stands between {% and %}, and between [[ and ]]. */
writ_status w_block_read_plain(
    struct w_block_reader *in, const struct w_block_tag *tag);
writ_status w_block_read_jet(
    struct w_block_reader *in, const struct w_block_tag *tag);

#endif /* W_EXPR_BLOCK_READER_H */
