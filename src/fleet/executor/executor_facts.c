/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The facts of this host: what `writ facts --json` says, and the host's own
 * tags. They are gathered by that program, so that the executor reads nothing
 * but its answer.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "data/json.h"
#include "expr/expr.h"
#include "fleet/executor/executor.h"

#define STAGE     "facts"
#define FACTS_MAX ((size_t)512 << 10)
#define DEPTH_MAX 32
#define TAKES_MS  10000
#define VALID_MS  60000

bool
w_executor_program(const char *name, char out[W_FLEET_PATH_MAX])
{
	/* In a build; installed, where this one is in libexec/writ. */
	static const char *const places[] = {"", "/../../bin", "/../../sbin"};
	char own[W_FLEET_PATH_MAX];
	const ssize_t len = readlink("/proc/self/exe", own, sizeof(own) - 1);

	if (len <= 0)
		return false;
	own[len] = '\0';
	*strrchr(own, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (snprintf(out, W_FLEET_PATH_MAX, "%s%s/%s", own, places[i],
			name) < W_FLEET_PATH_MAX &&
		    access(out, X_OK) == 0)
			return true;
	}
	return false;
}

/* Reads until its end, for at most TAKES_MS. */
static bool
read_output(int fd, struct w_buf *text)
{
	const uint64_t end_ms = w_executor_clock_ms() + TAKES_MS;
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	char part[8192];

	for (;;) {
		const uint64_t now_ms = w_executor_clock_ms();

		if (now_ms >= end_ms)
			return false;
		if (poll(&wait, 1, (int)(end_ms - now_ms)) <= 0)
			continue;
		ssize_t got = read(fd, part, sizeof(part));
		if (got == 0)
			return !text->failed;
		if (got < 0 && errno != EINTR)
			return false;
		if (got > 0)
			w_buf_add(text, part, (size_t)got);
	}
}

static writ_status
run_facts(struct w_buf *text, writ_error *err)
{
	static char word[] = "writ", facts[] = "facts", json[] = "--json";
	char *argv[] = {word, facts, json, NULL};
	char *const envp[] = {NULL};
	char program[W_FLEET_PATH_MAX];
	posix_spawn_file_actions_t actions;
	int ends[2];
	int status = 0;
	pid_t pid = 0;

	if (!w_executor_program("writ", program))
		return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "the program writ is not beside this one");
	if (pipe2(ends, O_CLOEXEC) < 0 ||
	    posix_spawn_file_actions_init(&actions) != 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, errno, "cannot make a pipe");
	(void)posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	int failed = posix_spawn(&pid, program, &actions, NULL, argv, envp);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)close(ends[1]);
	const bool is_read = failed == 0 && read_output(ends[0], text);
	(void)close(ends[0]);
	if (failed != 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, failed,
		    "cannot start '%s'", program);
	if (!is_read)
		(void)kill(pid, SIGKILL);
	(void)waitpid(pid, &status, 0);
	return is_read && status == 0 ? WRIT_OK
				      : w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
					    "'writ facts' failed on this host");
}

/* The members that belong to the fleet, after those of the machine. */
static void
add_own(struct w_buf *out, const struct w_fleet_host *host)
{
	size_t at, count;
	yyjson_val *tag;

	w_buf_add_str(out, ",\"fleet\":{");
	w_json_add_text_member(out, "host", host->name);
	w_json_add_text_member(out, "collective", host->collective);
	w_buf_add_str(out, "},\"tags\":{");
	yyjson_arr_foreach(host->tags, at, count, tag)
	{
		w_json_add_bool_member(out, yyjson_get_str(tag), true);
	}
	w_buf_add_str(out, "}}");
}

static writ_status
gather(struct w_executor *executor, writ_error *err)
{
	const struct w_json_limits limits = {FACTS_MAX, DEPTH_MAX};
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, FACTS_MAX);
	writ_status status = run_facts(&text, err);
	if (status != WRIT_OK)
		return status;
	while (w_buf_last(&text) == '\n')
		text.data[--text.len] = '\0';
	if (w_buf_last(&text) != '}')
		return w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "'writ facts' printed no map");
	text.data[--text.len] = '\0';
	add_own(&text, &executor->host);
	if (text.failed)
		return w_fail_nomem(err, STAGE);
	status = w_json_read(text.data, text.len, &limits, &json, err);
	if (status != WRIT_OK)
		return status;
	w_arena_done(&executor->facts_arena);
	status = w_value_from_json(
	    &executor->facts_arena, w_json_root(json), &executor->facts, err);
	w_json_free(json);
	if (status != WRIT_OK)
		return status;
	w_buf_done(&executor->facts_json);
	w_buf_init(&executor->facts_json, FACTS_MAX);
	w_buf_add(&executor->facts_json, text.data, text.len);
	return executor->facts_json.failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

writ_status
w_executor_facts(
    struct w_executor *executor, const char **out_json, writ_error *err)
{
	const uint64_t now_ms = w_executor_clock_ms();

	if (now_ms >= executor->facts_until_ms) {
		executor->facts_until_ms = 0;
		writ_status status = gather(executor, err);

		if (status != WRIT_OK)
			return status;
		executor->facts_until_ms = now_ms + VALID_MS;
	}
	*out_json = executor->facts_json.data;
	return WRIT_OK;
}

static const struct w_value *
facts_root(void *ctx, enum w_expr_root root, writ_error *err)
{
	struct w_executor *executor = ctx;

	if (root == W_ROOT_FACTS)
		return &executor->facts;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0, "where can only use Facts");
	return NULL;
}

bool
w_executor_where(
    struct w_executor *executor, const char *where, writ_error *err)
{
	const struct w_expr_scope scope = {.root = facts_root, .ctx = executor};
	const struct w_expr *expr = NULL;
	struct w_arena arena = {.left = 0};
	const char *json = NULL;
	bool holds = false;
	writ_error failure;

	writ_status status = w_executor_facts(executor, &json, &failure);
	if (status == WRIT_OK)
		status = w_expr_compile(
		    &arena, where, strlen(where), &expr, &failure);
	if (status == WRIT_OK)
		status = w_expr_test(expr, &scope, &arena, &holds, &failure);
	w_arena_done(&arena);
	if (status != WRIT_OK)
		(void)w_fail(
		    err, status, STAGE, 0, "where: %s", failure.message);
	else if (!holds)
		(void)w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "'%s' does not hold here", where);
	return status == WRIT_OK && holds;
}
