/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_APPLY_DEBTS_H
#define W_CLI_APPLY_DEBTS_H

#include "base/buf.h"
#include "cli/manifest/apply_command.h"

/*
 * The refreshes that are owed: what is left after an apply is told.
 */

/* The directory of the list, in the state directory; the caller frees it. */
writ_status w_cli_debts_dir(
    const writ_config *config, char **out_dir, writ_error *err);

/* Notes on standard error: what this manifest still owes. */
void w_cli_debts_tell(const struct w_cli_apply *run);

/* A note on standard error if anything is owed; for lists of applies. */
void w_cli_debts_hint(const char *state_dir);

#endif /* W_CLI_APPLY_DEBTS_H */
