/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Parses templates. Most have no expression: they contain no brace, and need
 * neither memory nor a copy.
 */

#include <string.h>

#include "base/position.h"
#include "expr/parse/expr_tree.h"
#include "expr/parse/token.h"
#include "expr/template/template.h"

#define STAGE "template"

/* Limit of parts in one template. */
#define PARTS_MAX 10000
_Static_assert(PARTS_MAX <= UINT16_MAX && W_VALUE_TEXT_MAX <= UINT32_MAX &&
		   W_EXPR_USES_SECRET <= UINT16_MAX,
    "a template has few bytes for them: a manifest has many templates");

/* Parts of a template without any brace. */
static const struct w_template_part no_parts[1];

struct template_reader {
	struct w_arena *arena;
	const char *text;
	size_t len;
	size_t at;
	struct w_template_part *parts; /* NULL: count only */
	size_t count;
	unsigned uses;
	bool has_marks; /* it has expressions or escapes */
	writ_error *err;
};

static bool
begins(const struct template_reader *in, size_t at, const char *with)
{
	size_t len = strlen(with);

	return in->len - at >= len && memcmp(in->text + at, with, len) == 0;
}

static writ_status
template_read_refuse(
    const struct template_reader *in, size_t at, const char *what)
{
	(void)w_fail(in->err, WRIT_E_INVALID, STAGE, 0, "%s", what);
	w_locate_offset(in->err, in->text, at);
	return WRIT_E_INVALID;
}

/* Finds what closes the expression that starts at `at`. Braces inside are
 * balanced, except in strings. SIZE_MAX: unclosed. */
static size_t
find_close(const struct template_reader *in, size_t at, bool is_double)
{
	size_t depth = 0;

	while (at < in->len) {
		char c = in->text[at];

		if (c == '\'' || c == '"' || c == '`') {
			at = w_token_string_end(in->text, at, in->len);
			if (at == SIZE_MAX)
				break;
			continue;
		}
		if (c == '}' && depth == 0 &&
		    (!is_double || begins(in, at, "}}")))
			return at;
		if (c == '{')
			depth++;
		else if (c == '}' && depth > 0)
			depth--;
		at++;
	}
	return SIZE_MAX;
}

/* ---- errors ---- */

/* Whether it looks like the shell's own ${HOME} or ${x:-y}. */
static bool
looks_like_shell(const struct template_reader *in, size_t from, size_t end)
{
	size_t at = from;

	while (at < end && in->text[at] != '\0' &&
	       strchr("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		      "0123456789#!@*",
		   in->text[at]) != NULL)
		at++;
	return at > from &&
	       (at == end || strchr(":-+=?%/#[^,", in->text[at]) != NULL);
}

static void
suggest_shell(const struct template_reader *in, size_t from, size_t end)
{
	int len = end - from < 40 ? (int)(end - from) : 40;

	if (in->text[from - 2] != '$' || !looks_like_shell(in, from, end))
		return;
	w_suggest(in->err,
	    "write $${%.*s} for what the shell shall see, or $%.*s", len,
	    in->text + from, (int)strcspn(in->text + from, ":-+=?%/#[^,}"),
	    in->text + from);
}

static writ_status
refuse_open(const struct template_reader *in, size_t at, bool is_double)
{
	(void)template_read_refuse(in, at,
	    is_double ? "this '{{' is never closed"
		      : "this '${' is never closed");
	w_suggest(in->err, is_double
			       ? "close it with '}}', or write '{{{{' for "
				 "the characters"
			       : "close it with '}', or write '$${' for "
				 "the characters");
	return WRIT_E_INVALID;
}

/* ---- parts ---- */

static void
template_read_add_part(
    struct template_reader *in, const struct w_template_part *part)
{
	if (in->parts != NULL)
		in->parts[in->count] = *part;
	in->count++;
}

