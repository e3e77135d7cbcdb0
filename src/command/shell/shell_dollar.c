/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Expansions: variables, arithmetic, and the commands of substitutions. What a
 * word becomes is known only when it runs; the commands in it are read.
 */

#include <string.h>

#include "base/ascii.h"
#include "command/shell/shell_parser.h"

static size_t
name_len(const struct w_shell_parser *parser, size_t ahead)
{
	size_t len = 0;
	char c = w_shell_peek(parser, ahead);

	while (w_is_name_start(c) || (len > 0 && w_is_digit(c)))
		c = w_shell_peek(parser, ahead + ++len);
	return len;
}

void
w_shell_add_commands(struct w_shell_word *word, struct w_shell_node *list)
{
	if (word->last_commands == NULL)
		word->commands = list;
	else
		word->last_commands->next = list;
	for (; list != NULL; list = list->next)
		word->last_commands = list;
}

/* A part whose text is not that of the source: what is in it is shown with its
 * own commands, without their secrets. */
static struct w_shell_part *
add_unseen(struct w_shell_parser *parser, struct w_shell_word *word,
    const char *shown, bool is_quoted)
{
	struct w_shell_part *part = w_shell_add_part(
	    parser, word, W_PART_UNSEEN, parser->at, is_quoted);

	if (part == NULL)
		return NULL;
	part->text = shown;
	part->len = strlen(shown);
	return part;
}

/* The list up to ")", which is passed. */
static void
read_enclosed(struct w_shell_parser *parser, struct w_shell_word *word,
    size_t open, bool may_be_empty)
{
	struct w_shell_node *list;
	size_t from;

	if (!w_shell_enter(parser))
		return;
	/* Where its text begins then, shells disagree about. */
	if (parser->pending != NULL)
		w_shell_stop(parser, open,
		    "a substitution behind a here document is not followed");
	from = parser->at;
	list = w_shell_read_list(parser);
	w_shell_leave(parser);
	if (parser->pending != NULL)
		w_shell_stop(
		    parser, open, "a here document outlives its substitution");
	if (list != NULL)
		w_shell_add_commands(word, list);
	if (parser->is_stopped)
		return;
	if (w_shell_peek(parser, 0) != ')') {
		w_shell_syntax_error(parser, open,
		    "syntax error: this substitution is never closed");
		return;
	}
	if (!may_be_empty && (list == NULL || list->first == NULL))
		w_shell_fault(parser, from, "nothing is substituted here");
	parser->at++;
}

void
w_shell_read_process(struct w_shell_parser *parser, struct w_shell_word *word)
{
	/* A descriptor of this process: no file of any name. */
	static const char name[] = "/dev/fd/63";
	size_t from = parser->at;
	struct w_shell_part *part;

	w_shell_only_bash(parser, from, "only some shells have '<(' and '>('");
	parser->at += 2;
	read_enclosed(parser, word, from, false);
	part = w_shell_add_part(parser, word, W_PART_TEXT, from, true);
	if (part != NULL) {
		part->text = name;
		part->len = sizeof(name) - 1;
	}
}

/* A text in backquotes: a backslash in it has a meaning of its own there. */
static void
read_backquotes(
    struct w_shell_parser *parser, struct w_shell_word *word, bool is_quoted)
{
	const size_t from = parser->at;
	const size_t len = parser->len;
	size_t end = from + 1;
	bool has_escape = false;

	while (end < len && parser->text[end] != '`') {
		if (parser->text[end] == '\\') {
			has_escape = true;
			end++;
		}
		end++;
	}
	if (end >= len) {
		w_shell_syntax_error(parser, from,
		    "syntax error: this backquote is never closed");
		return;
	}
	if (has_escape)
		w_shell_fault(parser, from,
		    "a backslash between backquotes is not followed");
	if (!w_shell_enter(parser))
		return;
	struct w_here_document *pending = parser->pending;
	parser->pending = NULL;
	parser->at = from + 1;
	parser->len = end;
	struct w_shell_node *list = w_shell_read_list(parser);
	if (list != NULL)
		w_shell_add_commands(word, list);
	if (!parser->is_stopped && parser->at < end)
		w_shell_syntax_error(parser, parser->at,
		    "syntax error: nothing is open that this could close");
	if (parser->pending != NULL)
		w_shell_fault(
		    parser, from, "a here document outlives its substitution");
	parser->pending = pending;
	parser->len = len;
	parser->at = end + 1;
	w_shell_leave(parser);
	(void)add_unseen(parser, word, "$(...)", is_quoted);
}

/* ---- arithmetic ---- */

/* Whether an operator there sets a variable. */
static bool
is_assignment(const struct w_shell_parser *parser, char last)
{
	const char c = w_shell_peek(parser, 0);
	const char next = w_shell_peek(parser, 1);

	return (c == '=' && next != '=' && strchr("=!<>", last) == NULL) ||
	       ((c == '+' || c == '-') && next == c);
}

