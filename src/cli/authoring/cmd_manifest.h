/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CMD_MANIFEST_H
#define W_CLI_CMD_MANIFEST_H

#include "cli/cli_command.h"

extern const struct w_cli_command w_cmd_manifest_graph;
extern const struct w_cli_command w_cmd_manifest_fmt;

#endif /* W_CLI_CMD_MANIFEST_H */
