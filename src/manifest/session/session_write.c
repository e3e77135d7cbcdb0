/* SPDX-License-Identifier: Apache-2.0 */

/* Writes the lines of a session: start, event, finish. */

#include <string.h>

#include "manifest/session/event_fields.h"
#include "manifest/session/session_state.h"

/* A sync takes milliseconds; a short apply should not wait for it. */
#define WORTH_A_SYNC_NS UINT64_C(1000000000)

/* Starts a line in the session's buffer, behind those that are held. */
static struct w_buf *
begin_line(struct w_manifest_session *session)
{
	struct w_buf *line = &session->line;

	session->json_at = 0;
	line->failed = false;
	line->len = session->held_len;
	/* Frees the buffer of a large event. */
	if (line->len == 0 && line->cap > (size_t)1 << 20)
		w_buf_done(line);
	if (line->len > 0)
		w_buf_add_char(line, '\n');
	return line;
}

/* Writes the line, and those that are held. */
static writ_status
session_write_put_line(struct w_manifest_session *session,
    enum w_log_urgency urgency, writ_error *err)
{
	const struct w_buf *line = &session->line;

	if (line->failed)
		return w_fail_nomem(err, W_MANIFEST_SESSION_STAGE);
	session->held_len = 0;
	if (session->dir != NULL && session->log == NULL)
		return w_fail(err, WRIT_E_INTERNAL, W_MANIFEST_SESSION_STAGE, 0,
		    "the session '%s' was opened for reading", session->dir);
	if (session->log == NULL)
		return WRIT_OK;
	return w_log_append_all(
	    session->log, line->data, line->len, urgency, NULL, err);
}

writ_status
w_manifest_session_flush(struct w_manifest_session *session, writ_error *err)
{
	if (session->held_len == 0)
		return WRIT_OK;
	/* Without what was begun behind them. */
	session->line.failed = false;
	session->line.len = session->held_len;
	return session_write_put_line(session, W_LOG_ENDS, err);
}

static void
add_start(struct w_buf *line, const struct w_manifest_session_start *start)
{
	w_event_add_text(line, ",\"manifest\":", start->manifest);
	w_event_add_text(line, ",\"sha256\":", start->sha256);
	w_event_add_number(line, ",\"resources\":", start->resources);
	w_event_add_bool(line, ",\"noop\":", start->noop);
	if (start->only != NULL)
		w_event_add_list(line, ",\"only\":", start->only);
	else
		w_buf_add_str(line, ",\"only\":null");
}

/* Copies the start, for later queries. */
static bool
keep_start(struct w_manifest_session *session,
    const struct w_manifest_session_start *start)
{
	struct w_arena *arena = &session->arena;
	struct w_manifest_session_start kept = *start;
	size_t count = 0;

	if (start->manifest != NULL)
		kept.manifest = w_arena_text(
		    arena, start->manifest, strlen(start->manifest));
	if (start->sha256 != NULL)
		kept.sha256 =
		    w_arena_text(arena, start->sha256, strlen(start->sha256));
	while (start->only != NULL && start->only[count] != NULL)
		count++;
	const char **only = w_arena_alloc(arena, count + 1, sizeof(*only));
	bool is_kept = only != NULL && !kept.manifest == !start->manifest &&
		       !kept.sha256 == !start->sha256;
	for (size_t i = 0; is_kept && i < count; i++) {
		only[i] =
		    w_arena_text(arena, start->only[i], strlen(start->only[i]));
		is_kept = only[i] != NULL;
	}
	kept.only = start->only != NULL ? only : NULL;
	if (is_kept)
		session->start = kept;
	return is_kept;
}

writ_status
w_manifest_session_begin(struct w_manifest_session *session,
    const struct w_manifest_session_start *start, writ_error *err)
{
	struct w_buf *line = begin_line(session);
	const uint64_t now = w_event_now_us();
	char id[W_EVENT_ID_LEN + 1];

	if (!session->has_start && !keep_start(session, start))
		return w_fail_nomem(err, W_MANIFEST_SESSION_STAGE);
	w_buf_add_str(line, session->has_start
				? "\"kind\":\"resume\""
				: "\"kind\":\"start\",\"protocol\":"
				  "\"io.choria.ccm.v1.session.start\"");
	w_event_new_id(id);
	w_event_add_text(line, ",\"event_id\":", id);
	w_event_add_time(line, ",\"timestamp\":", now);
	if (!session->has_start)
		add_start(line, start);
	writ_status status = session_write_put_line(session, W_LOG_BEGINS, err);
	if (status != WRIT_OK)
		return status;
	session->has_start = true;
	w_manifest_session_note_part(session, now);
	return WRIT_OK;
}

