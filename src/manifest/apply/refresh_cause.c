/* SPDX-License-Identifier: Apache-2.0 */

/* Why a resource is refreshed: what it subscribes to changed in this session,
 * or in an earlier one and the refresh is still owed. */

#include "manifest/apply/refresh_cause.h"

#include "log/log_format.h"
#include "manifest/apply/apply_owed.h"

/* The first subscribed resource that changed and did not fail. */
static bool
find_trigger(struct w_resource_step *step, const struct w_reference_list *list,
    struct w_refresh_cause *cause)
{
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
		cause->is_refresh = true;
		step->event.decided_by =
		    w_resource_step_text(step, "subscribe %s", from->text);
		return true;
	}
	return true;
}

/* A refresh that an earlier apply did not make. */
static void
find_owed(struct w_resource_step *step, struct w_refresh_cause *cause)
{
	const struct w_owed_refresh *refresh =
	    w_apply_owed_trigger(step, step->resource);
	char since[W_LOG_TIME_LEN + 1];

	if (refresh == NULL)
		return;
	w_log_time_format(refresh->since_us, since);
	cause->is_refresh = true;
	cause->owed = w_resource_step_text(
	    step, "owed since %.19sZ: %s changed", since, refresh->subject);
	step->event.decided_by = cause->owed;
}

bool
w_refresh_find(struct w_resource_step *step,
    const struct w_reference_list *list, struct w_refresh_cause *out_cause)
{
	*out_cause = (struct w_refresh_cause){.is_refresh = false};
	if (!find_trigger(step, list, out_cause))
		return false;
	if (!out_cause->is_refresh)
		find_owed(step, out_cause);
	return true;
}
