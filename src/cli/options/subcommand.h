/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SUBCOMMAND_H
#define W_CLI_SUBCOMMAND_H

#include "cli/cli_command.h"

/*
 * A command that consists of others, like `writ audit list`. Its descriptor
 * has subs instead of run; each of those is a whole command with options,
 * help and exit statuses of its own, whose name is that of the group, a blank
 * and its own word.
 */

/* Runs the one that the first operand names. Options may stand before it. */
int w_subcommand_run(const struct w_cli_command *group, int argc, char **argv);

/* The one of that word, or NULL. */
const struct w_cli_command *w_subcommand_find(
    const struct w_cli_command *group, const char *word);

/* Fails with "unknown word" and the nearest, or all there are. */
writ_status w_subcommand_unknown(
    const struct w_cli_command *group, const char *word, writ_error *err);

/* The word of a command that is part of a group: the end of its name. */
const char *w_subcommand_word(const struct w_cli_command *sub);

#endif /* W_CLI_SUBCOMMAND_H */
