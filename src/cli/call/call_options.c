/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The options of `writ call`.
 */

#include "cli/call/call_args.h"
#include "cli/module/module_args.h"

/* clang-format off */
const struct w_option w_cli_call_options[] = {
	{.heading = "What is called",
	 .name = "input", .arg = "FILE", W_TO(TEXT, struct w_call_args, input_path),
	 .help = "Read the input as JSON from FILE, or from standard input "
	         "for '-'. Names after the ID override its members.",
	 .words = "@file"},
	{.name = "preview", W_TO(FLAG, struct w_call_args, is_preview),
	 .help = "Show what would run, and run nothing."},
	{.name = "isolated", W_TO(FLAG, struct w_call_args, is_isolated),
	 .help = "Call the module in a process of its own, with an environment "
	         "and a home of its own."},
	{.name = "arguments", .arg = "MODE", .store = 2,
	 .help = "Which characters the texts of the input may have: literal "
	         "(all but NUL, since no shell sees them), strict-modules or "
	         "strict-exec.",
	 .standard = "literal", .words = "literal|strict-modules|strict-exec"},
	W_MODULE_DIR_ROW("", struct w_call_args, dirs),
	{.name = "trace-id", .arg = "ID", W_REQUEST_KEY("trace_id"),
	 .help = "An id of your own, copied into the result."},
	{.name = "cwd", .arg = "DIR", W_REQUEST_KEY("cwd"),
	 .help = "The working directory.",
	 .standard = "as the module says, else the current one",
	 .words = "@dir"},

	W_ROWS_POLICY(),
	W_ROWS_SANDBOX("as the module says, else as the policy does"),
	W_ROWS_ENVIRONMENT("as the module says, else minimal"),
	W_ROWS_STREAMS("as the module says, else that of writ, or null when "
	               "that is a terminal"),
	W_ROWS_TIME("as the module says, else 30s"),
	W_ROWS_LIMITS(),
	W_ROWS_ASKING(),
	W_ROWS_RECORD(),
	W_ROWS_OUTPUT(),
	W_ROWS_PLACES(),
	W_HELP_ROW,
	{.name = ""},
};
/* clang-format on */
