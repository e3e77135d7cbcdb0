/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_APPROVAL_H
#define WRIT_APPROVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/run.h>

WRIT_BEGIN_DECLS

/*
 * Approvals: if the policy says "ask", the request is put before a person, who
 * answers for exactly that request.
 *
 *     status = writ_run(engine, &request, &result, &err);
 *     if (status == WRIT_E_APPROVAL) {
 *         writ_approval_ask(engine, &request, &opts, &id, &err);
 *         writ_approvals_wait(approvals, id, -1, &state, &err);
 *         request.approval = id;
 *         status = writ_run(engine, &request, &result, &err);
 *     }
 *
 * The queue is a directory in the state directory, which no sandbox shows. It
 * has one file for each question, written before anybody is asked, and one for
 * its answer. Both survive any process. An answer is bound to the keyed hash of
 * the request: a request with another argv, directory, environment or sandbox
 * is a different one, and fails with this approval.
 */
typedef struct writ_approvals writ_approvals;

#define WRIT_SCOPE_MAP(X)                                                    \
	X(ONCE, "once")       /* this request, once */                       \
	X(SESSION, "session") /* this request, in this session */            \
	X(SHAPE, "shape") /* whatever the rule matches, from this agent, for \
			     hours */                                        \
	X(PROJECT, "project") /* likewise, in this project, for good */      \
	X(ALWAYS, "always")   /* likewise, anywhere, for good */

typedef enum writ_scope {
#define X(name, word) WRIT_SCOPE_##name,
	WRIT_SCOPE_MAP(X)
#undef X
} writ_scope;

#define WRIT_APPROVAL_STATE_MAP(X) \
	X(PENDING, "pending")      \
	X(APPROVED, "approved")    \
	X(DENIED, "denied")        \
	X(EXPIRED, "expired")      \
	X(USED, "used")            \
	X(ABANDONED, "abandoned") /* the asking process is gone */

typedef enum writ_approval_state {
#define X(name, word) WRIT_APPROVAL_##name,
	WRIT_APPROVAL_STATE_MAP(X)
#undef X
} writ_approval_state;

#define WRIT_APPROVAL_ID_LEN 16

/* How to ask. */
typedef struct writ_ask_options {
	size_t size;
	uint64_t timeout_ms; /* 0: five minutes; then it counts as denied */
	const char *session; /* NULL: that of the request */
	bool stays; /* the question stays open after this process ends. If the
		       same request of the same agent and session has such an
		       open question already, its id is returned */
} writ_ask_options;

/* clang-format off */
#define WRIT_ASK_OPTIONS_INIT \
	{sizeof(writ_ask_options), 0, NULL, false}
/* clang-format on */

/* Queues the request that this engine just refused with WRIT_E_APPROVAL;
 * after writ_file(), request is NULL. out_id: WRIT_APPROVAL_ID_LEN
 * characters and a NUL. The question stays open until it is answered,
 * expires, or this process ends (unless it stays). */
WRIT_API writ_status writ_approval_ask(writ_engine *engine,
    const writ_request *request, const writ_ask_options *opts, char *out_id,
    writ_error *err);

/* Withdraws a question. */
WRIT_API void writ_approval_withdraw(writ_engine *engine, const char *id);

/*
 * A question about a host that a run connects to while it runs: the connection
 * waits for the answer. It is in the queue like any other.
 */
typedef struct writ_connection_question {
	size_t size;
	const char *host;    /* "name:port", or "address:port"; without a port
				as long as none is known */
	const char *id;      /* of the question; NULL: none is queued yet */
	uint64_t timeout_ms; /* may be changed while id is NULL: how long the
				question stays open */
} writ_connection_question;

/*
 * Called twice: with id NULL, whether a person can be asked about the host of
 * this job; if so, once more when the question is queued, to ask. The answer
 * goes into the queue (writ_approvals_answer()). The question is withdrawn when
 * the run has ended, or by writ_approval_withdraw(), which is a no. It must not
 * free or dispatch the engine.
 */
typedef bool (*writ_connection_fn)(
    void *ctx, writ_job *job, writ_connection_question *question);

/* Who asks about hosts. Without it, or with NULL, they are asked about while
 * somebody attends the queue; else they are refused at once. */
WRIT_API void writ_engine_on_connection(
    writ_engine *engine, writ_connection_fn on_connection, void *ctx);

/* Opens the queue of these settings; config may be NULL. Creates no
 * directory. */
