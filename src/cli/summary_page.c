/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The summary of a session. The words and their columns are those of the
 * manifests' original, so that what reads its report can read this one.
 */

#include "cli/summary_page.h"

#include <stdio.h>

#include "cli/event_line.h"

static void
add_count(struct w_buf *buf, const char *name, size_t count)
{
	w_buf_add_fmt(buf, "%21s: %zu\n", name, count);
}

static void
add_time(struct w_buf *buf, const struct w_summary *summary)
{
	w_buf_add_fmt(buf, "%21s: ", "Run Time");
	w_event_add_duration(buf, summary->duration_ns);
	w_buf_add_char(buf, '\n');
}

static void
add_checked(struct w_buf *buf, const struct w_summary *summary)
{
	w_buf_add_fmt(buf, "%21s: %zu", "Checked Resources", summary->checked);
	if (summary->checked > 0)
		w_buf_add_fmt(buf,
		    " (ok: %zu, critical: %zu, warning: %zu, unknown: %zu)",
		    summary->health[W_HEALTH_OK],
		    summary->health[W_HEALTH_CRITICAL],
		    summary->health[W_HEALTH_WARNING],
		    summary->health[W_HEALTH_UNKNOWN]);
	w_buf_add_char(buf, '\n');
}

static void
add_classes(struct w_buf *buf, const struct w_summary *summary)
{
	add_count(buf, "Stable Resources", summary->stable);
	add_count(buf, "Changed Resources", summary->changed);
	add_count(buf, "Failed Resources", summary->failed);
	add_count(buf, "Skipped Resources", summary->skipped);
	add_count(buf, "Refreshed Resources", summary->refreshed);
}

void
w_summary_page_add_apply(struct w_buf *buf, const struct w_summary *summary)
{
	w_buf_add_str(buf, "\nManifest Run Summary\n\n");
	add_time(buf, summary);
	add_count(buf, "Total Resources", summary->total);
	add_classes(buf, summary);
	add_count(buf, "Unmet Requirements", summary->unmet);
	add_checked(buf, summary);
	add_count(buf, "Total Errors", summary->errors);
}

void
w_summary_page_add_session(struct w_buf *buf, const struct w_summary *summary)
{
	w_buf_add_str(buf, "Session Summary\n\n");
	add_time(buf, summary);
	add_count(buf, "Total Resources", summary->total);
	add_count(buf, "Unique Resources", summary->unique);
	add_classes(buf, summary);
	add_count(buf, "Total Errors", summary->errors);
}
