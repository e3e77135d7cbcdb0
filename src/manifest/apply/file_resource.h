/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_FILE_RESOURCE_H
#define W_MANIFEST_FILE_RESOURCE_H

#include <stdbool.h>

#include <writ/file.h>

#include "manifest/manifest.h"

/*
 * The file resource: fills in its deferred properties, has writ_file() do what
 * is to be done, and says what came of it in the words of an event.
 *
 * A secret (sensitive: true, or content computed from one) is shown nowhere:
 * content, checksum and diff are left out or hidden, and errors do not have
 * it.
 */
struct w_file_resource_job {
	writ_engine *engine;
	const struct w_manifest *manifest; /* its directory, for source */
	const struct w_resource *resource; /* of type file */
	const struct w_expr_scope *scope;  /* of the manifest */
	bool noop;
	const char *agent;
	const char *trace_id;
	struct w_arena *arena; /* the outcome lives here */
};

/* What an event is made of; everything lives in the arena of the job. */
struct w_file_resource_outcome {
	bool changed; /* or would be */
	bool failed;
	const char *final_ensure; /* "" where it is not known */
	const char *noop_message; /* "Would have created the file"; NULL */
	const char *error;        /* NULL: none */
	const char *status;       /* JSON object; NULL: it could not be told */
	const char *diff;         /* NULL: none */
	const char *run_id;       /* NULL: nothing was done */
	const char *decided_by;   /* why it was changed: "content checksum ...";
				     NULL: it was as wanted */
	struct w_filled filled;   /* content and source, secrets hidden */
};

/*
 * WRIT_OK: *out tells what came of it, also when that is a failure. Fails with
 * WRIT_E_NOMEM alone.
 */
writ_status w_resource_apply_file(const struct w_file_resource_job *job,
    struct w_file_resource_outcome *out, writ_error *err);

#endif /* W_MANIFEST_FILE_RESOURCE_H */
