/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_PROJECT_H
#define W_CLI_PROJECT_H

#include <stdbool.h>

#include <writ/error.h>

#include "base/words.h"

/*
 * What kind of project a directory holds, told by the files in it, and what a
 * policy for it would want to say. Nothing in the directory is executed, and
 * no name out of its files gets further than here unless it is a plain word.
 */
struct w_project {
	struct w_words kinds;    /* for people: "Node.js with npm" */
	struct w_words commands; /* everyday lines of programs that writ has no
				    description of, which are to be allowed */
	struct w_words daily;    /* other everyday lines */
	struct w_words asked;    /* lines that reach outside of the project */
	struct w_words secrets;  /* globs of files that nobody is to read */
	struct w_words rules;    /* further rules, in policy syntax: the line,
				    and as the next item why */
	struct w_words notes;    /* what could not be read, one line each */
};

/* Looks at a directory. *out_project is to be released by w_cli_project_done(),
 * also after a failure. */
writ_status w_cli_project_detect(
    const char *dir, struct w_project *out_project, writ_error *err);

/* What holds for every project of a user. */
writ_status w_cli_project_any(struct w_project *out_project, writ_error *err);
void w_cli_project_done(struct w_project *project);

/* Leaves out commands whose program is not in one of these directories, which
 * have ':' between them. */
void w_cli_project_drop_missing(struct w_project *project, const char *dirs);

/* Whether the program of a command line is in one of these directories. */
bool w_cli_project_has_program(const char *line, const char *dirs);

#endif /* W_CLI_PROJECT_H */
