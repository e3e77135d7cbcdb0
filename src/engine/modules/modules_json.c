/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Everything about a module as JSON: its own description, and how each argument
 * is rendered.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "data/json_fields.h"
#include "engine/modules/modules.h"

#define STAGE "module"

/* A file of bindings has at most 16 MiB; each byte may appear here several
 * times, escaped. */
#define JSON_MAX ((size_t)256 << 20)

static const char *const kind_words[] = {
    [W_PARAM_OPTION] = "option",
    [W_PARAM_OPERAND] = "operand",
    [W_PARAM_SEQUENCE] = "sequence",
};

static const char *const slot_words[] = {
    [W_SLOT_BEFORE_SUBCOMMAND] = "before-subcommand",
    [W_SLOT_BEFORE_OPERANDS] = "before-operands",
    [W_SLOT_LEADING] = "leading",
    [W_SLOT_FLAGS] = "flags",
    [W_SLOT_TRAILING] = "trailing",
};

static const char *const attach_words[] = {
    [W_ATTACH_SEPARATE] = "separate",
    [W_ATTACH_EQUALS] = "equals",
    [W_ATTACH_JOINED] = "joined",
};

static const char *const output_words[] = {
    [W_OUTPUT_TEXT] = "text",
    [W_OUTPUT_JSON] = "json",
    [W_OUTPUT_IMAGE] = "image",
    [W_OUTPUT_AUDIO] = "audio",
    [W_OUTPUT_RESOURCE] = "resource",
};

/* ---- parameters ---- */

static void
modules_json_add_keys(struct w_buf *buf, const char *name,
    const struct w_grammar *grammar, const size_t *places, size_t count)
{
	w_buf_add_fmt(buf, ",\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		const struct w_param *param = &grammar->params[places[i]];

		if (i > 0)
			w_buf_add_char(buf, ',');
		w_json_add_string(buf, param->key, param->key_len);
	}
	w_buf_add_char(buf, ']');
}

/* How the argument is rendered; not for one that only a template uses. */
static void
add_rendering(struct w_buf *buf, const struct w_grammar *grammar,
    const struct w_param *param)
{
	w_json_add_text_member(buf, "kind", kind_words[param->kind]);
	w_json_add_text_member(buf, "slot", slot_words[param->slot]);
	if (param->flag != NULL)
		w_json_add_text_member(
		    buf, "attach", attach_words[param->attach]);
	w_buf_add_fmt(buf, ",\"arity\":%u", param->arity);
	w_json_add_bool_member(buf, "value_optional", param->is_value_optional);
	w_json_add_bool_member(
	    buf, "may_begin_with_dash", param->may_begin_with_dash);
	modules_json_add_keys(buf, "conflicts_with", grammar, param->conflicts,
	    param->conflict_count);
	modules_json_add_keys(
	    buf, "requires", grammar, param->requires, param->require_count);
}

static void
add_parameter(struct w_buf *buf, const struct w_module *module,
    const writ_parameter *about, const struct w_param *param)
{
	w_buf_add_str(buf, "{\"name\":");
	w_json_add_string(buf, param->key, param->key_len);
	w_json_add_text_member(buf, "flag", about->flag);
	w_json_add_text_member(buf, "type", about->type);
	w_json_add_text_member(buf, "items", about->items);
	w_json_add_text_member(buf, "words", about->words);
	w_json_add_text_member(buf, "help", about->help);
	w_buf_add_str(buf, ",\"default\":");
	w_buf_add_str(buf, about->standard == NULL ? "null" : about->standard);
	if (about->operand < 0)
		w_buf_add_str(buf, ",\"operand\":null");
	else
		w_buf_add_fmt(buf, ",\"operand\":%d", about->operand);
	w_json_add_bool_member(buf, "required", about->is_required);
	w_json_add_bool_member(buf, "path", about->is_path);
	w_json_add_bool_member(buf, "secret", about->is_secret);
	w_json_add_bool_member(buf, "long_running", param->is_long_running);
	if (module->command == NULL && !param->is_aside)
		add_rendering(buf, module->grammar, param);
	w_buf_add_char(buf, '}');
}

static void
add_parameters(struct w_buf *buf, const struct w_compiled_module *compiled)
{
	w_buf_add_str(buf, ",\"parameters\":[");
	for (size_t i = 0; i < compiled->parameter_count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		add_parameter(buf, compiled->module, &compiled->parameters[i],
		    &compiled->module->grammar->params[i]);
	}
	w_buf_add_char(buf, ']');
	w_json_add_bool_member(buf, "end_of_options",
	    compiled->module->grammar->has_end_of_options);
	w_json_add_bool_member(
	    buf, "other_keys", compiled->module->grammar->is_open);
}

