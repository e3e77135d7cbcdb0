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
 * Approvals: a request that the policy wants asked about is put before a
 * person, who answers for exactly that request.
 *
 *     status = writ_run(engine, &request, &result, &err);
 *     if (status == WRIT_E_APPROVAL) {
 *         writ_approval_ask(engine, &request, &opts, &id, &err);
 *         writ_approvals_wait(approvals, id, -1, &state, &err);
 *         request.approval = id;
 *         status = writ_run(engine, &request, &result, &err);
 *     }
 *
 * The queue is a directory of the state directory, which no sandbox shows:
 * one file for each question, written before anybody is asked, and one for its
 * answer. Both survive any process. An answer is bound to the keyed hash of
 * the request: another argv, directory, environment or sandbox is another
 * request, and is refused with this approval.
 */
typedef struct writ_approvals writ_approvals;

#define WRIT_SCOPE_MAP(X)                                         \
	X(ONCE, "once")       /* this request, one time */        \
	X(SESSION, "session") /* this request, in this session */ \
	X(SHAPE, "shape")     /* whatever the rule matches, of this agent */

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
	X(ABANDONED, "abandoned") /* who asked is gone */

typedef enum writ_approval_state {
#define X(name, word) WRIT_APPROVAL_##name,
	WRIT_APPROVAL_STATE_MAP(X)
#undef X
} writ_approval_state;

#define WRIT_APPROVAL_ID_LEN 16

/* Who asks for how long. */
typedef struct writ_ask_options {
	size_t size;
	uint64_t timeout_ms; /* 0: five minutes; then it is denied */
	const char *session; /* NULL: that of the request */
} writ_ask_options;

#define WRIT_ASK_OPTIONS_INIT                     \
	{                                         \
		sizeof(writ_ask_options), 0, NULL \
	}

/* Puts the request that the engine was just refused for want of an approval
 * into the queue; where writ_file() was, request is NULL. out_id:
 * WRIT_APPROVAL_ID_LEN characters and a NUL. The question lives until it is
 * answered, its time is over, or this process ends. */
WRIT_API writ_status writ_approval_ask(writ_engine *engine,
    const writ_request *request, const writ_ask_options *opts, char *out_id,
    writ_error *err);

/* Withdraws a question. */
WRIT_API void writ_approval_withdraw(writ_engine *engine, const char *id);

/* The queue of these settings; config may be NULL. Makes no directory. */
WRIT_API writ_status writ_approvals_open(
    const writ_config *config, writ_approvals **out_approvals, writ_error *err);
WRIT_API void writ_approvals_free(writ_approvals *approvals);

/* A descriptor that polls readable when something in the queue may have
 * changed; writ_approvals_list() and _show() take note of it. */
WRIT_API int writ_approvals_fd(writ_approvals *approvals, writ_error *err);

/*
 * All questions that are not older than a day, as a JSON array, the oldest
 * first; or one of them as an object (id may be an unambiguous beginning):
 *
 *     {"id","state","asked_at","expires_at","asker":{"uid","pid","door",
 *      "agent","session"},"request":{the canonical request: argv or shell,
 *      cwd, program, env: the changes, stdin, stdin_bytes, stdin_text: the
 *      input, of a long one its head and its tail, sandbox, limits},
 *      "decision":{the decision object},"rule":"allow: git push origin ...",
 *      "request_hash","answer":null or {"approved","scope","until","rule",
 *      "by":{"uid","pid","via"},"at","note"}}
 *
 * Times are milliseconds since 1970. *out_json is yours. show fails with
 * WRIT_E_NOTFOUND. Who lists takes away what is over and older than a day.
 */
WRIT_API writ_status writ_approvals_list(writ_approvals *approvals,
    char **out_json, size_t *out_len, writ_error *err);
WRIT_API writ_status writ_approvals_show(writ_approvals *approvals,
    const char *id, char **out_json, size_t *out_len, writ_error *err);

/* What the last call left out: files of the queue that are not in order, for
 * people; NULL: none. Borrowed until the next call. */
WRIT_API const char *writ_approvals_note(const writ_approvals *approvals);

typedef struct writ_answer {
	size_t size;
	bool is_approved;
	writ_scope scope;
	uint64_t for_ms;  /* how long it counts; 0: once and session a day,
			     shape eight hours */
	const char *rule; /* of SHAPE, in policy syntax, instead of the one that
			     is proposed; NULL: that one */
	const char *note; /* one line, for the record and for who asked; NULL */
	const char *via;  /* what brought the answer, when the process that
			     gives it only passes it on: "elicitation of
			     claude-code 2.1"; NULL: itself */
} writ_answer;

/* clang-format off */
#define WRIT_ANSWER_INIT \
	{sizeof(writ_answer), false, WRIT_SCOPE_ONCE, 0, NULL, NULL, NULL}
/* clang-format on */

/*
 * Answers a question. Fails with WRIT_E_NOTFOUND (no such question),
 * WRIT_E_INVALID (answered already, expired, abandoned; a rule that is not in
 * order, or that does not match the request) and leaves everything as it was.
 */
WRIT_API writ_status writ_approvals_answer(writ_approvals *approvals,
    const char *id, const writ_answer *answer, writ_error *err);

/*
 * Says that a client has closed the form of a question, and that no person is
 * believed to have answered it; via and why are for the record, as via and note
 * of an answer. The question stays open. Fails as writ_approvals_answer().
 */
WRIT_API writ_status writ_approvals_closed(writ_approvals *approvals,
    const char *id, const char *via, const char *why, writ_error *err);

/* Waits for the answer to a question; at most timeout_ms, -1: as long as it
 * lives. *out_state is PENDING when the time was over. */
WRIT_API writ_status writ_approvals_wait(writ_approvals *approvals,
    const char *id, int timeout_ms, writ_approval_state *out_state,
    writ_error *err);

/* What was granted and counts still, as a JSON array: {"id","scope","rule",
 * "agent","session","until","by","at","request_hash"}; and its end. */
WRIT_API writ_status writ_grants_list(writ_approvals *approvals,
    char **out_json, size_t *out_len, writ_error *err);
WRIT_API writ_status writ_grants_revoke(
    writ_approvals *approvals, const char *id, writ_error *err);

WRIT_END_DECLS

#endif /* WRIT_APPROVAL_H */
