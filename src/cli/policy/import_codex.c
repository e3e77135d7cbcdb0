/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Rules of Codex: prefix_rule(pattern=[...], decision=...) in a .rules file,
 * which is Starlark. Only calls with texts and lists of texts are read; a word
 * of the pattern may be a list of alternatives. What else the file has is told.
 */

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/policy/import_rules.h"

#define STAGE     "import"
#define WORDS_MAX 16
#define ALTS_MAX  16
#define TEXT_MAX  ((size_t)64 << 10)

struct codex_reader {
	const char *start;
	const char *at;
	struct w_import *import;
	struct w_arena arena;
	/* Of the current call. */
	const char *words[WORDS_MAX][ALTS_MAX];
	size_t alternatives[WORDS_MAX];
	size_t word_count;
	const char *decision;
	const char *why;
};

static writ_status
fail_here(const struct codex_reader *reader, const char *what, writ_error *err)
{
	unsigned line = 1;

	for (const char *at = reader->start; at < reader->at; at++)
		line += *at == '\n';
	return w_fail(err, WRIT_E_INVALID, STAGE, 0, "line %u: %s", line, what);
}

static void
skip_blanks(struct codex_reader *reader)
{
	for (;;) {
		reader->at += strspn(reader->at, " \t\r\n\\");
		if (*reader->at != '#')
			return;
		reader->at += strcspn(reader->at, "\n");
	}
}

static bool
accept(struct codex_reader *reader, char c)
{
	skip_blanks(reader);
	if (*reader->at != c)
		return false;
	reader->at++;
	return true;
}

/* "..." or '...', also three times, with the escapes \\ \" \' \n \t. */
static writ_status
read_text(struct codex_reader *reader, const char **out, writ_error *err)
{
	const char quote = *reader->at;
	const bool is_long = reader->at[1] == quote && reader->at[2] == quote;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	reader->at += is_long ? 3 : 1;
	for (; *reader->at != '\0'; reader->at++) {
		char c = *reader->at;

		if (c == quote && (!is_long || (reader->at[1] == quote &&
						   reader->at[2] == quote)))
			break;
		if (c == '\n' && !is_long)
			return fail_here(reader, "a text without an end", err);
		if (c == '\\' && reader->at[1] != '\0') {
			c = *++reader->at;
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
		}
		w_buf_add_char(&text, c);
	}
	if (*reader->at == '\0')
		return fail_here(reader, "a text without an end", err);
	reader->at += is_long ? 3 : 1;
	*out = text.failed ? NULL
			   : w_arena_text(&reader->arena, text.data, text.len);
	return *out == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static writ_status
read_item(struct codex_reader *reader, const char **out, writ_error *err)
{
	skip_blanks(reader);
	if (*reader->at != '"' && *reader->at != '\'')
		return fail_here(reader, "expected a text", err);
	return read_text(reader, out, err);
}

/* Behind an item of a list. */
static writ_status
read_separator(struct codex_reader *reader, writ_error *err)
{
	if (accept(reader, ','))
		return WRIT_OK;
	skip_blanks(reader);
	return *reader->at == ']' ? WRIT_OK
				  : fail_here(reader, "expected ']'", err);
}

/* ["a", "b"] as alternatives of one word. */
static writ_status
read_alternatives(struct codex_reader *reader, size_t word, writ_error *err)
{
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && !accept(reader, ']')) {
		if (reader->alternatives[word] == ALTS_MAX)
			return fail_here(reader, "too many alternatives", err);
		status = read_item(reader,
		    &reader->words[word][reader->alternatives[word]++], err);
		if (status == WRIT_OK)
			status = read_separator(reader, err);
	}
	return status;
}

static writ_status
read_pattern(struct codex_reader *reader, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (!accept(reader, '['))
		return fail_here(reader, "pattern is not a list", err);
	while (status == WRIT_OK && !accept(reader, ']')) {
		const size_t word = reader->word_count;

		if (word == WORDS_MAX)
			return fail_here(
			    reader, "the pattern is too long", err);
		reader->word_count++;
		reader->alternatives[word] = 0;
		if (accept(reader, '[')) {
			status = read_alternatives(reader, word, err);
		} else {
			status =
			    read_item(reader, &reader->words[word][0], err);
			reader->alternatives[word] = 1;
		}
		if (status == WRIT_OK)
			status = read_separator(reader, err);
	}
	return status;
}

