/* SPDX-License-Identifier: Apache-2.0 */

/* The pieces that every block is read with: names, words, and steps. */

#include "expr/template/block_reader.h"

#include <string.h>

#include "base/position.h"

#define STEPS_MAX 100000

writ_status
w_block_refuse(const struct w_block_reader *in, size_t at, const char *what)
{
	(void)w_fail(in->err, WRIT_E_INVALID, W_BLOCK_STAGE, 0, "%s", what);
	w_locate_offset(in->err, in->text, at);
	return WRIT_E_INVALID;
}

bool
w_block_begins(const struct w_block_reader *in, size_t at, const char *with)
{
	const size_t len = strlen(with);

	return at <= in->len && in->len - at >= len &&
	       memcmp(in->text + at, with, len) == 0;
}

writ_status
w_block_add_step(struct w_block_reader *in, const struct w_block_step *step)
{
	if (in->count == STEPS_MAX)
		return w_block_refuse(
		    in, in->at, "a template with too many signs");
	if (in->count == in->cap) {
		const size_t cap = in->cap == 0 ? 16 : 2 * in->cap;
		struct w_block_step *steps =
		    w_arena_alloc(in->arena, cap, sizeof(*steps));

		if (steps == NULL)
			return w_fail_nomem(in->err, W_BLOCK_STAGE);
		if (in->count > 0)
			memcpy(steps, in->steps, in->count * sizeof(*steps));
		in->steps = steps;
		in->cap = cap;
	}
	in->steps[in->count++] = *step;
	return WRIT_OK;
}

writ_status
w_block_add_text(struct w_block_reader *in, size_t from, size_t end)
{
	if (end <= from)
		return WRIT_OK;
	return w_block_add_step(in, &(struct w_block_step){.kind = W_BLOCK_TEXT,
					.literal = in->text + from,
					.len = end - from});
}

writ_status
w_block_add_expr(
    struct w_block_reader *in, enum w_block_kind kind, size_t from, size_t end)
{
	const struct w_expr_part part = {.text = in->text,
	    .from = from,
	    .end = end,
	    .locals = &in->locals,
	    .has_element = in->has_element};
	struct w_block_step step = {.kind = (uint8_t)kind,
	    .key_slot = W_BLOCK_NO_SLOT,
	    .slot = W_BLOCK_NO_SLOT,
	    .loop_slot = W_BLOCK_NO_SLOT};
	writ_status status =
	    w_expr_compile_within(in->arena, &part, &step.expr, in->err);

	return status == WRIT_OK ? w_block_add_step(in, &step) : status;
}

/* ---- names ---- */

static bool
is_name_byte(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

size_t
w_block_skip_blanks(const struct w_block_reader *in, size_t at, size_t end)
{
	while (at < end && strchr(" \t\r\n", in->text[at]) != NULL)
		at++;
	return at;
}

size_t
w_block_name_len(const struct w_block_reader *in, size_t at, size_t end)
{
	size_t len = 0;

	while (at + len < end && is_name_byte(in->text[at + len]))
		len++;
	return len;
}

/* Whether a word stands there; *io_at is behind it and its blanks then. */
bool
w_block_take_word(const struct w_block_reader *in, size_t *io_at, size_t end,
    const char *word)
{
	const size_t len = w_block_name_len(in, *io_at, end);

	if (len != strlen(word) || memcmp(in->text + *io_at, word, len) != 0)
		return false;
	*io_at = w_block_skip_blanks(in, *io_at + len, end);
	return true;
}

writ_status
w_block_add_name(
    struct w_block_reader *in, const char *name, size_t len, uint8_t *out_slot)
{
	struct w_expr_locals *locals = &in->locals;

	/* let needs some for itself. */
	if (locals->count >= W_EXPR_LOCALS_MAX / 2)
		return w_block_refuse(
		    in, in->at, "too many names at one place");
	locals->items[locals->count].name = name;
	locals->items[locals->count].len = len;
	*out_slot = (uint8_t)locals->count++;
	return WRIT_OK;
}

/* A name at *io_at, which is moved behind it and its blanks. */
writ_status
w_block_take_name(
    struct w_block_reader *in, size_t *io_at, size_t end, uint8_t *out_slot)
{
	const size_t at = *io_at;
	const size_t len = w_block_name_len(in, at, end);

	if (len == 0 || (in->text[at] >= '0' && in->text[at] <= '9'))
		return w_block_refuse(in, at, "a name should be here");
	*io_at = w_block_skip_blanks(in, at + len, end);
	return w_block_add_name(in, in->text + at, len, out_slot);
}
