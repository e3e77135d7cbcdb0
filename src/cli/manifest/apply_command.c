/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs an apply, once the command line is parsed.
 */

#include "cli/manifest/apply_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/policy.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/caller.h"
#include "cli/manifest/apply_debts.h"
#include "cli/manifest/apply_display.h"
#include "cli/manifest/fault_page.h"
#include "cli/manifest/summary_page.h"
#include "cli/options/options.h"
#include "cli/output/print.h"
#include "data/json.h"
#include "manifest/apply/apply.h"
#include "manifest/owed/owed.h"

#define POLICY_STANDARD "manifest"
#define DOOR            "manifest"
#define ADVICE_MAX      ((size_t)256 << 10)

/* Whether a setting has its default value. */
static bool
is_standard(const writ_config *config, const char *key)
{
	size_t count;
	const writ_setting *settings = writ_config_all(config, &count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(settings[i].key, key) == 0)
			return strcmp(settings[i].origin, "default") == 0;
	}
	return false;
}

writ_status
w_cli_apply_store_session(void *args, const struct w_option *option,
    const char *value, writ_error *err)
{
	struct w_cli_apply *run = args;

	(void)option;
	if (value[0] == '\0')
		return w_usage_fail(
		    run->command, err, "--session: no directory given");
	run->session = value;
	return WRIT_OK;
}

writ_status
w_cli_apply_settings(struct w_cli_apply *run, writ_error *err)
{
	const char *policy = run->policy;
	writ_status status = run->is_raw ? w_cli_check_raw(NULL, err) : WRIT_OK;

	if (status == WRIT_OK)
		status = writ_config_new(&run->config, err);

	if (status == WRIT_OK && policy == NULL &&
	    is_standard(run->config, "policy"))
		policy = POLICY_STANDARD;
	if (status == WRIT_OK && policy != NULL)
		status = writ_config_set(run->config, "policy", policy, err);
	if (status == WRIT_OK && run->state_dir != NULL)
		status = writ_config_set(
		    run->config, "state_dir", run->state_dir, err);
	return status;
}

int
w_cli_apply_abort(const struct w_cli_apply *run, const writ_error *err)
{
	w_cli_faults_print(&run->loaded, run->command->name, err, run->is_json);
	return W_APPLY_ABORTED;
}

void
w_cli_apply_done(struct w_cli_apply *run)
{
	w_manifest_session_free(run->store);
	w_owed_free(run->owed);
	if (run->has_lock)
		w_close(&run->lock_fd);
	free(run->path);
	w_loaded_done(&run->loaded);
	w_cli_facts_done(&run->facts);
	w_words_done(&run->only);
	w_words_done(&run->tags);
	w_words_done(&run->skip_tags);
	writ_config_free(run->config);
}

/* The manifest's own message, which may be any text. */
static void
add_message(const struct w_cli_apply *run, struct w_display *display,
    const struct w_property *message)
{
	struct w_buf *buf = w_display_text(display);
	struct w_sanitizer sanitizer = {.state = W_SANITIZER_TEXT};

	if (run->is_json || run->is_quiet || message->text == NULL)
		return;
	const size_t len = strlen(message->text);
	if (display->live.is_sanitized) {
		w_sanitizer_add(&sanitizer, buf, message->text, len);
		w_sanitizer_end(&sanitizer, buf);
	} else {
		w_buf_add(buf, message->text, len);
	}
	if (len > 0 && message->text[len - 1] != '\n')
		w_buf_add_char(buf, '\n');
}

static void
apply_command_add_words(
    struct w_buf *buf, const char *option, const struct w_words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		w_buf_add_fmt(buf, " %s ", option);
		w_words_quote(buf, words->items[i]);
	}
}

