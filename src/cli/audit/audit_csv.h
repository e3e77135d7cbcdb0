/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_AUDIT_CSV_H
#define W_CLI_AUDIT_CSV_H

#include <stdbool.h>

#include <writ/audit.h>

#include "cli/output/csv.h"

/* Runs as rows of CSV; writ-audit(1) lists the columns. */
struct w_audit_csv {
	struct w_csv csv;
	bool is_terminal; /* escape text with w_printable_add() */
};

void w_cli_audit_csv_head(struct w_audit_csv *csv);
void w_cli_audit_csv_run(struct w_audit_csv *csv, const writ_audit_run *run);

#endif /* W_CLI_AUDIT_CSV_H */
