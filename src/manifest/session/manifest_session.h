/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_MANIFEST_SESSION_H
#define W_MANIFEST_MANIFEST_SESSION_H

#include "base/error.h"
#include "manifest/session/event.h"

/*
 * A session: the events of one apply, or of several `writ ensure` of a shell
 * script, in a log of src/store (chained lines, 0600, whole after a kill -9).
 *
 *     "kind":"start","protocol":"io.choria.ccm.v1.session.start",
 *     "event_id":..,"timestamp":..,"manifest":PATH|null,"sha256":HEX|null,
 *     "resources":N,"noop":BOOL,"only":[..]|null
 *     "kind":"resume","event_id":..,"timestamp":..
 *     "kind":"event","index":N,"event":{..}
 *     "kind":"finish","interrupted":BOOL,"summary":{..}
 *
 * Invariants
 *  1. An event that was shown is in the log: it is written first.
 *  2. One resource has one event in a session of an apply, also after it was
 *     interrupted and resumed, however often. The one exception is the
 *     resource that was being applied when somebody interrupted it: a resume
 *     gives it another event, and only that one counts.
 *  3. What later resources ask (has it changed? has it failed?) is found in an
 *     index in memory, which is filled from the log when it is opened.
 */
struct w_manifest_session;

struct w_manifest_session_options {
	const char *dir;  /* where its log is */
	bool must_exist;  /* resume, ensure, report: with a log in it */
	bool is_readonly; /* report: nothing is written, no file made */
	bool is_alone;    /* apply: no other writer at the same time */
};

/* A directory that is not yours, or that others can write, is refused.
 * WRIT_E_NOTFOUND: there is none, and it must exist. WRIT_E_INVALID: it has a
 * writer already, and one of the two wants to be alone. */
writ_status w_manifest_session_open(
    const struct w_manifest_session_options *options,
    struct w_manifest_session **out_session, writ_error *err);
void w_manifest_session_free(struct w_manifest_session *session);

/* A session that nobody keeps: --noop of one who cannot write, tests. */
writ_status w_manifest_session_new_in_memory(
    struct w_manifest_session **out_session, writ_error *err);

struct w_manifest_session_start {
	const char *manifest; /* NULL: a shell script's */
	const char *sha256;
	size_t resources;
	bool noop;
	const char *const *only; /* NULL: everything */
};

/* A session that has a start gets a line of kind "resume" instead: the time
 * between is not counted, and what it began with stays. */
writ_status w_manifest_session_begin(struct w_manifest_session *session,
    const struct w_manifest_session_start *start, writ_error *err);

/* What the log said when it was opened; false: it has no start. Borrowed. */
bool w_manifest_session_started(const struct w_manifest_session *session,
    struct w_manifest_session_start *out_start);
/* Every resource had its turn: the last line of kind "finish" is not of an
 * interrupted apply, and none was begun behind it. */
bool w_manifest_session_is_finished(const struct w_manifest_session *session);

/* Writes an event, and takes note of it. */
writ_status w_manifest_session_add(struct w_manifest_session *session,
    const struct w_event *event, writ_error *err);
/* The JSON of the event that was added last, as it was written; borrowed until
 * the next one. NULL: none yet. */
const char *w_manifest_session_json(
    const struct w_manifest_session *session, size_t *out_len);
/* Also puts everything on the disk, if it was interrupted or took more than a
 * second. */
writ_status w_manifest_session_finish(
    struct w_manifest_session *session, bool is_interrupted, writ_error *err);

/* What there is to know about a resource: its last event. */
struct w_last_event {
	bool changed;
	bool failed;
	bool has_unmet;
	bool skipped;
};

/* By name or alias, of one type. false: no event. O(1) on average. */
bool w_manifest_session_last(const struct w_manifest_session *session,
    const char *type, const char *name, struct w_last_event *out_past);

/* Whether the resource at this index of the manifest has its event, and need
 * not be applied again. */
bool w_manifest_session_has(
    const struct w_manifest_session *session, size_t index);

void w_manifest_session_summary(const struct w_manifest_session *session,
    struct w_event_summary *out_summary);

/* Every event in order, as the JSON that was written. Return false to stop. */
typedef bool (*w_manifest_session_event_fn)(
    void *ctx, const char *json, size_t len);
writ_status w_manifest_session_events(const struct w_manifest_session *session,
    w_manifest_session_event_fn fn, void *ctx, writ_error *err);

const char *w_manifest_session_dir(
    const struct w_manifest_session *session); /* NULL: memory */
/* The last part of its directory, or one made up; for messages and as the
 * trace of its runs. */
const char *w_manifest_session_name(const struct w_manifest_session *session);
/* What was wrong with the log when it was opened, as a sentence; the rest of
 * it is used. NULL: nothing. */
const char *w_manifest_session_note(const struct w_manifest_session *session);

/* ---- places ---- */

/* Makes a new directory for a session beneath parent and stores its path in
 * *out_dir (yours). Its last part is an id that sorts by time. */
writ_status w_manifest_session_make(
    const char *parent, char **out_dir, writ_error *err);

/* The directory of a session that somebody names (yours): a text with a slash
 * in it is the directory itself, any other must be an id beneath parent. It is
 * not looked whether it is there. */
writ_status w_manifest_session_find(
    const char *parent, const char *given, char **out_dir, writ_error *err);

/* Takes a session away: the files of its log, and the directory if nothing
 * else is in it. WRIT_E_INVALID: it has a living writer. */
writ_status w_manifest_session_remove(const char *dir, writ_error *err);

/* Takes away sessions beneath parent beyond the newest `keep`; those of a
 * living writer stay. */
void w_manifest_session_prune(const char *parent, size_t keep);

#endif /* W_MANIFEST_MANIFEST_SESSION_H */
