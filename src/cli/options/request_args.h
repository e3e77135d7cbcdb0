/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_REQUEST_ARGS_H
#define W_CLI_REQUEST_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/config.h>
#include <writ/draft.h>

#include "cli/cli_command.h"

/*
 * The options of request_rows.h, from the command line to a request draft.
 *
 * The command line is parsed first. It is applied later, after a --request
 * file, so that options override the file wherever they stand.
 */

/* Bytes of output that --record and --detach keep at most. */
#define W_REQUEST_KEEP_ALL (UINT64_C(1) << 30)

struct w_request_given {
	const struct w_option *option;
	const char *value;
};

struct w_request_args {
	const struct w_cli_command *command; /* for messages */
	bool is_json;
	bool is_quiet;
	bool is_raw;      /* --raw */
	bool is_recorded; /* --record */
	bool is_detached;
	bool never_asks;         /* --no-ask */
	const char *ask_timeout; /* as written; NULL: use the setting */
	uint64_t ask_timeout_ms; /* 0: use the setting */
	bool is_explained;       /* --explain */
	bool is_dry_run;
	bool has_setting;
	const char *stdin_spec;
	const char *stdin_use; /* what standard input was already read for;
				  NULL: not read */
	struct w_request_given *given; /* room for every word of argv */
	size_t given_count;
	writ_config *config; /* owned; NULL: no option set anything */
};

/* Remembers an option of the request or of the settings, or a word of the
 * command, until the draft is there. ctx is a struct w_request_args. */
writ_status w_cli_request_store(void *ctx, const struct w_option *option,
    const char *value, writ_error *err);

/* The last value that was given for that key; NULL: none. */
const char *w_cli_request_given(
    const struct w_request_args *args, const char *key);

/* Applies the whole command line to the draft. */
writ_status w_cli_request_apply(
    struct w_request_args *args, writ_draft *draft, writ_error *err);

/* Makes args->config if an option changes a setting. */
writ_status w_cli_request_settings(
    struct w_request_args *args, writ_error *err);

#endif /* W_CLI_REQUEST_ARGS_H */
