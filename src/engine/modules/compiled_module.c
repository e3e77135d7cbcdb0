/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What calls of a module need beyond its description: its compiled schemas, and
 * its parameters for help texts and forms.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "command/grammar/property_facts.h"
#include "engine/modules/modules.h"

#define STAGE    "module"
#define TEXT_MAX 65536

void
w_compiled_module_free(struct w_compiled_module *compiled)
{
	if (compiled == NULL)
		return;
	w_schema_free(compiled->input);
	w_schema_free(compiled->output);
	w_schema_free(compiled->step);
	yyjson_doc_free(compiled->step_schema);
	free(compiled->parameters);
	w_words_done(&compiled->texts);
	free(compiled);
}

/* Names the schema that has the mistake. */
static writ_status
compiled_module_compile(yyjson_val *root, const char *id, const char *which,
    struct w_schema **out_schema, writ_error *err)
{
	const struct w_schema_options options = {
	    .draft = W_SCHEMA_2020_12, .formats = true};
	writ_error inner = {0};
	writ_status status =
	    w_schema_compile(root, &options, out_schema, NULL, &inner);

	if (status == WRIT_OK || status == WRIT_E_NOMEM) {
		if (status != WRIT_OK)
			return w_fail_nomem(err, STAGE);
		return WRIT_OK;
	}
	(void)w_fail(err, status, STAGE, 0,
	    "the %s of '%s' is not a valid schema: %s", which, id,
	    inner.message);
	if (inner.suggestion[0] != '\0')
		w_suggest(err, "%s", inner.suggestion);
	return status;
}

static writ_status
compiled_module_fill(struct w_compiled_module *compiled,
    struct w_registry *registry, size_t place, writ_error *err)
{
	writ_status status =
	    w_registry_module(registry, place, &compiled->module, err);

	if (status != WRIT_OK)
		return status;
	const struct w_module *module = compiled->module;
	status = compiled_module_compile(module->input_schema, module->id,
	    "input_schema", &compiled->input, err);
	if (status == WRIT_OK && module->output_schema != NULL)
		status = compiled_module_compile(module->output_schema,
		    module->id, "output_schema", &compiled->output, err);
	if (status == WRIT_OK)
		status = w_compiled_module_read_steps(compiled, err);
	return status;
}

writ_status
w_modules_compile(writ_modules *modules, const char *id,
    struct w_compiled_module **out_compiled, writ_error *err)
{
	size_t place;
	writ_status status = w_modules_find_index(modules, id, &place, err);

	if (status != WRIT_OK)
		return status;
	if (modules->compiled_modules[place] == NULL) {
		struct w_compiled_module *compiled =
		    calloc(1, sizeof(*compiled));

		if (compiled == NULL)
			return w_fail_nomem(err, STAGE);
		compiled->about = &modules->about[place];
		status = compiled_module_fill(
		    compiled, modules->registry, place, err);
		if (status != WRIT_OK) {
			w_compiled_module_free(compiled);
			return status;
		}
		modules->compiled_modules[place] = compiled;
	}
	*out_compiled = modules->compiled_modules[place];
	return WRIT_OK;
}

/* ---- parameters ---- */

/* Keeps a copy of a text; NULL: out of memory. */
static const char *
compiled_module_keep(
    struct w_compiled_module *compiled, const char *text, size_t len)
{
	if (!w_words_add(&compiled->texts, text, len))
		return NULL;
	return compiled->texts.items[compiled->texts.count - 1];
}

static const char *
type_words(struct w_compiled_module *compiled, unsigned types)
{
	if ((types | W_TYPE_NULL | W_TYPE_INTEGER) == W_TYPE_ANY)
		return "any";
	types &= ~(unsigned)W_TYPE_NULL;
	/* Every integer is a number. */
	if ((types & W_TYPE_NUMBER) != 0)
		types &= ~(unsigned)W_TYPE_INTEGER;
	W_AUTO_BUF struct w_buf text;
	w_buf_init(&text, TEXT_MAX);
	for (size_t i = 0; w_type_names[i].name != NULL; i++) {
		if ((types & w_type_names[i].bit) == 0)
			continue;
		if (text.len > 0)
			w_buf_add_char(&text, '|');
		w_buf_add_str(&text, w_type_names[i].name);
	}
	return text.failed
		   ? NULL
		   : compiled_module_keep(compiled, text.data, text.len);
}

