/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_PRUNE_RECORDS_H
#define W_AUDIT_PRUNE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "audit/audit.h"

/*
 * Deletes whole files of records from the start of the trail, as long as
 * everything in them is older than age_ms; never the one being written, and
 * none with the begin record of a run that has not ended. A record names them
 * first, with the number and hash of the last pruned record: the new first
 * record continues from there. Adds to *pruned.
 */
writ_status w_prune_records(writ_audit *audit, uint64_t age_ms, bool is_dry,
    writ_audit_pruned *pruned, writ_error *err);

#endif /* W_AUDIT_PRUNE_RECORDS_H */
