/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What adding and removing share: the program's own command, the question
 * before files are written, and the text for those who do it by hand.
 */

#include "cli/mcp/install_work.h"

#include <stdlib.h>
#include <string.h>

#include <writ/draft.h>

#include "base/error.h"
#include "cli/output/confirm.h"
#include "cli/output/print.h"
#include "cli/run/watch.h"
#include "cli/setup/project.h"

#define TEXT_MAX ((size_t)1 << 20)

/* ---- by hand ---- */

int
w_install_print_text(const struct w_install_args *args)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	w_install_entry_add_text(&args->entry, &text);
	w_print_note("this goes into %s:", args->file);
	return w_print(&text);
}

int
w_install_leave_to_person(const struct w_install_args *args, const char *why)
{
	if (why != NULL)
		w_print_note("%s", why);
	return w_install_print_text(args) == 0 ? W_INSTALL_BY_HAND
					       : W_INSTALL_FAILED;
}

/* ---- by the program's own command ---- */

/* Runs the program's command. The options are for the server; the user's own
 * policy decides here. */
int
w_install_run_command(
    const struct w_install_args *args, const struct w_words *argv)
{
	writ_request request = WRIT_REQUEST_INIT;
	const struct w_watch_options watch_options = {.request = &request};
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&line, TEXT_MAX);
	for (size_t i = 0; i < argv->count; i++) {
		w_buf_add_str(&line, i == 0 ? "" : " ");
		w_words_quote(&line, argv->items[i]);
	}
	w_print_note(
	    "%s %s", args->is_dry_run ? "would run" : "running", line.data);
	if (args->is_dry_run)
		return W_INSTALLED;

	request.argv = (const char *const *)argv->items;
	request.sandbox = "none";
	request.env_mode = WRIT_ENV_INHERIT;
	request.output_limit = WRIT_ZERO;
	request.spill_limit = WRIT_ZERO;
	int status = w_watch_run(&watch_options);
	if (status == writ_status_exit(WRIT_E_DENIED))
		return W_INSTALL_BY_HAND;
	return status == 0 ? W_INSTALLED : W_INSTALL_FAILED;
}

bool
w_install_has_command(const struct w_install_args *args)
{
	const struct w_install_entry *entry = &args->entry;

	if (!w_install_entry_has_command(entry))
		return false;
	if (w_cli_project_has_program(entry->host->program, getenv("PATH")))
		return true;
	w_print_note("there is no program '%s' in PATH", entry->host->program);
	return false;
}

/* ---- in the files ---- */

/* Shows the changes, asks, and writes them, with their receipt first: what is
 * written can always be taken back. */
int
w_install_write_plan(const struct w_install_args *args,
    struct w_install_plan *plan, struct w_install_receipt *receipt)
{
	writ_error err;
	int status;

	if (!args->is_yes && !args->is_dry_run &&
	    !w_cli_confirm_is_possible()) {
		w_print_note("nobody can be asked here, and no file was "
			     "changed; --yes changes it, --dry-run shows how");
		return args->is_removal ? W_INSTALL_BY_HAND
					: w_install_leave_to_person(args, NULL);
	}
	status = w_install_plan_show(plan);
	if (status != 0 || args->is_dry_run)
		return status;
	if (!args->is_yes && !w_cli_confirm("write this?")) {
		w_print_note("no file was changed");
		return W_INSTALL_BY_HAND;
	}
	if ((plan->edit_count > 0 &&
		w_install_receipt_write(
		    receipt, plan->edits, plan->edit_count, &err) != WRIT_OK) ||
	    w_install_plan_write(plan, &err) != WRIT_OK)
		return w_print_failure(&err, false, W_INSTALL_FAILED);
	return W_INSTALLED;
}

void
w_install_work_free(struct w_install_work *work)
{
	w_install_receipt_done(&work->receipt);
	w_install_plan_done(&work->plan);
	free(work);
}

struct w_install_work *
w_install_work_new(const struct w_install_args *args, writ_error *err)
{
	struct w_install_work *work = malloc(sizeof(*work));

	if (work == NULL) {
		(void)w_fail_nomem(err, "mcp");
		return NULL;
	}
	w_install_plan_init(&work->plan);
	if (w_install_receipt_read(&work->receipt,
		writ_config_get(args->server.config, "state_dir"), &args->entry,
		err) == WRIT_OK)
		return work;
	w_install_work_free(work);
	return NULL;
}
