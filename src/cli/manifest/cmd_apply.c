/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ apply`: brings a machine into the state that a manifest describes.
 */

#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/duration.h"
#include "base/error.h"
#include "cli/cli_command.h"
#include "cli/manifest/apply_command.h"
#include "cli/manifest/fault_page.h"
#include "cli/options/options.h"
#include "cli/output/print.h"

struct apply_args {
	struct w_cli_apply run;
	bool is_rendered;
	const char *wait;
};

/* clang-format off */
static const struct w_option options[] = {
	W_APPLY_ROW_NOOP,
	{.name = "render", W_TO(FLAG, struct apply_args, is_rendered),
	 .help = "Print data and resources with their early expressions "
	         "filled in, and do nothing."},
	{.name = "only", .arg = "TYPE#NAME", W_TO(LIST, struct apply_args, run.only),
	 .help = "Apply only this resource. May be repeated."},
	{.name = "tags", .arg = "TAG", W_TO(LIST, struct w_cli_apply, tags),
	 .help = "Apply only resources with this tag. May be repeated: one of "
	         "them is enough."},
	{.name = "skip-tags", .arg = "TAG", W_TO(LIST, struct w_cli_apply, skip_tags),
	 .help = "Leave out resources with this tag. May be repeated."},
	W_APPLY_ROW_MONITOR,
	W_FACT_ROWS("Facts", struct w_cli_apply, facts),
	W_HIERA_ROW(struct w_cli_apply, facts),
	{.heading = "Sessions",
	 .name = "resume", .arg = "SESSION", W_TO(TEXT, struct apply_args, run.resume),
	 .words = "@session",
	 .help = "Continue an apply that was interrupted or killed: resources "
	         "that have an event are not applied again, except for the "
	         "one whose failure ended it."},
	{.name = "session", .arg = "DIR", W_TO(TEXT, struct w_cli_apply, session), 
	 .store = 1,
	 .words = "@dir",
	 .help = "Keep the events in this directory, which has none yet.",
	 .standard = "a new one in the state directory"},
	{.name = "wait", .arg = "DURATION", W_TO(TEXT, struct apply_args, wait),
	 .help = "Wait this long for another apply in the same state "
	         "directory to end, instead of giving up at once: '5m'."},
	{.heading = "Output",
	 .name = "json", W_TO(FLAG, struct w_cli_apply, is_json),
	 .help = "Print one event a line, and the summary last. Output of "
	         "commands goes to standard error."},
	W_APPLY_ROW_QUIET,
	W_APPLY_ROW_RAW,
	W_APPLY_ROW_DETAILED,
	W_APPLY_ROWS_PLACES(),
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ apply site.yaml", "bring this machine into that state"},
	{"writ apply --noop site.yaml",
	 "what would change, with the differences of files"},
	{"writ apply --only exec#reload site.yaml", "one resource of it"},
	{"writ apply --fact role=web --facts site-facts.yaml site.yaml",
	 "facts that this machine does not know by itself"},
	{"writ apply --detailed-exitcode site.yaml || echo $?",
	 "for a script: 2 is changed, 4 failed, 6 both"},
	{"writ apply --json site.yaml | jq -c 'select(.failed) | .error'",
	 "for a program: the errors"},
	{"generate-manifest | writ apply -", "from a pipe"},
	{.line = ""},
};

static const struct w_exit_row exits[] = {
	{"0", "nothing failed"},
	{"1", "wrong usage, a manifest with faults (nothing was applied), or "
	      "the apply ended early: interrupted, another one is going on, or "
	      "the session could not be written"},
	{"2", "with --detailed-exitcode: something changed"},
	{"4", "something failed"},
	{"6", "with --detailed-exitcode: something changed, and something "
	      "failed"},
	{.status = ""},
};
/* clang-format on */

static writ_status
apply_check_usage(const struct apply_args *args, writ_error *err)
{
	const struct w_cli_apply *run = &args->run;

	if (run->file == NULL)
		return w_usage_fail(
		    &w_cmd_apply, err, "no manifest given: writ apply FILE");
	if (run->is_noop && run->is_health_only)
		return w_usage_fail(&w_cmd_apply, err,
		    "--noop and --monitor-only cannot be used together");
	for (size_t i = 0; i < run->facts.files.count; i++) {
		if (strcmp(run->file, "-") == 0 &&
		    strcmp(run->facts.files.items[i], "-") == 0)
			return w_usage_fail(&w_cmd_apply, err,
			    "standard input cannot be both the manifest and "
			    "the facts");
	}
	if (run->resume != NULL && run->session != NULL)
		return w_usage_fail(&w_cmd_apply, err,
		    "--resume and --session cannot be used together");
	return WRIT_OK;
}

static writ_status
apply_read_wait(struct apply_args *args, writ_error *err)
{
	writ_error inner;

	if (args->wait == NULL ||
	    w_duration_parse(args->wait, &args->run.wait_ms, &inner) == WRIT_OK)
		return WRIT_OK;
	return w_usage_fail(&w_cmd_apply, err, "--wait: %s", inner.message);
}

static int
apply_render(const struct w_cli_apply *run)
{
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;
	writ_error err;

	if (writ_manifest_render(run->loaded.manifest, run->is_json, &text,
		&len, &err) != WRIT_OK)
		return w_cli_apply_abort(run, &err);
	return w_print_bytes(STDOUT_FILENO, text, len);
}

static int
apply_manifest(struct apply_args *args)
{
	struct w_cli_apply *run = &args->run;
	writ_error err;

	if (apply_check_usage(args, &err) != WRIT_OK ||
	    apply_read_wait(args, &err) != WRIT_OK ||
	    w_cli_apply_settings(run, &err) != WRIT_OK ||
	    w_loaded_open(&run->loaded, run->file, &err) != WRIT_OK ||
	    w_loaded_read(&run->loaded, &run->facts, NULL, &err) != WRIT_OK)
		return w_cli_apply_abort(run, &err);
	if (!run->is_quiet)
		w_cli_warnings_print(&run->loaded, w_cmd_apply.name);
	if (args->is_rendered)
		return apply_render(run);
	if (w_cli_apply_open(run, &err) != WRIT_OK)
		return w_cli_apply_abort(run, &err);
	if (writ_apply_note(run->apply) != NULL && run->resume != NULL &&
	    !run->is_json && !run->is_quiet)
		w_print_note("%s", writ_apply_note(run->apply));
	return w_cli_apply_run(run);
}

static int
apply_run(int argc, char **argv)
{
	struct apply_args args = {.run = {.command = &w_cmd_apply}};
	int status = w_cli_command_begin(&w_cmd_apply, argc, argv, &args);

	if (status < 0)
		status = apply_manifest(&args);
	w_cli_apply_done(&args.run);
	return status;
}

const struct w_cli_command w_cmd_apply = {
    .name = "apply",
    .summary = "Bring this machine into the state a manifest describes",
    .usage = "apply [OPTION]... FILE|-",
    .about = "Applies the resources of a manifest, in the order of the "
	     "file: commands that have to run, files that have to be "
	     "there. What is already right is left alone, so a second "
	     "apply changes nothing. Each command runs like any other, as "
	     "the agent 'manifest', and is recorded. Ctrl-C ends the "
	     "current resource, and --resume continues. A change owes a "
	     "refresh to those that subscribe to it, until one has succeeded, "
	     "whatever happens in between.",
    .options = options,
    .stores = {w_cli_apply_store_session},
    .examples = examples,
    .exits = exits,
    .operand = &(const struct w_option){.words = "@file",
	W_TO(TEXT, struct apply_args, run.file),
	.help = "one FILE at a time"},
    .usage_exit = W_APPLY_ABORTED,
    .run = apply_run,
};
