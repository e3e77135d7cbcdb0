/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_HOOK_FILE_H
#define W_CLI_HOOK_FILE_H

/* The project settings of an agent program that send each of its shell commands
 * to `writ policy check --confine`. See docs/hooks.md. */
struct w_hook_file {
	const char *program; /* as in --hook */
	const char *dir;     /* relative to the project */
	const char *name;
	const char *text;
};

/* NULL: unknown, or it cannot replace a command. */
const struct w_hook_file *w_hook_file_of(const char *program);

#endif /* W_CLI_HOOK_FILE_H */
