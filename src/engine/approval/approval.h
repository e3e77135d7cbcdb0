/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_H
#define W_ENGINE_APPROVAL_H

#include <sys/types.h>

#include "engine/approval/approval_file.h"
#include "engine/approval/approval_validity.h"

/* The process that did something. */
struct w_actor {
	uint64_t uid;
	int pid;
	const char *via; /* the client that passed on a person's answer;
			    NULL: none */
};

/* An answer, or a withdrawal in its place. */
struct w_reply {
	bool is_approved;
	bool is_withdrawn; /* by the asking process */
	writ_scope scope;
	struct w_validity validity;
	const char *rule; /* of a scope that has one; NULL: none */
	const char *note; /* NULL: none */
	struct w_actor by;
};

/* A question with its answer and state. The documents own the texts. */
struct w_approval {
	char id[WRIT_APPROVAL_ID_LEN + 1];
	struct w_json *question;
	struct w_json *answer;      /* NULL: none */
	struct w_validity validity; /* until when it can be answered */
	struct w_pidref asker;
	bool stays;        /* without its asker */
	const char *agent; /* NULL: unknown */
	const char *session;
	const char *request_hash;
	const char *rule;    /* proposed; NULL: none */
	const char *project; /* the root that it was asked in; NULL: unknown */
	struct w_reply reply;
	bool is_used;
	writ_approval_state state;
};

/* Reads the question with this complete id. Fails like
 * w_approval_file_read(). */
writ_status w_approval_read(const struct w_approval_store *store,
    const char *id, const struct w_timestamp *now, struct w_approval *out_item,
    writ_error *err);
void w_approval_done(struct w_approval *item);
#define W_AUTO_APPROVAL __attribute__((cleanup(w_approval_done)))

/* From documents alone, for those from elsewhere. */
bool w_approval_parse_question(struct w_approval *item, yyjson_val *root);
bool w_approval_parse_answer(struct w_reply *out_reply, yyjson_val *root);

/* Appends the object that writ/approval.h describes. */
void w_approval_add_json(struct w_buf *buf, const struct w_approval *item);

/* ---- members common to several kinds of files ---- */

/* ,"by":{"uid":N,"pid":N,"via":TEXT|null} */
void w_approval_add_actor(struct w_buf *buf, const struct w_actor *actor);
/* This process. */
struct w_actor w_approval_own_actor(void);
/* ,"at":N,"until":N,"boot":TEXT,"boot_ms":N */
void w_approval_add_validity(
    struct w_buf *buf, const struct w_validity *validity);
bool w_approval_parse_validity(
    yyjson_val *root, struct w_validity *out_validity);
/* false: neither text nor null. */
bool w_approval_parse_text(
    yyjson_val *root, const char *key, const char **out_text);
bool w_approval_parse_project(yyjson_val *root, const char **out_project);
bool w_approval_parse_scope(yyjson_val *root, writ_scope *out_scope);
void w_approval_parse_actor(yyjson_val *root, struct w_actor *out_actor);
const char *w_approval_scope_word(writ_scope scope);
/* Whether an approval of this scope is a rule. */
bool w_approval_scope_has_rule(writ_scope scope);
const char *w_approval_state_word(writ_approval_state state);

#endif /* W_ENGINE_APPROVAL_H */
