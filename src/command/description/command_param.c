/* SPDX-License-Identifier: Apache-2.0 */

/* What follows the spelling of an option or operand: one line for people, or a
 * map. */

#include "command/description/command_builder.h"
#include "data/json_words.h"

enum {
	OF_OPTION = 1,
	OF_OPERAND = 2,
	OF_BOTH = 3,
};

typedef writ_status read_fn(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param);

static writ_status
read_about(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	writ_status status = w_command_check_text(builder, val, "about");

	param->help = yyjson_get_str(val);
	return status;
}

static writ_status
command_param_read_key(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	writ_status status = w_command_check_text(builder, val, "key");

	if (status != WRIT_OK)
		return status;
	if (yyjson_get_len(val) == 0)
		return w_command_refuse(builder, val, "a key cannot be empty");
	param->key = yyjson_get_str(val);
	param->key_len = yyjson_get_len(val);
	return WRIT_OK;
}

static writ_status
command_param_read_switch(struct w_command_builder *builder, yyjson_val *val,
    const char *name, bool *out_is)
{
	if (!yyjson_is_bool(val))
		return w_command_refuse_type(
		    builder, val, name, "true or false");
	*out_is = yyjson_is_true(val);
	return WRIT_OK;
}

static writ_status
read_secret(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	writ_status status = command_param_read_switch(
	    builder, val, "secret", &param->is_secret);

	if (status == WRIT_OK && param->values == NULL)
		return w_command_refuse(
		    builder, val, "a switch has no value that could be secret");
	return status;
}

static writ_status
read_long_running(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	return command_param_read_switch(
	    builder, val, "long_running", &param->is_long_running);
}

static writ_status
read_incidental(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	return command_param_read_switch(
	    builder, val, "incidental", &param->is_incidental);
}

static bool
is_command_like(const struct w_param *param)
{
	for (size_t i = 0; param->values != NULL && i < param->arity; i++) {
		const struct w_value_type *type = &param->values[i];

		if (type->kind == W_VALUE_COMMAND ||
		    type->kind == W_VALUE_PROGRAM ||
		    (type->kind == W_VALUE_SCRIPT &&
			type->script == W_SCRIPT_SH))
			return true;
	}
	return false;
}

static writ_status
read_inner(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	static const char *const words[] = {"here", "appended", "placed",
	    "remote", "joined", "elsewhere", "terminal", NULL};
	static const unsigned bits[] = {0, W_INNER_APPENDED, W_INNER_PLACED,
	    W_INNER_REMOTE, W_INNER_JOINED, W_INNER_ELSEWHERE,
	    W_INNER_TERMINAL};
	struct w_command_texts texts = w_command_texts(val);
	writ_status status = w_command_check_texts(builder, val, "inner");
	yyjson_val *text;

	if (status == WRIT_OK && !is_command_like(param)) {
		(void)w_command_refuse(builder, val,
		    "'%.64s' is not a command that could be run", param->key);
		w_suggest(builder->err,
		    "inner belongs to the types command, program and "
		    "script:sh");
		return WRIT_E_INVALID;
	}
	while (status == WRIT_OK &&
	       (text = w_command_texts_next(&texts)) != NULL) {
		unsigned place = 0;

		status =
		    w_command_read_word(builder, text, "inner", words, &place);
		param->inner |= bits[place];
	}
	return status;
}

static writ_status
read_default(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	writ_status status = w_command_check_text(builder, val, "default");

	if (status == WRIT_OK && param->min_count > 0) {
		(void)w_command_refuse(builder, val,
		    "'%.64s' is always there, so it needs no default",
		    param->key);
		w_suggest(
		    builder->err, "'%s?' or '%s*'", param->key, param->key);
		return WRIT_E_INVALID;
	}
	param->standard = yyjson_get_str(val);
	return status;
}

static writ_status
read_after_dashes(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	writ_status status = command_param_read_switch(
	    builder, val, "after_dashes", &param->is_after_dashes);

	if (status == WRIT_OK && param->is_after_dashes &&
	    !builder->grammar->honours_dashes)
		return w_command_refuse(builder, val,
		    "the program does not take '--' for the end of its "
		    "options");
	return status;
}

static writ_status
read_dash(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	static const char *const words[] = {"allow", NULL};
	unsigned place;

	param->may_begin_with_dash = true;
	return w_command_read_word(builder, val, "dash", words, &place);
}

static writ_status
command_param_read_first(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	bool is_first = false;
	writ_status status =
	    command_param_read_switch(builder, val, "first", &is_first);

	if (status != WRIT_OK || !is_first)
		return status;
	if (builder->grammar->style != W_STYLE_LEADING)
		return w_command_refuse(
		    builder, val, "first belongs to the style leading");
	if (!param->is_global)
		param->slot = W_SLOT_BEFORE_OPERANDS;
	return WRIT_OK;
}

