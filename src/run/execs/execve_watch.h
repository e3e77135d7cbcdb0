/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_EXECVE_WATCH_H
#define W_RUN_EXECVE_WATCH_H

#include "base/error.h"
#include "run/execs/execve_file.h"
#include "run/execs/execve_words.h"

/*
 * Sees each program that the processes of a run start, and asks whether it may.
 *
 * It is advice, not a wall: between our look and the kernel's, another thread
 * can change the words, and another process the file.
 */

/* What a process asks to execute. Valid during the call of the judge. */
struct w_execve_call {
	const struct w_execve_file *file;
	const char *const *argv; /* NULL-ended */
	size_t argc;
	bool is_truncated; /* not all words could be read */
};

/* Who is asked. Must not be NULL. */
struct w_execve_judge {
	void *ctx;
	/* false: the call fails with EACCES. */
	bool (*allows)(void *ctx, const struct w_execve_call *call);
	/* The report, as JSON, when no process is left; yours to free. NULL:
	 * no memory. */
	char *(*report)(void *ctx);
	void (*free)(void *ctx);
};

struct w_execve_watch;

/* Takes the judge, if it succeeds. */
writ_status w_execve_watch_new(const struct w_execve_judge *judge,
    struct w_execve_watch **out_execve_watch, writ_error *err);
void w_execve_watch_free(struct w_execve_watch *execve_watch);

/* Whether a call that came from the listener fd may continue. Others than
 * starts of programs may. */
struct seccomp_notif;
bool w_execve_watch_allows(struct w_execve_watch *execve_watch, int fd,
    const struct seccomp_notif *notif);

/* See struct w_execve_judge. */
char *w_execve_watch_report(struct w_execve_watch *execve_watch);

#endif /* W_RUN_EXECVE_WATCH_H */
