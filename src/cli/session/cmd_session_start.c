/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ session start NAME`: a session that later commands run in.
 */

#include <stdlib.h>

#include <writ/session.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/manifest/cmd_session.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "cli/session/session_rows.h"

enum {
	FAILED = 1
};

struct session_start_args {
	const char *name;
	const char *dir;
	const char *agent;
	const char *tmp;
	const char *network;
	struct w_words publish;
	struct w_words connect;
	struct w_words hosts;
	uint64_t tmp_size;
	uint64_t idle_ms;
	uint64_t lifetime_ms;
	bool is_quiet;
	writ_config *config;
};

/* clang-format off */
static const struct w_option options[] = {
	{.name = "cwd", .arg = "DIR", W_TO(NAME, struct session_start_args, dir),
	 .words = "@dir", .standard = "the current one",
	 .help = "Its runs start here, and its project is the one of this "
	         "directory."},
	{.name = "agent", .arg = "NAME", W_TO(NAME, struct session_start_args, agent),
	 .help = "It is for this agent: only runs with the same --agent can "
	         "use it.",
	 .standard = "for a person's runs"},
	{.name = "network", .arg = "MODE", W_TO(WORD, struct session_start_args, network),
	 .words = "loopback|off", .standard = "loopback",
	 .help = "loopback: its runs share one 127.0.0.1. off: each run has "
	         "its own."},
	{.name = "host", .arg = "HOST", W_TO(LIST, struct session_start_args, hosts),
	 .help = "Let its runs reach HOST, and no other that is not named: a "
	         "name, *.NAME, an address, each with :PORT or without. May be "
	         "repeated, like the next two."},
	{.name = "publish", .arg = "[HOST_PORT:]PORT", W_TO(LIST, struct session_start_args, publish),
	 .help = "Let the machine reach a port of the session, on its own "
	         "127.0.0.1."},
	{.name = "connect", .arg = "ADDRESS", W_TO(LIST, struct session_start_args, connect),
	 .help = "Let the session reach a service of the machine, at the same "
	         "place: 127.0.0.1:PORT, or the path of a local socket below "
	         "/run."},
	{.name = "tmp", .arg = "WHERE", W_TO(WORD, struct session_start_args, tmp),
	 .words = "memory|disk", .standard = "as the policy says",
	 .help = "Where its /tmp lies: in memory, or for large work on disk, "
	         "where its size is sampled."},
	{.name = "tmp-size", .arg = "SIZE", W_TO(SIZE, struct session_start_args, tmp_size),
	 .standard = "as the policy says, else a quarter of the memory",
	 .help = "The most that its temporary directories hold together."},
	{.name = "idle", .arg = "DURATION", W_TO(DURATION, struct session_start_args, idle_ms),
	 .standard = "8h",
	 .help = "It ends when no run was in it for so long."},
	{.name = "lifetime", .arg = "DURATION", W_TO(DURATION, struct session_start_args, lifetime_ms),
	 .standard = "7d", .help = "It ends after this time, used or not."},
	{.name = "quiet", .letter = 'q', W_TO(FLAG, struct session_start_args, is_quiet),
	 .help = "No note on standard error."},
	W_STATE_DIR_ROW("", W_TO(SETTING, struct session_start_args, config)),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ session start dev", "for the project in this directory"},
	{"writ session start dev --publish 3000 --connect 127.0.0.1:5432",
	 "a browser sees its server, and it sees the machine's PostgreSQL"},
	{"writ session start web --host registry.example.com --host '*.example.org:443'",
	 "its runs reach these hosts, by any program"},
	{"writ session start big --tmp disk --tmp-size 50GiB --idle 30m",
	 "with a large /tmp, and gone after half an hour without a run"},
	{.line = ""},
};
/* clang-format on */

static writ_status
start_named(
    const struct session_start_args *args, const char *dir, writ_error *err)
{
	writ_engine_options engine_options = WRIT_ENGINE_OPTIONS_INIT;
	writ_session_options session = WRIT_SESSION_OPTIONS_INIT;
	writ_session_hold hold = WRIT_SESSION_HOLD_INIT;
	writ_engine *engine = NULL;

	engine_options.config = args->config;
	engine_options.door = "cli";
	engine_options.base = dir;
	session.name = args->name;
	session.agent = args->agent;
	session.tmp_size = args->tmp_size;
	session.no_network = args->network != NULL && args->network[0] == 'o';
	if (args->tmp != NULL)
		session.tmp =
		    args->tmp[0] == 'd' ? WRIT_TMP_DISK : WRIT_TMP_MEMORY;
	session.publish = (const char *const *)args->publish.items;
	session.connect = (const char *const *)args->connect.items;
	session.hosts = (const char *const *)args->hosts.items;
	hold.idle_ms = args->idle_ms;
	hold.lifetime_ms = args->lifetime_ms;
	writ_status status = writ_engine_new(&engine_options, &engine, err);
	if (status == WRIT_OK)
		status = writ_session_start(engine, &session, &hold, err);
	writ_engine_free(engine);
	return status;
}

static void
note_started(const struct session_start_args *args)
{
	char idle[W_DURATION_TEXT_MAX] = "8h";

	if (args->is_quiet)
		return;
	if (args->idle_ms != 0)
		w_duration_format(args->idle_ms, idle);
	w_print_note("session %s has started, and ends after %s without a run: "
		     "writ run --session %s%s%s -- PROGRAM",
	    args->name, idle, args->name,
	    args->agent == NULL ? "" : " --agent ",
	    args->agent == NULL ? "" : args->agent);
}

static int
session_start(const struct session_start_args *args)
{
	W_AUTO_FREE char *dir =
	    realpath(args->dir == NULL ? "." : args->dir, NULL);
	writ_error err;
	writ_status status = WRIT_OK;

	if (args->name == NULL)
		status = w_usage_fail(
		    &w_cmd_session_start, &err, "say the NAME of the session");
	else if (dir == NULL)
		status = w_fail(&err, WRIT_E_INVALID, "session", errno,
		    "cannot use the directory '%s'",
		    args->dir == NULL ? "." : args->dir);
	if (status == WRIT_OK)
		status = w_cli_session_check_caller(&err);
	if (status == WRIT_OK)
		status = start_named(args, dir, &err);
	if (status != WRIT_OK)
		return w_print_failure(
		    &err, false, args->name == NULL ? 2 : FAILED);
	note_started(args);
	return 0;
}

static int
session_start_run(int argc, char **argv)
{
	struct session_start_args args = {.name = NULL};
	writ_error err;

	if (writ_config_new(&args.config, &err) != WRIT_OK)
		return w_print_failure(&err, false, FAILED);
	int status =
	    w_cli_command_begin(&w_cmd_session_start, argc, argv, &args);
	if (status < 0)
		status = session_start(&args);
	w_words_done(&args.publish);
	w_words_done(&args.connect);
	w_words_done(&args.hosts);
	writ_config_free(args.config);
	return status;
}

const struct w_cli_command w_cmd_session_start = {
    .name = "session start",
    .summary = "Start a session for runs: one /tmp, one loopback network",
    .usage = "session start [OPTION]... NAME",
    .about = "Starts a session that 'writ run --session NAME' uses. Its runs "
	     "share /tmp, /var/tmp and /dev/shm, which are empty at first, and "
	     "127.0.0.1; the directory and the variables that a shell leaves "
	     "behind hold for the next one. Each run is still judged, confined "
	     "and recorded by itself. The session ends with 'writ session end "
	     "NAME', or when nobody has used it for a while, and all its runs "
	     "end with it.",
    .options = options,
    .examples = examples,
    .exits = w_cli_session_exits,
    .operand =
	&(const struct w_option){W_TO(TEXT, struct session_start_args, name),
	    .help = "one NAME at a time"},
    .usage_exit = 2,
    .run = session_start_run,
};
