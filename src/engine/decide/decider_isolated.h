/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_DECIDER_ISOLATED_H
#define W_ENGINE_DECIDER_ISOLATED_H

#include "engine/decide/decider.h"
#include "engine/isolate/isolated.h"

/*
 * Isolated calls. The decision is about the module's own command, and is made
 * outside, before its runner starts; the runner is writ itself. The engine in
 * the runner decides once more, by the same policies; only what was approved
 * outside needs no approval again.
 */

/* If the current request starts a runner and its call can be made, the facts
 * become those of the call. Fails only with WRIT_E_NOMEM. */
writ_status w_decider_accept_module_runner(
    struct w_decider *decider, writ_error *err);

/* Treats the request like any other: its program is not writ. */
writ_status w_decider_drop_module_runner(
    struct w_decider *decider, writ_error *err);
void w_decider_forget_module_runner(struct w_decider *decider);

/* Whether the program found is writ itself. */
bool w_decider_is_writ(
    const struct w_decider *decider, const struct w_prepared *prepared);

/* Lets the runner start, and passes the decision to it. */
writ_status w_decider_allow_module_runner(struct w_decider *decider,
    const struct w_prepared *prepared, writ_request *request, writ_error *err);

/* In a runner: trusts that approval was given outside, if the proof is
 * valid. */
writ_status w_engine_trust_proof(writ_engine *engine,
    const struct w_isolated_proof *proof, const char *text, writ_error *err);

#endif /* W_ENGINE_DECIDER_ISOLATED_H */