/* Prints how to resume: the same options, and the session. */
static void
advise(const struct w_cli_apply *run)
{
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, ADVICE_MAX);
	if (run->is_json || run->is_ensure ||
	    w_manifest_session_dir(run->store) == NULL)
		return;
	w_buf_add_str(&line, "writ apply --resume ");
	w_words_quote(&line, run->session != NULL || run->resume != NULL
				 ? w_manifest_session_dir(run->store)
				 : w_manifest_session_name(run->store));
	if (run->is_noop)
		w_buf_add_str(&line, " --noop");
	apply_command_add_words(&line, "--only", &run->only);
	apply_command_add_words(&line, "--tags", &run->tags);
	apply_command_add_words(&line, "--skip-tags", &run->skip_tags);
	apply_command_add_words(&line, "--hiera", &run->facts.hiera);
	apply_command_add_words(&line, "--fact", &run->facts.assignments);
	apply_command_add_words(&line, "--facts", &run->facts.files);
	if (run->policy != NULL) {
		w_buf_add_str(&line, " --policy ");
		w_words_quote(&line, run->policy);
	}
	w_buf_add_char(&line, ' ');
	w_words_quote(&line, run->file);
	w_print_note("interrupted; to go on: %s", line.data);
}

/* An object like the events: the counts, and what is needed to resume. */
static void
add_summary_json(const struct w_cli_apply *run, struct w_buf *buf,
    const struct w_event_summary *summary, const struct w_apply_result *result)
{
	W_AUTO_BUF struct w_buf counts;

	w_buf_init(&counts, W_PRINT_MAX);
	w_event_summary_add_json(&counts, summary);
	w_buf_add_str(
	    buf, "{\"protocol\":\"io.choria.ccm.v1.session.summary\"");
	w_json_add_path_member(
	    buf, "session", w_manifest_session_name(run->store));
	w_json_add_path_member(
	    buf, "directory", w_manifest_session_dir(run->store));
	w_json_add_bool_member(buf, "noop", run->is_noop);
	w_json_add_bool_member(buf, "interrupted", result->is_interrupted);
	w_json_add_bool_member(buf, "terminated", result->is_cut_short);
	w_buf_add_str(buf, ",\"owed\":");
	w_cli_debts_add_json(buf, run->owed);
	w_buf_add_char(buf, ',');
	if (counts.len > 1)
		w_buf_add(buf, counts.data + 1, counts.len - 1);
	w_buf_add_char(buf, '\n');
}

static void
add_end(const struct w_cli_apply *run, struct w_display *display,
    const struct w_event_summary *summary, const struct w_apply_result *result)
{
	struct w_buf *buf = w_display_text(display);

	if (run->is_ensure)
		return;
	if (run->is_json) {
		add_summary_json(run, buf, summary, result);
		return;
	}
	if (result->is_cut_short && !run->is_quiet)
		w_buf_add_str(buf,
		    "Terminating manifest execution due to failed "
		    "resource\n");
	if (!run->is_quiet)
		w_cli_summary_add_apply(buf, summary);
	if (summary->errors == 0 && !result->is_interrupted)
		add_message(run, display, &run->loaded.manifest->post_message);
}

/* The exit status is that of the whole session, also if it was resumed; for
 * `writ ensure`, that of its resource only. */
static int
exit_status(const struct w_cli_apply *run, const struct w_display *display,
    const struct w_event_summary *summary, const struct w_apply_result *result)
{
	const size_t failed =
	    run->is_ensure ? display->failed : summary->failed;
	const size_t changed =
	    run->is_ensure ? display->changed : summary->changed;
	int status = W_APPLY_OK;

	if (result->is_interrupted)
		return W_APPLY_ABORTED;
	if (run->is_detailed && changed > 0)
		status |= W_APPLY_CHANGED;
	if (failed > 0)
		status |= W_APPLY_FAILED;
	return status;
}

/* An invalid policy is not the fault of the resources, so it is reported before
 * any of them fails because of it. */
static writ_status
make_engine(
    const struct w_cli_apply *run, writ_engine **out_engine, writ_error *err)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	const char *shape;
	writ_engine *engine = NULL;

	options.config = run->config;
	options.door = DOOR;
	writ_status status = writ_engine_new(&options, &engine, err);
	if (status == WRIT_OK)
		status = writ_engine_exec_shape(engine, "/", &shape, err);
	if (status == WRIT_OK)
		*out_engine = engine;
	else
		writ_engine_free(engine);
	return status;
}