/* From behind "((" to behind "))". Commands in it are kept. Returns whether it
 * sets a variable. */
bool
w_shell_read_arithmetic(
    struct w_shell_parser *parser, struct w_shell_word *word, size_t open)
{
	struct w_shell_word inside = {.offset = parser->at};
	bool is_assigning = false;
	size_t depth = 0;

	if (!w_shell_enter(parser))
		return false;
	while (!parser->is_stopped && parser->at < parser->len) {
		const char c = w_shell_peek(parser, 0);
		const char next = w_shell_peek(parser, 1);

		if (c == ')' && depth == 0)
			break;
		is_assigning |=
		    is_assignment(parser, parser->text[parser->at - 1]);
		if (c == '`' || (c == '$' && (next == '(' || next == '{'))) {
			w_shell_fault(parser, open,
			    "what is substituted in arithmetic is not "
			    "followed");
			w_shell_read_dollar(parser, &inside, true);
			continue;
		}
		if (strchr("'\"\\[{#", c) != NULL)
			w_shell_fault(
			    parser, open, "this arithmetic is not followed");
		depth += c == '(' ? 1 : 0;
		depth -= c == ')' ? 1 : 0;
		parser->at++;
	}
	w_shell_leave(parser);
	if (inside.commands != NULL)
		w_shell_add_commands(word, inside.commands);
	if (w_shell_peek(parser, 0) == ')' && w_shell_peek(parser, 1) == ')')
		parser->at += 2;
	else
		w_shell_stop(parser, open, "this arithmetic is not followed");
	parser->changes += is_assigning ? 1 : 0;
	return is_assigning;
}

static void
read_arithmetic(
    struct w_shell_parser *parser, struct w_shell_word *word, bool is_quoted)
{
	const size_t from = parser->at;
	struct w_shell_part *part;

	parser->at += 3;
	bool is_assigning = w_shell_read_arithmetic(parser, word, from);
	part = w_shell_add_part(parser, word, W_PART_NUMBER, from, is_quoted);
	if (part != NULL) {
		part->is_arithmetic = true;
		part->is_assigning = is_assigning;
	}
}

/* ---- ${...} ---- */

/* The word of an expansion, up to "}": the commands in it are kept, the rest is
 * known only when it runs. */
static void
read_operand(struct w_shell_parser *parser, struct w_shell_word *word,
    size_t open, bool is_quoted)
{
	struct w_shell_word inside = {.offset = parser->at};

	if (!w_shell_enter(parser))
		return;
	while (!parser->is_stopped && parser->at < parser->len &&
	       parser->text[parser->at] != '}') {
		char c = parser->text[parser->at];

		if (c == '$' || c == '`') {
			w_shell_read_dollar(parser, &inside, is_quoted);
		} else if (c == '\\') {
			parser->at += parser->at + 1 < parser->len ? 2 : 1;
		} else if (c == '\'' && !is_quoted) {
			const char *close =
			    memchr(parser->text + parser->at + 1, '\'',
				parser->len - parser->at - 1);

			if (close == NULL)
				parser->at = parser->len;
			else
				parser->at = (size_t)(close - parser->text) + 1;
		} else if (c == '"') {
			parser->at++;
			w_shell_read_expanding(parser, &inside, '"');
			parser->at += parser->at < parser->len ? 1 : 0;
		} else {
			if (c == '\'' || c == '{')
				w_shell_fault(parser, parser->at,
				    "shells read this expansion differently");
			parser->at++;
		}
	}
	w_shell_leave(parser);
	if (inside.commands != NULL)
		w_shell_add_commands(word, inside.commands);
	if (parser->is_stopped)
		return;
	if (parser->at >= parser->len)
		w_shell_syntax_error(parser, open,
		    "syntax error: this expansion is never closed");
	else
		parser->at++;
}

/* Whether an operator of ${NAME...} runs nothing and means the same to all.
 * *out_is_assigning: it sets the variable. */
static bool
is_known_operator(struct w_shell_parser *parser, bool *out_is_assigning)
{
	char c = w_shell_peek(parser, 0);
	char next = w_shell_peek(parser, 1);

	*out_is_assigning = c == '=' || (c == ':' && next == '=');
	if (c == ':')
		return next == '-' || next == '=' || next == '?' || next == '+';
	if (c != '\0' && strchr("-=?+%#", c) != NULL)
		return true;
	if (parser->is_bash && (c == '/' || c == '^' || c == ','))
		return true;
	return parser->is_bash && c == '[' && (next == '@' || next == '*') &&
	       w_shell_peek(parser, 2) == ']' && w_shell_peek(parser, 3) == '}';
}

