/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ mcp check`: starts a server, talks to it as a client does, and reports
 * what works.
 */

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/mcp/conformance.h"
#include "cli/mcp/mcp_args.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/output/text_table.h"
#include "data/json.h"

enum {
	FDS_MAX = 16, /* open at once while a directory is removed */
	ALL_WORK = 0,
	FAILED = 1,
};

struct mcp_check_args {
	struct w_mcp_args server;
	bool is_json;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "json", W_TO(FLAG, struct mcp_check_args, is_json), .help = "Print one JSON object."},
	W_MCP_WHO_ROWS("Of the server"),
	W_MCP_TOOL_ROWS,
	W_MCP_RUN_ROWS,
	W_MCP_PLACE_ROWS,
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ mcp check", "what works here, under the policy of this place"},
	{"writ mcp check --agent reviewer --policy reviewer.yaml",
	 "the same for the options that a client starts it with"},
	{"writ mcp check --json", "the same for a program"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "all of it works, or the policy does not let it be tried"},
	{"1", "something does not work"},
	{"2", "wrong usage"},
	{.status = ""},
};
/* clang-format on */

static const char *const words[] = {
    [W_CONFORMANCE_PASSED] = "works",
    [W_CONFORMANCE_SKIPPED] = "skipped",
    [W_CONFORMANCE_FAILED] = "fails",
};

static const char *const colours[] = {
    [W_CONFORMANCE_PASSED] = "32",
    [W_CONFORMANCE_SKIPPED] = "33",
    [W_CONFORMANCE_FAILED] = "31",
};

/* ---- the tests ---- */

void
w_conformance_end(struct w_conformance *check, enum w_conformance_state state,
    const char *fmt, ...)
{
	struct w_conformance_result *result = &check->results[check->count];
	va_list args;

	result->state = state;
	va_start(args, fmt);
	(void)vsnprintf(result->detail, sizeof(result->detail), fmt, args);
	va_end(args);
}

void
w_conformance_fail(struct w_conformance *check,
    const struct w_conformance_client *client, const writ_error *err)
{
	W_AUTO_BUF struct w_buf log;

	w_buf_init(&log, W_CONFORMANCE_DETAIL_MAX);
	w_conformance_client_add_log(client, &log);
	w_conformance_end(check, W_CONFORMANCE_FAILED, "%s%s%s", err->message,
	    log.len == 0 ? "" : "; it says: ", log.data);
}

static void
run_test(struct w_conformance *check, const struct w_conformance_test *test)
{
	struct w_conformance_result *result = &check->results[check->count];
	const uint64_t begun = w_conformance_client_now_us();

	result->name = test->name;
	if ((test->needs & W_CONFORMANCE_CLIENT) != 0 && !check->is_up)
		w_conformance_end(
		    check, W_CONFORMANCE_SKIPPED, "it did not start");
	else if ((test->needs & W_CONFORMANCE_ARGV) != 0 && !check->has_argv)
		w_conformance_end(check, W_CONFORMANCE_SKIPPED,
		    "exec has another shape here: it does not take argv");
	else if ((test->needs & W_CONFORMANCE_ASKED) != 0 &&
		 check->asked_count == 0)
		w_conformance_end(check, W_CONFORMANCE_SKIPPED,
		    "this policy asks about nothing");
	else
		test->run(check);
	result->us = w_conformance_client_now_us() - begun;
	check->count++;
}

/* PATH mcp OPTION...; the words are borrowed. The last of an option applies. */
static char **
make_argv(const struct w_mcp_args *args, char *path, char *state_dir)
{
	static char mcp[] = "mcp";
	static char structured[] = "--structured";
	static char state_option[] = "--state-dir";
	const size_t count = args->words.count;
	char **argv = calloc(count + 6, sizeof(*argv));

	if (argv == NULL)
		return NULL;
	argv[0] = path;
	argv[1] = mcp;
	for (size_t i = 0; i < count; i++)
		argv[2 + i] = args->words.items[i];
	argv[2 + count] = structured;
	argv[3 + count] = state_option;
	argv[4 + count] = state_dir;
	return argv;
}

/* A state of its own: what is only tried is in nobody's record, and no answer
 * that a person gave before applies to it. false: there is none; reported. */
static bool
make_state(char *out, size_t size)
{
	const char *base = secure_getenv("TMPDIR");

	if (base == NULL || base[0] != '/')
		base = "/tmp";
	const int len = snprintf(out, size, "%s/writ-mcp-check-XXXXXX", base);
	if (len > 0 && (size_t)len < size && mkdtemp(out) != NULL)
		return true;
	w_print_note("cannot make a directory in '%s': %s", base,
	    strerrordesc_np(errno));
	return false;
}

/* false: the path of this program is unknown; reported. */
static bool
run_in(
    const struct w_mcp_args *args, struct w_conformance *check, char *state_dir)
{
	char path[PATH_MAX];

	*check = (struct w_conformance){
	    .args = args, .client = {.to_fd = -1, .from_fd = -1, .log_fd = -1}};
	char **argv = w_install_own_path(path, sizeof(path))
			  ? make_argv(args, path, state_dir)
			  : NULL;
	if (argv == NULL) {
		w_print_note("cannot find the path of this program");
		return false;
	}
	check->argv = argv;
	w_buf_init(&check->client.in, 1);
	for (const struct w_conformance_test *it = w_conformance_tests;
	     it->name != NULL; it++)
		run_test(check, it);
	w_conformance_client_done(&check->client);
	free(argv);
	return true;
}

static int
remove_entry(
    const char *path, const struct stat *about, int kind, struct FTW *place)
{
	(void)about;
	(void)kind;
	(void)place;
	return remove(path);
}

static bool
run_all(const struct w_mcp_args *args, struct w_conformance *check)
{
	char state_dir[PATH_MAX];

	if (!make_state(state_dir, sizeof(state_dir)))
		return false;
	const bool is_run = run_in(args, check, state_dir);
	(void)nftw(state_dir, remove_entry, FDS_MAX, FTW_DEPTH | FTW_PHYS);
	return is_run;
}

static size_t
count_state(const struct w_conformance *check, enum w_conformance_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < check->count; i++)
		count += check->results[i].state == state;
	return count;
}

bool
w_conformance_run_briefly(const struct w_mcp_args *args)
{
	struct w_conformance *check = calloc(1, sizeof(*check));

	if (check == NULL || !run_all(args, check)) {
		free(check);
		return false;
	}
	const size_t failed = count_state(check, W_CONFORMANCE_FAILED);

	w_print_note(
	    "checked: %zu of %zu work, %zu skipped; see writ mcp check",
	    count_state(check, W_CONFORMANCE_PASSED), check->count,
	    count_state(check, W_CONFORMANCE_SKIPPED));
	free(check);
	return failed == 0;
}

/* ---- the report ---- */

static int
mcp_check_print_table(const struct w_conformance *check)
{
	static const char *const headings[] = {
	    "TRIAL", "RESULT", ">MS", "DETAIL", NULL};
	struct w_text_table table;
	char ms[32];

	w_text_table_init(&table, headings);
	for (size_t i = 0; i < check->count; i++) {
		const struct w_conformance_result *it = &check->results[i];

		(void)snprintf(ms, sizeof(ms), "%.1f", (double)it->us / 1000);
		w_text_table_add(&table, it->name);
		w_text_table_add(&table, words[it->state]);
		w_text_table_tint(&table, colours[it->state]);
		w_text_table_add(&table, ms);
		w_text_table_add(&table, it->detail);
	}
	int status = w_text_table_print(&table);
	w_text_table_done(&table);
	return status;
}

static int
mcp_check_print_json(const struct w_conformance *check)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_PRINT_MAX);
	w_buf_add_char(&buf, '{');
	w_json_add_bool_member(
	    &buf, "ok", count_state(check, W_CONFORMANCE_FAILED) == 0);
	w_buf_add_str(&buf, ",\"trials\":[");
	for (size_t i = 0; i < check->count; i++) {
		const struct w_conformance_result *it = &check->results[i];

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
try_all(const struct mcp_check_args *args)
{
	struct w_conformance *check = calloc(1, sizeof(*check));
	int status = FAILED;

	if (check == NULL) {
		w_print_note("out of memory");
		return FAILED;
	}
	if (run_all(&args->server, check)) {
		status = args->is_json ? mcp_check_print_json(check)
				       : mcp_check_print_table(check);
		if (count_state(check, W_CONFORMANCE_FAILED) > 0)
			status = FAILED;
	}
	free(check);
	return status;
}

static int
mcp_check_run(int argc, char **argv)
{
	struct mcp_check_args args = {.is_json = false};
	writ_error err;
	int status = FAILED;

	if (w_cli_mcp_args_init(&args.server, &w_cmd_mcp_check, &err) !=
	    WRIT_OK) {
		(void)w_print_failure(
		    &err, w_options_want_json(argc, argv), FAILED);
	} else {
		status =
		    w_cli_command_begin(&w_cmd_mcp_check, argc, argv, &args);
		if (status < 0)
			status = try_all(&args);
	}
	w_cli_mcp_args_done(&args.server);
	return status;
}

const struct w_cli_command w_cmd_mcp_check = {
    .name = "mcp check",
    .summary = "Talk to a server as a client does, and show what works",
    .usage = "mcp check [--json] [OPTION]...",
    .about = "Starts 'writ mcp' with the same options, talks to it in every "
	     "version of the protocol, runs harmless commands, cancels one, "
	     "reads resources, and declines whatever it is asked to approve. "
	     "What the policy does not allow is skipped. What it runs is "
	     "recorded in a directory of its own, which it removes.",
    .options = options,
    .stores = {w_cli_mcp_store},
    .examples = examples,
    .exits = exits,
    .usage_exit = 2,
    .run = mcp_check_run,
};
