/* SPDX-License-Identifier: Apache-2.0 */

/* The summary of a session as JSON, with the names of the reference. */

#include "manifest/session/event.h"
#include "manifest/session/event_fields.h"

void
w_event_summary_add_json(
    struct w_buf *buf, const struct w_event_summary *summary)
{
	const struct {
		const char *name;
		uint64_t number;
	} counts[] = {
	    {",\"total_duration\":", summary->duration_ns},
	    {",\"total_resources\":", summary->total},
	    {",\"unique_resources\":", summary->unique},
	    {",\"changed_resources\":", summary->changed},
	    {",\"failed_resources\":", summary->failed},
	    {",\"skipped_resources\":", summary->skipped},
	    {",\"stable_resources\":", summary->stable},
	    {",\"refreshed_count\":", summary->refreshed},
	    {",\"requirements_unmet_count\":", summary->unmet},
	    {",\"health_checked_count\":", summary->checked},
	    {",\"health_check_ok_count\":", summary->health[W_HEALTH_OK]},
	    {",\"health_check_warning_count\":",
		summary->health[W_HEALTH_WARNING]},
	    {",\"health_check_critical_count\":",
		summary->health[W_HEALTH_CRITICAL]},
	    {",\"health_check_unknown_count\":",
		summary->health[W_HEALTH_UNKNOWN]},
	    {",\"total_errors\":", summary->errors},
	};

	w_event_add_time(buf, "{\"start_time\":", summary->start_us);
	w_event_add_time(buf, ",\"end_time\":", summary->end_us);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		w_event_add_number(buf, counts[i].name, counts[i].number);
	w_buf_add_char(buf, '}');
}
