/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVALS_H
#define W_ENGINE_APPROVALS_H

#include <writ/approval.h>

#include "base/sha256.h"
#include "policy/evaluate/decision.h"

/*
 * What an engine needs of approvals and grants; include/writ/approval.h is the
 * API for people. Both are stored in state_dir: approvals/ID.json,
 * approvals/ID.answer, grants/ID.json.
 */

/* A request, to find its grants. */
struct w_grant_query {
	const char *agent;
	const char *session;
	const char *request_hash; /* hex */
	const char *project;      /* its root; NULL: unknown */
	uint64_t now_ms;          /* since 1970 */
	/* As in the question, to report what differs; NULL: not reported. */
	const char *request_json;
};

/* Cached grants, kept until their directory changes. All zero is empty. */
struct w_grant_cache {
	struct w_grants *grants; /* NULL: not read yet */
};

/* Finds the grants for a query: those of scope "session" with this hash and
 * session, and those with a rule of this agent (and, of scope "project", of
 * this root), unless expired or revoked. The list belongs to the cache, until
 * the next call. A missing directory has none; an invalid file is skipped, with
 * a warning in *out_trouble (borrowed; NULL: none). */
writ_status w_grants_find(struct w_grant_cache *cache, const char *state_dir,
    const struct w_grant_query *query, const struct w_grant **out_grants,
    size_t *out_count, const char **out_trouble, writ_error *err);
void w_grant_cache_done(struct w_grant_cache *cache);

/* Uses an approval for the request with this hash. WRIT_OK: it was given for
 * exactly this request and not yet used (scope "once"; others can be used
 * again). WRIT_E_APPROVAL: not answered yet. WRIT_E_REFUSED: denied,
 * expired, used, or for another request; the message says which. */
writ_status w_approval_use(const char *state_dir, const char *id,
    const struct w_grant_query *query, writ_error *err);

/* A question of an engine. All borrowed. */
struct w_question {
	const char *request_json;  /* the canonical request, secrets redacted */
	const char *decision_json; /* an object */
	const char *rule;          /* what "shape" would grant */
	const char *project;       /* its root; NULL: unknown */
	const char *request_hash;
	const char *agent;
	const char *session;
	const char *door;
	uint64_t timeout_ms;
	bool stays; /* see writ_ask_options */
};
writ_status w_approval_submit(const char *state_dir,
    const struct w_question *question, char out_id[WRIT_APPROVAL_ID_LEN + 1],
    writ_error *err);

/* ---- of the engine ---- */

struct w_recorder;

/* The question about the request that just failed, for writ_approval_ask().
 * Borrowed until the next request. WRIT_E_INVALID: the last request was
 * another one, or needs no approval. */
writ_status w_engine_question(writ_engine *engine, const writ_request *request,
    struct w_question *out_question, writ_error *err);

/* Queues a question, and records it. */
writ_status w_engine_put_question(writ_engine *engine,
    const struct w_question *question, char out_id[WRIT_APPROVAL_ID_LEN + 1],
    writ_error *err);

/* Where its approvals are; NULL: unknown before its first request. */
const char *w_engine_state_dir(const writ_engine *engine);

/* NULL: no audit. */
struct w_recorder *w_engine_recorder(writ_engine *engine);

/* The session of this process: its terminal session, with its start time. */
void w_tty_session_id(char out_id[64]);

#endif /* W_ENGINE_APPROVALS_H */
