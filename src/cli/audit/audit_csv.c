/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs as CSV. New columns are only added at the end.
 */

#include "cli/audit/audit_csv.h"

#include <string.h>

#include "base/printable.h"
#include "log/log_format.h"

#define TEXT_MAX ((size_t)64 << 20)

static const char *const columns[] = {"run_id", "state", "begin", "end",
    "duration_ms", "outcome", "exit_code", "signal", "agent", "door", "uid",
    "program", "command", "cwd", "sandbox", "stdout_bytes", "stderr_bytes",
    "begin_seq", "end_seq", NULL};

static void
audit_csv_add_text(struct w_audit_csv *csv, const char *text)
{
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, TEXT_MAX);
	if (!csv->is_terminal || text == NULL) {
		w_csv_text(&csv->csv, text);
		return;
	}
	(void)w_printable_add(&shown, text, 0);
	w_csv_text(&csv->csv, shown.data);
}

static void
audit_csv_add_time(struct w_audit_csv *csv, uint64_t us)
{
	char text[W_LOG_TIME_LEN + 1];

	w_log_time_format(us, text);
	w_csv_text(&csv->csv, us == 0 ? NULL : text);
}

/* An empty cell if the number is not known. */
static void
audit_csv_add_number(struct w_audit_csv *csv, bool is_known, uint64_t number)
{
	if (is_known)
		w_csv_number(&csv->csv, number);
	else
		w_csv_text(&csv->csv, NULL);
}

void
w_cli_audit_csv_head(struct w_audit_csv *csv)
{
	for (size_t i = 0; columns[i] != NULL; i++)
		w_csv_text(&csv->csv, columns[i]);
	w_csv_end_row(&csv->csv);
}

void
w_cli_audit_csv_run(struct w_audit_csv *csv, const writ_audit_run *run)
{
	const bool has_ended = run->state == WRIT_RUN_ENDED;
	const char *signal = run->signal > 0 ? sigabbrev_np(run->signal) : NULL;

	audit_csv_add_text(csv, run->run_id);
	audit_csv_add_text(csv, writ_run_state_word(run->state));
	audit_csv_add_time(csv, run->begin_us);
	audit_csv_add_time(csv, run->end_us);
	audit_csv_add_number(csv, has_ended, run->duration_ms);
	audit_csv_add_text(csv, run->outcome);
	audit_csv_add_number(
	    csv, run->exit_code >= 0, (uint64_t)run->exit_code);
	audit_csv_add_text(csv, signal);
	audit_csv_add_text(csv, run->agent);
	audit_csv_add_text(csv, run->door);
	audit_csv_add_number(csv, true, run->uid);
	audit_csv_add_text(csv, run->program);
	audit_csv_add_text(csv, run->command);
	audit_csv_add_text(csv, run->cwd);
	audit_csv_add_text(csv, run->sandbox);
	audit_csv_add_number(csv, has_ended, run->out_bytes[WRIT_STDOUT]);
	audit_csv_add_number(csv, has_ended, run->out_bytes[WRIT_STDERR]);
	audit_csv_add_number(csv, true, run->begin_seq);
	audit_csv_add_number(csv, run->end_seq > 0, run->end_seq);
	w_csv_end_row(&csv->csv);
}
