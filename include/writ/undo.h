/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_UNDO_H
#define WRIT_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/error.h>

WRIT_BEGIN_DECLS

/*
 * What runs changed in their projects, and taking it back.
 *
 * A run with undo (writ_request.undo) works on a layer over its project. When
 * it ends, its changes are accepted: moved into the project, and what they
 * replace is kept in STATE_DIR/undo. Those of a trial wait there. They can be
 * undone, and done again, until they are too old or too large to be kept (7
 * days, 2 GiB).
 *
 * A file that would make a program outside the sandbox run something later (a
 * git hook, .envrc) is held back when the rest is accepted: it lies in
 * STATE_DIR/undo until a person restores it.
 *
 * A file that somebody changed since is never overwritten: its change is left
 * alone, and trouble says why.
 *
 *     writ_changes *changes;
 *     if (writ_changes_open(config, "01J...", &changes, &err) == WRIT_OK) {
 *         writ_changes_move(changes, WRIT_CHANGES_UNDO, NULL, &err);
 *         writ_changes_free(changes);
 *     }
 */

#define WRIT_CHANGES_STATE_MAP(X) \
	X(LIVE, "live")           \
	X(WAITING, "waiting")     \
	X(ACCEPTED, "accepted")   \
	X(UNDONE, "undone")       \
	X(HELD, "held")

typedef enum writ_changes_state {
#define X(name, word) WRIT_CHANGES_##name,
	WRIT_CHANGES_STATE_MAP(X)
#undef X
} writ_changes_state;

/* A file or directory that a run changed. bytes and mode are 0 on the side
 * where it did not exist. */
typedef struct writ_change {
	const char *path; /* relative to the project */
	const char *kind; /* "made", "changed", "deleted", "settings" (of a
			     directory: mode, owner, extended attributes) */
	const char *type; /* "file", "directory", "link", "fifo", "socket",
			     "device" */
	uint64_t bytes_before;
	uint64_t bytes_after;
	unsigned mode_before;
	unsigned mode_after;
	const char *trouble; /* why it was left alone the last time; NULL: it
				was not */
	const char *held;    /* it is held back, and why; NULL: it is not */
} writ_change;

/* The changes of one run. Read-only, made by the library. New members are added
 * only at the end. */
typedef struct writ_changes {
	const char *run_id;
	const char *project; /* the directory: absolute */
	writ_changes_state state;
	bool is_trial;
	uint64_t began_us;        /* since 1970 */
	uint64_t moved_us;        /* when they were last moved */
	uint64_t kept_bytes;      /* what is kept of them takes on disk */
	const writ_change *items; /* by path; none while the run lives */
	size_t count;
	const char *session; /* the run was part of it; NULL: none */
} writ_changes;

typedef enum writ_changes_action {
	WRIT_CHANGES_UNDO,    /* of what is accepted */
	WRIT_CHANGES_REDO,    /* of what is undone */
	WRIT_CHANGES_ACCEPT,  /* of what waits, and is not held back */
	WRIT_CHANGES_RESTORE, /* of what is held back: moves it into the project
			       */
} writ_changes_action;

/* The word of a state; NULL for an unknown one. */
WRIT_API const char *writ_changes_state_word(writ_changes_state state);

/*
 * Opens the changes of a run; run_id may be an unambiguous beginning. Free them
 * with writ_changes_free(): until then no other process moves any. Finishes
 * what a crash interrupted. WRIT_E_NOTFOUND: there are none, or not any more.
 */
WRIT_API writ_status writ_changes_open(const writ_config *config,
    const char *run_id, writ_changes **out_changes, writ_error *err);
WRIT_API void writ_changes_free(writ_changes *changes);

/* Calls back for the changes of each run, the newest first, until fn returns
 * false. What cannot be read is skipped. fn may move what it gets, and must not
 * open or free any. */
typedef bool (*writ_changes_fn)(void *ctx, writ_changes *changes);
WRIT_API writ_status writ_changes_each(
    const writ_config *config, writ_changes_fn fn, void *ctx, writ_error *err);

/*
 * Moves the changes, and records who did it. paths: only these and what is
 * beneath them, relative to the project, NULL-ended; NULL: all. Fails with
 * WRIT_E_INVALID if they are in another state than the action is for, or a path
 * did not change by itself. WRIT_OK also if some were left alone: see trouble.
 */
WRIT_API writ_status writ_changes_move(writ_changes *changes,
    writ_changes_action action, const char *const *paths, writ_error *err);

/* How many would move; nothing does. */
WRIT_API writ_status writ_changes_count(const writ_changes *changes,
    writ_changes_action action, const char *const *paths, size_t *out_count,
    writ_error *err);

/* Deletes what is kept: what waits is gone, and what is accepted can no longer
 * be undone. Recorded. WRIT_E_INVALID: the run lives. */
WRIT_API writ_status writ_changes_drop(writ_changes *changes, writ_error *err);

/* The difference that an item makes, as diff -u prints it. Free *out_text with
 * free(); it is NULL if there is none that could be shown: no plain file, no
 * text, or too large. */
WRIT_API writ_status writ_changes_diff(const writ_changes *changes,
    size_t index, char **out_text, writ_error *err);

/* Why runs in a project could not be undone: a constant; NULL: they can, as far
 * as the directories tell. Also for a path that is not there. */
WRIT_API const char *writ_undo_lack(
    const writ_config *config, const char *project);

WRIT_END_DECLS

#endif /* WRIT_UNDO_H */
