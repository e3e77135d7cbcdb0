/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_INIT_FILE_H
#define W_CLI_INIT_FILE_H

#include <limits.h>
#include <stdbool.h>

#include <writ/config.h>

#include "base/buf.h"
#include "cli/setup/starter_policy.h"

/*
 * A new policy file, or the hook file of an agent program: written completely
 * or not at all. A policy is tested in a private directory first.
 */
struct w_init_file {
	char dir[PATH_MAX]; /* the target directory */
	const char *name;   /* "policy.yaml", or the name of a hook file */
	const char *cwd;    /* where its expect lines are tested */
	const writ_config *config;
	bool is_projects; /* symlinks on the way are not followed */
	bool may_replace;
};

/* Fails if there is a file that must not be replaced. */
writ_status w_cli_init_check_place(
    const struct w_init_file *file, writ_error *err);

/* Renders the text, lets the library parse it, and fills in the decision for
 * each line of expect. Fails if the library finds a fault. */
writ_status w_cli_init_render(const struct w_init_file *file,
    struct w_starter_policy *starter, struct w_buf *out_text, writ_error *err);

/* Creates the directory if needed, and the file. */
writ_status w_cli_init_write(
    const struct w_init_file *file, const struct w_buf *text, writ_error *err);

#endif /* W_CLI_INIT_FILE_H */
