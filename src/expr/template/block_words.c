/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What stands between two signs, by its first word: loops, choices, names.
 * Names are resolved here: a loop or set gives a name a slot, as let does in an
 * expression.
 */

#include "expr/template/block_reader.h"

#include <string.h>

static writ_status
open_block(
    struct w_block_reader *in, const struct w_block_tag *tag, bool is_loop)
{
	if (in->depth == W_BLOCK_DEPTH_MAX)
		return w_block_refuse(
		    in, tag->at, "blocks are nested more than 16 levels deep");
	in->open[in->depth++] = (struct w_block_open){.is_loop = is_loop,
	    .at = tag->at,
	    .first = in->count,
	    .locals = in->locals.count,
	    .had_element = in->has_element};
	return WRIT_OK;
}

static writ_status
read_if(struct w_block_reader *in, const struct w_block_tag *tag, size_t at)
{
	writ_status status = open_block(in, tag, false);

	return status == WRIT_OK
		   ? w_block_add_expr(in, W_BLOCK_IF, at, tag->end)
		   : status;
}

/* The names of a loop are known behind its list. */
static writ_status
name_loop(struct w_block_reader *in, const size_t names[2], size_t end)
{
	struct w_block_step *step = &in->steps[in->count - 1];
	uint8_t slots[2] = {W_BLOCK_NO_SLOT, W_BLOCK_NO_SLOT};
	uint8_t loop = W_BLOCK_NO_SLOT;
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < 2; i++) {
		size_t at = names[i];

		if (at != SIZE_MAX)
			status = w_block_take_name(in, &at, end, &slots[i]);
	}
	if (status == WRIT_OK && !in->is_jet)
		status = w_block_add_name(in, "loop", 4, &loop);
	step->key_slot = slots[0];
	step->slot = slots[1];
	step->loop_slot = loop;
	return status;
}

/* "x in LIST", "k, v in MAP", and in Jet "LIST", "v := LIST", "k, v := LIST".
 */
static writ_status
read_for(struct w_block_reader *in, const struct w_block_tag *tag, size_t at)
{
	size_t names[2] = {SIZE_MAX, SIZE_MAX};
	size_t from = at;
	size_t look = at;
	bool is_named = false;

	for (size_t i = 0; i < 2; i++) {
		const size_t len = w_block_name_len(in, look, tag->end);

		if (len == 0)
			break;
		names[i] = look;
		look = w_block_skip_blanks(in, look + len, tag->end);
		if (in->is_jet && w_block_begins(in, look, ":=")) {
			from = look + 2;
			is_named = true;
			break;
		}
		if (!in->is_jet &&
		    w_block_take_word(in, &look, tag->end, "in")) {
			from = look;
			is_named = true;
			break;
		}
		if (i == 0 && w_block_begins(in, look, ","))
			look = w_block_skip_blanks(in, look + 1, tag->end);
		else
			break;
	}
	if (!is_named && !in->is_jet)
		return w_block_refuse(in, at,
		    "'for' is followed by a name, 'in' "
		    "and a list or map");
	if (!is_named) {
		names[0] = names[1] = SIZE_MAX;
	} else if (names[1] == SIZE_MAX) {
		names[1] = names[0];
		names[0] = SIZE_MAX;
	}
	writ_status status = open_block(in, tag, true);
	if (status == WRIT_OK)
		status = w_block_add_expr(in, W_BLOCK_FOR, from, tag->end);
	if (status == WRIT_OK)
		status = name_loop(in, names, tag->end);
	in->has_element = true;
	return status;
}

/* Behind a branch: to the end of the block, which is not known yet. */
static writ_status
add_jump(struct w_block_reader *in, struct w_block_open *block)
{
	writ_status status =
	    w_block_add_step(in, &(struct w_block_step){.kind = W_BLOCK_JUMP,
				     .target = (uint32_t)block->jumps});

	block->jumps = in->count;
	return status;
}

