/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_TIDY_H
#define W_ENGINE_TIDY_H

#include <writ/config.h>

#include "audit/prune.h"
#include "audit/trail.h"

#define W_TIDY_INTERVAL_S W_PRUNE_INTERVAL_S

/*
 * Deletes kept outputs that are too old or too many by the settings, if nobody
 * did so within the interval; otherwise it costs one look at a file. What
 * becomes of it is in the trail; that it failed is no concern of a run.
 */
void w_tidy_if_due(const struct w_trail *trail, const writ_config *config);

#endif /* W_ENGINE_TIDY_H */
