/* SPDX-License-Identifier: Apache-2.0 */

/*
 * From arguments to an argv, by the form of the command.
 *
 * Promises, whatever the input is:
 *  1. The words come in the order of the form; the order of the input's keys
 *     decides nothing.
 *  2. No operand can be taken for an option. One that begins with '-' is a
 *     path and gets "./", or is a JSON number, or stands behind a "--" that
 *     the command is known to honour, or its property allows it; otherwise it
 *     is refused. Before the flags no "--" is trusted: find reads on behind it
 *     as if it were not there, so there only the other ways remain, and a path
 *     that find would read as an operator gets "./" too.
 *  3. A switch never gets a value and an option with a value is never bare,
 *     for the next word would then be taken for something else.
 *  4. Every text of the input is in one word, byte for byte.
 *
 * An option's value may begin with '-': it follows its flag, or is attached to
 * it. null, false and an empty array are as if they were not given, also as
 * elements of an array. True is the bare flag, and of an operand a mistake.
 */

#include "module/render.h"

#include <stdlib.h>
#include <string.h>

#include "module/argument.h"

#define STAGE      "arguments"
#define STACK_MAX  64
#define SWITCH_MAX ((unsigned)W_TYPE_NULL | (unsigned)W_TYPE_BOOLEAN)

/* What a parameter was given. */
struct given {
	yyjson_val *val;
	bool is_effective; /* by itself, or as a step of a sequence */
};

struct render {
	const struct w_form *form;
	yyjson_val *args;
	struct given *given; /* by the place of the parameter */
	size_t unlisted;     /* keys that the form does not know */
	size_t cursor;       /* in the order of the form */
	bool has_ended;      /* "--" is before what comes now */
	struct w_words words;
	struct w_argument now; /* the one that is being rendered */
};

static writ_status
no_memory(const struct render *render)
{
	return w_fail_nomem(render->now.err, STAGE);
}

static writ_status
refuse_unknown(const struct render *render, yyjson_val *key)
{
	const char *name = unsafe_yyjson_get_str(key);
	const char *near = w_form_nearest(render->form, name);

	(void)w_fail(render->now.err, WRIT_E_INVALID, STAGE, 0,
	    "there is no argument '%.64s'", name);
	if (near != NULL)
		w_suggest(render->now.err, "did you mean '%s'?", near);
	return WRIT_E_INVALID;
}

static const struct w_param *
find(const struct render *render, yyjson_val *key)
{
	return w_form_find(
	    render->form, yyjson_get_str(key), yyjson_get_len(key));
}

/* One step of a sequence: {"key": value}. */
static writ_status
read_step(struct render *render, yyjson_val *step,
    const struct w_param **out_param, yyjson_val **out_val)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(step);

	if (!yyjson_is_obj(step) || yyjson_obj_size(step) != 1) {
		(void)w_argument_refuse(
		    &render->now, "a step is an object with one member");
		w_suggest(render->now.err, "like [{\"a\": 1}, {\"b\": 2}]");
		return WRIT_E_INVALID;
	}
	yyjson_val *key = yyjson_obj_iter_next(&iter);
	const struct w_param *param = find(render, key);
	if (param == NULL)
		return refuse_unknown(render, key);
	if (param->kind == W_PARAM_SEQUENCE)
		return w_argument_refuse(
		    &render->now, "a step cannot be a sequence itself");
	*out_param = param;
	*out_val = yyjson_obj_iter_get_val(key);
	return WRIT_OK;
}

static writ_status
gather_steps(struct render *render, yyjson_val *steps)
{
	size_t i;
	size_t count;
	yyjson_val *step;

	if (!yyjson_is_arr(steps))
		return w_argument_refuse(&render->now, "it is a list of steps");
	yyjson_arr_foreach(steps, i, count, step)
	{
		const struct w_param *param;
		yyjson_val *val;

		render->now.element = i + 1;
		writ_status status = read_step(render, step, &param, &val);
		if (status != WRIT_OK)
			return status;
		if (w_argument_is_effective(val))
			render->given[param - render->form->params]
			    .is_effective = true;
	}
	return WRIT_OK;
}

