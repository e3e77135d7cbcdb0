/* SPDX-License-Identifier: Apache-2.0 */

/* Decides about the hosts of a session, and records what was reached. */

#include "engine/hosts/engine_hosts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/hosts/engine_hosts_state.h"
#include "run/denials/wall_denials.h"
#include "run/hosts/relay_start.h"

#define STAGE "hosts"

enum {
	HOST_TEXT_MAX = 264 /* name:port */
};

static writ_status
read_patterns(
    struct w_host_list *list, const char *const *patterns, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (; patterns != NULL && *patterns != NULL && status == WRIT_OK;
	     patterns++)
		status =
		    w_host_list_add(list, *patterns, W_HOST_ALLOW, NULL, err);
	return status;
}

static bool
ports_have(const struct w_host_ports *ports, uint16_t port)
{
	for (uint32_t i = 0; i < ports->count; i++)
		if (ports->items[i] == port)
			return true;
	return false;
}

writ_status
w_engine_hosts_ports(const char *const *patterns,
    struct w_host_ports *out_ports, writ_error *err)
{
	struct w_host_ports ports = {.count = 2, .items = {80, 443}};
	struct w_host_list list = {.rules = NULL};
	writ_status status = read_patterns(&list, patterns, err);

	/* Where netfilter redirects, ports make no difference: those that find
	 * no room are refused elsewhere. */
	for (size_t i = 0; i < list.count && ports.count < W_HOST_PORTS_MAX;
	     i++) {
		const uint16_t port = list.rules[i].port;

		if (port != 0 && !ports_have(&ports, port))
			ports.items[ports.count++] = port;
	}
	w_host_list_done(&list);
	if (status == WRIT_OK)
		*out_ports = ports;
	return status;
}

/* ---- what the relay asks ---- */

static struct w_relay_saying
engine_hosts_ask(void *ctx, const struct w_relay_ask *ask)
{
	return w_engine_hosts_judge(ctx, ask);
}

static void
engine_hosts_cancel(void *ctx, uint64_t ticket)
{
	const struct w_engine_hosts *hosts = ctx;

	w_reach_questions_cancel(hosts->questions, ticket);
}

static void
engine_hosts_answer(void *ctx, uint64_t ticket, bool is_yes)
{
	w_engine_hosts_answer(ctx, ticket, is_yes);
}

/* ---- records ---- */

/* FNV-1a. */
static uint64_t
hash_name(const char *name)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (; *name != '\0'; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(1099511628211);
	return hash;
}

/* The first time; programs ask again and again. */
static bool
is_new_lookup(struct w_engine_hosts *hosts, const char *name)
{
	const uint64_t hash = hash_name(name);

	for (size_t i = 0; i < hosts->lookup_count; i++)
		if (hosts->lookups[i] == hash)
			return false;
	if (hosts->lookup_count == LOOKUPS_MAX) {
		hosts->lost++;
		return false;
	}
	hosts->lookups[hosts->lookup_count++] = hash;
	return true;
}

/* The run that is asked for: one of those that are live. */
static struct writ_job *
asking_job(void *ctx)
{
	const struct w_engine_hosts *hosts = ctx;
	struct writ_job *job = hosts->engine->runner.live;

	if (hosts->job != NULL)
		return hosts->job;
	while (job != NULL && job->session != hosts->session)
		job = job->next;
	return job;
}

/* The one run of the session that is live; NULL: there are several. */
static const char *
only_run(const struct w_engine_hosts *hosts)
{
	const struct writ_job *found = hosts->job;

	for (const struct writ_job *job = hosts->engine->runner.live;
	     job != NULL && hosts->job == NULL; job = job->next) {
		if (job->session != hosts->session)
			continue;
		if (found != NULL)
			return NULL;
		found = job;
	}
	return found == NULL || found->storage == NULL ? NULL
						       : found->storage->run_id;
}

static struct w_session_relay *
relay_of(const struct w_engine_hosts *hosts)
{
	return hosts->job != NULL ? &hosts->job->own_walls->relay
				  : &hosts->session->walls->relay;
}

static void
note_refused(struct w_engine_hosts *hosts, const struct w_relay_record *record,
    const char *address)
{
	struct refused_host *refused =
	    &hosts->refused[hosts->refused_count++ % REFUSED_MAX];

	refused->at_us = record->began_us;
	refused->port = (uint16_t)record->port;
	(void)snprintf(refused->name, sizeof(refused->name), "%s",
	    record->name[0] != '\0' ? record->name
	    : address == NULL       ? ""
				    : address);
}

static const char *
address_text(
    const struct w_relay_address *address, char room[W_HOST_ADDRESS_TEXT])
{
	if (address->family != 4 && address->family != 6)
		return NULL;
	const struct w_host_address read = w_engine_hosts_address(address);
	w_host_address_write(&read, room);
	return room;
}

