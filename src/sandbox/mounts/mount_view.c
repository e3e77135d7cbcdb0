/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the view of a sandbox consists of, path by path.
 *
 * The longest match decides how a path looks; among entries for the same path
 * the strictest wins. A hidden directory with a grant in it becomes an empty
 * directory that holds the grant.
 */

#include "sandbox/mounts/mount_view.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/grow.h"

#define STAGE "sandbox"

static const char RESOLVER[] = "/etc/resolv.conf";

/* The private directories of every sandbox. If the profile grants exactly that
 * path, the machine's is used, except for /proc and /dev, which show other
 * processes and devices. */
struct own_entry {
	const char *path;
	bool is_per_run;
	bool is_always;
};

static const struct own_entry own_entries[] = {
    {"/dev", false, true},
    {"/dev/shm", true, true},
    {"/proc", false, true},
    {"/run", false, false},
    {"/tmp", true, false},
    {"/var/run", false, false},
    {"/var/tmp", true, false},
};

static struct w_mount_entry *
mount_view_add(
    struct w_mount_view *view, const char *path, enum w_visibility visibility)
{
	if (!w_grow(&view->items, view->count, &view->cap))
		return NULL;
	struct w_mount_entry *entry = &view->items[view->count++];
	*entry = (struct w_mount_entry){
	    .path = path,
	    .visibility = visibility,
	    .is_dir = true,
	};
	return entry;
}

static bool
mount_view_add_all(struct w_mount_view *view, const struct w_real_paths *from,
    enum w_visibility visibility, bool is_grant)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct w_real_path *item = &from->items[i];
		const bool is_writable =
		    is_grant && (item->may & W_MAY_WRITE) != 0;
		struct w_mount_entry *entry = mount_view_add(view, item->path,
		    is_writable ? W_VISIBILITY_WRITE : visibility);

		if (entry == NULL)
			return false;
		entry->is_dir = item->is_dir;
		entry->is_grant = is_grant;
		entry->is_layer = item->is_layer;
		entry->is_code =
		    is_grant && !is_writable && (item->may & W_MAY_MAP) != 0;
		entry->dev = item->dev;
		entry->ino = item->ino;
	}
	return true;
}

static bool
contains(const char *dir, const char *path)
{
	const size_t len = strcmp(dir, "/") == 0 ? 0 : strlen(dir);

	return strncmp(dir, path, len) == 0 && path[len] == '/' &&
	       path[len + 1] != '\0';
}

static bool
has_grant_at(const struct w_real_paths *grants, const char *path)
{
	for (size_t i = 0; i < grants->count; i++) {
		if (strcmp(grants->items[i].path, path) == 0)
			return true;
	}
	return false;
}

/* True if it lies in a directory of the machine, not in one of ours. */
static bool
is_machines(const struct w_mount_view *view,
    const struct w_resolved_profile *resolved, const char *path)
{
	bool is_granted = !view->has_own_root;

	for (size_t i = 0; i < resolved->grants.count; i++)
		is_granted |= contains(resolved->grants.items[i].path, path);
	return is_granted;
}

/*
 * The path of a private directory; "": none. A root of our own gets it if
 * programs look for it. In the machine's root it must exist, and links are
 * followed. -1: the lookup failed, which is not the same as missing.
 */
static int
mount_view_locate(const struct w_mount_view *view,
    const struct w_resolved_profile *resolved, const char *path,
    char out_real[PATH_MAX])
{
	const bool is_made =
	    strcmp(path, "/dev/shm") == 0 || !is_machines(view, resolved, path);
	struct stat found = {0};

	out_real[0] = '\0';
	if (is_made) {
		if (strcmp(path, "/var/run") != 0)
			(void)snprintf(out_real, PATH_MAX, "%s", path);
		return 0;
	}
	if (lstat(path, &found) < 0)
		return errno == ENOENT ? 0 : -1;
	if (view->has_own_root && !S_ISDIR(found.st_mode))
		return 0;
	/* A directory in the root has no other path. */
	if (S_ISDIR(found.st_mode) && strrchr(path, '/') == path) {
		(void)snprintf(out_real, PATH_MAX, "%s", path);
		return 0;
	}
	if (realpath(path, out_real) == NULL || stat(out_real, &found) < 0) {
		out_real[0] = '\0';
		return errno == ENOENT ? 0 : -1;
	}
	if (!S_ISDIR(found.st_mode))
		out_real[0] = '\0';
	return 0;
}

