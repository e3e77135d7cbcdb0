/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One property of an input schema: its x- keywords, and the parameter of the
 * command line that they make of it.
 *
 * One table says of each keyword what its value looks like and which kinds of
 * parameters can have it. A keyword of ours that is not in it is a mistake: to
 * skip one that was misspelled would give a command line that nobody meant.
 */

#include "module/form_param.h"

#include <stdlib.h>
#include <string.h>

#include "base/match.h"
#include "module/form_facts.h"

#define STAGE          "binding"
#define INDEX_MAX      65535
#define ARITY_MAX      64
#define WORDS_MAX      4

#define OPTION         (1U << W_PARAM_OPTION)
#define OPERAND        (1U << W_PARAM_OPERAND)
#define SEQUENCE       (1U << W_PARAM_SEQUENCE)
#define ALL            (OPTION | OPERAND | SEQUENCE)

#define FLAG           "x-apexe-flag"
#define POSITIONAL     "x-apexe-positional"
#define OPERAND_AT     "x-apexe-operand-position"
#define FLAG_AT        "x-apexe-flag-position"
#define VALUE_OPTIONAL "x-apexe-value-optional"
#define LONG_RUNNING   "x-apexe-long-running"
#define ATTACH         "x-writ-attach"
#define ARITY          "x-writ-arity"
#define IS_SEQUENCE    "x-writ-sequence"
#define DASH           "x-writ-dash"

enum shape {
	A_BOOLEAN,
	A_TEXT,
	A_WORD, /* one of words */
	A_COUNT,
	A_LIST, /* of keys */
};

static const struct keyword {
	const char *name;
	enum shape shape;
	unsigned kinds; /* that can have it */
	unsigned min;   /* of a count, like the next */
	unsigned max;
	const char *words[WORDS_MAX];
} keywords[] = {
    {FLAG, A_TEXT, OPTION, 0, 0, {NULL}},
    {POSITIONAL, A_COUNT, OPERAND, 0, INDEX_MAX, {NULL}},
    {OPERAND_AT, A_WORD, OPERAND, 0, 0, {"before-flags", NULL}},
    {FLAG_AT, A_WORD, OPTION | SEQUENCE, 0, 0,
	{"before-operands", "before-subcommand", NULL}},
    {VALUE_OPTIONAL, A_BOOLEAN, OPTION, 0, 0, {NULL}},
    {"x-apexe-conflicts-with", A_LIST, ALL, 0, 0, {NULL}},
    {LONG_RUNNING, A_BOOLEAN, ALL, 0, 0, {NULL}},
    {"x-apexe-path", A_BOOLEAN, ALL, 0, 0, {NULL}},
    {"x-sensitive", A_BOOLEAN, ALL, 0, 0, {NULL}},
    {ATTACH, A_WORD, OPTION, 0, 0, {"separate", "equals", "joined", NULL}},
    {ARITY, A_COUNT, OPTION, 1, ARITY_MAX, {NULL}},
    {"x-writ-requires", A_LIST, ALL, 0, 0, {NULL}},
    {IS_SEQUENCE, A_BOOLEAN, SEQUENCE, 0, 0, {NULL}},
    {DASH, A_WORD, OPTION | OPERAND, 0, 0, {"allow", NULL}},
};

#define KEYWORD_COUNT (sizeof(keywords) / sizeof(keywords[0]))

static const char *const kind_names[] = {
    [W_PARAM_OPTION] = "an option",
    [W_PARAM_OPERAND] = "an operand",
    [W_PARAM_SEQUENCE] = "a sequence",
};

/* What is being read. */
struct reader {
	struct w_form_maker *maker;
	struct w_param *param;
	yyjson_val *key;
};

static writ_status
blame(const struct reader *in, yyjson_val *at, writ_status status)
{
	in->maker->at = at;
	return status;
}

#define REFUSE(in, at, ...)                                    \
	blame((in), (at),                                      \
	    w_fail((in)->maker->err, WRIT_E_INVALID, STAGE, 0, \
		"property '%.64s': " __VA_ARGS__))

static bool
is_ours(yyjson_val *key)
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
refuse_keyword(const struct reader *in, yyjson_val *key)
{
	const char *names[KEYWORD_COUNT + 1];

	for (size_t i = 0; i < KEYWORD_COUNT; i++)
		names[i] = keywords[i].name;
	names[KEYWORD_COUNT] = NULL;
	(void)REFUSE(in, key, "unknown keyword '%.64s'", in->param->key,
	    unsafe_yyjson_get_str(key));

	const char *near = w_match_nearest(yyjson_get_str(key), names);
	if (near != NULL)
		w_suggest(in->maker->err, "did you mean '%s'?", near);
	return WRIT_E_INVALID;
}

static writ_status
refuse_word(
    const struct reader *in, const struct keyword *keyword, yyjson_val *val)
{
	const char *word = yyjson_get_str(val);
	const char *near =
	    word != NULL ? w_match_nearest(word, keyword->words) : NULL;

	(void)REFUSE(
	    in, val, "%s has no such value", in->param->key, keyword->name);
	w_suggest(in->maker->err, "%s '%s'",
	    near != NULL || keyword->words[1] == NULL ? "write" : "for example",
	    near != NULL ? near : keyword->words[0]);
	return WRIT_E_INVALID;
}

