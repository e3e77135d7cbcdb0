/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session show NAME`: a live session.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <writ/session.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/size.h"
#include "cli/manifest/cmd_session.h"
#include "cli/options/datetime.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/session/session_rows.h"
#include "data/json.h"

enum {
	FAILED = 1
};

struct session_show_args {
	const char *name;
	bool is_json;
	writ_config *config;
	struct w_buf page;
	size_t written; /* rows */
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "json", W_TO(FLAG, struct session_show_args, is_json),
	 .help = "Print a JSON object."},
	W_STATE_DIR_ROW("", W_TO(SETTING, struct session_show_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ session show dev", "its directory, variables, runs and /tmp"},
	{.line = ""},
};
/* clang-format on */

static void
session_show_row(struct w_buf *page, const char *name, const char *text)
{
	w_buf_add_fmt(page, "%-12s", name);
	w_printable_add_bytes(page, text, strlen(text));
	w_buf_add_char(page, '\n');
}

static void
session_show_tmp(struct w_buf *page, const writ_session_info *info)
{
	char used[W_SIZE_TEXT_MAX], most[W_SIZE_TEXT_MAX], text[256];

	w_size_format(info->state.tmp_bytes, used);
	w_size_format(info->state.tmp_bytes_max, most);
	(void)snprintf(text, sizeof(text), "%s of %s, %llu files, %s", used,
	    most, (unsigned long long)info->state.tmp_files,
	    info->is_on_disk ? "on disk" : "in memory");
	session_show_row(page, "/tmp", text);
}

static void
session_show_time(struct w_buf *page, const writ_session_info *info)
{
	char began[W_DATETIME_MAX], use[W_CLI_SESSION_USE_MAX];
	char idle[W_DURATION_TEXT_MAX], left[W_DURATION_TEXT_MAX];
	char text[256];

	w_datetime_format_short(info->began_us, w_datetime_now(), began);
	w_cli_session_use(info, use);
	w_duration_format(info->idle_max_ms, idle);
	/* Whole minutes. */
	w_duration_format(info->left_ms / 60000 * 60000, left);
	session_show_row(page, "started", began);
	session_show_row(page, "use", use);
	(void)snprintf(text, sizeof(text),
	    "after %s without a run, and in %s at the latest", idle, left);
	session_show_row(page, "ends", text);
}

static void
session_show_add(void *ctx, const writ_session_info *info)
{
	struct session_show_args *args = ctx;
	struct w_buf *page = &args->page;
	char pid[16];

	if (args->is_json) {
		w_cli_session_add_json(page, info);
		return;
	}
	(void)snprintf(pid, sizeof(pid), "%d", info->pid);
	session_show_row(page, "session", info->name);
	if (info->agent != NULL)
		session_show_row(page, "agent", info->agent);
	session_show_time(page, info);
	session_show_row(page, "directory", info->cwd);
	if (strcmp(info->dir, info->cwd) != 0)
		session_show_row(page, "started in", info->dir);
	if (info->has_bad_state)
		session_show_row(page, "",
		    "what the last shell left behind could not be read");
	for (size_t i = 0; info->env[i] != NULL; i++)
		session_show_row(page, i == 0 ? "variables" : "", info->env[i]);
	session_show_tmp(page, info);
	session_show_row(page, "network",
	    info->has_network ? "loopback, shared by its runs" : "off");
	if (info->hosts[0] != '\0')
		session_show_row(page, "hosts", info->hosts);
	if (info->forwards[0] != '\0')
		session_show_row(page, "passed on", info->forwards);
	session_show_row(page, "holder", pid);
}

static void
session_show_file(void *ctx, const writ_session_file *file)
{
	struct session_show_args *args = ctx;
	char path[600], size[W_SIZE_TEXT_MAX], text[700];

	if (args->is_json) {
		w_buf_add_str(&args->page, args->written++ > 0 ? ",{" : "{");
		w_json_add_text_member(&args->page, "path", file->path);
		w_json_add_bool_member(
		    &args->page, "is_deleted", file->is_deleted);
		w_buf_add_fmt(&args->page,
		    ",\"files\":%" PRIu64 ",\"bytes\":%" PRIu64 "}",
		    file->files, file->bytes);
		return;
	}
	(void)snprintf(path, sizeof(path), "~/%s", file->path);
	w_size_format(file->bytes, size);
	if (file->is_deleted)
		(void)snprintf(text, sizeof(text), "%s deleted", path);
	else
		(void)snprintf(text, sizeof(text),
		    "%s  %s in %" PRIu64 " file%s", path, size, file->files,
		    file->files == 1 ? "" : "s");
	session_show_row(
	    &args->page, args->written++ == 0 ? "wrote" : "", text);
}

/* Also of a session that has ended. */
static writ_status
session_show_written(struct session_show_args *args, writ_error *err)
{
	bool is_cut = false;

	if (args->is_json) {
		/* A member of the object that ends here. */
		if (args->page.len > 0)
			args->page.len--;
		w_buf_add_str(&args->page, args->page.len == 0 ? "{" : ",");
		w_buf_add_str(&args->page, "\"written\":[");
	}
	writ_status status = writ_session_written(
	    args->config, args->name, session_show_file, args, &is_cut, err);
	if (args->is_json)
		w_buf_add_str(&args->page, "]}\n");
	else if (is_cut)
		session_show_row(&args->page, "", "and more");
	return status;
}

static int
session_show(struct session_show_args *args)
{
	writ_error err, why;
	writ_status status = WRIT_OK;
	int exit_status = FAILED;

	if (args->name == NULL) {
		status = w_usage_fail(
		    &w_cmd_session_show, &err, "say the NAME of the session");
		exit_status = 2;
	}
	w_buf_init(&args->page, W_PRINT_MAX);
	if (status == WRIT_OK)
		status = writ_session_find(
		    args->config, args->name, session_show_add, args, &err);
	const bool is_over = status == WRIT_E_NOTFOUND;
	if (is_over && !args->is_json) {
		session_show_row(&args->page, "session", args->name);
		session_show_row(&args->page, "use", "has ended");
	}
	if ((status == WRIT_OK || is_over) &&
	    session_show_written(args, &why) == WRIT_OK)
		status = WRIT_OK;
	if (status == WRIT_OK)
		exit_status = w_print(&args->page);
	else
		exit_status = w_print_failure(&err, args->is_json, exit_status);
	w_buf_done(&args->page);
	return exit_status;
}

static int
session_show_run(int argc, char **argv)
{
	struct session_show_args args = {.name = NULL};
	writ_error err;

	if (writ_config_new(&args.config, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	int status =
	    w_cli_command_begin(&w_cmd_session_show, argc, argv, &args);
	if (status < 0)
		status = session_show(&args);
	writ_config_free(args.config);
	return status;
}

const struct w_cli_command w_cmd_session_show = {
    .name = "session show",
    .summary = "Show a live session",
    .usage = "session show [--json] NAME",
    .about = "Shows where the next run of a session starts and with which "
	     "variables, how full its /tmp is, how many runs are in it, "
	     "when it ends, and what it wrote to HOME; of one that has ended, "
	     "only that.",
    .options = options,
    .examples = examples,
    .exits = w_cli_session_exits,
    .operand = &(const struct w_option){.words = "@live-session",
	W_TO(TEXT, struct session_show_args, name),
	.help = "one NAME at a time"},
    .usage_exit = 2,
    .run = session_show_run,
};
