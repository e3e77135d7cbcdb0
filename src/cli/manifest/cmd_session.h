/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CMD_SESSION_H
#define W_CLI_CMD_SESSION_H

#include "cli/cli_command.h"

/* The subcommands of `writ session`. */
extern const struct w_cli_command w_cmd_session_end;
extern const struct w_cli_command w_cmd_session_list;
extern const struct w_cli_command w_cmd_session_new;
extern const struct w_cli_command w_cmd_session_owed;
extern const struct w_cli_command w_cmd_session_report;
extern const struct w_cli_command w_cmd_session_run;
extern const struct w_cli_command w_cmd_session_show;
extern const struct w_cli_command w_cmd_session_start;

extern const struct w_exit_row w_cli_session_exits[];

#endif /* W_CLI_CMD_SESSION_H */
