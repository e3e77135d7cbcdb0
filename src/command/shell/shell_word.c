/* SPDX-License-Identifier: Apache-2.0 */

/* The words of a shell text: quotes, backslashes, patterns, braces, "~". */

#include <string.h>

#include "base/ascii.h"
#include "command/shell/shell_parser.h"

/* How far the end of a brace expansion is looked for. */
#define BRACE_LEN_MAX 1000

bool
w_shell_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool
w_shell_is_operator(char c)
{
	return c != '\0' && strchr("\n;&|<>()", c) != NULL;
}

static bool
is_at_continuation(const struct w_shell_parser *parser)
{
	return w_shell_peek(parser, 0) == '\\' &&
	       w_shell_peek(parser, 1) == '\n';
}

void
w_shell_skip_blanks(struct w_shell_parser *parser)
{
	for (;;) {
		if (w_shell_is_blank(w_shell_peek(parser, 0)))
			parser->at += 1;
		else if (is_at_continuation(parser))
			parser->at += 2;
		else
			return;
	}
}

static struct w_shell_part *
append_part(struct w_shell_parser *parser, struct w_shell_word *word)
{
	struct w_shell_part *part = w_shell_alloc(parser, sizeof(*part));

	if (part == NULL)
		return NULL;
	if (word->last == NULL)
		word->parts = part;
	else
		word->last->next = part;
	word->last = part;
	return part;
}

void
w_shell_add_text(struct w_shell_parser *parser, struct w_shell_word *word,
    const char *text, size_t len, bool is_quoted)
{
	struct w_shell_part *part = word->last;
	const bool is_same = part != NULL && part->kind == W_PART_TEXT &&
			     part->is_quoted == is_quoted &&
			     part->text + part->len == parser->out;

	if (!is_same) {
		part = append_part(parser, word);
		if (part == NULL)
			return;
		part->kind = W_PART_TEXT;
		part->is_quoted = is_quoted;
		part->text = parser->out;
	}
	memcpy(parser->out, text, len);
	parser->out += len;
	part->len += len;
}

struct w_shell_part *
w_shell_add_part(struct w_shell_parser *parser, struct w_shell_word *word,
    enum w_shell_part_kind kind, size_t from, bool is_quoted)
{
	struct w_shell_part *part = append_part(parser, word);

	if (part == NULL)
		return NULL;
	part->kind = kind;
	part->is_quoted = is_quoted;
	part->text = parser->text + from;
	part->len = parser->at - from;
	return part;
}

/* ---- quotes ---- */

static void
read_single(struct w_shell_parser *parser, struct w_shell_word *word)
{
	size_t open = parser->at++;
	const char *from = parser->text + parser->at;
	const char *close = memchr(from, '\'', parser->len - parser->at);

	if (close == NULL) {
		w_shell_add_text(
		    parser, word, from, parser->len - parser->at, true);
		parser->at = parser->len;
		w_shell_syntax_error(parser, open,
		    "syntax error: this single quote is never closed");
		return;
	}
	size_t len = (size_t)(close - from);
	w_shell_add_text(parser, word, from, len, true);
	parser->at += len + 1;
}

/* A backslash in double quotes, or in a here document. */
static void
read_double_escape(
    struct w_shell_parser *parser, struct w_shell_word *word, char end)
{
	char next = w_shell_peek(parser, 1);
	const bool is_escape =
	    next != '\0' && (strchr("$`\\\n", next) != NULL || next == end);

	if (!is_escape)
		w_shell_add_text(parser, word, "\\", 1, true);
	parser->at++;
	if (parser->at == parser->len)
		return;
	if (next != '\n' || !is_escape)
		w_shell_add_text(
		    parser, word, parser->text + parser->at, 1, true);
	parser->at++;
}

void
w_shell_read_expanding(
    struct w_shell_parser *parser, struct w_shell_word *word, char end)
{
	while (!parser->is_stopped && parser->at < parser->len) {
		char c = parser->text[parser->at];

		if (end != '\0' && c == end)
			return;
		if (c == '$' || c == '`') {
			w_shell_read_dollar(parser, word, true);
		} else if (c == '\\') {
			read_double_escape(parser, word, end);
		} else {
			w_shell_add_text(
			    parser, word, parser->text + parser->at, 1, true);
			parser->at++;
		}
	}
}

