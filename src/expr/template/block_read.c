/* SPDX-License-Identifier: Apache-2.0 */

/* Parses block templates: finds the signs, and what is left out beside them. */

#include <string.h>

#include "expr/parse/token.h"
#include "expr/template/block_reader.h"

static size_t
find_end(const struct w_block_reader *in, size_t at, const char *close)
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
		if (depth == 0 && w_block_begins(in, at, close))
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
is_alone(const struct w_block_reader *in, const struct w_block_tag *tag,
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
	    struct w_block_reader *in, const struct w_block_tag *tag);
	bool is_value;
};

static writ_status
read_value(struct w_block_reader *in, const struct w_block_tag *tag)
{
	return w_block_add_expr(in, W_BLOCK_VALUE, tag->from, tag->end);
}

static const struct sign plain_signs[] = {
    {"{{", "}}", read_value, true},
    {"{%", "%}", w_block_read_plain, false},
    {"{#", "#}", NULL, false},
};

static const struct sign jet_signs[] = {
    {"[[", "]]", w_block_read_jet, false},
    {"{*", "*}", NULL, false},
};

static const struct sign *
find_sign(const struct w_block_reader *in, size_t at)
{
	const struct sign *signs = in->is_jet ? jet_signs : plain_signs;
	const size_t count = in->is_jet ? 2 : 3;

	for (size_t i = 0; i < count; i++) {
		if (w_block_begins(in, at, signs[i].open))
			return &signs[i];
	}
	return NULL;
}

static writ_status
measure(struct w_block_reader *in, const struct sign *sign, size_t at,
    struct w_block_tag *out_tag, bool out_trims[2])
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
		return w_block_refuse(in, at, "this sign is never closed");
	*out_tag = (struct w_block_tag){
	    .at = at, .from = at + 2, .end = end, .behind = end + 2};
	out_trims[0] = in->text[at + 2] == '-' && end > at + 2;
	out_trims[1] = end > at + 3 && in->text[end - 1] == '-';
	out_tag->from += out_trims[0];
	out_tag->end -= out_trims[1];
	out_tag->from = w_block_skip_blanks(in, out_tag->from, out_tag->end);
	return WRIT_OK;
}

/* {% raw %}: up to {% endraw %} it is literal. SIZE_MAX: it is not one. */
static writ_status
read_raw(struct w_block_reader *in, const struct w_block_tag *tag,
    size_t *io_at, bool *out_is_raw)
{
	size_t at = tag->from;

	*out_is_raw = !in->is_jet && w_block_begins(in, tag->at, "{%") &&
		      w_block_take_word(in, &at, tag->end, "raw") &&
		      at == tag->end;
	if (!*out_is_raw)
		return WRIT_OK;
	for (size_t look = *io_at; look < in->len; look++) {
		struct w_block_tag end;
		bool trims[2];

		if (!w_block_begins(in, look, "{%") ||
		    measure(in, &plain_signs[1], look, &end, trims) != WRIT_OK)
			continue;
		at = end.from;
		if (!w_block_take_word(in, &at, end.end, "endraw"))
			continue;
		const size_t from = *io_at;
		size_t to = look;
		*io_at = end.behind;
		(void)is_alone(in, &end, &to, io_at);
		return w_block_add_text(in, from, to);
	}
	return w_block_refuse(in, tag->at, "this block is never ended");
}

static size_t
trim_before(const struct w_block_reader *in, size_t from, size_t end)
{
	while (end > from && strchr(" \t\r\n", in->text[end - 1]) != NULL)
		end--;
	return end;
}

/* From `literal` on nothing is in steps yet. */
static writ_status
read_tag(struct w_block_reader *in, const struct sign *sign, size_t *io_literal)
{
	struct w_block_tag tag = {0};
	bool trims[2];
	size_t end = in->at;
	bool is_raw = false;
	writ_status status = measure(in, sign, in->at, &tag, trims);

	if (status != WRIT_OK)
		return status;
	size_t behind = tag.behind;
	/* A value stays where it is, also on a line of its own. */
	if (!sign->is_value &&
	    !(sign->read == w_block_read_jet &&
		w_block_name_len(in, tag.from, tag.end) == 0))
		(void)is_alone(in, &tag, &end, &behind);
	if (end < *io_literal)
		end = *io_literal;
	if (trims[0])
		end = trim_before(in, *io_literal, end);
	if (trims[1])
		behind = w_block_skip_blanks(in, tag.behind, in->len);
	status = w_block_add_text(in, *io_literal, end);
	if (status == WRIT_OK)
		status = read_raw(in, &tag, &behind, &is_raw);
	if (status == WRIT_OK && !is_raw && sign->read != NULL)
		status = sign->read(in, &tag);
	*io_literal = in->at = behind;
	return status;
}

static writ_status
read_all(struct w_block_reader *in)
{
	writ_status status = WRIT_OK;
	size_t literal = 0;

	while (status == WRIT_OK && in->at < in->len) {
		const struct sign *sign = find_sign(in, in->at);

		if (sign == NULL) {
			in->at++;
		} else if (!in->is_jet && w_block_begins(in, in->at, "{{{{")) {
			status = w_block_add_text(in, literal, in->at);
			literal = in->at + 2;
			in->at += 4;
		} else {
			status = read_tag(in, sign, &literal);
		}
	}
	if (status == WRIT_OK)
		status = w_block_add_text(in, literal, in->len);
	if (status == WRIT_OK && in->depth > 0)
		return w_block_refuse(in, in->open[in->depth - 1].at,
		    "this block is never ended");
	return status;
}

writ_status
w_block_parse(struct w_arena *arena, const char *text, size_t len,
    enum w_block_syntax syntax, const struct w_block_template **out_template,
    writ_error *err)
{
	struct w_block_reader in = {.arena = arena,
	    .text = text,
	    .len = len,
	    .is_jet = syntax == W_BLOCK_JET,
	    .err = err};
	struct w_block_template *template;

	if (len > W_VALUE_TEXT_MAX)
		return w_block_refuse(&in, 0, "a text of more than 16 MiB");
	const char *nul = len > 0 ? memchr(text, '\0', len) : NULL;
	if (nul != NULL)
		return w_block_refuse(&in, (size_t)(nul - text),
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
