/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_SECRET_H
#define W_CLI_SECRET_H

#include <writ/draft.h>

#include "cli/cli_command.h"

/* Adds a secret to the draft: env:NAME, file:PATH or text:STRING. One newline
 * at the end of a file is removed. */
writ_status w_secret_add(const struct w_cli_command *command, writ_draft *draft,
    const char *spec, writ_error *err);

#endif /* W_CLI_SECRET_H */
