/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ mcp check`: starts a server, talks to it as a client does, and says
 * what works.
 */

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/grid.h"
#include "cli/mcp_args.h"
#include "cli/mcp_check.h"
#include "cli/options.h"
#include "cli/print.h"
#include "data/json.h"

enum {
	CHECK_JSON = W_MCP_OWN,
};

enum {
	ALL_WORK = 0,
	FAILED = 1,
};

struct args {
	struct w_mcp_args server;
	bool is_json;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "json", .id = CHECK_JSON, .help = "Print one JSON object."},
	W_MCP_WHO_ROWS("Of the server"),
	W_MCP_TOOL_ROWS,
	W_MCP_RUN_ROWS,
	W_MCP_PLACE_ROWS,
	W_HELP_ROW,
	{.name = NULL},
};

static const struct w_example examples[] = {
	{"writ mcp check", "what works here, under the policy of this place"},
	{"writ mcp check --agent reviewer --policy reviewer.yaml",
	 "the same for the options that a client starts it with"},
	{"writ mcp check --json", "the same for a program"},
	{.line = NULL},
};

static const struct w_exit_row exits[] = {
	{"0", "all of it works, or the policy does not let it be tried"},
	{"1", "something does not work"},
	{"2", "wrong usage"},
	{.status = NULL},
};
/* clang-format on */

static const char *const words[] = {
    [W_MCP_TRIAL_WORKS] = "works",
    [W_MCP_TRIAL_SKIPPED] = "skipped",
    [W_MCP_TRIAL_FAILS] = "fails",
};

static const char *const colours[] = {
    [W_MCP_TRIAL_WORKS] = "32",
    [W_MCP_TRIAL_SKIPPED] = "33",
    [W_MCP_TRIAL_FAILS] = "31",
};

/* ---- the trials ---- */

void
w_mcp_trial_end(struct w_mcp_check *check, enum w_mcp_trial_state state,
    const char *fmt, ...)
{
	struct w_mcp_trial_result *result = &check->results[check->count];
	va_list args;

	result->state = state;
	va_start(args, fmt);
	(void)vsnprintf(result->detail, sizeof(result->detail), fmt, args);
	va_end(args);
}

void
w_mcp_trial_fail(struct w_mcp_check *check, const struct w_mcp_talk *talk,
    const writ_error *err)
{
	W_AUTO_BUF struct w_buf log;

	w_buf_init(&log, W_MCP_TRIAL_DETAIL_MAX);
	w_mcp_talk_add_log(talk, &log);
	w_mcp_trial_end(check, W_MCP_TRIAL_FAILS, "%s%s%s", err->message,
	    log.len == 0 ? "" : "; it says: ", log.data);
}

static void
run_trial(struct w_mcp_check *check, const struct w_mcp_trial *trial)
{
	struct w_mcp_trial_result *result = &check->results[check->count];
	const uint64_t begun = w_mcp_talk_now_us();

	result->name = trial->name;
	if (trial->needs_talk && !check->is_up)
		w_mcp_trial_end(check, W_MCP_TRIAL_SKIPPED, "it did not start");
	else
		trial->run(check);
	result->us = w_mcp_talk_now_us() - begun;
	check->count++;
}

/* PATH mcp OPTION...; the words are borrowed. */
static char **
make_argv(const struct w_mcp_args *args, char *path)
{
	static char word[] = "mcp";
	char **argv = calloc(args->words.count + 3, sizeof(*argv));

	if (argv == NULL)
		return NULL;
	argv[0] = path;
	argv[1] = word;
	for (size_t i = 0; i < args->words.count; i++)
		argv[2 + i] = args->words.items[i];
	return argv;
}

/* false: there was nothing to try it with. */
static bool
run_all(const struct w_mcp_args *args, struct w_mcp_check *check)
{
	char path[PATH_MAX];

	*check = (struct w_mcp_check){
	    .args = args, .talk = {.to_fd = -1, .from_fd = -1, .log_fd = -1}};
	char **argv =
	    w_mcp_own_path(path, sizeof(path)) ? make_argv(args, path) : NULL;
	if (argv == NULL) {
		w_print_note("cannot find the path of this program");
		return false;
	}
	check->argv = argv;
	w_buf_init(&check->talk.in, 1);
	for (const struct w_mcp_trial *it = w_mcp_trials; it->name != NULL;
	     it++)
		run_trial(check, it);
	w_mcp_talk_done(&check->talk);
	free(argv);
	return true;
}

static size_t
count_state(const struct w_mcp_check *check, enum w_mcp_trial_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < check->count; i++)
		count += check->results[i].state == state;
	return count;
}

bool
w_mcp_check_briefly(const struct w_mcp_args *args)
{
	struct w_mcp_check *check = calloc(1, sizeof(*check));

	if (check == NULL || !run_all(args, check)) {
		free(check);
		return false;
	}
	const size_t failed = count_state(check, W_MCP_TRIAL_FAILS);

	w_print_note(
	    "checked: %zu of %zu work, %zu skipped; see writ mcp check",
	    count_state(check, W_MCP_TRIAL_WORKS), check->count,
	    count_state(check, W_MCP_TRIAL_SKIPPED));
	free(check);
	return failed == 0;
}

/* ---- what is told ---- */

static int
print_table(const struct w_mcp_check *check)
{
	static const char *const headings[] = {
	    "TRIAL", "RESULT", ">MS", "DETAIL", NULL};
	struct w_grid grid;
	char ms[32];

	w_grid_init(&grid, headings);
	for (size_t i = 0; i < check->count; i++) {
		const struct w_mcp_trial_result *it = &check->results[i];

		(void)snprintf(ms, sizeof(ms), "%.1f", (double)it->us / 1000);
		w_grid_add(&grid, it->name);
		w_grid_add(&grid, words[it->state]);
		w_grid_tint(&grid, colours[it->state]);
		w_grid_add(&grid, ms);
		w_grid_add(&grid, it->detail);
	}
	int status = w_grid_print(&grid);
	w_grid_done(&grid);
	return status;
}

static int
print_json(const struct w_mcp_check *check)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	w_buf_add_char(&buf, '{');
	w_json_add_bool_member(
	    &buf, "ok", count_state(check, W_MCP_TRIAL_FAILS) == 0);
	w_buf_add_str(&buf, ",\"trials\":[");
	for (size_t i = 0; i < check->count; i++) {
		const struct w_mcp_trial_result *it = &check->results[i];

		w_buf_add_str(&buf, i == 0 ? "{" : ",{");
		w_json_add_text_member(&buf, "trial", it->name);
		w_json_add_text_member(&buf, "result", words[it->state]);
		w_json_add_path_member(&buf, "detail", it->detail);
		w_buf_add_fmt(&buf, ",\"ms\":%.3f}", (double)it->us / 1000);
	}
	w_buf_add_str(&buf, "]}\n");
	return w_print(&buf);
}

static int
try_all(const struct args *args)
{
	struct w_mcp_check *check = calloc(1, sizeof(*check));
	int status = FAILED;

	if (check == NULL) {
		w_print_note("out of memory");
		return FAILED;
	}
	if (run_all(&args->server, check)) {
		status = args->is_json ? print_json(check) : print_table(check);
		if (count_state(check, W_MCP_TRIAL_FAILS) > 0)
			status = FAILED;
	}
	free(check);
	return status;
}

static writ_status
take(void *ctx, const struct w_option *option, const char *value,
    writ_error *err)
{
	struct args *args = ctx;

	if (option == NULL)
		return w_usage_fail(
		    &w_cmd_mcp_check, err, "unexpected word '%.64s'", value);
	if (option->target == W_TO_COMMAND && option->id == CHECK_JSON) {
		args->is_json = true;
		return WRIT_OK;
	}
	return w_mcp_args_take(&args->server, option, value, err);
}

static int
run(int argc, char **argv)
{
	struct args args = {.is_json = false};
	writ_error err;
	int status = FAILED;

	if (w_mcp_args_init(&args.server, &w_cmd_mcp_check, argc, &err) !=
	    WRIT_OK) {
		(void)w_print_failure(
		    &err, w_options_want_json(argc, argv), FAILED);
	} else {
		status =
		    w_command_begin(&w_cmd_mcp_check, argc, argv, take, &args);
		if (status < 0)
			status = try_all(&args);
	}
	w_mcp_args_done(&args.server);
	return status;
}

const struct w_command w_cmd_mcp_check = {
    .name = "mcp check",
    .summary = "Talk to a server as a client does, and say what works",
    .usage = "mcp check [--json] [OPTION]...",
    .about = "Starts 'writ mcp' with the same options, talks to it in every "
	     "version of the protocol, runs harmless commands, cancels one, "
	     "reads resources, and declines whatever it is asked to approve. "
	     "What the policy does not allow is skipped. The runs are in the "
	     "record like any other.",
    .options = options,
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = run,
};
