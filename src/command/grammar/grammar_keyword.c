/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The x- keywords of input schemas.
 *
 * One table has the type of each keyword's value and which kinds of parameters
 * can have it. An unknown keyword with our prefix is an error: ignoring a
 * misspelled one would give a command line that nobody meant.
 */

#include "command/grammar/grammar_keyword.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/match.h"

#define STAGE     "binding"
#define INDEX_MAX 65535
#define ARITY_MAX 64
#define WORDS_MAX 4

#define OPTION    (1U << W_PARAM_OPTION)
#define OPERAND   (1U << W_PARAM_OPERAND)
#define SEQUENCE  (1U << W_PARAM_SEQUENCE)
#define ALL       (OPTION | OPERAND | SEQUENCE)

enum grammar_keyword_shape {
	A_BOOLEAN,
	A_TEXT,
	A_WORD, /* one of words */
	A_COUNT,
	A_LIST, /* a list of keys */
	A_NAMES,
};

static const struct keyword {
	const char *name;
	enum grammar_keyword_shape shape;
	unsigned kinds; /* of parameters that can have it */
	unsigned min;   /* for a count, like the next */
	unsigned max;
	const char *words[WORDS_MAX];
} keywords[] = {
    {W_KEY_FLAG, A_TEXT, OPTION, 0, 0, {NULL}},
    {W_KEY_POSITIONAL, A_COUNT, OPERAND, 0, INDEX_MAX, {NULL}},
    {W_KEY_OPERAND_AT, A_WORD, OPERAND, 0, 0, {"before-flags", NULL}},
    {W_KEY_FLAG_AT, A_WORD, OPTION | SEQUENCE, 0, 0,
	{"before-operands", "before-subcommand", NULL}},
    {W_KEY_VALUE_OPTIONAL, A_BOOLEAN, OPTION, 0, 0, {NULL}},
    {"x-apexe-conflicts-with", A_LIST, ALL, 0, 0, {NULL}},
    {W_KEY_LONG_RUNNING, A_BOOLEAN, ALL, 0, 0, {NULL}},
    {"x-apexe-path", A_BOOLEAN, ALL, 0, 0, {NULL}},
    {"x-sensitive", A_BOOLEAN, ALL, 0, 0, {NULL}},
    {W_KEY_ATTACH, A_WORD, OPTION, 0, 0,
	{"separate", "equals", "joined", NULL}},
    {W_KEY_TOKEN, A_TEXT, OPTION, 0, 0, {NULL}},
    {W_KEY_ARITY, A_COUNT, OPTION, 1, ARITY_MAX, {NULL}},
    {W_KEY_NAMES, A_NAMES, OPTION, 0, 0, {NULL}},
    {"x-writ-requires", A_LIST, ALL, 0, 0, {NULL}},
    {W_KEY_SEQUENCE, A_BOOLEAN, SEQUENCE, 0, 0, {NULL}},
    {W_KEY_DASH, A_WORD, OPTION | OPERAND, 0, 0, {"allow", NULL}},
    {W_KEY_TYPE, A_TEXT, OPTION | OPERAND, 0, 0, {NULL}},
};

#define KEYWORD_COUNT (sizeof(keywords) / sizeof(keywords[0]))

static const char *const kind_names[] = {
    [W_PARAM_OPTION] = "an option",
    [W_PARAM_OPERAND] = "an operand",
    [W_PARAM_SEQUENCE] = "a sequence",
};

writ_status
w_grammar_refuse(
    const struct w_grammar_reader *in, yyjson_val *at, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	in->builder->at = at;
	return w_fail(in->builder->err, WRIT_E_INVALID, STAGE, 0,
	    "property '%.64s': %s", in->param->key, text);
}

static bool
grammar_keyword_is_ours(yyjson_val *key)
{
	const char *name = yyjson_get_str(key);

	return strncmp(name, "x-apexe-", 8) == 0 ||
	       strncmp(name, "x-writ-", 7) == 0;
}

static const struct keyword *
find_keyword(yyjson_val *key)
{
	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		if (yyjson_equals_str(key, keywords[i].name))
			return &keywords[i];
	}
	return NULL;
}

static writ_status
refuse_keyword(const struct w_grammar_reader *in, yyjson_val *key)
{
	const char *names[KEYWORD_COUNT + 1];

	for (size_t i = 0; i < KEYWORD_COUNT; i++)
		names[i] = keywords[i].name;
	names[KEYWORD_COUNT] = NULL;
	(void)w_grammar_refuse(
	    in, key, "unknown keyword '%.64s'", unsafe_yyjson_get_str(key));

	const char *near = w_match_nearest(yyjson_get_str(key), names);
	w_match_suggest(near, in->builder->err);
	return WRIT_E_INVALID;
}

