/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_OUTPUTS_PRUNE_H
#define W_ENGINE_OUTPUTS_PRUNE_H

#include <writ/config.h>

#include "audit/prune/prune.h"
#include "audit/record/trail.h"

#define W_OUTPUTS_PRUNE_INTERVAL_S W_PRUNE_INTERVAL_S

/*
 * Deletes recorded outputs that are too old or too many by the settings, if
 * that was not done within the interval; otherwise it costs one lstat(). The
 * trail has the result; failures do not concern a run.
 */
void w_outputs_prune_if_due(
    const struct w_trail *trail, const writ_config *config);

#endif /* W_ENGINE_OUTPUTS_PRUNE_H */
