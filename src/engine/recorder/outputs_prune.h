/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_OUTPUTS_PRUNE_H
#define W_ENGINE_OUTPUTS_PRUNE_H

#include <writ/config.h>

#include "audit/prune/prune.h"
#include "audit/record/trail.h"

#define W_OUTPUTS_PRUNE_INTERVAL_S W_PRUNE_INTERVAL_S

/*
 * Deletes kept outputs that are too old or too many by the settings, if nobody
 * did so within the interval; otherwise it costs one look at a file. What
 * becomes of it is in the trail; that it failed is no concern of a run.
 */
void w_outputs_prune_if_due(
    const struct w_trail *trail, const writ_config *config);

#endif /* W_ENGINE_OUTPUTS_PRUNE_H */
