/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session new`: creates a session for a shell script.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/manifest/apply_session.h"
#include "cli/manifest/cmd_session.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "data/json.h"
#include "manifest/session/manifest_session.h"

#define LINE_LEN_MAX ((size_t)64 << 10)

enum {
	FAILED = 1
};

struct session_new_args {
	const char *directory;
	const char *state_dir;
	bool is_json;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "directory", .arg = "DIR", W_TO(TEXT, struct session_new_args, directory),
	 .words = "@dir", .standard = "a new one in the state directory",
	 .help = "Create it here. The directory is created too, for you only."},
	{.name = "json", W_TO(FLAG, struct session_new_args, is_json), .help = "Print a JSON object."},
	W_STATE_DIR_ROW("", W_TO(TEXT, struct session_new_args, state_dir)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"eval \"$(writ session new)\"",
	 "begin one; what follows in this shell belongs to it"},
	{"eval \"$(writ session new --directory /run/setup)\"",
	 "in a directory of your choice"},
	{.line = ""},
};
/* clang-format on */

static writ_status
make_beneath_state(
    const struct session_new_args *args, char **out_dir, writ_error *err)
{
	W_AUTO_FREE char *parent = NULL;
	writ_config *config = NULL;
	writ_status status = writ_config_new(&config, err);

	if (status == WRIT_OK && args->state_dir != NULL)
		status =
		    writ_config_set(config, "state_dir", args->state_dir, err);
	if (status == WRIT_OK)
		status = w_cli_sessions_dir(config, &parent, err);
	if (status == WRIT_OK)
		status = w_manifest_session_make(parent, out_dir, err);
	if (status == WRIT_OK)
		w_manifest_session_prune(parent, &w_manifest_session_kept);
	writ_config_free(config);
	return status;
}

static writ_status
session_new_begin(const char *dir, writ_error *err)
{
	const struct w_manifest_session_options how = {
	    .dir = dir, .is_alone = true};
	const struct w_manifest_session_start start = {.manifest = NULL};
	struct w_manifest_session_start before;
	struct w_manifest_session *session = NULL;
	writ_status status = w_manifest_session_open(&how, &session, err);

	if (status == WRIT_OK && w_manifest_session_started(session, &before)) {
		status = w_fail(err, WRIT_E_INVALID, "session", 0,
		    "the directory '%s' has a session already", dir);
		w_suggest(err, "another directory, or writ session report "
			       "--remove");
	}
	if (status == WRIT_OK)
		status = w_manifest_session_begin(session, &start, err);
	w_manifest_session_free(session);
	return status;
}

static int
session_new_print(const struct session_new_args *args, const char *dir)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, LINE_LEN_MAX);
	if (args->is_json) {
		w_buf_add_char(&line, '{');
		w_json_add_path_member(&line, "directory", dir);
		w_buf_add_str(&line, "}\n");
		return w_print(&line);
	}
	w_buf_add_str(&line, "export " W_SESSION_VARIABLE "='");
	w_words_add_quoted(&line, dir, strlen(dir));
	w_buf_add_str(&line, "'\n");
	return w_print(&line);
}

static int
session_new_make(const struct session_new_args *args)
{
	W_AUTO_FREE char *made = NULL;
	W_AUTO_FREE char *real = NULL;
	const char *dir = args->directory;
	writ_error err;

	if (dir == NULL && make_beneath_state(args, &made, &err) != WRIT_OK)
		return w_print_failure(&err, args->is_json, FAILED);
	dir = dir == NULL ? made : dir;
	if (session_new_begin(dir, &err) != WRIT_OK)
		return w_print_failure(&err, args->is_json, FAILED);
	real = realpath(dir, NULL);
	if (real == NULL) {
		(void)w_fail(&err, WRIT_E_SYSTEM, "session", errno,
		    "cannot find '%s'", dir);
		return w_print_failure(&err, args->is_json, FAILED);
	}
	return session_new_print(args, real);
}

static int
session_new_run(int argc, char **argv)
{
	struct session_new_args args = {.directory = NULL};
	int status = w_cli_command_begin(&w_cmd_session_new, argc, argv, &args);

	return status >= 0 ? status : session_new_make(&args);
}

const struct w_cli_command w_cmd_session_new = {
    .name = "session new",
    .summary = "Begin a session for a shell script",
    .usage = "session new [--directory DIR]",
    .about = "Makes a directory for the events of the 'writ ensure' that "
	     "follow, and prints the line that a shell has to evaluate so "
	     "that they find it.",
    .options = options,
    .examples = examples,
    .exits = w_cli_session_exits,
    .usage_exit = 2,
    .run = session_new_run,
};