static writ_status
grammar_keyword_refuse_word(const struct w_grammar_reader *in,
    const struct keyword *keyword, yyjson_val *val)
{
	const char *word = yyjson_get_str(val);
	const char *near =
	    word != NULL ? w_match_nearest(word, keyword->words) : NULL;

	(void)w_grammar_refuse(in, val, "%s has no such value", keyword->name);
	w_suggest(in->builder->err, "%s '%s'",
	    near != NULL || keyword->words[1] == NULL ? "write" : "for example",
	    near != NULL ? near : keyword->words[0]);
	return WRIT_E_INVALID;
}

static bool
grammar_keyword_is_one_of(yyjson_val *val, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (yyjson_equals_str(val, *words))
			return true;
	}
	return false;
}

static bool
is_list_of_texts(yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(val, i, count, item)
	{
		if (!yyjson_is_str(item))
			return false;
	}
	return yyjson_is_arr(val);
}

static writ_status
check_shape(const struct w_grammar_reader *in, const struct keyword *keyword,
    yyjson_val *val)
{
	if (keyword->shape == A_WORD &&
	    !grammar_keyword_is_one_of(val, keyword->words))
		return grammar_keyword_refuse_word(in, keyword, val);
	if (keyword->shape == A_BOOLEAN && !yyjson_is_bool(val))
		return w_grammar_refuse(
		    in, val, "%s is true or false", keyword->name);
	if (keyword->shape == A_TEXT && !yyjson_is_str(val))
		return w_grammar_refuse(in, val, "%s is a text", keyword->name);
	if (keyword->shape == A_LIST && !is_list_of_texts(val))
		return w_grammar_refuse(
		    in, val, "%s is a list of keys", keyword->name);
	if (keyword->shape == A_NAMES && !is_list_of_texts(val))
		return w_grammar_refuse(
		    in, val, "%s is a list of flags", keyword->name);
	if (keyword->shape == A_COUNT &&
	    (!yyjson_is_uint(val) || yyjson_get_uint(val) < keyword->min ||
		yyjson_get_uint(val) > keyword->max))
		return w_grammar_refuse(in, val,
		    "%s is a whole number from %u to %u", keyword->name,
		    keyword->min, keyword->max);
	return WRIT_OK;
}

/* Each keyword by itself, and whether this kind of parameter can have it. */
writ_status
w_grammar_check_keywords(const struct w_grammar_reader *in)
{
	const struct w_param *param = in->param;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(param->schema, i, count, key, val)
	{
		const struct keyword *keyword = find_keyword(key);

		if (keyword == NULL && grammar_keyword_is_ours(key))
			return refuse_keyword(in, key);
		if (keyword == NULL)
			continue;
		writ_status status = check_shape(in, keyword, val);
		if (status != WRIT_OK)
			return status;
		if ((keyword->kinds & 1U << param->kind) == 0 &&
		    !yyjson_is_false(val))
			return w_grammar_refuse(in, key,
			    "%s says nothing of %s", keyword->name,
			    kind_names[param->kind]);
	}
	return WRIT_OK;
}

/* An input is always an object, so no other type could match. */
static writ_status
check_type(struct w_grammar_builder *builder)
{
	static const char *const others[] = {
	    "array", "boolean", "integer", "null", "number", "string", NULL};
	yyjson_val *type = yyjson_obj_get(builder->schema, "type");
	size_t i = 0;

	/* Unknown types are reported when the schema is compiled. */
	while (others[i] != NULL && !yyjson_equals_str(type, others[i]))
		i++;
	if (others[i] == NULL)
		return WRIT_OK;
	builder->at = type;
	(void)w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
	    "the input_schema takes no object, which every input is");
	w_suggest(
	    builder->err, "type: object, with the arguments in properties");
	return WRIT_E_INVALID;
}

writ_status
w_grammar_check_root(struct w_grammar_builder *builder)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(builder->schema, i, count, key, val)
	{
		if (yyjson_equals_str(key, "x-apexe-end-of-options")) {
			if (yyjson_is_bool(val))
				continue;
			builder->at = val;
			return w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
			    "x-apexe-end-of-options is true or false");
		}
		if (!grammar_keyword_is_ours(key))
			continue;
		builder->at = key;
		(void)w_fail(builder->err, WRIT_E_INVALID, STAGE, 0,
		    "unknown keyword '%.64s' of the whole input_schema",
		    unsafe_yyjson_get_str(key));
		if (find_keyword(key) != NULL)
			w_suggest(builder->err, "it belongs to a property");
		else
			w_suggest(builder->err,
			    "only x-apexe-end-of-options can be there");
		return WRIT_E_INVALID;
	}
	return check_type(builder);
}
