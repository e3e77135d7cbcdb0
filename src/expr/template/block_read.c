/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses block templates: finds the signs, and makes steps of what stands
 * between them. Names are resolved here: a loop or set gives a name a slot, as
 * let does in an expression.
 */

#include <string.h>

#include "base/position.h"
#include "expr/parse/token.h"
#include "expr/template/block_program.h"

#define STEPS_MAX 100000

struct open_block {
	bool is_loop;
	bool has_else;
	size_t at;     /* in the text */
	size_t first;  /* the FOR, or the last IF */
	size_t jumps;  /* JUMPs to the end; a chain by target, 0: none */
	size_t locals; /* before it */
	bool had_element;
};

struct block_reader {
	struct w_arena *arena;
	const char *text;
	size_t len;
	size_t at;
	bool is_jet;
	bool has_element;
	struct w_block_step *steps;
	size_t count;
	size_t cap;
	struct open_block open[W_BLOCK_DEPTH_MAX];
	size_t depth;
	struct w_expr_locals locals;
	writ_error *err;
};

/* What stands between two signs. */
struct block_tag {
	size_t at; /* of the opening sign */
	size_t from;
	size_t end;
	size_t behind;
};

static writ_status
block_refuse(const struct block_reader *in, size_t at, const char *what)
{
	(void)w_fail(in->err, WRIT_E_INVALID, W_BLOCK_STAGE, 0, "%s", what);
	w_locate_offset(in->err, in->text, at);
	return WRIT_E_INVALID;
}

static bool
block_begins(const struct block_reader *in, size_t at, const char *with)
{
	const size_t len = strlen(with);

	return at <= in->len && in->len - at >= len &&
	       memcmp(in->text + at, with, len) == 0;
}

/* ---- steps ---- */

