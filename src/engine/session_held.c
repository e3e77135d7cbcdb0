/* SPDX-License-Identifier: Apache-2.0 */

/* The public API of sessions that a holder keeps for several processes. */

#include <writ/session.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/words.h"
#include "command/analysis/variable.h"
#include "engine/engine_session.h"
#include "engine/engine_state.h"
#include "engine/hosts/engine_hosts.h"
#include "run/held/held_client.h"
#include "run/held/held_dir.h"
#include "run/held/held_start.h"
#include "run/home/home_store.h"
#include "run/launch/disk_tmp.h"

#define STAGE "session"

enum {
	/* A list does not wait as long for a holder that is stopped. */
	LIST_WAIT_MS = 300
};

static const uint64_t idle_default_ms = UINT64_C(8) * 3600 * 1000;
static const uint64_t lifetime_default_ms = UINT64_C(7) * 24 * 3600 * 1000;

static bool
session_held_is_risky(const char *name)
{
	return w_variable_effects(name, strlen(name), NULL) != 0;
}

static writ_status
check_name(const char *name, writ_error *err)
{
	if (name != NULL && w_held_is_name(name))
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "the name of a session must be 1 to %d letters, digits, '-', '_' "
	    "and '.', and start with none of the last two",
	    W_HELD_NAME_MAX);
}

static writ_status
no_session(const char *name, writ_error *err)
{
	(void)w_fail(
	    err, WRIT_E_NOTFOUND, STAGE, 0, "there is no session '%s'", name);
	w_suggest(err,
	    "writ session start %s; writ session list shows those that there "
	    "are",
	    name);
	return WRIT_E_NOTFOUND;
}

/* The directory of the sockets. A machine that never had a session has none. */
static writ_status
open_held_dir(
    const char *state_dir, const char *name, int *out_fd, writ_error *err)
{
	writ_status status = w_held_dir_open(state_dir, false, out_fd, err);

	return status == WRIT_E_NOTFOUND && name != NULL ? no_session(name, err)
							 : status;
}

/* ---- start ---- */

/* Their lengths were checked with what they mean; what is too long is left
 * out. */
static void
add_forwards(
    char text[W_HELD_FORWARDS_MAX], const char *word, const char *const *list)
{
	for (; list != NULL && *list != NULL; list++) {
		const size_t len = strlen(text);

		(void)snprintf(text + len, W_HELD_FORWARDS_MAX - len, "%s%s %s",
		    len == 0 ? "" : ", ", word, *list);
	}
}

static bool
add_hosts(char hosts[W_HELD_HOSTS_MAX], const char *const *list)
{
	size_t len = 0;

	for (; list != NULL && *list != NULL; list++) {
		const int n = snprintf(hosts + len, W_HELD_HOSTS_MAX - len,
		    "%s%s", len == 0 ? "" : " ", *list);

		if (n < 0 || (size_t)n >= W_HELD_HOSTS_MAX - len)
			return false;
		len += (size_t)n;
	}
	return true;
}

/* The hosts of a session are open to each of its runs. */
static writ_status
open_hosts_of(
    writ_engine *engine, struct writ_session *session, writ_error *err)
{
	const char *text = session->held->charter.hosts;
	W_AUTO_WORDS struct w_words words = {.items = NULL};

	while (*text != '\0') {
		const size_t len = strcspn(text, " ");

		if (len > 0 && !w_words_add(&words, text, len))
			return w_fail_nomem(err, STAGE);
		text += len + (text[len] == ' ');
	}
	return words.count == 0
		   ? WRIT_OK
		   : w_engine_hosts_open(engine, session,
			 (const char *const *)words.items, "session", err);
}

