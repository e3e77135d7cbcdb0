/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CALLER_H
#define W_CLI_CALLER_H

#include <writ/run.h>

/*
 * Whose words a command line has. They are a person's, and trusted, unless it
 * names an agent (NULL: it does not) or runs beneath a run of writ: then
 * somebody has put them together who has to keep to the policy's walls.
 */
writ_caller w_cli_caller(const char *agent);

#endif /* W_CLI_CALLER_H */
