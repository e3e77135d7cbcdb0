/* SPDX-License-Identifier: Apache-2.0 */

/* <writ/manifest.h>: applies that a host starts. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <writ/manifest.h>
#include <writ/policy.h>

#include "base/auto.h"
#include "data/json.h"
#include "manifest/apply/apply.h"
#include "manifest/library/apply_store.h"

#define STAGE    "apply"
#define JSON_MAX ((size_t)64 << 20)

struct writ_apply {
	writ_manifest *manifest;
	writ_apply_options options; /* config is ours, or NULL */
	struct w_apply_store store;
	struct w_apply_result ended;
	pid_t pid;
	bool has_run;
};

/* ---- opening ---- */

static writ_status
check_options(const writ_apply_options *options, const writ_manifest *manifest,
    writ_error *err)
{
	const char *what = NULL;

	if (options->noop && options->health_only)
		what = "noop and health_only exclude each other";
	else if (options->resume != NULL && options->session != NULL)
		what = "resume and session exclude each other";
	else if ((options->in_memory || manifest->session != NULL) &&
		 (options->resume != NULL || options->session != NULL))
		what = "the apply has a session already";
	else if (options->caller != WRIT_CALLER_TRUSTED &&
		 options->caller != WRIT_CALLER_UNTRUSTED)
		what = "caller is neither trusted nor untrusted";
	else if (options->session != NULL && options->session[0] == '\0')
		what = "session names no directory";
	return what == NULL ? WRIT_OK
			    : w_fail(err, WRIT_E_INVALID, STAGE, 0, "%s", what);
}

static writ_status
apply_library_open(writ_apply *apply, writ_error *err)
{
	const writ_apply_options *options = &apply->options;
	writ_config *own = NULL;
	writ_status status = check_options(options, apply->manifest, err);

	if (status == WRIT_OK && options->config == NULL)
		status = writ_config_new(&own, err);
	if (status != WRIT_OK)
		return status;
	status = w_apply_store_open(&apply->store, apply->manifest, options,
	    writ_config_get(own != NULL ? own : options->config, "state_dir"),
	    err);
	writ_config_free(own);
	return status;
}

writ_status
writ_apply_open(writ_manifest *manifest, const writ_apply_options *opts,
    writ_apply **out_apply, writ_error *err)
{
	static const writ_apply_options standard = WRIT_APPLY_OPTIONS_INIT;
	writ_apply *apply = calloc(1, sizeof(*apply));

	if (apply == NULL)
		return w_fail_nomem(err, STAGE);
	apply->manifest = manifest;
	apply->options = standard;
	apply->store.lock_fd = -1;
	apply->pid = getpid();
	/* Options of an older caller may be shorter than ours. */
	if (opts != NULL && opts->size >= sizeof(opts->size))
		memcpy(&apply->options, opts,
		    opts->size < sizeof(standard) ? opts->size
						  : sizeof(standard));
	writ_status status = apply_library_open(apply, err);
	apply->options.config = NULL;
	if (status != WRIT_OK) {
		writ_apply_free(apply);
		return status;
	}
	*out_apply = apply;
	return WRIT_OK;
}

void
writ_apply_free(writ_apply *apply)
{
	if (apply == NULL)
		return;
	w_apply_store_done(&apply->store);
	free(apply);
}

/* ---- running ---- */

/* An apply that is watched. */
struct apply_watched {
	writ_apply_watch watch;
	writ_apply_result result;
};

static void
pass_begin(void *ctx, const char *type, const char *name)
{
	const struct apply_watched *watched = ctx;

	watched->watch.on_begin(watched->watch.ctx, type, name);
}

static void
pass_output(void *ctx, writ_stream stream, const char *bytes, size_t len)
{
	const struct apply_watched *watched = ctx;

	watched->watch.on_output(watched->watch.ctx, stream, bytes, len);
}

static void
pass_event(void *ctx, const writ_event *event)
{
	struct apply_watched *watched = ctx;

	watched->result.events++;
	watched->result.failed += event->failed;
	watched->result.changed += event->changed && !event->failed;
	if (watched->watch.on_event != NULL)
		watched->watch.on_event(watched->watch.ctx, event);
}

static bool
pass_wake(void *ctx)
{
	const struct apply_watched *watched = ctx;

	return watched->watch.on_wake(watched->watch.ctx);
}

static writ_status
apply_resources(writ_apply *apply, writ_engine *engine,
    struct apply_watched *watched, writ_error *err)
{
	const writ_apply_options *given = &apply->options;
	const writ_apply_watch *who = &watched->watch;
	const struct w_apply_watch watch = {
	    .on_begin = who->on_begin != NULL ? pass_begin : NULL,
	    .on_output = who->on_output != NULL ? pass_output : NULL,
	    .on_event = pass_event,
	    .on_wake = who->on_wake != NULL ? pass_wake : NULL,
	    .wake_fd = who->on_wake != NULL ? who->wake_fd : -1,
	    .tick_ms = who->tick_ms > 0 ? who->tick_ms : -1,
	    .ctx = watched,
	};
	const struct w_apply_options options = {
	    .noop = given->noop,
	    .health_only = given->health_only,
	    .only = given->only,
	    .tags = given->tags,
	    .skip_tags = given->skip_tags,
	    .agent = given->agent,
	    .caller = given->caller,
	    .trace_id = given->trace_id,
	    .owed = apply->store.owed,
	    .path = apply->manifest->path,
	    .watch = &watch,
	};

	return w_apply(engine, apply->manifest->read, apply->store.session,
	    &apply->manifest->scope.scope, &options, &apply->ended, err);
}

/* An invalid policy is not the fault of the resources, so it is reported before
 * any of them fails because of it. */
