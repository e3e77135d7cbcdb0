/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PROGRAM_H
#define W_RUN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * A program, resolved once to a file. What is executed is that file: an ELF
 * image by its descriptor, a script by its path after a last look that the
 * path still leads to the descriptor's file.
 */
struct w_program {
	int fd; /* O_PATH */
	char *path;
	bool is_script;
};

/*
 * Files that were looked into and are no scripts, known by what changes with
 * their bytes. All zero is an empty one.
 *
 * Nothing rests on it but which way a file is executed: one that became a
 * script behind our back fails to start.
 */
struct w_program_seen {
	struct {
		dev_t dev;
		ino_t ino;
		off_t size;
		int64_t changed_ns; /* 0: nothing here */
	} files[16];
	unsigned next;
};

/* Where a name is looked for. */
struct w_program_scope {
	const char *path_list; /* PATH of the new environment; may be NULL */
	int cwd_fd;            /* relative names start here */
	const char *cwd;
	struct w_program_seen *seen; /* NULL: each is looked into */
};

writ_status w_program_find(const char *name,
    const struct w_program_scope *scope, struct w_program *out_program,
    writ_error *err);
void w_program_done(struct w_program *program);

/*
 * Cuts the interpreter out of a script's first line, which starts with "#!".
 * The length, 0 when there is none; *out_start is its offset in text.
 */
size_t w_program_interpreter(const char *text, size_t len, size_t *out_start);

#endif /* W_RUN_PROGRAM_H */
