/* SPDX-License-Identifier: Apache-2.0 */

/*
 * awk programs: every way to access files, programs and hosts. Statements are
 * not parsed; each of these ways is recognized by a few adjacent tokens:
 *
 *   system(...)               runs a command
 *   ... | getline             likewise, and reads its output
 *   print ... | ...           likewise, and writes to it
 *   print ... > ..., >>       writes a file
 *   getline ... < ...         reads one
 *   ARGV, ARGC                decide which files are read
 *   |&                        a two-way pipe, or a host
 *
 * A constant is trusted only where nothing can be concatenated to it. Calling
 * functions or setting variables by a computed name is refused.
 */

#include "command/script/script_awk.h"

#include <stdint.h>
#include <string.h>

#include "command/grammar/effect.h"

struct awk {
	struct w_script_reader *in;
	const struct w_awk_token *tokens;
	size_t count;
	bool has_environ; /* the environment of commands may have changed */
	bool is_printing; /* in the expressions of a print */
	size_t parens;    /* open since then */
	size_t brackets;
};

static const struct w_awk_token before_first = {.kind = W_AWK_END};

/* The last token is the end; all indexes beyond it are, too. */
static const struct w_awk_token *
token_at(const struct awk *awk, size_t i)
{
	return &awk->tokens[i < awk->count ? i : awk->count - 1];
}

static const struct w_awk_token *
token_before(const struct awk *awk, size_t i, size_t back)
{
	return i >= back ? &awk->tokens[i - back] : &before_first;
}

static bool
is_any(const struct awk *awk, const struct w_awk_token *token,
    const char *const *words)
{
	for (; *words != NULL; words++) {
		if (w_awk_is(awk->in, token, *words))
			return true;
	}
	return false;
}

/* Whether the statement can continue on the next line: its last token needs
 * more. awks differ in which operators allow that. */
static bool
goes_on(const struct awk *awk, size_t newline)
{
	static const char *const ends[] = {
	    ")", "]", "}", "{", ";", "++", "--", NULL};
	const struct w_awk_token *last = token_before(awk, newline, 1);

	if (last->kind == W_AWK_OPERATOR)
		return !is_any(awk, last, ends);
	return w_awk_is(awk->in, last, "in");
}

static bool
is_end_of_statement(const struct awk *awk, const struct w_awk_token *token)
{
	static const char *const ends[] = {";", "}", NULL};

	return token->kind == W_AWK_NEWLINE || token->kind == W_AWK_END ||
	       is_any(awk, token, ends);
}

static bool
is_constant(const struct w_awk_token *token)
{
	return token->kind == W_AWK_STRING && !token->has_escapes;
}

/* The token is a whole expression, or NULL. */
static writ_status
runs(struct awk *awk, const struct w_awk_token *command)
{
	if (command == NULL || awk->has_environ)
		return w_script_runs(awk->in, NULL, 0);
	return w_script_runs(
	    awk->in, awk->in->text + command->at, command->len);
}

static bool
script_awk_is_stream(const char *path, size_t len, unsigned effect)
{
	static const char *const outputs[] = {
	    "/dev/stdout", "/dev/stderr", NULL};
	static const char *const inputs[] = {"/dev/stdin", "-", NULL};

	for (const char *const *known = effect == W_EFFECT_READ ? inputs
								: outputs;
	     *known != NULL; known++) {
		if (strlen(*known) == len && memcmp(*known, path, len) == 0)
			return true;
	}
	return false;
}

/* gawk opens connections by special file names. */
static bool
is_host(const char *path, size_t len)
{
	return len >= 5 && memcmp(path, "/inet", 5) == 0;
}

static writ_status
touches(struct awk *awk, unsigned effect, const struct w_awk_token *file)
{
	if (file == NULL)
		return w_script_touches(awk->in, effect, NULL, 0);
	const char *path = awk->in->text + file->at;
	if (script_awk_is_stream(path, file->len, effect))
		return WRIT_OK;
	if (is_host(path, file->len)) {
		writ_status status =
		    w_script_touches(awk->in, W_EFFECT_NET, NULL, 0);
		if (status != WRIT_OK)
			return status;
	}
	return w_script_touches(awk->in, effect, path, file->len);
}

