/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_POLICY_EXPLAIN_H
#define W_CLI_POLICY_EXPLAIN_H

#include <stdbool.h>

#include <writ/config.h>
#include <writ/policy.h>

struct w_cli_policy_explain {
	const writ_config *config; /* NULL: from the environment */
	const writ_request *request;
	bool is_of_project; /* see struct w_watch_options */
	bool is_json;
	bool is_quiet; /* no notes about the policies themselves */
};

/*
 * Prints how a request would be decided, on standard output, and runs nothing.
 * Returns an enum w_policy_exit. A failure before the decision is reported like
 * any error, with failed_exit; 0: with the status that `writ run` uses.
 */
int w_cli_policy_explain(
    const struct w_cli_policy_explain *what, int failed_exit);

/* Likewise on standard error, before the request runs. Prints nothing on
 * failure: the run will report it. */
void w_cli_policy_explain_stderr(const struct w_cli_policy_explain *what);

/* Prints a notice about the policies. For writ_engine_on_notice(). */
void w_cli_policy_note(void *ctx, const char *text);

#endif /* W_CLI_POLICY_EXPLAIN_H */
