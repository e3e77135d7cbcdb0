/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Opens and closes sessions.
 *
 * A writer holds flock() on the directory while it has the session open:
 * shared, so that the commands of a script can add events concurrently, or
 * exclusive. So an apply cannot be resumed while it still runs, and a session
 * with a writer is never pruned.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/auto.h"
#include "manifest/session/session_state.h"

/* Reserved disk space: a session has at most a few megabytes, and a hundred of
 * them are kept. */
#define RESERVE (UINT64_C(32) << 10)

static struct w_manifest_session *
new_session(const char *dir)
{
	struct w_manifest_session *session = calloc(1, sizeof(*session));

	if (session == NULL)
		return NULL;
	session->lock_fd = -1;
	w_buf_init(&session->line, W_MANIFEST_SESSION_EVENT_MAX);
	w_buf_init(&session->kept, W_MANIFEST_SESSION_KEPT_MAX);
	session->dir = dir != NULL ? strdup(dir) : NULL;
	if (dir != NULL && session->dir == NULL) {
		free(session);
		return NULL;
	}
	return session;
}

void
w_manifest_session_free(struct w_manifest_session *session)
{
	if (session == NULL)
		return;
	w_log_close(session->log);
	w_close(&session->lock_fd);
	for (size_t i = 0; i < session->type_count; i++)
		w_hash_table_done(&session->types[i].names);
	w_arena_done(&session->arena);
	w_buf_done(&session->line);
	w_buf_done(&session->kept);
	free(session->seen);
	free(session->cuts);
	free(session->dir);
	free(session->id);
	free(session);
}

/* basename, ignoring trailing slashes. */
static char *
session_open_last_part(const char *path)
{
	size_t end = strlen(path);

	while (end > 1 && path[end - 1] == '/')
		end--;
	size_t start = end;
	while (start > 0 && path[start - 1] != '/')
		start--;
	return strndup(path + start, end - start);
}

static writ_status
fail_open(const char *dir, int error, writ_error *err)
{
	if (error == ENOENT)
		return w_fail(err, WRIT_E_NOTFOUND, W_MANIFEST_SESSION_STAGE, 0,
		    "there is no session '%s'", dir);
	return w_fail(err, WRIT_E_SYSTEM, W_MANIFEST_SESSION_STAGE, error,
	    "cannot open the session '%s'", dir);
}

/* A writ that was killed while it started a command leaves a child that shares
 * its descriptors, and so the lock, until that child has executed or ended. */
#define LOCK_TRIES    100
#define LOCK_PAUSE_US 10000

int
w_manifest_session_lock(int dir_fd, int how)
{
	for (int i = 0;; i++) {
		if (flock(dir_fd, how | LOCK_NB) == 0)
			return 0;
		if ((errno != EINTR && errno != EWOULDBLOCK) || i == LOCK_TRIES)
			return errno;
		if (errno == EWOULDBLOCK)
			(void)usleep(LOCK_PAUSE_US);
	}
}

static writ_status
lock_dir(struct w_manifest_session *session, bool is_alone, writ_error *err)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

	session->lock_fd = open(session->dir, flags);
	if (session->lock_fd < 0)
		return fail_open(session->dir, errno, err);
	int error = w_manifest_session_lock(
	    session->lock_fd, is_alone ? LOCK_EX : LOCK_SH);
	if (error == 0)
		return WRIT_OK;
	if (error != EWOULDBLOCK)
		return w_fail(err, WRIT_E_SYSTEM, W_MANIFEST_SESSION_STAGE,
		    error, "cannot lock the session '%s'", session->dir);
	(void)w_fail(err, WRIT_E_INVALID, W_MANIFEST_SESSION_STAGE, 0,
	    "the session '%s' is in use", session->dir);
	w_suggest(err, "wait for the writ that uses it, or end that one");
	return WRIT_E_INVALID;
}

static writ_status
open_log(struct w_manifest_session *session, writ_error *err)
{
	const struct w_log_options options = {
	    .name = W_MANIFEST_SESSION_LOG,
	    .durability = W_LOG_BATCH,
	    .reserve = RESERVE,
	    /* A short apply is not synced at its end either. */
	    .is_brief = true,
	};

	return w_log_open(session->dir, &options, &session->log, err);
}

static writ_status
open_writable(struct w_manifest_session *session,
    const struct w_manifest_session_options *options, writ_error *err)
{
	writ_status status = WRIT_OK;

	/* The log creates the directory, unless it must exist. */
	if (!options->must_exist)
		status = open_log(session, err);
	if (status == WRIT_OK)
		status = lock_dir(session, options->is_alone, err);
	if (status != WRIT_OK || session->log != NULL)
		return status;
	/* Do not write into an unrelated directory. */
	int error = w_manifest_session_is_in(session->lock_fd);
	return error == 0 ? open_log(session, err)
			  : fail_open(session->dir, error, err);
}

static writ_status
open_readable(const struct w_manifest_session *session,
    const struct w_manifest_session_options *options, writ_error *err)
{
	W_AUTO_FD int fd =
	    open(session->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	int error = fd < 0 ? errno : 0;
	if (error == 0 && options->must_exist)
		error = w_manifest_session_is_in(fd);
	if (error == 0 || (error == ENOENT && !options->must_exist))
		return WRIT_OK;
	return fail_open(session->dir, error, err);
}

writ_status
w_manifest_session_open(const struct w_manifest_session_options *options,
    struct w_manifest_session **out_session, writ_error *err)
{
	struct w_manifest_session *session = new_session(options->dir);

	if (session == NULL)
		return w_fail_nomem(err, W_MANIFEST_SESSION_STAGE);
	session->id = session_open_last_part(options->dir);
	writ_status status = session->id == NULL
				 ? w_fail_nomem(err, W_MANIFEST_SESSION_STAGE)
				 : WRIT_OK;
	if (status == WRIT_OK)
		status = options->is_readonly
			     ? open_readable(session, options, err)
			     : open_writable(session, options, err);
	if (status == WRIT_OK)
		status = w_manifest_session_load(session, err);
	if (status != WRIT_OK) {
		w_manifest_session_free(session);
		return status;
	}
	*out_session = session;
	return WRIT_OK;
}

writ_status
w_manifest_session_new_in_memory(
    struct w_manifest_session **out_session, writ_error *err)
{
	char id[W_EVENT_ID_LEN + 1];
	struct w_manifest_session *session = new_session(NULL);

	w_event_new_id(id);
	if (session != NULL)
		session->id = strdup(id);
	if (session == NULL || session->id == NULL) {
		w_manifest_session_free(session);
		return w_fail_nomem(err, W_MANIFEST_SESSION_STAGE);
	}
	*out_session = session;
	return WRIT_OK;
}

bool
w_manifest_session_started(const struct w_manifest_session *session,
    struct w_manifest_session_start *out_start)
{
	if (session->has_start)
		*out_start = session->start;
	return session->has_start;
}

bool
w_manifest_session_is_finished(const struct w_manifest_session *session)
{
	return session->is_finished;
}

bool
w_manifest_session_has_events(const struct w_manifest_session *session)
{
	return session->summary.total > 0;
}

const char *
w_manifest_session_dir(const struct w_manifest_session *session)
{
	return session->dir;
}

const char *
w_manifest_session_name(const struct w_manifest_session *session)
{
	return session->id;
}

const char *
w_manifest_session_note(const struct w_manifest_session *session)
{
	return session->note[0] != '\0' ? session->note : NULL;
}
