/* SPDX-License-Identifier: Apache-2.0 */

/* The directory of all changes, and what is removed from it. */

#include "undo/change_store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "base/auto.h"
#include "os/file.h"
#include "undo/change_owner.h"
#include "undo/tree_open.h"

#define STAGE "undo"

enum {
	MS_PER_SECOND = 1000,
	STILLBORN_SECONDS = 3600,
	SIZE_TEXT_MAX = 256
};

bool
w_change_store_is_session(const char *name)
{
	static const char allowed[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.";
	const size_t len = strlen(name);

	return len > 0 && len <= W_CHANGE_ID_MAX && name[0] != '.' &&
	       strspn(name, allowed) == len;
}

bool
w_change_store_is_id(const char *id)
{
	static const char allowed[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
	const size_t len = strlen(id);

	return len > 0 && len <= W_CHANGE_ID_MAX && strspn(id, allowed) == len;
}

writ_status
w_change_store_open(
    const char *state_dir, bool may_make, int *out_fd, writ_error *err)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	W_AUTO_FREE char *path = NULL;

	if (asprintf(&path, "%s/" W_UNDO_STORE, state_dir) < 0)
		return w_fail_nomem(err, STAGE);
	int fd = open(path, flags);
	if (fd < 0 && errno == ENOENT && !may_make) {
		*out_fd = -1;
		return WRIT_OK;
	}
	if (fd < 0 && errno == ENOENT) {
		writ_status status = w_file_make_dirs(path, 0700, err);

		if (status != WRIT_OK)
			return status;
		fd = open(path, flags);
	}
	if (fd < 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, errno, "cannot open '%s'", path);
	*out_fd = fd;
	return WRIT_OK;
}

writ_status
w_change_store_lock(int store_fd, writ_error *err)
{
	int ret;

	do
		ret = flock(store_fd, LOCK_EX);
	while (ret < 0 && errno == EINTR);
	return ret == 0 ? WRIT_OK
			: w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
			      "cannot lock the store of changes");
}

writ_status
w_change_store_list(int store_fd, struct w_words *out_ids, writ_error *err)
{
	W_AUTO_WORDS struct w_words names = {0};
	struct w_words ids = {0};

	const int error = w_undo_list_names(store_fd, &names);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, error,
		    "cannot list the store of changes");
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.items[i];
		struct stat st;

		if (!w_change_store_is_id(name) ||
		    fstatat(store_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISDIR(st.st_mode))
			continue;
		if (!w_words_add(&ids, name, strlen(name))) {
			w_words_done(&ids);
			return w_fail_nomem(err, STAGE);
		}
	}
	*out_ids = ids;
	return WRIT_OK;
}

/* What "size" of a run says (change_set.c). */
struct kept_run {
	uint64_t bytes;
	bool is_held;
	char session[W_CHANGE_ID_MAX + 1]; /* ".": none */
	char owner[W_CHANGE_ID_MAX + 1];   /* the same */
	time_t moved;                      /* when it was last moved */
};

