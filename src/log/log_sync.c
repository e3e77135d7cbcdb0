/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Syncs a log for several writers at once.
 *
 * A writer that wants its line synced takes the lock of the head, and is done
 * if another has synced since: that sync covered the line, because what the
 * head knew when it began was in the file. Otherwise it syncs for all lines
 * written by now, while the next writers wait for the lock. So with many
 * writers each sync covers many lines.
 *
 * "synced" covers all lines up to that number. This holds across files, because
 * a file is synced when it is sealed.
 */

#include "log/log_state.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "os/loop.h"

/* Shorter than a sync takes on any disk. */
#define NAP_NS 20000

/* What a sync of the current file covers if it begins now. */
static uint64_t
covered_now(const struct w_log *log)
{
	if (log->head.seq > log->last.seq && log->head.segment == log->segment)
		return log->head.seq;
	return log->last.seq;
}

int
w_log_sync_file(int fd)
{
	int rc;

	do
		rc = fdatasync(fd);
	while (rc < 0 && errno == EINTR);
	return rc < 0 ? errno : 0;
}

static bool
is_synced(struct w_log *log)
{
	if (log->last.seq <= log->synced || log->fd < 0)
		return true;
	w_log_head_read(log);
	if (log->head.synced < log->last.seq)
		return false;
	log->synced = log->last.seq;
	return true;
}

/* Takes the lock of the head, unless another's sync makes that unnecessary: a
 * writer that syncs over and over must not starve those that only wait to be
 * covered. */
static int
lock_unless_synced(struct w_log *log, bool *out_is_synced)
{
	const uint64_t deadline =
	    w_now_ns() + log->options.lock_ms * W_NS_PER_MS;
	const struct timespec nap = {.tv_nsec = NAP_NS};
	int error;

	while ((error = w_log_lock(log->head_fd, 0)) == EWOULDBLOCK &&
	       w_now_ns() < deadline) {
		(void)nanosleep(&nap, NULL);
		if (is_synced(log)) {
			*out_is_synced = true;
			return 0;
		}
	}
	*out_is_synced = error == 0 && is_synced(log);
	if (*out_is_synced)
		w_log_unlock(log->head_fd);
	return error;
}

int
w_log_sync(struct w_log *log)
{
	bool is_done = is_synced(log);

	if (is_done)
		return 0;
	int error = lock_unless_synced(log, &is_done);
	if (error != 0 || is_done)
		return error;
	uint64_t covered = covered_now(log);
	w_log_head_sync(log);
	error = w_log_sync_file(log->fd);
	if (error == 0) {
		log->synced = covered;
		w_log_head_synced(log, covered);
	}
	w_log_unlock(log->head_fd);
	return error;
}

int
w_log_sync_fd(struct w_log *log, struct w_log_mark *out_covers)
{
	if (is_synced(log))
		return -1;
	w_log_head_sync(log);
	*out_covers = log->last;
	out_covers->seq = covered_now(log);
	return log->fd;
}

void
w_log_synced(struct w_log *log, const struct w_log_mark *covers)
{
	if (covers->seq <= log->synced)
		return;
	log->synced = covers->seq;
	/* The next line stores it. */
	log->synced_note = covers->seq;
}

void
w_log_sync_note(struct w_log *log)
{
	/* The holder of the lock is syncing more than this. */
	if (log->synced_note == 0 || w_log_lock(log->head_fd, 0) != 0)
		return;
	w_log_head_read(log);
	if (log->has_head && log->head.synced < log->synced_note)
		w_log_head_synced(log, log->synced_note);
	w_log_unlock(log->head_fd);
	log->synced_note = 0;
}
