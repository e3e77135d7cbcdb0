/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_EXECVE_WORDS_H
#define W_RUN_EXECVE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* All that is read of an argv, in bytes, with eight for each word. */
#define W_EXECVE_WORDS_BYTES ((size_t)128 * 1024)

/* The argv of a process that waits in execve(). */
struct w_execve_words {
	const char **items; /* NULL-ended */
	size_t count;
	bool is_truncated; /* there is more, or it could not be read */
	char *text;        /* the words, one after the other */
};

/* All memory is allocated here. false: none. */
bool w_execve_words_init(struct w_execve_words *words);
void w_execve_words_done(struct w_execve_words *words);

/* Reads the words at an address; 0 is an empty argv. They are valid until the
 * next call. Another thread may change them meanwhile. */
void w_execve_words_read(struct w_execve_words *words, pid_t pid, uint64_t at);

#endif /* W_RUN_EXECVE_WORDS_H */
