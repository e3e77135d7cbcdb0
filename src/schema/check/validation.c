/* SPDX-License-Identifier: Apache-2.0 */

/* The verdict on a whole value: first quickly, yes or no; and where it is no
 * and somebody asks, a second time for the reasons. */

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

static bool
validation_is_repeated(
    const struct w_schema_problem *before, const struct w_schema_problem *now)
{
	return before->at == now->at &&
	       strcmp(before->message, now->message) == 0;
}

/* By place; what two schemas say in the same words is said once. */
static void
sort_report(struct w_schema_report *report)
{
	size_t kept = 0;

	if (report->count > 1)
		qsort(report->problems, report->count,
		    sizeof(*report->problems), validation_compare_places);
	for (size_t i = 0; i < report->count; i++) {
		struct w_schema_problem *problem = &report->problems[i];
		if (kept > 0 && validation_is_repeated(
				    &report->problems[kept - 1], problem)) {
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
validation_judge_all(struct w_check *check, yyjson_val *value)
{
	size_t count = (size_t)(unsafe_yyjson_get_next(value) - value);

	check->steps = W_CHECK_STEPS_MIN + W_CHECK_STEPS_PER_VALUE * count;
	check->pattern_steps =
	    W_CHECK_PATTERN_STEPS_MIN + W_CHECK_PATTERN_STEPS_PER_VALUE * count;
	check->depth = 0;
	return w_check_node(check, check->schema->root, value, NULL);
}

/*
 * The value is not valid: says why. The verdict stands, whatever comes of
 * this: where the whole would take too long to explain, what was found until
 * then must do.
 */
static writ_status
validation_explain(
    struct w_check *check, yyjson_val *value, struct w_schema_report *report)
{
	struct w_collector collector = {.report = report};

	check->collector = &collector;
	(void)validation_judge_all(check, value);
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

	bool fits = validation_judge_all(&check, value);
	if (check.status != WRIT_OK)
		return check.status;
	if (!fits && report != NULL)
		status = validation_explain(&check, value, report);
	if (status == WRIT_OK)
		*out_valid = fits;
	return status;
}
