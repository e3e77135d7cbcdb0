/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_POLICY_EXPLAIN_H
#define W_CLI_POLICY_EXPLAIN_H

#include <stdbool.h>

#include <writ/config.h>
#include <writ/policy.h>

struct w_cli_policy_explain {
	const writ_config *config; /* NULL: as the environment says */
	const writ_request *request;
	bool is_of_project; /* see struct w_watch_options */
	bool is_json;
	bool is_quiet; /* no notes about the policies themselves */
};

/*
 * Says what would become of a request, on standard output, and runs nothing.
 * Returns an enum w_policy_exit; what fails before there is a decision is told
 * like any error, with failed_exit, or the status that `writ run` has for it
 * when that is 0.
 */
int w_cli_policy_explain(
    const struct w_cli_policy_explain *what, int failed_exit);

/* Likewise on standard error, before the request is run; nothing when there is
 * no decision: the run will be refused for whatever is wrong. */
void w_cli_policy_explain_stderr(const struct w_cli_policy_explain *what);

/* Prints what an engine has to say about its policies. For
 * writ_engine_on_notice(). */
void w_cli_policy_note(void *ctx, const char *text);

/* Whether a person is there to be asked. */
bool w_cli_policy_has_terminal(void);

#endif /* W_CLI_POLICY_EXPLAIN_H */
