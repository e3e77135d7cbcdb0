/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ policy explain`: how a command would be decided, and why.
 */

#include <stdlib.h>

#include "base/auto.h"
#include "cli/options/options.h"
#include "cli/options/request_args.h"
#include "cli/options/request_rows.h"
#include "cli/output/print.h"
#include "cli/policy/policy_args.h"
#include "cli/policy/policy_explain.h"

struct policy_explain_args {
	struct w_request_args request;
	writ_draft *draft;
};

/* clang-format off */
static const struct w_option options[] = {
	{.heading = "What is asked about",
	 .name = "shell", .arg = "STRING", W_REQUEST_KEY("shell"),
	 .help = "Instead of a command: a text for a shell."},
	{.name = "agent", .arg = "NAME", W_REQUEST_KEY("agent"),
	 .help = "The agent that asks.",
	 .standard = "the policy's default agent"},
	{.name = "approval-session", .arg = "ID", W_REQUEST_KEY("session"),
	 .help = "The session; an approval may apply to only one."},
	{.name = "cwd", .arg = "DIR", W_REQUEST_KEY("cwd"),
	 .help = "The working directory.", .standard = "the current one",
	 .words = "@dir"},
	{.name = "env", .letter = 'e', .arg = "NAME=VALUE", W_REQUEST_KEY("env"),
	 .help = "A variable that the request sets. May be repeated."},
	{.name = "sandbox", .arg = "PROFILE", W_REQUEST_KEY("sandbox"),
	 .help = "The sandbox that the request asks for.",
	 .standard = "as the policy says", .words = "@profile"},
	{.name = "host", .arg = "HOST", W_REQUEST_KEY("hosts"),
	 .help = "As --host of writ run."},
	{.name = "network", .arg = "MODE", W_REQUEST_KEY("network"),
	 .help = "The network that the request asks for.",
	 .standard = "as the policy says", .words = "off|loopback|hosts|host|default"},

	{.heading = "By whom",
	 .name = "policy", .arg = "FILE|PRESET", W_SETTING_KEY("policy"),
	 .help = "This policy instead of the user's and the project's: a "
	         "file, or the name of a preset. The machine's policy always "
	         "applies as well.",
	 .words = "@policy"},
	W_POLICY_PLACE_ROWS(W_SETTING_KEY),
	{.name = "state-dir", .arg = "DIR", W_SETTING_KEY("state_dir"),
	 .help = "Where writ keeps its state, with remembered approvals.",
	 .words = "@dir"},

	{.heading = "Output",
	 .name = "json", W_REQUEST_TO(FLAG, is_json),
	 .help = "Print the decision object."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ policy explain -- git push origin main",
	 "allowed, asked about or denied, and which line says so"},
	{"writ policy explain --agent reviewer --shell 'make | tail'",
	 "a text for a shell, asked for by one agent"},
	{"writ policy explain --policy allowlist -- env sudo id",
	 "by another policy: a preset, or a file"},
	{"writ policy explain --json -- rm -rf build",
	 "the decision object"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "it is allowed"},
	{"1", "a person must approve"},
	{"2", "no answer: wrong usage, a bad request, an invalid policy, "
	      "no such directory"},
	{"3", "it is denied"},
	{.status = ""},
};
/* clang-format on */

static int
explain_decision(struct policy_explain_args *args)
{
	const bool has_words =
	    w_cli_request_given(&args->request, "argv") != NULL;
	const bool has_shell =
	    w_cli_request_given(&args->request, "shell") != NULL;
	writ_status status;
	writ_error err;

	if (has_words == has_shell)
		status = w_usage_fail(args->request.command, &err,
		    has_words ? "a command, or --shell; not both"
			      : "say which command");
	else
		status = writ_draft_new(&args->draft, &err);
	if (status == WRIT_OK)
		status = w_cli_request_apply(&args->request, args->draft, &err);
	if (status == WRIT_OK)
		status = w_cli_request_settings(&args->request, &err);
	if (status != WRIT_OK)
		return w_print_failure(
		    &err, args->request.is_json, W_POLICY_FAILED);

	const struct w_cli_policy_explain what = {
	    .config = args->request.config,
	    .request = writ_draft_request(args->draft),
	    .is_json = args->request.is_json,
	};
	return w_cli_policy_explain(&what, W_POLICY_FAILED);
}

static int
policy_explain_run(int argc, char **argv)
{
	W_AUTO_FREE struct w_request_given *given =
	    calloc((size_t)argc, sizeof(*given));
	struct policy_explain_args args = {
	    .request = {.command = &w_cmd_policy_explain, .given = given}};

	if (given == NULL) {
		w_print_note("out of memory");
		return W_POLICY_FAILED;
	}
	int status =
	    w_cli_command_begin(&w_cmd_policy_explain, argc, argv, &args);
	if (status < 0)
		status = explain_decision(&args);
	writ_draft_free(args.draft);
	writ_config_free(args.request.config);
	return status;
}

const struct w_cli_command w_cmd_policy_explain = {
    .name = "policy explain",
    .summary = "Show what would happen to a command, and why",
    .usage = "policy explain [OPTION]... (-- COMMAND [ARG]... | "
	     "--shell STRING)",
    .about = "Decides about a command as 'writ run' would, and says why: "
	     "the rule with its line, what of the command it matched, "
	     "every command inside with its own verdict and what it "
	     "touches, and the sandbox and limits that the run would "
	     "have. Nothing is run, asked or recorded.",
    .options = options,
    .stores = {w_cli_request_store},
    .examples = examples,
    .exits = exits,
    .operand = W_REQUEST_OPERAND,
    .stops_at_operand = true,
    .usage_exit = W_POLICY_FAILED,
    .run = policy_explain_run,
};