/* The operand after the operator at i, if it is only a constant. */
static const struct w_awk_token *
constant_behind(const struct awk *awk, size_t i)
{
	const struct w_awk_token *token = token_at(awk, i + 1);

	return is_constant(token) &&
		       is_end_of_statement(awk, token_at(awk, i + 2))
		   ? token
		   : NULL;
}

/* The same before it. */
static const struct w_awk_token *
constant_before(const struct awk *awk, size_t i)
{
	static const char *const starts[] = {
	    "{", "}", ";", "(", "&&", "||", ",", "=", "print", "printf", NULL};
	const struct w_awk_token *token = token_before(awk, i, 1);
	const struct w_awk_token *start = token_before(awk, i, 2);
	bool is_start =
	    start->kind == W_AWK_END ||
	    (start->kind == W_AWK_NEWLINE && !goes_on(awk, i - 2)) ||
	    is_any(awk, start, starts);

	return is_start && is_constant(token) ? token : NULL;
}

static writ_status
see_system(struct awk *awk, size_t i)
{
	const struct w_awk_token *command = token_at(awk, i + 2);

	if (!w_awk_is(awk->in, token_at(awk, i + 1), "("))
		return w_script_refuse(awk->in, awk->tokens[i].at,
		    "this is not how system is called");
	if (!is_constant(command) ||
	    !w_awk_is(awk->in, token_at(awk, i + 3), ")"))
		command = NULL;
	return runs(awk, command);
}

/* The index of "<" in the expression that the getline at i begins. One that
 * belongs to a later getline is found from there. */
static size_t
find_less(const struct awk *awk, size_t i)
{
	static const char *const opens[] = {"(", "[", NULL};
	static const char *const closes[] = {")", "]", NULL};
	size_t depth = 0;

	for (size_t j = i + 1; j < awk->count; j++) {
		const struct w_awk_token *token = &awk->tokens[j];

		if (token->kind == W_AWK_NEWLINE &&
		    (depth > 0 || goes_on(awk, j)))
			continue;
		if (is_end_of_statement(awk, token) ||
		    (depth == 0 && w_awk_is(awk->in, token, "getline")))
			break;
		if (is_any(awk, token, opens)) {
			depth++;
		} else if (is_any(awk, token, closes)) {
			if (depth == 0)
				break;
			depth--;
		} else if (depth == 0 && w_awk_is(awk->in, token, "<")) {
			return j;
		}
	}
	return SIZE_MAX;
}

static writ_status
see_getline(struct awk *awk, size_t i)
{
	size_t less = find_less(awk, i);

	if (less == SIZE_MAX)
		return WRIT_OK;
	const struct w_awk_token *file = token_at(awk, less + 1);
	const struct w_awk_token *end = token_at(awk, less + 2);
	bool is_plain =
	    less == i + 1 ||
	    (less == i + 2 && token_at(awk, i + 1)->kind == W_AWK_NAME);
	if (!is_plain || !is_constant(file) ||
	    (!is_end_of_statement(awk, end) && !w_awk_is(awk->in, end, ")")))
		file = NULL;
	return touches(awk, W_EFFECT_READ, file);
}

static writ_status
see_name(struct awk *awk, size_t i)
{
	static const char *const prints[] = {"print", "printf", NULL};
	static const char *const inputs[] = {"ARGV", "ARGC", NULL};
	static const char *const tables[] = {"SYMTAB", "FUNCTAB", NULL};
	const struct w_awk_token *token = &awk->tokens[i];

	if (w_awk_is(awk->in, token, "system"))
		return see_system(awk, i);
	if (w_awk_is(awk->in, token, "getline"))
		return see_getline(awk, i);
	if (is_any(awk, token, inputs))
		return touches(awk, W_EFFECT_READ, NULL);
	if (is_any(awk, token, tables))
		return w_script_refuse(awk->in, token->at,
		    "variables and functions by computed names are not "
		    "followed");
	if (is_any(awk, token, prints)) {
		awk->is_printing = true;
		awk->parens = 0;
		awk->brackets = 0;
	}
	return WRIT_OK;
}

