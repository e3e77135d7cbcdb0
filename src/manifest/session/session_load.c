/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads the log of a session: into the index when it is opened, and its events
 * for a report.
 *
 * Lines with a wrong hash, or of another kind, are skipped and counted: one bad
 * line must not hide all other resources.
 */

#include <stdio.h>
#include <string.h>

#include <yyjson.h>

#include "base/auto.h"
#include "log/log_reader.h"
#include "manifest/session/session_state.h"

static void
free_reader(struct w_log_reader **reader)
{
	w_log_reader_free(*reader);
}
#define W_AUTO_READER __attribute__((cleanup(free_reader)))

static void
free_doc(yyjson_doc **doc)
{
	yyjson_doc_free(*doc);
}
#define W_AUTO_DOC __attribute__((cleanup(free_doc)))

static bool
skip(const char **at, const char *end, const char *text)
{
	const size_t len = strlen(text);

	if ((size_t)(end - *at) < len || memcmp(*at, text, len) != 0)
		return false;
	*at += len;
	return true;
}

static bool
session_load_read_number(const char **at, const char *end, size_t *out_number)
{
	const char *from = *at;
	size_t number = 0;

	while (*at < end && **at >= '0' && **at <= '9' && *at - from < 9)
		number = number * 10 + (size_t)(*(*at)++ - '0');
	*out_number = number;
	return *at > from;
}

bool
w_manifest_session_split_event(const struct w_log_line *line, size_t *out_index,
    const char **out_json, size_t *out_len)
{
	const char *at = line->payload;
	const char *end = at + line->payload_len;

	if (!skip(&at, end, "\"kind\":\"event\",\"index\":") ||
	    !session_load_read_number(&at, end, out_index) ||
	    !skip(&at, end, ",\"event\":"))
		return false;
	*out_json = at;
	*out_len = (size_t)(end - at);
	return true;
}

static yyjson_doc *
session_load_parse(const char *json, size_t len, bool *out_is_short)
{
	yyjson_read_err fault = {.code = YYJSON_READ_SUCCESS};
	/* Without YYJSON_READ_INSITU the text is not modified. */
	yyjson_doc *doc =
	    yyjson_read_opts((char *)(uintptr_t)json, len, 0, NULL, &fault);

	*out_is_short =
	    doc == NULL && fault.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION;
	return doc;
}

/* A string without NUL; NULL: absent or invalid. */
static const char *
session_load_text_of(yyjson_val *object, const char *name)
{
	yyjson_val *val = yyjson_obj_get(object, name);
	const char *text = yyjson_get_str(val);

	return text != NULL && strlen(text) == yyjson_get_len(val) ? text
								   : NULL;
}

static bool
flag_of(yyjson_val *object, const char *name)
{
	return yyjson_is_true(yyjson_obj_get(object, name));
}

static void
count_health(yyjson_val *results, struct w_counted *counted)
{
	size_t i, max;
	yyjson_val *result;

	yyjson_arr_foreach(results, i, max, result)
	{
		uint64_t status =
		    yyjson_get_uint(yyjson_obj_get(result, "status"));
		counted->health[status < 4 ? status : WRIT_HEALTH_UNKNOWN]++;
	}
}

static bool
read_counted(yyjson_val *root, struct w_counted *out_counted)
{
	const char *time = session_load_text_of(root, "timestamp");

	*out_counted = (struct w_counted){
	    .changed = flag_of(root, "changed"),
	    .failed = flag_of(root, "failed"),
	    .skipped = flag_of(root, "skipped"),
	    .refreshed = flag_of(root, "refreshed"),
	    .interrupted = flag_of(root, "interrupted"),
	    .has_unmet =
		yyjson_arr_size(yyjson_obj_get(root, "unmet_requirements")) > 0,
	    .duration_ns = yyjson_get_uint(yyjson_obj_get(root, "duration")),
	};
	count_health(yyjson_obj_get(root, "health_check"), out_counted);
	return time != NULL && strlen(time) == W_LOG_TIME_LEN &&
	       w_log_time_parse(time, &out_counted->time_us);
}

/* The outcome of a line. */
enum loaded {
	LOADED,
	BAD,
	SHORT /* out of memory */
};

static enum loaded
session_load_read_event(
    struct w_manifest_session *session, const struct w_log_line *line)
{
	struct w_counted counted;
	const char *json;
	size_t len, index;
	bool is_short;

	if (!w_manifest_session_split_event(line, &index, &json, &len))
		return BAD;
	W_AUTO_DOC yyjson_doc *doc = session_load_parse(json, len, &is_short);
	yyjson_val *root = yyjson_doc_get_root(doc);
	const char *type = session_load_text_of(root, "type");
	const char *name = session_load_text_of(root, "name");
	if (is_short)
		return SHORT;
	if (type == NULL || name == NULL || !read_counted(root, &counted) ||
	    !w_manifest_session_can_note(session, type))
		return BAD;
	return w_manifest_session_note_event(session, index, type, name,
		   session_load_text_of(root, "alias"), &counted)
		   ? LOADED
		   : SHORT;
}

static bool
session_load_copy_text(struct w_manifest_session *session, yyjson_val *root,
    const char *name, const char **out_text)
{
	const char *text = session_load_text_of(root, name);

	*out_text = text != NULL
			? w_arena_text(&session->arena, text, strlen(text))
			: NULL;
	return text == NULL || *out_text != NULL;
}