/* Passes over a value: texts, brackets, names, numbers. */
static writ_status
skip_value(struct codex_reader *reader, writ_error *err)
{
	size_t depth = 0;

	for (;;) {
		const char *ignored;

		skip_blanks(reader);
		const char c = *reader->at;
		if (c == '\0')
			return fail_here(
			    reader, "the file ends in a call", err);
		if (c == '"' || c == '\'') {
			if (read_text(reader, &ignored, err) != WRIT_OK)
				return err->status;
			continue;
		}
		if (depth == 0 && (c == ',' || c == ')'))
			return WRIT_OK;
		depth += c == '[' || c == '(' || c == '{';
		if (c == ']' || c == ')' || c == '}') {
			if (depth == 0)
				return fail_here(reader,
				    "a bracket that opens nowhere", err);
			depth--;
		}
		reader->at++;
	}
}

static size_t
read_name(struct codex_reader *reader, char out[64])
{
	size_t len = 0;

	skip_blanks(reader);
	while (w_is_digit(reader->at[len]) || reader->at[len] == '_' ||
	       (reader->at[len] >= 'a' && reader->at[len] <= 'z') ||
	       (reader->at[len] >= 'A' && reader->at[len] <= 'Z'))
		len++;
	(void)snprintf(out, 64, "%.*s", (int)(len < 63 ? len : 63), reader->at);
	reader->at += len;
	return len;
}

static writ_status
read_argument(struct codex_reader *reader, writ_error *err)
{
	char name[64];

	if (read_name(reader, name) == 0 || !accept(reader, '='))
		return fail_here(reader, "expected name=value", err);
	skip_blanks(reader);
	if (strcmp(name, "pattern") == 0)
		return read_pattern(reader, err);
	const bool is_text = *reader->at == '"' || *reader->at == '\'';
	if (is_text && strcmp(name, "decision") == 0)
		return read_text(reader, &reader->decision, err);
	if (is_text && strcmp(name, "justification") == 0)
		return read_text(reader, &reader->why, err);
	return skip_value(reader, err);
}

/* One rule for each choice of alternatives. */
static writ_status
add_choices(struct codex_reader *reader, const char *verdict, const char *from,
    writ_error *err)
{
	size_t chosen[WORDS_MAX] = {0};
	size_t word;

	do {
		struct w_import_rule rule = {
		    .verdict = verdict, .from = from, .why = reader->why};
		W_AUTO_BUF struct w_buf shape;

		w_buf_init(&shape, TEXT_MAX);
		for (size_t i = 0; i < reader->word_count; i++) {
			w_buf_add_str(&shape, i > 0 ? " " : "");
			w_words_quote(&shape, reader->words[i][chosen[i]]);
		}
		w_buf_add_str(&shape, " ...");
		rule.shape = shape.data;
		if (shape.failed)
			return w_fail_nomem(err, STAGE);
		if (w_cli_import_add(reader->import, &rule, err) != WRIT_OK)
			return err->status;
		word = reader->word_count;
		while (word > 0 &&
		       ++chosen[word - 1] == reader->alternatives[word - 1])
			chosen[--word] = 0;
	} while (word > 0);
	return WRIT_OK;
}

/* A word that means something else in a shape. */
static writ_status
add_special(struct codex_reader *reader, const char *from, writ_error *err)
{
	const struct w_import_rule rule = {.from = from,
	    .why = "'*' and '...' have a meaning of their own in a shape"};

	return w_cli_import_add(reader->import, &rule, err);
}

/* The call on one line. */
static void
shorten(const char *text, size_t len, char out[160])
{
	size_t to = 0;

	for (size_t i = 0; i < len && to < 150; i++) {
		const bool is_blank = (unsigned char)text[i] <= ' ';

		if (is_blank && to > 0 && out[to - 1] == ' ')
			continue;
		out[to++] = text[i];
		if (is_blank)
			out[to - 1] = ' ';
	}
	out[to] = '\0';
}

