/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How live sessions are listed.
 */

#include "cli/session/session_rows.h"

#include <stdio.h>

#include "base/duration.h"
#include "base/error.h"
#include "base/size.h"
#include "cli/caller.h"
#include "cli/options/datetime.h"
#include "data/json.h"
#include "log/log_format.h"

enum {
	MS_PER_S = 1000,
	S_PER_MIN = 60,
	MIN_PER_H = 60
};

const char *const w_cli_session_headings[] = {
    "LIVE SESSION", "STARTED", "USE", ">/TMP", "DIRECTORY", NULL};

/* Whole minutes, for idle times that nobody wants in milliseconds. */
static void
session_rows_format_span(uint64_t ms, char out[W_DURATION_TEXT_MAX])
{
	const uint64_t seconds = ms / MS_PER_S;

	if (seconds >= S_PER_MIN)
		ms = seconds / S_PER_MIN * S_PER_MIN * MS_PER_S;
	else
		ms = seconds * MS_PER_S;
	w_duration_format(ms, out);
}

void
w_cli_session_use(
    const writ_session_info *info, char out[W_CLI_SESSION_USE_MAX])
{
	char span[W_DURATION_TEXT_MAX];

	session_rows_format_span(info->idle_ms, span);
	if (info->runs > 0)
		(void)snprintf(out, W_CLI_SESSION_USE_MAX, "%u run%s",
		    info->runs, info->runs == 1 ? "" : "s");
	else
		(void)snprintf(out, W_CLI_SESSION_USE_MAX, "idle %s", span);
}

void
w_cli_session_add_json(struct w_buf *buf, const writ_session_info *info)
{
	char began[W_LOG_TIME_LEN + 1];

	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "session", info->name);
	w_json_add_text_member(buf, "kind", "live");
	if (info->problem != NULL) {
		w_json_add_text_member(buf, "state", "broken");
		w_json_add_text_member(buf, "problem", info->problem);
		w_buf_add_char(buf, '}');
		return;
	}
	w_log_time_format(info->began_us, began);
	w_json_add_text_member(
	    buf, "state", info->runs > 0 ? "in use" : "idle");
	w_json_add_text_member(buf, "since", began);
	w_json_add_path_member(buf, "agent", info->agent);
	w_json_add_path_member(buf, "directory", info->dir);
	w_json_add_path_member(buf, "cwd", info->cwd);
	w_json_add_list_member(buf, "env", info->env);
	w_json_add_bool_member(buf, "state_lost", info->has_bad_state);
	w_json_add_text_member(
	    buf, "network", info->has_network ? "loopback" : "off");
	w_json_add_text_member(buf, "forwards", info->forwards);
	w_json_add_text_member(buf, "hosts", info->hosts);
	w_json_add_text_member(
	    buf, "tmp", info->is_on_disk ? "disk" : "memory");
	w_json_add_number_member(buf, "tmp_bytes", info->state.tmp_bytes);
	w_json_add_number_member(
	    buf, "tmp_bytes_max", info->state.tmp_bytes_max);
	w_json_add_number_member(buf, "tmp_files", info->state.tmp_files);
	w_json_add_number_member(
	    buf, "tmp_files_max", info->state.tmp_files_max);
	w_json_add_number_member(buf, "runs", info->runs);
	w_json_add_number_member(buf, "pid", (uint64_t)info->pid);
	w_json_add_number_member(buf, "idle_ms", info->idle_ms);
	w_json_add_number_member(buf, "idle_max_ms", info->idle_max_ms);
	w_json_add_number_member(buf, "left_ms", info->left_ms);
	w_buf_add_char(buf, '}');
}

static void
session_rows_add_row(struct w_text_table *table, const writ_session_info *info)
{
	char began[W_DATETIME_MAX];
	char use[W_CLI_SESSION_USE_MAX];
	char bytes[W_SIZE_TEXT_MAX];

	w_text_table_add(table, info->name);
	if (info->problem != NULL) {
		w_text_table_add(table, NULL);
		w_text_table_add(table, "broken");
		w_text_table_add(table, NULL);
		w_text_table_add(table, info->problem);
		return;
	}
	w_datetime_format_short(info->began_us, w_datetime_now(), began);
	w_cli_session_use(info, use);
	w_size_format(info->state.tmp_bytes, bytes);
	w_text_table_add(table, began);
	w_text_table_add(table, use);
	w_text_table_add(table, bytes);
	w_text_table_add(table, info->dir);
}

void
w_cli_session_rows_add(void *ctx, const writ_session_info *info)
{
	struct w_session_rows *rows = ctx;

	if (rows->table != NULL) {
		session_rows_add_row(rows->table, info);
	} else if (rows->is_json) {
		w_buf_add_str(rows->text, rows->count > 0 ? "," : "");
		w_cli_session_add_json(rows->text, info);
	} else {
		w_buf_add_fmt(rows->text, "%s\n", info->name);
	}
	rows->count++;
}

writ_status
w_cli_session_check_caller(writ_error *err)
{
	if (w_cli_caller() == WRIT_CALLER_TRUSTED)
		return WRIT_OK;
	return w_fail(err, WRIT_E_DENIED, "session", 0,
	    "a run cannot start, use or end a session by name: only a person "
	    "or a script outside of it can");
}
