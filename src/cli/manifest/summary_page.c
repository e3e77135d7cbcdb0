/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The summary of a session. Its words and columns are those of Choria's ccm, so
 * that programs that parse its report can parse this one.
 */

#include "cli/manifest/summary_page.h"

#include <stdio.h>

#include "cli/manifest/event_line.h"

static void
summary_page_add_count(struct w_buf *buf, const char *name, size_t count)
{
	w_buf_add_fmt(buf, "%21s: %zu\n", name, count);
}

static void
summary_page_add_time(struct w_buf *buf, const writ_apply_summary *summary)
{
	w_buf_add_fmt(buf, "%21s: ", "Run Time");
	w_cli_event_add_duration(buf, summary->duration_ns);
	w_buf_add_char(buf, '\n');
}

static void
add_checked(struct w_buf *buf, const writ_apply_summary *summary)
{
	w_buf_add_fmt(buf, "%21s: %zu", "Checked Resources", summary->checked);
	if (summary->checked > 0)
		w_buf_add_fmt(buf,
		    " (ok: %zu, critical: %zu, warning: %zu, unknown: %zu)",
		    summary->health[WRIT_HEALTH_OK],
		    summary->health[WRIT_HEALTH_CRITICAL],
		    summary->health[WRIT_HEALTH_WARNING],
		    summary->health[WRIT_HEALTH_UNKNOWN]);
	w_buf_add_char(buf, '\n');
}

static void
add_classes(struct w_buf *buf, const writ_apply_summary *summary)
{
	summary_page_add_count(buf, "Stable Resources", summary->stable);
	summary_page_add_count(buf, "Changed Resources", summary->changed);
	summary_page_add_count(buf, "Failed Resources", summary->failed);
	summary_page_add_count(buf, "Skipped Resources", summary->skipped);
	summary_page_add_count(buf, "Refreshed Resources", summary->refreshed);
}

void
w_cli_summary_add_apply(struct w_buf *buf, const writ_apply_summary *summary)
{
	w_buf_add_str(buf, "\nManifest Run Summary\n\n");
	summary_page_add_time(buf, summary);
	summary_page_add_count(buf, "Total Resources", summary->total);
	add_classes(buf, summary);
	summary_page_add_count(buf, "Unmet Requirements", summary->unmet);
	add_checked(buf, summary);
	summary_page_add_count(buf, "Total Errors", summary->errors);
}

void
w_cli_summary_add_session(struct w_buf *buf, const writ_apply_summary *summary)
{
	w_buf_add_str(buf, "Session Summary\n\n");
	summary_page_add_time(buf, summary);
	summary_page_add_count(buf, "Total Resources", summary->total);
	summary_page_add_count(buf, "Unique Resources", summary->unique);
	add_classes(buf, summary);
	summary_page_add_count(buf, "Total Errors", summary->errors);
}
