/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVALS_H
#define W_ENGINE_APPROVALS_H

#include <writ/approval.h>

#include "base/sha256.h"
#include "policy/evaluate/decision.h"

/*
 * What an engine needs of approvals and grants. include/writ/approval.h has
 * what people need. Both live in state_dir: approvals/ID.json,
 * approvals/ID.answer, grants/ID.json.
 */

/* Who wants something, for finding what was granted to him. */
struct w_grant_query {
	const char *agent;
	const char *session;
	const char *request_hash; /* hex */
	uint64_t now_ms;          /* since 1970 */
	/* As in the question, to tell what differs; NULL: it is not told. */
	const char *request_json;
};

/* Grants that were read, kept until their directory changes. All zero knows
 * none. */
struct w_grant_cache {
	struct w_grants *grants; /* NULL: not read yet */
};

/* Finds the grants that count for a query: those of scope "session" with this
 * hash and session, those of scope "shape" of this agent, none that has
 * expired or been revoked. The list is the store's, until the next call. A
 * missing directory has none; a file that is not in order is left out, and
 * told as a warning in *out_trouble (borrowed; NULL: none). */
writ_status w_grants_find(struct w_grant_cache *cache, const char *state_dir,
    const struct w_grant_query *query, const struct w_grant **out_grants,
    size_t *out_count, const char **out_trouble, writ_error *err);
void w_grant_cache_done(struct w_grant_cache *cache);

/* Uses up an approval for the request with this hash. WRIT_OK: it was given
 * for exactly this request and had not been used (scope "once"; the others
 * stay). WRIT_E_APPROVAL: nobody has answered yet. WRIT_E_REFUSED: it was
 * denied, is over, was used, or is for another request; the message says
 * which. */
writ_status w_approval_use(const char *state_dir, const char *id,
    const struct w_grant_query *query, writ_error *err);

/* A question, as an engine knows it. All borrowed. */
struct w_question {
	const char *request_json;  /* the canonical request, secrets hidden */
	const char *decision_json; /* an object */
	const char *rule;          /* what "shape" would grant */
	const char *request_hash;
	const char *agent;
	const char *session;
	const char *door;
	uint64_t timeout_ms;
};
writ_status w_approval_submit(const char *state_dir,
    const struct w_question *question, char out_id[WRIT_APPROVAL_ID_LEN + 1],
    writ_error *err);

/* ---- of the engine ---- */

struct w_recorder;

/* The question that the engine was just refused for, as writ_approval_ask()
 * puts it. Borrowed until the next request. WRIT_E_INVALID: the last request
 * was another one, or needs no approval. */
writ_status w_engine_question(writ_engine *engine, const writ_request *request,
    struct w_question *out_question, writ_error *err);

/* Where its approvals are; NULL: not known before its first request. */
const char *w_engine_state_dir(const writ_engine *engine);

/* Who keeps its record; NULL: nobody. */
struct w_recorder *w_engine_recorder(writ_engine *engine);

/* The session of this process: its terminal session, and when that began. */
void w_session_id(char out_id[64]);

#endif /* W_ENGINE_APPROVALS_H */
