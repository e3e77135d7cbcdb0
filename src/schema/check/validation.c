/* SPDX-License-Identifier: Apache-2.0 */

/* Validates a whole value: first a quick pass for yes or no; if invalid and a
 * report is wanted, a second pass collects the errors. */

#include <stdlib.h>
#include <string.h>

#include "schema/check/check.h"

static int
validation_compare_places(const void *left, const void *right)
{
	const struct w_schema_problem *a = left;
	const struct w_schema_problem *b = right;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	int order = strcmp(a->message, b->message);
	return order != 0 ? order : strcmp(a->schema, b->schema);
}

/* Sorts by location and drops repeated messages of different schemas. */
static void
sort_report(struct w_schema_report *report)
{
	size_t kept = 0;

	if (report->count > 1)
		qsort(report->problems, report->count,
		    sizeof(*report->problems), validation_compare_places);
	for (size_t i = 0; i < report->count; i++) {
		struct w_schema_problem *problem = &report->problems[i];
		const struct w_schema_problem *before =
		    kept > 0 ? &report->problems[kept - 1] : NULL;

		if (before != NULL && before->at == problem->at &&
		    strcmp(before->message, problem->message) == 0) {
			free(problem->instance);
			free(problem->schema);
			free(problem->message);
			free(problem->suggestion);
			continue;
		}
		report->problems[kept++] = *problem;
	}
	report->count = kept;
}

static bool
validation_run(struct w_check *check, yyjson_val *value)
{
	size_t count = (size_t)(unsafe_yyjson_get_next(value) - value);

	check->steps = W_CHECK_STEPS_MIN + W_CHECK_STEPS_PER_VALUE * count;
	check->pattern_steps =
	    W_CHECK_PATTERN_STEPS_MIN + W_CHECK_PATTERN_STEPS_PER_VALUE * count;
	check->depth = 0;
	return w_check_node(check, check->schema->root, value, NULL);
}

/*
 * Collects the errors of an invalid value. The result stays invalid whatever
 * happens here: if a limit is hit, the errors found so far are reported.
 */
static writ_status
validation_explain(
    struct w_check *check, yyjson_val *value, struct w_schema_report *report)
{
	struct w_collector collector = {.report = report};

	check->collector = &collector;
	(void)validation_run(check, value);
	if (check->status == WRIT_E_NOMEM)
		return check->status;
	check->status = WRIT_OK;
	if (report->count == 0)
		(void)w_check_fault_about(
		    check, &(struct w_fault){.kind = W_FAULT_UNEXPLAINED,
			       .node = check->schema->root,
			       .value = value,
			       .at = value});
	if (check->status == WRIT_OK)
		sort_report(report);
	return check->status;
}

writ_status
w_schema_check(const struct w_schema *schema, yyjson_val *value,
    bool *out_valid, struct w_schema_report *report, writ_error *err)
{
	struct w_check check = {.schema = schema, .root = value, .err = err};
	writ_status status = WRIT_OK;

	bool fits = validation_run(&check, value);
	if (check.status != WRIT_OK)
		return check.status;
	if (!fits && report != NULL)
		status = validation_explain(&check, value, report);
	if (status == WRIT_OK)
		*out_valid = fits;
	return status;
}
