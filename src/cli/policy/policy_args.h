/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_POLICY_ARGS_H
#define W_CLI_POLICY_ARGS_H

#include <stdbool.h>

#include <yyjson.h>

#include <writ/config.h>
#include <writ/policy.h>

#include "cli/cli_command.h"
#include "cli/policy/decision_page.h"

/*
 * What the commands of `writ policy` share: where policies are searched, and
 * how their faults are shown.
 */

/* Exit statuses of commands that print a verdict. */
enum w_policy_exit {
	W_POLICY_ALLOWED = 0,
	W_POLICY_ASKED = 1,
	W_POLICY_FAILED = 2,
	W_POLICY_DENIED = 3,
};

/* clang-format off */
/* Where the settings of most of the commands go. */
#define W_POLICY_SETTING(setting) \
	W_TO(SETTING, struct w_policy_args, config), .key = setting

#define W_POLICY_OPTION_ROW \
	{.name = "policy", .arg = "FILE|PRESET", \
	 W_POLICY_SETTING("policy"), .words = "@policy", \
	 .help = "This policy instead of the user's and the project's: a " \
	         "file, or the name of a preset. The machine's policy always " \
	         "applies as well."}

#define W_POLICY_PLACE_ROWS(SETTING) \
	{.name = "config-dir", .arg = "DIR", SETTING("config_dir"), \
	 .words = "@dir", \
	 .help = "The user's configuration, with its policy.yaml."}, \
	{.name = "system-dir", .arg = "DIR", SETTING("system_dir"), \
	 .words = "@dir", \
	 .help = "The machine's configuration, with its policy.yaml."}

#define W_POLICY_JSON_ROW \
	{.name = "json", W_TO(FLAG, struct w_policy_args, is_json), .help = "Print JSON."}

#define W_POLICY_ROWS \
	{.name = "cwd", .arg = "DIR", \
	 W_TO(TEXT, struct w_policy_args, cwd), .words = "@dir", \
	 .help = "The directory of the project.", .standard = "the current one"}, \
	W_POLICY_OPTION_ROW, \
	W_POLICY_PLACE_ROWS(W_POLICY_SETTING), \
	W_POLICY_JSON_ROW, \
	W_HELP_ROW, \
	{.name = ""}
/* clang-format on */

struct w_policy_args {
	const struct w_cli_command *command;
	bool is_json;
	const char *cwd;     /* NULL: the current one */
	const char *operand; /* NULL: none */
	bool is_effective;
	bool has_names;
	writ_config *config;
};

/* Parses the command line, calls run, frees all. Returns the exit status. */
int w_cli_policy_begin(struct w_policy_args *args, int argc, char **argv,
    int (*run)(struct w_policy_args *args));

/* The answer of writ_policy_look(). */
struct w_policy_report {
	char *json;
	size_t len;
	yyjson_doc *doc;
	yyjson_val *root;
};

/* Reports on the operand, or on all policies that apply. Returns 0, or the exit
 * status after a message. */
int w_cli_policy_report(const struct w_policy_args *args, writ_policy_task task,
    struct w_policy_report *out_view);
void w_cli_policy_report_done(struct w_policy_report *view);
#define W_AUTO_POLICY_REPORT __attribute__((cleanup(w_cli_policy_report_done)))

/* Whether a policy is a built-in preset that nobody named: it applies because
 * there is no policy file, and needs no check. */
bool w_cli_policy_is_default(
    const struct w_policy_args *args, yyjson_val *policy);

/* Prints a note if there is no policy file. */
void w_cli_policy_note_none(const struct w_policy_args *args, yyjson_val *root);

/* Appends the faults of a policy: "FILE:LINE:COLUMN: warning: ...", the line,
 * and the advice. Returns their number; *out_warnings are warnings. */
size_t w_cli_policy_add_faults(const struct w_decision_page *page,
    yyjson_val *policy, size_t *out_warnings);

extern const struct w_cli_command w_cmd_policy_allow;
extern const struct w_cli_command w_cmd_policy_ask;
extern const struct w_cli_command w_cmd_policy_check;
extern const struct w_cli_command w_cmd_policy_deny;
extern const struct w_cli_command w_cmd_policy_explain;
extern const struct w_cli_command w_cmd_policy_import;
extern const struct w_cli_command w_cmd_policy_lint;
extern const struct w_cli_command w_cmd_policy_presets;
extern const struct w_cli_command w_cmd_policy_schema;
extern const struct w_cli_command w_cmd_policy_show;
extern const struct w_cli_command w_cmd_policy_test;

#endif /* W_CLI_POLICY_ARGS_H */
