/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_APPLY_H
#define W_MANIFEST_APPLY_H

#include <writ/engine.h>
#include <writ/result.h>
#include <writ/run.h>

#include "manifest/manifest.h"
#include "manifest/owed/owed.h"
#include "manifest/session/manifest_session.h"

/*
 * Applies a manifest: each resource in file order, one at a time.
 *
 *   for each resource that has no event in the session yet, or whose failure
 *   ended the apply that is resumed, or that is owed a refresh
 *     require       unmet -> skipped
 *     control       false -> skipped
 *     fill in       the deferred properties; an error fails the resource
 *     decide        exec: subscribe, then creates, removes, refreshonly,
 *                   onlyif, unless: the cheapest first, and no further than
 *                   needed. file: by what is there
 *     act           unless noop; before it changes anything, the refresh of
 *                   those that subscribe to it is owed
 *     health        its checks
 *     pay           a refresh that succeeded is no longer owed
 *     record        one event, then it is shown
 *
 * Everything runs through the public library, as the agent "manifest". A
 * resource that fails does not end the apply, unless fail_on_error is set. The
 * caller owns the session and has begun it.
 */
/* As in writ_apply_options. */
struct w_apply_watch {
	void (*on_begin)(void *ctx, const char *type, const char *name);
	void (*on_output)(
	    void *ctx, writ_stream stream, const char *bytes, size_t len);
	void (*on_event)(void *ctx, const writ_event *event);
	bool (*on_wake)(void *ctx);
	int wake_fd; /* -1: none */
	int tick_ms; /* -1: never */
	void *ctx;
};

struct w_apply_options {
	bool noop;
	bool health_only;             /* --monitor-only: only health checks */
	const char *const *only;      /* "type#name", NULL-ended; NULL: all.
				       * Requirements outside of these are ignored
				       * unless they have an event */
	const char *const *tags;      /* those with one of these; NULL: all */
	const char *const *skip_tags; /* but none with one of these */
	const char *agent;            /* NULL: "manifest" */
	writ_caller caller;           /* on whose behalf */
	const char *trace_id;         /* of its runs; NULL: the session's id */
	struct w_owed *owed; /* refreshes that are owed; borrowed. NULL:
			      * none are kept (writ ensure) */
	const char *path;    /* of the manifest, by which those that are
			      * owed know it: absolute, or "-" */
	const struct w_apply_watch *watch; /* NULL: nobody watches */
};

/* The outcome, besides the events. */
struct w_apply_result {
	bool is_interrupted;
	bool is_cut_short; /* by fail_on_error */
};

/*
 * WRIT_OK: every wanted resource has its event, or *out_result says why not.
 * Otherwise the apply has ended with *err; what was done has its events
 * nevertheless.
 */
writ_status w_apply(writ_engine *engine, const struct w_manifest *manifest,
    struct w_manifest_session *session, const struct w_expr_scope *scope,
    const struct w_apply_options *options, struct w_apply_result *out_result,
    writ_error *err);

#endif /* W_MANIFEST_APPLY_H */
