/* SPDX-License-Identifier: Apache-2.0 */

/* Combines the begin and end records of a run. */

#include "audit/query/audit_run_view.h"

#include <string.h>

#include "log/recording/recording.h"

static writ_run_state
state_of(const struct w_audit_run_view *view, const struct w_log_line *begin,
    const struct w_liveness *liveness)
{
	if (view->begin.kind == W_ENTRY_REFUSED)
		return WRIT_RUN_REFUSED;
	if (view->has_end)
		return WRIT_RUN_ENDED;
	return w_liveness_state(
	    liveness, view->begin.pid, view->begin.pidns, begin->time_us);
}

bool
w_audit_run_view_init(struct w_audit_run_view *view,
    const struct w_log_line *begin, const struct w_log_line *end,
    const struct w_liveness *liveness)
{
	*view = (struct w_audit_run_view){.has_end = end != NULL};
	w_buf_init(&view->command, W_LOG_LINE_MAX);
	w_buf_init(&view->recording, W_LOG_LINE_MAX);
	if (!w_entry_read(begin, &view->begin)) {
		view->is_full = view->begin.is_full;
		return false;
	}
	bool is_good =
	    view->begin.run != NULL && (view->begin.kind == W_ENTRY_BEGIN ||
					   view->begin.kind == W_ENTRY_REFUSED);
	if (is_good && end != NULL)
		is_good = w_entry_read(end, &view->end) &&
			  view->end.kind == W_ENTRY_END &&
			  view->end.run != NULL &&
			  strcmp(view->begin.run, view->end.run) == 0;
	if (!is_good) {
		view->is_full = view->end.is_full;
		w_audit_run_view_done(view);
		return false;
	}
	view->state = state_of(view, begin, liveness);
	return true;
}

void
w_audit_run_view_done(struct w_audit_run_view *view)
{
	w_entry_done(&view->begin);
	w_entry_done(&view->end);
	w_buf_done(&view->command);
	w_buf_done(&view->recording);
}

/* While a run is active its file has the usual name; afterwards the record says
 * whether one was kept. A name from the trail must not lead outside the
 * directory. */
static const char *
find_recording(struct w_audit_run_view *view, const char *output_dir)
{
	struct w_buf *buf = &view->recording;
	const char *kept = view->end.kept;

	if (view->state == WRIT_RUN_REFUSED)
		return NULL;
	if (view->has_end && (kept == NULL || kept[0] == '\0' ||
				 kept[0] == '.' || strchr(kept, '/') != NULL))
		return NULL;
	w_buf_add_str(buf, output_dir);
	w_buf_add_char(buf, '/');
	w_buf_add_str(buf, view->has_end ? kept : view->begin.run);
	if (!view->has_end)
		w_buf_add_str(buf, W_RECORDING_SUFFIX);
	return buf->data;
}

static void
fill_end(struct w_audit_run_view *view, const struct w_log_line *end)
{
	writ_audit_run *run = &view->run;

	run->end_seq = end->seq;
	run->end_us = end->time_us;
	run->end_json = end->bytes;
	run->outcome = view->end.outcome;
	run->exit_code = view->end.exit_code;
	run->signal = view->end.signal;
	run->duration_ms = view->end.duration_ms;
	run->out_bytes[0] = view->end.out_bytes[0];
	run->out_bytes[1] = view->end.out_bytes[1];
}

bool
w_audit_run_view_fill(struct w_audit_run_view *view,
    const struct w_log_line *begin, const struct w_log_line *end,
    const char *output_dir)
{
	const struct w_entry *entry = &view->begin;

	w_entry_command(entry, &view->command);
	view->run = (writ_audit_run){
	    .run_id = entry->run,
	    .state = view->state,
	    .begin_seq = begin->seq,
	    .begin_us = begin->time_us,
	    .command = view->command.data,
	    .program = entry->program,
	    .cwd = entry->cwd,
	    .agent = entry->agent,
	    .door = entry->door,
	    .sandbox = entry->sandbox,
	    .outcome = entry->outcome,
	    .exit_code = -1,
	    .uid = entry->uid,
	    .pid = entry->pid,
	    .recording = find_recording(view, output_dir),
	    .begin_json = begin->bytes,
	};
	if (end != NULL)
		fill_end(view, end);
	return !view->command.failed && !view->recording.failed;
}
