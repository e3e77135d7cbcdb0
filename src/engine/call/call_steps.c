/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Checks the steps of sequences against the properties that they name.
 *
 * What a property allows applies in a step too, whether or not the schema
 * repeats it for the sequence: otherwise a sequence would be a way around enum
 * and pattern. So a second schema is made, in which each member refers to the
 * property of that name.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "engine/call/call.h"
#include "schema/pointer.h"

#define STAGE "module"
/* The name of the module's schema in the second one. */
#define DOCUMENT "writ:input"
#define REF_MAX  65536

/* The key as part of a JSON Pointer in a URI. */
static void
call_steps_add_key(struct w_buf *ref, const char *key, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)key[i];

		if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
		    (c >= 'a' && c <= 'z') || c == '_' || c == '-')
			w_buf_add_char(ref, (char)c);
		else if (c == '~' || c == '/')
			w_buf_add_str(ref, c == '~' ? "~0" : "~1");
		else
			w_buf_add_fmt(ref, "%%%02X", c);
	}
}

static bool
add_property(yyjson_mut_doc *doc, yyjson_mut_val *properties,
    const struct w_param *param)
{
	W_AUTO_BUF struct w_buf ref;

	w_buf_init(&ref, REF_MAX);
	w_buf_add_str(&ref, DOCUMENT "#/properties/");
	call_steps_add_key(&ref, param->key, param->key_len);
	yyjson_mut_val *key =
	    yyjson_mut_strncpy(doc, param->key, param->key_len);
	yyjson_mut_val *schema = yyjson_mut_obj(doc);
	return !ref.failed &&
	       yyjson_mut_obj_add_strcpy(doc, schema, "$ref", ref.data) &&
	       yyjson_mut_obj_add(properties, key, schema);
}

/* NULL: out of memory. */
static yyjson_doc *
make_schema(const struct w_grammar *grammar)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc);
	yyjson_mut_val *properties = yyjson_mut_obj(doc);
	yyjson_doc *made = NULL;
	bool is_made =
	    yyjson_mut_obj_add_val(doc, root, "properties", properties);

	for (size_t i = 0; is_made && i < grammar->count; i++)
		is_made = add_property(doc, properties, &grammar->params[i]);
	if (is_made)
		made = yyjson_mut_val_imut_copy(root, NULL);
	yyjson_mut_doc_free(doc);
	return made;
}

writ_status
w_compiled_module_read_steps(
    struct w_compiled_module *compiled, writ_error *err)
{
	const struct w_module *module = compiled->module;
	const struct w_schema_document input = {DOCUMENT, module->input_schema};
	const struct w_schema_options options = {.draft = W_SCHEMA_2020_12,
	    .formats = true,
	    .documents = &input,
	    .document_count = 1};

	bool has_sequence = false;

	for (size_t i = 0; i < module->grammar->count; i++)
		has_sequence |=
		    module->grammar->params[i].kind == W_PARAM_SEQUENCE;
	if (module->command != NULL || !has_sequence)
		return WRIT_OK;
	compiled->step_schema = make_schema(module->grammar);
	if (compiled->step_schema == NULL)
		return w_fail_nomem(err, STAGE);
	return w_schema_compile(yyjson_doc_get_root(compiled->step_schema),
	    &options, &compiled->step, NULL, err);
}

/* Translates a problem from the step to the input, and from our schema to
 * the module's. */
static writ_status
place_problem(struct w_schema_problem *problem, const struct w_param *param,
    size_t place, writ_error *err)
{
	const size_t prefix = strlen(DOCUMENT "#");
	W_AUTO_BUF struct w_buf instance;

	w_buf_init(&instance, SIZE_MAX);
	w_pointer_add_name(&instance, param->key, param->key_len);
	w_buf_add_fmt(&instance, "/%zu", place);
	w_buf_add_str(&instance, problem->instance);
	char *text = w_buf_take(&instance, NULL);
	if (text == NULL)
		return w_fail_nomem(err, STAGE);
	free(problem->instance);
	problem->instance = text;
	if (strncmp(problem->schema, DOCUMENT "#", prefix) == 0)
		memmove(problem->schema, problem->schema + prefix,
		    strlen(problem->schema + prefix) + 1);
	return WRIT_OK;
}

static writ_status
check_step(writ_call *call, const struct w_param *param, size_t place,
    yyjson_val *step, bool *out_valid, writ_error *err)
{
	const struct w_schema *schema = call->compiled->step;
	struct w_schema_report *report = &call->report;
	writ_status status = w_schema_check(schema, step, out_valid, NULL, err);

	if (status != WRIT_OK || *out_valid)
		return status;
	status = w_schema_check(schema, step, out_valid, report, err);
	for (size_t i = 0; status == WRIT_OK && i < report->count; i++)
		status = place_problem(&report->problems[i], param, place, err);
	return status;
}

static writ_status
check_sequence(writ_call *call, const struct w_param *param, bool *out_valid,
    writ_error *err)
{
	yyjson_val *steps = yyjson_obj_getn(
	    w_json_root(call->input), param->key, param->key_len);
	size_t i;
	size_t count;
	yyjson_val *step;

	yyjson_arr_foreach(steps, i, count, step)
	{
		writ_status status =
		    check_step(call, param, i, step, out_valid, err);

		if (status != WRIT_OK || !*out_valid)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_call_check_steps(writ_call *call, bool *out_valid, writ_error *err)
{
	const struct w_grammar *grammar = call->compiled->module->grammar;
	writ_status status = WRIT_OK;

	*out_valid = true;
	if (call->compiled->step == NULL)
		return WRIT_OK;
	for (size_t i = 0;
	     i < grammar->count && status == WRIT_OK && *out_valid; i++) {
		if (grammar->params[i].kind == W_PARAM_SEQUENCE)
			status = check_sequence(
			    call, &grammar->params[i], out_valid, err);
	}
	return status;
}
