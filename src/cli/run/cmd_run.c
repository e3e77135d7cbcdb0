/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ run`: runs one command and passes on its output and exit status.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "cli/cli_command.h"
#include "cli/options/request_rows.h"
#include "cli/output/print.h"
#include "cli/policy/policy_explain.h"
#include "cli/run/detach.h"
#include "cli/run/run_args.h"
#include "cli/run/watch.h"

/* clang-format off */
static const struct w_example examples[] = {
	{"writ run -- make test",
	 "run it here; what it leaves in the background is ended with it"},
	{"writ run --timeout 30s --memory 512MiB -- ./build.sh",
	 "end it after half a minute, or when it takes too much memory"},
	{"writ run --network off -- npm test",
	 "without a network, so that no approval is needed"},
	{"writ run --dry-run -- git push",
	 "what the policy says about it, and why"},
	{"writ run --sandbox strict --read ~/data --network loopback -- ./serve",
	 "only the system, this directory, ~/data, and itself to talk to"},
	{"writ run --json -- git status",
	 "one JSON object: exit code, output, duration, usage"},
	{"writ run --shell 'sort words | uniq -c'",
	 "a shell, but only because it says so"},
	{"writ run -e CI=1 --pass 'LC_*' --cwd /srv/app -- make check",
	 "a small environment, plus what it needs"},
	{"writ run --pty -- vim notes.txt",
	 "with a terminal of its own, in the same sandbox"},
	{"writ run --session dev -- make test",
	 "with the /tmp and the 127.0.0.1 of a session; see writ session"},
	{"writ run --publish 3000 -- npm start",
	 "its port 3000 is reached on the machine's 127.0.0.1:3000"},
	{"writ run --detach -- ./train.sh",
	 "print the id of the run and return; see writ output, wait and kill"},
	{"echo '{\"argv\":[\"date\"],\"timeout_ms\":\"5s\"}' | "
	 "writ run --request -",
	 "the same as a document"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"N", "the command's own exit status; with --detach 0 once it has "
	      "started; with --dry-run 0 for allow, 1 for ask, 3 for deny"},
	{"124", "it timed out: --timeout or --idle-timeout"},
	{"125", "writ failed or refused: denied by the policy or by a "
	        "person, wrong usage, a bad request, no such directory, a "
	        "sandbox that cannot be built"},
	{"126", "the program was found but cannot be executed"},
	{"127", "the program was not found"},
	W_EXIT_ROWS_SIGNALS,
	{.status = ""},
};
/* clang-format on */

static int
run_report(const struct w_run_args *args, const writ_error *err)
{
	if (args->request.is_json)
		w_print_error_json(err);
	else
		w_print_error(err,
		    w_cli_run_is_stdin(args) ? "stdin" : args->request_path);
	return writ_status_exit(err->status);
}

static int
run_args(struct w_run_args *args)
{
	writ_error err;

	if (w_cli_run_prepare(args, &err) != WRIT_OK)
		return run_report(args, &err);

	const struct w_cli_policy_explain what = {
	    .config = args->request.config,
	    .request = writ_draft_request(args->draft),
	    .is_json = args->request.is_json,
	    .is_quiet = args->request.is_quiet,
	};
	if (args->request.is_dry_run)
		return w_cli_policy_explain(&what, 0);
	if (args->request.is_explained)
		w_cli_policy_explain_stderr(&what);

	const struct w_watch_options watch_options = {
	    .is_raw = args->request.is_raw,
	    .request = writ_draft_request(args->draft),
	    .config = args->request.config,
	    .session = args->session,
	    .publish = (const char *const *)args->publish.items,
	    .connect = (const char *const *)args->connect.items,
	    .is_json = args->request.is_json,
	    .is_quiet = args->request.is_quiet,
	    .never_asks = args->request.never_asks,
	    .ask_timeout_ms = args->request.ask_timeout_ms,
	};
	return args->request.is_detached ? w_detach_run(&watch_options)
					 : w_watch_run(&watch_options);
}

static int
run_main(int argc, char **argv)
{
	struct w_run_args args = {.request = {.command = &w_cmd_run}};
	W_AUTO_FREE struct w_request_given *given =
	    calloc((size_t)argc, sizeof(*given));

	if (given == NULL) {
		w_print_note("out of memory");
		return w_cmd_run.usage_exit;
	}
	args.request.given = given;

	int status = w_cli_command_begin(&w_cmd_run, argc, argv, &args);
	if (status < 0)
		status = run_args(&args);
	writ_draft_free(args.draft);
	writ_config_free(args.request.config);
	w_words_done(&args.publish);
	w_words_done(&args.connect);
	return status;
}

const struct w_cli_command w_cmd_run = {
    .name = "run",
    .summary = "Run a command, confined and bounded, with nothing left running",
    .usage = "run [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	     "  writ run [OPTION]... --shell STRING\n"
	     "  writ run [OPTION]... --request FILE|-",
    .about = "Runs a command and passes on its output and its exit "
	     "status. When the run ends, by itself, by a limit or by "
	     "Ctrl-C, every process that it started is gone. It runs only "
	     "if the policy allows it or a person agrees, and inside the "
	     "sandbox that the policy names: by default it can write to "
	     "the working directory and nowhere else, and has no network.",
    .options = w_cli_run_options,
    .stores = {w_cli_request_store},
    .examples = examples,
    .exits = exits,
    .operand = W_REQUEST_OPERAND,
    .stops_at_operand = true,
    .usage_exit = 125,
    .run = run_main,
};
