/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A run as text, for people and models: its output, then a line for each thing
 * there is to say about its end. A model pays for every byte: no blank lines,
 * and no times below a second.
 */

#include <inttypes.h>
#include <string.h>

#include "base/duration.h"
#include "base/printable.h"
#include "base/signal_name.h"
#include "data/json.h"
#include "mcp/runs/limit_text.h"
#include "mcp/runs/output_view.h"
#include "mcp/runs/wall_text.h"

enum {
	NS_PER_MS = 1000000,
	SHORT_MS = 1000,  /* a shorter time is not worth a word */
	WALLS_MAX = 3,    /* refusals of walls, one line each */
	BINARY_MAX = 256, /* characters shown of binary output */
};

/* ---- output ---- */

/* Drops the blank lines at the end, from start on. */
static void
run_answer_text_trim(struct w_buf *buf, size_t start)
{
	while (!buf->failed && buf->len > start &&
	       (w_buf_last(buf) == '\n' || w_buf_last(buf) == '\r'))
		buf->data[--buf->len] = '\0';
}

/* Begins a line, unless the text begins here. */
static void
begin_line(struct w_buf *buf, size_t start)
{
	if (buf->len > start)
		w_buf_add_char(buf, '\n');
}

static void
run_answer_text_add_stream(
    struct w_buf *buf, const struct w_output_stream *stream, size_t start)
{
	if (stream->bytes == 0)
		return;
	begin_line(buf, start);
	const size_t from = buf->len;
	if (stream->is_text)
		w_output_stream_add(buf, stream);
	else
		w_output_stream_add_binary(buf, stream, BINARY_MAX);
	run_answer_text_trim(buf, from);
}

static void
add_output(struct w_buf *buf, const struct w_output_view *view, size_t start)
{
	for (size_t i = 0; i < 2; i++)
		run_answer_text_add_stream(buf, &view->streams[i], start);
}

/* ---- the end ---- */

static void
run_answer_text_add_duration(struct w_buf *buf, uint64_t ms)
{
	char text[W_DURATION_TEXT_MAX];

	w_duration_format(ms, text);
	w_buf_add_str(buf, text);
}

static void
add_status(struct w_buf *buf, const writ_result *result, size_t start)
{
	char name[W_SIGNAL_NAME_MAX];

	if (result->status_known && result->signal == 0 &&
	    result->exit_code == 0)
		return;
	begin_line(buf, start);
	if (!result->status_known)
		w_buf_add_str(buf, "exit code not known");
	else if (result->signal != 0)
		w_buf_add_fmt(
		    buf, "ended by %s", w_signal_name(result->signal, name));
	else
		w_buf_add_fmt(buf, "exit code %d", result->exit_code);
}

static void
run_answer_text_add_ending(
    struct w_buf *buf, const writ_result *result, size_t start)
{
	if (result->outcome == WRIT_EXITED ||
	    result->outcome == WRIT_SIGNALED) {
		add_status(buf, result, start);
		return;
	}
	begin_line(buf, start);
	switch (result->outcome) {
	case WRIT_EXITED:
	case WRIT_SIGNALED:
		break;
	case WRIT_TIMED_OUT:
		w_buf_add_str(buf, "timed out after ");
		run_answer_text_add_duration(buf, result->limit_value);
		break;
	case WRIT_IDLE_TIMED_OUT:
		w_buf_add_str(buf, "ended: no output for ");
		run_answer_text_add_duration(buf, result->limit_value);
		break;
	case WRIT_CANCELLED:
		w_buf_add_str(buf, "cancelled");
		break;
	case WRIT_LIMITED:
		w_buf_add_str(buf, "ended: ");
		w_mcp_limit_add_text(buf, result);
		break;
	}
}

/* A model asks with an argument of the tool. */
static void
add_denials(struct w_buf *buf, const writ_result *result, size_t start)
{
	const size_t count = result->wall_denial_count;

	for (size_t i = 0; i < count && i < WALLS_MAX; i++) {
		const writ_wall_denial *denial = &result->wall_denials[i];

		begin_line(buf, start);
		w_buf_add_str(buf, "the sandbox refused: ");
		w_mcp_wall_add_text(buf, denial);
		if (denial->ask_network != NULL) {
			w_buf_add_fmt(buf, "; network: \"%s\" asks for it",
			    denial->ask_network);
		} else if (denial->ask_host != NULL) {
			w_buf_add_str(buf, "; hosts: [");
			w_json_add_text(buf, denial->ask_host);
			w_buf_add_str(buf, "] asks for it");
		} else if (denial->ask_write != NULL) {
			w_buf_add_str(buf, "; write: [");
			w_json_add_text(buf, denial->ask_write);
			w_buf_add_str(buf, "] asks for it");
		}
	}
	if (count > WALLS_MAX)
		w_buf_add_fmt(
		    buf, "\nthe sandbox refused %zu more", count - WALLS_MAX);
}

