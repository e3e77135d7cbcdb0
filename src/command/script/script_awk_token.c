/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The awk lexer. A slash begins a regular expression or divides, and a wrong
 * guess would take code for text. So the program is refused wherever awks could
 * differ, or the answer needs more than the previous token.
 */

#include "command/script/script_awk.h"

#include <string.h>

#include "base/ascii.h"

/* Open parentheses, brackets and braces. */
#define DEPTH_MAX 256

struct lexer {
	struct w_script_reader *in;
	struct w_buf *tokens;
	struct w_awk_token last;
	char closers[DEPTH_MAX]; /* for each open one */
	bool is_heading[DEPTH_MAX];
	size_t depth;
};

bool
w_awk_is(const struct w_script_reader *in, const struct w_awk_token *token,
    const char *word)
{
	return (token->kind == W_AWK_NAME || token->kind == W_AWK_OPERATOR) &&
	       strlen(word) == token->len &&
	       memcmp(word, in->text + token->at, token->len) == 0;
}

static bool
is_any(const struct w_script_reader *in, const struct w_awk_token *token,
    const char *const *words)
{
	for (; *words != NULL; words++) {
		if (w_awk_is(in, token, *words))
			return true;
	}
	return false;
}

static void
script_awk_token_add(struct lexer *lexer, struct w_awk_token token)
{
	w_buf_add(lexer->tokens, &token, sizeof(token));
	lexer->last = token;
}

static writ_status
script_awk_token_read_string(struct lexer *lexer)
{
	struct w_script_reader *in = lexer->in;
	size_t open = in->at++;
	struct w_awk_token token = {.kind = W_AWK_STRING, .at = in->at};

	while (
	    in->at < in->len && !w_script_is_one_of(in->text[in->at], "\"\n")) {
		if (in->text[in->at] == '\\') {
			token.has_escapes = true;
			if (in->at + 1 < in->len)
				in->at++;
		}
		in->at++;
	}
	if (w_script_peek(in, 0) != '"')
		return w_script_refuse(in, open, "a string is never closed");
	token.len = in->at++ - token.at;
	script_awk_token_add(lexer, token);
	return WRIT_OK;
}

/* Skips a character class, [:alpha:]. */
static writ_status
skip_class(struct w_script_reader *in)
{
	size_t open = in->at;
	char mark = w_script_peek(in, 1);

	for (in->at += 2; w_is_name_start(w_script_peek(in, 0)); in->at++)
		;
	if (w_script_peek(in, 0) != mark || w_script_peek(in, 1) != ']')
		return w_script_refuse(
		    in, open, "how far this class goes is not clear");
	in->at += 2;
	return WRIT_OK;
}

/* Skips "[...]". Not every awk allows a slash in it. */
static writ_status
skip_brackets(struct w_script_reader *in)
{
	size_t open = in->at++;

	if (w_script_peek(in, 0) == '^')
		in->at++;
	for (size_t first = in->at; in->at < in->len; in->at++) {
		char c = in->text[in->at];

		if (c == '/' || c == '\n')
			break;
		if (c == ']' && in->at > first) {
			in->at++;
			return WRIT_OK;
		}
		if (c == '\\' && w_script_peek(in, 1) != '\n') {
			in->at++;
		} else if (c == '[' &&
			   w_script_is_one_of(w_script_peek(in, 1), ":.=")) {
			writ_status status = skip_class(in);
			if (status != WRIT_OK)
				return status;
			in->at--;
		}
	}
	return w_script_refuse(
	    in, open, "where these brackets end is not clear");
}

static writ_status
read_regex(struct lexer *lexer)
{
	struct w_script_reader *in = lexer->in;
	size_t open = in->at++;
	struct w_awk_token token = {.kind = W_AWK_REGEX, .at = in->at};
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && in->at < in->len &&
	       !w_script_is_one_of(in->text[in->at], "/\n")) {
		if (in->text[in->at] == '[')
			status = skip_brackets(in);
		else if (in->text[in->at] == '\\' &&
			 w_script_peek(in, 1) != '\n' && in->at + 1 < in->len)
			in->at += 2;
		else
			in->at++;
	}
	if (status != WRIT_OK)
		return status;
	if (w_script_peek(in, 0) != '/')
		return w_script_refuse(
		    in, open, "this expression is never closed");
	if (in->text[in->at - 1] == '\\')
		return w_script_refuse(in, in->at,
		    "not every awk ends an expression behind a backslash");
	token.len = in->at++ - token.at;
	script_awk_token_add(lexer, token);
	return WRIT_OK;
}

