/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_POLICY_WRITE_H
#define W_CLI_POLICY_WRITE_H

#include <limits.h>
#include <stdbool.h>

#include <writ/config.h>

#include "cli/cli_command.h"
#include "cli/policy/policy_edit.h"

/*
 * Adds rules to the user's policy file: shows the difference, asks the person
 * on the terminal, and replaces the file at once. The new text must load, and
 * all its expectations must hold, or nothing is written.
 */
struct w_policy_writing {
	const struct w_cli_command *command;
	const writ_config *config;
	const char *cwd; /* where expectations are judged; NULL: here */
	bool is_yes;     /* ask nobody */
	bool is_dry_run; /* only show the difference */
	/* Filled in by w_cli_policy_writing_open(). */
	char dir[PATH_MAX];  /* the user's configuration */
	char path[PATH_MAX]; /* the file */
	char real[PATH_MAX]; /* where links lead */
	bool is_new;         /* there is no file yet */
	struct w_buf old_text;
	struct w_buf new_text;
};

/* Fails for a caller that is not trusted: who runs inside of a run must not
 * change what it may. Reads the file. Free with _close(), also after a
 * failure. */
writ_status w_cli_policy_writing_open(
    struct w_policy_writing *writing, writ_error *err);
void w_cli_policy_writing_close(struct w_policy_writing *writing);

/* Makes the new text and tries it. *out_changes: 0: nothing to do. */
writ_status w_cli_policy_writing_try(struct w_policy_writing *writing,
    const struct w_policy_addition *added, size_t count, size_t *out_changes,
    writ_error *err);

/* Shows the difference, asks, writes. Returns the exit status. */
int w_cli_policy_writing_finish(struct w_policy_writing *writing);

/* A command that the shape matches: its words, with `extra` (NULL: nothing)
 * where it is open. Fails for a shape that is no command. */
writ_status w_cli_policy_example(
    const char *shape, const char *extra, struct w_buf *out, writ_error *err);

#endif /* W_CLI_POLICY_WRITE_H */