static size_t
add_event_line(struct w_buf *line, const writ_event *event)
{
	w_event_add_number(line, "\"kind\":\"event\",\"index\":", event->index);
	w_buf_add_str(line, ",\"event\":");
	const size_t at = line->len;
	w_event_add_json(line, event);
	return at;
}

/* Formats the line of an event, and returns where its JSON begins. The outcome
 * of a resource must always be recorded: from a line that is too long, the
 * parts that make it so are dropped. */
static size_t
make_event_line(struct w_manifest_session *session, const writ_event *event,
    writ_status *out_status, writ_error *err)
{
	static const char *const warnings[] = {
	    "the event was too long, and is kept without its details", NULL};
	writ_event lean = *event;
	size_t at = add_event_line(begin_line(session), event);

	/* It has more room without those that are held. */
	if (session->line.failed && session->held_len > 0) {
		*out_status = w_manifest_session_flush(session, err);
		if (*out_status != WRIT_OK)
			return 0;
		at = add_event_line(begin_line(session), event);
	}
	if (!session->line.failed)
		return at;
	lean.properties = NULL;
	lean.status = NULL;
	lean.diff = NULL;
	lean.registered = NULL;
	lean.health_count = 0;
	lean.errors = NULL;
	lean.run_ids = NULL;
	lean.warnings = warnings;
	return add_event_line(begin_line(session), &lean);
}

writ_status
w_manifest_session_add(struct w_manifest_session *session,
    const writ_event *event, bool is_held, writ_error *err)
{
	struct w_counted counted = {
	    .changed = event->changed,
	    .failed = event->failed,
	    .skipped = event->skipped,
	    .refreshed = event->refreshed,
	    .has_unmet = event->unmet != NULL && event->unmet[0] != NULL,
	    .interrupted = event->interrupted,
	    .time_us = event->time_us,
	    .duration_ns = event->duration_ns,
	};
	const struct w_buf *line = &session->line;

	for (size_t i = 0; i < event->health_count; i++)
		counted.health[event->health[i].status]++;
	if (!w_manifest_session_can_note(session, event->type))
		return w_fail(err, WRIT_E_INVALID, W_MANIFEST_SESSION_STAGE, 0,
		    "a session has at most %d types of resources",
		    W_MANIFEST_SESSION_TYPES_MAX);
	writ_status status = WRIT_OK;
	const size_t at = make_event_line(session, event, &status, err);
	if (status != WRIT_OK)
		return status;
	/* Events may use the reserved disk space. */
	if (is_held && !line->failed)
		session->held_len = line->len;
	else
		status = session_write_put_line(session, W_LOG_ENDS, err);
	if (status != WRIT_OK)
		return status;
	session->json_at = at;
	if (session->dir == NULL)
		w_buf_add(&session->kept, line->data + at, line->len - at + 1);
	if (!w_manifest_session_note_event(session, event->index, event->type,
		event->name, event->alias, &counted))
		return w_fail_nomem(err, W_MANIFEST_SESSION_STAGE);
	return WRIT_OK;
}

const char *
w_manifest_session_json(
    const struct w_manifest_session *session, size_t *out_len)
{
	if (session->json_at == 0)
		return NULL;
	*out_len = session->line.len - session->json_at;
	return session->line.data + session->json_at;
}

const char *
w_manifest_session_text(const struct w_manifest_session *session)
{
	return session->line.data;
}

writ_status
w_manifest_session_finish(
    struct w_manifest_session *session, bool is_interrupted, writ_error *err)
{
	struct w_buf *line = begin_line(session);
	writ_apply_summary summary;

	w_manifest_session_summary(session, &summary);
	w_event_add_bool(
	    line, "\"kind\":\"finish\",\"interrupted\":", is_interrupted);
	w_buf_add_str(line, ",\"summary\":");
	w_event_summary_add_json(line, &summary);
	writ_status status = session_write_put_line(session, W_LOG_ENDS, err);
	if (status != WRIT_OK)
		return status;
	session->is_finished = !is_interrupted;
	/* A short apply is quickly repeated, should the power fail now. */
	if (session->log == NULL ||
	    (!is_interrupted && summary.duration_ns < WORTH_A_SYNC_NS))
		return WRIT_OK;
	int error = w_log_sync(session->log);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, W_MANIFEST_SESSION_STAGE,
		    error, "cannot put the session '%s' on the disk",
		    session->dir);
	return WRIT_OK;
}
