/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a module runs: its target, its argv, or a command template; and the
 * words that make it print JSON.
 *
 * The program is fixed in the file, never computed from an argument.
 */

#include <string.h>

#include "module/binding/binding_target.h"
#include "module/binding/module_builder.h"

/* Adds the texts of a list. */
static writ_status
binding_command_add_words(
    struct w_words *words, yyjson_val *list, writ_error *err)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(list, i, count, item)
	{
		if (!w_words_add(
			words, yyjson_get_str(item), yyjson_get_len(item)))
			return w_fail_nomem(err, W_MODULE_STAGE);
	}
	return WRIT_OK;
}

/* Appends words separated by blanks; runs of blanks become one. */
static void
flatten(struct w_buf *buf, const struct w_words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *at = words->items[i];

		while (*at != '\0') {
			size_t len = strcspn(at, " ");

			if (len > 0 && buf->len > 0)
				w_buf_add_char(buf, ' ');
			w_buf_add(buf, at, len);
			at += len + (at[len] == ' ');
		}
	}
}

/* A target cannot show where a word ends, so both are compared in its
 * notation. */
static writ_status
binding_command_compare(struct w_module_builder *builder,
    const struct w_words *target, const struct w_words *argv, writ_error *err)
{
	W_AUTO_BUF struct w_buf by_target;
	W_AUTO_BUF struct w_buf by_argv;

	w_buf_init(&by_target, W_BINDING_BYTES_MAX);
	w_buf_init(&by_argv, W_BINDING_BYTES_MAX);
	flatten(&by_target, target);
	flatten(&by_argv, argv);
	if (by_target.failed || by_argv.failed)
		return w_fail_nomem(err, W_MODULE_STAGE);
	if (strcmp(by_target.data, by_argv.data) == 0)
		return WRIT_OK;
	builder->at = w_module_builder_get(builder->element, "argv");
	(void)w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
	    "argv is '%s', but target says '%s'", by_argv.data, by_target.data);
	w_suggest(err, "leave one of them out, or make them agree");
	return WRIT_E_INVALID;
}

static writ_status
read_argv(
    struct w_module_builder *builder, struct w_words *words, writ_error *err)
{
	yyjson_val *argv = NULL;
	writ_status status = w_module_builder_texts(
	    builder, builder->element, "argv", &argv, err);

	if (status != WRIT_OK || argv == NULL)
		return status;
	builder->at = argv;
	if (yyjson_arr_size(argv) == 0)
		return w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
		    "argv is empty; its first word is the program");
	status = binding_command_add_words(words, argv, err);
	if (status != WRIT_OK)
		return status;
	builder->at = yyjson_arr_get_first(argv);
	return w_binding_target_program(words->items[0], err);
}

static writ_status
read_target(
    struct w_module_builder *builder, struct w_words *words, writ_error *err)
{
	const char *target = NULL;
	writ_status status = w_module_builder_text(
	    builder, builder->element, "target", &target, err);

	if (status != WRIT_OK || target == NULL)
		return status;
	builder->at = w_module_builder_get(builder->element, "target");
	return w_binding_target_parse(target, words, err);
}

static writ_status
read_fixed(struct w_module_builder *builder, writ_error *err)
{
	struct w_module *module = builder->module;
	W_AUTO_WORDS struct w_words target = {0};
	writ_status status = read_argv(builder, &module->words, err);

	if (status == WRIT_OK)
		status = read_target(builder, &target, err);
	if (status != WRIT_OK)
		return status;
	if (module->words.count == 0 && target.count == 0) {
		builder->at = builder->element;
		(void)w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
		    "there is no target, argv or command");
		w_suggest(err, "add target: exec:///path/to/program words");
		return WRIT_E_INVALID;
	}
	if (module->words.count == 0) {
		module->words = target;
		target = (struct w_words){0};
		return WRIT_OK;
	}
	return target.count > 0 ? binding_command_compare(
				      builder, &target, &module->words, err)
				: WRIT_OK;
}

