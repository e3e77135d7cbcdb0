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
 * What the options of request_rows.h say, from the command line to a draft.
 *
 * A command line is read first and applied then, after whatever the draft has
 * from elsewhere, so that options override it wherever they stood.
 */

/* What --record and --detach keep of the output at most. */
#define W_REQUEST_KEEP_ALL (UINT64_C(1) << 30)

struct w_request_given {
	const struct w_option *option; /* NULL: a word of the command */
	const char *value;
};

struct w_request_args {
	const struct w_cli_command *command; /* for messages */
	bool is_json;
	bool is_quiet;
	bool is_raw;      /* --raw */
	bool is_recorded; /* --record */
	bool is_detached;
	bool has_no_ask;         /* --no-ask */
	const char *ask_timeout; /* as written; NULL: as is set */
	uint64_t ask_timeout_ms; /* 0: as is set */
	bool is_explained;       /* --explain */
	bool is_dry_run;
	bool has_setting;
	const char *stdin_spec;
	const char *stdin_use; /* what standard input was read for already;
				  NULL: nothing */
	struct w_request_given *given; /* as many as argv has words */
	size_t given_count;
	writ_config *config; /* NULL unless an option sets one; its own */
};

/* Takes an option or, for NULL, a word of the command. Not for what is the
 * command's own: its id is W_REQUEST_OWN or more. */
void w_cli_request_accept(struct w_request_args *args,
    const struct w_option *option, const char *value);

/* Sets everything in the draft that the command line says. */
writ_status w_cli_request_apply(
    struct w_request_args *args, writ_draft *draft, writ_error *err);

/* Makes the settings where an option says one. */
writ_status w_cli_request_settings(
    struct w_request_args *args, writ_error *err);

#endif /* W_CLI_REQUEST_ARGS_H */
