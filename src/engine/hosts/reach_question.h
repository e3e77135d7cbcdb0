/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_REACH_QUESTION_H
#define W_ENGINE_REACH_QUESTION_H

#include "engine/engine_state.h"
#include "engine/hosts/reach.h"

/* The text of a host: "name:port". */
#define W_REACH_QUESTION_TEXT 264

/* The name of the member of a request that has it. */
#define W_REACH_QUESTION_KEY "connects_to"

/* Queues the question whether what runs in this scope may connect there.
 * rule: what the rule that asks says; "": none does. Fails with
 * WRIT_E_INVALID (the name is none that a rule could name), or like
 * w_engine_put_question(). */
writ_status w_reach_question_put(writ_engine *engine,
    const struct w_reach *scope, const char *name, uint16_t port,
    const char *rule, uint64_t timeout_ms,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err);

/* What became of it. WRIT_OK: yes. WRIT_E_APPROVAL: it is open. Anything else
 * is a no. */
writ_status w_reach_question_look(writ_engine *engine,
    const struct w_reach *scope, const char *name, const char *id);

#endif /* W_ENGINE_REACH_QUESTION_H */