static bool
is_one_of(yyjson_val *val, const char *const *words)
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
check_shape(
    const struct reader *in, const struct keyword *keyword, yyjson_val *val)
{
	const char *key = in->param->key;

	if (keyword->shape == A_WORD && !is_one_of(val, keyword->words))
		return refuse_word(in, keyword, val);
	if (keyword->shape == A_BOOLEAN && !yyjson_is_bool(val))
		return REFUSE(
		    in, val, "%s is true or false", key, keyword->name);
	if (keyword->shape == A_TEXT && !yyjson_is_str(val))
		return REFUSE(in, val, "%s is a text", key, keyword->name);
	if (keyword->shape == A_LIST && !is_list_of_texts(val))
		return REFUSE(
		    in, val, "%s is a list of keys", key, keyword->name);
	if (keyword->shape == A_COUNT &&
	    (!yyjson_is_uint(val) || yyjson_get_uint(val) < keyword->min ||
		yyjson_get_uint(val) > keyword->max))
		return REFUSE(in, val, "%s is a whole number from %u to %u",
		    key, keyword->name, keyword->min, keyword->max);
	return WRIT_OK;
}

/* Each keyword by itself, and whether this kind of parameter can have it. */
static writ_status
check_keywords(const struct reader *in)
{
	const struct w_param *param = in->param;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(param->schema, i, count, key, val)
	{
		const struct keyword *keyword = find_keyword(key);

		if (keyword == NULL && is_ours(key))
			return refuse_keyword(in, key);
		if (keyword == NULL)
			continue;
		writ_status status = check_shape(in, keyword, val);
		if (status != WRIT_OK)
			return status;
		if ((keyword->kinds & 1U << param->kind) == 0 &&
		    !yyjson_is_false(val))
			return REFUSE(in, key, "%s says nothing of %s",
			    param->key, keyword->name, kind_names[param->kind]);
	}
	return WRIT_OK;
}

static yyjson_val *
get(const struct reader *in, const char *name)
{
	return yyjson_obj_get(in->param->schema, name);
}

static bool
is_true(const struct reader *in, const char *name)
{
	return yyjson_is_true(get(in, name));
}

/* A token that cannot end options, be taken for standard input, or come apart
 * where somebody prints it. */
static bool
is_flag(const char *flag, size_t len)
{
	if (len < 2 || flag[0] != '-' || (len == 2 && flag[1] == '-'))
		return false;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)flag[i];

		if (c <= ' ' || c == 0x7f)
			return false;
	}
	return true;
}

bool
w_form_add_flag(struct w_buf *buf, const char *key, size_t len)
{
	if (len == 0)
		return false;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)key[i];

		if (c <= ' ' || c == 0x7f || c == '=')
			return false;
	}
	w_buf_add(buf, "--", 2);
	for (size_t i = 0; i < len; i++)
		w_buf_add_char(buf, key[i] == '_' ? '-' : key[i]);
	return true;
}

static writ_status
spell_flag(const struct reader *in)
{
	struct w_param *param = in->param;
	yyjson_val *token = get(in, FLAG);
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, yyjson_get_len(token) + param->key_len + 2);
	if (token != NULL) {
		w_buf_add(&buf, yyjson_get_str(token), yyjson_get_len(token));
		if (!buf.failed && !is_flag(buf.data, buf.len)) {
			(void)REFUSE(in, token, "'%.64s' is not a flag",
			    param->key, buf.data);
			w_suggest(in->maker->err,
			    "one word that begins with '-', like '-l' or "
			    "'--max-time'");
			return WRIT_E_INVALID;
		}
	} else if (!w_form_add_flag(&buf, param->key, param->key_len)) {
		(void)REFUSE(
		    in, in->key, "such a key is no option", param->key);
		w_suggest(in->maker->err,
		    "say how it is written with " FLAG " or " POSITIONAL);
		return WRIT_E_INVALID;
	}
	param->flag = w_buf_take(&buf, &param->flag_len);
	return param->flag != NULL ? WRIT_OK
				   : w_fail_nomem(in->maker->err, STAGE);
}

static void
place_option(const struct reader *in)
{
	yyjson_val *where = get(in, FLAG_AT);

	in->param->slot = W_SLOT_FLAGS;
	if (yyjson_equals_str(where, "before-operands"))
		in->param->slot = W_SLOT_BEFORE_OPERANDS;
	if (yyjson_equals_str(where, "before-subcommand"))
		in->param->slot = W_SLOT_BEFORE_SUBCOMMAND;
}

/* "-f", not "-foo" or "--foo". */
static bool
is_short(const struct w_param *param)
{
	return param->flag_len == 2;
}