static void
append_net(struct w_engine_hosts *hosts, const struct w_record_net *net)
{
	struct w_recorder *recorder = &hosts->engine->recorder;
	writ_error inner;
	uint64_t seq;

	if (hosts->engine->is_unaudited || recorder->trail == NULL)
		return;
	w_record_add_net(w_recorder_buf(recorder), net);
	(void)w_recorder_append(recorder, W_LOG_ENDS, &seq, &inner);
}

static void
engine_hosts_record(void *ctx, const struct w_relay_record *record)
{
	static const char *const reasons[] = {
#define X(name, text) text,
	    W_RELAY_REASON_MAP(X)
#undef X
	};
	struct w_engine_hosts *hosts = ctx;
	const bool is_lookup = (record->flags & W_RELAY_IS_LOOKUP) != 0;
	const bool is_allowed = (record->flags & W_RELAY_IS_ALLOWED) != 0;
	char room[W_HOST_ADDRESS_TEXT], why[128];
	const char *address = address_text(&record->address, room);
	const char *reason = reasons[record->reason];

	if (w_relay_is_refusal(record->reason))
		note_refused(hosts, record, address);
	if (is_lookup && !is_new_lookup(hosts, record->name))
		return;
	if (record->sys_errno > 0) {
		(void)snprintf(why, sizeof(why), "%s: %s", reason,
		    strerror(record->sys_errno));
		reason = why;
	}
	const struct w_record_net net = {
	    .run_id = only_run(hosts),
	    .session = hosts->session == NULL ? NULL : hosts->session->name,
	    .what = is_lookup ? "lookup" : "connect",
	    .name = record->name[0] == '\0' ? NULL : record->name,
	    .address = address,
	    .port = record->port,
	    .verdict = is_allowed && !w_relay_is_refusal(record->reason)
			   ? "allow"
			   : "deny",
	    .rule = record->rule == 0 || record->rule > hosts->list.count
			? NULL
			: hosts->list.rules[record->rule - 1].text,
	    .reason = *reason == '\0' ? NULL : reason,
	    .other = record->other[0] == '\0' ? NULL : record->other,
	    .began_us = record->began_us,
	    .duration_us = record->lasted_us,
	    .sent = record->sent,
	    .received = record->received,
	    .is_unchecked = (record->flags & W_RELAY_IS_UNCHECKED) != 0,
	    .is_proxied = (record->flags & W_RELAY_IS_PROXIED) != 0,
	    .lost = record->lost + hosts->lost,
	};
	hosts->lost = 0;
	append_net(hosts, &net);
}

/* ---- the ends of runs ---- */

static void
engine_hosts_settle(void *ctx, bool is_last)
{
	struct w_engine_hosts *hosts = ctx;

	(void)w_relay_line_flush(&hosts->line, is_last);
	if (is_last)
		w_reach_questions_end(hosts->questions);
}

/* What was refused since then. */
static void
engine_hosts_tell(void *ctx, uint64_t since_us, struct w_wall_denials *denials)
{
	const struct w_engine_hosts *hosts = ctx;
	const size_t kept = hosts->refused_count < REFUSED_MAX
				? hosts->refused_count
				: REFUSED_MAX;
	char text[HOST_TEXT_MAX];

	for (size_t i = hosts->refused_count - kept; i < hosts->refused_count;
	     i++) {
		const struct refused_host *refused =
		    &hosts->refused[i % REFUSED_MAX];

		if (refused->at_us < since_us || refused->name[0] == '\0')
			continue;
		if (refused->port == 0)
			(void)snprintf(text, sizeof(text), "%s", refused->name);
		else
			(void)snprintf(text, sizeof(text), "%s:%u",
			    refused->name, refused->port);
		w_wall_denials_add_host(denials, text);
	}
}

static void
engine_hosts_free(void *ctx)
{
	struct w_engine_hosts *hosts = ctx;

	w_reach_questions_free(hosts->questions);
	w_relay_line_close(&hosts->line);
	w_host_list_done(&hosts->list);
	w_reach_done(&hosts->scope);
	free(hosts);
}

static void
engine_hosts_lost(void *ctx)
{
	struct w_engine_hosts *hosts = ctx;
	struct w_session_relay *network = relay_of(hosts);
	writ_error ignored;

	/* Nothing waits any more. */
	w_reach_questions_end(hosts->questions);
	/* Of a session that another process holds, only that could. */
	if (network->count == 0 ||
	    w_relay_start(&hosts->engine->runner.launcher, network, &ignored) !=
		WRIT_OK)
		return;
	(void)w_relay_line_open(&hosts->line, &hosts->engine->runner.loop,
	    network->control, &hosts->judge);
}

/* ---- opening ---- */

static const struct w_run_hosts_hooks hooks = {
    .settle = engine_hosts_settle,
    .tell = engine_hosts_tell,
    .free = engine_hosts_free,
};

