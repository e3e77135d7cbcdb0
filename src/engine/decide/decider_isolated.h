/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_DECIDER_ISOLATED_H
#define W_ENGINE_DECIDER_ISOLATED_H

#include "engine/decide/decider.h"
#include "engine/isolate/isolated.h"

/*
 * Isolated calls: what is decided about is the module's own command, outside
 * and before its runner starts; the runner is writ itself, and no program of
 * its own. The engine in the runner decides once more, by the same policies,
 * and only what was asked about outside is no question any more.
 */

/* Whether the request at hand starts a runner whose call can be made: from then
 * on the case is that of the call. Fails without memory only. */
writ_status w_decider_accept_runner(struct w_decider *decider, writ_error *err);

/* Back to the request as any other: its program is not writ. */
writ_status w_decider_drop_runner(struct w_decider *decider, writ_error *err);
void w_decider_forget_runner(struct w_decider *decider);

/* Whether the program that was found is writ itself. */
bool w_decider_is_writ(
    const struct w_decider *decider, const struct w_prepared *prepared);

/* Lets the runner start, and tells it what was decided. */
writ_status w_decider_allow_runner(struct w_decider *decider,
    const struct w_prepared *prepared, writ_request *request, writ_error *err);

/* In a runner: questions about its call were answered outside. */
writ_status w_engine_trust_proof(writ_engine *engine,
    const struct w_isolated_proof *proof, const char *text, writ_error *err);

#endif /* W_ENGINE_DECIDER_ISOLATED_H */