static bool
is_operand(const struct lexer *lexer, const struct w_awk_token *token)
{
	static const char *const keywords[] = {"print", "printf", "return",
	    "case", "do", "else", "exit", "delete", "in", NULL};

	if (token->kind == W_AWK_NAME)
		return !is_any(lexer->in, token, keywords);
	return token->kind == W_AWK_NUMBER || token->kind == W_AWK_STRING ||
	       w_awk_is(lexer->in, token, ")") ||
	       w_awk_is(lexer->in, token, "]");
}

/* Whether a slash is ambiguous after the previous token. After "++" it divides
 * for gawk and begins an expression for mawk. */
static bool
is_unclear(const struct lexer *lexer)
{
	static const char *const words[] = {"getline", "length", "in", "delete",
	    "next", "nextfile", "break", "continue", "BEGIN", "END", "$",
	    "function", "func", "default", "switch", "++", "--", NULL};
	const struct w_awk_token *last = &lexer->last;

	return last->is_heading || last->kind == W_AWK_REGEX ||
	       is_any(lexer->in, last, words);
}

static writ_status
read_slash(struct lexer *lexer)
{
	struct w_script_reader *in = lexer->in;

	if (is_unclear(lexer))
		return w_script_refuse(
		    in, in->at, "whether this slash divides is not clear");
	if (!is_operand(lexer, &lexer->last))
		return read_regex(lexer);
	size_t len = w_script_peek(in, 1) == '=' ? 2 : 1;
	/* gawk has "/=" only after something assignable. */
	if (len == 2 && lexer->last.kind != W_AWK_NAME &&
	    !w_awk_is(in, &lexer->last, "]"))
		return w_script_refuse(
		    in, in->at, "whether this slash divides is not clear");
	script_awk_token_add(
	    lexer, (struct w_awk_token){
		       .kind = W_AWK_OPERATOR, .at = in->at, .len = len});
	in->at += len;
	return WRIT_OK;
}

static writ_status
skip_comment(struct w_script_reader *in)
{
	while (in->at < in->len && in->text[in->at] != '\n')
		in->at++;
	if (in->at < in->len && in->text[in->at - 1] == '\\')
		return w_script_refuse(
		    in, in->at - 1, "where this comment ends is not clear");
	return WRIT_OK;
}

static writ_status
script_awk_token_read_number(struct lexer *lexer)
{
	struct w_script_reader *in = lexer->in;
	struct w_awk_token token = {.kind = W_AWK_NUMBER, .at = in->at};

	while (w_is_digit(w_script_peek(in, 0)) || w_script_peek(in, 0) == '.')
		in->at++;
	if (w_script_is_one_of(w_script_peek(in, 0), "eE")) {
		in->at++;
		if (w_script_is_one_of(w_script_peek(in, 0), "+-"))
			in->at++;
		if (!w_is_digit(w_script_peek(in, 0)))
			return w_script_refuse(in, token.at,
			    "how far this number goes is not clear");
		while (w_is_digit(w_script_peek(in, 0)))
			in->at++;
	}
	if (w_is_name_start(w_script_peek(in, 0)) ||
	    w_script_peek(in, 0) == '.')
		return w_script_refuse(
		    in, token.at, "how far this number goes is not clear");
	token.len = in->at - token.at;
	script_awk_token_add(lexer, token);
	return WRIT_OK;
}

static writ_status
script_awk_token_read_name(struct lexer *lexer)
{
	struct w_script_reader *in = lexer->in;
	struct w_awk_token token = {.kind = W_AWK_NAME, .at = in->at};

	while (w_is_name_start(w_script_peek(in, 0)) ||
	       w_is_digit(w_script_peek(in, 0)))
		in->at++;
	if (w_script_peek(in, 0) == ':' && w_script_peek(in, 1) == ':')
		return w_script_refuse(
		    in, in->at, "names of other name spaces are not followed");
	token.len = in->at - token.at;
	script_awk_token_add(lexer, token);
	return WRIT_OK;
}

