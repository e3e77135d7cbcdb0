/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_DENIED_PROGRAMS_H
#define W_ENGINE_DENIED_PROGRAMS_H

#include "base/words.h"
#include "os/file_mark.h"

/*
 * The files of programs that are denied whatever they do, as an engine found
 * them for its last run. They are the same for the next one if the names, PATH
 * and the directories are: a file that comes, goes or becomes a link changes
 * its directory. Where a link leads out of these directories, others decide:
 * such paths are only remembered, and looked up for each run.
 *
 * All zero is empty.
 */
enum {
	W_DENIED_DIRS_MAX = 16
};

struct w_denied_programs {
	char *question; /* what was looked for; NULL: nothing is known */
	struct w_file_mark dirs[W_DENIED_DIRS_MAX];
	size_t dir_count;
	struct w_words files;
	struct w_words leaving; /* paths to look up again */
	bool was_asked;         /* before, so that keeping the answer may pay */
};

/* Whether the files of the last answer are those of this question. dirs are
 * the marks of the directories now, in the order of the answer. */
bool w_denied_programs_are_known(const struct w_denied_programs *denied,
    const char *question, const struct w_file_mark *dirs, size_t dir_count);

/* Keeps an answer, with the marks of at most W_DENIED_DIRS_MAX directories. */
void w_denied_programs_keep(struct w_denied_programs *denied,
    const char *question, const struct w_file_mark *dirs, size_t dir_count,
    const char *const *files, const char *const *leaving);

void w_denied_programs_forget(struct w_denied_programs *denied);

#endif /* W_ENGINE_DENIED_PROGRAMS_H */
