/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Arguments as JSON in their normal form: the input that would render this
 * argv. Each parameter once, in the order of the grammar, and each value in one
 * way only: numbers as numbers, all else as text; lists only where several are
 * possible.
 */

#include <stdlib.h>
#include <string.h>

#include "command/parse/argv_parse.h"
#include "command/parse/argv_parser.h"
#include "command/render/argument.h"
#include "data/json.h"

#define NONE SIZE_MAX

struct writing {
	struct w_buf *buf;
	const struct w_argv_parse *parse;
	bool with_secrets;
	size_t *first; /* match of each parameter, or NONE */
	size_t *next;  /* match of the same parameter, or NONE */
};

/* Rendering puts "./" before a file name that could be mistaken for something
 * else. It is not part of the name. */
static const char *
skip_guard(const struct w_param *param, const char *text)
{
	if (param->kind != W_PARAM_OPERAND || !param->is_path ||
	    strncmp(text, "./", 2) != 0)
		return text;
	/* Among flags it is rendered like a leading operand. */
	enum w_slot slot = param->is_step ? W_SLOT_LEADING : param->slot;
	return w_argument_needs_guard(param, slot, text + 2, strlen(text + 2))
		   ? text + 2
		   : text;
}

static void
argv_json_add_word(const struct writing *out, const struct w_param *param,
    size_t which, const char *text)
{
	const enum w_value_type_kind kind =
	    param->values != NULL ? param->values[which].kind : W_VALUE_TEXT;

	if (!out->with_secrets &&
	    (param->is_secret || kind == W_VALUE_SECRET)) {
		w_json_add_text(out->buf, "***");
		return;
	}
	if (kind == W_VALUE_INTEGER || kind == W_VALUE_NUMBER) {
		w_buf_add_str(out->buf, text);
		return;
	}
	text = skip_guard(param, text);
	w_json_add_bytes(out->buf, text, strlen(text));
}

/* The words of a nested command. A terminating "+" is one of them: with ";" it
 * is a different command. */
static void
argv_json_add_words(const struct writing *out, const struct w_match *match)
{
	const struct w_argv_parse *parse = out->parse;
	size_t end = match->word + match->count;

	w_buf_add_char(out->buf, '[');
	for (size_t i = match->word; i < end; i++) {
		const char *word = parse->argv[i];

		if (i > match->word)
			w_buf_add_char(out->buf, ',');
		w_json_add_bytes(out->buf, word, strlen(word));
	}
	if (match->param->is_until_end && end < parse->argc &&
	    strcmp(parse->argv[end], "+") == 0)
		w_buf_add_str(out->buf, ",\"+\"");
	w_buf_add_char(out->buf, ']');
}

static void
argv_json_add_value(const struct writing *out, const struct w_match *match)
{
	const char *const *argv = out->parse->argv;

	if (match->count == 0) {
		w_buf_add_str(out->buf, "true");
		return;
	}
	if (w_argv_parse_is_command(match->param)) {
		argv_json_add_words(out, match);
		return;
	}
	if (match->param->arity <= 1) {
		argv_json_add_word(
		    out, match->param, 0, argv[match->word] + match->offset);
		return;
	}
	w_buf_add_char(out->buf, '[');
	for (size_t i = 0; i < match->count; i++) {
		if (i > 0)
			w_buf_add_char(out->buf, ',');
		argv_json_add_word(out, match->param, i, argv[match->word + i]);
	}
	w_buf_add_char(out->buf, ']');
}

static void
argv_json_add_key(const struct writing *out, const struct w_param *param)
{
	w_json_add_string(out->buf, param->key, param->key_len);
	w_buf_add_char(out->buf, ':');
}

static void
argv_json_add_list(const struct writing *out, size_t at)
{
	const char *between = "";

	w_buf_add_char(out->buf, '[');
	for (; at != NONE; at = out->next[at]) {
		w_buf_add_str(out->buf, between);
		argv_json_add_value(out, &out->parse->matches[at]);
		between = ",";
	}
	w_buf_add_char(out->buf, ']');
}

/* A switch, or a parameter that need not be a list, is one when given more than
 * once. */
static bool
is_list(const struct writing *out, const struct w_param *param, size_t at)
{
	if (!param->is_repeatable ||
	    (w_argv_parse_is_command(param) && param->kind == W_PARAM_OPERAND))
		return false;
	if (out->next[at] != NONE)
		return true;
	if (param->values == NULL)
		return false;
	if (param->schema == NULL)
		return true;
	unsigned types = param->arity > 1 ? param->item_types : param->types;
	return (types & ~(unsigned)(W_TYPE_ARRAY | W_TYPE_NULL)) == 0;
}

static void
add_param(const struct writing *out, const struct w_param *param, size_t at)
{
	argv_json_add_key(out, param);
	if (is_list(out, param, at)) {
		argv_json_add_list(out, at);
		return;
	}
	/* The last use applies. */
	while (out->next[at] != NONE)
		at = out->next[at];
	argv_json_add_value(out, &out->parse->matches[at]);
}

static void
add_steps(const struct writing *out, const struct w_param *sequence)
{
	const struct w_argv_parse *parse = out->parse;
	const char *between = "";

	argv_json_add_key(out, sequence);
	w_buf_add_char(out->buf, '[');
	for (size_t i = 0; i < parse->count; i++) {
		const struct w_match *match = &parse->matches[i];

		if (!match->param->is_step)
			continue;
		w_buf_add_str(out->buf, between);
		w_buf_add_char(out->buf, '{');
		argv_json_add_key(out, match->param);
		argv_json_add_value(out, match);
		w_buf_add_char(out->buf, '}');
		between = ",";
	}
	w_buf_add_char(out->buf, ']');
}

static bool
has_steps(const struct w_argv_parse *parse)
{
	for (size_t i = 0; i < parse->count; i++) {
		if (parse->matches[i].param->is_step)
			return true;
	}
	return false;
}

static void
add_members(const struct writing *out)
{
	const struct w_grammar *grammar = out->parse->grammar;
	const char *between = "";

	for (size_t i = 0; i < grammar->count; i++) {
		const struct w_param *param = &grammar->params[i];
		bool is_sequence =
		    i == grammar->sequence && has_steps(out->parse);

		if (!is_sequence && (out->first[i] == NONE || param->is_step))
			continue;
		w_buf_add_str(out->buf, between);
		if (is_sequence)
			add_steps(out, param);
		else
			add_param(out, param, out->first[i]);
		between = ",";
	}
}

/* The uses of each parameter, from the first to the last. */
static void
link_uses(const struct writing *out)
{
	const struct w_argv_parse *parse = out->parse;

	for (size_t i = 0; i < parse->grammar->count; i++)
		out->first[i] = NONE;
	for (size_t i = parse->count; i > 0; i--) {
		const struct w_param *param = parse->matches[i - 1].param;
		size_t place = (size_t)(param - parse->grammar->params);

		out->next[i - 1] = out->first[place];
		out->first[place] = i - 1;
	}
}

void
w_argv_parse_add_json(
    struct w_buf *buf, const struct w_argv_parse *parse, bool with_secrets)
{
	struct writing out = {
	    .buf = buf, .parse = parse, .with_secrets = with_secrets};
	size_t *links =
	    calloc(parse->grammar->count + parse->count + 1, sizeof(*links));

	if (links == NULL) {
		buf->failed = true;
		return;
	}
	out.first = links;
	out.next = links + parse->grammar->count;
	link_uses(&out);
	w_buf_add_char(buf, '{');
	add_members(&out);
	w_buf_add_char(buf, '}');
	free(links);
}
