/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Takes the server out of an agent program: what the receipt says, byte for
 * byte, and an entry that writ did not write itself.
 */

#include <string.h>

#include "base/error.h"
#include "cli/mcp/install_work.h"
#include "cli/output/print.h"

static int
remove_by_command(const struct w_install_args *args)
{
	W_AUTO_WORDS struct w_words argv = {.items = NULL};
	writ_error err;

	if (w_install_entry_remove_command(&args->entry, &argv, &err) !=
	    WRIT_OK)
		return w_print_failure(&err, false, W_INSTALL_FAILED);
	const int status = w_install_run_command(args, &argv);
	if (status == W_INSTALL_BY_HAND)
		w_print_note("it did not run; run it yourself");
	return status;
}

static bool
receipt_has_entry(
    const struct w_install_args *args, const struct w_install_receipt *receipt)
{
	for (size_t i = 0; i < receipt->count; i++) {
		if (strcmp(receipt->edits[i].value.path[0],
			args->entry.host->key) == 0)
			return true;
	}
	return false;
}

/* What the receipt has, the last change first; and an entry that writ did not
 * write itself. */
static writ_status
plan_removal(const struct w_install_args *args, bool has_entry,
    struct w_install_plan *plan, struct w_install_receipt *receipt,
    writ_error *err)
{
	const struct w_client_settings_value value = {
	    .path = {args->entry.host->key, args->entry.name}};
	struct w_install_target target;
	writ_status status = WRIT_OK;

	for (size_t i = receipt->count; status == WRIT_OK && i > 0; i--)
		status = w_install_plan_undo(plan, &receipt->edits[i - 1], err);
	if (status == WRIT_OK && has_entry)
		status = w_install_entry_target(&args->entry, &target, err);
	if (status == WRIT_OK && has_entry)
		status = w_install_plan_drop(
		    plan, &target, args->entry.host->format, &value, err);
	return status;
}

static int
remove_planned(const struct w_install_args *args, bool is_there,
    struct w_install_plan *plan, struct w_install_receipt *receipt)
{
	const bool is_others = is_there && !receipt_has_entry(args, receipt);
	const bool is_commands = is_others && args->entry.host->can_remove &&
				 w_install_has_command(args);
	const bool has_receipt = receipt->count > 0;
	writ_error err;
	int status = W_INSTALLED;

	if (!is_there && !has_receipt) {
		w_print_note("%s has no server '%s' in %s",
		    args->entry.host->title, args->entry.name, args->file);
		return W_INSTALLED;
	}
	if (plan_removal(args, is_others && !is_commands, plan, receipt,
		&err) != WRIT_OK)
		return w_print_failure(&err, false, W_INSTALL_FAILED);
	if (w_install_plan_changes(plan)) {
		/* The receipt goes last: without it nothing can be taken
		 * back. */
		status = w_install_write_plan(args, plan, receipt);
	}
	if (status == W_INSTALLED && is_commands)
		status = remove_by_command(args);
	if (status != W_INSTALLED || args->is_dry_run)
		return status;
	receipt->count = 0;
	if (w_install_receipt_write(receipt, NULL, 0, &err) != WRIT_OK)
		return w_print_failure(&err, false, W_INSTALL_FAILED);
	return W_INSTALLED;
}

int
w_install_remove(const struct w_install_args *args, bool is_there)
{
	writ_error err;
	struct w_install_work *work = w_install_work_new(args, &err);

	if (work == NULL)
		return w_print_failure(&err, false, W_INSTALL_FAILED);
	const int status =
	    remove_planned(args, is_there, &work->plan, &work->receipt);
	w_install_work_free(work);
	return status;
}
