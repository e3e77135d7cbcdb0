/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A run as text, for people and models: its output, then how it ended and how
 * long it took, with a blank line before each.
 */

#include <inttypes.h>

#include "base/duration.h"
#include "base/printable.h"
#include "base/signal_name.h"
#include "data/json.h"
#include "mcp/runs/limit_text.h"
#include "mcp/runs/output_view.h"
#include "mcp/runs/wall_text.h"

enum {
	TENTH_MS = 100,
	MINUTE_TENTHS = 600,
	NS_PER_MS = 1000000,
};

/* Rounded once, so that 59.96 s is a minute and not 60.0 s. */
void
w_mcp_run_add_duration(struct w_buf *buf, const char *word, uint64_t ms)
{
	const uint64_t tenths = (ms + TENTH_MS / 2) / TENTH_MS;
	const uint64_t rest = tenths % MINUTE_TENTHS;

	w_buf_add_fmt(buf, "%s ", word);
	if (tenths >= MINUTE_TENTHS)
		w_buf_add_fmt(buf, "%" PRIu64 "m ", tenths / MINUTE_TENTHS);
	w_buf_add_fmt(buf, "%" PRIu64 ".%" PRIu64 "s", rest / 10, rest % 10);
}

void
w_output_view_add(struct w_buf *buf, const struct w_output_view *view)
{
	const struct w_output_stream *out = &view->streams[WRIT_STDOUT];
	const struct w_output_stream *err = &view->streams[WRIT_STDERR];

	if (out->bytes == 0 && err->bytes == 0)
		w_buf_add_str(buf, "(no output)");
	w_output_stream_add(buf, out);
	if (out->bytes > 0 && err->bytes > 0)
		w_buf_add_char(buf, '\n');
	w_output_stream_add(buf, err);
}

static void
run_answer_text_add_duration(struct w_buf *buf, uint64_t ms)
{
	char text[W_DURATION_TEXT_MAX];

	w_duration_format(ms, text);
	w_buf_add_str(buf, text);
}

static void
add_status(struct w_buf *buf, const writ_result *result)
{
	char name[W_SIGNAL_NAME_MAX];

	if (!result->status_known)
		w_buf_add_str(buf, "\n\nThe exit code is not known");
	else if (result->signal != 0)
		w_buf_add_fmt(buf, "\n\nCommand was ended by %s",
		    w_signal_name(result->signal, name));
	else if (result->exit_code != 0)
		w_buf_add_fmt(
		    buf, "\n\nCommand exited with code %d", result->exit_code);
}

static void
run_answer_text_add_ending(struct w_buf *buf, const writ_result *result)
{
	switch (result->outcome) {
	case WRIT_EXITED:
	case WRIT_SIGNALED:
		add_status(buf, result);
		break;
	case WRIT_TIMED_OUT:
		w_buf_add_str(buf, "\n\nCommand timed out after ");
		run_answer_text_add_duration(buf, result->limit_value);
		break;
	case WRIT_IDLE_TIMED_OUT:
		w_buf_add_str(buf, "\n\nCommand was ended: no output for ");
		run_answer_text_add_duration(buf, result->limit_value);
		break;
	case WRIT_CANCELLED:
		w_buf_add_str(buf, "\n\nCommand was cancelled");
		break;
	case WRIT_LIMITED:
		w_buf_add_str(buf, "\n\nCommand was ended: ");
		w_mcp_limit_add_text(buf, result);
		break;
	}
}

/* A model asks with an argument of the tool. */
static void
add_denials(struct w_buf *buf, const writ_result *result)
{
	const char *before = "\n\n";

	for (size_t i = 0; i < result->wall_denial_count; i++) {
		const writ_wall_denial *denial = &result->wall_denials[i];

		w_buf_add_fmt(buf, "%sThe sandbox refused: ", before);
		w_mcp_wall_add_text(buf, denial);
		before = "\n";
		if (denial->ask_network != NULL) {
			w_buf_add_fmt(buf, "; network: \"%s\" asks for it",
			    denial->ask_network);
		} else if (denial->ask_write != NULL) {
			w_buf_add_str(buf, "; write: [");
			w_json_add_text(buf, denial->ask_write);
			w_buf_add_str(buf, "] asks for it");
		}
	}
}

static void
add_triggers(struct w_buf *buf, const writ_result *result)
{
	const char *before = "\n\n";

	for (size_t i = 0; i < result->trigger_count; i++) {
		const writ_trigger *trigger = &result->triggers[i];

		if (trigger->path == NULL)
			continue;
		w_buf_add_fmt(buf, "%sRuns later: ", before);
		(void)w_printable_add(buf, trigger->path, 0);
		w_buf_add_fmt(buf, ": %s", trigger->why);
		before = "\n";
	}
}

static void
add_ended(struct w_buf *buf, const writ_result *result,
    const struct w_output_view *view)
{
	w_output_view_add(buf, view);
	run_answer_text_add_ending(buf, result);
	add_denials(buf, result);
	add_triggers(buf, result);
	w_buf_add_str(buf, "\n\n");
	w_mcp_run_add_duration(buf, "Took", result->duration_ms);
}

void
w_mcp_run_add_text(struct w_buf *buf, const writ_result *result)
{
	W_AUTO_OUTPUT_VIEW struct w_output_view view;

	w_output_view_result(&view, result, UINT64_MAX);
	add_ended(buf, result, &view);
}

void
w_mcp_run_add_answer(struct w_buf *buf, struct w_mcp_run *run)
{
	W_AUTO_OUTPUT_VIEW struct w_output_view view;
	W_AUTO_BUF struct w_buf hint;

	w_buf_init(&hint, buf->max);
	w_output_view_init(&view, run);
	if (run->result != NULL) {
		add_ended(buf, run->result, &view);
	} else {
		w_output_view_add(buf, &view);
		w_buf_add_str(buf, "\n\n");
		w_mcp_run_add_duration(buf, "Running for",
		    (w_mcp_now_ns() - run->begun_ns) / NS_PER_MS);
	}
	/* In brackets: it is not the command's output. */
	w_mcp_run_add_hint(&hint, run, &view);
	if (hint.len > 0)
		w_buf_add_fmt(buf, "\n\n[%s]", hint.data);
}