/* Without the file the changes wait, or the run lives. */
static bool
read_size(int store_fd, const char *id, struct kept_run *out)
{
	char name[W_CHANGE_ID_MAX + 8], text[SIZE_TEXT_MAX];
	char word[8];
	struct stat st;

	(void)snprintf(name, sizeof(name), "%s/size", id);
	if (fstatat(store_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    w_file_read_at(store_fd, name, text, sizeof(text)) <= 0 ||
	    sscanf(text, "%" SCNu64 " %7s %64s %64s", &out->bytes, word,
		out->session, out->owner) != 4)
		return false;
	out->is_held = strcmp(word, "held") == 0;
	out->moved = st.st_mtime;
	return true;
}

/* The runs of one session come one after the other, so the last answer of each
 * kind is kept. */
struct liveness {
	int store_fd;
	const struct w_change_limits *limits;
	char session[W_CHANGE_ID_MAX + 1];
	char owner[W_CHANGE_ID_MAX + 1];
	bool has_session;
	bool has_owner;
};

static bool
session_lives(struct liveness *known, const char *session)
{
	const struct w_change_limits *limits = known->limits;

	if (limits->lives == NULL || strcmp(session, ".") == 0)
		return false;
	if (strcmp(known->session, session) != 0) {
		(void)stpcpy(known->session, session);
		known->has_session = limits->lives(limits->ctx, session);
	}
	return known->has_session;
}

static bool
owner_lives(struct liveness *known, const char *owner)
{
	if (strcmp(owner, ".") == 0)
		return false;
	if (strcmp(known->owner, owner) != 0) {
		(void)stpcpy(known->owner, owner);
		known->has_owner = w_undo_owner_lives(known->store_fd, owner);
	}
	return known->has_owner;
}

static bool
is_pinned(struct liveness *known, const struct kept_run *run)
{
	return owner_lives(known, run->owner) ||
	       session_lives(known, run->session);
}

static void
remove_run(int store_fd, const char *id)
{
	W_AUTO_FD int fd =
	    openat(store_fd, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		(void)w_file_remove_tree_at(store_fd, id);
}

/* Left by a writ that was killed while it made a layer. */
static void
remove_if_stillborn(int store_fd, const char *id)
{
	char name[W_CHANGE_ID_MAX + 8];
	struct stat st;

	(void)snprintf(name, sizeof(name), "%s/facts", id);
	if (fstatat(store_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 &&
	    errno == ENOENT &&
	    fstatat(store_fd, id, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_mtime < time(NULL) - STILLBORN_SECONDS)
		remove_run(store_fd, id);
}

/* What is kept of sessions that live. */
static uint64_t
pinned_bytes(struct liveness *known, const struct w_words *ids)
{
	struct kept_run run;
	uint64_t bytes = 0;

	for (size_t i = 0; i < ids->count; i++) {
		if (read_size(known->store_fd, ids->items[i], &run) &&
		    is_pinned(known, &run))
			bytes += run.bytes;
	}
	return bytes;
}

bool
w_change_store_fits(
    int store_fd, const struct w_change_limits *limits, uint64_t bytes)
{
	struct liveness known = {.store_fd = store_fd, .limits = limits};
	W_AUTO_WORDS struct w_words ids = {0};

	/* Most runs replace next to nothing. */
	if (bytes == 0)
		return true;
	if (bytes > limits->bytes_max ||
	    w_change_store_list(store_fd, &ids, NULL) != WRIT_OK)
		return false;
	return pinned_bytes(&known, &ids) <= limits->bytes_max - bytes;
}

/* Files of owners that were killed. */
static void
clean_owners(int store_fd)
{
	W_AUTO_WORDS struct w_words names = {0};

	if (w_undo_list_names(store_fd, &names) != 0)
		return;
	for (size_t i = 0; i < names.count; i++)
		w_undo_owner_clean(store_fd, names.items[i]);
}

void
w_change_store_prune(int store_fd, const struct w_change_limits *limits)
{
	struct liveness known = {.store_fd = store_fd, .limits = limits};
	const time_t oldest =
	    time(NULL) - (time_t)(limits->age_ms / MS_PER_SECOND);
	W_AUTO_WORDS struct w_words ids = {0};

	clean_owners(store_fd);
	if (w_change_store_list(store_fd, &ids, NULL) != WRIT_OK)
		return;
	uint64_t kept = pinned_bytes(&known, &ids);
	for (size_t i = ids.count; i-- > 0;) {
		const char *id = ids.items[i];
		struct kept_run run;

		if (!read_size(store_fd, id, &run)) {
			remove_if_stillborn(store_fd, id);
			continue;
		}
		if (is_pinned(&known, &run))
			continue;
		kept += run.bytes;
		if (kept > limits->bytes_max ||
		    (run.moved < oldest && !run.is_held))
			remove_run(store_fd, id);
	}
}
