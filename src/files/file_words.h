/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FILES_FILE_WORDS_H
#define W_FILES_FILE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * `writ-file`: reads and changes files for an agent. It runs inside the
 * sandbox, as an ordinary command: it has no rights of its own and believes
 * nothing. The policy judges it by its words (data/commands/writ-file.yaml).
 *
 * A path is given as the caller spelled it; behind it, as --at, what it leads
 * to. The policy has judged both. Only the second is opened, and no symbolic
 * link on the way is followed: so what is opened is what was judged, whatever
 * has been put in its place meanwhile.
 */
enum {
	W_FILES_PATHS_MAX = 200,
	W_FILES_SHOWN = 18 * 1024, /* bytes of an answer, unless it is said */
	W_FILES_DIFF_MAX = 16 * 1024,
};

/* A file that is written or edited is in memory as a whole. */
#define W_FILES_BYTES_MAX ((size_t)256 << 20)

struct w_files_path {
	const char *spelled;
	const char *place; /* without links; the same if it has none */
	bool is_removed;
};

struct w_files_words {
	const char *command;
	struct w_files_path paths[W_FILES_PATHS_MAX];
	size_t count;
	const char *pattern; /* of search */
	const char *match;   /* a glob; NULL: none */
	int64_t from;        /* a line, from 1; below 0: from the end */
	uint64_t lines;      /* 0: as many as there is room for */
	uint64_t depth;      /* 0: not said */
	uint64_t context;
	size_t shown;
	bool shows_images; /* as their bytes */
	bool is_literal;
	bool ignores_case;
	bool names_only;
	bool has_ignored; /* also what is ignored */
};

/* false: wrong usage, which was said. */
bool w_files_words_read(int argc, char **argv, struct w_files_words *out);

/* Writes why to standard error. Returns the exit status. */
int w_files_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "cannot WHAT 'PATH': ERROR", with what to do about it. */
int w_files_fail_at(const char *what, const char *path, int error);

/* Writes an answer. Returns the exit status. */
int w_files_say(const struct w_buf *buf);

/* The commands. Each returns the exit status. */
int w_files_read(const struct w_files_words *words);
int w_files_list(const struct w_files_words *words);
int w_files_search(const struct w_files_words *words);
int w_files_write(const struct w_files_words *words);
int w_files_edit(const struct w_files_words *words);
int w_files_patch(const struct w_files_words *words);

#endif /* W_FILES_FILE_WORDS_H */
