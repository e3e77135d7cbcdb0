/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_AUDIT_OUTCOME_H
#define W_CLI_AUDIT_OUTCOME_H

#include <writ/audit.h>

#include "base/buf.h"

/* Appends how a run ended, for a column: "exited 0", "signaled KILL",
 * "refused not_found", "running". */
void w_cli_audit_outcome_add(struct w_buf *buf, const writ_audit_run *run);

/* Its colour, for w_text_table_tint(). */
const char *w_cli_audit_outcome_colour(const writ_audit_run *run);

#endif /* W_CLI_AUDIT_OUTCOME_H */
