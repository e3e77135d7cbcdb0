/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The part of the view that is built once.
 *
 * One tmpfs of the sandbox holds everything that the machine does not have: the
 * root of STRICT, the empty directories, the masks of hidden paths. It is
 * mounted over the machine's /proc, which no run sees, and sealed at the end.
 * Steps that prepare paths for STRICT find its root there; WORKSPACE uses all
 * paths unchanged.
 */

#include <string.h>
#include <unistd.h>

#include "sandbox/mounts/mount_builder.h"

enum {
	BASE_SIZE = 1 << 20,
	NAME_LEN_MAX = 32,
	LINK_LEN_MAX = 255
};

/* In a layer only the inode number is the machine's. */
static void
expect(const struct w_mount_builder *self, struct w_mount_op *op,
    const struct w_mount_entry *entry)
{
	op->dev = w_mount_builder_is_in_layer(self, entry) ? 0 : entry->dev;
	op->ino = entry->ino;
}

static bool
mount_template_is_inside(
    const struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	return w_mount_builder_around(self, entry)->visibility ==
	       W_VISIBILITY_EMPTY;
}

/* A readable entry can be mounted directly into a root of our own: nothing
 * covers it there, and it is already read-only, and noexec with an
 * allowlist. */
static bool
is_kept(const struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	if (w_mount_builder_is_in_layer(self, entry))
		return false;
	if (self->view.has_own_root && entry->visibility == W_VISIBILITY_READ &&
	    !entry->is_code)
		return false;
	return w_mount_builder_brings(self, entry);
}

static enum w_shared_dir
shared_dir_of(
    const struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	if (entry == w_mount_view_tmp(&self->view))
		return W_SHARED_DIR_TMP;
	return strcmp(entry->path, "/dev/shm") == 0 ? W_SHARED_DIR_SHM
						    : W_SHARED_DIR_VAR_TMP;
}

static void
keep_hook(struct w_mount_builder *self)
{
	struct w_mount_op *op = w_mount_builder_add(self, W_MOUNT_KEEP,
	    W_MOUNT_SAFE | W_MOUNT_FLAT | W_MOUNT_READONLY | W_MOUNT_NOEXEC, 0);

	op->source =
	    w_mount_builder_text(self, W_SHARED_WALLS_STAGE W_SHARED_HOOK);
	op->slot = w_mount_builder_slot(self);
	op->dev = self->shared->hook.dev;
	op->ino = self->shared->hook.ino;
}

/* /dev is always the sandbox's own. */
static void
put_hook(struct w_mount_builder *self)
{
	const uint32_t target = w_mount_builder_path(self, W_SHARED_HOOK_PATH);

	w_mount_builder_add(self, W_MOUNT_FILE, 0, target)->mode = 0444;
	w_mount_builder_add(self, W_MOUNT_PUT, 0, target)->slot =
	    w_mount_builder_slot(self);
}

/* Local sockets that are let in lie below /run, which is the sandbox's own
 * unless the profile grants the machine's. A run without a network gets none:
 * a service is behind them. */
static bool
has_connects(const struct w_mount_builder *self)
{
	if (self->shared == NULL || self->resolved->network == W_NETWORK_OFF)
		return false;
	for (size_t i = 0; i < self->view.count; i++) {
		if (strcmp(self->view.items[i].path, "/run") == 0)
			return self->view.items[i].visibility ==
			       W_VISIBILITY_EMPTY;
	}
	return self->view.has_own_root;
}

static void
keep_connects(struct w_mount_builder *self)
{
	for (int i = 0; has_connects(self) && i < W_SHARED_CONNECTS; i++) {
		char path[] = W_SHARED_WALLS_STAGE W_SHARED_CONNECT "0";

		if (self->shared->connects[i].path[0] == '\0')
			continue;
		path[sizeof(path) - 2] = (char)('0' + i);
		struct w_mount_op *op = w_mount_builder_add(self, W_MOUNT_KEEP,
		    W_MOUNT_SAFE | W_MOUNT_FLAT | W_MOUNT_NOEXEC, 0);
		op->source = w_mount_builder_text(self, path);
		op->slot = w_mount_builder_slot(self);
		op->dev = self->shared->connects[i].dev;
		op->ino = self->shared->connects[i].ino;
	}
}

