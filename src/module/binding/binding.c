/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Makes a module from its element of `bindings`. Strings are borrowed from the
 * element's tree; only what has to be parsed is copied.
 */

#include "module/binding/binding.h"

#include <stdlib.h>
#include <string.h>

#include "command/description/dotted_id.h"
#include "module/binding/module_builder.h"

static const char *const element_names[] = {"module_id", "target", "argv",
    "command", "description", "documentation", "tags", "version", "annotations",
    "examples", "metadata", "display", "input_schema", "output_schema",
    "timeout", "json_flag", "output", "success", "input", "cwd", "stdin", "env",
    "env_mode", "env_pass", "sandbox", "network", NULL};

static writ_status
check_element(struct w_module_builder *builder, writ_error *err)
{
	if (!yyjson_is_obj(builder->element))
		return w_module_builder_refuse_type(
		    builder, "a binding", "a map", builder->element, err);
	return w_module_builder_keys(
	    builder, builder->element, element_names, false, err);
}

static writ_status
read_id(struct w_module_builder *builder, writ_error *err)
{
	struct w_module *module = builder->module;
	writ_status status = w_module_builder_text(
	    builder, builder->element, "module_id", &module->id, err);

	if (status != WRIT_OK)
		return status;
	if (module->id == NULL) {
		(void)w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
		    "there is no module_id");
		w_suggest(err, "add one like cli.git.commit");
		return WRIT_E_INVALID;
	}
	builder->at = w_module_builder_get(builder->element, "module_id");
	return w_dotted_id_check(module->id, err);
}

/* Every module has a schema, so callers need not check. */
static writ_status
make_empty_schema(struct w_module *module, writ_error *err)
{
	static const char text[] =
	    "{\"type\":\"object\",\"additionalProperties\":false}";

	module->no_arguments = yyjson_read(text, sizeof(text) - 1, 0);
	if (module->no_arguments == NULL)
		return w_fail_nomem(err, W_MODULE_STAGE);
	module->input_schema = yyjson_doc_get_root(module->no_arguments);
	return WRIT_OK;
}

static writ_status
read_schemas(struct w_module_builder *builder, writ_error *err)
{
	struct w_module *module = builder->module;
	writ_status status = w_module_builder_map(builder, builder->element,
	    "input_schema", &module->input_schema, err);

	if (status == WRIT_OK)
		status = w_module_builder_map(builder, builder->element,
		    "output_schema", &module->output_schema, err);
	if (status == WRIT_OK && module->input_schema == NULL)
		status = make_empty_schema(module, err);
	if (status != WRIT_OK)
		return status;
	builder->at = module->input_schema;
	return w_grammar_new(
	    module->input_schema, &module->grammar, &builder->at, err);
}

static writ_status (*const steps[])(struct w_module_builder *, writ_error *) = {
    check_element,
    read_id,
    w_module_builder_about,
    read_schemas,
    w_module_builder_command,
    w_module_builder_request,
    w_module_builder_output,
};

writ_status
w_module_new(yyjson_val *element, struct w_module **out_module,
    yyjson_val **out_at, writ_error *err)
{
	struct w_module_builder builder = {.element = element, .at = element};
	writ_status status = WRIT_OK;

	builder.module = calloc(1, sizeof(*builder.module));
	if (builder.module == NULL)
		return w_fail_nomem(err, W_MODULE_STAGE);
	for (size_t i = 0;
	     status == WRIT_OK && i < sizeof(steps) / sizeof(steps[0]); i++) {
		builder.at = element;
		status = steps[i](&builder, err);
	}
	if (status == WRIT_OK) {
		*out_module = builder.module;
		return WRIT_OK;
	}
	w_module_free(builder.module);
	if (out_at != NULL)
		*out_at = builder.at != NULL ? builder.at : element;
	return status;
}

void
w_module_free(struct w_module *module)
{
	if (module == NULL)
		return;
	w_binding_template_free(module->command);
	w_grammar_free(module->grammar);
	w_words_done(&module->words);
	w_words_done(&module->json_flag);
	yyjson_doc_free(module->no_arguments);
	free(module);
}

bool
w_module_is_success(const struct w_module *module, int exit_code)
{
	if (exit_code < 0 || exit_code > 255)
		return false;
	return (module->success[exit_code / 8] >> (exit_code % 8) & 1) != 0;
}
