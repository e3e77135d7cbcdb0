/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A schema and a value, as the two elements of an array: whatever they are,
 * compiling says why not or gives something that judges, quickly and in full,
 * with the same verdict, and every problem leads to a value.
 */

#include "schema/schema.h"

#include "check.h"
#include "data/json.h"
#include "schema/pointer.h"

#define UNEXPLAINED "does not fit the schema"

/* An answer: 1 valid, 0 not, -1 cannot be judged. */
static int
judge(const struct w_schema *schema, yyjson_val *value,
    struct w_schema_report *report)
{
	writ_error err = {0};
	bool is_valid = false;
	writ_status status =
	    w_schema_check(schema, value, &is_valid, report, &err);

	if (status == WRIT_OK)
		return is_valid;
	CHECK(status == WRIT_E_INVALID);
	check_error(&err, status);
	return -1;
}

static void
check_problem(const struct w_schema_problem *problem, yyjson_val *value)
{
	const char *at = problem->instance;
	size_t left = strlen(at);
	yyjson_val *found = value;

	CHECK(problem->message[0] != '\0');
	CHECK(strcmp(problem->message, UNEXPLAINED) != 0);
	check_line(problem->message, strlen(problem->message) + 1);
	if (problem->suggestion != NULL)
		check_line(
		    problem->suggestion, strlen(problem->suggestion) + 1);
	CHECK(w_pointer_is_inside(value, problem->at));

	/* The pointer leads to the value, or to the object of a key. A key with
	 * a NUL in it cannot be written in a C string. */
	if (strlen(at) > 4000 || strstr(problem->message, "\\u0000") != NULL)
		return;
	while (left > 0 && found != NULL)
		found = w_pointer_step(found, &at, &left);
	if (found != NULL)
		CHECK(found == problem->at ||
		      (yyjson_is_obj(found) &&
			  w_pointer_is_inside(found, problem->at)));
}

static void
check_value(const struct w_schema *schema, yyjson_val *value)
{
	struct w_schema_report report = {.problems = NULL};
	int quick = judge(schema, value, NULL);
	int full = judge(schema, value, &report);

	CHECK(quick == full);
	CHECK((report.count > 0) == (full == 0));
	CHECK(report.count <= W_SCHEMA_PROBLEMS_MAX);
	for (size_t i = 0; i < report.count; i++) {
		check_problem(&report.problems[i], value);
		CHECK(i == 0 ||
		      report.problems[i - 1].at <= report.problems[i].at);
	}
	w_schema_report_done(&report);
}

static void
check_schema(yyjson_val *root, yyjson_val *value, bool is_old)
{
	const struct w_schema_document self[] = {{"http://x/y", root}};
	const struct w_schema_options options = {
	    .draft = is_old ? W_SCHEMA_DRAFT_07 : W_SCHEMA_2020_12,
	    .formats = true,
	    .documents = self,
	    .document_count = 1,
	};
	struct w_schema *schema = NULL;
	yyjson_val *at = NULL;
	writ_error err = {0};
	writ_status status =
	    w_schema_compile(root, &options, &schema, &at, &err);

	if (status != WRIT_OK) {
		CHECK(status == WRIT_E_INVALID);
		CHECK(schema == NULL);
		check_error(&err, status);
		CHECK(at == NULL || w_pointer_is_inside(root, at));
		return;
	}
	check_value(schema, value);
	check_value(schema, root);
	w_schema_free(schema);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct w_json_limits limits = {
	    .bytes_max = 65536, .depth_max = 300};
	struct w_json *json = NULL;

	if (w_json_read((const char *)data, size, &limits, &json, NULL) !=
	    WRIT_OK)
		return 0;
	yyjson_val *pair = w_json_root(json);
	if (yyjson_is_arr(pair) && yyjson_arr_size(pair) >= 2) {
		yyjson_val *root = yyjson_arr_get(pair, 0);
		yyjson_val *value = yyjson_arr_get(pair, 1);
		check_schema(root, value, false);
		check_schema(root, value, true);
	}
	w_json_free(json);
	return 0;
}
