/* SPDX-License-Identifier: Apache-2.0 */

/* The public API of sessions: walls that several runs share. */

#include <writ/session.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/hex.h"
#include "engine/config/project_dir.h"
#include "engine/engine_session.h"
#include "engine/engine_state.h"
#include "engine/hosts/engine_hosts.h"
#include "run/held/forwarding.h"
#include "run/home/home_store.h"
#include "run/launch/disk_tmp.h"
#include "run/run_session.h"

#define STAGE "session"

enum {
	SALT_BYTES = 6
};

static writ_status
session_set_name(
    struct writ_session *session, const char *name, writ_error *err)
{
	uint8_t salt[SALT_BYTES];

	if (name != NULL && !w_held_is_name(name))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the name of a session must be 1 to %d letters, digits, "
		    "'-', '_' and '.', and start with none of the last two",
		    W_RUN_SESSION_MAX);
	if (name != NULL) {
		(void)snprintf(
		    session->name, sizeof(session->name), "%s", name);
		return WRIT_OK;
	}
	if (getrandom(salt, sizeof(salt), 0) != (ssize_t)sizeof(salt))
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, errno, "no random numbers");
	w_hex_put(session->name, salt, sizeof(salt));
	session->name[2 * SALT_BYTES] = '\0';
	return WRIT_OK;
}

/* The policy's limit of a private /tmp is also that of a session's. */
static writ_status
limit_tmp(writ_engine *engine, writ_session_options *options, writ_error *err)
{
	static const char *const argv[] = {"true", NULL};
	struct w_decider *decider = &engine->decider;
	struct w_prepared prepared = W_PREPARED_INIT;
	writ_request request = WRIT_REQUEST_INIT;
	writ_error missing = {.status = WRIT_OK};

	request.argv = argv;
	request.agent = options->agent;
	request.cwd = engine->base;
	writ_status status = w_engine_find_paths(engine, err);
	if (status != WRIT_OK)
		return status;
	w_decider_accept(decider, &request);
	status = w_run_locate(&prepared, &request, engine->base, &missing, err);
	if (status == WRIT_OK)
		status = w_decider_constrain(decider, &prepared, &request, err);
	if (status == WRIT_OK && request.tmp_size != 0 &&
	    (options->tmp_size == 0 || options->tmp_size > request.tmp_size))
		options->tmp_size = request.tmp_size;
	if (status == WRIT_OK && options->tmp == WRIT_TMP_DEFAULT)
		options->tmp = request.tmp;
	w_prepared_done(&prepared);
	w_decider_finish(decider);
	return status;
}

/* The caches are those of the project, unless its policy has them end with the
 * session. */
static writ_status
make_home(writ_engine *engine, const char *name, struct w_home_store **out_home,
    writ_error *err)
{
	W_AUTO_FREE char *home = NULL;
	writ_status status = w_home_find(&home, err);

	if (status != WRIT_OK || engine->runner.state_dir == NULL)
		return status;
	const struct w_home_options options = {
	    .state_dir = engine->runner.state_dir,
	    .home = home,
	    .base = engine->base,
	    .name = name,
	};
	return w_dotdirs_store_make(&options, out_home, err);
}

void
w_engine_link_session(struct writ_session *session, struct w_runner *runner)
{
	session->runner = runner;
	session->next = runner->sessions;
	if (session->next != NULL)
		session->next->prev = session;
	runner->sessions = session;
}

static void
session_unlink(struct writ_session *session)
{
	if (session->runner == NULL)
		return;
	if (session->prev != NULL)
		session->prev->next = session->next;
	else
		session->runner->sessions = session->next;
	if (session->next != NULL)
		session->next->prev = session->prev;
}

static writ_status
session_read_hosts(const writ_session_options *options,
    struct w_host_ports *out_ports, writ_error *err)
{
	if (options->no_network)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a session without a network reaches no hosts");
	return w_engine_hosts_ports(options->hosts, out_ports, err);
}

writ_status
writ_session_open(writ_engine *engine, const writ_session_options *opts,
    writ_session **out_session, writ_error *err)
{
	writ_session_options options = WRIT_SESSION_OPTIONS_INIT;

	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(&options, opts,
		    opts->size < sizeof(options) ? opts->size
						 : sizeof(options));
	struct writ_session *session = calloc(1, sizeof(*session));
	if (session == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status = session_set_name(session, options.name, err);
	if (status == WRIT_OK)
		status = limit_tmp(engine, &options, err);
	struct w_forwarding forwarding = {.publish_count = 0};
	if (status == WRIT_OK)
		status = w_forwarding_parse(
		    options.publish, options.connect, &forwarding, err);
	struct w_host_ports ports = {.count = 0};
	const bool has_hosts = options.hosts != NULL;
	if (status == WRIT_OK && has_hosts)
		status = session_read_hosts(&options, &ports, err);
	struct w_home_store *home = NULL;
	if (status == WRIT_OK)
		status = make_home(engine, session->name, &home, err);
	const struct w_session_walls_options walls = {
	    .tmp_size = options.tmp_size,
	    .inodes = options.tmp_files,
	    .has_network = !options.no_network,
	    .ports = has_hosts ? &ports : NULL,
	    .disk_in =
		options.tmp == WRIT_TMP_DISK ? engine->runner.state_dir : NULL,
	    .home = home,
	};
	if (status == WRIT_OK && engine->runner.state_dir != NULL)
		w_disk_tmp_clean(engine->runner.state_dir);
	if (status == WRIT_OK)
		status = w_session_walls_make(
		    &engine->runner.launcher, &walls, &session->walls, err);
	if (status == WRIT_OK)
		status = w_forwarding_start(&engine->runner.launcher,
		    &forwarding, engine->runner.state_dir, session->walls, err);
	if (status == WRIT_OK && has_hosts)
		status = w_engine_hosts_open(
		    engine, session, options.hosts, "--host", err);
	if (status != WRIT_OK) {
		w_session_walls_release(session->walls);
		free(session);
		return status;
	}
	w_engine_link_session(session, &engine->runner);
	*out_session = session;
	return WRIT_OK;
}

void
writ_session_close(writ_session *session)
{
	if (session == NULL)
		return;
	w_run_session_end(session);
	session_unlink(session);
	w_run_session_free(session);
}

const char *
writ_session_name(const writ_session *session)
{
	return session->name;
}

writ_status
writ_session_look(
    const writ_session *session, writ_session_state *out_state, writ_error *err)
{
	struct w_session_usage usage;

	if (out_state->size < sizeof(*out_state))
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "the state has no size");
	if (!w_session_walls_usage(session->walls, &usage))
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot read how full the session's /tmp is");
	*out_state = (writ_session_state){
	    .size = sizeof(*out_state),
	    .runs = w_run_session_count(session),
	    .tmp_bytes = usage.bytes,
	    .tmp_bytes_max = usage.bytes_max,
	    .tmp_files = usage.files,
	    .tmp_files_max = usage.files_max,
	};
	return WRIT_OK;
}
