/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_APPLY_SESSION_H
#define W_CLI_APPLY_SESSION_H

#include "cli/manifest/apply_command.h"

/* The variable that names the session of a shell script. */
#define W_SESSION_VARIABLE "WRIT_SESSION_STORE"

/* The directory of sessions in the state directory; the caller frees it. */
writ_status w_cli_sessions_dir(
    const writ_config *config, char **out_dir, writ_error *err);

/* Opens a new session, or the one to resume, which must have started with the
 * same manifest and options. The manifest must be loaded. */
writ_status w_cli_session_open(struct w_cli_apply *run, writ_error *err);

/* Opens the session of a shell script, named by the option or the variable;
 * without either, one in memory. */
writ_status w_cli_session_join(struct w_cli_apply *run, writ_error *err);

/* The directory of a shell script's session; NULL: none. */
const char *w_cli_session_named(const char *option);

#endif /* W_CLI_APPLY_SESSION_H */
