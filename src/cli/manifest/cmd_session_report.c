/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session report`: the counts of a session.
 */

#include "base/auto.h"
#include "base/error.h"
#include "cli/manifest/apply_session.h"
#include "cli/manifest/cmd_session.h"
#include "cli/manifest/summary_page.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/row_writer.h"
#include "data/json.h"
#include "manifest/session/manifest_session.h"

enum {
	FAILED = 1
};

struct session_report_args {
	const char *session;
	const char *state_dir;
	bool is_removed;
	bool is_json;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "session", .arg = "SESSION", W_TO(TEXT, struct session_report_args, session),
	 .words = "@session", .standard = "that of $WRIT_SESSION_STORE",
	 .help = "Which one: its directory, or the id of an apply."},
	{.name = "remove", W_TO(FLAG, struct session_report_args, is_removed),
	 .help = "Remove the session afterwards."},
	{.name = "json", W_TO(FLAG, struct session_report_args, is_json),
	 .help = "Print a JSON object: the counts, and all events."},
	W_STATE_DIR_ROW("", W_TO(TEXT, struct session_report_args, state_dir)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ session report --remove", "at the end of a script"},
	{"writ session report --json | jq -r '.events[] | select(.failed) | "
	 ".name'",
	 "what failed"},
	{.line = ""},
};
/* clang-format on */

static bool
add_event(void *ctx, const char *json, size_t len)
{
	struct w_row_writer *row_writer = ctx;
	struct w_buf *buf = &row_writer->buf;

	/* A comma before each but the first. */
	if (row_writer->sys_errno == 0 && buf->len > 0 &&
	    w_buf_last(buf) != '[')
		w_buf_add_char(buf, ',');
	w_buf_add(buf, json, len);
	return !buf->failed;
}

static writ_status
session_report_json(const struct w_manifest_session *session,
    struct w_row_writer *row_writer, const writ_apply_summary *summary,
    writ_error *err)
{
	struct w_buf *buf = &row_writer->buf;
	W_AUTO_BUF struct w_buf counts;

	w_buf_init(&counts, W_PRINT_MAX);
	w_event_summary_add_json(&counts, summary);
	w_buf_add_str(
	    buf, "{\"protocol\":\"io.choria.ccm.v1.session.summary\"");
	w_json_add_path_member(
	    buf, "session", w_manifest_session_name(session));
	w_json_add_path_member(
	    buf, "directory", w_manifest_session_dir(session));
	w_json_add_bool_member(
	    buf, "finished", w_manifest_session_is_finished(session));
	w_buf_add_char(buf, ',');
	if (counts.len > 2)
		w_buf_add(buf, counts.data + 1, counts.len - 2);
	w_buf_add_str(buf, ",\"events\":[");
	const writ_status status =
	    w_manifest_session_events(session, add_event, row_writer, err);
	w_buf_add_str(buf, "]}\n");
	return status;
}

static int
session_report_show(const struct session_report_args *args,
    const struct w_manifest_session *session)
{
	writ_apply_summary summary;
	struct w_row_writer row_writer;
	writ_error err;

	if (w_row_writer_open(&row_writer, NULL, &err) != WRIT_OK)
		return w_print_failure(&err, args->is_json, FAILED);
	w_manifest_session_summary(session, &summary);
	if (!args->is_json) {
		w_cli_summary_add_session(&row_writer.buf, &summary);
	} else if (session_report_json(session, &row_writer, &summary, &err) !=
		   WRIT_OK) {
		w_row_writer_drop(&row_writer);
		return w_print_failure(&err, args->is_json, FAILED);
	}
	if (w_manifest_session_note(session) != NULL)
		w_print_note("%s", w_manifest_session_note(session));
	return w_row_writer_close(&row_writer);
}

static writ_status
session_report_find_dir(
    const struct session_report_args *args, char **out_dir, writ_error *err)
{
	const char *named = w_cli_session_named(args->session);
	W_AUTO_FREE char *parent = NULL;
	writ_config *config = NULL;

	if (named == NULL) {
		(void)w_fail(err, WRIT_E_INVALID, "session", 0,
		    "session report: which session? " W_SESSION_VARIABLE
		    " is not set");
		w_suggest(err, "--session SESSION; writ session list shows "
			       "the applies");
		return WRIT_E_INVALID;
	}
	writ_status status = writ_config_new(&config, err);
	if (status == WRIT_OK && args->state_dir != NULL)
		status =
		    writ_config_set(config, "state_dir", args->state_dir, err);
	if (status == WRIT_OK)
		status = w_cli_sessions_dir(config, &parent, err);
	if (status == WRIT_OK)
		status = w_manifest_session_find(parent, named, out_dir, err);
	writ_config_free(config);
	return status;
}

static int
session_report(const struct session_report_args *args)
{
	W_AUTO_FREE char *dir = NULL;
	struct w_manifest_session_options how = {
	    .must_exist = true, .is_readonly = true};
	struct w_manifest_session *session = NULL;
	writ_error err;

	if (session_report_find_dir(args, &dir, &err) != WRIT_OK)
		return w_print_failure(&err, args->is_json, FAILED);
	how.dir = dir;
	if (w_manifest_session_open(&how, &session, &err) != WRIT_OK)
		return w_print_failure(&err, args->is_json, FAILED);
	int status = session_report_show(args, session);
	w_manifest_session_free(session);
	if (status == 0 && args->is_removed &&
	    w_manifest_session_remove(dir, &err) != WRIT_OK)
		status = w_print_failure(&err, args->is_json, FAILED);
	return status;
}

static int
session_report_run(int argc, char **argv)
{
	struct session_report_args args = {.session = NULL};
	int status =
	    w_cli_command_begin(&w_cmd_session_report, argc, argv, &args);

	return status >= 0 ? status : session_report(&args);
}

const struct w_cli_command w_cmd_session_report = {
    .name = "session report",
    .summary = "Show what the commands of a session did",
    .usage = "session report [--session SESSION] [--json] [--remove]",
    .about = "Counts the events of a session: how many resources were "
	     "changed, stable, skipped, or failed.",
    .options = options,
    .examples = examples,
    .exits = w_cli_session_exits,
    .usage_exit = 2,
    .run = session_report_run,
};
