/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_RECORD_H
#define W_AUDIT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/run.h>

#include "audit/record/redact.h"
#include "base/buf.h"

/*
 * The records of the trail, as payloads for w_log_append(): plain data in,
 * JSON members out. Everything that came from outside passes the redactor.
 *
 * begin
 *   "kind":"begin","run":ID,"trace":TEXT|null,"module":ID|null,
 *   "who":{"uid":N,"pid":N,"pidns":N,"door":WORD,"agent":TEXT|null},
 *   "argv":[WORD,...],"shell":TEXT|null,"program":PATH,"cwd":PATH,
 *   "env":[NAME,...],"stdin":"null|data|file|fd|pipe","as":{"uid":N,"gid":N},
 *   with a terminal "pty":{"rows":N,"columns":N},
 *   "limits":{"timeout_ms":N,...},
 *   "policy":null or {"decision":WORD,"rule":PLACE,"grant":ID|null,
 *   "approval":ID|null},
 *   "sandbox":{"profile":NAME,"network":WORD,"layers":[...],
 *   in a session "session":NAME},
 *   "request":HEX,"redacted":BOOL
 * end
 *   "kind":"end","run":ID,"outcome":WORD,"exit_code":N,"signal":NAME|null,
 *   "limit":WORD|null,"duration_ms":N,"usage":{"user_ms":N,"system_ms":N,
 *   "max_rss_kib":N},"killed":N,"background":N,"tree":WORD,
 *   "layers":[...],"missing":[...],
 *   "stdout":{"bytes":N,"sha256":HEX|null},"stderr":{...},
 *   "kept":null or {"file":NAME,"bytes":N,"whole":BOOL}
 *   or, if it did not start after all:
 *   "kind":"end","run":ID,"outcome":null,"error":{"code":WORD,"stage":WORD,
 *   "message":TEXT},"redacted":BOOL
 *   or, if its engine was closed before it ended:
 *   "kind":"end","run":ID,"outcome":"cancelled","by":"engine"
 * input
 *   "kind":"input","run":ID,"bytes":N,"input":HEX,"policy":{..},
 *   "redacted":BOOL: the policy decided about input for a run, which got it
 *   if the decision is "allow"
 * refused
 *   "kind":"refused","run":ID,"trace":..,"module":..,"who":{..},"argv":[..],
 *   "shell":..,"cwd":PATH|null as asked,"policy":null or {..},
 *   "error":{...},"request":HEX,"redacted":BOOL
 * ask
 *   "kind":"ask","approval":ID,"request":HEX,"agent":TEXT|null,
 *   "session":TEXT|null,"expires":TIME: a person is asked about a request
 * answer
 *   "kind":"answer","approval":ID,"request":HEX,"approved":BOOL,
 *   "scope":WORD,"until":TIME,"rule":TEXT|null,
 *   "by":{"uid":N,"pid":N,"via":TEXT}, "via" only if there is one,
 *   "note":TEXT|null: written before the answer takes effect
 * closed
 *   "kind":"closed","approval":ID,"request":HEX,"by":{as in answer},
 *   "note":TEXT: a client closed the form of a question that no person had
 *   answered; the question stays open
 * revoke
 *   "kind":"changes": see struct w_record_changes
 *   "kind":"revoke","approval":ID,"by":{"uid":N,"pid":N}: the grant of an
 *   answer is no longer valid
 * lost
 *   "kind":"lost","records":N,"reason":TEXT: that many could not be written
 *
 * "module" is the one that was called, or the one that the words were
 * recognised as. Words that are not UTF-8 are {"b64":"..."}. "request" is the
 * HMAC of the whole request with its real values, under the key of this state
 * directory, and "input" that of the bytes. "limits" has those that were set.
 * "argv" is [] with a shell, and in the refusal of a call with invalid
 * arguments.
 */

/* The policy's decision and its source. Everything but the decision may be
 * NULL. */
struct w_record_policy {
	const char *decision; /* "allow", "ask", "deny" */
	const char *rule;     /* its location, FILE:LINE:COLUMN */
	const char *grant;    /* the grant that turned ask into allow */
	const char *approval; /* likewise, for this request */
};

struct w_record_who {
	uint64_t uid;
	int pid;
	uint64_t pidns;
	const char *door;
	const char *agent;
};

/* Pointers are borrowed for the call. */
struct w_record_begin {
	const char *run_id;
	const struct w_record_who *who;
	const writ_request *request; /* checked: 0 means none */
	const char *understood; /* the module that the words were recognised as,
				   if the request names none; NULL: unknown */
	const char *program;
	const char *cwd;
	const char *const *env; /* NAME=VALUE; only NAME is recorded */
	uint64_t uid;
	uint64_t gid;
	const char *profile;
	const char *network;
	const char *session; /* NULL: none */
	const char *const *layers;
	const struct w_record_policy *policy; /* NULL: no policy was asked */
	const char *request_hash; /* W_SHA256_HEX characters and a NUL */
};

