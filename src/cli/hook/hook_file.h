/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_HOOK_FILE_H
#define W_CLI_HOOK_FILE_H

/* The project's settings of an agent program by which each command of its own
 * shell is handed to `writ policy check --confine`: docs/hooks.md. */
struct w_hook_file {
	const char *program; /* as --hook names it */
	const char *dir;     /* in the project */
	const char *name;
	const char *text;
};

/* NULL: it is not known, or cannot be told to run another command. */
const struct w_hook_file *w_hook_file_of(const char *program);

#endif /* W_CLI_HOOK_FILE_H */