static writ_status
add_step(struct block_reader *in, const struct w_block_step *step)
{
	if (in->count == STEPS_MAX)
		return block_refuse(
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

static writ_status
add_text(struct block_reader *in, size_t from, size_t end)
{
	if (end <= from)
		return WRIT_OK;
	return add_step(in, &(struct w_block_step){.kind = W_BLOCK_TEXT,
				.literal = in->text + from,
				.len = end - from});
}

static writ_status
add_expr(
    struct block_reader *in, enum w_block_kind kind, size_t from, size_t end)
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

	return status == WRIT_OK ? add_step(in, &step) : status;
}

/* ---- names ---- */

static bool
is_name_byte(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

static size_t
skip_blanks(const struct block_reader *in, size_t at, size_t end)
{
	while (at < end && strchr(" \t\r\n", in->text[at]) != NULL)
		at++;
	return at;
}

static size_t
name_len(const struct block_reader *in, size_t at, size_t end)
{
	size_t len = 0;

	while (at + len < end && is_name_byte(in->text[at + len]))
		len++;
	return len;
}

/* Whether a word stands there; *io_at is behind it and its blanks then. */
static bool
take_word(
    const struct block_reader *in, size_t *io_at, size_t end, const char *word)
{
	const size_t len = name_len(in, *io_at, end);

	if (len != strlen(word) || memcmp(in->text + *io_at, word, len) != 0)
		return false;
	*io_at = skip_blanks(in, *io_at + len, end);
	return true;
}

static writ_status
add_name(
    struct block_reader *in, const char *name, size_t len, uint8_t *out_slot)
{
	struct w_expr_locals *locals = &in->locals;

	/* let needs some for itself. */
	if (locals->count >= W_EXPR_LOCALS_MAX / 2)
		return block_refuse(in, in->at, "too many names at one place");
	locals->items[locals->count].name = name;
	locals->items[locals->count].len = len;
	*out_slot = (uint8_t)locals->count++;
	return WRIT_OK;
}

/* A name at *io_at, which is moved behind it and its blanks. */
static writ_status
take_name(struct block_reader *in, size_t *io_at, size_t end, uint8_t *out_slot)
{
	const size_t at = *io_at;
	const size_t len = name_len(in, at, end);

	if (len == 0 || (in->text[at] >= '0' && in->text[at] <= '9'))
		return block_refuse(in, at, "a name should be here");
	*io_at = skip_blanks(in, at + len, end);
	return add_name(in, in->text + at, len, out_slot);
}

/* ---- blocks ---- */

static writ_status
open_block(struct block_reader *in, const struct block_tag *tag, bool is_loop)
{
	if (in->depth == W_BLOCK_DEPTH_MAX)
		return block_refuse(
		    in, tag->at, "blocks are nested more than 16 levels deep");
	in->open[in->depth++] = (struct open_block){.is_loop = is_loop,
	    .at = tag->at,
	    .first = in->count,
	    .locals = in->locals.count,
	    .had_element = in->has_element};
	return WRIT_OK;
}

static writ_status
read_if(struct block_reader *in, const struct block_tag *tag, size_t at)
{
	writ_status status = open_block(in, tag, false);

	return status == WRIT_OK ? add_expr(in, W_BLOCK_IF, at, tag->end)
				 : status;
}

/* The names of a loop are known behind its list. */
static writ_status
name_loop(struct block_reader *in, const size_t names[2], size_t end)
{
	struct w_block_step *step = &in->steps[in->count - 1];
	uint8_t slots[2] = {W_BLOCK_NO_SLOT, W_BLOCK_NO_SLOT};
	uint8_t loop = W_BLOCK_NO_SLOT;
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < 2; i++) {
		size_t at = names[i];

		if (at != SIZE_MAX)
			status = take_name(in, &at, end, &slots[i]);
	}
	if (status == WRIT_OK && !in->is_jet)
		status = add_name(in, "loop", 4, &loop);
	step->key_slot = slots[0];
	step->slot = slots[1];
	step->loop_slot = loop;
	return status;
}

/* "x in LIST", "k, v in MAP", and in Jet "LIST", "v := LIST", "k, v := LIST".
 */
static writ_status
read_for(struct block_reader *in, const struct block_tag *tag, size_t at)
{
	size_t names[2] = {SIZE_MAX, SIZE_MAX};
	size_t from = at;
	size_t look = at;
	bool is_named = false;

	for (size_t i = 0; i < 2; i++) {
		const size_t len = name_len(in, look, tag->end);

		if (len == 0)
			break;
		names[i] = look;
		look = skip_blanks(in, look + len, tag->end);
		if (in->is_jet && block_begins(in, look, ":=")) {
			from = look + 2;
			is_named = true;
			break;
		}
		if (!in->is_jet && take_word(in, &look, tag->end, "in")) {
			from = look;
			is_named = true;
			break;
		}
		if (i == 0 && block_begins(in, look, ","))
			look = skip_blanks(in, look + 1, tag->end);
		else
			break;
	}
	if (!is_named && !in->is_jet)
		return block_refuse(in, at,
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
		status = add_expr(in, W_BLOCK_FOR, from, tag->end);
	if (status == WRIT_OK)
		status = name_loop(in, names, tag->end);
	in->has_element = true;
	return status;
}

/* Behind a branch: to the end of the block, which is not known yet. */
static writ_status
add_jump(struct block_reader *in, struct open_block *block)
{
	writ_status status =
	    add_step(in, &(struct w_block_step){.kind = W_BLOCK_JUMP,
			     .target = (uint32_t)block->jumps});

	block->jumps = in->count;
	return status;
}

static writ_status
read_else(
    struct block_reader *in, const struct block_tag *tag, size_t at, bool is_if)
{
	struct open_block *block =
	    in->depth > 0 ? &in->open[in->depth - 1] : NULL;
	writ_status status;

	if (block == NULL || block->has_else || (is_if && block->is_loop))
		return block_refuse(
		    in, tag->at, "there is no 'if' that this belongs to");
	in->locals.count = block->locals;
	if (block->is_loop) {
		status =
		    add_step(in, &(struct w_block_step){.kind = W_BLOCK_NEXT,
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
	return add_expr(in, W_BLOCK_IF, at, tag->end);
}

static writ_status
read_end(struct block_reader *in, const struct block_tag *tag, int is_loop)
{
	struct open_block *block =
	    in->depth > 0 ? &in->open[in->depth - 1] : NULL;
	writ_status status = WRIT_OK;

	if (block == NULL || (is_loop >= 0 && block->is_loop != (is_loop > 0)))
		return block_refuse(
		    in, tag->at, "there is no block that this ends");
	in->depth--;
	in->locals.count = block->locals;
	in->has_element = block->had_element;
	if (block->is_loop && !block->has_else)
		status =
		    add_step(in, &(struct w_block_step){.kind = W_BLOCK_NEXT,
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
read_set(struct block_reader *in, const struct block_tag *tag, size_t name,
    size_t from)
{
	writ_status status = add_expr(in, W_BLOCK_SET, from, tag->end);
	size_t at = name;
	uint8_t slot = 0;

	if (status == WRIT_OK)
		status = take_name(in, &at, tag->end, &slot);
	if (status == WRIT_OK)
		in->steps[in->count - 1].slot = slot;
	return status;
}

/* ---- what stands between signs ---- */

static writ_status
read_plain(struct block_reader *in, const struct block_tag *tag)
{
	size_t at = tag->from;

	if (take_word(in, &at, tag->end, "for"))
		return read_for(in, tag, at);
	if (take_word(in, &at, tag->end, "if"))
		return read_if(in, tag, at);
	if (take_word(in, &at, tag->end, "elif"))
		return read_else(in, tag, at, true);
	if (take_word(in, &at, tag->end, "else"))
		return read_else(in, tag, at, false);
	if (take_word(in, &at, tag->end, "endif"))
		return read_end(in, tag, 0);
	if (take_word(in, &at, tag->end, "endfor"))
		return read_end(in, tag, 1);
	if (take_word(in, &at, tag->end, "set")) {
		const size_t name = at;

		at = skip_blanks(in, at + name_len(in, at, tag->end), tag->end);
		if (block_begins(in, at, "=") && !block_begins(in, at, "=="))
			return read_set(in, tag, name, at + 1);
	}
	(void)block_refuse(in, tag->from, "an unknown block");
	w_suggest(in->err, "there are for, if, elif, else, endif, endfor, set "
			   "and raw");
	return WRIT_E_INVALID;
}

static writ_status
read_jet(struct block_reader *in, const struct block_tag *tag)
{
	size_t at = tag->from;
	const size_t name = name_len(in, at, tag->end);
	const size_t next = skip_blanks(in, at + name, tag->end);

	if (take_word(in, &at, tag->end, "range"))
		return read_for(in, tag, at);
	if (take_word(in, &at, tag->end, "if"))
		return read_if(in, tag, at);
	if (take_word(in, &at, tag->end, "else")) {
		const bool is_if = take_word(in, &at, tag->end, "if");

		return read_else(in, tag, at, is_if);
	}
	if (take_word(in, &at, tag->end, "end"))
		return read_end(in, tag, -1);
	if (name > 0 && block_begins(in, next, ":="))
		return read_set(in, tag, at, next + 2);
	return add_expr(in, W_BLOCK_VALUE, tag->from, tag->end);
}

/* ---- signs ---- */

/* What closes it: strings and brackets inside are passed over. */
static size_t
find_end(const struct block_reader *in, size_t at, const char *close)
{
	size_t depth = 0;

	while (at < in->len) {
		const char c = in->text[at];

		if (c == '\'' || c == '"' || c == '`') {
			at = w_token_string_end(in->text, at, in->len);
			if (at == SIZE_MAX)
				break;
			continue;
		}
		if (depth == 0 && block_begins(in, at, close))
			return at;
		if (strchr("([{", c) != NULL)
			depth++;
		else if (strchr(")]}", c) != NULL && depth > 0)
			depth--;
		at++;
	}
	return SIZE_MAX;
}

/* The line of a tag, if there is nothing else but blanks in it. */
static bool
is_alone(const struct block_reader *in, const struct block_tag *tag,
    size_t *out_from, size_t *out_behind)
{
	size_t from = tag->at;
	size_t behind = tag->behind;

	while (from > 0 && strchr(" \t", in->text[from - 1]) != NULL)
		from--;
	while (behind < in->len && strchr(" \t\r", in->text[behind]) != NULL)
		behind++;
	if ((from > 0 && in->text[from - 1] != '\n') ||
	    (behind < in->len && in->text[behind] != '\n'))
		return false;
	*out_from = from;
	*out_behind = behind < in->len ? behind + 1 : behind;
	return true;
}

struct sign {
	const char *open;
	const char *close;
	writ_status (*read)(
	    struct block_reader *in, const struct block_tag *tag);
	bool is_value;
};

static writ_status
read_value(struct block_reader *in, const struct block_tag *tag)
{
	return add_expr(in, W_BLOCK_VALUE, tag->from, tag->end);
}

static const struct sign plain_signs[] = {
    {"{{", "}}", read_value, true},
    {"{%", "%}", read_plain, false},
    {"{#", "#}", NULL, false},
};

static const struct sign jet_signs[] = {
    {"[[", "]]", read_jet, false},
    {"{*", "*}", NULL, false},
};

static const struct sign *
find_sign(const struct block_reader *in, size_t at)
{
	const struct sign *signs = in->is_jet ? jet_signs : plain_signs;
	const size_t count = in->is_jet ? 2 : 3;

	for (size_t i = 0; i < count; i++) {
		if (block_begins(in, at, signs[i].open))
			return &signs[i];
	}
	return NULL;
}

static writ_status
measure(struct block_reader *in, const struct sign *sign, size_t at,
    struct block_tag *out_tag, bool out_trims[2])
{
	size_t end;

	if (sign->read == NULL) {
		const char *found = memmem(in->text + at + 2, in->len - at - 2,
		    sign->close, strlen(sign->close));

		end = found != NULL ? (size_t)(found - in->text) : SIZE_MAX;
	} else {
		end = find_end(in, at + 2, sign->close);
	}
	if (end == SIZE_MAX)
		return block_refuse(in, at, "this sign is never closed");
	*out_tag = (struct block_tag){
	    .at = at, .from = at + 2, .end = end, .behind = end + 2};
	out_trims[0] = in->text[at + 2] == '-' && end > at + 2;
	out_trims[1] = end > at + 3 && in->text[end - 1] == '-';
	out_tag->from += out_trims[0];
	out_tag->end -= out_trims[1];
	out_tag->from = skip_blanks(in, out_tag->from, out_tag->end);
	return WRIT_OK;
}

/* {% raw %}: up to {% endraw %} it is literal. SIZE_MAX: it is not one. */
static writ_status
read_raw(struct block_reader *in, const struct block_tag *tag, size_t *io_at,
    bool *out_is_raw)
{
	size_t at = tag->from;

	*out_is_raw = !in->is_jet && block_begins(in, tag->at, "{%") &&
		      take_word(in, &at, tag->end, "raw") && at == tag->end;
	if (!*out_is_raw)
		return WRIT_OK;
	for (size_t look = *io_at; look < in->len; look++) {
		struct block_tag end;
		bool trims[2];

		if (!block_begins(in, look, "{%") ||
		    measure(in, &plain_signs[1], look, &end, trims) != WRIT_OK)
			continue;
		at = end.from;
		if (!take_word(in, &at, end.end, "endraw"))
			continue;
		const size_t from = *io_at;
		size_t to = look;
		*io_at = end.behind;
		(void)is_alone(in, &end, &to, io_at);
		return add_text(in, from, to);
	}
	return block_refuse(in, tag->at, "this block is never ended");
}

static size_t
trim_before(const struct block_reader *in, size_t from, size_t end)
{
	while (end > from && strchr(" \t\r\n", in->text[end - 1]) != NULL)
		end--;
	return end;
}

/* From `literal` on nothing is in steps yet. */
static writ_status
read_tag(struct block_reader *in, const struct sign *sign, size_t *io_literal)
{
	struct block_tag tag = {0};
	bool trims[2];
	size_t end = in->at;
	bool is_raw = false;
	writ_status status = measure(in, sign, in->at, &tag, trims);

	if (status != WRIT_OK)
		return status;
	size_t behind = tag.behind;
	/* A value stays where it is, also on a line of its own. */
	if (!sign->is_value &&
	    !(sign->read == read_jet && name_len(in, tag.from, tag.end) == 0))
		(void)is_alone(in, &tag, &end, &behind);
	if (end < *io_literal)
		end = *io_literal;
	if (trims[0])
		end = trim_before(in, *io_literal, end);
	if (trims[1])
		behind = skip_blanks(in, tag.behind, in->len);
	status = add_text(in, *io_literal, end);
	if (status == WRIT_OK)
		status = read_raw(in, &tag, &behind, &is_raw);
	if (status == WRIT_OK && !is_raw && sign->read != NULL)
		status = sign->read(in, &tag);
	*io_literal = in->at = behind;
	return status;
}

static writ_status
read_all(struct block_reader *in)
{
	writ_status status = WRIT_OK;
	size_t literal = 0;

	while (status == WRIT_OK && in->at < in->len) {
		const struct sign *sign = find_sign(in, in->at);

		if (sign == NULL) {
			in->at++;
		} else if (!in->is_jet && block_begins(in, in->at, "{{{{")) {
			status = add_text(in, literal, in->at);
			literal = in->at + 2;
			in->at += 4;
		} else {
			status = read_tag(in, sign, &literal);
		}
	}
	if (status == WRIT_OK)
		status = add_text(in, literal, in->len);
	if (status == WRIT_OK && in->depth > 0)
		return block_refuse(in, in->open[in->depth - 1].at,
		    "this block is never ended");
	return status;
}

writ_status
w_block_parse(struct w_arena *arena, const char *text, size_t len,
    enum w_block_syntax syntax, const struct w_block_template **out_template,
    writ_error *err)
{
	struct block_reader in = {.arena = arena,
	    .text = text,
	    .len = len,
	    .is_jet = syntax == W_BLOCK_JET,
	    .err = err};
	struct w_block_template *template;

	if (len > W_VALUE_TEXT_MAX)
		return block_refuse(&in, 0, "a text of more than 16 MiB");
	const char *nul = len > 0 ? memchr(text, '\0', len) : NULL;
	if (nul != NULL)
		return block_refuse(&in, (size_t)(nul - text),
		    "a NUL byte cannot be in a text");
	writ_status status = read_all(&in);
	if (status != WRIT_OK)
		return status;
	template = w_arena_alloc(arena, 1, sizeof(*template));
	if (template == NULL)
		return w_fail_nomem(err, W_BLOCK_STAGE);
	template->steps = in.steps;
	template->count = in.count;
	*out_template = template;
	return WRIT_OK;
}
