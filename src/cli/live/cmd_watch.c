/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ watch`: shows what every agent does now. At a terminal a person
 * watches, answers questions and ends runs; otherwise each event is a line of
 * JSON.
 */

#include <unistd.h>

#include "base/auto.h"
#include "cli/approval/question_terminal.h"
#include "cli/cli_command.h"
#include "cli/live/live_feed.h"
#include "cli/live/live_json.h"
#include "cli/live/live_seat.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/signals.h"

enum {
	FAILED = 1
};

struct watch_args {
	bool is_json;
	const char *agent;
	writ_config *config;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "agent", .arg = "NAME", W_TO(NAME, struct watch_args, agent),
	 .help = "Only the runs and questions of this agent."},
	{.name = "json", W_TO(FLAG, struct watch_args, is_json),
	 .help = "Print a line of JSON for each event, also on a terminal."},
	W_STATE_DIR_ROW("", W_TO(SETTING, struct watch_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ watch", "what runs now; Enter follows a run, w answers a question"},
	{"writ watch --agent claude", "the same for one agent"},
	{"writ watch --json | jq -c 'select(.event == \"ended\")'",
	 "how runs end, for a program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "q"},
	{"1", "the trail or the queue could not be read"},
	{"2", "wrong usage"},
	{"130", "Ctrl-C"},
	{"141", "the reader of the output went away"},
	{.status = ""},
};
/* clang-format on */

static writ_status
watch_open(struct w_live_feed *feed, int *out_signal_fd, writ_error *err)
{
	writ_error why;

	*out_signal_fd = w_signals_open(err);
	if (*out_signal_fd < 0)
		return WRIT_E_SYSTEM;
	writ_status status = w_live_feed_open(feed, err);
	/* Who asks may wait from now on, instead of failing at once. */
	if (status == WRIT_OK &&
	    writ_approvals_attend(feed->approvals, &why) != WRIT_OK)
		w_print_note("who asks cannot know that somebody answers: %s",
		    why.message);
	return status;
}

static int
watch_all(const struct watch_args *args)
{
	struct w_live_feed feed = {
	    .config = args->config,
	    .agent = args->agent,
	};
	W_AUTO_FD int signal_fd = -1;
	int exit_status = FAILED;
	writ_error err;

	writ_status status = watch_open(&feed, &signal_fd, &err);
	if (status == WRIT_OK) {
		const bool is_person = !args->is_json &&
				       isatty(STDOUT_FILENO) == 1 &&
				       w_question_terminal_exists();

		status =
		    is_person
			? w_live_seat(&feed, signal_fd, &exit_status, &err)
			: w_live_json(&feed, signal_fd, &exit_status, &err);
	}
	w_live_feed_close(&feed);
	return status == WRIT_OK ? exit_status
				 : w_print_failure(&err, args->is_json, FAILED);
}

static int
watch_run(int argc, char **argv)
{
	struct watch_args args = {.agent = NULL};
	writ_error err;

	if (writ_config_new(&args.config, &err) != WRIT_OK)
		return w_print_failure(&err, w_options_want_json(argc, argv),
		    w_cmd_watch.usage_exit);
	int status = w_cli_command_begin(&w_cmd_watch, argc, argv, &args);
	if (status < 0)
		status = watch_all(&args);
	writ_config_free(args.config);
	return status;
}

const struct w_cli_command w_cmd_watch = {
    .name = "watch",
    .summary = "Show what every agent does now",
    .usage = "watch [OPTION]...",
    .about = "Shows what is running, what ended last, and which questions "
	     "wait. On a terminal the arrows or j and k choose a run, whose "
	     "output is followed; Enter gives it the whole screen, or "
	     "shows a question, which a key answers; x ends a run, q leaves. "
	     "Who asks without a terminal waits as long as somebody watches. "
	     "In a pipe, and with --json, each event is a line of JSON.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = watch_run,
};