static writ_status
refuse_beside(
    struct w_module_builder *builder, const char *name, writ_error *err)
{
	builder->at = w_module_builder_get(builder->element, name);
	if (builder->at == NULL)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
	    "'command' and '%s' cannot be given together", name);
	if (strcmp(name, "json_flag") == 0)
		w_suggest(err, "write these words into command, and "
			       "output: {as: json}");
	return WRIT_E_INVALID;
}

static writ_status
binding_command_read_command(
    struct w_module_builder *builder, yyjson_val *command, writ_error *err)
{
	static const char *const others[] = {
	    "target", "argv", "json_flag", NULL};
	struct w_module *module = builder->module;

	for (size_t i = 0; others[i] != NULL; i++) {
		writ_status status = refuse_beside(builder, others[i], err);

		if (status != WRIT_OK)
			return status;
	}
	builder->at = command;
	writ_status status = w_binding_template_new(
	    command, module->grammar, &module->command, &builder->at, err);
	if (status == WRIT_OK)
		status = w_binding_template_head(
		    module->command, &module->words, err);
	if (status != WRIT_OK)
		return status;
	builder->at = yyjson_arr_get_first(command);
	return w_binding_target_program(
	    module->words.count > 0 ? module->words.items[0] : "", err);
}

/* A list of words, or a text that is split. */
static writ_status
read_flag(struct w_module_builder *builder, yyjson_val *val,
    struct w_words *words, writ_error *err)
{
	yyjson_val *holder = NULL;
	writ_status status;

	builder->at = val;
	if (yyjson_is_str(val)) {
		writ_error why = {.message = ""};

		status = w_words_split(
		    yyjson_get_str(val), yyjson_get_len(val), words, &why);
		if (status == WRIT_OK)
			return WRIT_OK;
		return w_fail(err, status, W_MODULE_STAGE, 0, "json_flag: %s",
		    why.message);
	}
	if (!yyjson_is_arr(val))
		return w_module_builder_refuse_type(
		    builder, "json_flag", "text or a list of words", val, err);
	status = w_module_builder_texts(
	    builder, builder->element, "json_flag", &holder, err);
	if (status == WRIT_OK)
		status = binding_command_add_words(words, val, err);
	return status;
}

static bool
binding_command_is_same(const struct w_words *a, const struct w_words *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (strcmp(a->items[i], b->items[i]) != 0)
			return false;
	}
	return true;
}

static writ_status
read_json_flag(struct w_module_builder *builder, writ_error *err)
{
	yyjson_val *own = w_module_builder_get(builder->element, "json_flag");
	yyjson_val *other =
	    w_module_builder_get(builder->module->metadata, "json_flag");
	W_AUTO_WORDS struct w_words again = {0};
	writ_status status;

	if (other != NULL && !yyjson_is_str(other))
		return w_module_builder_refuse_type(
		    builder, "metadata.json_flag", "text", other, err);
	if (own == NULL && other == NULL)
		return WRIT_OK;
	status = read_flag(builder, own != NULL ? own : other,
	    &builder->module->json_flag, err);
	if (status != WRIT_OK || own == NULL || other == NULL)
		return status;
	status = read_flag(builder, other, &again, err);
	if (status != WRIT_OK ||
	    binding_command_is_same(&builder->module->json_flag, &again))
		return status;
	builder->at = own;
	return w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
	    "json_flag and metadata.json_flag differ");
}

writ_status
w_module_builder_command(struct w_module_builder *builder, writ_error *err)
{
	yyjson_val *command = w_module_builder_get(builder->element, "command");
	writ_status status = command != NULL ? binding_command_read_command(
						   builder, command, err)
					     : read_fixed(builder, err);

	/* Other tools derive the flag in the metadata; a command template runs
	 * with its own words only. */
	if (status == WRIT_OK && command == NULL)
		status = read_json_flag(builder, err);
	return status;
}