static void
read_braced(
    struct w_shell_parser *parser, struct w_shell_word *word, bool is_quoted)
{
	const size_t from = parser->at;
	struct w_shell_part *part;
	bool is_assigning = false;

	parser->at += 2;
	size_t len = name_len(parser, 0);
	if (len > 0 && w_shell_peek(parser, len) == '}') {
		parser->at += len + 1;
		part = w_shell_add_part(
		    parser, word, W_PART_VARIABLE, from, is_quoted);
		if (part != NULL) {
			part->text += 2;
			part->len = len;
		}
		return;
	}
	if (w_shell_peek(parser, 0) == '#') {
		len = name_len(parser, 1);
		if (len > 0 && w_shell_peek(parser, 1 + len) == '}') {
			parser->at += len + 2;
			(void)w_shell_add_part(
			    parser, word, W_PART_NUMBER, from, is_quoted);
			return;
		}
	}
	if (len == 0 && w_is_digit(w_shell_peek(parser, 0))) {
		while (w_is_digit(w_shell_peek(parser, len)))
			len++;
		if (w_shell_peek(parser, len) == '}') {
			parser->at += len + 1;
			(void)w_shell_add_part(
			    parser, word, W_PART_UNSEEN, from, is_quoted);
			return;
		}
	}
	parser->at += len;
	bool is_many = len == 0 || w_shell_peek(parser, 0) == '[';
	if (parser->at == parser->len) {
		w_shell_syntax_error(parser, from,
		    "syntax error: this expansion is never closed");
		return;
	}
	if (len == 0 || !is_known_operator(parser, &is_assigning))
		w_shell_fault(parser, from, "this expansion is not followed");
	parser->changes += is_assigning ? 1 : 0;
	read_operand(parser, word, from, is_quoted);
	part = add_unseen(parser, word, "${...}", is_quoted);
	if (part != NULL) {
		part->is_assigning = is_assigning;
		part->is_many = is_many;
	}
}

/* ---- the others ---- */

static void
read_named(
    struct w_shell_parser *parser, struct w_shell_word *word, bool is_quoted)
{
	const size_t from = parser->at;
	const size_t len = name_len(parser, 1);
	const char c = w_shell_peek(parser, 1);
	struct w_shell_part *part;

	if (len > 0) {
		parser->at += 1 + len;
		part = w_shell_add_part(
		    parser, word, W_PART_VARIABLE, from, is_quoted);
		if (part != NULL) {
			part->text++;
			part->len = len;
		}
		return;
	}
	if (c != '\0' && strchr("?#$!", c) != NULL) {
		parser->at += 2;
		(void)w_shell_add_part(
		    parser, word, W_PART_NUMBER, from, is_quoted);
		return;
	}
	if (w_is_digit(c) || c == '@' || c == '*' || c == '-') {
		parser->at += 2;
		part = w_shell_add_part(
		    parser, word, W_PART_UNSEEN, from, is_quoted);
		if (part != NULL)
			part->is_many = c == '@';
		return;
	}
	w_shell_add_text(parser, word, "$", 1, is_quoted);
	parser->at++;
}

/* What only bash has: $'...', $"...", $[...]. */
static void
read_odd(struct w_shell_parser *parser, struct w_shell_word *word)
{
	const size_t from = parser->at;
	const char c = w_shell_peek(parser, 1);
	size_t end = from + 2;

	if (c != '\'') {
		w_shell_fault(parser, from, "only some shells have this '$'");
		parser->at++;
		return;
	}
	w_shell_fault(parser, from, "what \"$'\" means depends on the shell");
	while (end < parser->len && parser->text[end] != '\'')
		end += parser->text[end] == '\\' ? 2 : 1;
	if (end >= parser->len) {
		w_shell_stop(parser, from, "this single quote is never closed");
		return;
	}
	parser->at = end + 1;
	word->is_quoted = true;
	(void)w_shell_add_part(parser, word, W_PART_UNSEEN, from, true);
}

void
w_shell_read_dollar(
    struct w_shell_parser *parser, struct w_shell_word *word, bool is_quoted)
{
	const size_t from = parser->at;
	const char next = w_shell_peek(parser, 1);

	if (parser->text[from] == '`') {
		read_backquotes(parser, word, is_quoted);
	} else if (next == '(' && w_shell_peek(parser, 2) == '(') {
		read_arithmetic(parser, word, is_quoted);
	} else if (next == '(') {
		parser->at += 2;
		read_enclosed(parser, word, from, true);
		(void)add_unseen(parser, word, "$(...)", is_quoted);
	} else if (next == '{') {
		read_braced(parser, word, is_quoted);
	} else if (next == '[' ||
		   (!is_quoted && (next == '\'' || next == '"'))) {
		read_odd(parser, word);
	} else {
		read_named(parser, word, is_quoted);
	}
}
