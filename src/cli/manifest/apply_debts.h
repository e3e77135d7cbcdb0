/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_APPLY_DEBTS_H
#define W_CLI_APPLY_DEBTS_H

#include "base/buf.h"
#include "cli/manifest/apply_command.h"

/*
 * The refreshes that are owed, for an apply: the list is opened before it, what
 * nobody can pay any more is told and dropped, and what is left afterwards is
 * told.
 */

/* The directory of the list, in the state directory; the caller frees it. */
writ_status w_cli_debts_dir(
    const writ_config *config, char **out_dir, writ_error *err);

/* Takes the lock of an apply, and reads what is owed. With --noop and
 * --monitor-only it needs neither lock nor write access. */
writ_status w_cli_debts_open(struct w_cli_apply *run, writ_error *err);

/* Notes on standard error: what this manifest still owes. */
void w_cli_debts_tell(const struct w_cli_apply *run);

/* A note on standard error if anything is owed; for lists of applies. */
void w_cli_debts_hint(const char *state_dir);

/* Appends an array of objects: all that is owed. */
void w_cli_debts_add_json(struct w_buf *buf, const struct w_owed *owed);

#endif /* W_CLI_APPLY_DEBTS_H */
