/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_PRUNE_H
#define W_AUDIT_PRUNE_H

#include "audit/audit.h"

/*
 * Prunes outputs according to the settings if that was not done within the last
 * hour: for engines, which call it now and then. If it is not due it costs one
 * fstat. Of processes that come at the same time only one prunes.
 */
#define W_PRUNE_STAMP      "pruned" /* in the directory of the trail */
#define W_PRUNE_INTERVAL_S 3600

writ_status w_audit_prune_if_due(
    const struct w_audit_settings *settings, writ_error *err);

#endif /* W_AUDIT_PRUNE_H */
