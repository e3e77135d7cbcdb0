/* SPDX-License-Identifier: Apache-2.0 */

/* The request members that a module sets. */

#include <string.h>

#include <writ/run.h>

#include "base/duration.h"
#include "data/json_words.h"
#include "module/binding/binding_template_parse.h"
#include "module/binding/module_builder.h"

static const char *const env_modes[] = {
#define X(name, word) word,
    WRIT_ENV_MODE_MAP(X)
#undef X
	NULL};

static const char *const networks[] = {
#define X(name, word) word,
    WRIT_NETWORK_MAP(X)
#undef X
	NULL};

static writ_status
store_timeout(struct w_module_builder *builder, uint64_t value, writ_error *err)
{
	if (value == 0) {
		(void)w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
		    "timeout must not be 0");
		w_suggest(err, "leave it out for the usual one");
		return WRIT_E_INVALID;
	}
	if (value > W_DURATION_MAX_MS)
		return w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
		    "timeout is longer than 10 years");
	builder->module->timeout_ms = value;
	return WRIT_OK;
}

static writ_status
read_timeout(struct w_module_builder *builder, writ_error *err)
{
	yyjson_val *val = w_module_builder_get(builder->element, "timeout");
	uint64_t value = 0;

	if (val == NULL)
		return WRIT_OK;
	builder->at = val;
	if (yyjson_is_uint(val))
		return store_timeout(builder, yyjson_get_uint(val), err);
	if (!w_json_is_text(val))
		return w_module_builder_refuse_type(builder, "timeout",
		    "text like 30s, or milliseconds", val, err);
	writ_status status = w_duration_parse(yyjson_get_str(val), &value, err);
	return status == WRIT_OK ? store_timeout(builder, value, err) : status;
}

/* The arguments named in a text must exist. */
static writ_status
check_places(struct w_module_builder *builder, const char *name,
    yyjson_val *val, writ_error *err)
{
	struct w_binding_template_pieces pieces = {.count = 0};
	writ_error why = {.message = ""};
	writ_status status =
	    w_binding_template_pieces_parse(yyjson_get_str(val),
		yyjson_get_len(val), builder->module->grammar, &pieces, &why);

	for (size_t i = 0; status == WRIT_OK && i < pieces.count; i++) {
		const struct w_param *param = pieces.items[i].param;

		/* A command template lists its words itself. */
		if (param != NULL && builder->module->command == NULL)
			w_grammar_set_aside(builder->module->grammar, param);
	}
	w_binding_template_pieces_done(&pieces);
	if (status == WRIT_OK)
		return WRIT_OK;
	builder->at = val;
	(void)w_fail(
	    err, status, W_MODULE_STAGE, 0, "%s: %s", name, why.message);
	w_suggest(err, "%s", why.suggestion);
	return status;
}

static writ_status
read_template(struct w_module_builder *builder, const char *name,
    const char **out_text, writ_error *err)
{
	writ_status status = w_module_builder_text(
	    builder, builder->element, name, out_text, err);

	if (status != WRIT_OK || *out_text == NULL)
		return status;
	return check_places(
	    builder, name, w_module_builder_get(builder->element, name), err);
}

static writ_status
binding_request_check_variable(
    struct w_module_builder *builder, yyjson_val *name, writ_error *err)
{
	yyjson_val *val = yyjson_obj_iter_get_val(name);
	const char *text = yyjson_get_str(name);

	builder->at = name;
	if (!w_json_is_text(name) || text[0] == '\0' ||
	    strchr(text, '=') != NULL)
		return w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
		    "'%s' cannot be the name of a variable", text);
	if (!yyjson_is_str(val))
		return w_module_builder_refuse_type(
		    builder, "the value of a variable", "text", val, err);
	if (w_json_is_text(val))
		return check_places(builder, text, val, err);
	builder->at = val;
	return w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
	    "the value of '%s' contains a NUL byte", text);
}

static writ_status
read_env(struct w_module_builder *builder, writ_error *err)
{
	struct w_module *module = builder->module;
	writ_status status = w_module_builder_map(
	    builder, builder->element, "env", &module->env, err);
	yyjson_obj_iter iter = yyjson_obj_iter_with(module->env);
	yyjson_val *name;

	while (
	    status == WRIT_OK && (name = yyjson_obj_iter_next(&iter)) != NULL)
		status = binding_request_check_variable(builder, name, err);
	if (status == WRIT_OK)
		status = w_module_builder_texts(builder, builder->element,
		    "env_pass", &module->env_pass, err);
	return status;
}

static writ_status
binding_request_read_words(struct w_module_builder *builder, writ_error *err)
{
	struct w_module *module = builder->module;
	int place = -1;
	writ_status status = w_module_builder_word(
	    builder, builder->element, "env_mode", env_modes, &place, err);

	if (status != WRIT_OK)
		return status;
	module->env_mode = place >= 0 ? env_modes[place] : NULL;
	place = -1;
	status = w_module_builder_word(
	    builder, builder->element, "network", networks, &place, err);
	if (status == WRIT_OK)
		module->network = place >= 0 ? networks[place] : NULL;
	return status;
}

static writ_status
binding_request_read_input(struct w_module_builder *builder, writ_error *err)
{
	static const char *const names[] = {"as", NULL};
	static const char *const ways[] = {"arguments", "json", NULL};
	yyjson_val *input = NULL;
	int place = 0;
	writ_status status = w_module_builder_map(
	    builder, builder->element, "input", &input, err);

	if (status == WRIT_OK)
		status =
		    w_module_builder_keys(builder, input, names, false, err);
	if (status == WRIT_OK)
		status = w_module_builder_word(
		    builder, input, "as", ways, &place, err);
	if (status != WRIT_OK)
		return status;
	builder->module->wants_json_input = place == 1;
	if (place == 0 || builder->module->stdin_text == NULL)
		return WRIT_OK;
	builder->at = w_module_builder_get(builder->element, "stdin");
	return w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
	    "standard input cannot be both stdin and the input as JSON");
}

writ_status
w_module_builder_request(struct w_module_builder *builder, writ_error *err)
{
	struct w_module *module = builder->module;
	yyjson_val *element = builder->element;
	writ_status status = read_template(builder, "cwd", &module->cwd, err);

	if (status == WRIT_OK)
		status =
		    read_template(builder, "stdin", &module->stdin_text, err);
	if (status == WRIT_OK)
		status = w_module_builder_text(
		    builder, element, "sandbox", &module->sandbox, err);
	if (status == WRIT_OK)
		status = read_timeout(builder, err);
	if (status == WRIT_OK)
		status = read_env(builder, err);
	if (status == WRIT_OK)
		status = binding_request_read_words(builder, err);
	if (status == WRIT_OK)
		status = binding_request_read_input(builder, err);
	return status;
}