static writ_status
add_call(struct codex_reader *reader, const char *from, writ_error *err)
{
	static const char *const decisions[][2] = {
	    {"allow", "allow"}, {"prompt", "ask"}, {"forbidden", "deny"}};
	const char *decision =
	    reader->decision == NULL ? "allow" : reader->decision;

	for (size_t i = 0; i < reader->word_count; i++) {
		if (reader->alternatives[i] == 0)
			return fail_here(reader, "an empty list", err);
		for (size_t k = 0; k < reader->alternatives[i]; k++) {
			const char *word = reader->words[i][k];

			if (strcmp(word, "*") == 0 || strcmp(word, "...") == 0)
				return add_special(reader, from, err);
		}
	}
	if (reader->word_count == 0)
		return fail_here(reader, "prefix_rule without a pattern", err);
	for (size_t i = 0; i < 3; i++) {
		if (strcmp(decision, decisions[i][0]) == 0)
			return add_choices(reader, decisions[i][1], from, err);
	}
	return fail_here(
	    reader, "the decision is not allow, prompt or forbidden", err);
}

/* One call, or another statement, which is passed over and told. */
static writ_status
read_statement(struct codex_reader *reader, writ_error *err)
{
	const char *begin = reader->at;
	char name[64];
	writ_status status = WRIT_OK;

	reader->word_count = 0;
	reader->decision = NULL;
	reader->why = NULL;
	const size_t len = read_name(reader, name);
	if (len == 0 || !accept(reader, '('))
		return fail_here(reader,
		    "only calls such as prefix_rule(...) are read", err);
	const bool is_rule = strcmp(name, "prefix_rule") == 0;
	while (status == WRIT_OK && !accept(reader, ')')) {
		status = is_rule ? read_argument(reader, err)
				 : skip_value(reader, err);
		if (status == WRIT_OK)
			(void)accept(reader, ',');
	}
	if (status != WRIT_OK)
		return status;
	char from[160];
	shorten(begin, (size_t)(reader->at - begin), from);
	if (is_rule)
		return add_call(reader, from, err);
	const struct w_import_rule rule = {
	    .from = from, .why = "only prefix_rule is about commands"};
	return w_cli_import_add(reader->import, &rule, err);
}

writ_status
w_cli_import_codex(
    struct w_import *import, const struct w_buf *text, writ_error *err)
{
	struct codex_reader reader = {
	    .start = text->data, .at = text->data, .import = import};
	writ_status status = WRIT_OK;

	if (strlen(text->data) != text->len)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the file has a NUL character in it");
	skip_blanks(&reader);
	while (status == WRIT_OK && *reader.at != '\0') {
		status = read_statement(&reader, err);
		skip_blanks(&reader);
	}
	w_arena_done(&reader.arena);
	return status;
}

writ_status
w_cli_import_codex_config(
    struct w_import *import, const struct w_buf *text, writ_error *err)
{
	static const struct {
		const char *key;
		const char *why;
	} known[] = {
	    {"approval_policy",
		"'default: ask', and who answers, are its like"},
	    {"sandbox_mode",
		"'sandbox: readonly', 'workspace' or 'none' is its like"},
	    {"network_access", "'network' of a policy is its like"},
	    {"writable_roots", "'roots' of a policy are its like"},
	};
	const char *line = text->data;

	while (*line != '\0') {
		const size_t len = strcspn(line, "\r\n");
		const size_t blank = strspn(line, " \t");

		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			const size_t key = strlen(known[i].key);
			char from[160];

			if (strncmp(line + blank, known[i].key, key) != 0 ||
			    strchr(" \t=", line[blank + key]) == NULL ||
			    line[blank + key] == '\0')
				continue;
			(void)snprintf(from, sizeof(from), "%.*s",
			    (int)(len - blank < 150 ? len - blank : 150),
			    line + blank);
			const struct w_import_rule rule = {
			    .from = from, .why = known[i].why};
			if (w_cli_import_add(import, &rule, err) != WRIT_OK)
				return err->status;
		}
		line += len;
		line += strspn(line, "\r\n");
	}
	return WRIT_OK;
}
