/* SPDX-License-Identifier: Apache-2.0 */

/* What a layer lies over, as a file: it is read when the run has ended, perhaps
 * by another process. And the settings that its top has in common with the
 * project. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"
#include "os/replace.h"
#include "undo/change_set.h"
#include "undo/change_store.h"

#define STAGE "undo"

enum {
	FACTS_MAX = 8192
};

static const struct w_replace replaces = {.mode = 0600, .may_replace = true};

int
w_change_set_copy_top(int layer_fd, const struct w_undo_layer_options *options,
    const struct stat *root)
{
	const struct w_undo_xattrs xattrs = {.is_user = options->is_user};
	const struct timespec times[2] = {root->st_atim, root->st_mtim};
	struct w_buf list;
	W_AUTO_FD int upper_fd =
	    openat(layer_fd, "upper", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	W_AUTO_FD int root_fd =
	    open(options->root, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (upper_fd < 0 || root_fd < 0)
		return errno;
	if (fchown(upper_fd, root->st_uid, root->st_gid) < 0)
		return errno;
	w_buf_init(&list, FACTS_MAX * 8);
	int error = w_undo_xattrs_get(&xattrs, root_fd, &list);
	if (error == 0 && list.len > 0)
		error = w_undo_xattrs_set(&xattrs, upper_fd, &list);
	w_buf_done(&list);
	if (error == 0 && (fchmod(upper_fd, root->st_mode & 07777) < 0 ||
			      futimens(upper_fd, times) < 0))
		error = errno;
	return error;
}

writ_status
w_change_set_write_facts(const struct w_undo_layer *layer,
    const struct w_undo_layer_options *options, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;
	struct stat root;

	w_buf_init(&text, FACTS_MAX);
	if (stat(options->root, &root) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at '%s'", options->root);
	const char *session =
	    options->session == NULL ||
		    !w_change_store_is_session(options->session)
		? "."
		: options->session;
	const char *owner =
	    options->owner == NULL || !w_change_store_is_id(options->owner)
		? "."
		: options->owner;
	w_buf_add_fmt(&text,
	    "writ layer 3\nbegan %lld %ld\nis %d %d\nsession %lld %ld %s\n"
	    "owner %s\nroot %" PRIu64 " %" PRIu64 " %s",
	    (long long)layer->began.tv_sec, layer->began.tv_nsec,
	    options->is_trial, options->is_user,
	    (long long)options->session_began.tv_sec,
	    options->session_began.tv_nsec, session, owner,
	    (uint64_t)root.st_dev, (uint64_t)root.st_ino, options->root);
	const int error = text.failed ? ENOMEM
				      : w_replace_file(layer->dir_fd, "facts",
					    text.data, text.len, &replaces);
	return error == 0 ? WRIT_OK
			  : w_fail(err, WRIT_E_SYSTEM, STAGE, error,
				"cannot make a layer for '%s'", options->root);
}

bool
w_change_set_read_facts(struct w_change_set *set)
{
	char text[FACTS_MAX];
	char session[W_CHANGE_ID_MAX + 1], owner[W_CHANGE_ID_MAX + 1];
	long long seconds, session_seconds;
	long nanoseconds, session_nanoseconds;
	int is_trial, is_user, at = 0;
	struct stat st;

	const ssize_t len =
	    w_file_read_at(set->dir_fd, "facts", text, sizeof(text));
	if (len <= 0 ||
	    sscanf(text,
		"writ layer 3\nbegan %lld %ld\nis %d %d\nsession %lld %ld "
		"%64s\nowner %64s\nroot %" SCNu64 " %" SCNu64 " %n",
		&seconds, &nanoseconds, &is_trial, &is_user, &session_seconds,
		&session_nanoseconds, session, owner, &set->root_dev,
		&set->root_ino, &at) < 10 ||
	    at == 0 || text[at] != '/')
		return false;
	set->began = (struct timespec){
	    .tv_sec = (time_t)seconds, .tv_nsec = nanoseconds};
	set->session_began = (struct timespec){
	    .tv_sec = (time_t)session_seconds, .tv_nsec = session_nanoseconds};
	(void)stpcpy(set->owner, owner);
	if (strcmp(session, ".") != 0) {
		set->session = strdup(session);
		if (set->session == NULL)
			return false;
	}
	set->is_trial = is_trial != 0;
	set->is_user = is_user != 0;
	set->root = strdup(text + at);
	set->ended =
	    fstatat(set->dir_fd, "list", &st, 0) == 0 ? st.st_mtim : set->began;
	return set->root != NULL;
}