static void
read_double(struct w_shell_parser *parser, struct w_shell_word *word)
{
	size_t open = parser->at++;

	w_shell_add_text(parser, word, "", 0, true);
	w_shell_read_expanding(parser, word, '"');
	if (w_shell_peek(parser, 0) != '"')
		w_shell_syntax_error(parser, open,
		    "syntax error: this double quote is never closed");
	else
		parser->at++;
}

static void
read_escape(struct w_shell_parser *parser, struct w_shell_word *word)
{
	if (parser->at + 1 == parser->len) {
		w_shell_stop(
		    parser, parser->at, "nothing follows this backslash");
		return;
	}
	w_shell_add_text(parser, word, parser->text + parser->at + 1, 1, true);
	parser->at += 2;
}

/* ---- what is special without quotes ---- */

/* Whether "{" begins a brace expansion, and how long it is; 0: it does not. */
static size_t
brace_len(const struct w_shell_parser *parser)
{
	size_t depth = 0;
	bool has_comma = false;
	bool is_closed = false;

	for (size_t i = 0;; i++) {
		char c = w_shell_peek(parser, i);

		if (i == BRACE_LEN_MAX)
			return i;
		if (c == '\0' || w_shell_is_blank(c) || w_shell_is_operator(c))
			return 0;
		if (c == '\'' || c == '"' || c == '\\' || c == '$' || c == '`')
			/* It may end behind that. */
			return i > 1 ? i : 1;
		if (c == '{')
			depth++;
		if (is_closed && (c == ',' || c == '.'))
			return 1;
		has_comma |= c == ',' ||
			     (c == '.' && w_shell_peek(parser, i + 1) == '.');
		if (c == '}' && depth > 0 && --depth == 0 && has_comma)
			return is_closed ? 1 : i + 1;
		/* bash takes "{a},b}" for one. */
		is_closed |= depth == 0;
	}
}

/* Braces become several words; what is in them has no "/" and begins with no
 * dot, or it may name anything. */
static void
read_brace(struct w_shell_parser *parser, struct w_shell_word *word, size_t len)
{
	const char *text = parser->text + parser->at;
	const bool is_name = memchr(text, '/', len) == NULL &&
			     memchr(text, '.', len) == NULL &&
			     text[len - 1] == '}';
	struct w_shell_part *part;

	w_shell_only_bash(parser, parser->at,
	    "unquoted braces mean different things to shells");
	parser->at += len;
	part = w_shell_add_part(parser, word,
	    is_name ? W_PART_PATTERN : W_PART_UNSEEN, parser->at - len, false);
	if (part != NULL)
		part->is_many = true;
}

static void
read_pattern(struct w_shell_parser *parser, struct w_shell_word *word)
{
	size_t from = parser->at;

	while (w_shell_peek(parser, 0) != '\0' &&
	       strchr("*?[", w_shell_peek(parser, 0)) != NULL)
		parser->at++;
	if (w_shell_peek(parser, 0) == '(')
		w_shell_stop(
		    parser, from, "this pattern is of some shells only");
	(void)w_shell_add_part(parser, word, W_PART_PATTERN, from, false);
}

/* "~" at the beginning of a word, or of a value. */
static void
read_tilde(struct w_shell_parser *parser, struct w_shell_word *word)
{
	size_t from = parser->at++;
	char next = w_shell_peek(parser, 0);
	struct w_shell_part *part;

	if (next == '/' || next == '\0' || w_shell_is_blank(next) ||
	    w_shell_is_operator(next)) {
		(void)w_shell_add_part(parser, word, W_PART_HOME, from, false);
		return;
	}
	while (w_is_name_start(next) || w_is_digit(next) || next == '-' ||
	       next == '.' || next == '+') {
		parser->at++;
		next = w_shell_peek(parser, 0);
	}
	part = w_shell_add_part(parser, word, W_PART_UNSEEN, from, true);
	if (part != NULL)
		w_shell_fault(parser, from,
		    "the directory that this '~' becomes is not known");
}

static bool
shell_word_is_name(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len &&
	       (w_is_name_start(text[at]) || (at > 0 && w_is_digit(text[at]))))
		at++;
	return len > 0 && at == len;
}

/* A "~" behind "=" or ":" is expanded in assignments, by bash also in other
 * words that look like one. */
static bool
is_tilde(struct w_shell_parser *parser, const struct w_shell_word *word,
    enum w_shell_place place)
{
	char last;