static writ_status
read_else(struct w_block_reader *in, const struct w_block_tag *tag, size_t at,
    bool is_if)
{
	struct w_block_open *block =
	    in->depth > 0 ? &in->open[in->depth - 1] : NULL;
	writ_status status;

	if (block == NULL || block->has_else || (is_if && block->is_loop))
		return w_block_refuse(
		    in, tag->at, "there is no 'if' that this belongs to");
	in->locals.count = block->locals;
	if (block->is_loop) {
		status = w_block_add_step(
		    in, &(struct w_block_step){.kind = W_BLOCK_NEXT,
			    .target = (uint32_t)block->first});
		in->has_element = block->had_element;
		if (status == WRIT_OK)
			status = add_jump(in, block);
	} else {
		status = add_jump(in, block);
	}
	if (status != WRIT_OK)
		return status;
	in->steps[block->first].target = (uint32_t)in->count;
	block->has_else = !is_if;
	if (!is_if)
		return WRIT_OK;
	block->first = in->count;
	return w_block_add_expr(in, W_BLOCK_IF, at, tag->end);
}

static writ_status
read_end(struct w_block_reader *in, const struct w_block_tag *tag, int is_loop)
{
	struct w_block_open *block =
	    in->depth > 0 ? &in->open[in->depth - 1] : NULL;
	writ_status status = WRIT_OK;

	if (block == NULL || (is_loop >= 0 && block->is_loop != (is_loop > 0)))
		return w_block_refuse(
		    in, tag->at, "there is no block that this ends");
	in->depth--;
	in->locals.count = block->locals;
	in->has_element = block->had_element;
	if (block->is_loop && !block->has_else)
		status = w_block_add_step(
		    in, &(struct w_block_step){.kind = W_BLOCK_NEXT,
			    .target = (uint32_t)block->first});
	if (status != WRIT_OK)
		return status;
	if (!block->has_else)
		in->steps[block->first].target = (uint32_t)in->count;
	for (size_t jump = block->jumps; jump != 0;) {
		const size_t next = in->steps[jump - 1].target;

		in->steps[jump - 1].target = (uint32_t)in->count;
		jump = next;
	}
	return WRIT_OK;
}

static writ_status
read_set(struct w_block_reader *in, const struct w_block_tag *tag, size_t name,
    size_t from)
{
	writ_status status = w_block_add_expr(in, W_BLOCK_SET, from, tag->end);
	size_t at = name;
	uint8_t slot = 0;

	if (status == WRIT_OK)
		status = w_block_take_name(in, &at, tag->end, &slot);
	if (status == WRIT_OK)
		in->steps[in->count - 1].slot = slot;
	return status;
}

writ_status
w_block_read_plain(struct w_block_reader *in, const struct w_block_tag *tag)
{
	size_t at = tag->from;

	if (w_block_take_word(in, &at, tag->end, "for"))
		return read_for(in, tag, at);
	if (w_block_take_word(in, &at, tag->end, "if"))
		return read_if(in, tag, at);
	if (w_block_take_word(in, &at, tag->end, "elif"))
		return read_else(in, tag, at, true);
	if (w_block_take_word(in, &at, tag->end, "else"))
		return read_else(in, tag, at, false);
	if (w_block_take_word(in, &at, tag->end, "endif"))
		return read_end(in, tag, 0);
	if (w_block_take_word(in, &at, tag->end, "endfor"))
		return read_end(in, tag, 1);
	if (w_block_take_word(in, &at, tag->end, "set")) {
		const size_t name = at;

		at = w_block_skip_blanks(
		    in, at + w_block_name_len(in, at, tag->end), tag->end);
		if (w_block_begins(in, at, "=") &&
		    !w_block_begins(in, at, "=="))
			return read_set(in, tag, name, at + 1);
	}
	(void)w_block_refuse(in, tag->from, "an unknown block");
	w_suggest(in->err, "there are for, if, elif, else, endif, endfor, set "
			   "and raw");
	return WRIT_E_INVALID;
}

writ_status
w_block_read_jet(struct w_block_reader *in, const struct w_block_tag *tag)
{
	size_t at = tag->from;
	const size_t name = w_block_name_len(in, at, tag->end);
	const size_t next = w_block_skip_blanks(in, at + name, tag->end);

	if (w_block_take_word(in, &at, tag->end, "range"))
		return read_for(in, tag, at);
	if (w_block_take_word(in, &at, tag->end, "if"))
		return read_if(in, tag, at);
	if (w_block_take_word(in, &at, tag->end, "else")) {
		const bool is_if = w_block_take_word(in, &at, tag->end, "if");

		return read_else(in, tag, at, is_if);
	}
	if (w_block_take_word(in, &at, tag->end, "end"))
		return read_end(in, tag, -1);
	if (name > 0 && w_block_begins(in, next, ":="))
		return read_set(in, tag, at, next + 2);
	return w_block_add_expr(in, W_BLOCK_VALUE, tag->from, tag->end);
}
