/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_HIDDEN_HOME_H
#define W_ENGINE_HIDDEN_HOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/words.h"
#include "os/file_mark.h"

/*
 * What of the home directory an engine hid from its last run that reaches
 * hosts. It is the same for the next one if what stays visible is, and the
 * directories that were listed: a name that comes or goes changes its
 * directory.
 *
 * Marks of virtual environments say that they are still some. That a directory
 * becomes one is noticed after a while; until then it stays hidden.
 *
 * All zero is empty.
 */
enum {
	W_HIDDEN_HOME_DIRS_MAX = 32,
	W_HIDDEN_HOME_MS = 10000
};

struct w_hidden_home {
	struct w_words
	    question;        /* the home directory, then what stays visible */
	struct w_words dirs; /* what was looked into */
	struct w_file_mark marks[W_HIDDEN_HOME_DIRS_MAX];
	struct w_words hidden;
	uint64_t made_ns; /* 0: nothing is known */
	bool is_partial;  /* something could change unseen */
	bool was_asked;   /* before, so that keeping the answer may pay */
};

/* Whether the last answer is that of this question, and nothing has changed. */
bool w_hidden_home_is_known(const struct w_hidden_home *hidden,
    const char *home, const char *const *kept, size_t kept_count);

/* Begins a new answer. Without memory it is not kept. */
void w_hidden_home_begin(struct w_hidden_home *hidden, const char *home,
    const char *const *kept, size_t kept_count);

/* Part of the answer: a directory that was looked into, by an open descriptor.
 * -1: it could not be. */
void w_hidden_home_add_dir(
    struct w_hidden_home *hidden, const char *path, int fd);

/* The answer is complete. */
void w_hidden_home_end(
    struct w_hidden_home *hidden, const char *const *items, size_t count);

void w_hidden_home_forget(struct w_hidden_home *hidden);

#endif /* W_ENGINE_HIDDEN_HOME_H */
