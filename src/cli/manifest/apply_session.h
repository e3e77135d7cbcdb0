/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_APPLY_SESSION_H
#define W_CLI_APPLY_SESSION_H

#include "cli/manifest/apply_command.h"

/* How many sessions of applies are kept. */
#define W_SESSIONS_MAX 100

/* The variable with the session of a shell script. */
#define W_SESSION_VARIABLE "WRIT_SESSION_STORE"

/* Where sessions are beneath the state directory (yours). */
writ_status w_cli_sessions_dir(
    const writ_config *config, char **out_dir, writ_error *err);

/* The session of an apply: a new one, or the one that goes on, which must have
 * begun with the same manifest and options. The manifest must be loaded. */
writ_status w_cli_session_open(struct w_cli_apply *run, writ_error *err);

/* The session of a shell script that the option or the variable names; one in
 * memory without. */
writ_status w_cli_session_join(struct w_cli_apply *run, writ_error *err);

/* The directory of a shell script's session; NULL: none. */
const char *w_cli_session_named(const char *option);

#endif /* W_CLI_APPLY_SESSION_H */