static void
put_connects(struct w_mount_builder *self)
{
	for (int i = 0; has_connects(self) && i < W_SHARED_CONNECTS; i++) {
		const char *path = self->shared->connects[i].path;

		if (path[0] == '\0')
			continue;
		w_mount_builder_between(self,
		    self->view.has_own_root ? "/" : "/run", path,
		    w_mount_builder_dir);
		const uint32_t target = w_mount_builder_path(self, path);
		w_mount_builder_add(self, W_MOUNT_FILE, 0, target)->mode = 0444;
		w_mount_builder_add(self, W_MOUNT_PUT, 0, target)->slot =
		    w_mount_builder_slot(self);
	}
}

/* The session's directory lies where the view will cover it. */
static void
keep_shared(struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	static const char *const paths[] = {
#define X(name, path) [W_SHARED_DIR_##name] = W_SHARED_WALLS_STAGE path,
	    W_SHARED_DIR_MAP(X)
#undef X
	};
	const enum w_shared_dir dir = shared_dir_of(self, entry);
	struct w_mount_op *op = w_mount_builder_add(self, W_MOUNT_KEEP,
	    W_MOUNT_SAFE | W_MOUNT_FLAT | w_mount_builder_noexec(self), 0);

	op->source = w_mount_builder_text(self, paths[dir]);
	op->slot = w_mount_builder_slot(self);
	op->dev = self->shared->dirs[dir].dev;
	op->ino = self->shared->dirs[dir].ino;
	if (dir == W_SHARED_DIR_SHM)
		keep_hook(self);
}

static void
put_shared(struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	if (mount_template_is_inside(self, entry))
		w_mount_builder_point(self, entry);
	w_mount_builder_add(
	    self, W_MOUNT_PUT, 0, w_mount_builder_path(self, entry->path))
	    ->slot = w_mount_builder_slot(self);
	if (shared_dir_of(self, entry) == W_SHARED_DIR_SHM)
		put_hook(self);
}

static void
add_keeps(struct w_mount_builder *self)
{
	for (size_t i = 0; i < self->view.count; i++) {
		const struct w_mount_entry *entry = &self->view.items[i];

		if (w_mount_builder_shares(self, entry)) {
			keep_shared(self, entry);
			continue;
		}
		if (!is_kept(self, entry))
			continue;
		uint32_t attrs = entry->visibility == W_VISIBILITY_READ
				     ? W_MOUNT_READONLY
				     : 0;
		if (!entry->is_code)
			attrs |= w_mount_builder_noexec(self);
		struct w_mount_op *op = w_mount_builder_add(
		    self, W_MOUNT_KEEP, W_MOUNT_SAFE | attrs, 0);
		op->source = w_mount_builder_source(self, entry);
		op->slot = w_mount_builder_slot(self);
		expect(self, op, entry);
	}
	w_mount_layer_keep(self);
}

/* A mount point cannot be renamed, so what is guarded beneath it cannot be
 * replaced. */
static void
pin(struct w_mount_builder *self, const char *path)
{
	const uint32_t target = w_mount_builder_path(self, path);

	w_mount_builder_add(self, W_MOUNT_BIND, 0, target)->source = target;
}

/* A path that is blocked by its name must keep its name, also for later
 * runs. */
static void
pin_parents(struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	const struct w_mount_entry *around =
	    w_mount_builder_around(self, entry);

	if (around->visibility == W_VISIBILITY_WRITE)
		w_mount_builder_between(self, around->path, entry->path, pin);
}

static void
pin_new(struct w_mount_builder *self, const char *path)
{
	w_mount_builder_dir(self, path);
	pin(self, path);
}

/* No run with this view can rename the way to a mount in the session's
 * directory. */
static void
pin_shared_way(struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	if (self->phase == W_MOUNT_SHARED)
		w_mount_builder_between(self,
		    w_mount_builder_around(self, entry)->path, entry->path,
		    pin_new);
}

/* From the machine's path; what lies in a layer, from the layer. */
static void
bring_from_view(struct w_mount_builder *self, const struct w_mount_entry *entry,
    uint32_t target)
{
	const bool is_in_layer = w_mount_builder_is_in_layer(self, entry);
	struct w_mount_op *op = w_mount_builder_add(self, W_MOUNT_BIND,
	    !is_in_layer ? 0
	    : entry->visibility == W_VISIBILITY_WRITE
		? W_MOUNT_RW
		: (uint32_t)W_MOUNT_READONLY,
	    target);

	op->source =
	    is_in_layer ? target : w_mount_builder_text(self, entry->path);
	expect(self, op, entry);
}

