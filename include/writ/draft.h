/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_DRAFT_H
#define WRIT_DRAFT_H

#include <stddef.h>

#include <writ/run.h>

WRIT_BEGIN_DECLS

/*
 * A request builder: makes a request from JSON or from command line options.
 *
 * C code fills in struct writ_request. People and other programs write requests
 * as JSON or as command line options; a draft reads both with one table of
 * keys, checks them, owns the memory, and presents the result as a
 * writ_request.
 */
typedef struct writ_draft writ_draft;

/* The largest JSON request, in bytes. */
#define WRIT_REQUEST_MAX (UINT64_C(64) << 20)

/* Creates an empty draft; free it with writ_draft_free(). */
WRIT_API writ_status writ_draft_new(writ_draft **out_draft, writ_error *err);
WRIT_API void writ_draft_free(writ_draft *draft);

/*
 * Reads the keys of a JSON object. Unknown and duplicate keys, wrong types and
 * numbers out of range fail with line and column, and leave the draft
 * unchanged. Keys that are already set are overridden, lists replaced; only
 * secrets are appended.
 */
WRIT_API writ_status writ_draft_read_json(
    writ_draft *draft, const char *text, size_t len, writ_error *err);

/*
 * Sets one key from text: "timeout_ms" from "1h30m" (with its unit), "memory"
 * from "64MiB", "umask" from "022", "background" from "keep", "best_effort"
 * from "true". For lists ("argv", "roots", "env", "env_pass", "env_drop",
 * "read", "write", "hide") the text is appended. A later scalar overrides an
 * earlier one, and so does a later variable of "env".
 */
WRIT_API writ_status writ_draft_set(
    writ_draft *draft, const char *key, const char *text, writ_error *err);

/* The request so far. Borrowed; valid until the draft changes. The caller
 * may fill in members without a key (callbacks, descriptors). */
WRIT_API writ_request *writ_draft_request(writ_draft *draft);

/* One key of a JSON request, for help texts, completion and schemas. */
typedef struct writ_key {
	const char *name;  /* "timeout_ms" */
	const char *type;  /* "string", "list", "map", "duration", "size",
			      "count", "mode", "integer", "word", "bytes",
			      "switch" */
	const char *words; /* for "word": "kill|keep"; NULL for other types */
	const char *help;  /* one line */
} writ_key;

/* The table of keys, *out_count of them. Static. */
WRIT_API const writ_key *writ_draft_keys(size_t *out_count);

WRIT_END_DECLS

#endif /* WRIT_DRAFT_H */