static void
add_literal(struct template_reader *in, size_t from, size_t end)
{
	if (end > from)
		template_read_add_part(
		    in, &(struct w_template_part){.literal = in->text + from,
			    .len = end - from,
			    .offset = from});
}

/* At the opening sign, two bytes long. */
static writ_status
read_expression(struct template_reader *in, bool is_double)
{
	struct w_template_part part = {.offset = in->at};
	size_t from = in->at + 2;
	size_t end = find_close(in, from, is_double);

	if (end == SIZE_MAX)
		return refuse_open(in, in->at, is_double);
	in->at = end + (is_double ? 2 : 1);
	in->has_marks = true;
	if (in->parts == NULL) {
		template_read_add_part(in, &part);
		return WRIT_OK;
	}
	writ_status status = w_expr_compile_part(
	    in->arena, in->text, from, end, &part.expr, in->err);
	if (status != WRIT_OK) {
		suggest_shell(in, from, end);
		return status;
	}
	in->uses |= w_expr_uses(part.expr);
	template_read_add_part(in, &part);
	return WRIT_OK;
}

static writ_status
read_parts(struct template_reader *in)
{
	writ_status status = WRIT_OK;
	size_t literal = 0;

	in->at = 0;
	in->count = 0;
	while (status == WRIT_OK && in->at < in->len) {
		/* The last two bytes of an escape are what it stands for. */
		size_t escape = begins(in, in->at, "{{{{")  ? 4
				: begins(in, in->at, "$${") ? 3
							    : 0;
		bool is_double = begins(in, in->at, "{{");

		in->has_marks = in->has_marks || escape > 0;
		if (escape > 0) {
			add_literal(in, literal, in->at);
			literal = in->at + escape - 2;
			in->at += escape;
		} else if (is_double || (begins(in, in->at, "${") &&
					    !begins(in, in->at, "${{"))) {
			add_literal(in, literal, in->at);
			status = read_expression(in, is_double);
			literal = in->at;
		} else {
			in->at++;
		}
	}
	add_literal(in, literal, in->len);
	return status;
}

/* Two passes over the text: one counts the parts, one builds them. */
static writ_status
template_read_parse(struct template_reader *in, struct w_template *template)
{
	writ_status status = read_parts(in);

	if (status != WRIT_OK || !in->has_marks)
		return status;
	if (in->count > PARTS_MAX)
		return template_read_refuse(
		    in, 0, "a text with too many expressions");
	in->parts = w_arena_alloc(in->arena, in->count, sizeof(*in->parts));
	if (in->parts == NULL)
		return w_fail_nomem(in->err, STAGE);
	status = read_parts(in);
	if (status != WRIT_OK)
		return status;
	template->parts = in->parts;
	template->count = (uint16_t)in->count;
	template->uses = (uint16_t)in->uses;
	return WRIT_OK;
}

writ_status
w_template_parse(struct w_arena *arena, const char *text, size_t len,
    struct w_template *out_template, writ_error *err)
{
	struct w_template template = {.text = text, .parts = no_parts};
	struct template_reader in = {
	    .arena = arena, .text = text, .len = len, .err = err};
	writ_status status = WRIT_OK;

	if (len > W_VALUE_TEXT_MAX)
		return template_read_refuse(
		    &in, 0, "a text of more than 16 MiB");
	const char *nul = len > 0 ? memchr(text, '\0', len) : NULL;
	if (nul != NULL)
		return template_read_refuse(&in, (size_t)(nul - text),
		    "a NUL byte cannot be in a text");
	if (len > 0 && memchr(text, '{', len) != NULL)
		status = template_read_parse(&in, &template);
	if (status != WRIT_OK)
		return status;
	template.len = (uint32_t)len;
	*out_template = template;
	return WRIT_OK;
}

bool
w_template_is_plain(const struct w_template *template)
{
	for (size_t i = 0; i < template->count; i++) {
		if (template->parts[i].expr != NULL)
			return false;
	}
	return true;
}