static void
init_hosts(struct w_engine_hosts *hosts, writ_engine *engine)
{
	hosts->engine = engine;
	hosts->line.source.fd = -1;
	hosts->judge = (struct w_relay_judge){
	    .ctx = hosts,
	    .ask = engine_hosts_ask,
	    .cancel = engine_hosts_cancel,
	    .record = engine_hosts_record,
	    .lost = engine_hosts_lost,
	};
	hosts->asks = (struct w_reach_questions_of){
	    .engine = engine,
	    .scope = &hosts->scope,
	    .job = asking_job,
	    .answer = engine_hosts_answer,
	    .ctx = hosts,
	};
}

static writ_status
connect_relay(struct w_engine_hosts *hosts, writ_error *err)
{
	struct w_runner *runner = &hosts->engine->runner;
	struct w_session_relay *relay = relay_of(hosts);
	writ_status status = WRIT_OK;

	if (hosts->line.source.fd >= 0)
		return WRIT_OK;
	if (relay->control < 0)
		status = w_relay_start(&runner->launcher, relay, err);
	if (status != WRIT_OK)
		return status;
	const int error = w_relay_line_open(
	    &hosts->line, &runner->loop, relay->control, &hosts->judge);
	if (error == EPIPE) {
		(void)w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
		    "the relay of the session has ended");
		w_suggest(err, "end the session and start it again");
		return WRIT_E_SYSTEM;
	}
	return error == 0 ? WRIT_OK
			  : w_fail(err, WRIT_E_SYSTEM, STAGE, error,
				"cannot reach the relay of the session");
}

/* Opens, or opens more. */
static writ_status
open_hosts(struct w_run_hosts *of, struct w_engine_hosts *fresh,
    const char *const *patterns, const char *origin, writ_error *err)
{
	struct w_engine_hosts *hosts = of->ctx != NULL ? of->ctx : fresh;

	if (hosts == NULL)
		return w_fail_nomem(err, STAGE);
	writ_status status = w_reach_add(
	    &hosts->list, &hosts->engine->decider, patterns, origin, err);
	if (status == WRIT_OK)
		status = connect_relay(hosts, err);
	if (hosts != fresh)
		return status;
	if (status == WRIT_OK)
		*of = (struct w_run_hosts){.ctx = hosts, .hooks = &hooks};
	else
		engine_hosts_free(hosts);
	return status;
}

writ_status
w_engine_hosts_open(writ_engine *engine, struct writ_session *session,
    const char *const *patterns, const char *origin, writ_error *err)
{
	struct w_engine_hosts *fresh = NULL;

	if (session->hosts.ctx == NULL) {
		fresh = calloc(1, sizeof(*fresh));
		if (fresh == NULL)
			return w_fail_nomem(err, STAGE);
		init_hosts(fresh, engine);
		fresh->session = session;
	}
	return open_hosts(&session->hosts, fresh, patterns, origin, err);
}

static writ_status
take_scope(
    struct w_run_hosts *of, const struct w_prepared *prepared, writ_error *err)
{
	struct w_engine_hosts *hosts = of->ctx;

	return w_reach_take(
	    &hosts->scope, &hosts->engine->decider, prepared, err);
}

writ_status
w_engine_hosts_open_run(writ_engine *engine, struct writ_job *job,
    const struct w_prepared *prepared, const char *const *patterns,
    writ_error *err)
{
	if (job->session != NULL) {
		writ_status status = w_engine_hosts_open(
		    engine, job->session, patterns, "run", err);

		return status == WRIT_OK
			   ? take_scope(&job->session->hosts, prepared, err)
			   : status;
	}
	if (job->own_walls == NULL)
		return WRIT_OK; /* best effort left its network out */
	struct w_engine_hosts *fresh = calloc(1, sizeof(*fresh));
	if (fresh == NULL)
		return w_fail_nomem(err, STAGE);
	init_hosts(fresh, engine);
	fresh->job = job;
	writ_status status =
	    open_hosts(&job->own_hosts, fresh, patterns, "run", err);
	return status == WRIT_OK ? take_scope(&job->own_hosts, prepared, err)
				 : status;
}

writ_status
w_engine_hosts_prepare(writ_engine *engine, struct writ_session *session,
    const struct w_host_ports *ports, writ_error *err)
{
	struct w_runner *runner = &engine->runner;

	if (session == NULL || session->walls->relay.count > 0 ||
	    session->walls->relay.control >= 0)
		return WRIT_OK;
	if (session->held == NULL && session->walls->net_ns >= 0) {
		writ_status status = w_session_walls_open_hosts(
		    &runner->launcher, session->walls, ports, err);

		/* Their views are without its files. */
		if (status == WRIT_OK)
			w_run_sandbox_forget(
			    &runner->launcher.sandbox_cache, session->walls);
		return status;
	}
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "session '%s' was started without hosts", session->name);
	w_suggest(err, "writ session start --host HOST NAME, or run without "
		       "--session");
	return WRIT_E_INVALID;
}