/* "a|b|c"; "" if it is no such choice. null and booleans only say whether a
 * flag is given. */
static void
add_choice(struct w_buf *text, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(list, i, count, item)
	{
		const char *word = yyjson_get_str(item);

		if (yyjson_is_null(item) || yyjson_is_bool(item))
			continue;
		if (word == NULL || word[0] == '\0' ||
		    strlen(word) != yyjson_get_len(item) ||
		    strchr(word, '|') != NULL) {
			text->len = 0;
			return;
		}
		if (text->len > 0)
			w_buf_add_char(text, '|');
		w_buf_add_str(text, word);
	}
}

static writ_status
describe_choice(struct w_compiled_module *compiled, yyjson_val *schema,
    writ_parameter *out, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;
	yyjson_val *list = yyjson_obj_get(schema, "enum");

	if (list == NULL)
		list = yyjson_ptr_get(schema, "/items/enum");
	w_buf_init(&text, TEXT_MAX);
	add_choice(&text, list);
	/* A longer list helps nobody. */
	if (text.failed || text.len == 0)
		return WRIT_OK;
	out->words = compiled_module_keep(compiled, text.data, text.len);
	return out->words == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static writ_status
describe_default(struct w_compiled_module *compiled, yyjson_val *schema,
    writ_parameter *out, writ_error *err)
{
	yyjson_val *standard = yyjson_obj_get(schema, "default");
	size_t len;

	if (standard == NULL)
		return WRIT_OK;
	W_AUTO_FREE char *text =
	    yyjson_val_write(standard, YYJSON_WRITE_NOFLAG, &len);
	if (text != NULL)
		out->standard = compiled_module_keep(compiled, text, len);
	return out->standard == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static writ_status
compiled_module_describe(struct w_compiled_module *compiled, size_t place,
    writ_parameter *out, writ_error *err)
{
	const struct w_grammar *grammar = compiled->module->grammar;
	const struct w_param *param = &grammar->params[place];
	const char *help = param->help == NULL ? "" : param->help;

	*out = (writ_parameter){
	    .name = param->key,
	    .flag = compiled->module->command == NULL && !param->is_aside
			? param->flag
			: NULL,
	    .type = type_words(compiled, param->types),
	    .help = compiled_module_keep(compiled, help, strcspn(help, "\r\n")),
	    .is_required = param->is_required,
	    .is_path = param->is_path,
	    .is_secret = param->is_secret,
	    .is_value_optional = param->is_value_optional,
	    .operand = -1,
	};
	for (size_t i = 0; i < grammar->operand_count; i++) {
		if (grammar->operands[i] == place) {
			out->operand = (int)i;
			break;
		}
	}
	if ((param->types & W_TYPE_ARRAY) != 0)
		out->items = type_words(compiled, param->item_types);
	if (out->type == NULL || out->help == NULL ||
	    ((param->types & W_TYPE_ARRAY) != 0 && out->items == NULL))
		return w_fail_nomem(err, STAGE);
	writ_status status = describe_choice(compiled, param->schema, out, err);
	if (status == WRIT_OK)
		status = describe_default(compiled, param->schema, out, err);
	return status;
}

writ_status
w_compiled_module_describe(struct w_compiled_module *compiled, writ_error *err)
{
	const size_t count = compiled->module->grammar->count;

	if (compiled->parameters != NULL)
		return WRIT_OK;
	W_AUTO_FREE writ_parameter *parameters =
	    calloc(count + 1, sizeof(*parameters));
	if (parameters == NULL)
		return w_fail_nomem(err, STAGE);
	for (size_t i = 0; i < count; i++) {
		writ_status status =
		    compiled_module_describe(compiled, i, &parameters[i], err);

		if (status != WRIT_OK)
			return status;
	}
	compiled->parameters = w_take_ptr(&parameters);
	compiled->parameter_count = count;
	return WRIT_OK;
}

writ_status
writ_modules_parameters(writ_modules *modules, const char *id,
    const writ_parameter **out_parameters, size_t *out_count, writ_error *err)
{
	struct w_compiled_module *compiled = NULL;
	writ_status status = w_modules_compile(modules, id, &compiled, err);

	if (status == WRIT_OK)
		status = w_compiled_module_describe(compiled, err);
	if (status != WRIT_OK)
		return status;
	*out_parameters = compiled->parameters;
	*out_count = compiled->parameter_count;
	return WRIT_OK;
}