static writ_status
add_own_entry(struct w_mount_view *view,
    const struct w_resolved_profile *resolved, const struct own_entry *own,
    writ_error *err)
{
	char real[PATH_MAX];

	if (mount_view_locate(view, resolved, own->path, real) < 0)
		return w_fail(err, WRIT_E_SANDBOX, STAGE, errno,
		    "cannot find out where '%s' is", own->path);
	if (real[0] == '\0' ||
	    (!own->is_always && has_grant_at(&resolved->grants, real)))
		return WRIT_OK;
	char *path = strdup(real);
	struct w_mount_entry *entry =
	    path == NULL ? NULL
			 : mount_view_add(view, path, W_VISIBILITY_EMPTY);
	if (entry == NULL) {
		free(path);
		return w_fail_nomem(err, STAGE);
	}
	entry->own = path;
	entry->is_per_run = own->is_per_run;
	if (strcmp(own->path, "/tmp") != 0)
		return WRIT_OK;
	view->tmp = strdup(real);
	return view->tmp != NULL ? WRIT_OK : w_fail_nomem(err, STAGE);
}

/* /etc/resolv.conf is often a link into /run. */
static bool
add_resolver(
    struct w_mount_view *view, const struct w_resolved_profile *resolved)
{
	struct stat found;

	if (resolved->network != W_NETWORK_HOST)
		return true;
	char *path = realpath(RESOLVER, NULL);
	if (path == NULL)
		return errno != ENOMEM;
	if (strcmp(path, RESOLVER) == 0 || stat(path, &found) < 0 ||
	    !S_ISREG(found.st_mode) ||
	    (!view->has_own_root && !contains("/run", path))) {
		free(path);
		return true;
	}
	struct w_mount_entry *entry =
	    mount_view_add(view, path, W_VISIBILITY_READ);
	if (entry == NULL) {
		free(path);
		return false;
	}
	entry->own = path;
	entry->is_dir = false;
	entry->is_grant = true;
	entry->dev = found.st_dev;
	entry->ino = found.st_ino;
	return true;
}

static void
set_link(struct w_mount_view *view, const struct w_resolved_profile *resolved)
{
	for (size_t i = 0; resolved->settings != NULL && i < view->count; i++) {
		struct w_mount_entry *entry = &view->items[i];

		if (!entry->is_grant &&
		    entry->visibility == W_VISIBILITY_READ &&
		    strcmp(entry->path, resolved->settings) == 0)
			entry->link = resolved->settings_copy;
	}
}

/* Their owners may remove them at any time. */
static bool
add_sockets(
    struct w_mount_view *view, const struct w_resolved_profile *resolved)
{
	const size_t first = view->count;

	if (!mount_view_add_all(
		view, &resolved->sockets, W_VISIBILITY_HIDDEN, false))
		return false;
	for (size_t i = first; i < view->count; i++)
		view->items[i].may_go = true;
	return true;
}

static bool
mount_view_add_profile(
    struct w_mount_view *view, const struct w_resolved_profile *resolved)
{
	return mount_view_add_all(
		   view, &resolved->grants, W_VISIBILITY_READ, true) &&
	       mount_view_add_all(
		   view, &resolved->guarded, W_VISIBILITY_READ, false) &&
	       mount_view_add_all(
		   view, &resolved->hidden, W_VISIBILITY_HIDDEN, false) &&
	       add_sockets(view, resolved) && add_resolver(view, resolved);
}

static int
mount_view_compare(const void *left, const void *right)
{
	const struct w_mount_entry *a = left;
	const struct w_mount_entry *b = right;
	const int order = strcmp(a->path, b->path);

	if (order != 0)
		return order;
	/* A guarded path sorts before the grant that it restricts. */
	if (a->visibility == W_VISIBILITY_WRITE ||
	    b->visibility == W_VISIBILITY_WRITE) {
		if (a->visibility == W_VISIBILITY_READ && !a->is_grant)
			return -1;
		if (b->visibility == W_VISIBILITY_READ && !b->is_grant)
			return 1;
	}
	return (int)a->visibility - (int)b->visibility;
}

/* A path that is both guarded and granted stays a grant, but read-only. */
static void
mount_view_merge(struct w_mount_entry *kept, const struct w_mount_entry *other)
{
	if (kept->visibility == W_VISIBILITY_READ ||
	    kept->visibility == W_VISIBILITY_WRITE) {
		kept->is_grant |= other->is_grant;
		kept->is_code |= other->is_code;
		kept->is_layer |= other->is_layer;
	}
}

static void
sort_out(struct w_mount_view *view)
{
	size_t count = 0;

	qsort(view->items, view->count, sizeof(view->items[0]),
	    mount_view_compare);
	for (size_t i = 0; i < view->count; i++) {
		struct w_mount_entry *entry = &view->items[i];

		if (count > 0 &&
		    strcmp(view->items[count - 1].path, entry->path) == 0) {
			mount_view_merge(&view->items[count - 1], entry);
			free(entry->own);
			continue;
		}
		view->items[count++] = *entry;
	}
	view->count = count;
}

