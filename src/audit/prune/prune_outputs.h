/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_PRUNE_OUTPUTS_H
#define W_AUDIT_PRUNE_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "audit/audit.h"

/* Which recorded outputs are kept. */
struct w_prune_bound {
	uint64_t age_ms;
	uint64_t bytes;
	bool is_dry;
};

/* Deletes the others, oldest first, after a record has named the runs. A file
 * that is still being written stays. Adds to *pruned. */
writ_status w_prune_outputs(writ_audit *audit,
    const struct w_prune_bound *bound, writ_audit_pruned *pruned,
    writ_error *err);

#endif /* W_AUDIT_PRUNE_OUTPUTS_H */
