/* SPDX-License-Identifier: Apache-2.0 */

/* Why an argv does not match: the messages, and the place. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/match.h"
#include "command/parse/argv_parser.h"

#define STAGE     "argv"
#define TOKEN_MAX 256

writ_status
w_argv_parser_refuse(struct w_argv_parser *parser, size_t word, size_t offset,
    const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	parser->fault =
	    (struct w_argv_parse_fault){.word = word, .offset = offset};
	return w_fail(parser->err, WRIT_E_INVALID, STAGE, 0, "%s", text);
}

/* All tokens, NULL-ended; the caller frees the list. */
static const char **
list_tokens(const struct w_grammar *grammar)
{
	size_t count = 0;
	size_t at = 0;

	for (size_t i = 0; i < grammar->count; i++)
		count += grammar->params[i].name_count;
	const char **tokens = calloc(count + 1, sizeof(*tokens));
	for (size_t i = 0; tokens != NULL && i < grammar->count; i++) {
		const struct w_param *param = &grammar->params[i];

		for (size_t j = 0; j < param->name_count; j++)
			tokens[at++] = param->names[j].token;
	}
	return tokens;
}

/* The long options that the token abbreviates: their number, the first two in
 * out. */
static size_t
find_longer(const char *const *tokens, const char *token, const char *out[2])
{
	size_t len = strlen(token);
	size_t count = 0;

	for (; *tokens != NULL; tokens++) {
		if (strncmp(*tokens, "--", 2) != 0 ||
		    strncmp(*tokens, token, len) != 0)
			continue;
		if (count < 2)
			out[count] = *tokens;
		count++;
	}
	return count;
}

static writ_status
refuse_short_for(struct w_argv_parser *parser, const char *token,
    const char *const longer[2], size_t count)
{
	if (count == 1) {
		(void)w_fail(parser->err, WRIT_E_INVALID, STAGE, 0,
		    "'%.64s' is short for '%.64s', which has to be written out",
		    token, longer[0]);
		w_suggest(parser->err, "write '%.64s'", longer[0]);
		return WRIT_E_INVALID;
	}
	(void)w_fail(parser->err, WRIT_E_INVALID, STAGE, 0,
	    "'%.64s' could be '%.64s' or '%.64s'%s", token, longer[0],
	    longer[1], count > 2 ? ", among others" : "");
	w_suggest(parser->err, "write the option out");
	return WRIT_E_INVALID;
}

/* Whether a level above the sub-command has it. */
static bool
is_above(const struct w_grammar *grammar, const char *token)
{
	for (size_t i = 0; i < grammar->count; i++) {
		const struct w_param *param = &grammar->params[i];

		for (size_t j = 0; param->is_global && j < param->name_count;
		     j++) {
			if (strcmp(param->names[j].token, token) == 0)
				return true;
		}
	}
	return false;
}

writ_status
w_argv_parser_refuse_option(struct w_argv_parser *parser, size_t word,
    size_t offset, const char *token, size_t len)
{
	char name[TOKEN_MAX + 1];
	const char *longer[2] = {NULL, NULL};
	const char **tokens = list_tokens(parser->grammar);
	size_t count = 0;

	(void)snprintf(name, sizeof(name), "%.*s",
	    (int)(len < TOKEN_MAX ? len : TOKEN_MAX), token);
	if (tokens != NULL && len > 2 && len < TOKEN_MAX &&
	    strncmp(name, "--", 2) == 0)
		count = find_longer(tokens, name, longer);
	(void)w_argv_parser_refuse(
	    parser, word, offset, "unknown option '%.64s'", name);
	if (is_above(parser->grammar, name))
		w_suggest(parser->err, "it comes before the sub-command");
	else if (count > 0)
		(void)refuse_short_for(parser, name, longer, count);
	else if (tokens != NULL)
		w_match_suggest(w_match_nearest(name, tokens), parser->err);
	free((void *)tokens);
	return WRIT_E_INVALID;
}

static const char *const kind_names[] = {
    [W_VALUE_TEXT] = "a text",
    [W_VALUE_INTEGER] = "a whole number",
    [W_VALUE_NUMBER] = "a number",
    [W_VALUE_DURATION] = "a duration like '5', '1.5s' or '2m'",
    [W_VALUE_SIZE] = "a size like '10', '4k' or '1MiB'",
    [W_VALUE_CHOICE] = "one of its choices",
    [W_VALUE_HOST] = "a host",
    [W_VALUE_REMOTE] = "a host or a path",
    [W_VALUE_ASSIGNMENT] = "an assignment like 'NAME=value'",
};

/* All of them if they fit into a line, else the first ones. */
static void
suggest_choices(struct w_argv_parser *parser, const char *const *choices)
{
	char list[120] = "";
	size_t len = 0;

	for (size_t i = 0; choices[i] != NULL && len < sizeof(list); i++) {
		int more = snprintf(list + len, sizeof(list) - len, "%s%s",
		    i > 0 ? ", " : "", choices[i]);

		len += more > 0 ? (size_t)more : sizeof(list);
	}
	if (len < sizeof(list))
		w_suggest(parser->err, "it can be: %s", list);
	else
		w_suggest(parser->err, "for example '%.64s'", choices[0]);
}

static void
suggest_integer(struct w_argv_parser *parser, const struct w_value_type *type,
    const char *text)
{
	const bool is_padded = (text[0] == '0' || text[0] == '+') &&
			       strspn(text + 1, "0123456789") > 0;

	if (is_padded)
		w_suggest(parser->err, "write it without '+' and zeros "
				       "before it");
	else if (type->max == INT64_MAX && type->min != INT64_MIN)
		w_suggest(parser->err, "a whole number from %lld on",
		    (long long)type->min);
	else if (type->max != INT64_MAX)
		w_suggest(parser->err, "a whole number from %lld to %lld",
		    (long long)type->min, (long long)type->max);
}

static void
suggest_value(struct w_argv_parser *parser, const struct w_value_type *type,
    const char *text)
{
	if (type->kind == W_VALUE_INTEGER)
		suggest_integer(parser, type, text);
	if (type->kind != W_VALUE_CHOICE || type->choices == NULL ||
	    type->choices[0] == NULL)
		return;
	const char *near = w_match_nearest(text, type->choices);
	if (near != NULL)
		w_match_suggest(near, parser->err);
	else
		suggest_choices(parser, type->choices);
}

static const char *
kind_name(const struct w_value_type *type)
{
	if (type->kind == W_VALUE_INTEGER &&
	    (type->min != INT64_MIN || type->max != INT64_MAX))
		return "a whole number of its range";
	if ((size_t)type->kind >= sizeof(kind_names) / sizeof(kind_names[0]) ||
	    kind_names[type->kind] == NULL)
		return "such a value";
	return kind_names[type->kind];
}

writ_status
w_argv_parser_refuse_value(struct w_argv_parser *parser,
    const struct w_param *param, const struct w_value_type *type, size_t word,
    size_t offset)
{
	const char *text = parser->argv[word] + offset;

	(void)w_argv_parser_refuse(parser, word, offset,
	    "'%.64s' of '%.64s' is not %s", param->is_secret ? "***" : text,
	    param->kind == W_PARAM_OPTION ? param->flag : param->key,
	    kind_name(type));
	if (!param->is_secret)
		suggest_value(parser, type, text);
	return WRIT_E_INVALID;
}
