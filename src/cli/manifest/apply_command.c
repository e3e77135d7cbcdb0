/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs an apply, once the command line is parsed.
 */

#include "cli/manifest/apply_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "cli/caller.h"
#include "cli/manifest/apply_debts.h"
#include "cli/manifest/apply_display.h"
#include "cli/manifest/apply_session.h"
#include "cli/manifest/fault_page.h"
#include "cli/manifest/summary_page.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

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
	writ_apply_free(run->apply);
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
    const char *message)
{
	struct w_buf *buf = w_display_text(display);
	struct w_sanitizer sanitizer = {.state = W_SANITIZER_TEXT};

	if (run->is_json || run->is_quiet || message == NULL)
		return;
	const size_t len = strlen(message);
	if (display->live.is_sanitized) {
		w_sanitizer_add(&sanitizer, buf, message, len);
		w_sanitizer_end(&sanitizer, buf);
	} else {
		w_buf_add(buf, message, len);
	}
	if (len > 0 && message[len - 1] != '\n')
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
	    writ_apply_dir(run->apply) == NULL)
		return;
	w_buf_add_str(&line, "writ apply --resume ");
	w_words_quote(&line, run->session != NULL || run->resume != NULL
				 ? writ_apply_dir(run->apply)
				 : writ_apply_session(run->apply));
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
add_summary_json(const struct w_cli_apply *run, struct w_buf *buf)
{
	W_AUTO_FREE char *json = NULL;
	size_t len = 0;

	if (writ_apply_json(run->apply, &json, &len, NULL) != WRIT_OK) {
		buf->failed = true;
		return;
	}
	w_buf_add(buf, json, len);
	w_buf_add_char(buf, '\n');
}

static void
add_end(const struct w_cli_apply *run, struct w_display *display,
    const writ_apply_summary *summary, const writ_apply_result *result)
{
	struct w_buf *buf = w_display_text(display);

	if (run->is_ensure)
		return;
	if (run->is_json) {
		add_summary_json(run, buf);
		return;
	}
	if (result->is_cut_short && !run->is_quiet)
		w_buf_add_str(buf,
		    "Terminating manifest execution due to failed "
		    "resource\n");
	if (!run->is_quiet)
		w_cli_summary_add_apply(buf, summary);
	if (summary->errors == 0 && !result->interrupted)
		add_message(run, display,
		    writ_manifest_post_message(run->loaded.manifest));
}

/* The exit status is that of the whole session, also if it was resumed; for
 * `writ ensure`, that of its resource only. */
static int
exit_status(const struct w_cli_apply *run, const writ_apply_summary *summary,
    const writ_apply_result *result)
{
	const size_t failed = run->is_ensure ? result->failed : summary->failed;
	const size_t changed =
	    run->is_ensure ? result->changed : summary->changed;
	int status = W_APPLY_OK;

	if (result->interrupted)
		return W_APPLY_ABORTED;
	if (run->is_detailed && changed > 0)
		status |= W_APPLY_CHANGED;
	if (failed > 0)
		status |= W_APPLY_FAILED;
	return status;
}

static void
apply_command_note(void *ctx, const char *text)
{
	(void)ctx;
	w_print_note("%s", text);
}

writ_status
w_cli_apply_open(struct w_cli_apply *run, writ_error *err)
{
	writ_apply_options *options = &run->options;

	*options = (writ_apply_options)WRIT_APPLY_OPTIONS_INIT;
	options->config = run->config;
	options->noop = run->is_noop;
	options->health_only = run->is_health_only;
	options->in_memory =
	    run->is_ensure && w_cli_session_named(run->session) == NULL;
	options->only = (const char *const *)run->only.items;
	options->tags = (const char *const *)run->tags.items;
	options->skip_tags = (const char *const *)run->skip_tags.items;
	options->caller = w_cli_caller();
	options->session = run->is_ensure ? NULL : run->session;
	options->resume = run->resume;
	options->wait_ms = run->wait_ms;
	options->on_note = apply_command_note;
	return writ_apply_open(run->loaded.manifest, options, &run->apply, err);
}

static writ_status
apply_command_apply(const struct w_cli_apply *run,
    const writ_apply_watch *watch, writ_apply_result *out_result,
    writ_error *err)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_engine *engine = NULL;

	options.config = run->config;
	options.door = DOOR;
	writ_status status = writ_engine_new(&options, &engine, err);
	if (status == WRIT_OK)
		status =
		    writ_apply_run(run->apply, engine, watch, out_result, err);
	writ_engine_free(engine);
	return status;
}

int
w_cli_apply_run(struct w_cli_apply *run)
{
	const writ_manifest *manifest = run->loaded.manifest;
	const struct w_display_options plan = {
	    .manifest = manifest,
	    .is_json = run->is_json,
	    .is_quiet = run->is_quiet,
	    .is_raw = run->is_raw,
	    .shows_diff = run->is_noop,
	    .total = run->only.count > 0 ? run->only.count
					 : writ_manifest_count(manifest),
	    .done = writ_apply_done(run->apply),
	};
	writ_apply_result result = {.size = sizeof(result)};
	writ_apply_summary summary = {.size = sizeof(summary)};
	struct w_display display;
	writ_error err;

	if (w_display_open(&display, &plan, &err) != WRIT_OK)
		return w_cli_apply_abort(run, &err);
	add_message(run, &display, writ_manifest_pre_message(manifest));

	const writ_status status =
	    apply_command_apply(run, &display.watch, &result, &err);

	(void)writ_apply_summarize(run->apply, &summary, NULL);
	if (status == WRIT_OK)
		add_end(run, &display, &summary, &result);
	const int written = w_display_close(&display);
	if (status != WRIT_OK)
		return w_cli_apply_abort(run, &err);
	w_cli_debts_tell(run);
	if (result.interrupted)
		advise(run);
	const int done = exit_status(run, &summary, &result);
	return done != W_APPLY_OK ? done : written;
}
