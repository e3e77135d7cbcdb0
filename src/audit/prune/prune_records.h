/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_PRUNE_RECORDS_H
#define W_AUDIT_PRUNE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "audit/audit.h"

/*
 * Deletes whole files of records from the beginning of the trail on, as long
 * as all in them is older than age_ms; never the one that is written, and
 * none with the begin of a run that has not ended. A record names them first,
 * with the number and hash of the last record that goes: the one that then is
 * the first continues from there. Adds to *pruned.
 */
writ_status w_prune_records(writ_audit *audit, uint64_t age_ms, bool is_dry,
    writ_audit_pruned *pruned, writ_error *err);

#endif /* W_AUDIT_PRUNE_RECORDS_H */