static void
add_triggers(struct w_buf *buf, const writ_result *result, size_t start)
{
	for (size_t i = 0; i < result->trigger_count; i++) {
		const writ_trigger *trigger = &result->triggers[i];

		if (trigger->path == NULL)
			continue;
		begin_line(buf, start);
		w_buf_add_str(buf, "runs later: ");
		(void)w_printable_add(buf, trigger->path, 0);
		w_buf_add_fmt(buf, ": %s", trigger->why);
	}
}

static bool
has_state(const writ_result *result, const char *begin)
{
	return result->changes != NULL &&
	       strncmp(result->changes, begin, strlen(begin)) == 0;
}

/* Else it would look for what it wrote, and not find it. */
static void
add_changes(struct w_buf *buf, const writ_result *result)
{
	if (has_state(result, "{\"state\":\"waits\""))
		w_buf_add_str(buf, "\n[what it changed in the project waits "
				   "until a person accepts it; the project is "
				   "as before]");
	for (size_t i = 0; i < result->held_count; i++) {
		w_buf_add_str(buf, "\n[held back until a person restores it: ");
		(void)w_printable_add(buf, result->held[i].path, 0);
		w_buf_add_fmt(buf, ": %s]", result->held[i].why);
	}
	if (result->changes != NULL &&
	    strstr(result->changes, ",\"hint\":\"") != NULL)
		w_buf_add_str(buf, "\n[a directory that was there before "
				   "cannot be renamed here (EXDEV); mv copies "
				   "it]");
	if (has_state(result, "{\"state\":\"partial\""))
		w_buf_add_str(buf, "\n[a part of what it changed waits: "
				   "somebody else changed the same files "
				   "meanwhile]");
}

static void
add_ended(struct w_buf *buf, const writ_result *result,
    const struct w_output_view *view)
{
	const size_t start = buf->len;

	add_output(buf, view, start);
	run_answer_text_add_ending(buf, result, start);
	add_denials(buf, result, start);
	add_triggers(buf, result, start);
	if (buf->len == start)
		w_buf_add_str(buf, "(no output)");
	add_changes(buf, result);
	if (result->duration_ms < SHORT_MS)
		return;
	begin_line(buf, start);
	w_duration_add(buf, "took", result->duration_ms);
}

void
w_mcp_run_add_text(struct w_buf *buf, const writ_result *result)
{
	W_AUTO_OUTPUT_VIEW struct w_output_view view;

	w_output_view_result(&view, result, UINT64_MAX);
	add_ended(buf, result, &view);
}

static void
add_running(struct w_buf *buf, uint64_t ms)
{
	if (ms < SHORT_MS)
		w_buf_add_str(buf, "running");
	else
		w_duration_add(buf, "running for", ms);
}

/* Where the next call starts, if that is another place than this one did. */
static void
add_directory(struct w_buf *buf, const struct w_mcp_run *run)
{
	if (run->has_lost_cwd)
		w_buf_add_str(buf, "\n[the directory that the last call left "
				   "cannot be used; this one did not start "
				   "there]");
	if (run->new_cwd == NULL)
		return;
	w_buf_add_str(buf, "\n[now in ");
	(void)w_printable_add(buf, run->new_cwd, 0);
	w_buf_add_char(buf, ']');
}

void
w_mcp_run_add_answer(struct w_buf *buf, struct w_mcp_run *run)
{
	const size_t start = buf->len;
	W_AUTO_OUTPUT_VIEW struct w_output_view view;
	W_AUTO_BUF struct w_buf hint;

	w_buf_init(&hint, buf->max);
	w_output_view_init(&view, run);
	if (run->result != NULL) {
		add_ended(buf, run->result, &view);
	} else {
		add_output(buf, &view, start);
		begin_line(buf, start);
		add_running(buf, (w_mcp_now_ns() - run->begun_ns) / NS_PER_MS);
	}
	add_directory(buf, run);
	/* In brackets: it is not the command's output. */
	w_mcp_run_add_hint(&hint, run, &view);
	if (hint.len > 0)
		w_buf_add_fmt(buf, "\n[%s]", hint.data);
}