static writ_status
read_attach(const struct reader *in)
{
	struct w_param *param = in->param;
	yyjson_val *how = get(in, ATTACH);

	if (yyjson_equals_str(how, "equals"))
		param->attach = W_ATTACH_EQUALS;
	else if (yyjson_equals_str(how, "joined"))
		param->attach = W_ATTACH_JOINED;
	else if (how == NULL && param->is_value_optional)
		param->attach =
		    is_short(param) ? W_ATTACH_JOINED : W_ATTACH_EQUALS;

	if (param->attach == W_ATTACH_JOINED && param->flag[1] == '-')
		return REFUSE(in, how, "nothing can be joined to '%.64s'",
		    param->key, param->flag);
	if (param->attach == W_ATTACH_SEPARATE && param->is_value_optional)
		return REFUSE(in, how,
		    "a value that is optional must be attached to its flag",
		    param->key);
	return WRIT_OK;
}

static writ_status
read_option(const struct reader *in)
{
	struct w_param *param = in->param;
	writ_status status = spell_flag(in);

	if (status != WRIT_OK)
		return status;
	place_option(in);
	param->is_value_optional = is_true(in, VALUE_OPTIONAL);
	if (param->is_value_optional && (param->types & W_TYPE_BOOLEAN) == 0)
		return REFUSE(in, get(in, VALUE_OPTIONAL),
		    VALUE_OPTIONAL " needs a type with boolean", param->key);
	status = read_attach(in);
	if (status != WRIT_OK)
		return status;

	yyjson_val *arity = get(in, ARITY);
	if (arity != NULL)
		param->arity = (unsigned)yyjson_get_uint(arity);
	if (param->arity == 1)
		return WRIT_OK;
	if ((param->types & W_TYPE_ARRAY) == 0)
		return REFUSE(
		    in, arity, ARITY " needs the type array", param->key);
	if (param->attach != W_ATTACH_SEPARATE)
		return REFUSE(in, arity,
		    "several words cannot be attached to a flag", param->key);
	return WRIT_OK;
}

static writ_status
read_kind(const struct reader *in)
{
	struct w_param *param = in->param;

	param->kind = W_PARAM_OPTION;
	if (get(in, POSITIONAL) != NULL)
		param->kind = W_PARAM_OPERAND;
	if (is_true(in, IS_SEQUENCE))
		param->kind = W_PARAM_SEQUENCE;
	if (get(in, POSITIONAL) != NULL && get(in, FLAG) != NULL)
		return REFUSE(in, get(in, FLAG), "%s and %s exclude each other",
		    param->key, FLAG, POSITIONAL);
	writ_status status = check_keywords(in);
	if (status != WRIT_OK)
		return status;

	if (param->kind == W_PARAM_OPTION)
		return read_option(in);
	if (param->kind == W_PARAM_SEQUENCE) {
		place_option(in);
		if ((param->types & W_TYPE_ARRAY) == 0)
			return REFUSE(in, get(in, IS_SEQUENCE),
			    "a sequence needs the type array", param->key);
		return WRIT_OK;
	}
	param->index = (unsigned)yyjson_get_uint(get(in, POSITIONAL));
	param->slot =
	    get(in, OPERAND_AT) != NULL ? W_SLOT_LEADING : W_SLOT_TRAILING;
	return WRIT_OK;
}

writ_status
w_form_param_read(struct w_form_maker *maker, yyjson_val *key,
    yyjson_val *schema, struct w_param *param)
{
	struct reader in = {.maker = maker, .param = param, .key = key};
	struct w_form_facts facts = w_form_facts(maker->schema, schema);

	param->key = yyjson_get_str(key);
	param->key_len = yyjson_get_len(key);
	param->schema = schema;
	param->help = yyjson_get_str(yyjson_obj_get(schema, "description"));
	param->types = facts.types;
	param->item_types = facts.item_types;
	param->is_path = facts.is_path;
	param->is_secret = facts.is_secret;
	param->arity = 1;
	param->is_long_running = is_true(&in, LONG_RUNNING);
	param->may_begin_with_dash = get(&in, DASH) != NULL;

	if (strlen(param->key) != param->key_len)
		return REFUSE(&in, key, "its key has a NUL in it", param->key);
	if (!yyjson_is_obj(schema) && !yyjson_is_bool(schema))
		return REFUSE(
		    &in, schema, "its schema is not an object", param->key);
	return read_kind(&in);
}

writ_status
w_form_check_root(struct w_form_maker *maker)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(maker->schema, i, count, key, val)
	{
		if (yyjson_equals_str(key, "x-apexe-end-of-options")) {
			if (yyjson_is_bool(val))
				continue;
			maker->at = val;
			return w_fail(maker->err, WRIT_E_INVALID, STAGE, 0,
			    "x-apexe-end-of-options is true or false");
		}
		if (!is_ours(key))
			continue;
		maker->at = key;
		(void)w_fail(maker->err, WRIT_E_INVALID, STAGE, 0,
		    "unknown keyword '%.64s' of the whole input_schema",
		    unsafe_yyjson_get_str(key));
		if (find_keyword(key) != NULL)
			w_suggest(maker->err, "it belongs to a property");
		else
			w_suggest(maker->err,
			    "only x-apexe-end-of-options can be there");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}
