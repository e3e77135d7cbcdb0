/* SPDX-License-Identifier: Apache-2.0 */

/* Compiles the schemas of a module, and validates its examples. */

#include "module/binding/module_builder.h"

static void
free_schema(struct w_schema **schema)
{
	w_schema_free(*schema);
}

#define AUTO_SCHEMA __attribute__((cleanup(free_schema)))

/* The schema's error message begins with a JSON pointer into it. */
static writ_status
binding_check_compile(const char *name, yyjson_val *root,
    struct w_schema **out_schema, yyjson_val **out_at, writ_error *err)
{
	yyjson_val *at = root;
	writ_error why = {.message = ""};
	writ_status status =
	    w_schema_compile(root, NULL, out_schema, &at, &why);

	if (status == WRIT_OK)
		return WRIT_OK;
	*out_at = at != NULL ? at : root;
	(void)w_fail(err, status, why.stage, 0, "%s%s%s", name,
	    why.message[0] == '/' ? "" : ": ", why.message);
	w_suggest(err, "%s", why.suggestion);
	return status;
}

static writ_status
refuse_example(size_t place, const struct w_schema_problem *problem,
    yyjson_val **out_at, writ_error *err)
{
	if (problem->at != NULL)
		*out_at = problem->at;
	(void)w_fail(err, WRIT_E_INVALID, W_MODULE_STAGE, 0,
	    "examples[%zu].inputs%s: %s", place, problem->instance,
	    problem->message);
	if (problem->suggestion != NULL)
		w_suggest(err, "%s", problem->suggestion);
	return WRIT_E_INVALID;
}

static writ_status
check_example(const struct w_schema *schema, yyjson_val *inputs, size_t place,
    yyjson_val **out_at, writ_error *err)
{
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	bool is_valid = false;

	*out_at = inputs;
	writ_status status =
	    w_schema_check(schema, inputs, &is_valid, &report, err);
	if (status != WRIT_OK || is_valid || report.count == 0)
		return status;
	return refuse_example(place, &report.problems[0], out_at, err);
}

static writ_status
check_examples(const struct w_module *module, const struct w_schema *schema,
    yyjson_val **out_at, writ_error *err)
{
	yyjson_val *example;
	size_t i;
	size_t count;
	writ_status status = WRIT_OK;

	yyjson_arr_foreach(module->examples, i, count, example)
	{
		yyjson_val *inputs = w_module_builder_get(example, "inputs");

		if (status == WRIT_OK && inputs != NULL)
			status = check_example(schema, inputs, i, out_at, err);
	}
	return status;
}

writ_status
w_module_builder_check(const struct w_module *module, bool *out_is_usable,
    yyjson_val **out_at, writ_error *err)
{
	AUTO_SCHEMA struct w_schema *input = NULL;
	AUTO_SCHEMA struct w_schema *output = NULL;
	writ_status status = binding_check_compile(
	    "input_schema", module->input_schema, &input, out_at, err);

	if (status == WRIT_OK && module->output_schema != NULL)
		status = binding_check_compile("output_schema",
		    module->output_schema, &output, out_at, err);
	*out_is_usable = status == WRIT_OK;
	return status == WRIT_OK ? check_examples(module, input, out_at, err)
				 : status;
}
