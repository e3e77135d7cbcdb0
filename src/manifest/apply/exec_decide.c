/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether an exec runs. Cheap conditions come first: the session, then the file
 * system, then commands; the first that decides ends it.
 *
 * A refresh overrides creates and the guards, which are not evaluated then. So
 * does one that is owed since an earlier apply.
 */

#include "log/log_format.h"
#include "manifest/apply/apply_owed.h"
#include "manifest/apply/exec_resource.h"

/* The first subscribed resource that changed and did not fail. */
static bool
find_trigger(struct w_exec_step *x)
{
	const struct w_reference_list *list = &x->exec->subscribe;
	struct w_resource_step *step = x->step;

	for (size_t i = 0; i < list->count; i++) {
		const struct w_reference *from = &list->items[i];
		struct w_last_event past;

		if (!w_manifest_session_last(
			step->session, from->type, from->name, &past)) {
			if (from->target != W_NO_TARGET)
				continue;
			w_resource_step_fail(
			    step, "no events found for %s", from->text);
			return false;
		}
		if (!past.changed || past.failed)
			continue;
		x->is_refresh = true;
		step->event.decided_by =
		    w_resource_step_text(step, "subscribe %s", from->text);
		return true;
	}
	return true;
}

static void
exec_decide_conclude(struct w_exec_step *x, const char *kind, const char *shown)
{
	x->is_wanted = false;
	x->step->event.decided_by =
	    w_resource_step_text(x->step, "%s '%s'", kind, shown);
}

/* A refresh that an earlier apply did not make. */
static void
find_owed(struct w_exec_step *x)
{
	struct w_resource_step *step = x->step;
	const struct w_owed_refresh *refresh =
	    w_apply_owed_trigger(step, step->resource);
	char since[W_LOG_TIME_LEN + 1];

	if (refresh == NULL)
		return;
	w_log_time_format(refresh->since_us, since);
	x->is_refresh = true;
	x->owed = w_resource_step_text(
	    step, "owed since %.19sZ: %s changed", since, refresh->subject);
	step->event.decided_by = x->owed;
}

/* ---- paths ---- */

static bool
check_guard_paths(struct w_exec_step *x)
{
	if (x->creates != NULL) {
		if (!w_guard_has_all(x, x->creates, &x->creates_satisfied))
			return false;
		if (x->creates_satisfied) {
			exec_decide_conclude(x, "creates", x->creates_shown[0]);
			return true;
		}
	}
	if (x->removes != NULL) {
		bool has_any;

		if (!w_guard_has_any(x, x->removes, &has_any))
			return false;
		if (!has_any)
			exec_decide_conclude(x, "removes", x->removes_shown[0]);
	}
	return true;
}

/* ---- commands ---- */

/* All must succeed. */
static bool
check_onlyif(struct w_exec_step *x)
{
	const size_t count = x->exec->onlyif.count;
	bool is_certain = true;

	for (size_t i = 0; i < count; i++) {
		enum w_guard_answer answer;

		if (!w_guard_run(x, "onlyif", &x->onlyif[i], &answer))
			return false;
		if (answer == W_GUARD_NO) {
			exec_decide_conclude(x, "onlyif",
			    w_filled_command_text(x->step, &x->onlyif[i]));
			return true;
		}
		is_certain = is_certain && answer == W_GUARD_YES;
	}
	x->onlyif_satisfied = count > 0 && is_certain;
	return true;
}

/* None may succeed. */
static bool
check_unless(struct w_exec_step *x)
{
	for (size_t i = 0; i < x->exec->unless.count; i++) {
		enum w_guard_answer answer;

		if (!w_guard_run(x, "unless", &x->unless[i], &answer))
			return false;
		if (answer != W_GUARD_YES)
			continue;
		x->unless_satisfied = true;
		exec_decide_conclude(
		    x, "unless", w_filled_command_text(x->step, &x->unless[i]));
		return true;
	}
	return true;
}

bool
w_exec_decide(struct w_exec_step *x)
{
	x->is_wanted = true;
	if (!find_trigger(x))
		return false;
	if (!x->is_refresh)
		find_owed(x);
	if (x->is_refresh)
		return true;
	if (!check_guard_paths(x))
		return false;
	if (x->is_wanted && x->exec->is_refreshonly) {
		x->is_wanted = false;
		x->step->event.decided_by = "refreshonly";
	}
	if (x->is_wanted && !check_onlyif(x))
		return false;
	return !x->is_wanted || check_unless(x);
}
