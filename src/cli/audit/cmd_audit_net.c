/* SPDX-License-Identifier: Apache-2.0 */

/* `writ audit net`: which hosts runs reached, and which they were refused. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cli/audit/audit_args.h"
#include "cli/audit/audit_disk.h"
#include "cli/audit/host_sums.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "data/json.h"

enum {
	RUN_MAX = 64
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "run", .arg = "RUN", W_TO(NAME, struct w_audit_args, filter.run_id),
	 .words = "@run", .heading = "Which",
	 .help = "Only what this run reached: an id, a beginning of one that no "
	         "other run has, or - for the newest."},
	{.name = "since", .arg = "TIME", W_TO(SINCE, struct w_audit_args, filter.since_us),
	 .words = "today|yesterday",
	 .help = "Only since then: 2h or 3d ago, today, yesterday, 2026-11-16."},
	{.name = "until", .arg = "TIME", W_TO(UNTIL, struct w_audit_args, filter.until_us),
	 .words = "today|yesterday",
	 .help = "Only until then; a day is included to its end."},
	{.name = "text", .arg = "TEXT", W_TO(NAME, struct w_audit_args, filter.text),
	 .help = "Only records with this text in them, such as a name."},
	W_STATE_DIR_ROW("Where", W_TO(SETTING, struct w_audit_args, config)),
	W_AUDIT_INDEX_ROW,
	W_AUDIT_JSON_ROW("Print a JSON object."),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit net", "every host, and how much went there and came back"},
	{"writ audit net --run -", "what the newest run reached"},
	{"writ audit search --kind net --json", "each connection"},
	{.line = ""},
};
/* clang-format on */

static void
audit_net_add_size(struct w_text_table *table, uint64_t bytes)
{
	char text[W_AUDIT_SIZE_MAX];

	w_cli_audit_disk_size(bytes, text);
	w_text_table_add(table, bytes == 0 ? "" : text);
}

static int
audit_net_print_table(const struct w_cli_host_sums *sums)
{
	static const char *const headings[] = {"HOST", ">CONNECTIONS", ">SENT",
	    ">RECEIVED", ">REFUSED", "WHY", NULL};
	struct w_text_table table;

	if (sums->count == 0) {
		w_print_note("no connection matches");
		return 0;
	}
	w_text_table_init(&table, headings);
	for (size_t i = 0; i < sums->count; i++) {
		const struct w_cli_host_sum *sum = &sums->items[i];

		w_text_table_add(&table, sum->host);
		w_text_table_add_count(&table, sum->connections);
		audit_net_add_size(&table, sum->sent);
		audit_net_add_size(&table, sum->received);
		w_text_table_add_count(&table, sum->refused);
		w_text_table_tint(&table, sum->refused > 0 ? "31" : NULL);
		w_text_table_add(&table, sum->reason != NULL  ? sum->reason
					 : sum->unchecked > 0 ? "name unchecked"
							      : "");
	}
	const int status = w_text_table_print(&table);
	w_text_table_done(&table);
	if (sums->left_out > 0)
		w_print_note("%" PRIu64 " connections to other hosts are not "
			     "shown",
		    sums->left_out);
	return status;
}

static int
audit_net_print_json(const struct w_cli_host_sums *sums)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	w_buf_add_str(&buf, "{\"hosts\":[");
	for (size_t i = 0; i < sums->count; i++) {
		const struct w_cli_host_sum *sum = &sums->items[i];

		w_buf_add_str(&buf, i == 0 ? "{" : ",{");
		w_json_add_path_member(&buf, "host", sum->host);
		w_json_add_number_member(&buf, "connections", sum->connections);
		w_json_add_number_member(&buf, "sent", sum->sent);
		w_json_add_number_member(&buf, "received", sum->received);
		w_json_add_number_member(&buf, "refused", sum->refused);
		w_json_add_number_member(
		    &buf, "name_unchecked", sum->unchecked);
		w_json_add_path_member(&buf, "reason", sum->reason);
		w_buf_add_char(&buf, '}');
	}
	w_buf_add_fmt(&buf, "],\"left_out\":%" PRIu64 "}\n", sums->left_out);
	return w_print(&buf);
}

static bool
audit_net_take_run(void *ctx, const writ_audit_run *run)
{
	(void)snprintf(ctx, RUN_MAX, "%s", run->run_id);
	return false;
}

static int
run_net(struct w_audit_args *args, writ_audit *audit)
{
	struct w_cli_host_sums sums = {.items = NULL};
	char run_id[RUN_MAX] = "";
	writ_error err;
	writ_status status = WRIT_OK;

	if (args->filter.run_id != NULL) {
		status = writ_audit_find(audit, args->filter.run_id,
		    audit_net_take_run, run_id, &err);
		args->filter.run_id = run_id;
	}
	if (status == WRIT_OK)
		status =
		    w_cli_host_sums_read(audit, &args->filter, &sums, &err);
	if (status != WRIT_OK)
		return w_cli_audit_fail(args, &err);
	const int exit_status = args->is_json ? audit_net_print_json(&sums)
					      : audit_net_print_table(&sums);
	w_cli_host_sums_done(&sums);
	return exit_status;
}

static int
audit_net_run(int argc, char **argv)
{
	struct w_audit_args args = {.command = &w_cmd_audit_net};

	return w_cli_audit_begin(&args, argc, argv, run_net);
}

const struct w_cli_command w_cmd_audit_net = {
    .name = "audit net",
    .summary = "Show which hosts were reached, and which were refused",
    .usage = "audit net [--run RUN] [OPTION]...",
    .about = "Adds up the connections of runs with the network 'hosts': how "
	     "many to each host, how much was sent and received, and how many "
	     "were refused, with the last reason. A host without a port was "
	     "only looked up.",
    .options = options,
    .examples = examples,
    .exits = w_cli_audit_exits,
    .usage_exit = 2,
    .run = audit_net_run,
};
