/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_APPLY_SESSION_H
#define W_CLI_APPLY_SESSION_H

#include <writ/config.h>

/* The variable that names the session of a shell script. */
#define W_SESSION_VARIABLE "WRIT_SESSION_STORE"

/* The directory of sessions in the state directory; the caller frees it. */
writ_status w_cli_sessions_dir(
    const writ_config *config, char **out_dir, writ_error *err);

/* The directory of a shell script's session; NULL: none. */
const char *w_cli_session_named(const char *option);

#endif /* W_CLI_APPLY_SESSION_H */