static void
bring(struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	const bool needs_point = mount_template_is_inside(self, entry);

	if (needs_point)
		pin_shared_way(self, entry);
	if (needs_point)
		w_mount_builder_point(self, entry);
	pin_parents(self, entry);
	const uint32_t target = w_mount_builder_path(self, entry->path);
	if (!is_kept(self, entry)) {
		bring_from_view(self, entry, target);
		return;
	}
	struct w_mount_op *op =
	    w_mount_builder_add(self, W_MOUNT_PUT, 0, target);
	op->slot = w_mount_builder_slot(self);
	/* The layer and the machine have different files at the same path. */
	if (!needs_point &&
	    entry->is_layer == w_mount_builder_around(self, entry)->is_layer)
		expect(self, op, entry);
}

/* A path for our own files that will appear elsewhere. In a root of our own the
 * machine's /proc will cover it. */
static uint32_t
own_path(struct w_mount_builder *self, const char *name)
{
	return w_mount_builder_join(self,
	    self->view.has_own_root ? W_MOUNT_BASE "/proc" : W_MOUNT_BASE,
	    name);
}

/* A symbolic link of ours, mounted in the place of a file. git follows it
 * before it makes its lock and renames; a mount of the copy itself could not be
 * replaced. */
static void
put_link(struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	const uint32_t made = own_path(self, "/settings");

	w_mount_builder_add(self, W_MOUNT_SYMLINK, 0, made)->source =
	    w_mount_builder_text(self, entry->link);
	pin_parents(self, entry);
	struct w_mount_op *op = w_mount_builder_add(self, W_MOUNT_MASK,
	    W_MOUNT_FLAT, w_mount_builder_path(self, entry->path));
	op->source = made;
	expect(self, op, entry);
	w_mount_builder_note(self, entry->path);
}

/* Read-only inside something writable. */
static void
mount_template_guard(
    struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	if (entry->link != NULL) {
		put_link(self, entry);
		return;
	}
	pin_parents(self, entry);
	const uint32_t target = w_mount_builder_path(self, entry->path);
	struct w_mount_op *op =
	    w_mount_builder_add(self, W_MOUNT_BIND, W_MOUNT_READONLY, target);
	op->source = target;
	expect(self, op, entry);
	w_mount_builder_note(self, entry->path);
}

static void
mount_template_hide(
    struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	const uint32_t mask =
	    own_path(self, entry->is_dir ? "/directory" : "/file");

	if (!self->has_mask[entry->is_dir])
		w_mount_builder_add(
		    self, entry->is_dir ? W_MOUNT_DIR : W_MOUNT_FILE, 0, mask);
	self->has_mask[entry->is_dir] = true;
	pin_parents(self, entry);
	const uint32_t attrs = entry->may_go ? W_MOUNT_IF_THERE : 0;
	struct w_mount_op *op = w_mount_builder_add(self, W_MOUNT_MASK,
	    W_MOUNT_FLAT | attrs, w_mount_builder_path(self, entry->path));
	op->source = mask;
	expect(self, op, entry);
}

/* Mounts a directory of our tmpfs over one of the machine's. */
static void
cover(struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	const bool is_dev = strcmp(entry->path, "/dev") == 0;
	W_AUTO_BUF struct w_buf name;

	w_buf_init(&name, NAME_LEN_MAX);
	w_buf_add_fmt(&name, "/%u", self->empties++);
	self->has_failed |= name.failed;
	const uint32_t source = own_path(self, name.data);
	w_mount_builder_add(self, W_MOUNT_DIR, 0, source)->mode = 0755;
	pin_parents(self, entry);
	struct w_mount_op *op =
	    w_mount_builder_add(self, is_dev ? W_MOUNT_DEV : W_MOUNT_MASK,
		W_MOUNT_FLAT, w_mount_builder_path(self, entry->path));
	op->source = source;
	expect(self, op, entry);
}