static writ_status
see_output(struct awk *awk, size_t i)
{
	bool is_appending = w_awk_is(awk->in, &awk->tokens[i], ">>");

	if (awk->is_printing && awk->parens == 0 && awk->brackets == 0)
		return touches(awk, W_EFFECT_WRITE, constant_behind(awk, i));
	if (is_appending || (awk->is_printing && awk->parens == 0))
		return w_script_refuse(awk->in, awk->tokens[i].at,
		    "what this operator does here is not clear");
	return WRIT_OK;
}

static writ_status
see_pipe(struct awk *awk, size_t i)
{
	bool is_both_ways = w_awk_is(awk->in, &awk->tokens[i], "|&");
	const struct w_awk_token *command;

	if (w_awk_is(awk->in, token_at(awk, i + 1), "getline"))
		command = constant_before(awk, i);
	else if (awk->is_printing && awk->parens == 0 && awk->brackets == 0)
		command = constant_behind(awk, i);
	else
		return w_script_refuse(awk->in, awk->tokens[i].at,
		    "what this operator does here is not clear");
	if (is_both_ways &&
	    (command == NULL ||
		is_host(awk->in->text + command->at, command->len))) {
		writ_status status =
		    w_script_touches(awk->in, W_EFFECT_NET, NULL, 0);
		if (status != WRIT_OK)
			return status;
	}
	return runs(awk, command);
}

static void
script_awk_count(size_t *open, bool is_opening)
{
	if (is_opening)
		++*open;
	else if (*open > 0)
		--*open;
}

static writ_status
see_operator(struct awk *awk, size_t i)
{
	static const char *const outputs[] = {">", ">>", NULL};
	static const char *const pipes[] = {"|", "|&", NULL};
	static const char *const braces[] = {"{", "}", ";", NULL};
	const struct w_awk_token *token = &awk->tokens[i];

	if (is_any(awk, token, outputs))
		return see_output(awk, i);
	if (is_any(awk, token, pipes))
		return see_pipe(awk, i);
	if (is_any(awk, token, braces))
		awk->is_printing = false;
	switch (awk->in->text[token->at]) {
	case '(':
	case ')':
		script_awk_count(&awk->parens, awk->in->text[token->at] == '(');
		break;
	case '[':
	case ']':
		script_awk_count(
		    &awk->brackets, awk->in->text[token->at] == '[');
		break;
	default:
		break;
	}
	return WRIT_OK;
}

static writ_status
see(struct awk *awk, size_t i)
{
	const struct w_awk_token *token = &awk->tokens[i];

	if (token->kind == W_AWK_NAME)
		return see_name(awk, i);
	if (token->kind == W_AWK_OPERATOR)
		return see_operator(awk, i);
	if (token->kind == W_AWK_NEWLINE && !goes_on(awk, i))
		awk->is_printing = false;
	return WRIT_OK;
}

writ_status
w_script_read_awk(struct w_script_reader *in)
{
	W_AUTO_BUF struct w_buf tokens;
	struct awk awk = {.in = in};

	w_buf_init(&tokens, SIZE_MAX / 2);
	writ_status status = w_awk_read_tokens(in, &tokens);
	if (status != WRIT_OK)
		return status;
	awk.tokens = (const struct w_awk_token *)(const void *)tokens.data;
	awk.count = tokens.len / sizeof(struct w_awk_token);
	for (size_t i = 0; i < awk.count; i++)
		awk.has_environ |= w_awk_is(in, &awk.tokens[i], "ENVIRON");
	for (size_t i = 0; status == WRIT_OK && i < awk.count; i++)
		status = see(&awk, i);
	return status;
}