/* Tracks open brackets, and parentheses that are the heads of statements. Text
 * taken for code by mistake is rarely balanced. */
static writ_status
follow_depth(struct lexer *lexer, struct w_awk_token *token)
{
	static const char *const heads[] = {
	    "if", "while", "for", "switch", NULL};
	static const char openers[] = "([{";
	static const char closers[] = ")]}";
	struct w_script_reader *in = lexer->in;
	char c = in->text[token->at];

	if (w_script_is_one_of(c, openers)) {
		if (lexer->depth == DEPTH_MAX)
			return w_script_refuse(
			    in, token->at, "it is nested too deep");
		lexer->closers[lexer->depth] =
		    closers[strchr(openers, c) - openers];
		lexer->is_heading[lexer->depth++] =
		    is_any(in, &lexer->last, heads);
	} else if (w_script_is_one_of(c, closers)) {
		if (lexer->depth == 0 || lexer->closers[lexer->depth - 1] != c)
			return w_script_refuse(in, token->at,
			    "nothing is open that this could close");
		token->is_heading = lexer->is_heading[--lexer->depth];
	}
	return WRIT_OK;
}

static writ_status
read_operator(struct lexer *lexer)
{
	static const char *const longer[] = {"**=", "&&", "||", "|&", ">>",
	    ">=", "<=", "==", "!=", "!~", "++", "--",
	    "+=", "-=", "*=", "%=", "^=", "**", NULL};
	struct w_script_reader *in = lexer->in;
	struct w_awk_token token = {
	    .kind = W_AWK_OPERATOR, .at = in->at, .len = 1};

	for (size_t i = 0; longer[i] != NULL && token.len == 1; i++) {
		size_t len = strlen(longer[i]);

		if (len <= in->len - in->at &&
		    memcmp(longer[i], in->text + in->at, len) == 0)
			token.len = len;
	}
	if (!w_script_is_one_of(in->text[in->at], "{}()[];,+-*%^!<>|?:~$=&"))
		return w_script_refuse(in, in->at,
		    in->text[in->at] == '@'
			? "'@' takes in code from elsewhere"
			: "this character is not of the language");
	writ_status status = follow_depth(lexer, &token);
	if (status != WRIT_OK)
		return status;
	in->at += token.len;
	script_awk_token_add(lexer, token);
	return WRIT_OK;
}

static writ_status
read_token(struct lexer *lexer)
{
	struct w_script_reader *in = lexer->in;
	char c = in->text[in->at];

	if (c == ' ' || c == '\t') {
		in->at++;
		return WRIT_OK;
	}
	if (c == '\\' && w_script_peek(in, 1) == '\n') {
		in->at += 2;
		return WRIT_OK;
	}
	if (c == '\n') {
		script_awk_token_add(lexer,
		    (struct w_awk_token){
			.kind = W_AWK_NEWLINE, .at = in->at++, .len = 1});
		return WRIT_OK;
	}
	if (c == '#')
		return skip_comment(in);
	if (c == '"')
		return script_awk_token_read_string(lexer);
	if (c == '/')
		return read_slash(lexer);
	if (w_is_digit(c) || (c == '.' && w_is_digit(w_script_peek(in, 1))))
		return script_awk_token_read_number(lexer);
	return w_is_name_start(c) ? script_awk_token_read_name(lexer)
				  : read_operator(lexer);
}

writ_status
w_awk_read_tokens(struct w_script_reader *in, struct w_buf *tokens)
{
	struct lexer lexer = {.in = in, .tokens = tokens};
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && in->at < in->len)
		status = read_token(&lexer);
	if (status != WRIT_OK)
		return status;
	if (lexer.depth > 0)
		return w_script_refuse(
		    in, in->len, "something is open at the end");
	script_awk_token_add(
	    &lexer, (struct w_awk_token){.kind = W_AWK_END, .at = in->len});
	return tokens->failed ? w_fail_nomem(in->err, "script") : WRIT_OK;
}
