/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PROGRAM_H
#define W_RUN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "os/file_mark.h"
#include "run/launch/session_view.h"

/*
 * A program, resolved once to a file. That file is executed: an ELF image by
 * its descriptor, a script by its path after a last check that the path still
 * leads to the descriptor's file.
 */
struct w_program {
	int fd; /* O_PATH */
	char *path;
	char *real; /* where the file lies; NULL: unknown, or not looked for in
		       a session's directories */
	bool is_script;
	struct stat st; /* when it was found */
	bool is_shared; /* found in a session's directories: its runs made it */
	bool is_inside; /* the file itself lies there */
};

/*
 * A cache of files that are not scripts, identified by what changes with their
 * contents. All zero is an empty one.
 *
 * It only decides how a file is executed: one that became a script unnoticed
 * fails to start.
 */
enum {
	W_PROGRAM_SEEN_MAX = 16
};
struct w_program_seen {
	struct w_file_mark files[W_PROGRAM_SEEN_MAX];
	unsigned next;
};

/* Where a name is searched. */
struct w_program_scope {
	const char *path_list; /* PATH of the new environment; may be NULL */
	int cwd_fd;            /* relative names start here */
	const char *cwd;
	struct w_program_seen *seen;       /* NULL: no cache */
	const struct w_session_view *view; /* NULL: the machine's */
};

writ_status w_program_find(const char *name,
    const struct w_program_scope *scope, struct w_program *out_program,
    writ_error *err);
void w_program_done(struct w_program *program);

/*
 * Finds the interpreter in a script's first line, which starts with "#!".
 * Returns its length, 0: none; *out_start is its offset in text.
 */
size_t w_program_interpreter(const char *text, size_t len, size_t *out_start);

#endif /* W_RUN_PROGRAM_H */
