/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ policy allow|ask|deny SHAPE`: one more rule in the user's policy.
 *
 * A rule of one project is kept there too, bound to the project's root: the
 * project's own file may only tighten, and comes from the author of the
 * project.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/policy/policy_args.h"
#include "cli/policy/policy_write.h"

#define STAGE     "policy"
#define LINE_SIZE ((size_t)64 << 10)
#define MS        1000

struct policy_rule_args {
	struct w_policy_args shared; /* first member: shared rows fill it */
	bool is_project;
	bool is_user;
	bool is_yes;
	bool is_dry_run;
	const char *host; /* instead of a shape; NULL: none */
	uint64_t for_ms;  /* 0: for good */
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "host", .arg = "HOST", W_TO(TEXT, struct policy_rule_args, host),
	 .help = "Instead of a SHAPE: connections to this host (a name, "
	         "'*.name', an address, with ':port' or without, or a package "
	         "manager such as '@npm'), by whatever runs with hosts."},
	{.name = "user", W_TO(FLAG, struct policy_rule_args, is_user),
	 .help = "The rule applies in every directory. This is the default."},
	{.name = "project", W_TO(FLAG, struct policy_rule_args, is_project),
	 .help = "The rule applies in this project only. It is kept in the "
	         "user's file, bound to the project's root."},
	{.name = "for", .arg = "DURATION",
	 W_TO(DURATION, struct policy_rule_args, for_ms),
	 .help = "How long the rule applies.", .standard = "for good"},
	{.name = "dry-run", W_TO(FLAG, struct policy_rule_args, is_dry_run),
	 .help = "Show the difference and write nothing."},
	{.name = "yes", .letter = 'y', W_TO(FLAG, struct policy_rule_args, is_yes),
	 .help = "Write it without asking."},
	{.name = "cwd", .arg = "DIR",
	 W_TO(TEXT, struct policy_rule_args, shared.cwd), .words = "@dir",
	 .help = "The directory of the project.", .standard = "the current one"},
	{.name = "config-dir", .arg = "DIR",
	 W_TO(SETTING, struct policy_rule_args, shared.config),
	 .key = "config_dir", .words = "@dir",
	 .help = "The user's configuration, with its policy.yaml."},
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ policy allow 'git push origin main'", "exactly that"},
	{"writ policy allow 'pip install ...' --project --for 8h",
	 "in this project, until tonight"},
	{"writ policy deny 'npm publish ...' --dry-run", "see it first"},
	{"writ policy allow --host api.example.com --project",
	 "what runs in this project may reach it"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "the rule is written, was there already, or was shown"},
	{"1", "the person said no"},
	{"2", "wrong usage, or a rule that cannot be written; nothing was"},
	{.status = ""},
};
/* clang-format on */

/* ---- what to write ---- */

static bool
set_until(const struct policy_rule_args *args, char out[32])
{
	const time_t end =
	    time(NULL) + (time_t)(args->for_ms / MS) + (args->for_ms % MS > 0);
	struct tm when;

	return gmtime_r(&end, &when) != NULL &&
	       strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &when) > 0 &&
	       when.tm_year < 9999 - 1900;
}

/* The root of this project, as policies know it. */
static writ_status
find_project(
    const struct policy_rule_args *args, char **out_root, writ_error *err)
{
	writ_policy_options look = WRIT_POLICY_OPTIONS_INIT;
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	look.cwd = args->shared.cwd;
	writ_status status = writ_policy_look(
	    args->shared.config, WRIT_POLICY_SHOW, &look, &json, &len, err);
	if (status != WRIT_OK)
		return status;
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	const char *root = yyjson_get_str(
	    yyjson_ptr_get(yyjson_doc_get_root(doc), "/effective/project"));
	*out_root = root == NULL ? NULL : strdup(root);
	yyjson_doc_free(doc);
	if (*out_root != NULL)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "cannot tell the root of this project");
	w_suggest(err, "'writ policy lint' says whether a policy is wrong");
	return WRIT_E_INVALID;
}

/* ---- writing ---- */

/* `pip install` alone may mean something else than with arguments, so an open
 * shape has two examples to try. */
static writ_status
try_examples(struct w_policy_writing *writing, struct w_policy_addition *rule,
    struct w_buf *line, size_t *out_changes, writ_error *err)
{
	writ_error second;
	writ_status status = w_cli_policy_example(rule->shape, NULL, line, err);

	if (status != WRIT_OK)
		return status;
	rule->expect = line->data;
	status = w_cli_policy_writing_try(writing, rule, 1, out_changes, err);
	if (status == WRIT_OK || strstr(rule->shape, "...") == NULL)
		return status;
	if (w_cli_policy_example(rule->shape, "x", line, &second) != WRIT_OK)
		return status;
	rule->expect = line->data;
	return w_cli_policy_writing_try(
		   writing, rule, 1, out_changes, &second) == WRIT_OK
		   ? WRIT_OK
		   : status;
}

static writ_status
policy_rule_prepare(const struct policy_rule_args *args,
    struct w_policy_writing *writing, size_t *out_changes, writ_error *err)
{
	struct w_policy_addition rule = {
	    .verdict = args->shared.command->name + strlen("policy "),
	    .shape = args->host != NULL ? args->host : args->shared.operand,
	    .is_host = args->host != NULL};
	char until[32];
	W_AUTO_FREE char *root = NULL;
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_SIZE);
	writ_status status = w_cli_policy_writing_open(writing, err);
	if (status == WRIT_OK && args->is_project)
		status = find_project(args, &root, err);
	if (status != WRIT_OK)
		return status;
	rule.project = root;
	if (args->for_ms > 0) {
		if (!set_until(args, until))
			return w_usage_fail(args->shared.command, err,
			    "--for: that is too long");
		rule.until = until;
	}
	return rule.is_host
		   ? w_cli_policy_writing_try(
			 writing, &rule, 1, out_changes, err)
		   : try_examples(writing, &rule, &line, out_changes, err);
}

/* NULL: none. */
static const char *
find_misuse(const struct policy_rule_args *args)
{
	if (args->host != NULL && args->shared.operand != NULL)
		return "give a SHAPE or --host, not both";
	if (args->host == NULL && args->shared.operand == NULL)
		return "say which SHAPE, such as 'git push ...', or --host";
	return args->is_project && args->is_user
		   ? "--project and --user cannot be used together"
		   : NULL;
}

static int
policy_rule_write(struct w_policy_args *shared)
{
	const struct policy_rule_args *args =
	    (const struct policy_rule_args *)shared;
	struct w_policy_writing writing = {.command = shared->command,
	    .config = shared->config,
	    .cwd = shared->cwd,
	    .is_yes = args->is_yes,
	    .is_dry_run = args->is_dry_run};
	size_t changes = 0;
	writ_error err;
	int status = W_POLICY_FAILED;

	const char *wrong = find_misuse(args);
	if (wrong != NULL) {
		(void)w_usage_fail(shared->command, &err, "%s", wrong);
		return w_print_failure(&err, false, W_POLICY_FAILED);
	}
	if (policy_rule_prepare(args, &writing, &changes, &err) != WRIT_OK) {
		status = w_print_failure(&err, false, W_POLICY_FAILED);
	} else if (changes == 0) {
		w_print_note("the rule is there already: %s", writing.path);
		status = 0;
	} else {
		status = w_cli_policy_writing_finish(&writing);
	}
	w_cli_policy_writing_close(&writing);
	return status;
}

static int
policy_rule_run(const struct w_cli_command *command, int argc, char **argv)
{
	struct policy_rule_args args = {.shared = {.command = command}};

	return w_cli_policy_begin(&args.shared, argc, argv, policy_rule_write);
}

static int
run_allow(int argc, char **argv)
{
	return policy_rule_run(&w_cmd_policy_allow, argc, argv);
}

static int
run_ask(int argc, char **argv)
{
	return policy_rule_run(&w_cmd_policy_ask, argc, argv);
}

static int
run_deny(int argc, char **argv)
{
	return policy_rule_run(&w_cmd_policy_deny, argc, argv);
}

/* clang-format off */
#define RULE_COMMAND(word, what, text) \
	.name = "policy " word, \
	.summary = (what), \
	.usage = "policy " word " [OPTION]... [SHAPE]", \
	.about = text " SHAPE is the words of a command; a trailing '...' " \
		 "stands for further arguments that add no new effect. The " \
		 "rule goes into the user's policy.yaml, with a line of " \
		 "'expect'; comments and order are kept. The difference is " \
		 "shown, and written if the person says yes, the policy " \
		 "loads, and all its expectations hold.", \
	.options = options, \
	.examples = examples, \
	.exits = exits, \
	.operand = &(const struct w_option){.help = "a SHAPE with blanks needs quotes", \
		    W_TO(TEXT, struct policy_rule_args, shared.operand)}, \
	.usage_exit = W_POLICY_FAILED

const struct w_cli_command w_cmd_policy_allow = {
	RULE_COMMAND("allow", "Allow a command from now on",
	    "Adds a rule that allows a command. It outranks what an included "
	    "preset asks about, never a deny."),
	.run = run_allow,
};

const struct w_cli_command w_cmd_policy_ask = {
	RULE_COMMAND("ask", "Ask about a command from now on",
	    "Adds a rule that asks a person about a command."),
	.run = run_ask,
};

const struct w_cli_command w_cmd_policy_deny = {
	RULE_COMMAND("deny", "Deny a command from now on",
	    "Adds a rule that denies a command."),
	.run = run_deny,
};
/* clang-format on */
