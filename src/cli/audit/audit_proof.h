/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_AUDIT_PROOF_H
#define W_CLI_AUDIT_PROOF_H

#include <writ/audit.h>

#include "base/buf.h"

/* Closes the list of findings, appends "proof", and closes the object. */
void w_cli_audit_proof_json(struct w_buf *buf, const writ_audit_proof *proof);

/* Appends a line with what was verified, and one with the last hash. */
void w_cli_audit_proof_text(struct w_buf *buf, const writ_audit_proof *proof);

#endif /* W_CLI_AUDIT_PROOF_H */