/* ---- the rest ---- */

#define AT(member) W_JSON_AT(struct w_annotations, member)

static const struct w_json_field annotation_fields[] = {
    {"readonly", W_JSON_BOOL, AT(is_readonly)},
    {"destructive", W_JSON_BOOL, AT(is_destructive)},
    {"idempotent", W_JSON_BOOL, AT(is_idempotent)},
    {"requires_approval", W_JSON_BOOL, AT(requires_approval)},
    {"open_world", W_JSON_BOOL, AT(is_open_world)},
    {.key = NULL},
};

static void
add_about(struct w_buf *buf, const struct w_compiled_module *compiled)
{
	const struct w_module *module = compiled->module;

	w_buf_add_str(buf, "{\"id\":");
	w_json_add_text(buf, module->id);
	w_json_add_text_member(buf, "description", module->description);
	w_json_add_text_member(buf, "documentation", module->documentation);
	w_json_add_text_member(buf, "version", module->version);
	w_json_add_value_member(buf, "tags", module->tags);
	w_json_add_object_member(
	    buf, "annotations", annotation_fields, &module->annotations);
	w_json_add_path_member(buf, "command", compiled->about->command);
	w_json_add_list_member(
	    buf, "argv", (const char *const *)module->words.items);
	w_json_add_bool_member(buf, "declared", module->command != NULL);
	w_json_add_list_member(
	    buf, "json_flag", (const char *const *)module->json_flag.items);
}

static void
add_success(struct w_buf *buf, const struct w_module *module)
{
	const char *comma = "";

	w_buf_add_str(buf, ",\"success\":[");
	for (int code = 0; code < 256; code++) {
		if (!w_module_is_success(module, code))
			continue;
		w_buf_add_fmt(buf, "%s%d", comma, code);
		comma = ",";
	}
	w_buf_add_char(buf, ']');
}

static void
add_request(struct w_buf *buf, const struct w_module *module)
{
	w_buf_add_fmt(buf, ",\"timeout_ms\":%" PRIu64,
	    module->timeout_ms != 0 ? module->timeout_ms
				    : WRIT_DEFAULT_MODULE_TIMEOUT_MS);
	w_json_add_text_member(buf, "cwd", module->cwd);
	w_json_add_text_member(buf, "stdin", module->stdin_text);
	w_json_add_value_member(buf, "env", module->env);
	w_json_add_text_member(buf, "env_mode", module->env_mode);
	w_json_add_value_member(buf, "env_pass", module->env_pass);
	w_json_add_text_member(buf, "sandbox", module->sandbox);
	w_json_add_text_member(buf, "network", module->network);
	w_json_add_text_member(
	    buf, "input", module->wants_json_input ? "json" : "arguments");
	w_buf_add_fmt(
	    buf, ",\"output\":{\"as\":\"%s\"", output_words[module->output_as]);
	w_json_add_text_member(buf, "mime_type", module->mime_type);
	w_json_add_text_member(buf, "uri", module->uri);
	w_buf_add_char(buf, '}');
	add_success(buf, module);
}

static void
add_documents(struct w_buf *buf, const struct w_compiled_module *compiled)
{
	const struct w_module *module = compiled->module;

	w_json_add_value_member(buf, "input_schema", module->input_schema);
	w_json_add_value_member(buf, "output_schema", module->output_schema);
	w_json_add_value_member(buf, "examples", module->examples);
	w_json_add_value_member(buf, "metadata", module->metadata);
	w_json_add_path_member(buf, "file", compiled->about->file);
	w_buf_add_fmt(buf, ",\"line\":%u", compiled->about->line);
	w_json_add_text_member(buf, "tier", compiled->about->tier);
	w_buf_add_char(buf, '}');
}

writ_status
writ_modules_json(writ_modules *modules, const char *id, char **out_json,
    size_t *out_len, writ_error *err)
{
	struct w_compiled_module *compiled;
	writ_status status = w_modules_compile(modules, id, &compiled, err);

	if (status == WRIT_OK)
		status = w_compiled_module_describe(compiled, err);
	if (status != WRIT_OK)
		return status;
	W_AUTO_BUF struct w_buf buf;
	w_buf_init(&buf, JSON_MAX);
	add_about(&buf, compiled);
	add_request(&buf, compiled->module);
	add_parameters(&buf, compiled);
	add_documents(&buf, compiled);
	return w_json_take(&buf, STAGE, out_json, out_len, err);
}
