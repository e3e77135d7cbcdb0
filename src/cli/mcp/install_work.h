/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_INSTALL_WORK_H
#define W_CLI_INSTALL_WORK_H

#include "cli/mcp/install_plan.h"
#include "cli/mcp/mcp_args.h"

/* Exit statuses of `writ mcp install`. */
enum {
	W_INSTALLED = 0,
	W_INSTALL_FAILED = 1,
	W_INSTALL_BY_HAND = 3,
};

struct w_install_args {
	struct w_mcp_args server;
	struct w_install_entry entry;
	bool is_printed;
	bool is_removal;
	bool has_shell; /* --replace-shell */
	bool is_yes;
	bool is_dry_run;
	char path[PATH_MAX]; /* of writ */
	char file[PATH_MAX]; /* of the entry */
};

/* A plan and the receipt of earlier ones; too large for a stack. */
struct w_install_work {
	struct w_install_plan plan;
	struct w_install_receipt receipt;
};

/* NULL: *err says why. */
struct w_install_work *w_install_work_new(
    const struct w_install_args *args, writ_error *err);
void w_install_work_free(struct w_install_work *work);

/* The functions below return an exit status. */

/* Prints the text that the settings have to have. */
int w_install_print_text(const struct w_install_args *args);

/* The same for somebody who has to add it by hand, after a note why (NULL:
 * none). */
int w_install_leave_to_person(
    const struct w_install_args *args, const char *why);

/* Whether the program's own command can add the server; says so if it is not
 * installed. */
bool w_install_has_command(const struct w_install_args *args);

/* Runs a command of the program; W_INSTALL_BY_HAND: the policy denied it. */
int w_install_run_command(
    const struct w_install_args *args, const struct w_words *argv);

/* Shows the changes, asks, and writes them, with their receipt first: what is
 * written can always be taken back. */
int w_install_write_plan(const struct w_install_args *args,
    struct w_install_plan *plan, struct w_install_receipt *receipt);

int w_install_add(const struct w_install_args *args, bool is_there);
int w_install_remove(const struct w_install_args *args, bool is_there);

/* Fails if the shell is to be replaced and the program has no setting for
 * that. */
writ_status w_install_check_shell(
    const struct w_install_args *args, writ_error *err);

#endif /* W_CLI_INSTALL_WORK_H */
