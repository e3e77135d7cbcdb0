/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CALL_ARGS_H
#define W_CLI_CALL_ARGS_H

#include <writ/module.h>

#include "base/buf.h"
#include "base/words.h"
#include "cli/call/call_words.h"
#include "cli/options/request_args.h"
#include "cli/options/request_rows.h"

extern const struct w_option w_cli_call_options[];

/* Stores the mode of --arguments; ctx is a struct w_call_args. */
writ_status w_cli_call_store_arguments(void *ctx, const struct w_option *option,
    const char *value, writ_error *err);

/* The command line of `writ call`, and the call made from it. */
struct w_call_args {
	struct w_request_args request;
	bool is_preview;
	bool is_isolated;
	writ_arguments arguments;
	struct w_words dirs; /* of --modules */
	const char *id;
	const char *const
	    *rest; /* the words after the ID; borrowed from argv */
	int rest_count;
	const char *input_path; /* of --input */
	bool is_verbatim; /* the input is the user's own text: lines and columns
			   * refer to it */
	struct w_buf input;
	writ_modules *modules;
	const writ_module *module;
	struct w_call_words words;
	writ_call *call;
};

/* Finds the module and parses the words after its ID. */
writ_status w_cli_call_args_find(struct w_call_args *args, writ_error *err);

/* Builds the input from the words and the document. */
writ_status w_cli_call_args_input(struct w_call_args *args, writ_error *err);

/* Builds the call from the input and the options. On failure args->call may
 * have problems. */
writ_status w_cli_call_args_prepare(struct w_call_args *args, writ_error *err);

#endif /* W_CLI_CALL_ARGS_H */
