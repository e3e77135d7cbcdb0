/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session run NAME ...`: writ run --session NAME ..., for those who look
 * for it here.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/manifest/cmd_session.h"
#include "cli/options/options.h"
#include "cli/options/request_args.h"
#include "cli/output/print.h"

/* clang-format off */
static const struct w_example examples[] = {
	{"writ session run dev -- make test", "writ run --session dev -- make test"},
	{"writ session run dev --detach -- npm start",
	 "a server that the next run reaches on 127.0.0.1"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"N", "as of 'writ run'"},
	{"125", "no such session, or as of 'writ run'"},
	{.status = ""},
};
/* clang-format on */

static bool
wants_session_run_help(int argc, char **argv)
{
	return argc < 2 || strcmp(argv[1], "--help") == 0 ||
	       strcmp(argv[1], "-h") == 0;
}

static int
session_run_run(int argc, char **argv)
{
	static char word[] = "run", option[] = "--session";
	writ_error err;

	if (wants_session_run_help(argc, argv)) {
		void *none = NULL;

		if (argc >= 2)
			return w_cli_command_begin(
			    &w_cmd_session_run, 2, argv, &none);
		(void)w_usage_fail(
		    &w_cmd_session_run, &err, "say the NAME of the session");
		return w_print_failure(&err, false, 125);
	}
	if (argv[1][0] == '-') {
		(void)w_usage_fail(&w_cmd_session_run, &err,
		    "the NAME of the session comes first, then the options");
		return w_print_failure(&err, false, 125);
	}
	W_AUTO_FREE char **words = calloc((size_t)argc + 2, sizeof(*words));
	if (words == NULL) {
		w_print_note("out of memory");
		return 125;
	}
	words[0] = word;
	words[1] = option;
	for (int i = 1; i < argc; i++)
		words[i + 1] = argv[i];
	return w_cmd_run.run(argc + 1, words);
}

const struct w_cli_command w_cmd_session_run = {
    .name = "session run",
    .summary = "Run a command in a live session",
    .usage = "session run NAME [OPTION]... [--] PROGRAM [ARGUMENT]...",
    .about = "The same as 'writ run --session NAME', with its options.",
    .options = w_cli_run_options,
    .stores = {w_cli_request_store},
    .examples = examples,
    .exits = exits,
    .operand =
	&(const struct w_option){.words = "@live-session", .arg = "NAME"},
    .stops_at_operand = true,
    .usage_exit = 125,
    .run = session_run_run,
};