/* The list of --only; null if absent. */
static bool
copy_only(struct w_manifest_session *session, yyjson_val *list,
    const char *const **out_only, enum loaded *out_taken)
{
	size_t i, max;
	yyjson_val *val;

	*out_only = NULL;
	if (!yyjson_is_arr(list))
		return true;
	const char **only = w_arena_alloc(
	    &session->arena, yyjson_arr_size(list) + 1, sizeof(*only));
	if (only == NULL)
		return false;
	yyjson_arr_foreach(list, i, max, val)
	{
		const char *text = yyjson_get_str(val);

		if (text == NULL) {
			*out_taken = BAD;
			return true;
		}
		only[i] = w_arena_text(&session->arena, text, strlen(text));
		if (only[i] == NULL)
			return false;
	}
	*out_only = only;
	return true;
}

static enum loaded
session_load_read_start(
    struct w_manifest_session *session, const struct w_log_line *line)
{
	struct w_manifest_session_start start = {.manifest = NULL};
	enum loaded loaded = LOADED;
	bool is_short;
	W_AUTO_DOC yyjson_doc *doc =
	    session_load_parse(line->bytes, line->len, &is_short);
	yyjson_val *root = yyjson_doc_get_root(doc);

	if (doc == NULL)
		return is_short ? SHORT : BAD;
	start.resources = yyjson_get_uint(yyjson_obj_get(root, "resources"));
	start.noop = flag_of(root, "noop");
	if (!session_load_copy_text(
		session, root, "manifest", &start.manifest) ||
	    !session_load_copy_text(session, root, "sha256", &start.sha256) ||
	    !copy_only(
		session, yyjson_obj_get(root, "only"), &start.only, &loaded))
		return SHORT;
	if (loaded == LOADED && !session->has_start)
		session->start = start;
	session->has_start = session->has_start || loaded == LOADED;
	if (loaded == LOADED)
		w_manifest_session_note_part(session, line->time_us);
	return loaded;
}

static enum loaded
session_load_read_finish(
    struct w_manifest_session *session, const struct w_log_line *line)
{
	const char *at = line->payload;
	const char *end = at + line->payload_len;

	if (!skip(&at, end, "\"kind\":\"finish\",\"interrupted\":"))
		return BAD;
	session->is_finished = skip(&at, end, "false");
	return LOADED;
}

static enum loaded
session_load_read_line(
    struct w_manifest_session *session, const struct w_log_line *line)
{
	const struct w_log_chain chain = {.key = NULL};

	if (!w_log_line_is_sound(line, &chain))
		return BAD;
	if (w_log_line_is(line, "event"))
		return session_load_read_event(session, line);
	if (w_log_line_is(line, "start"))
		return session_load_read_start(session, line);
	if (w_log_line_is(line, "finish"))
		return session_load_read_finish(session, line);
	if (w_log_line_is(line, "resume"))
		w_manifest_session_note_part(session, line->time_us);
	return LOADED;
}

writ_status
w_manifest_session_load(struct w_manifest_session *session, writ_error *err)
{
	W_AUTO_READER struct w_log_reader *reader = NULL;
	enum w_log_read read = W_LOG_LINE;
	struct w_log_line line;
	struct w_log_place place;
	writ_status status = w_log_reader_open(
	    session->dir, W_MANIFEST_SESSION_LOG, &reader, err);

	while (status == WRIT_OK && read != W_LOG_END) {
		enum loaded loaded = LOADED;

		status = w_log_reader_next(reader, &read, &line, &place, err);
		if (status == WRIT_OK && read == W_LOG_LINE)
			loaded = session_load_read_line(session, &line);
		if (loaded == SHORT)
			status = w_fail_nomem(err, W_MANIFEST_SESSION_STAGE);
		/* A partial last line is from a writer that died: the next
		 * writer reports it. */
		session->bad_lines += loaded == BAD || read == W_LOG_OTHER;
	}
	if (session->bad_lines > 0)
		(void)snprintf(session->note, sizeof(session->note),
		    "%zu line%s of the session %s damaged or not ours, and "
		    "left "
		    "out",
		    session->bad_lines, session->bad_lines == 1 ? "" : "s",
		    session->bad_lines == 1 ? "is" : "are");
	return status;
}

static bool
emit_kept(const struct w_manifest_session *session,
    w_manifest_session_event_fn fn, void *ctx)
{
	const char *at = session->kept.data;
	const char *end = at + session->kept.len;

	while (at < end) {
		size_t len = strlen(at);

		if (!fn(ctx, at, len))
			return false;
		at += len + 1;
	}
	return true;
}

static bool
emit_line(
    const struct w_log_line *line, w_manifest_session_event_fn fn, void *ctx)
{
	const struct w_log_chain chain = {.key = NULL};
	const char *json;
	size_t len, index;

	if (!w_log_line_is(line, "event") ||
	    !w_log_line_is_sound(line, &chain) ||
	    !w_manifest_session_split_event(line, &index, &json, &len))
		return true;
	return fn(ctx, json, len);
}

writ_status
w_manifest_session_events(const struct w_manifest_session *session,
    w_manifest_session_event_fn fn, void *ctx, writ_error *err)
{
	W_AUTO_READER struct w_log_reader *reader = NULL;
	enum w_log_read read = W_LOG_LINE;
	struct w_log_line line;
	struct w_log_place place;

	if (session->dir == NULL && session->kept.failed)
		return w_fail(err, WRIT_E_INVALID, W_MANIFEST_SESSION_STAGE, 0,
		    "the events are more than a session in memory keeps");
	if (session->dir == NULL) {
		(void)emit_kept(session, fn, ctx);
		return WRIT_OK;
	}
	writ_status status = w_log_reader_open(
	    session->dir, W_MANIFEST_SESSION_LOG, &reader, err);
	while (status == WRIT_OK && read != W_LOG_END) {
		status = w_log_reader_next(reader, &read, &line, &place, err);
		if (status == WRIT_OK && read == W_LOG_LINE &&
		    !emit_line(&line, fn, ctx))
			break;
	}
	return status;
}
