/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_MANAGER_TOOLS_H
#define W_ENGINE_MANAGER_TOOLS_H

#include <stdbool.h>

/*
 * Where the installed tool of a package manager keeps what it uses by default.
 * The tool is the first of its name in the person's PATH. Files are looked for,
 * and no program runs.
 */
struct w_manager_tools {
	const char *path; /* the person's PATH; NULL: none */
	/* Whether a program at this place may be believed; the place is noted
	 * either way, also if there is none. */
	bool (*may_use)(void *ctx, const char *program);
	/* A file that may exist. */
	void (*file)(void *ctx, const char *file);
	void *ctx;
};

/* name: "@npm". One that is none, or has no such files, has none. */
void w_manager_tools_find(
    const struct w_manager_tools *tools, const char *name);

#endif /* W_ENGINE_MANAGER_TOOLS_H */
