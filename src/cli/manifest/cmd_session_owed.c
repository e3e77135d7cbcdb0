/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session owed`: the refreshes that applies still have to make.
 */

#include <stdlib.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/manifest/apply_debts.h"
#include "cli/manifest/cmd_session.h"
#include "cli/options/datetime.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "manifest/owed/owed.h"
#include "manifest/session/apply_lock.h"

#define STAGE       "session"
#define LISTING_MAX ((size_t)64 << 20)

enum {
	FAILED = 1
};

struct session_owed_args {
	const char *state_dir;
	const char *dropped;
	bool is_json;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "drop", .arg = "TYPE#NAME", W_TO(TEXT, struct session_owed_args, dropped),
	 .help = "Owe this resource nothing any more, because it was refreshed "
	         "by hand, or never will be."},
	{.name = "json", W_TO(FLAG, struct session_owed_args, is_json),
	 .help = "Print a JSON array of objects."},
	W_STATE_DIR_ROW("", W_TO(TEXT, struct session_owed_args, state_dir)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ session owed", "which services still run with the old files"},
	{"writ session owed --drop exec#restart", "that one was restarted by hand"},
	{.line = ""},
};

static const char *const headings[] = {
	"RESOURCE", "SINCE", "CHANGED", "MANIFEST", NULL};
/* clang-format on */

static int
session_owed_print(const struct w_owed *owed)
{
	const struct w_owed_refresh *refresh;
	struct w_text_table table;
	size_t at = 0;

	if (w_owed_count(owed) == 0) {
		w_print_note("no refresh is owed");
		return 0;
	}
	w_text_table_init(&table, headings);
	while ((refresh = w_owed_next(owed, &at)) != NULL) {
		char since[W_DATETIME_MAX];

		w_datetime_format_short(
		    refresh->since_us, w_datetime_now(), since);
		w_text_table_add(&table, refresh->subscriber);
		w_text_table_add(&table, since);
		w_text_table_add(&table, refresh->subject);
		w_text_table_add(&table, refresh->manifest);
	}
	const int status = w_text_table_print(&table);
	w_text_table_done(&table);
	return status;
}

static writ_status
session_owed_drop(struct w_owed *owed, const char *resource, writ_error *err)
{
	size_t at = 0;

	if (w_owed_next_of(owed, resource, &at) == NULL) {
		(void)w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "no refresh of '%.256s' is owed", resource);
		w_suggest(err, "'writ session owed' lists all that is owed");
		return WRIT_E_NOTFOUND;
	}
	return w_owed_pay(owed, resource, W_OWED_DROPPED, NULL, NULL, err);
}

static writ_status
session_owed_open(const struct session_owed_args *args, writ_config *config,
    int *out_lock_fd, struct w_owed **out_owed, writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;
	writ_status status = WRIT_OK;

	if (args->state_dir != NULL)
		status =
		    writ_config_set(config, "state_dir", args->state_dir, err);
	const struct w_apply_lock_options lock = {
	    .state_dir = writ_config_get(config, "state_dir"),
	    .command = "writ session owed --drop",
	};
	if (status == WRIT_OK && args->dropped != NULL)
		status = w_apply_lock_take(&lock, out_lock_fd, err);
	if (status == WRIT_OK)
		status = w_cli_debts_dir(config, &dir, err);
	if (status == WRIT_OK)
		status = w_owed_open(dir, args->dropped == NULL, out_owed, err);
	return status;
}

static int
session_owed_show(
    const struct session_owed_args *args, const struct w_owed *owed)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, LISTING_MAX);
	if (w_owed_note(owed) != NULL)
		w_print_note("%s", w_owed_note(owed));
	if (args->dropped != NULL)
		return 0;
	if (!args->is_json)
		return session_owed_print(owed);
	w_owed_add_json(&text, owed);
	w_buf_add_char(&text, '\n');
	return w_print(&text);
}

static int
session_owed_run(int argc, char **argv)
{
	struct session_owed_args args = {.state_dir = NULL};
	W_AUTO_FD int lock_fd = -1;
	struct w_owed *owed = NULL;
	writ_config *config = NULL;
	writ_error err;
	int exit_status =
	    w_cli_command_begin(&w_cmd_session_owed, argc, argv, &args);

	if (exit_status >= 0)
		return exit_status;
	writ_status status = writ_config_new(&config, &err);
	if (status == WRIT_OK)
		status =
		    session_owed_open(&args, config, &lock_fd, &owed, &err);
	if (status == WRIT_OK && args.dropped != NULL)
		status = session_owed_drop(owed, args.dropped, &err);
	exit_status = status == WRIT_OK
			  ? session_owed_show(&args, owed)
			  : w_print_failure(&err, args.is_json, FAILED);
	w_owed_free(owed);
	writ_config_free(config);
	return exit_status;
}

const struct w_cli_command w_cmd_session_owed = {
    .name = "session owed",
    .summary = "List the refreshes that are still owed",
    .usage = "session owed [--json | --drop TYPE#NAME]",
    .about = "A resource that changed owes a refresh to those that subscribe "
	     "to it, until one has succeeded: also after a crash, a failure "
	     "or an apply with --only. The next 'writ apply' makes it.",
    .options = options,
    .examples = examples,
    .exits = w_cli_session_exits,
    .usage_exit = 2,
    .run = session_owed_run,
};