	if (parser->at == word->offset)
		return true;
	last = parser->text[parser->at - 1];
	if (last != '=' && last != ':')
		return false;
	if (place == W_PLACE_FIRST && word->name_len > 0 && last == '=' &&
	    parser->at == word->offset + word->name_len + 1)
		return true;
	w_shell_fault(
	    parser, parser->at, "an unquoted '~' may become a directory");
	return false;
}

/* One step of a word without quotes. */
static void
read_bare(struct w_shell_parser *parser, struct w_shell_word *word,
    enum w_shell_place place)
{
	const char c = parser->text[parser->at];
	const char next = w_shell_peek(parser, 1);
	const bool is_value = word->name_len > 0 && place == W_PLACE_FIRST;
	const bool is_alone = parser->at == word->offset &&
			      (next == '\0' || w_shell_is_blank(next) ||
				  w_shell_is_operator(next));
	size_t len;

	if (c == '~' && is_tilde(parser, word, place)) {
		read_tilde(parser, word);
		return;
	}
	if ((c == '*' || c == '?' || (c == '[' && !is_alone)) && !is_value) {
		read_pattern(parser, word);
		return;
	}
	if (c == '{' && next != '}' && !is_value && place != W_PLACE_TEST) {
		len = brace_len(parser);
		if (len > 0) {
			read_brace(parser, word, len);
			return;
		}
	}
	if (c == '!' && !is_alone && next != '=' && parser->has_history)
		w_shell_fault(parser, parser->at,
		    "an unquoted '!' negates a command or recalls one");
	w_shell_add_text(parser, word, parser->text + parser->at, 1, false);
	parser->at++;
}

static void
read_step(struct w_shell_parser *parser, struct w_shell_word *word,
    enum w_shell_place place)
{
	char c = parser->text[parser->at];

	if (is_at_continuation(parser)) {
		word->is_continued = true;
		parser->at += 2;
		return;
	}
	if (c == '\'' || c == '"' || c == '\\') {
		word->is_quoted = true;
		if (c == '\'')
			read_single(parser, word);
		else if (c == '"')
			read_double(parser, word);
		else
			read_escape(parser, word);
	} else if (c == '$' || c == '`') {
		w_shell_read_dollar(parser, word, false);
	} else {
		read_bare(parser, word, place);
	}
}

static bool
is_process(const struct w_shell_parser *parser)
{
	char c = w_shell_peek(parser, 0);

	return (c == '<' || c == '>') && w_shell_peek(parser, 1) == '(';
}

/* Whether an "=" here ends the name of an assignment. */
static bool
ends_name(const struct w_shell_parser *parser, const struct w_shell_word *word)
{
	const struct w_shell_part *part = word->parts;

	return parser->text[parser->at] == '=' && !word->is_quoted &&
	       word->name_len == 0 && part != NULL && part->next == NULL &&
	       part->kind == W_PART_TEXT &&
	       shell_word_is_name(part->text, part->len);
}

struct w_shell_word *
w_shell_read_word(struct w_shell_parser *parser, enum w_shell_place place)
{
	struct w_shell_word *word;
	char c = w_shell_peek(parser, 0);

	if (parser->is_stopped || parser->at == parser->len ||
	    w_shell_is_blank(c) ||
	    (w_shell_is_operator(c) && !is_process(parser)))
		return NULL;
	word = w_shell_alloc(parser, sizeof(*word));
	if (word == NULL)
		return NULL;
	word->offset = parser->at;
	while (!parser->is_stopped && parser->at < parser->len) {
		c = parser->text[parser->at];
		if (is_process(parser)) {
			w_shell_read_process(parser, word);
			continue;
		}
		if (w_shell_is_blank(c) || w_shell_is_operator(c))
			break;
		if (ends_name(parser, word))
			word->name_len = word->parts->len;
		read_step(parser, word, place);
	}
	word->end = parser->at;
	return word;
}

bool
w_shell_word_is(const struct w_shell_word *word, const char *text)
{
	const struct w_shell_part *part = word->parts;

	return part != NULL && part->len > 0 && part->text[0] == text[0] &&
	       !word->is_quoted && part->next == NULL &&
	       part->kind == W_PART_TEXT && part->len == strlen(text) &&
	       memcmp(part->text, text, part->len) == 0;
}

const struct w_shell_part *
w_shell_plain(const struct w_shell_word *word)
{
	const struct w_shell_part *part = word->parts;

	return part != NULL && !word->is_quoted && part->next == NULL &&
		       part->kind == W_PART_TEXT
		   ? part
		   : NULL;
}
