/* SPDX-License-Identifier: Apache-2.0 */

/* One property of an input schema, and the parameter that its keywords make of
 * it. */

#include "command/grammar/grammar_param.h"

#include <string.h>

#include "command/grammar/grammar_keyword.h"
#include "command/grammar/property_facts.h"

#define STAGE "binding"

static yyjson_val *
get(const struct w_grammar_reader *in, const char *name)
{
	return yyjson_obj_get(in->param->schema, name);
}

static bool
is_true(const struct w_grammar_reader *in, const char *name)
{
	return yyjson_is_true(get(in, name));
}

/* A word without blanks or control characters. */
static bool
grammar_param_is_word(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)word[i];

		if (c <= ' ' || c == 0x7f)
			return false;
	}
	return len > 0;
}

/* A token that neither ends options nor means standard input. */
static bool
is_flag(const char *flag, size_t len)
{
	return len >= 2 && flag[0] == '-' && (len > 2 || flag[1] != '-') &&
	       grammar_param_is_word(flag, len);
}

bool
w_grammar_add_flag(struct w_buf *buf, const char *key, size_t len)
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
refuse_flag(const struct w_grammar_reader *in, yyjson_val *token)
{
	(void)w_grammar_refuse(
	    in, token, "'%.64s' is not a flag", unsafe_yyjson_get_str(token));
	w_suggest(in->builder->err,
	    "one word that begins with '-', like '-l' or '--max-time'");
	return WRIT_E_INVALID;
}

/* Other names, which are parsed but never rendered. */
static writ_status
grammar_param_check_names(const struct w_grammar_reader *in)
{
	size_t i;
	size_t count;
	yyjson_val *name;

	yyjson_arr_foreach(get(in, W_KEY_NAMES), i, count, name)
	{
		if (!is_flag(yyjson_get_str(name), yyjson_get_len(name)))
			return refuse_flag(in, name);
	}
	return WRIT_OK;
}

/* A token without a dash has a keyword of its own, so that a misspelled flag is
 * an error. */
static writ_status
check_token(const struct w_grammar_reader *in, yyjson_val *token)
{
	const char *text = yyjson_get_str(token);
	const size_t len = yyjson_get_len(token);

	if (token != get(in, W_KEY_TOKEN))
		return is_flag(text, len) ? WRIT_OK : refuse_flag(in, token);
	if (grammar_param_is_word(text, len) && text[0] != '-')
		return WRIT_OK;
	return w_grammar_refuse(
	    in, token, "%s is one word without a dash", W_KEY_TOKEN);
}

static writ_status
spell_flag(const struct w_grammar_reader *in)
{
	struct w_param *param = in->param;
	yyjson_val *token = get(in, W_KEY_FLAG);
	W_AUTO_BUF struct w_buf buf;

	if (token == NULL)
		token = get(in, W_KEY_TOKEN);

	w_buf_init(&buf, yyjson_get_len(token) + param->key_len + 2);
	if (token != NULL) {
		w_buf_add(&buf, yyjson_get_str(token), yyjson_get_len(token));
		writ_status status = check_token(in, token);

		if (status != WRIT_OK)
			return status;
	} else if (!w_grammar_add_flag(&buf, param->key, param->key_len)) {
		(void)w_grammar_refuse(
		    in, in->key, "such a key is not an option");
		w_suggest(in->builder->err,
		    "say how it is written with " W_KEY_FLAG
		    " or " W_KEY_POSITIONAL);
		return WRIT_E_INVALID;
	}
	param->flag = w_buf_take(&buf, &param->flag_len);
	return param->flag != NULL ? WRIT_OK
				   : w_fail_nomem(in->builder->err, STAGE);
}

static void
place_option(const struct w_grammar_reader *in)
{
	yyjson_val *where = get(in, W_KEY_FLAG_AT);

	in->param->slot = W_SLOT_FLAGS;
	if (yyjson_equals_str(where, "before-operands"))
		in->param->slot = W_SLOT_BEFORE_OPERANDS;
	if (yyjson_equals_str(where, "before-subcommand"))
		in->param->slot = W_SLOT_BEFORE_SUBCOMMAND;
}

static writ_status
read_attach(const struct w_grammar_reader *in)
{
	struct w_param *param = in->param;
	yyjson_val *how = get(in, W_KEY_ATTACH);

	if (yyjson_equals_str(how, "equals"))
		param->attach = W_ATTACH_EQUALS;
	else if (yyjson_equals_str(how, "joined"))
		param->attach = W_ATTACH_JOINED;
	else if (how == NULL && param->is_value_optional)
		param->attach =
		    param->flag_len == 2 ? W_ATTACH_JOINED : W_ATTACH_EQUALS;

	if (param->attach == W_ATTACH_JOINED && param->flag[1] == '-')
		return w_grammar_refuse(
		    in, how, "nothing can be joined to '%.64s'", param->flag);
	if (param->attach == W_ATTACH_SEPARATE && param->is_value_optional)
		return w_grammar_refuse(in, how,
		    "a value that is optional must be attached to its flag");
	return WRIT_OK;
}

