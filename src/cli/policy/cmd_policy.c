/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ policy`: what may run, and why.
 */

#include "cli/policy/policy_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ policy explain -- git push",
	 "what would happen, and which line decides"},
	{"writ policy show", "the policies that apply here"},
	{"writ policy show developer", "a preset, to start from"},
	{"writ policy test", "whether they give the answers in 'expect'"},
	{"writ policy lint", "valid, but probably a mistake"},
	{"writ policy allow 'git push origin main'",
	 "a rule in the user's policy"},
	{"writ policy import ~/.claude/settings.json",
	 "the rules of an agent program"},
	{"writ policy check < event.json",
	 "answer the hook of an agent program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success; explain: it is allowed"},
	{"1", "explain: a person must approve; test, lint: something was "
	      "found"},
	{"2", "wrong usage, or a policy that cannot be read"},
	{"3", "explain: it is denied"},
	{.status = ""},
};
/* clang-format on */

static const struct w_cli_command *const subs[] = {
    &w_cmd_policy_explain,
    &w_cmd_policy_show,
    &w_cmd_policy_test,
    &w_cmd_policy_lint,
    &w_cmd_policy_allow,
    &w_cmd_policy_ask,
    &w_cmd_policy_deny,
    &w_cmd_policy_import,
    &w_cmd_policy_presets,
    &w_cmd_policy_schema,
    &w_cmd_policy_check,
    NULL,
};

const struct w_cli_command w_cmd_policy = {
    .name = "policy",
    .summary = "Show who may run what, and why",
    .about = "A policy answers allow, ask or deny for every command. It "
	     "is a YAML file: the machine's, the user's and the project's "
	     "apply together, and the strictest answer wins. "
	     "docs/policy.md has the language; 'writ init' writes one to "
	     "start from.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .subs = subs,
};