static writ_status
check_policy(writ_engine *engine, writ_error *err)
{
	const char *shape;

	return writ_engine_exec_shape(engine, "/", &shape, err);
}

static writ_status
check_run(writ_apply *apply, writ_error *err)
{
	if (apply->pid != getpid())
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "this process is a fork of the one that opened the apply");
	if (apply->has_run)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "an apply runs once");
	apply->has_run = true;
	return WRIT_OK;
}

writ_status
writ_apply_run(writ_apply *apply, writ_engine *engine,
    const writ_apply_watch *watch, writ_apply_result *out_result,
    writ_error *err)
{
	struct w_apply_store *store = &apply->store;
	struct apply_watched watched = {.watch = WRIT_APPLY_WATCH_INIT};
	writ_status status = check_run(apply, err);

	if (watch != NULL && watch->size >= sizeof(watch->size))
		memcpy(&watched.watch, watch,
		    watch->size < sizeof(*watch) ? watch->size
						 : sizeof(*watch));
	if (status == WRIT_OK)
		status = check_policy(engine, err);
	if (status == WRIT_OK)
		status = w_apply_store_begin(
		    store, apply->manifest, &apply->options, err);
	if (status == WRIT_OK)
		status = apply_resources(apply, engine, &watched, err);
	const struct w_apply_result *ended = &apply->ended;
	if (status == WRIT_OK && !store->is_borrowed)
		status = w_manifest_session_finish(store->session,
		    ended->is_interrupted || ended->is_cut_short, err);
	if (status != WRIT_OK || out_result == NULL)
		return status;
	watched.result.size = out_result->size;
	watched.result.interrupted = ended->is_interrupted;
	watched.result.is_cut_short = ended->is_cut_short;
	memcpy(out_result, &watched.result,
	    out_result->size < sizeof(watched.result) ? out_result->size
						      : sizeof(watched.result));
	return WRIT_OK;
}

writ_status
writ_manifest_apply(writ_engine *engine, writ_manifest *manifest,
    const writ_apply_options *opts, const writ_apply_watch *watch,
    writ_apply_result *out_result, writ_error *err)
{
	writ_apply *apply = NULL;
	writ_status status = writ_apply_open(manifest, opts, &apply, err);

	if (status == WRIT_OK)
		status = writ_apply_run(apply, engine, watch, out_result, err);
	writ_apply_free(apply);
	return status;
}

/* ---- what is known of it ---- */

const char *
writ_apply_session(const writ_apply *apply)
{
	return w_manifest_session_name(apply->store.session);
}

const char *
writ_apply_dir(const writ_apply *apply)
{
	return w_manifest_session_dir(apply->store.session);
}

const char *
writ_apply_note(const writ_apply *apply)
{
	return w_manifest_session_note(apply->store.session);
}

size_t
writ_apply_done(const writ_apply *apply)
{
	size_t done = 0;

	if (apply->options.resume == NULL)
		return 0;
	for (size_t i = 0; i < apply->manifest->read->count; i++)
		done += w_manifest_session_has(apply->store.session, i);
	return done;
}

writ_status
writ_apply_summarize(
    const writ_apply *apply, writ_apply_summary *out_summary, writ_error *err)
{
	const size_t size = out_summary->size;
	writ_apply_summary summary;

	if (size < sizeof(size))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "writ_apply_summary has no size");
	w_manifest_session_summary(apply->store.session, &summary);
	summary.size = size;
	memcpy(out_summary, &summary,
	    size < sizeof(summary) ? size : sizeof(summary));
	return WRIT_OK;
}

/* ---- what is owed ---- */

void
writ_apply_debts(const writ_apply *apply, writ_apply_debt_fn fn, void *ctx)
{
	const struct w_owed_refresh *refresh;
	size_t at = 0;

	while (apply->store.owed != NULL &&
	       (refresh = w_owed_next(apply->store.owed, &at)) != NULL) {
		const writ_apply_debt debt = {
		    .subject = refresh->subject,
		    .subscriber = refresh->subscriber,
		    .since_us = refresh->since_us,
		};

		if (strcmp(refresh->manifest, apply->manifest->path) == 0)
			fn(ctx, &debt);
	}
}

writ_status
writ_apply_json(
    const writ_apply *apply, char **out_json, size_t *out_len, writ_error *err)
{
	const struct w_manifest_session *session = apply->store.session;
	writ_apply_summary summary;
	W_AUTO_BUF struct w_buf counts;
	W_AUTO_BUF struct w_buf buf;
	size_t len;

	w_buf_init(&counts, JSON_MAX);
	w_buf_init(&buf, JSON_MAX);
	w_manifest_session_summary(session, &summary);
	w_event_summary_add_json(&counts, &summary);
	w_buf_add_str(
	    &buf, "{\"protocol\":\"io.choria.ccm.v1.session.summary\"");
	w_json_add_path_member(
	    &buf, "session", w_manifest_session_name(session));
	w_json_add_path_member(
	    &buf, "directory", w_manifest_session_dir(session));
	w_json_add_bool_member(&buf, "noop", apply->options.noop);
	w_json_add_bool_member(
	    &buf, "interrupted", apply->ended.is_interrupted);
	w_json_add_bool_member(&buf, "terminated", apply->ended.is_cut_short);
	w_buf_add_str(&buf, ",\"owed\":");
	w_owed_add_json(&buf, apply->store.owed);
	w_buf_add_char(&buf, ',');
	if (counts.len > 1)
		w_buf_add(&buf, counts.data + 1, counts.len - 1);
	if (counts.failed || buf.failed)
		return w_fail_nomem(err, STAGE);
	char *made = w_buf_take(&buf, &len);
	if (made == NULL)
		return w_fail_nomem(err, STAGE);
	*out_json = made;
	if (out_len != NULL)
		*out_len = len;
	return WRIT_OK;
}
