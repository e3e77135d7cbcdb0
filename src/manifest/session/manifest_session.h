/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_MANIFEST_SESSION_H
#define W_MANIFEST_MANIFEST_SESSION_H

#include "base/error.h"
#include "manifest/session/event.h"

/*
 * A session: the events of one apply, or of several `writ ensure` of a shell
 * script, in a log of src/log (chained lines, 0600, whole after a kill -9).
 *
 *     "kind":"start","protocol":"io.choria.ccm.v1.session.start",
 *     "event_id":..,"timestamp":..,"manifest":PATH|null,"sha256":HEX|null,
 *     "resources":N,"noop":BOOL,"only":[..]|null
 *     "kind":"resume","event_id":..,"timestamp":..
 *     "kind":"event","index":N,"event":{..}
 *     "kind":"finish","interrupted":BOOL,"summary":{..}
 *
 * Invariants
 *  1. An event that was shown is in the log: it is written first. Until then
 *     it may be held, to be written together with the next ones.
 *  2. A resource has one event in a session of an apply, however often that
 *     was interrupted and resumed. The exceptions are the resource that was
 *     being applied at the interruption, the one whose failure ended the apply
 *     (fail_on_error), and one that is owed a refresh: resuming gives it
 *     another event, and instead of an interruption or a failure only that one
 *     counts.
 *  3. Queries of later resources (changed? failed?) use an index in memory,
 *     which is filled from the log when it is opened.
 */
struct w_manifest_session;

struct w_manifest_session_options {
	const char *dir;  /* directory of its log */
	bool must_exist;  /* resume, ensure, report: the log must exist */
	bool is_readonly; /* report: write nothing, create no file */
	bool is_alone;    /* apply: exclusive, no other writer */
};

/* Fails if the directory is not yours, or others can write to it.
 * WRIT_E_NOTFOUND: it must exist but does not. WRIT_E_INVALID: it has a writer,
 * and one of the two wants to be exclusive. */
writ_status w_manifest_session_open(
    const struct w_manifest_session_options *options,
    struct w_manifest_session **out_session, writ_error *err);
void w_manifest_session_free(struct w_manifest_session *session);

/* A session that is not stored: --noop without write access, tests. */
writ_status w_manifest_session_new_in_memory(
    struct w_manifest_session **out_session, writ_error *err);

struct w_manifest_session_start {
	const char *manifest; /* NULL: a shell script's */
	const char *sha256;
	size_t resources;
	bool noop;
	const char *const *only; /* NULL: all */
};

/* If the session has a start already, a line "resume" is written instead: the
 * time between is not counted, and the start stays. */
writ_status w_manifest_session_begin(struct w_manifest_session *session,
    const struct w_manifest_session_start *start, writ_error *err);

/* The start as read from the log; false: none. Borrowed. */
bool w_manifest_session_started(const struct w_manifest_session *session,
    struct w_manifest_session_start *out_start);
/* All resources are done: the last "finish" line is not of an interrupted
 * apply, and nothing was begun after it. */
bool w_manifest_session_is_finished(const struct w_manifest_session *session);

/* Writes an event, after those that are held, and adds it to the index.
 * is_held: it is held instead, which is for those that tell of no change:
 * should they be lost, resuming looks again. */
writ_status w_manifest_session_add(struct w_manifest_session *session,
    const writ_event *event, bool is_held, writ_error *err);
/* Writes those that are held. After a failure they are lost. */
writ_status w_manifest_session_flush(
    struct w_manifest_session *session, writ_error *err);
/* The JSON of the last event that was added, as written; borrowed until the
 * next one. NULL: none yet. */
const char *w_manifest_session_json(
    const struct w_manifest_session *session, size_t *out_len);
/* The text that this is a part of. It moves, but what is in it does not change
 * until the first event after a flush. */
const char *w_manifest_session_text(const struct w_manifest_session *session);
/* Also syncs the disk if it was interrupted or took more than a second. */
writ_status w_manifest_session_finish(
    struct w_manifest_session *session, bool is_interrupted, writ_error *err);

/* The last event of a resource. */
struct w_last_event {
	bool changed;
	bool failed;
	bool has_unmet;
	bool skipped;
};

/* By type and name or alias. false: no event. O(1) on average. */
bool w_manifest_session_last(const struct w_manifest_session *session,
    const char *type, const char *name, struct w_last_event *out_past);

/* Whether the resource at this index of the manifest already has its event. */
bool w_manifest_session_has(
    const struct w_manifest_session *session, size_t index);

bool w_manifest_session_has_events(const struct w_manifest_session *session);

void w_manifest_session_summary(
    const struct w_manifest_session *session, writ_apply_summary *out_summary);

/* All events in order, as written. Return false to stop. */
typedef bool (*w_manifest_session_event_fn)(
    void *ctx, const char *json, size_t len);
writ_status w_manifest_session_events(const struct w_manifest_session *session,
    w_manifest_session_event_fn fn, void *ctx, writ_error *err);

const char *w_manifest_session_dir(
    const struct w_manifest_session *session); /* NULL: memory */
/* The basename of its directory, or a generated one; for messages and as the
 * trace id of its runs. */
const char *w_manifest_session_name(const struct w_manifest_session *session);
/* What was wrong with the log when it was opened, as a sentence; the rest of it
 * is used. NULL: nothing. */
const char *w_manifest_session_note(const struct w_manifest_session *session);

/* ---- directories ---- */

/* Creates a session directory beneath parent and stores its path in *out_dir
 * (yours). Its basename is an id that sorts by time. */
writ_status w_manifest_session_make(
    const char *parent, char **out_dir, writ_error *err);

/* The directory of a session that the user names (yours): a path if it has a
 * slash, else an id beneath parent. It may not exist. */
writ_status w_manifest_session_find(
    const char *parent, const char *given, char **out_dir, writ_error *err);

/* Removes a session: its log files, and the directory if it is empty then.
 * WRIT_E_INVALID: it has a live writer. */
writ_status w_manifest_session_remove(const char *dir, writ_error *err);

/* What is kept: the newest ones, up to a number and a size of all together, and
 * none that was last written to longer ago. */
struct w_manifest_session_keep {
	size_t count;
	uint64_t bytes;
	uint64_t seconds;
};
extern const struct w_manifest_session_keep w_manifest_session_kept;

/* Removes the other sessions beneath parent; the newest and those with a live
 * writer stay. */
void w_manifest_session_prune(
    const char *parent, const struct w_manifest_session_keep *keep);

#endif /* W_MANIFEST_MANIFEST_SESSION_H */
