/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_AUDIT_PROOF_H
#define W_CLI_AUDIT_PROOF_H

#include <writ/audit.h>

#include "base/buf.h"

/* Ends the list of findings and the object that it stands in. */
void w_cli_audit_proof_json(struct w_buf *buf, const writ_audit_proof *proof);

/* A line that says how much is proved, and one with the last hash. */
void w_cli_audit_proof_text(struct w_buf *buf, const writ_audit_proof *proof);

#endif /* W_CLI_AUDIT_PROOF_H */
