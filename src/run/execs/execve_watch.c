/* SPDX-License-Identifier: Apache-2.0 */

/* Sees each program that a run starts; see execve_watch.h. */

#include "run/execs/execve_watch.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

struct w_execve_watch {
	struct w_execve_judge judge;
	struct w_execve_words words;
	struct w_execve_file file;
};

writ_status
w_execve_watch_new(const struct w_execve_judge *judge,
    struct w_execve_watch **out_execve_watch, writ_error *err)
{
	struct w_execve_watch *execve_watch = calloc(1, sizeof(*execve_watch));

	if (execve_watch == NULL ||
	    !w_execve_words_init(&execve_watch->words)) {
		free(execve_watch);
		return w_fail_nomem(err, "sandbox");
	}
	w_execve_file_init(&execve_watch->file);
	execve_watch->judge = *judge;
	*out_execve_watch = execve_watch;
	return WRIT_OK;
}

void
w_execve_watch_free(struct w_execve_watch *execve_watch)
{
	if (execve_watch == NULL)
		return;
	execve_watch->judge.free(execve_watch->judge.ctx);
	w_execve_words_done(&execve_watch->words);
	w_execve_file_done(&execve_watch->file);
	free(execve_watch);
}

bool
w_execve_watch_allows(struct w_execve_watch *execve_watch, int fd,
    const struct seccomp_notif *notif)
{
	const bool is_at = notif->data.nr == SYS_execveat;
	const __u64 *args = notif->data.args;
	const pid_t pid = (pid_t)notif->pid;
	struct w_execve_file *file = &execve_watch->file;
	struct w_execve_words *words = &execve_watch->words;
	uint64_t id = notif->id;
	bool allows = true;

	if (!is_at && notif->data.nr != SYS_execve)
		return true;
	/* A call whose path cannot be read fails by itself. */
	if (!w_execve_file_find(file, pid, is_at ? (int)args[0] : AT_FDCWD,
		args[is_at ? 1 : 0], is_at ? (int)args[4] : 0))
		return true;
	w_execve_words_read(words, pid, args[is_at ? 2 : 1]);
	/* If the process is gone, its pid may be another's by now, and what was
	 * read is worthless. */
	if (ioctl(fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0) {
		const struct w_execve_call call = {
		    .file = file,
		    .argv = words->items,
		    .argc = words->count,
		    .is_truncated = words->is_truncated,
		};

		allows =
		    execve_watch->judge.allows(execve_watch->judge.ctx, &call);
	}
	return allows;
}

char *
w_execve_watch_report(struct w_execve_watch *execve_watch)
{
	return execve_watch->judge.report(execve_watch->judge.ctx);
}
