/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_FILE_RESOURCE_H
#define W_MANIFEST_FILE_RESOURCE_H

#include <stdbool.h>

#include <writ/file.h>

#include "manifest/manifest.h"

/*
 * The file resource: fills in its deferred properties, calls writ_file(), and
 * reports the outcome as parts of an event.
 *
 * A secret (sensitive: true, or content computed from one) is never shown:
 * content, checksum and diff are omitted or redacted, and errors do not contain
 * it.
 */
struct w_file_resource_job {
	writ_engine *engine;
	const struct w_manifest *manifest; /* base directory of source */
	const struct w_resource *resource; /* of type file */
	const struct w_expr_scope *scope;  /* of the manifest */
	bool noop;
	/* In noop: an earlier resource would have made them. */
	bool owner_is_to_come;
	bool group_is_to_come;
	const char *agent;
	const char *trace_id;
	struct w_arena *arena; /* owns the outcome */
	/* As in writ_file_request. */
	writ_status (*on_change)(void *ctx, writ_error *err);
	void *change_ctx;
	writ_file_batch *batch; /* NULL: it is done at once */
	/* Called before something changes, with what would be done; it may
	 * change the request. NULL: nobody asks. */
	writ_status (*before)(void *ctx, writ_file_request *request,
	    const writ_file_result *plan, writ_error *err);
	void *before_ctx;
};

/* The parts of an event; all are allocated in the arena of the job. */
struct w_file_resource_outcome {
	bool changed; /* or would be */
	bool failed;
	bool is_pending;          /* until the batch is committed */
	const char *final_ensure; /* "" if unknown */
	const char *noop_message; /* "Would have created the file"; NULL */
	const char *error;        /* NULL: none */
	const char *status;       /* JSON object; NULL: unknown */
	const char *diff;         /* NULL: none */
	const char *tree;         /* of a directory: where its files come from;
				   * NULL: nowhere */
	const char *run_id;       /* NULL: nothing was done */
	const char *decided_by;   /* why it was changed: "content checksum ...";
				   * NULL: no change needed */
	struct w_filled filled;   /* content and source, secrets redacted */
};

/*
 * WRIT_OK: *out has the outcome, even if that is a failure. Fails with
 * WRIT_E_NOMEM only.
 */
writ_status w_resource_apply_file(const struct w_file_resource_job *job,
    struct w_file_resource_outcome *out, writ_error *err);

#endif /* W_MANIFEST_FILE_RESOURCE_H */