/* Finds the parameter of each key. */
static writ_status
gather(struct render *render)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(render->args, i, count, key, val)
	{
		const struct w_param *param = find(render, key);

		if (param == NULL && !render->form->is_open)
			return refuse_unknown(render, key);
		if (param == NULL) {
			render->unlisted++;
			continue;
		}
		struct given *given =
		    &render->given[param - render->form->params];
		given->val = val;
		if (!w_argument_is_effective(val))
			continue;
		given->is_effective = true;
		if (param->kind != W_PARAM_SEQUENCE)
			continue;
		render->now.key = param->key;
		writ_status status = gather_steps(render, val);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
check_links_of(const struct render *render, const struct w_param *param)
{
	const struct w_param *params = render->form->params;

	for (size_t i = 0; i < param->conflict_count; i++) {
		if (render->given[param->conflicts[i]].is_effective)
			return w_fail(render->now.err, WRIT_E_INVALID, STAGE, 0,
			    "arguments '%.64s' and '%.64s' exclude each other",
			    param->key, params[param->conflicts[i]].key);
	}
	for (size_t i = 0; i < param->require_count; i++) {
		if (!render->given[param->requires[i]].is_effective)
			return w_fail(render->now.err, WRIT_E_INVALID, STAGE, 0,
			    "argument '%.64s' needs '%.64s'", param->key,
			    params[param->requires[i]].key);
	}
	return WRIT_OK;
}

static writ_status
check_links(const struct render *render)
{
	for (size_t i = 0; i < render->form->count; i++) {
		if (!render->given[i].is_effective)
			continue;
		writ_status status =
		    check_links_of(render, &render->form->params[i]);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
add_word(struct render *render, const char *word, size_t len)
{
	return w_words_add(&render->words, word, len) ? WRIT_OK
						      : no_memory(render);
}

static writ_status
add_words(struct render *render, const char *const *words)
{
	writ_status status = WRIT_OK;

	for (; status == WRIT_OK && words != NULL && *words != NULL; words++)
		status = add_word(render, *words, strlen(*words));
	return status;
}

static writ_status
add_switch(struct render *render, const struct w_param *param, unsigned types)
{
	if ((types & W_TYPE_BOOLEAN) == 0) {
		(void)w_argument_refuse(
		    &render->now, "'%.64s' takes a value", param->flag);
		w_suggest(render->now.err, "give the value itself, not true");
		return WRIT_E_INVALID;
	}
	return add_word(render, param->flag, param->flag_len);
}

/* "--flag=value", "-fvalue". */
static writ_status
add_attached(struct render *render, const struct w_param *param,
    const struct w_argument_text *text)
{
	if (param->attach == W_ATTACH_JOINED) {
		/* Nothing joined to a flag is the bare flag. */
		if (text->len == 0)
			return w_argument_refuse(&render->now,
			    "an empty value cannot be joined to '%.64s'",
			    param->flag);
		return w_argument_add(&render->now, &render->words, param->flag,
		    param->flag_len, text);
	}
	W_AUTO_BUF struct w_buf before;
	w_buf_init(&before, param->flag_len + 1);
	w_buf_add(&before, param->flag, param->flag_len);
	w_buf_add_char(&before, '=');
	if (before.failed)
		return no_memory(render);
	return w_argument_add(
	    &render->now, &render->words, before.data, before.len, text);
}

static writ_status
add_option_value(struct render *render, const struct w_param *param,
    yyjson_val *val, unsigned types)
{
	W_AUTO_ARGUMENT_TEXT struct w_argument_text text = {0};

	if (yyjson_is_null(val) || yyjson_is_false(val))
		return WRIT_OK;
	if (yyjson_is_true(val))
		return add_switch(render, param, types);
	if ((types & ~SWITCH_MAX) == 0) {
		(void)w_argument_refuse(&render->now,
		    "'%.64s' is a switch and takes no value", param->flag);
		w_suggest(render->now.err, "true or false");
		return WRIT_E_INVALID;
	}
	writ_status status = w_argument_text(&render->now, val, types, &text);
	if (status != WRIT_OK)
		return status;
	if (param->attach != W_ATTACH_SEPARATE)
		return add_attached(render, param, &text);
	status = add_word(render, param->flag, param->flag_len);
	if (status != WRIT_OK)
		return status;
	return w_argument_add(&render->now, &render->words, NULL, 0, &text);
}

/* One occurrence of a flag with several words. */
static writ_status
add_tuple(struct render *render, const struct w_param *param, yyjson_val *tuple)
{
	writ_status status;
	size_t i;
	size_t count;
	yyjson_val *val;

	if (!yyjson_is_arr(tuple) || yyjson_arr_size(tuple) != param->arity) {
		(void)w_argument_refuse(&render->now,
		    "'%.64s' takes %u values at a time", param->flag,
		    param->arity);
		w_suggest(render->now.err,
		    "an array of %u, or an array of such arrays", param->arity);
		return WRIT_E_INVALID;
	}
	status = add_word(render, param->flag, param->flag_len);
	yyjson_arr_foreach(tuple, i, count, val)
	{
		W_AUTO_ARGUMENT_TEXT struct w_argument_text text = {0};

		if (status == WRIT_OK)
			status = w_argument_text(
			    &render->now, val, W_TYPE_ANY, &text);
		if (status == WRIT_OK)
			status = w_argument_add(
			    &render->now, &render->words, NULL, 0, &text);
	}
	return status;
}

static writ_status
add_tuples(struct render *render, const struct w_param *param, yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *tuple;

	if (!w_argument_is_effective(val))
		return WRIT_OK;
	if (!yyjson_is_arr(yyjson_arr_get_first(val)))
		return add_tuple(render, param, val);
	yyjson_arr_foreach(val, i, count, tuple)
	{
		render->now.element = i + 1;
		writ_status status = add_tuple(render, param, tuple);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* What must stand before an operand so that it is one; NULL with the error
 * when nothing helps. */
static const char *
guard(struct render *render, const struct w_param *param, enum w_slot slot,
    const struct w_argument_text *text)
{
	bool is_dashed = w_argument_is_dashed(text->bytes, text->len);
	bool is_operator = slot != W_SLOT_TRAILING && param->is_path &&
			   w_argument_is_operator(text->bytes, text->len);

	if ((!is_dashed && !is_operator) || param->may_begin_with_dash)
		return "";
	if (param->is_path)
		return "./";
	if (slot == W_SLOT_TRAILING && render->has_ended)
		return "";

	(void)w_argument_refuse(&render->now,
	    "'%.64s' begins with '-' and would be taken for an option",
	    text->bytes);
	w_suggest(render->now.err,
	    "in the binding: x-apexe-path for a path, x-apexe-end-of-options "
	    "where the command honours \"--\", or x-writ-dash: allow");
	return NULL;
}

static writ_status
add_operand_value(struct render *render, const struct w_param *param,
    enum w_slot slot, yyjson_val *val)
{
	W_AUTO_ARGUMENT_TEXT struct w_argument_text text = {0};
	const char *before = "";

	if (yyjson_is_null(val) || yyjson_is_false(val))
		return WRIT_OK;
	if (yyjson_is_true(val)) {
		(void)w_argument_refuse(
		    &render->now, "an operand is a text or a number, not true");
		return WRIT_E_INVALID;
	}
	unsigned types =
	    render->now.element > 0 ? param->item_types : param->types;
	writ_status status = w_argument_text(&render->now, val, types, &text);
	if (status != WRIT_OK)
		return status;
	if (yyjson_is_str(val))
		before = guard(render, param, slot, &text);
	if (before == NULL)
		return WRIT_E_INVALID;
	return w_argument_add(
	    &render->now, &render->words, before, strlen(before), &text);
}

static writ_status
add_one(struct render *render, const struct w_param *param, enum w_slot slot,
    yyjson_val *val, unsigned types)
{
	if (param->kind == W_PARAM_OPERAND)
		return add_operand_value(render, param, slot, val);
	return add_option_value(render, param, val, types);
}

static writ_status
add_param(struct render *render, const struct w_param *param, enum w_slot slot,
    yyjson_val *val)
{
	writ_status status = WRIT_OK;
	size_t i;
	size_t count;
	yyjson_val *item;

	if (param->arity > 1)
		return add_tuples(render, param, val);
	if (!yyjson_is_arr(val))
		return add_one(render, param, slot, val, param->types);
	yyjson_arr_foreach(val, i, count, item)
	{
		render->now.element = i + 1;
		status = add_one(render, param, slot, item, param->item_types);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* Operands among flags: as before all flags, nothing protects them. */
static writ_status
add_sequence(struct render *render, yyjson_val *steps)
{
	const struct w_argument whole = render->now;
	size_t i;
	size_t count;
	yyjson_val *step;

	yyjson_arr_foreach(steps, i, count, step)
	{
		const struct w_param *param;
		yyjson_val *val;

		render->now = whole;
		render->now.element = i + 1;
		writ_status status = read_step(render, step, &param, &val);
		if (status != WRIT_OK)
			return status;
		render->now.key = param->key;
		render->now.element = 0;
		status = add_param(render, param, W_SLOT_LEADING, val);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static writ_status
add_slot(struct render *render, enum w_slot slot)
{
	const struct w_form *form = render->form;

	for (; render->cursor < form->count; render->cursor++) {
		size_t place = form->order[render->cursor];
		const struct w_param *param = &form->params[place];
		yyjson_val *val = render->given[place].val;
		writ_status status;

		if (param->slot != slot)
			return WRIT_OK;
		if (!w_argument_is_effective(val))
			continue;
		render->now.key = param->key;
		render->now.element = 0;
		if (param->kind == W_PARAM_SEQUENCE)
			status = add_sequence(render, val);
		else
			status = add_param(render, param, slot, val);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* A second spelling of a listed key would go around its schema. */
static writ_status
refuse_alias(struct render *render, const char *flag)
{
	for (size_t i = 0; i < render->form->count; i++) {
		const struct w_param *param = &render->form->params[i];

		if (param->flag == NULL || strcmp(param->flag, flag) != 0)
			continue;
		(void)w_argument_refuse(
		    &render->now, "'%.64s' has another name", flag);
		w_suggest(render->now.err, "write '%s'", param->key);
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* A key that an open form does not list is a long option of any type. */
static writ_status
add_unlisted(struct render *render, yyjson_val *key, yyjson_val *val)
{
	W_AUTO_BUF struct w_buf flag;
	struct w_param param = {.key = yyjson_get_str(key),
	    .key_len = yyjson_get_len(key),
	    .types = W_TYPE_ANY,
	    .item_types = W_TYPE_ANY,
	    .arity = 1};

	render->now.key = param.key;
	render->now.element = 0;
	w_buf_init(&flag, W_WORD_BYTES_MAX);
	if (!w_form_add_flag(&flag, param.key, param.key_len))
		return w_argument_refuse(
		    &render->now, "such a key is no option");
	if (flag.failed)
		return no_memory(render);
	writ_status status = refuse_alias(render, flag.data);
	if (status != WRIT_OK)
		return status;
	param.flag = flag.data;
	param.flag_len = flag.len;
	return add_param(render, &param, W_SLOT_FLAGS, val);
}

static writ_status
add_all_unlisted(struct render *render)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	if (render->unlisted == 0)
		return WRIT_OK;
	yyjson_obj_foreach(render->args, i, count, key, val)
	{
		if (find(render, key) != NULL)
			continue;
		writ_status status = add_unlisted(render, key, val);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

static bool
is_risky(const struct w_param *param, yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	if (param->is_path || param->may_begin_with_dash)
		return false;
	yyjson_arr_foreach(val, i, count, item)
	{
		if (yyjson_is_str(item) &&
		    w_argument_is_dashed(
			yyjson_get_str(item), yyjson_get_len(item)))
			return true;
	}
	return yyjson_is_str(val) &&
	       w_argument_is_dashed(yyjson_get_str(val), yyjson_get_len(val));
}

/* "--" only where it is needed: it must stand before all operands, since some
 * commands read no options behind the first. */
static writ_status
end_options(struct render *render)
{
	const struct w_form *form = render->form;

	for (size_t i = 0; form->has_end_of_options && i < form->operand_count;
	     i++) {
		size_t place = form->operands[i];

		if (form->params[place].slot != W_SLOT_TRAILING ||
		    !is_risky(&form->params[place], render->given[place].val))
			continue;
		render->has_ended = true;
		return add_word(render, "--", 2);
	}
	return WRIT_OK;
}

static writ_status
add_everything(struct render *render, const struct w_render_plan *plan)
{
	writ_status status =
	    add_word(render, plan->words[0], strlen(plan->words[0]));

	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_BEFORE_SUBCOMMAND);
	if (status == WRIT_OK)
		status = add_words(render, plan->words + 1);
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_BEFORE_OPERANDS);
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_LEADING);
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_FLAGS);
	if (status == WRIT_OK)
		status = add_all_unlisted(render);
	if (status == WRIT_OK)
		status = add_words(render, plan->json_flag);
	if (status == WRIT_OK)
		status = end_options(render);
	if (status == WRIT_OK)
		status = add_slot(render, W_SLOT_TRAILING);
	return status;
}

static writ_status
render_with(struct render *render, const struct w_render_plan *plan,
    struct w_words *out_argv)
{
	writ_status status = gather(render);

	if (status == WRIT_OK)
		status = check_links(render);
	if (status == WRIT_OK)
		status = add_everything(render, plan);
	if (status != WRIT_OK) {
		w_words_done(&render->words);
		return status;
	}
	*out_argv = render->words;
	return WRIT_OK;
}

writ_status
w_render(const struct w_render_plan *plan, yyjson_val *args,
    struct w_words *out_argv, writ_error *err)
{
	struct given few[STACK_MAX];
	struct given *many = NULL;
	size_t count = plan->form->count;
	struct render render = {
	    .form = plan->form, .args = args, .given = few, .now.err = err};

	if (!yyjson_is_obj(args))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the arguments are not an object");
	if (count > STACK_MAX) {
		many = calloc(count, sizeof(*many));
		if (many == NULL)
			return w_fail_nomem(err, STAGE);
		render.given = many;
	} else {
		memset(few, 0, count * sizeof(few[0]));
	}
	writ_status status = render_with(&render, plan, out_argv);
	free(many);
	return status;
}
