/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_SUBMIT_H
#define W_ENGINE_APPROVAL_SUBMIT_H

#include "engine/approval/approval.h"
#include "engine/approval/approvals.h"

/* Writes the answer to a question, once. Returns 0, or an errno; EEXIST: it
 * is already answered. */
int w_approval_write_answer(const struct w_approval_store *store,
    const char *id, const struct w_reply *reply);

/* Finds the open question that stays and is about the same request: a caller
 * that tries again and again must not fill the queue. */
bool w_approval_find_staying(const char *state_dir,
    const struct w_question *question, char out_id[WRIT_APPROVAL_ID_LEN + 1]);

/* How long the question stays open, in milliseconds. */
uint64_t w_approval_timeout_ms(const struct w_question *question);

/* Withdraws a question that is not answered. */
void w_approval_withdraw(const char *state_dir, const char *id);

#endif /* W_ENGINE_APPROVAL_SUBMIT_H */
