/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ call`: calls a module with arguments and passes on the output and exit
 * status of its command.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "cli/call/call_args.h"
#include "cli/call/call_isolated.h"
#include "cli/call/call_report.h"
#include "cli/cli_command.h"
#include "cli/module/module_page.h"
#include "cli/options/options.h"
#include "cli/options/request_rows.h"
#include "cli/output/print.h"
#include "cli/policy/policy_explain.h"
#include "cli/run/watch.h"

/* clang-format off */
static const struct w_example examples[] = {
	{"writ call cli.git.log --max-count 3",
	 "arguments by name, checked before anything runs"},
	{"writ call cli.git.log '{\"max_count\":3}'", "the same as JSON"},
	{"writ call cli.git.log --help", "the arguments of a module"},
	{"writ call --preview cli.git.log --max-count 3",
	 "show what would run, and run nothing"},
	{"writ call --json --timeout 5s cli.git.status",
	 "one JSON object: exit code, output, duration"},
	{"echo '{\"max_count\":3}' | writ call --input - cli.git.log",
	 "the input from a pipe"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"N", "the command's own exit status, also where the module calls it "
	      "a success; with --dry-run 0 for allow, 1 for ask, 3 for deny"},
	{"124", "it timed out"},
	{"125", "writ failed or refused: denied by the policy or by a "
	        "person, wrong usage, an input that the module does not "
	        "accept, a sandbox that cannot be built"},
	{"126", "the program was found but cannot be executed"},
	{"127", "no such module, or its program was not found"},
	W_EXIT_ROWS_SIGNALS,
	{.status = ""},
};

static const struct {
	const char *word;
	writ_arguments mode;
} modes[] = {
#define X(name, word) {word, WRIT_ARGUMENTS_##name},
	WRIT_ARGUMENTS_MAP(X)
#undef X
};
/* clang-format on */

writ_status
w_cli_call_store_arguments(void *ctx, const struct w_option *option,
    const char *value, writ_error *err)
{
	struct w_call_args *args = ctx;

	(void)option;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(modes[i].word, value) == 0) {
			args->arguments = modes[i].mode;
			return WRIT_OK;
		}
	}
	return w_usage_fail(&w_cmd_call, err,
	    "--arguments: unknown mode '%s', expected literal, strict-modules "
	    "or strict-exec",
	    value);
}

/* The ID, and then the words of the module, which are only counted here. */
static writ_status
call_store_word(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct w_call_args *args = ctx;

	(void)option;
	(void)err;
	if (args->id == NULL)
		args->id = value;
	else
		args->rest_count++;
	return WRIT_OK;
}

/* Records a call that failed before it became a request. */
static void
record_refusal(const struct w_call_args *args, const writ_error *why)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_request request = WRIT_REQUEST_INIT;
	writ_engine *engine = NULL;
	writ_error err;

	if (args->id == NULL || args->is_preview)
		return;
	options.config = args->request.config;
	options.door = "cli";
	/* A failure to record matters less than why nothing runs, which is
	 * reported next. */
	if (writ_engine_new(&options, &engine, &err) != WRIT_OK)
		return;
	request.module = args->id;
	request.agent = w_cli_request_given(&args->request, "agent");
	request.trace_id = w_cli_request_given(&args->request, "trace_id");
	writ_refuse(engine, &request, why);
	writ_engine_free(engine);
}

static int
refuse_call(const struct w_call_args *args, const writ_error *err)
{
	record_refusal(args, err);
	return w_cli_call_report(args, err);
}

static int
call_module(struct w_call_args *args)
{
	writ_error err;

	if (args->id == NULL) {
		(void)w_usage_fail(&w_cmd_call, &err,
		    "say which module: writ module list shows them");
		return refuse_call(args, &err);
	}
	if (w_cli_request_settings(&args->request, &err) != WRIT_OK ||
	    w_cli_call_args_find(args, &err) != WRIT_OK)
		return refuse_call(args, &err);
	if (args->words.wants_help)
		return w_cli_module_page_print(args->modules, args->module);
	if (w_cli_call_args_input(args, &err) != WRIT_OK ||
	    w_cli_call_args_prepare(args, &err) != WRIT_OK)
		return refuse_call(args, &err);
	if (args->is_preview)
		return w_cli_call_report_preview(args);

	const struct w_cli_policy_explain what = {
	    .config = args->request.config,
	    .request = writ_call_request(args->call),
	    .is_of_project = writ_call_is_of_project(args->call),
	    .is_json = args->request.is_json,
	    .is_quiet = args->request.is_quiet,
	};
	if (args->request.is_dry_run)
		return w_cli_policy_explain(&what, 0);
	if (args->request.is_explained)
		w_cli_policy_explain_stderr(&what);
	if (args->is_isolated)
		return w_cli_call_isolated(args);

	const struct w_watch_options watch_options = {
	    .is_raw = args->request.is_raw,
	    .request = writ_call_request(args->call),
	    .call = args->call,
	    .is_of_project = writ_call_is_of_project(args->call),
	    .config = args->request.config,
	    .is_json = args->request.is_json,
	    .is_quiet = args->request.is_quiet,
	    .never_asks = args->request.never_asks,
	    .ask_timeout_ms = args->request.ask_timeout_ms,
	};
	return w_watch_run(&watch_options);
}

static int
call_run(int argc, char **argv)
{
	struct w_call_args args = {.request = {.command = &w_cmd_call}};
	W_AUTO_FREE struct w_request_given *given =
	    calloc((size_t)argc, sizeof(*given));

	if (given == NULL) {
		w_print_note("out of memory");
		return w_cmd_call.usage_exit;
	}
	args.request.given = given;
	w_buf_init(&args.input, WRIT_REQUEST_MAX);

	int status = w_cli_command_begin(&w_cmd_call, argc, argv, &args);
	args.rest = (const char *const *)argv + argc - args.rest_count;
	if (status < 0)
		status = call_module(&args);
	writ_call_free(args.call);
	writ_modules_free(args.modules);
	writ_config_free(args.request.config);
	w_words_done(&args.dirs);
	free(args.words.given);
	w_buf_done(&args.input);
	return status;
}

const struct w_cli_command w_cmd_call = {
    .name = "call",
    .summary = "Call a module: a described command with checked arguments",
    .usage = "call [OPTION]... ID [JSON] [--NAME VALUE]... [OPERAND]...\n"
	     "  writ call [OPTION]... --input FILE|- ID\n"
	     "  writ call ID --help",
    .about = "Checks the arguments against the schema of the module, "
	     "builds the command line from them, and runs it like 'writ "
	     "run'. Options go before the ID; what follows it is the "
	     "input of the module.",
    .options = w_cli_call_options,
    .stores = {w_cli_request_store, w_cli_call_store_arguments,
	call_store_word},
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@module", .store = 3},
    .stops_at_operand = true,
    .usage_exit = 125,
    .run = call_run,
};