static writ_status
fill_hold(const writ_engine *engine, const writ_session_hold *given,
    const writ_session_options *opts, struct w_held_charter *charter,
    writ_error *err)
{
	writ_session_hold hold = WRIT_SESSION_HOLD_INIT;

	if (given != NULL && given->size >= sizeof(given->size))
		memcpy(&hold, given,
		    given->size < sizeof(hold) ? given->size : sizeof(hold));
	const char *dir = hold.dir != NULL ? hold.dir : engine->base;
	const char *agent = opts->agent == NULL ? "" : opts->agent;
	if (dir == NULL || dir[0] != '/' || strlen(dir) >= sizeof(charter->dir))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the directory of a session must be an absolute path");
	if (strlen(agent) >= sizeof(charter->agent))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the name of the agent is too long");
	charter->idle_ms = hold.idle_ms != 0 ? hold.idle_ms : idle_default_ms;
	charter->lifetime_ms =
	    hold.lifetime_ms != 0 ? hold.lifetime_ms : lifetime_default_ms;
	add_forwards(charter->forwards, "publish", opts->publish);
	add_forwards(charter->forwards, "connect", opts->connect);
	if (!add_hosts(charter->hosts, opts->hosts))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the hosts are more than %d characters together",
		    W_HELD_HOSTS_MAX - 1);
	(void)stpcpy(charter->dir, dir);
	(void)stpcpy(charter->agent, agent);
	(void)stpcpy(charter->name, opts->name);
	return WRIT_OK;
}

/* Fails if there is one; removes the socket of one that was killed. */
static writ_status
make_name_free(int dir_fd, const char *name, writ_error *err)
{
	W_AUTO_FD int fd = w_held_dir_connect(dir_fd, name);

	if (fd == -ENOENT)
		return WRIT_OK;
	if (fd == -ECONNREFUSED) {
		if (unlinkat(dir_fd, name, 0) == 0)
			return WRIT_OK;
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot remove what is left of session '%s'", name);
	}
	if (fd < 0 && fd != -EAGAIN)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, -fd,
		    "cannot look whether there is a session '%s'", name);
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "there is a session '%s' already", name);
	w_suggest(err,
	    "writ run --session %s -- PROGRAM, or writ session end %s", name,
	    name);
	return WRIT_E_INVALID;
}

static writ_status
make_and_hold(writ_engine *engine, const writ_session_options *opts, int dir_fd,
    struct w_held_charter *charter, writ_error *err)
{
	writ_session *session = NULL;
	writ_status status = writ_session_open(engine, opts, &session, err);

	if (status != WRIT_OK)
		return status;
	status = w_held_start(
	    &engine->runner.launcher, dir_fd, session->walls, charter, err);
	writ_session_close(session);
	return status;
}

writ_status
writ_session_start(writ_engine *engine, const writ_session_options *opts,
    const writ_session_hold *hold, writ_error *err)
{
	W_AUTO_FD int dir_fd = -1;
	W_AUTO_FD int lock = -1;
	W_AUTO_FREE struct w_held_charter *charter =
	    calloc(1, sizeof(*charter));

	if (charter == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status = check_name(opts->name, err);
	if (status == WRIT_OK)
		status = fill_hold(engine, hold, opts, charter, err);
	if (status == WRIT_OK)
		status = w_engine_find_paths(engine, err);
	if (status == WRIT_OK)
		status = w_held_dir_open(
		    engine->runner.state_dir, true, &dir_fd, err);
	if (status == WRIT_OK)
		status = w_held_dir_lock(dir_fd, &lock, err);
	if (status == WRIT_OK)
		status = make_name_free(dir_fd, opts->name, err);
	return status == WRIT_OK
		   ? make_and_hold(engine, opts, dir_fd, charter, err)
		   : status;
}

/* ---- join ---- */

static writ_status
check_agent(const struct w_held *held, const char *agent, writ_error *err)
{
	const struct w_held_charter *charter = &held->charter;

	if (strcmp(charter->agent, agent == NULL ? "" : agent) == 0)
		return WRIT_OK;
	if (charter->agent[0] == '\0')
		return w_fail(err, WRIT_E_DENIED, STAGE, 0,
		    "session '%s' is a person's, and no agent's",
		    charter->name);
	(void)w_fail(err, WRIT_E_DENIED, STAGE, 0,
	    "session '%s' is for the agent '%s'", charter->name,
	    charter->agent);
	w_suggest(err, "--agent %s", charter->agent);
	return WRIT_E_DENIED;
}

static writ_status
adopt(writ_engine *engine, struct w_held *held, writ_session **out_session,
    writ_error *err)
{
	struct writ_session *session = calloc(1, sizeof(*session));

	if (session == NULL)
		return w_fail_nomem(err, STAGE);
	(void)snprintf(
	    session->name, sizeof(session->name), "%s", held->charter.name);
	session->held = held;
	session->walls = w_session_walls_hold(held->walls);
	w_engine_link_session(session, &engine->runner);
	const int error = w_run_session_watch(session);
	writ_status status =
	    error == 0
		? open_hosts_of(engine, session, err)
		: w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		      "cannot watch the session '%s'", held->charter.name);
	if (status == WRIT_OK) {
		*out_session = session;
		return WRIT_OK;
	}
	if (error == 0)
		w_loop_remove(&engine->runner.loop, &session->line);
	session->held = NULL;
	writ_session_close(session);
	return status;
}

