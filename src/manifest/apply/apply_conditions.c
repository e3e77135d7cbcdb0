/* SPDX-License-Identifier: Apache-2.0 */

/* Whether a resource is applied: require and control. */

#include "manifest/apply/apply_phases.h"

#include <string.h>

/* ---- require ---- */

/* A requirement is met unless it failed, or was itself skipped for a
 * requirement. What is not part of this apply (--only) is ignored. */
static bool
is_met(struct w_resource_step *step, const struct w_reference *need)
{
	struct w_last_event past;

	if (w_manifest_session_last(
		step->session, need->type, need->name, &past))
		return !past.failed && !past.has_unmet;
	if (need->target == W_NO_TARGET)
		w_resource_step_fail(
		    step, "no events found for %s", need->text);
	return true;
}

static bool
check_requirements(struct w_resource_step *step)
{
	const struct w_reference_list *list = &step->resource->require;

	for (size_t i = 0; i < list->count; i++) {
		const struct w_reference *need = &list->items[i];

		if (is_met(step, need))
			continue;
		if (!w_texts_add(&step->unmet, &step->arena, need->text,
			strlen(need->text)))
			step->is_short = true;
		step->event.skipped = true;
		step->event.decided_by = "require";
	}
	return !step->event.skipped && !step->event.failed;
}

/* ---- control ---- */

/* An expression that cannot be evaluated fails its resource only. */
static bool
test(struct w_resource_step *step, const struct w_condition *condition,
    bool *out_holds)
{
	writ_error err;

	if (condition->expr == NULL)
		return true;
	writ_status status = w_expr_test(
	    condition->expr, step->scope, &step->arena, out_holds, &err);
	if (status == WRIT_E_NOMEM)
		step->is_short = true;
	else if (status != WRIT_OK)
		w_resource_step_fail_at(
		    step, &condition->at, condition->text, &err);
	return status == WRIT_OK;
}

static bool
check_control(struct w_resource_step *step)
{
	const struct w_resource *resource = step->resource;
	bool is_on = true;
	bool is_off = false;

	if (!test(step, &resource->extras->control_if, &is_on) ||
	    (is_on && !test(step, &resource->extras->control_unless, &is_off)))
		return false;
	if (is_on && !is_off)
		return true;
	step->event.skipped = true;
	step->event.decided_by = is_on ? "control.unless" : "control.if";
	return false;
}

bool
w_apply_conditions(struct w_resource_step *step)
{
	return check_requirements(step) && check_control(step);
}
