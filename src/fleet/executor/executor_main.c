/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The program writ-executor. writ-agentd starts it when a person or systemd
 * starts writ-agentd; it starts writ-agentd again, without rights.
 *
 *     SIGTERM, SIGINT   ends the runs, writes their results down, and ends
 */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "data/json.h"
#include "fleet/executor/executor.h"

#define ENDING_MS 20000

uint64_t
w_executor_clock_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void
say(const char *text)
{
	(void)fprintf(stderr, "writ-executor: %s\n", text);
}

static void
send_state(struct w_executor *executor)
{
	size_t waiting = 0, unpublished = 0;
	W_AUTO_BUF struct w_buf text;

	for (size_t i = 0; i < w_fleet_ledger_count(executor->ledger); i++) {
		const enum w_fleet_state state =
		    w_fleet_ledger_at(executor->ledger, i)->state;

		waiting += state == W_FLEET_RECEIVED;
		unpublished += state == W_FLEET_DONE;
	}
	w_buf_init(&text, 4096);
	w_buf_add_char(&text, '{');
	w_json_add_text_member(&text, "host", executor->host.name);
	w_json_add_text_member(&text, "version", WRIT_VERSION);
	w_json_add_number_member(&text, "time", w_fleet_now_ms());
	w_json_add_number_member(&text, "running", executor->run_count);
	w_json_add_number_member(&text, "waiting", waiting);
	w_json_add_number_member(&text, "unpublished", unpublished);
	w_buf_add_char(&text, '}');
	w_executor_send(
	    executor, W_FLEET_FRAME_STATE, "-", text.data, text.len);
}

/* ---- the loop ---- */

static void
begin_ending(struct w_executor *executor)
{
	executor->is_ending = true;
	for (size_t i = 0; i < W_EXECUTOR_RUNS_MAX; i++) {
		if (executor->runs[i].id[0] != '\0')
			writ_job_cancel(executor->runs[i].job, SIGTERM);
	}
}

static void
keep_link(struct w_executor *executor)
{
	static char last[sizeof(((writ_error *)0)->message)];
	writ_error err;

	if (executor->is_ending ||
	    w_executor_link_start(executor, &err) == WRIT_OK)
		return;
	if (strcmp(last, err.message) != 0)
		say(err.message);
	memcpy(last, err.message, sizeof(last));
}

static int
next_wait(const struct w_executor *executor, uint64_t beat_ms)
{
	const uint64_t now_ms = w_executor_clock_ms();
	uint64_t until_ms = beat_ms;

	if (executor->link.pid == 0 && executor->link.next_start_ms < until_ms)
		until_ms = executor->link.next_start_ms;
	return until_ms <= now_ms ? 0 : (int)(until_ms - now_ms);
}

/* One turn; false: a signal asks to end. */
static bool
turn(struct w_executor *executor, int signals, int wait_ms)
{
	struct signalfd_siginfo got;
	const bool has_link = executor->link.pid != 0;
	struct pollfd polled[3] = {
	    {.fd = signals, .events = POLLIN},
	    {.fd = writ_engine_fd(executor->engine), .events = POLLIN},
	    {.fd = has_link ? executor->link.fd : -1,
		.events =
		    (short)(POLLIN |
			    (has_link && executor->link.out.len > 0 ? POLLOUT
								    : 0))},
	};
	writ_error err;

	if (poll(polled, 3, wait_ms) < 0 && errno != EINTR)
		return false;
	if (polled[1].revents != 0 &&
	    writ_engine_dispatch(executor->engine, 0, &err) != WRIT_OK)
		say(err.message);
	w_executor_start_runs(executor);
	/* Also after a run has ended: its result waits to be written. */
	if (has_link && !w_executor_link_work(executor, polled[2].revents))
		w_executor_link_end(executor);
	return read(signals, &got, sizeof(got)) != (ssize_t)sizeof(got);
}

/* When nothing is under way: what has expired is forgotten. false: the ledger
 * cannot be used any more. */
static bool
tidy(struct w_executor *executor)
{
	writ_error err;

	if (executor->run_count > 0 || executor->sent_count > 0)
		return true;
	if (w_fleet_ledger_tidy(executor->ledger, w_fleet_now_ms(), &err) !=
	    WRIT_OK) {
		say(err.message);
		return false;
	}
	executor->next_received = 0;
	return true;
}

static void
loop(struct w_executor *executor, int signals)
{
	uint64_t beat_ms = 0;
	uint64_t end_ms = 0;

	for (;;) {
		const uint64_t now_ms = w_executor_clock_ms();

		keep_link(executor);
		if (now_ms >= beat_ms) {
			if (!tidy(executor))
				return;
			send_state(executor);
			beat_ms = now_ms + W_EXECUTOR_BEAT_MS;
		}
		if (!turn(executor, signals, next_wait(executor, beat_ms))) {
			if (executor->is_ending)
				return; /* a second one */
			begin_ending(executor);
			end_ms = now_ms + ENDING_MS;
		}
		if (executor->is_ending && (executor->run_count == 0 ||
					       w_executor_clock_ms() >= end_ms))
			return;
	}
}

/* ---- the start ---- */

static writ_status
open_engine(struct w_executor *executor, writ_error *err)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	writ_status status = w_fleet_dir_make(executor->host.base, err);
	if (status != WRIT_OK)
		return status;
	if (chdir(executor->host.base) < 0)
		return w_fail(err, WRIT_E_SYSTEM, "base", errno,
		    "cannot enter '%s'", executor->host.base);
	options.config = executor->config;
	options.door = "fleet";
	options.base = executor->host.base;
	return writ_engine_new(&options, &executor->engine, err);
}

static writ_status
open_all(struct w_executor *executor, writ_error *err)
{
	writ_status status = writ_config_new(&executor->config, err);

	if (status == WRIT_OK)
		status = w_fleet_host_paths(
		    writ_config_get(executor->config, "state_dir"),
		    &executor->paths, err);
	if (status == WRIT_OK)
		status =
		    w_fleet_host_load(&executor->paths, &executor->host, err);
	if (status == WRIT_OK)
		status = w_fleet_ledger_open(executor->paths.ledger,
		    w_fleet_now_ms(), &executor->ledger, err);
	if (status == WRIT_OK)
		status = open_engine(executor, err);
	return status;
}

static int
open_signals(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -1;
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int
main(int argc, char **argv)
{
	static struct w_executor executor = {.link = {.fd = -1}};
	W_AUTO_FD int signals = open_signals();
	writ_error err;

	(void)argv;
	if (argc != 1) {
		say("this program takes no arguments; start writ-agentd");
		return 2;
	}
	(void)umask(077);
	w_buf_init(&executor.facts_json, 1);
	if (signals < 0 || open_all(&executor, &err) != WRIT_OK) {
		say(signals < 0 ? "cannot wait for signals" : err.message);
		return 1;
	}
	w_executor_find_lost(&executor);
	loop(&executor, signals);
	w_executor_link_end(&executor);
	writ_engine_free(executor.engine);
	w_fleet_ledger_free(executor.ledger);
	w_fleet_host_done(&executor.host);
	w_arena_done(&executor.facts_arena);
	w_buf_done(&executor.facts_json);
	writ_config_free(executor.config);
	return 0;
}
