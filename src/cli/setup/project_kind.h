/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_PROJECT_KIND_H
#define W_CLI_PROJECT_KIND_H

#include <stdbool.h>

#include "cli/setup/project.h"

/* The directory that is looked at. */
struct w_project_view {
	int dir_fd;
	struct w_words names; /* of what is in it, sorted */
	struct w_project *project;
	bool is_short; /* of memory */
};

/* One kind of project. Lists end with NULL and may be NULL; a mark is a glob
 * for the name of a file, of which one is enough. */
struct w_project_kind {
	const char *name;
	const char *const *marks;
	const char *const *commands;
	const char *const *daily;
	const char *const *asked;
	const char *const *secrets;
	const char *rule;    /* a further rule; NULL: none */
	const char *because; /* of it */
	void (*detect)(struct w_project_view *view); /* for what is in files */
};

/* All kinds, in the order in which they are told; a NULL name ends them. */
extern const struct w_project_kind w_cli_project_kinds[];

/* Whether the directory has something of a name that matches. */
bool w_cli_project_has(const struct w_project_view *view, const char *glob);

/* Adds a line to one of the lists of the project, once. */
void w_cli_project_add(
    struct w_project_view *view, struct w_words *list, const char *line);

/* Notes that a file was not of use. */
void w_cli_project_note(
    struct w_project_view *view, const char *name, const char *why);

/* ---- project_files.c: kinds whose files say more than their names ---- */

void w_cli_project_detect_node(struct w_project_view *view);
void w_cli_project_detect_python(struct w_project_view *view);
void w_cli_project_detect_make(struct w_project_view *view);
void w_cli_project_detect_secrets(struct w_project_view *view);

#endif /* W_CLI_PROJECT_KIND_H */