writ_status
writ_session_join(writ_engine *engine, const char *name, const char *agent,
    writ_session **out_session, writ_error *err)
{
	const struct w_held_question question = {.name = name,
	    .joins = true,
	    .wait_ms = W_HELD_ANSWER_MS,
	    .is_risky = session_held_is_risky};
	struct w_held *held = NULL;
	W_AUTO_FD int dir_fd = -1;

	writ_status status = check_name(name, err);
	if (status == WRIT_OK)
		status = w_engine_find_paths(engine, err);
	if (status == WRIT_OK)
		status =
		    open_held_dir(engine->runner.state_dir, name, &dir_fd, err);
	if (status == WRIT_OK)
		status = w_held_ask(dir_fd, &question, &held, err);
	if (status == WRIT_OK)
		status = check_agent(held, agent, err);
	if (status == WRIT_OK)
		status = adopt(engine, held, out_session, err);
	if (status != WRIT_OK)
		w_held_done(held);
	return status;
}

const char *
writ_session_cwd(const writ_session *session)
{
	if (session->held == NULL)
		return NULL;
	return session->held->saved.cwd != NULL ? session->held->saved.cwd
						: session->held->charter.dir;
}

const char *const *
writ_session_env(const writ_session *session)
{
	return session->held == NULL
		   ? NULL
		   : (const char *const *)session->held->saved.env.items;
}

writ_status
writ_session_leave(
    writ_session *session, const writ_result *result, writ_error *err)
{
	struct w_held *held = session->held;

	if (held == NULL || result->left_cwd == NULL || session->is_over)
		return WRIT_OK;
	if (!w_held_saved_merge(
		&held->saved, result->left_cwd, result->left_env))
		return w_fail_nomem(err, STAGE);
	return w_held_save(held->line, session->name, &held->saved, err);
}

bool
writ_session_is_over(const writ_session *session)
{
	return session->is_over;
}

/* ---- looking ---- */

static void
tell_about(const struct w_held *held, writ_session_fn tell, void *ctx)
{
	static const char *const none[] = {NULL};
	const struct w_held_charter *charter = &held->charter;
	struct w_session_usage usage = {.bytes = 0};
	writ_session_info info = {
	    .size = sizeof(info),
	    .name = charter->name,
	    .agent = charter->agent[0] == '\0' ? NULL : charter->agent,
	    .dir = charter->dir,
	    .cwd = held->saved.cwd != NULL ? held->saved.cwd : charter->dir,
	    .env = held->saved.env.items == NULL
		       ? none
		       : (const char *const *)held->saved.env.items,
	    .forwards = charter->forwards,
	    .hosts = charter->hosts,
	    .has_network = held->walls->net_ns >= 0,
	    .is_on_disk = charter->has_disk != 0,
	    .has_bad_state = held->has_bad_saved,
	    .pid = held->pid,
	    .runs = held->runs,
	    .began_us = charter->began_us,
	    .idle_ms = held->idle_ms,
	    .idle_max_ms = charter->idle_ms,
	    .left_ms = held->left_ms,
	};

	if (held->walls->disk != NULL)
		(void)w_disk_tmp_is_over(held->walls->disk, UINT64_MAX, 0);
	(void)w_session_walls_usage(held->walls, &usage);
	info.state = (writ_session_state){
	    .size = sizeof(info.state),
	    .runs = held->runs,
	    .tmp_bytes = usage.bytes,
	    .tmp_bytes_max = usage.bytes_max,
	    .tmp_files = usage.files,
	    .tmp_files_max = usage.files_max,
	};
	tell(ctx, &info);
}

