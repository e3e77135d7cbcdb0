/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_PROJECT_H
#define W_CLI_PROJECT_H

#include <stdbool.h>

#include <writ/error.h>

#include "base/words.h"

/*
 * The kind of project in a directory, detected by its files, and what a policy
 * for it should contain. Nothing in the directory is executed, and a name from
 * its files is used only if it is a plain word.
 */
struct w_project {
	struct w_words kinds;    /* for people: "Node.js with npm" */
	struct w_words commands; /* everyday lines without a module, to be
				  * allowed */
	struct w_words daily;    /* other everyday lines */
	struct w_words asked;    /* lines that reach outside of the project */
	struct w_words secrets;  /* globs of files that must not be read */
	struct w_words rules;    /* further rules: pairs of rule and reason */
	struct w_words managers; /* of its packages: "@npm" */
	struct w_words notes;    /* unreadable files, one line each */
};

/* Detects the project. Release *out_project with w_cli_project_done(), also
 * after a failure. */
writ_status w_cli_project_detect(
    const char *dir, struct w_project *out_project, writ_error *err);

/* What applies to every project of a user. */
writ_status w_cli_project_any(struct w_project *out_project, writ_error *err);
void w_cli_project_done(struct w_project *project);

/* Drops commands whose program is in none of these ":"-separated
 * directories. */
void w_cli_project_drop_missing(struct w_project *project, const char *dirs);

/* Whether the program of a command line is in one of these directories. */
bool w_cli_project_has_program(const char *line, const char *dirs);

#endif /* W_CLI_PROJECT_H */