static bool
add_choice(
    const struct w_words *from, const char *before, struct w_words *out_words)
{
	for (size_t i = 0; i < from->count; i++) {
		W_AUTO_FREE char *text = NULL;

		if (asprintf(&text, "%s%s", before, from->items[i]) < 0) {
			text = NULL;
			return false;
		}
		if (!w_words_add(out_words, text, strlen(text)))
			return false;
	}
	return true;
}

bool
w_cli_apply_choice(const struct w_cli_apply *run, struct w_words *out_words)
{
	return add_choice(&run->only, "", out_words) &&
	       add_choice(&run->tags, "tag:", out_words) &&
	       add_choice(&run->skip_tags, "skip:", out_words);
}

static writ_status
begin_session(const struct w_cli_apply *run, writ_error *err)
{
	const struct w_manifest *manifest = run->loaded.manifest;
	W_AUTO_WORDS struct w_words choice = {.items = NULL};

	if (!w_cli_apply_choice(run, &choice))
		return w_fail_nomem(err, "apply");
	const struct w_manifest_session_start start = {
	    .manifest = run->is_ensure ? NULL : run->file,
	    .sha256 = run->is_ensure ? NULL : manifest->sha256,
	    .resources = run->is_ensure ? 0 : manifest->count,
	    .noop = run->is_noop,
	    .only = (const char *const *)choice.items,
	};
	struct w_manifest_session_start before;

	/* A script's commands add to the session that `session new` started. */
	if (run->is_ensure && w_manifest_session_started(run->store, &before))
		return WRIT_OK;
	return w_manifest_session_begin(run->store, &start, err);
}

static writ_status
apply_command_apply(const struct w_cli_apply *run,
    const struct w_display *display, struct w_apply_result *out_result,
    writ_error *err)
{
	const struct w_apply_options options = {
	    .noop = run->is_noop,
	    .health_only = run->is_health_only,
	    .only = (const char *const *)run->only.items,
	    .tags = (const char *const *)run->tags.items,
	    .skip_tags = (const char *const *)run->skip_tags.items,
	    .caller = w_cli_caller(),
	    .owed = run->owed,
	    .path = run->path,
	    .watch = &display->watch,
	};
	writ_engine *engine = NULL;
	writ_status status = make_engine(run, &engine, err);

	if (status == WRIT_OK)
		status = begin_session(run, err);
	if (status == WRIT_OK)
		status = w_apply(engine, run->loaded.manifest, run->store,
		    &run->loaded.scope.scope, &options, out_result, err);
	writ_engine_free(engine);
	if (status == WRIT_OK && !run->is_ensure)
		status = w_manifest_session_finish(run->store,
		    out_result->is_interrupted || out_result->is_cut_short,
		    err);
	return status;
}

int
w_cli_apply_run(struct w_cli_apply *run)
{
	struct w_display_options plan = {
	    .manifest = run->loaded.manifest,
	    .is_json = run->is_json,
	    .is_quiet = run->is_quiet,
	    .is_raw = run->is_raw,
	    .shows_diff = run->is_noop,
	    .total = run->only.count > 0 ? run->only.count
					 : run->loaded.manifest->count,
	};
	struct w_apply_result result = {.is_interrupted = false};
	struct w_event_summary summary;
	struct w_display display;
	writ_error err;

	for (size_t i = 0;
	     run->resume != NULL && i < run->loaded.manifest->count; i++)
		plan.done += w_manifest_session_has(run->store, i);
	if (w_display_open(&display, &plan, &err) != WRIT_OK)
		return w_cli_apply_abort(run, &err);
	add_message(run, &display, &run->loaded.manifest->pre_message);

	const writ_status status =
	    apply_command_apply(run, &display, &result, &err);

	w_manifest_session_summary(run->store, &summary);
	if (status == WRIT_OK)
		add_end(run, &display, &summary, &result);
	const int written = w_display_close(&display);
	if (status != WRIT_OK)
		return w_cli_apply_abort(run, &err);
	w_cli_debts_tell(run);
	if (result.is_interrupted)
		advise(run);
	const int done = exit_status(run, &display, &summary, &result);
	return done != W_APPLY_OK ? done : written;
}
