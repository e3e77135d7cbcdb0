/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ config show`: each setting, its value and its origin.
 */

#include <string.h>

#include <writ/config.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/match.h"
#include "cli/cli_command.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "data/json.h"

#define SETTINGS_MAX 64

struct config_args {
	bool is_json;
	const char *key; /* NULL: all */
	writ_config *config;
};

/* clang-format off */
#define VALUE_ROW(option, setting, what, text, choice) \
	{.name = option, .arg = what, W_TO(SETTING, struct config_args, config), \
	 .key = setting, .help = text, .words = choice}
#define SETTING_ROW(option, setting, text) \
	VALUE_ROW(option, setting, "DIR", text, "@dir")

static const struct w_option options[] = {
	{.name = "json", W_TO(FLAG, struct config_args, is_json),
	 .help = "Print a JSON array of objects."},
	SETTING_ROW("config-dir", "config_dir", "The user's configuration."),
	SETTING_ROW("system-dir", "system_dir",
	    "The configuration of the machine."),
	SETTING_ROW("state-dir", "state_dir", "What must be kept after a run."),
	SETTING_ROW("cache-dir", "cache_dir", "What can be rebuilt."),
	SETTING_ROW("spill-dir", "spill_dir", "Output beyond the limit."),
	VALUE_ROW("modules", "modules", "DIRS",
	    "Directories of modules.", "@dir"),
	VALUE_ROW("policy", "policy", "FILE|PRESET",
	    "The policy in place of the user's and the project's.", "@policy"),
	VALUE_ROW("approval-timeout", "approval_timeout", "DURATION",
	    "How long a question waits for its answer.", ""),
	VALUE_ROW("form-time", "form_time", "DURATION",
	    "How long a person needs at least to read a form.", ""),
	VALUE_ROW("audit-durability", "audit_durability", "MODE",
	    "When a record is written to the disk.", "sync|batch|none"),
	VALUE_ROW("audit-failure", "audit_failure", "MODE",
	    "What to do when no record can be written.", "refuse|run"),
	VALUE_ROW("audit-key", "audit_key", "FILE",
	    "The key under which records are hashed.", "@file"),
	VALUE_ROW("audit-sign-key", "audit_sign_key", "FILE",
	    "The private key that signs checkpoints.", "@file"),
	VALUE_ROW("audit-segment", "audit_segment", "SIZE",
	    "The size of a file of records.", ""),
	VALUE_ROW("outputs-age", "outputs_age", "DURATION",
	    "How long kept outputs stay.", ""),
	VALUE_ROW("outputs-size", "outputs_size", "SIZE",
	    "How much of them stays in total.", ""),
	VALUE_ROW("output-keep", "output_keep", "SIZE",
	    "How much output of a run is kept.", ""),
	VALUE_ROW("undo-age", "undo_age", "DURATION",
	    "How long what runs replaced is kept.", ""),
	VALUE_ROW("undo-size", "undo_size", "SIZE",
	    "How much of it is kept in total.", ""),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_option group_options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ config show", "every setting: key, value, origin"},
	{"writ config show state_dir", "one value, for a script"},
	{"WRIT_STATE_DIR=/tmp/w writ config show",
	 "a variable overrides the default"},
	{"writ config show --json", "the same for a program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "success"},
	{"1", "the settings could not be read or written"},
	{"2", "wrong usage, or no setting of that name"},
	{.status = ""},
};
/* clang-format on */

static const struct w_cli_command config_show;

static writ_status
config_check_key(const struct config_args *args, const writ_setting *all,
    size_t count, writ_error *err)
{
	const char *keys[SETTINGS_MAX + 1];
	size_t n = 0;

	if (args->key == NULL || writ_config_get(args->config, args->key))
		return WRIT_OK;
	for (; n < count && n < SETTINGS_MAX; n++)
		keys[n] = all[n].key;
	keys[n] = NULL;

	const char *near = w_match_nearest(args->key, keys);
	if (near == NULL)
		return w_usage_fail(
		    &config_show, err, "unknown setting '%s'", args->key);
	return w_usage_fail(&config_show, err,
	    "unknown setting '%s', did you mean '%s'?", args->key, near);
}

static void
config_add_json(struct w_buf *buf, const struct config_args *args,
    const writ_setting *all, size_t count)
{
	const char *comma = "";

	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < count; i++) {
		if (args->key != NULL && strcmp(args->key, all[i].key) != 0)
			continue;
		w_buf_add_fmt(buf, "%s{", comma);
		w_json_add_text_member(buf, "key", all[i].key);
		w_json_add_text_member(buf, "value", all[i].value);
		w_json_add_text_member(buf, "origin", all[i].origin);
		w_json_add_text_member(buf, "env", all[i].env);
		w_json_add_text_member(buf, "help", all[i].help);
		w_buf_add_char(buf, '}');
		comma = ",";
	}
	w_buf_add_str(buf, "]\n");
}

static void
add_settings_table(struct w_buf *buf, const writ_setting *all, size_t count)
{
	int key_width = 0;
	int value_width = 0;

	for (size_t i = 0; i < count; i++) {
		int key_len = (int)strlen(all[i].key);
		int value_len = (int)strlen(all[i].value);

		key_width = key_len > key_width ? key_len : key_width;
		value_width = value_len > value_width ? value_len : value_width;
	}
	for (size_t i = 0; i < count; i++)
		w_buf_add_fmt(buf, "%-*s  %-*s  %s\n", key_width, all[i].key,
		    value_width, all[i].value, all[i].origin);
}

static int
show(const struct config_args *args)
{
	size_t count = 0;
	const writ_setting *all = writ_config_all(args->config, &count);
	writ_error err;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	if (config_check_key(args, all, count, &err) != WRIT_OK) {
		if (args->is_json)
			w_print_error_json(&err);
		else
			w_print_error(&err, NULL);
		return config_show.usage_exit;
	}
	if (args->is_json)
		config_add_json(&buf, args, all, count);
	else if (args->key != NULL)
		w_buf_add_fmt(
		    &buf, "%s\n", writ_config_get(args->config, args->key));
	else
		add_settings_table(&buf, all, count);
	return w_print(&buf);
}

static int
config_run(int argc, char **argv)
{
	struct config_args args = {.is_json = false};
	writ_error err;

	if (writ_config_new(&args.config, &err) != WRIT_OK) {
		w_print_error(&err, NULL);
		return 1;
	}

	int status = w_cli_command_begin(&config_show, argc, argv, &args);
	if (status < 0)
		status = show(&args);
	writ_config_free(args.config);
	return status;
}

#define ABOUT                                                              \
	"Shows where writ keeps things and how it keeps its record. A "    \
	"setting comes from an option, else from a WRIT_* variable, else " \
	"from a default."

static const struct w_cli_command config_show = {
    .name = "config show",
    .summary = "Show each setting, its value and where that comes from",
    .usage = "config show [--json] [KEY]",
    .about = ABOUT,
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){W_TO(TEXT, struct config_args, key)},
    .usage_exit = 2,
    .run = config_run,
};

static const struct w_cli_command *const subs[] = {
    &config_show,
    NULL,
};

const struct w_cli_command w_cmd_config = {
    .name = "config",
    .summary = "Show the settings and where they come from",
    .about = ABOUT,
    .options = group_options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .subs = subs,
};