struct w_record_refused {
	const char *run_id;
	const struct w_record_who *who;
	const writ_request *request;
	const char *understood; /* likewise */
	const writ_error *error;
	const struct w_record_policy *policy; /* NULL: it failed before the
						 decision */
	const char *request_hash;
};

struct w_record_input {
	const char *run_id;
	uint64_t bytes;
	const char *input_hash;
	const struct w_record_policy *policy;
};

/* Each appends its members to the buffer, which may fail. */
void w_record_add_begin(struct w_buf *buf, struct w_redactor *redactor,
    const struct w_record_begin *begin);
void w_record_add_refused(struct w_buf *buf, struct w_redactor *redactor,
    const struct w_record_refused *refused);

void w_record_add_input(struct w_buf *buf, struct w_redactor *redactor,
    const struct w_record_input *input);

/* is_whole: the whole output of the run was recorded. shows_names: see
 * w_record_add_denials(). */
void w_record_add_end(struct w_buf *buf, const writ_result *result,
    bool is_whole, bool shows_names);
void w_record_add_failed(struct w_buf *buf, struct w_redactor *redactor,
    const char *run_id, const writ_error *error);
void w_record_add_abandoned(struct w_buf *buf, const char *run_id);
void w_record_add_lost(struct w_buf *buf, uint64_t records, const char *reason);

struct w_record_ask {
	const char *approval;
	const char *request_hash;
	const char *agent;
	const char *session;
	uint64_t expires_ms; /* since 1970 */
};

struct w_record_answer {
	const char *approval;
	const char *request_hash;
	bool is_approved;
	const char *scope;
	uint64_t until_ms;
	const char *rule;
	uint64_t uid;
	int pid;
	const char *via; /* the client that brought the answer; NULL: none */
	const char *note;
};

void w_record_add_ask(struct w_buf *buf, const struct w_record_ask *ask);
void w_record_add_answer(
    struct w_buf *buf, const struct w_record_answer *answer);
/* Only the sender of the answer and its note are recorded. */
void w_record_add_closed(
    struct w_buf *buf, const struct w_record_answer *answer);
void w_record_add_revoked(
    struct w_buf *buf, const char *approval, uint64_t uid, int pid);

/* "kind":"changes","action":"undo","of":RUN,"moved":N,"left":N,"sha256":HEX,
 * "by":{..}: a person moved the changes of a run, or dropped them. */
struct w_record_changes {
	const char *action; /* "undo", "redo", "accept", "drop" */
	const char *run_id;
	uint64_t moved;     /* steps */
	uint64_t left;      /* left alone */
	const char *sha256; /* of the list */
	uint64_t uid;
	int pid;
};

void w_record_add_changes(
    struct w_buf *buf, const struct w_record_changes *changes);

/* "kind":"net","run":ID|null,"session":NAME|null,"what":"connect"|"lookup",
 * "name":TEXT|null,"address":TEXT|null,"port":N,"verdict":"allow"|"deny",
 * "rule":TEXT|null,"reason":TEXT|null,"other":TEXT|null,"began":TIME,
 * "duration_us":N,"sent":N,"received":N,"name_unchecked":BOOL,"proxied":BOOL
 * and, after some that found no room, "lost":N: a connection of a session with
 * hosts has ended, or was refused; or a name was, that no host has. */
struct w_record_net {
	const char *run_id;  /* NULL: of a session in which several were live */
	const char *session; /* NULL: none */
	const char *what;
	const char *name;    /* that was looked up; NULL: none */
	const char *address; /* that was reached, or asked for; NULL: none */
	uint64_t port;
	const char *verdict;
	const char *rule;   /* the pattern that decided; NULL: none did */
	const char *reason; /* why it was refused or failed; NULL: neither */
	const char *other;  /* the host that the client named instead */
	uint64_t began_us;  /* since 1970 */
	uint64_t duration_us;
	uint64_t sent;
	uint64_t received;
	bool is_unchecked; /* no protocol names the host */
	bool is_proxied;   /* through the upstream proxy */
	uint64_t lost;
};

void w_record_add_net(struct w_buf *buf, const struct w_record_net *net);

/*
 * ,"denials":[{"what":..,"path":..,"wall":..,"certainty":..,"ask":{..}}]: for a
 * record and for a result. Without shows_names, paths and hosts are null: they
 * come from the command's output, and the run has secrets.
 */
void w_record_add_denials(
    struct w_buf *buf, const writ_result *result, bool shows_names);

/* ,"triggers":[{"path":..,"why":..}]: for a record and for a result. */
void w_record_add_triggers(struct w_buf *buf, const writ_result *result);
void w_record_add_held(struct w_buf *buf, const writ_result *result);

/* ---- shared by the record_*.c files ---- */

void w_record_add_decimal(struct w_buf *buf, uint64_t value);
/* "key":N with a comma before it. */
void w_record_add_number(struct w_buf *buf, const char *key, uint64_t value);
/* {"code":...,"stage":...,"message":...} */
void w_record_add_error(
    struct w_buf *buf, struct w_redactor *redactor, const writ_error *error);

#endif /* W_AUDIT_RECORD_H */
