/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_OWED_H
#define W_MANIFEST_OWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The refreshes that are owed: a resource changed, and a resource that
 * subscribes to it has not been refreshed since. They are kept in a log of
 * src/log beneath the state directory, so that neither a crash nor a failure
 * nor --only can lose one. The next apply pays them.
 *
 * Invariants
 *  1. A refresh is owed in the log before the resource is changed.
 *  2. It stays owed until a refresh succeeded, or somebody dropped it and was
 *     told so. So a refresh is made at least once.
 *  3. One sync in an apply, before its first change that somebody subscribes
 *     to, also covers the changes that follow: it names all resources that the
 *     apply may still change. If the machine goes down in the middle, all of
 *     these are owed. If only the program dies, the log itself has survived,
 *     and says which ones were changed.
 *
 * Several processes may read it; one apply at a time writes
 * (session/apply_lock.h).
 */
struct w_owed;

struct w_owed_refresh {
	const char *subject;    /* what changed: "file#/etc/app.conf" */
	const char *subscriber; /* whose refresh is owed: "exec#restart" */
	const char *manifest;   /* its path, or "-" */
	uint64_t since_us;      /* Unix time */
};

/* Appends an array of objects: all that is owed. owed may be NULL. */
struct w_buf;
void w_owed_add_json(struct w_buf *buf, const struct w_owed *owed);

#define W_OWED_DIR "owed" /* beneath the state directory */

/* Reads what is owed; a missing log is empty. Fails if the directory belongs to
 * somebody else, or others can write to it. */
writ_status w_owed_open(const char *dir, bool is_readonly,
    struct w_owed **out_owed, writ_error *err);
void w_owed_free(struct w_owed *owed);

/* What was wrong with the log, as a sentence; NULL: nothing. */
const char *w_owed_note(const struct w_owed *owed);
/* Somebody was told: it is not said again. */
writ_status w_owed_acknowledge(struct w_owed *owed, writ_error *err);

size_t w_owed_count(const struct w_owed *owed);

/* Goes through all that is owed. Start with 0, until NULL:
 *
 *     for (size_t at = 0; (refresh = w_owed_next(owed, &at)) != NULL;)
 */
const struct w_owed_refresh *w_owed_next(const struct w_owed *owed, size_t *at);

/* The same for one subscriber. */
const struct w_owed_refresh *w_owed_next_of(
    const struct w_owed *owed, const char *subscriber, size_t *at);

/* One resource and those that subscribe to it. */
struct w_owed_change {
	const char *manifest;
	const char *subject;
	const char *const *subscribers;
	size_t count;
};

/* Names what an apply may change from here on, and syncs the disk. apply is
 * the name of its session. */
writ_status w_owed_announce(struct w_owed *owed, const char *apply,
    const struct w_owed_change *changes, size_t count, writ_error *err);
/* The apply is over, and all that it changed is in the log. */
writ_status w_owed_conclude(
    struct w_owed *owed, const char *apply, writ_error *err);

/* Before the resource is changed. Nothing may be changed if this fails. */
writ_status w_owed_promise(
    struct w_owed *owed, const struct w_owed_change *change, writ_error *err);
/* After that: nothing was changed. What was owed before the promise stays. */
writ_status w_owed_take_back(struct w_owed *owed, writ_error *err);

/* Whether a refresh of this subscriber also pays for that one. */
typedef bool (*w_owed_fn)(void *ctx, const struct w_owed_refresh *refresh);

/* Why a refresh is no longer owed. */
#define W_OWED_REFRESHED "refreshed"
#define W_OWED_GONE      "gone"    /* the subscriber is not in the manifest */
#define W_OWED_DROPPED   "dropped" /* a person said so */

/* Those of a subscriber for which fn says true are no longer owed; fn NULL:
 * all. */
writ_status w_owed_pay(struct w_owed *owed, const char *subscriber,
    const char *why, w_owed_fn fn, void *ctx, writ_error *err);

#endif /* W_MANIFEST_OWED_H */
