/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Adds the server to an agent program.
 *
 * Where the program has a command that adds servers, that command does it. It
 * runs like any other: the policy decides, a person is asked if needed, and it
 * is recorded. It runs without a sandbox, since its purpose is to change its
 * user's settings. Elsewhere writ changes the file of settings itself, after
 * showing the change.
 */

#include <string.h>

#include "base/error.h"
#include "cli/mcp/conformance.h"
#include "cli/mcp/install_work.h"
#include "cli/output/print.h"

/* ---- by the program's own command ---- */

static int
add_by_command(const struct w_install_args *args)
{
	W_AUTO_WORDS struct w_words argv = {.items = NULL};
	writ_error err;

	if (w_install_entry_command(&args->entry, &argv, &err) != WRIT_OK)
		return w_print_failure(&err, false, W_INSTALL_FAILED);
	const int status = w_install_run_command(args, &argv);
	if (status == W_INSTALL_BY_HAND)
		return w_install_leave_to_person(args,
		    "it did not run; run it yourself, "
		    "or add what follows by hand");
	return status;
}

/* ---- in the files ---- */

static writ_status
plan_entry(const struct w_install_args *args, struct w_install_plan *plan,
    writ_error *err)
{
	struct w_install_target target;
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, W_SETTINGS_TEXT_MAX);
	const struct w_client_settings_value value =
	    w_install_entry_value(&args->entry, &json);
	if (json.failed)
		return w_fail_nomem(err, "mcp");
	writ_status status = w_install_entry_target(&args->entry, &target, err);
	return status == WRIT_OK
		   ? w_install_plan_put(plan, &target, args->entry.host->format,
			 &value, NULL, err)
		   : status;
}

static writ_status
plan_shell(const struct w_install_args *args, struct w_install_plan *plan,
    writ_error *err)
{
	const struct w_install_host *host = args->entry.host;
	struct w_install_target target;
	writ_status status = w_install_shell_target(&args->entry, &target, err);

	return status == WRIT_OK
		   ? w_install_plan_put(plan, &target, host->format,
			 &host->shell_value, host->shell_whole, err)
		   : status;
}

static int
change_files(const struct w_install_args *args, bool has_entry)
{
	writ_error err;
	struct w_install_work *work = w_install_work_new(args, &err);
	writ_status result = WRIT_OK;
	int status = W_INSTALLED;

	if (work == NULL)
		return w_print_failure(&err, false, W_INSTALL_FAILED);
	if (has_entry)
		result = plan_entry(args, &work->plan, &err);
	if (result == WRIT_OK && args->has_shell)
		result = plan_shell(args, &work->plan, &err);
	if (result != WRIT_OK)
		status = w_print_failure(&err, false, W_INSTALL_FAILED);
	else if (w_install_plan_changes(&work->plan))
		status =
		    w_install_write_plan(args, &work->plan, &work->receipt);
	else
		w_print_note("nothing is left to change");
	w_install_work_free(work);
	return status;
}

/* ---- both ---- */

static int
refuse_there(const struct w_install_args *args)
{
	const struct w_install_entry *entry = &args->entry;
	writ_error err;

	(void)w_fail(&err, WRIT_E_INVALID, "mcp", 0,
	    "%s already has a server '%s', in %s; it stays as it is",
	    entry->host->title, entry->name, args->file);
	if (entry->host->can_remove)
		w_suggest(&err,
		    "--remove, or %s mcp remove %s, first, or --name for "
		    "another one",
		    entry->host->program, entry->name);
	else
		w_suggest(&err, "--remove first, or --name for another one");
	return w_print_failure(&err, false, W_INSTALL_FAILED);
}

static int
try_server(const struct w_install_args *args)
{
	const struct w_install_host *host = args->entry.host;
	const int status = w_conformance_run_briefly(&args->server)
			       ? W_INSTALLED
			       : W_INSTALL_FAILED;

	if (!args->has_shell && host->shell != NULL)
		w_print_note("%s's own shell bypasses writ; turn it off with "
			     "%s%s (docs/mcp.md)",
		    host->title,
		    host->shell_place.user != NULL ? "--replace-shell, or "
						   : "",
		    host->shell);
	return status;
}

int
w_install_add(const struct w_install_args *args, bool is_there)
{
	bool has_entry = !is_there;
	int status = W_INSTALLED;

	if (is_there && !args->has_shell)
		return refuse_there(args);
	if (has_entry && w_install_has_command(args)) {
		status = add_by_command(args);
		has_entry = false;
	}
	if (status == W_INSTALLED && (has_entry || args->has_shell))
		status = change_files(args, has_entry);
	if (status != W_INSTALLED || args->is_dry_run)
		return status;
	return try_server(args);
}

writ_status
w_install_check_shell(const struct w_install_args *args, writ_error *err)
{
	struct w_install_target target;

	return args->has_shell
		   ? w_install_shell_target(&args->entry, &target, err)
		   : WRIT_OK;
}
