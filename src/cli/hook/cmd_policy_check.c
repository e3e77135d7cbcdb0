/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ policy check`: the hook that an agent program runs before it uses a
 * tool. Every failure here exits with status 2 and a message on standard error,
 * which these programs treat as a denial.
 */

#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/hook/hook_check.h"
#include "cli/options/options.h"
#include "cli/options/text_file.h"
#include "cli/output/print.h"
#include "cli/policy/policy_args.h"

#define REASON_MAX ((size_t)1 << 20)

enum {
	BLOCKED = 2,
};

struct check {
	struct w_policy_args policy; /* first: its rows are shared */
	enum w_hook_format format;
	struct w_hook_check hook_check;
};

static writ_status
store_format(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct check *check = ctx;

	(void)option;
	if (w_hook_format_named(value, &check->format))
		return WRIT_OK;
	return w_usage_fail(&w_cmd_policy_check, err,
	    "--format: unknown format '%.64s', expected auto, claude, codex, "
	    "copilot, cursor or gemini",
	    value);
}

/* clang-format off */
static const struct w_option options[] = {
	{.name = "format", .arg = "NAME", .store = 1,
	 .help = "Whose event it is: claude, codex, copilot, cursor or gemini.",
	 .standard = "auto: detected from the event",
	 .words = "auto|claude|codex|copilot|cursor|gemini"},
	{.name = "agent", .arg = "NAME", W_TO(TEXT, struct check, hook_check.agent),
	 .help = "The agent that asks.",
	 .standard = "the policy's default agent"},
	{.name = "confine", W_TO(FLAG, struct check, hook_check.is_confined),
	 .help = "Let shell commands run through 'writ run', in its sandbox, "
	         "instead of in the agent's own shell."},
	{.name = "no-ask", W_TO(FLAG, struct check, hook_check.never_asks),
	 .help = "Deny what would need a person's approval."},
	W_POLICY_OPTION_ROW,
	W_POLICY_PLACE_ROWS(W_POLICY_SETTING),
	{.name = "state-dir", .arg = "DIR", 
	 W_POLICY_SETTING("state_dir"), .words = "@dir",
	 .help = "Where writ keeps its state: remembered approvals, and the "
	         "record."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ policy check < event.json",
	 "answer one event, in the form of the program that it is from"},
	{"writ policy check --agent reviewer --no-ask",
	 "for an unattended agent"},
	{"writ policy check --confine",
	 "the command runs, but in the sandbox of writ run"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "an answer is on standard output, or there is no opinion and "
	    "no output"},
	{"2", "no answer: not an event, an invalid policy, wrong usage. "
	      "Programs with hooks take that for a no"},
	{.status = ""},
};
/* clang-format on */

static writ_status
read_event(struct check *check, writ_error *err)
{
	static const struct w_text_file_kind kind = {
	    .what = "event",
	    .advice = "an event of that size cannot be judged",
	};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_HOOK_BYTES_MAX);
	writ_status status = w_text_file_read(&kind, "-", &text, err);
	if (status != WRIT_OK)
		return status;
	return w_hook_read(
	    text.data, text.len, check->format, &check->hook_check.event, err);
}

static writ_status
answer_event(struct w_hook_check *hook_check, writ_error *err)
{
	writ_engine_options settings = WRIT_ENGINE_OPTIONS_INIT;
	W_AUTO_BUF struct w_buf answer;

	w_buf_init(&answer, W_HOOK_BYTES_MAX);
	settings.config = hook_check->config;
	settings.door = "hook";
	/* The agent program asks the person, out of the agent's reach: that is
	 * as good as a terminal. */
	settings.has_terminal = true;
	settings.sandbox =
	    w_hook_check_is_sandboxed(hook_check) ? NULL : "none";
	writ_status status =
	    writ_engine_new(&settings, &hook_check->engine, err);
	if (status == WRIT_OK)
		status = w_hook_check_answer(hook_check, &answer, err);
	if (status != WRIT_OK)
		return status;
	if (w_print_bytes(STDOUT_FILENO, answer.data, answer.len) < 0)
		return w_fail(err, WRIT_E_SYSTEM, "hook", errno,
		    "cannot write the answer");
	return WRIT_OK;
}

static int
check_event(struct w_policy_args *args)
{
	struct check *check = (struct check *)args;
	struct w_hook_check *hook_check = &check->hook_check;
	writ_error err;
	writ_status status = read_event(check, &err);

	hook_check->config = args->config;
	w_buf_init(&hook_check->reason, REASON_MAX);
	if (status == WRIT_OK && hook_check->event.act_count > 0)
		status = answer_event(hook_check, &err);
	writ_engine_free(hook_check->engine);
	w_hook_done(&hook_check->event);
	w_buf_done(&hook_check->reason);
	if (status == WRIT_OK)
		return 0;
	w_print_error(&err, "stdin");
	return BLOCKED;
}

static int
policy_check_run(int argc, char **argv)
{
	struct check check = {
	    .policy = {.command = &w_cmd_policy_check}, .format = W_HOOK_AUTO};

	return w_cli_policy_begin(&check.policy, argc, argv, check_event);
}

const struct w_cli_command w_cmd_policy_check = {
    .name = "policy check",
    .summary = "Answer the hook of an agent program before it uses a tool",
    .usage = "policy check [OPTION]... < EVENT",
    .about = "Reads the event that an agent program hands to its pre-tool "
	     "hook on standard input, judges what the tool is about to "
	     "do, and answers in the form of that program. A tool that "
	     "reads or writes files is judged as the command that does "
	     "the same. The tool runs in the agent program and not in "
	     "writ, so it is judged as a command without a sandbox, with "
	     "the network of the machine; --confine changes that for "
	     "shells. For other tools and events there is no opinion, and "
	     "no output.",
    .options = options,
    .stores = {store_format},
    .examples = examples,
    .exits = exits,
    .usage_exit = BLOCKED,
    .run = policy_check_run,
};