static writ_status
look_at(int dir_fd, const char *name, int wait_ms, writ_session_fn tell,
    void *ctx, writ_error *err)
{
	const struct w_held_question question = {.name = name,
	    .wait_ms = wait_ms,
	    .is_risky = session_held_is_risky};
	struct w_held *held = NULL;
	writ_status status = w_held_ask(dir_fd, &question, &held, err);

	if (status == WRIT_OK)
		tell_about(held, tell, ctx);
	w_held_done(held);
	return status;
}

/* With the settings of the machine where none are given. */
static writ_status
state_dir_of(const writ_config *config, char **out_dir, writ_error *err)
{
	writ_config *own = NULL;
	writ_status status =
	    config == NULL ? writ_config_new(&own, err) : WRIT_OK;

	if (status != WRIT_OK)
		return status;
	const char *dir =
	    writ_config_get(config != NULL ? config : own, "state_dir");
	*out_dir = dir == NULL ? NULL : strdup(dir);
	writ_config_free(own);
	return *out_dir != NULL ? WRIT_OK
				: w_fail(err, WRIT_E_INVALID, STAGE, 0,
				      "there is no state directory");
}

static writ_status
open_dir_of(
    const writ_config *config, const char *name, int *out_fd, writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;
	writ_status status = state_dir_of(config, &dir, err);

	return status == WRIT_OK ? open_held_dir(dir, name, out_fd, err)
				 : status;
}

static void
list_all(
    int dir_fd, const struct w_words *names, writ_session_fn tell, void *ctx)
{
	for (size_t i = 0; i < names->count; i++) {
		writ_error why = {.status = WRIT_OK};
		const writ_status status = look_at(
		    dir_fd, names->items[i], LIST_WAIT_MS, tell, ctx, &why);
		const writ_session_info info = {.size = sizeof(info),
		    .name = names->items[i],
		    .problem = why.message};

		if (status != WRIT_OK && status != WRIT_E_NOTFOUND)
			tell(ctx, &info);
	}
}

writ_status
writ_session_list(
    const writ_config *config, writ_session_fn tell, void *ctx, writ_error *err)
{
	W_AUTO_WORDS struct w_words names = {.items = NULL};
	W_AUTO_FREE char *state_dir = NULL;
	W_AUTO_FD int dir_fd = -1;
	writ_status status = state_dir_of(config, &state_dir, err);

	if (status == WRIT_OK)
		status = w_held_dir_open(state_dir, false, &dir_fd, err);
	if (status == WRIT_E_NOTFOUND)
		return WRIT_OK;
	if (status != WRIT_OK)
		return status;
	w_held_dir_clean(dir_fd, NULL);
	w_disk_tmp_clean(state_dir);
	status = w_held_dir_list(dir_fd, &names, err);
	if (status == WRIT_OK)
		list_all(dir_fd, &names, tell, ctx);
	return status;
}

writ_status
writ_session_find(const writ_config *config, const char *name,
    writ_session_fn tell, void *ctx, writ_error *err)
{
	W_AUTO_FD int dir_fd = -1;
	writ_status status = check_name(name, err);

	if (status == WRIT_OK)
		status = open_dir_of(config, name, &dir_fd, err);
	return status == WRIT_OK
		   ? look_at(dir_fd, name, W_HELD_ANSWER_MS, tell, ctx, err)
		   : status;
}

writ_status
writ_session_end(const writ_config *config, const char *name, bool has_force,
    unsigned *out_left, writ_error *err)
{
	W_AUTO_FREE char *state_dir = NULL;
	W_AUTO_FD int dir_fd = -1;
	unsigned left = 0;
	writ_status status = check_name(name, err);

	if (status == WRIT_OK)
		status = state_dir_of(config, &state_dir, err);
	if (status == WRIT_OK)
		status = open_held_dir(state_dir, name, &dir_fd, err);
	if (status == WRIT_OK)
		status = w_held_end(dir_fd, name, has_force, &left, err);
	if (status != WRIT_OK)
		return status;
	w_disk_tmp_clean(state_dir);
	if (left == 0)
		w_dotdirs_store_settle(state_dir, name);
	if (out_left != NULL)
		*out_left = left;
	return WRIT_OK;
}