/* No option is read after it, so it is rendered last. */
static writ_status
read_last(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	writ_status status =
	    command_param_read_switch(builder, val, "last", &param->is_last);

	if (status == WRIT_OK && param->is_last &&
	    builder->grammar->style != W_STYLE_GNU &&
	    builder->grammar->style != W_STYLE_POSIX)
		return w_command_refuse(
		    builder, val, "last belongs to the styles gnu and posix");
	param->index = param->is_last ? 1 : 0;
	return status;
}

/* Some programs read what is attached to such a letter as further letters. */
static writ_status
read_separate(
    struct w_command_builder *builder, yyjson_val *val, struct w_param *param)
{
	bool is_separate = false;
	writ_status status =
	    command_param_read_switch(builder, val, "separate", &is_separate);
	struct w_flag_name *names;

	if (status != WRIT_OK || !is_separate)
		return status;
	names = w_arena_alloc(
	    &builder->grammar->arena, param->name_count, sizeof(*names));
	if (names == NULL)
		return w_command_nomem(builder);
	bool is_any = false;
	for (size_t i = 0; i < param->name_count; i++) {
		names[i] = param->names[i];
		if ((names[i].spellings & W_SPELL_SEPARATE) == 0)
			continue;
		is_any = true;
		names[i].spellings &= ~(unsigned)W_SPELL_JOINED;
	}
	param->names = names;
	if (!is_any)
		return w_command_refuse(builder, val,
		    "'%.64s' has no value that is a word of its own",
		    param->key);
	return WRIT_OK;
}

/* No function: it refers to other parameters and is read once all are known. */
static const struct param_key {
	const char *word;
	unsigned of;
	read_fn *read;
} param_keys[] = {
    {"about", OF_BOTH, read_about},
    {"effects", OF_BOTH, NULL},
    {"cases", OF_BOTH, NULL},
    {"conflicts", OF_BOTH, NULL},
    {"requires", OF_BOTH, NULL},
    {"key", OF_BOTH, command_param_read_key},
    {"secret", OF_BOTH, read_secret},
    {"long_running", OF_BOTH, read_long_running},
    {"incidental", OF_BOTH, read_incidental},
    {"inner", OF_BOTH, read_inner},
    {"unless", OF_OPERAND, NULL},
    {"only", OF_OPERAND, NULL},
    {"placeholder", OF_OPERAND, NULL},
    {"default", OF_OPERAND, read_default},
    {"after_dashes", OF_OPERAND, read_after_dashes},
    {"dash", OF_OPERAND, read_dash},
    {"first", OF_OPTION, command_param_read_first},
    {"last", OF_OPTION, read_last},
    {"separate", OF_OPTION, read_separate},
};

#define KEY_COUNT (sizeof(param_keys) / sizeof(param_keys[0]))

static writ_status
command_param_refuse_key(
    struct w_command_builder *builder, yyjson_val *key, unsigned of)
{
	const char *names[KEY_COUNT + 1];
	size_t count = 0;

	for (size_t i = 0; i < KEY_COUNT; i++) {
		if ((param_keys[i].of & of) != 0)
			names[count++] = param_keys[i].word;
	}
	names[count] = NULL;
	builder->fault = (struct w_command_fault){.at = key};
	return w_json_unknown_key(key,
	    of == OF_OPTION ? "key of an option" : "key of an operand", names,
	    W_COMMAND_STAGE, builder->err);
}

static writ_status
command_param_read_member(struct w_command_builder *builder, yyjson_val *key,
    yyjson_val *val, struct w_param *param, bool *has_links)
{
	unsigned of = param->kind == W_PARAM_OPERAND ? OF_OPERAND : OF_OPTION;

	for (size_t i = 0; i < KEY_COUNT; i++) {
		if ((param_keys[i].of & of) == 0 ||
		    !yyjson_equals_str(key, param_keys[i].word))
			continue;
		if (param_keys[i].read != NULL)
			return param_keys[i].read(builder, val, param);
		*has_links = true;
		return WRIT_OK;
	}
	return command_param_refuse_key(builder, key, of);
}

writ_status
w_command_read_param(struct w_command_builder *builder, yyjson_val *key,
    yyjson_val *val, struct w_param *param)
{
	writ_status status = WRIT_OK;
	bool has_links = false;
	size_t i;
	size_t count;
	yyjson_val *name;
	yyjson_val *member;

	if (yyjson_is_null(val))
		return WRIT_OK;
	if (yyjson_is_str(val))
		return read_about(builder, val, param);
	if (!yyjson_is_obj(val))
		return w_command_refuse_type(builder, val, yyjson_get_str(key),
		    "one line of text, or a map");
	yyjson_obj_foreach(val, i, count, name, member)
	{
		status = command_param_read_member(
		    builder, name, member, param, &has_links);
		if (status != WRIT_OK)
			return status;
	}
	if (has_links)
		builder->params[param - builder->grammar->params].links = val;
	return WRIT_OK;
}