static void
mount_template_empty(
    struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	if (strcmp(entry->path, W_MOUNT_BASE) == 0)
		return;
	if (w_mount_builder_shares(self, entry)) {
		put_shared(self, entry);
		return;
	}
	if (entry->is_link) {
		w_mount_builder_between(self,
		    w_mount_builder_around(self, entry)->path, entry->path,
		    w_mount_builder_dir);
		w_mount_builder_add(self, W_MOUNT_SYMLINK, 0,
		    w_mount_builder_path(self, entry->path))
		    ->source = w_mount_builder_text(self, "/tmp");
		return;
	}
	if (!mount_template_is_inside(self, entry)) {
		/* Otherwise the run's own mount is enough. */
		if (!entry->is_per_run || entry->has_grants)
			cover(self, entry);
		return;
	}
	w_mount_builder_point(self, entry);
	if (strcmp(entry->path, "/dev") == 0)
		w_mount_builder_add(self, W_MOUNT_DEV, 0,
		    w_mount_builder_path(self, entry->path));
}

static void
mount_template_add_entry(
    struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	if (entry->is_void) {
		if (w_mount_builder_is_layer(self, entry))
			w_mount_layer_put(self, entry);
		return;
	}
	/* The session's other runs may have made anything there. */
	self->phase =
	    w_mount_builder_is_in_shared(self, entry) ? W_MOUNT_SHARED : 0;
	switch (entry->visibility) {
	case W_VISIBILITY_EMPTY:
		mount_template_empty(self, entry);
		break;
	case W_VISIBILITY_HIDDEN:
		mount_template_hide(self, entry);
		break;
	case W_VISIBILITY_WRITE:
	case W_VISIBILITY_READ:
		if (w_mount_builder_brings(self, entry))
			bring(self, entry);
		else
			mount_template_guard(self, entry);
		break;
	}
	if (w_mount_builder_is_layer(self, entry))
		w_mount_layer_put(self, entry);
}

static void
mount_template_add_base(struct w_mount_builder *self)
{
	w_mount_builder_add(self, W_MOUNT_PRIVATE,
	    W_MOUNT_SAFE | W_MOUNT_READONLY | w_mount_builder_noexec(self),
	    w_mount_builder_text(self, "/"));
	/* No nodev: root creates its nodes there. */
	struct w_mount_op *op = w_mount_builder_add(self, W_MOUNT_TMPFS,
	    W_MOUNT_NOSUID, w_mount_builder_text(self, W_MOUNT_BASE));
	op->mode = 0755;
	op->number = BASE_SIZE;
}

/* On a merged-/usr system the old directories are links. */
static void
add_root_links(struct w_mount_builder *self)
{
	static const char *const names[] = {
	    "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
	char link[LINK_LEN_MAX + 1];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const ssize_t len = readlink(names[i], link, LINK_LEN_MAX);

		if (len <= 0)
			continue;
		link[len] = '\0';
		w_mount_builder_add(self, W_MOUNT_SYMLINK, 0,
		    w_mount_builder_path(self, names[i]))
		    ->source = w_mount_builder_text(self, link);
	}
}

void
w_mount_template_add(struct w_mount_builder *self)
{
	const bool has_own_root = self->view.has_own_root;

	self->prefix = has_own_root ? W_MOUNT_BASE : "";
	add_keeps(self);
	keep_connects(self);
	/* In a user namespace the kernel mounts a fresh /proc only where one is
	 * already visible. So a root of our own keeps the machine's, and each
	 * run covers it. */
	if (has_own_root) {
		struct w_mount_op *op = w_mount_builder_add(
		    self, W_MOUNT_KEEP, W_MOUNT_READONLY, 0);

		op->source = w_mount_builder_text(self, "/proc");
		op->slot = W_MOUNT_PROC_SLOT;
	}
	mount_template_add_base(self);
	self->slots = 0;
	if (has_own_root) {
		add_root_links(self);
		w_mount_builder_dir(self, "/proc");
	}
	for (size_t i = 0; i < self->view.count; i++)
		mount_template_add_entry(self, &self->view.items[i]);
	self->phase = 0;
	put_connects(self);
	if (has_own_root)
		w_mount_builder_add(
		    self, W_MOUNT_PUT, 0, w_mount_builder_path(self, "/proc"))
		    ->slot = W_MOUNT_PROC_SLOT;
	const uint32_t base = w_mount_builder_text(self, W_MOUNT_BASE);
	w_mount_builder_add(self, W_MOUNT_SEAL, 0, base);
	if (has_own_root)
		w_mount_builder_add(self, W_MOUNT_PIVOT, 0, base);
}
