/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_INIT_FILE_H
#define W_CLI_INIT_FILE_H

#include <limits.h>
#include <stdbool.h>

#include <writ/config.h>

#include "base/buf.h"
#include "cli/setup/starter_policy.h"

/*
 * The file of a new policy, or of the hooks of an agent program: written whole
 * or not at all. A policy is tried in a place of its own first.
 */
struct w_init_file {
	char dir[PATH_MAX]; /* that it goes into */
	const char *name;   /* "policy.yaml", or that of a program's hooks */
	const char *cwd;    /* where what it expects is tried */
	const writ_config *config;
	bool is_projects; /* no link on the way is followed */
	bool may_replace;
};

/* Fails when there is such a file that must stay. */
writ_status w_cli_init_check_place(
    const struct w_init_file *file, writ_error *err);

/* Makes the text, lets the library read it, and writes down what it answers to
 * each line of expect. Fails when the library finds fault with it. */
writ_status w_cli_init_render(const struct w_init_file *file,
    struct w_starter_policy *starter, struct w_buf *out_text, writ_error *err);

/* Makes the directory if need be, and the file. */
writ_status w_cli_init_write(
    const struct w_init_file *file, const struct w_buf *text, writ_error *err);

#endif /* W_CLI_INIT_FILE_H */
