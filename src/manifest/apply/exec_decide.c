/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Whether an exec runs. Cheap conditions come first: the session, then the file
 * system, then commands; the first that decides ends it.
 *
 * A refresh overrides creates and the guards, which are not evaluated then. So
 * does one that is owed since an earlier apply.
 */

#include "manifest/apply/exec_resource.h"
#include "manifest/apply/refresh_cause.h"

static void
exec_decide_conclude(struct w_exec_step *x, const char *kind, const char *shown)
{
	x->is_wanted = false;
	x->step->event.decided_by =
	    w_resource_step_text(x->step, "%s '%s'", kind, shown);
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
	const size_t count = x->exec->guards->onlyif.count;
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
	for (size_t i = 0; i < x->exec->guards->unless.count; i++) {
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
	struct w_refresh_cause cause;

	x->is_wanted = true;
	if (!w_refresh_find(x->step, &x->exec->guards->subscribe, &cause))
		return false;
	x->is_refresh = cause.is_refresh;
	x->owed = cause.owed;
	if (x->is_refresh)
		return true;
	if (!check_guard_paths(x))
		return false;
	if (x->is_wanted && x->exec->guards->is_refreshonly) {
		x->is_wanted = false;
		x->step->event.decided_by = "refreshonly";
	}
	if (x->is_wanted && !check_onlyif(x))
		return false;
	return !x->is_wanted || check_unless(x);
}
