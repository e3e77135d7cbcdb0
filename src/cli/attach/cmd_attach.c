/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ attach RUN`: this terminal at a run with a terminal of its own.
 */

#include <string.h>
#include <unistd.h>

#include <writ/config.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/attach/attach_seat.h"
#include "cli/attach/attach_socket.h"
#include "cli/caller.h"
#include "cli/cli_command.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/run/recorded_run.h"

enum {
	FAILED = 125
};

struct attach_args {
	writ_config *config;
	const char *word;
	bool is_read_only;
	bool is_raw;
	bool is_quiet;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "read-only", .letter = 'r', W_TO(FLAG, struct attach_args, is_read_only),
	 .help = "Only look: nothing is typed, and the size stays."},
	{.name = "raw", W_TO(FLAG, struct attach_args, is_raw),
	 .help = "Pass the output to the terminal unchanged, with all control "
	         "sequences."},
	{.name = "quiet", .letter = 'q', W_TO(FLAG, struct attach_args, is_quiet),
	 .help = "No notes on standard error."},
	W_STATE_DIR_ROW("", W_TO(SETTING, struct attach_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"id=$(writ run --detach --pty --stdin attach -- bash); writ attach $id",
	 "a shell that goes on when nobody is attached"},
	{"writ attach --read-only -", "look at the newest run"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "detached; the run goes on"},
	{"N", "the status that writ run gives the run, which has ended"},
	{"125", "no such run, it has ended, it has no terminal, it was lost, or "
	        "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static writ_status
check_usage(const struct attach_args *args, writ_error *err)
{
	if (args->word == NULL)
		return w_recorded_run_unnamed(&w_cmd_attach, err);
	if (args->is_raw && w_cli_check_raw(NULL, err) != WRIT_OK)
		return err->status;
	if (w_cli_caller() != WRIT_CALLER_TRUSTED)
		return w_fail(err, WRIT_E_DENIED, "attach", 0,
		    "a run cannot attach to another one: only a person at the "
		    "command line can");
	if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1)
		return w_fail(err, WRIT_E_INVALID, "attach", 0,
		    "standard input and output must be a terminal");
	return WRIT_OK;
}

static writ_status
check_run(const struct w_recorded_run *recorded, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, sizeof(err->message));
	if (w_recorded_run_is_over(recorded)) {
		w_recorded_run_add_end(&text, recorded);
		(void)w_fail(err, WRIT_E_INVALID, "attach", 0,
		    "%s has ended already: %s", recorded->id, text.data);
		w_suggest(err, "writ output %s", recorded->id);
		return WRIT_E_INVALID;
	}
	if (recorded->begin_json != NULL &&
	    strstr(recorded->begin_json, ",\"pty\":{") == NULL) {
		(void)w_fail(err, WRIT_E_INVALID, "attach", 0,
		    "%s has no terminal: it was started without --pty",
		    recorded->id);
		w_suggest(err, "writ output --follow %s", recorded->id);
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* The run may end in this moment. */
static writ_status
fail_connect(const struct w_recorded_run *recorded, const writ_error *why,
    writ_error *err)
{
	*err = *why;
	if (why->status != WRIT_E_NOTFOUND)
		return why->status;
	(void)w_fail(err, WRIT_E_NOTFOUND, "attach", 0,
	    "nobody serves the terminal of %s: it has just ended, or another "
	    "program than 'writ run' and 'writ mcp' started it",
	    recorded->id);
	w_suggest(err, "writ output --follow %s", recorded->id);
	return WRIT_E_NOTFOUND;
}

static writ_status
attach_connect(const struct attach_args *args, struct w_recorded_run *recorded,
    int *out_fd, writ_error *err)
{
	const char *state_dir = writ_config_get(args->config, "state_dir");
	W_AUTO_AUDIT writ_audit *audit = NULL;
	W_AUTO_FD int dir_fd = -1;
	writ_error why;

	writ_status status = w_recorded_runs_open(state_dir, &audit, err);
	if (status == WRIT_OK)
		status = w_recorded_run_find(audit, args->word, recorded, err);
	if (status == WRIT_OK)
		status = check_run(recorded, err);
	if (status != WRIT_OK)
		return status;
	status = w_attach_open_dir(state_dir, false, &dir_fd, &why);
	if (status == WRIT_OK)
		status = w_attach_connect(dir_fd, recorded->id, out_fd, &why);
	return status == WRIT_OK ? WRIT_OK : fail_connect(recorded, &why, err);
}

static void
note_attached(const struct attach_args *args, const char *id)
{
	if (!args->is_quiet)
		w_print_note(
		    "attached to %s; Ctrl-\\ twice detaches, the run goes on",
		    id);
}

static int
attach_finish(const struct attach_args *args, const char *id,
    enum w_attach_end end, int exit_status)
{
	writ_error err;

	switch (end) {
	case W_ATTACH_DETACHED:
		if (!args->is_quiet)
			w_print_note("detached from %s", id);
		return exit_status;
	case W_ATTACH_ENDED:
		if (!args->is_quiet)
			w_print_note("%s has ended with %d", id, exit_status);
		return exit_status;
	case W_ATTACH_LOST:
		break;
	}
	(void)w_fail(&err, WRIT_E_SYSTEM, "attach", 0,
	    "the process that ran %s is gone, or does not let this terminal "
	    "attach",
	    id);
	return w_print_failure(&err, false, FAILED);
}

static int
attach_to(const struct attach_args *args)
{
	W_AUTO_RECORDED_RUN struct w_recorded_run recorded = {.pid = 0};
	W_AUTO_FD int fd = -1;
	enum w_attach_end end = W_ATTACH_LOST;
	int exit_status = FAILED;
	writ_error err;

	writ_status status = check_usage(args, &err);
	if (status == WRIT_OK)
		status = attach_connect(args, &recorded, &fd, &err);
	if (status == WRIT_OK) {
		note_attached(args, recorded.id);
		status = w_attach_seat(fd, args->is_read_only, args->is_raw,
		    &end, &exit_status, &err);
	}
	return status == WRIT_OK
		   ? attach_finish(args, recorded.id, end, exit_status)
		   : w_print_failure(&err, false, FAILED);
}

static int
attach_run(int argc, char **argv)
{
	struct attach_args args = {.word = NULL};
	writ_error err;

	if (writ_config_new(&args.config, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	int status = w_cli_command_begin(&w_cmd_attach, argc, argv, &args);
	if (status < 0)
		status = attach_to(&args);
	writ_config_free(args.config);
	return status;
}

const struct w_cli_command w_cmd_attach = {
    .name = "attach",
    .summary = "Use the terminal of a run",
    .usage = "attach [OPTION]... RUN",
    .about = "Shows the terminal of a run that was started with writ run "
	     "--pty, or by an agent over MCP, and types into it. Several "
	     "terminals may be attached; "
	     "the newest one sets the size. Ctrl-\\ twice within a second "
	     "detaches, and the run goes on. RUN is an id, the beginning of "
	     "one, or '-' for the newest.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@running",
	W_TO(TEXT, struct attach_args, word),
	.help = "one RUN at a time"},
    .usage_exit = FAILED,
    .run = attach_run,
};