static writ_status
read_option(const struct w_grammar_reader *in)
{
	struct w_param *param = in->param;
	writ_status status = spell_flag(in);

	if (status == WRIT_OK)
		status = grammar_param_check_names(in);
	if (status != WRIT_OK)
		return status;
	place_option(in);
	param->is_value_optional = is_true(in, W_KEY_VALUE_OPTIONAL);
	if (param->is_value_optional && (param->types & W_TYPE_BOOLEAN) == 0)
		return w_grammar_refuse(in, get(in, W_KEY_VALUE_OPTIONAL),
		    W_KEY_VALUE_OPTIONAL " needs a type with boolean");
	status = read_attach(in);
	if (status != WRIT_OK)
		return status;

	yyjson_val *arity = get(in, W_KEY_ARITY);
	if (arity != NULL)
		param->arity = (unsigned)yyjson_get_uint(arity);
	if (param->arity == 1)
		return WRIT_OK;
	if ((param->types & W_TYPE_ARRAY) == 0)
		return w_grammar_refuse(
		    in, arity, W_KEY_ARITY " needs the type array");
	if (param->attach != W_ATTACH_SEPARATE)
		return w_grammar_refuse(
		    in, arity, "several words cannot be attached to a flag");
	return WRIT_OK;
}

static writ_status
read_kind(const struct w_grammar_reader *in)
{
	struct w_param *param = in->param;

	param->kind = W_PARAM_OPTION;
	if (get(in, W_KEY_POSITIONAL) != NULL)
		param->kind = W_PARAM_OPERAND;
	if (is_true(in, W_KEY_SEQUENCE))
		param->kind = W_PARAM_SEQUENCE;
	if (get(in, W_KEY_TOKEN) != NULL && get(in, W_KEY_FLAG) != NULL)
		return w_grammar_refuse(in, get(in, W_KEY_TOKEN),
		    "%s and %s cannot be used together", W_KEY_FLAG,
		    W_KEY_TOKEN);
	if (get(in, W_KEY_POSITIONAL) != NULL && get(in, W_KEY_FLAG) != NULL)
		return w_grammar_refuse(in, get(in, W_KEY_FLAG),
		    "%s and %s cannot be used together", W_KEY_FLAG,
		    W_KEY_POSITIONAL);
	writ_status status = w_grammar_check_keywords(in);
	if (status != WRIT_OK)
		return status;

	if (param->kind == W_PARAM_OPTION)
		return read_option(in);
	if (param->kind == W_PARAM_SEQUENCE) {
		place_option(in);
		if ((param->types & W_TYPE_ARRAY) == 0)
			return w_grammar_refuse(in, get(in, W_KEY_SEQUENCE),
			    "a sequence needs the type array");
		return WRIT_OK;
	}
	param->index = (unsigned)yyjson_get_uint(get(in, W_KEY_POSITIONAL));
	param->slot = get(in, W_KEY_OPERAND_AT) != NULL ? W_SLOT_LEADING
							: W_SLOT_TRAILING;
	return WRIT_OK;
}

writ_status
w_grammar_param_read(struct w_grammar_builder *builder, yyjson_val *key,
    yyjson_val *schema, struct w_param *param)
{
	struct w_grammar_reader in = {
	    .builder = builder, .param = param, .key = key};
	struct w_property_facts facts =
	    w_property_facts(builder->schema, schema);

	param->key = yyjson_get_str(key);
	param->key_len = yyjson_get_len(key);
	param->schema = schema;
	param->help = yyjson_get_str(yyjson_obj_get(schema, "description"));
	param->types = facts.types;
	param->item_types = facts.item_types;
	param->is_path = facts.is_path;
	param->arity = 1;
	param->is_long_running = is_true(&in, W_KEY_LONG_RUNNING);
	param->may_begin_with_dash = get(&in, W_KEY_DASH) != NULL;

	if (strlen(param->key) != param->key_len)
		return w_grammar_refuse(&in, key, "its key has a NUL in it");
	if (!yyjson_is_obj(schema) && !yyjson_is_bool(schema))
		return w_grammar_refuse(
		    &in, schema, "its schema is not an object");
	writ_status status = read_kind(&in);
	return status == WRIT_OK ? w_grammar_read_type(&in) : status;
}
