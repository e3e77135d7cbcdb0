/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_RUN_ARGS_H
#define W_CLI_RUN_ARGS_H

#include "base/words.h"
#include "cli/options/request_args.h"
#include "cli/options/request_rows.h"

/* The command line of `writ run`, and the request made from it. */
struct w_run_args {
	struct w_request_args request;
	const char *request_path;
	const char *session;    /* the live one to run in; NULL: none */
	struct w_words publish; /* of a session for this run alone */
	struct w_words connect;
	writ_draft *draft;
};

/* Whether the request comes from standard input. */
bool w_cli_run_is_stdin(const struct w_run_args *args);

/* Makes args->draft, and args->request.config if needed. args owns both, also
 * on failure. */
writ_status w_cli_run_prepare(struct w_run_args *args, writ_error *err);

#endif /* W_CLI_RUN_ARGS_H */
