/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CALL_REPORT_H
#define W_CLI_CALL_REPORT_H

#include "cli/call/call_args.h"

/* Reports why a call cannot be made, with all problems of its input. Returns
 * the exit status. */
int w_cli_call_report(const struct w_call_args *args, const writ_error *err);

/* Prints what would run. Returns the exit status. */
int w_cli_call_report_preview(const struct w_call_args *args);

#endif /* W_CLI_CALL_REPORT_H */
