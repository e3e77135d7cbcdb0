/* SPDX-License-Identifier: Apache-2.0 */

/*
 * HOME in the view of a session's run.
 *
 *     ~           from the layer, read-only: also what HOME itself lacks
 *     ~/.cache    from the layer, writable
 *     ~/.ssh      hidden: a mask lies on the layer
 *     ~/src       the machine's, read-only: an overlay would go on showing
 *                 what a person has replaced meanwhile
 *     ~/project   the machine's, writable: a grant
 *
 * An overlay looks beneath what is mounted on its lower. So a directory in
 * which something is mounted is the machine's, too.
 */

#include "sandbox/profile/home_grants.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"
#include "os/mountinfo.h"

#define STAGE "sandbox"

enum {
	/* One mount for each, of which a run has W_MOUNT_SLOTS. */
	PLACES_MAX = 40
};

struct home_grants {
	struct w_profile_resolver *resolver;
	const struct w_home_view *view;
	unsigned may_read;
	unsigned may_write;
	size_t count;
};

bool
w_profile_is_layered(const char *name)
{
	return name[0] == '.' || strcmp(name, "go") == 0;
}

static bool
home_grants_apply(const struct w_profile_resolver *resolver)
{
	const struct w_home_view *view = resolver->context->home_view;
	const struct w_resolved_profile *resolved = resolver->resolved;
	const struct w_restriction *restriction =
	    resolver->context->restriction;

	return view != NULL &&
	       (resolved->walls == W_WALLS_READONLY ||
		   resolved->walls == W_WALLS_WORKSPACE) &&
	       strcmp(resolver->home, view->home) == 0 &&
	       (restriction == NULL || !restriction->has_execute) &&
	       w_real_paths_covering(&resolved->hidden, view->home) == NULL;
}

static bool
may_write(const struct w_profile_resolver *resolver)
{
	const struct w_restriction *restriction =
	    resolver->context->restriction;

	return w_walls_can_write(resolver->resolved->walls) &&
	       (restriction == NULL || !restriction->has_write ||
		   restriction->writes_home);
}

static struct w_real_path *
exact(struct w_real_paths *list, const char *path)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i].path, path) == 0)
			return &list->items[i];
	}
	return NULL;
}

static bool
home_grants_add(struct home_grants *self, const char *path,
    const struct stat *st, bool is_layer, unsigned may)
{
	struct w_real_paths *grants = &self->resolver->resolved->grants;
	struct w_real_path *there = exact(grants, path);
	struct w_real_path one = {
	    .may = may,
	    .is_dir = true,
	    .is_layer = is_layer,
	    .is_placed = (may & W_MAY_WRITE) == 0,
	    .dev = st->st_dev,
	    .ino = st->st_ino,
	};

	/* A grant of the machine's directory stays one. */
	if (there != NULL)
		return true;
	one.path = strdup(path);
	self->count++;
	return one.path != NULL && w_real_paths_add(grants, &one);
}

/* A name in the merged HOME. */
static bool
add_name(struct home_grants *self, int home_fd, const char *name)
{
	const struct w_real_paths *hidden = &self->resolver->resolved->hidden;
	const struct w_home_view *view = self->view;
	bool is_layer = w_profile_is_layered(name);
	W_AUTO_FREE char *path = NULL;
	struct stat st;

	if (strchr(name, '\n') != NULL || self->count >= PLACES_MAX)
		return true;
	if (asprintf(&path, "%s/%s", view->home, name) < 0)
		return false;
	if (w_real_paths_covering(hidden, path) != NULL)
		return true;
	if (view->is_whole && w_mountinfo_has(view->mounts, path))
		is_layer = false;
	if ((is_layer ? fstatat(home_fd, name, &st, AT_SYMLINK_NOFOLLOW)
		      : lstat(path, &st)) < 0 ||
	    !S_ISDIR(st.st_mode))
		return true;
	/* Without an overlay there must be something to mount it on. */
	if (!view->is_whole && access(path, F_OK) < 0)
		return true;
	if (!is_layer && !view->is_whole)
		return true;
	return home_grants_add(self, path, &st, is_layer,
	    is_layer ? self->may_write : self->may_read);
}

static bool
add_names(struct home_grants *self)
{
	const struct dirent *entry;
	bool is_good = true;
	int fd =
	    openat(self->view->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (dir == NULL) {
		w_close(&fd);
		return true;
	}
	while (is_good && (entry = readdir(dir)) != NULL) {
		if ((entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN) &&
		    strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			is_good = add_name(self, fd, entry->d_name);
	}
	(void)closedir(dir);
	return is_good;
}

writ_status
w_profile_lay_home(struct w_profile_resolver *resolver, writ_error *err)
{
	const struct w_home_view *view = resolver->context->home_view;
	struct w_real_paths *grants = &resolver->resolved->grants;
	struct stat st;

	if (!home_grants_apply(resolver))
		return WRIT_OK;
	const struct w_real_path *around =
	    w_real_paths_covering(grants, view->home);
	if (around == NULL || (around->may & W_MAY_READ) == 0 ||
	    fstat(view->fd, &st) < 0)
		return WRIT_OK;
	struct home_grants self = {.resolver = resolver, .view = view};
	self.may_read = around->may & ~(unsigned)W_MAY_WRITE;
	self.may_write =
	    self.may_read | (may_write(resolver) ? W_MAY_WRITE : 0);
	bool is_good = true;
	if (view->is_whole)
		is_good = home_grants_add(
		    &self, view->home, &st, true, self.may_read);
	is_good = is_good && add_names(&self);
	w_real_paths_sort(grants);
	resolver->resolved->has_home = is_good;
	return is_good ? WRIT_OK : w_fail_nomem(err, STAGE);
}

/* Without following a link: runs may have put any there. */
static bool
stat_in_layer(
    const struct w_home_view *view, const char *path, struct stat *out_st)
{
	const struct open_how how = {
	    .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
	};
	const char *relative = path + strlen(view->home);

	W_AUTO_FD int fd = (int)syscall(SYS_openat2, view->fd,
	    *relative == '\0' ? "." : relative + 1, &how, sizeof(how));
	return fd >= 0 && fstat(fd, out_st) == 0;
}

void
w_profile_identify_home(
    const struct w_profile_resolver *resolver, struct w_real_paths *list)
{
	const struct w_home_view *view = resolver->context->home_view;
	size_t kept = 0;

	if (!resolver->resolved->has_home)
		return;
	for (size_t i = 0; i < list->count; i++) {
		struct w_real_path *item = &list->items[i];
		const struct w_real_path *around = w_real_paths_covering(
		    &resolver->resolved->grants, item->path);
		struct stat st;

		if (around != NULL && around->is_layer) {
			if (!stat_in_layer(view, item->path, &st)) {
				w_real_path_done(item);
				continue;
			}
			item->dev = st.st_dev;
			item->ino = st.st_ino;
			item->is_dir = S_ISDIR(st.st_mode);
		}
		list->items[kept++] = *item;
	}
	list->count = kept;
}
