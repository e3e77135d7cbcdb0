/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_PROJECT_KIND_H
#define W_CLI_PROJECT_KIND_H

#include <stdbool.h>

#include "cli/setup/project.h"

/* The directory being examined. */
struct w_project_view {
	int dir_fd;
	struct w_words names; /* of its entries, sorted */
	struct w_project *project;
	bool is_short; /* out of memory */
};

/* One kind of project. Lists end with NULL and may be NULL. A mark is a glob
 * for a file name; one match is enough. */
struct w_project_kind {
	const char *name;
	const char *const *marks;
	const char *const *commands;
	const char *const *daily;
	const char *const *asked;
	const char *const *secrets;
	const char *manager; /* of its packages, "@npm"; NULL: none */
	const char *rule;    /* an additional rule; NULL: none */
	const char *because; /* the reason of the rule */
	void (*detect)(struct w_project_view *view); /* NULL: none */
};

/* All kinds, in order of display; a NULL name ends them. */
extern const struct w_project_kind w_cli_project_kinds[];

/* Whether an entry of the directory matches the glob. */
bool w_cli_project_has(const struct w_project_view *view, const char *glob);

/* Adds a line to one of the project's lists, once. */
void w_cli_project_add(
    struct w_project_view *view, struct w_words *list, const char *line);

/* Notes that a file could not be used. */
void w_cli_project_note(
    struct w_project_view *view, const char *name, const char *why);

/* ---- project_files.c ---- */

void w_cli_project_detect_node(struct w_project_view *view);
void w_cli_project_detect_python(struct w_project_view *view);
void w_cli_project_detect_make(struct w_project_view *view);
void w_cli_project_detect_secrets(struct w_project_view *view);

#endif /* W_CLI_PROJECT_KIND_H */