static bool
holds_grant(const struct w_mount_view *view, const char *dir)
{
	for (size_t i = 0; i < view->count; i++) {
		if (view->items[i].is_grant &&
		    contains(dir, view->items[i].path))
			return true;
	}
	return false;
}

static size_t
find_within(const struct w_mount_view *view, size_t index)
{
	size_t within = 0;

	for (size_t i = 1; i < index; i++) {
		const char *path = view->items[i].path;

		if (!view->items[i].is_void &&
		    contains(path, view->items[index].path) &&
		    strlen(path) >= strlen(view->items[within].path))
			within = i;
	}
	return within;
}

static bool
is_void(const struct w_mount_entry *entry, const struct w_mount_entry *in)
{
	const enum w_visibility around = in->visibility;

	switch (entry->visibility) {
	case W_VISIBILITY_EMPTY:
		return false;
	case W_VISIBILITY_HIDDEN:
		return around == W_VISIBILITY_HIDDEN ||
		       around == W_VISIBILITY_EMPTY;
	case W_VISIBILITY_WRITE:
	case W_VISIBILITY_READ:
		if (around == W_VISIBILITY_EMPTY ||
		    around == W_VISIBILITY_HIDDEN)
			return !entry->is_grant;
		/* What is protected or hidden is part of what it lies in. */
		return entry->visibility == around &&
		       entry->is_code == in->is_code &&
		       (!entry->is_grant || entry->is_layer == in->is_layer);
	}
	return false;
}

static void
relate(struct w_mount_view *view)
{
	for (size_t i = 0; i < view->count; i++) {
		struct w_mount_entry *entry = &view->items[i];

		if (entry->visibility == W_VISIBILITY_HIDDEN && entry->is_dir &&
		    holds_grant(view, entry->path))
			entry->visibility = W_VISIBILITY_EMPTY;
		entry->within = find_within(view, i);
		struct w_mount_entry *around = &view->items[entry->within];
		entry->is_void = i == 0 || is_void(entry, around);
		if (entry->is_grant && !entry->is_void &&
		    around->visibility == W_VISIBILITY_EMPTY)
			around->has_grants = true;
	}
}

const struct w_mount_entry *
w_mount_view_tmp(const struct w_mount_view *view)
{
	for (size_t i = 0; view->tmp != NULL && i < view->count; i++) {
		if (strcmp(view->items[i].path, view->tmp) == 0)
			return &view->items[i];
	}
	return NULL;
}

/* Inside a directory of ours, what shares /tmp can be a link to it: that costs
 * a run nothing. */
static void
link_shares(struct w_mount_view *view)
{
	const struct w_mount_entry *tmp = w_mount_view_tmp(view);

	for (size_t i = 0; tmp != NULL && i < view->count; i++) {
		struct w_mount_entry *entry = &view->items[i];

		entry->is_link =
		    entry->is_per_run && entry != tmp && !entry->has_grants &&
		    view->items[entry->within].visibility == W_VISIBILITY_EMPTY;
	}
}

writ_status
w_mount_view_build(const struct w_resolved_profile *resolved, bool shares_tmp,
    struct w_mount_view *out_view, writ_error *err)
{
	struct w_mount_view view = {
	    .has_own_root = resolved->walls == W_WALLS_STRICT &&
			    !has_grant_at(&resolved->grants, "/"),
	};
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < sizeof(own_entries) / sizeof(own_entries[0]) &&
			   status == WRIT_OK;
	     i++)
		status = add_own_entry(&view, resolved, &own_entries[i], err);
	if (status == WRIT_OK &&
	    (mount_view_add(&view, "/",
		 view.has_own_root ? W_VISIBILITY_EMPTY : W_VISIBILITY_READ) ==
		    NULL ||
		!mount_view_add_profile(&view, resolved)))
		status = w_fail_nomem(err, STAGE);
	if (status != WRIT_OK) {
		w_mount_view_done(&view);
		return status;
	}
	set_link(&view, resolved);
	sort_out(&view);
	relate(&view);
	if (shares_tmp)
		link_shares(&view);
	*out_view = view;
	return WRIT_OK;
}

void
w_mount_view_done(struct w_mount_view *view)
{
	for (size_t i = 0; i < view->count; i++)
		free(view->items[i].own);
	free(view->items);
	free(view->tmp);
	*view = (struct w_mount_view){0};
}