WRIT_API writ_status writ_approvals_open(
    const writ_config *config, writ_approvals **out_approvals, writ_error *err);
WRIT_API void writ_approvals_free(writ_approvals *approvals);

/* A descriptor that polls readable when the queue may have changed.
 * writ_approvals_list() and _show() reset it. */
WRIT_API int writ_approvals_fd(writ_approvals *approvals, writ_error *err);

/* Says that somebody answers questions, until the queue is freed or this
 * process ends. Creates the queue. */
WRIT_API writ_status writ_approvals_attend(
    writ_approvals *approvals, writ_error *err);

/* Whether a process has said so: whether it makes sense to wait. false also if
 * that cannot be told. */
WRIT_API bool writ_approvals_is_attended(writ_approvals *approvals);

/*
 * All questions of the last day as a JSON array, the oldest first; or one of
 * them as an object (id may be an unambiguous prefix):
 *
 *     {"id","state","asked_at","expires_at","asker":{"uid","pid","door",
 *      "agent","session","stays": true or null},"request":{the canonical
 * request: argv or shell, cwd, program, env: the changes, stdin, stdin_bytes,
 * stdin_text: the input, of a long one its head and its tail, sandbox, limits},
 *      "decision":{the decision object},"rule":"allow: git push origin ...",
 *      "project":"/srv/app","request_hash","answer":null or
 * {"approved","scope","until","rule", "by":{"uid","pid","via"},"at","note"}}
 *
 * Times are milliseconds since 1970. Free *out_json with free(). _show() fails
 * with WRIT_E_NOTFOUND. _list() also deletes closed questions that are older
 * than a day.
 */
WRIT_API writ_status writ_approvals_list(writ_approvals *approvals,
    char **out_json, size_t *out_len, writ_error *err);
WRIT_API writ_status writ_approvals_show(writ_approvals *approvals,
    const char *id, char **out_json, size_t *out_len, writ_error *err);

/* What the last call skipped, for people: invalid files in the queue; NULL:
 * none. Borrowed until the next call. */
WRIT_API const char *writ_approvals_note(const writ_approvals *approvals);

typedef struct writ_answer {
	size_t size;
	bool is_approved;
	writ_scope scope;
	uint64_t for_ms; /* how long it is valid; 0: a day for once and session,
			    eight hours for shape, ten years for project and
			    always */
	const char
	    *rule; /* for SHAPE, PROJECT and ALWAYS, in policy syntax, instead
		      of the proposed rule; NULL: the proposed rule */
	const char *note; /* one line, for the record and the caller; NULL:
			     none */
	const char *via;  /* where the answer came from, if this process only
			     passes it on: "elicitation of claude-code 2.1";
			     NULL: this process */
} writ_answer;

/* clang-format off */
#define WRIT_ANSWER_INIT \
	{sizeof(writ_answer), false, WRIT_SCOPE_ONCE, 0, NULL, NULL, NULL}
/* clang-format on */

/*
 * Answers a question. Fails with WRIT_E_NOTFOUND (no such question) or
 * WRIT_E_INVALID (already answered, expired or abandoned; a rule that is
 * invalid or does not match the request). Then nothing has changed.
 */
WRIT_API writ_status writ_approvals_answer(writ_approvals *approvals,
    const char *id, const writ_answer *answer, writ_error *err);

/*
 * Records that a client closed the form of a question without a person's
 * answer. via and why are recorded like via and note of an answer. The question
 * stays open. Fails like writ_approvals_answer().
 */
WRIT_API writ_status writ_approvals_closed(writ_approvals *approvals,
    const char *id, const char *via, const char *why, writ_error *err);

/* Waits for the answer to a question, at most timeout_ms (-1: as long as the
 * question is open). *out_state is PENDING if the wait timed out. */
WRIT_API writ_status writ_approvals_wait(writ_approvals *approvals,
    const char *id, int timeout_ms, writ_approval_state *out_state,
    writ_error *err);

/* The valid grants as a JSON array: {"id","scope","rule","agent","session",
 * "project","until","by","at","request_hash"}. writ_grants_revoke() ends one.
 */
WRIT_API writ_status writ_grants_list(writ_approvals *approvals,
    char **out_json, size_t *out_len, writ_error *err);
WRIT_API writ_status writ_grants_revoke(
    writ_approvals *approvals, const char *id, writ_error *err);

WRIT_END_DECLS

#endif /* WRIT_APPROVAL_H */
