/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The notes of `writ run` on standard error after a run that did not end
 * normally.
 */

#include "cli/run/run_notes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/duration.h"
#include "mcp/runs/limit_text.h"

static void
run_notes_add_count(struct w_buf *buf, unsigned count, const char *what)
{
	w_buf_add_fmt(
	    buf, "%u %sprocess%s", count, what, count == 1 ? "" : "es");
}

static void
run_notes_add_duration(struct w_buf *buf, uint64_t ms)
{
	char text[W_DURATION_TEXT_MAX];

	w_duration_format(ms, text);
	w_buf_add_str(buf, text);
}

/* Says that the kernel counted, which is exact. Polling is not, and is not
 * mentioned. */
static void
add_counter(struct w_buf *buf, const writ_result *result)
{
	const char *by = NULL;

	if (result->limit == WRIT_LIMIT_MEMORY)
		by = result->memory_by;
	else if (result->limit == WRIT_LIMIT_PROCESSES)
		by = result->processes_by;
	if (by != NULL && strcmp(by, "cgroup") == 0)
		w_buf_add_str(buf, " (counted by the control group)");
}

/* Why writ ended the run; false: it ended by itself or by a signal. */
static bool
run_notes_add_ending(struct w_buf *buf, const writ_result *result)
{
	switch (result->outcome) {
	case WRIT_TIMED_OUT:
		w_buf_add_str(buf, "writ: timed out after ");
		run_notes_add_duration(buf, result->limit_value);
		break;
	case WRIT_IDLE_TIMED_OUT:
		w_buf_add_str(buf, "writ: ended: no output for ");
		run_notes_add_duration(buf, result->limit_value);
		break;
	case WRIT_LIMITED:
		w_buf_add_str(buf, "writ: ended: ");
		w_mcp_limit_add_text(buf, result);
		add_counter(buf, result);
		break;
	case WRIT_EXITED:
	case WRIT_SIGNALED:
	case WRIT_CANCELLED:
		return false;
	}
	if (result->killed > 0) {
		w_buf_add_str(buf, "; ");
		run_notes_add_count(buf, result->killed, "");
		w_buf_add_str(buf, " killed");
	}
	w_buf_add_char(buf, '\n');
	return true;
}

static void
add_spill(struct w_buf *buf, const char *stream, const writ_output *output)
{
	if (output->spill_path == NULL && output->spill_errno == 0)
		return;
	w_buf_add_fmt(buf, "writ: %s: ", stream);
	if (output->spill_path == NULL) {
		w_buf_add_fmt(
		    buf, "no spill file: %s\n", strerror(output->spill_errno));
		return;
	}
	if (output->spill_errno == 0)
		w_buf_add_fmt(
		    buf, "all %" PRIu64 " bytes", output->spill_bytes);
	else
		w_buf_add_fmt(buf, "the first %" PRIu64 " of %" PRIu64 " bytes",
		    output->spill_bytes, output->bytes);
	w_buf_add_fmt(buf, " in '%s'", output->spill_path);
	if (output->spill_errno == EFBIG)
		w_buf_add_str(buf, " (spill limit)");
	else if (output->spill_errno != 0)
		w_buf_add_fmt(buf, " (%s)", strerror(output->spill_errno));
	w_buf_add_char(buf, '\n');
}

void
w_notes_add(struct w_buf *buf, const writ_result *result)
{
	bool has_ending = run_notes_add_ending(buf, result);

	if (!has_ending && result->killed > 0 &&
	    result->tree == WRIT_TREE_BEST_EFFORT) {
		w_buf_add_str(buf, "writ: ");
		run_notes_add_count(buf, result->killed, "leftover ");
		w_buf_add_str(buf, " killed, as far as could be found\n");
	}
	if (result->background > 0) {
		w_buf_add_str(buf, "writ: ");
		run_notes_add_count(buf, result->background, "background ");
		w_buf_add_str(buf,
		    result->background == 1 ? " lives on\n" : " live on\n");
	}
	if (!result->status_known)
		w_buf_add_str(buf, "writ: the exit status is unknown\n");
	w_notes_add_sandbox(buf, result);
	if (result->unrecorded != NULL)
		w_buf_add_fmt(buf, "writ: %s: %s\n",
		    result->begin_seq == 0
			? "this run has no record"
			: "the end of this run has no record",
		    result->unrecorded);
	add_spill(buf, "stdout", &result->out[WRIT_STDOUT]);
	add_spill(buf, "stderr", &result->out[WRIT_STDERR]);
}
