/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_ITEM_H
#define W_ENGINE_APPROVAL_ITEM_H

#include <sys/types.h>

#include "engine/approval_file.h"
#include "engine/approval_life.h"

/* Who did something. */
struct w_hand {
	uint64_t uid;
	int pid;
	const char *via; /* that only brought the word of a person; NULL */
};

/* An answer, or what takes the place of one. */
struct w_reply {
	bool is_approved;
	bool is_withdrawn; /* by who had asked */
	writ_scope scope;
	struct w_span span;
	const char *rule; /* of SHAPE; NULL */
	const char *note; /* NULL */
	struct w_hand by;
};

/* A question with what became of it. Texts are of the documents. */
struct w_item {
	char id[WRIT_APPROVAL_ID_LEN + 1];
	struct w_json *question;
	struct w_json *answer; /* NULL: there is none */
	struct w_span span;    /* in which it can be answered */
	struct w_life asker;
	const char *agent; /* NULL: nobody says */
	const char *session;
	const char *request_hash;
	const char *rule; /* NULL: none is proposed */
	struct w_reply reply;
	bool is_used;
	writ_approval_state state;
};

/* Reads one, whose id is whole. WRIT_E_NOTFOUND, WRIT_E_INVALID as
 * w_desk_read() says them. */
writ_status w_item_read(const struct w_desk *desk, const char *id,
    const struct w_moment *now, struct w_item *out_item, writ_error *err);
void w_item_done(struct w_item *item);
#define W_AUTO_ITEM __attribute__((cleanup(w_item_done)))

/* From documents alone, for those that come from elsewhere. */
bool w_item_take_question(struct w_item *item, yyjson_val *root);
bool w_item_take_answer(struct w_reply *out_reply, yyjson_val *root);

/* Appends the object that approval.h describes. */
void w_item_add_json(struct w_buf *buf, const struct w_item *item);

/* ---- members that several kinds of files have ---- */

void w_approval_add_number(struct w_buf *buf, const char *key, uint64_t value);
/* ,"by":{"uid":N,"pid":N,"via":TEXT|null} */
void w_approval_add_hand(struct w_buf *buf, const struct w_hand *hand);
/* This process. */
struct w_hand w_approval_own_hand(void);
/* ,"at":N,"until":N,"boot":TEXT,"boot_ms":N */
void w_approval_add_span(struct w_buf *buf, const struct w_span *span);
bool w_approval_take_span(yyjson_val *root, struct w_span *out_span);
/* false: it is neither text nor null. */
bool w_approval_take_text(
    yyjson_val *root, const char *key, const char **out_text);
bool w_approval_take_scope(yyjson_val *root, writ_scope *out_scope);
void w_approval_take_hand(yyjson_val *root, struct w_hand *out_hand);
const char *w_scope_word(writ_scope scope);
const char *w_approval_state_word(writ_approval_state state);

#endif /* W_ENGINE_APPROVAL_ITEM_H */
