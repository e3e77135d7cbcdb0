/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_RUN_ARGS_H
#define W_CLI_RUN_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/draft.h>

#include "cli/command.h"

/* What --record and --detach keep of the output at most. */
#define W_RUN_KEEP_ALL (UINT64_C(1) << 30)

struct w_run_given {
	const struct w_option *option; /* NULL: a word of the command */
	const char *value;
};

/* The command line of `writ run`, and what it becomes. */
struct w_run_args {
	bool is_json;
	bool is_quiet;
	bool has_words;
	bool has_shell;
	bool has_setting;
	bool is_recorded; /* --record */
	bool is_detached;
	const char *request_path;
	const char *stdin_spec;
	struct w_run_given *given; /* as many as argv has words */
	size_t given_count;
	writ_draft *draft;
	writ_config *config; /* NULL unless an option sets one */
};

/* Whether the request comes from standard input. */
bool w_run_args_is_stdin(const struct w_run_args *args);

/* Makes the draft, and the settings where they matter. Both belong to args,
 * also when this fails. */
writ_status w_run_args_prepare(struct w_run_args *args, writ_error *err);

#endif /* W_CLI_RUN_ARGS_H */
