/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_COMPLETE_H
#define W_CLI_COMPLETE_H

#include "base/buf.h"
#include "cli/cli_command.h"

/* Each appends the completion script of one shell. */
void w_complete_bash(struct w_buf *buf);
void w_complete_zsh(struct w_buf *buf);
void w_complete_fish(struct w_buf *buf);

/* Appends text for use between single quotes in a shell script. Puts a
 * backslash before the bytes in specials. */
void w_complete_add_quoted(
    struct w_buf *buf, const char *text, const char *specials);

/* Appends "a|b" as "a b"; the names of all commands for "@commands". */
void w_complete_add_words(struct w_buf *buf, const char *words);

#endif /* W_CLI_COMPLETE_H */
