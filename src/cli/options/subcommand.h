/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SUBCOMMAND_H
#define W_CLI_SUBCOMMAND_H

#include "cli/cli_command.h"

/*
 * Subcommands, like `writ audit list`. The descriptor of a group has subs
 * instead of run. Each sub is a complete command with its own options, help
 * and exit statuses; its name is "GROUP WORD".
 */

/* Runs the subcommand that the first operand names. Options may stand before
 * it. */
int w_subcommand_run(const struct w_cli_command *group, int argc, char **argv);

/* The subcommand with that word, or NULL. */
const struct w_cli_command *w_subcommand_find(
    const struct w_cli_command *group, const char *word);

/* Fails with "unknown word" and the most similar one, or a list of all. */
writ_status w_subcommand_unknown(
    const struct w_cli_command *group, const char *word, writ_error *err);

/* "list" for "audit list". */
const char *w_subcommand_word(const struct w_cli_command *sub);

#endif /* W_CLI_SUBCOMMAND_H */
