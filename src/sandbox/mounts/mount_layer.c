/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A layer over the project.
 *
 * The overlay is mounted on the project before anything in it is guarded or
 * hidden, so those mounts lie on top of it. The kernel is given three paths in
 * the sandbox's own tmpfs, at which the machine's directories are mounted: no
 * path needs to be escaped, and what each run mounts on /proc covers them.
 */

#include <string.h>

#include "sandbox/mounts/mount_builder.h"

static bool
is_inside(const char *root, const char *path)
{
	const size_t len = strlen(root);

	return strncmp(root, path, len) == 0 && path[len] == '/';
}

bool
w_mount_builder_is_layer(
    const struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	return self->layer != NULL &&
	       strcmp(self->layer->root, entry->path) == 0;
}

bool
w_mount_builder_is_in_layer(
    const struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	return self->layer != NULL && is_inside(self->layer->root, entry->path);
}

void
w_mount_layer_keep(struct w_mount_builder *self)
{
	struct w_mount_op *op;

	if (self->layer == NULL)
		return;
	op = w_mount_builder_add(self, W_MOUNT_KEEP, W_MOUNT_SAFE, 0);
	op->source = w_mount_builder_text(self, self->layer->path);
	op->slot = self->layer_slot = w_mount_builder_slot(self);
	op->dev = self->layer->dev;
	op->ino = self->layer->ino;
}

/* A directory of ours, as in own_path(). */
static uint32_t
add_place(struct w_mount_builder *self, const char *name)
{
	const uint32_t place = w_mount_builder_join(self,
	    self->view.has_own_root ? W_MOUNT_BASE "/proc" : W_MOUNT_BASE,
	    name);

	w_mount_builder_add(self, W_MOUNT_DIR, 0, place)->mode = 0700;
	return place;
}

/*
 * userxattr also for root: with it the kernel follows no redirections, so a
 * directory that was renamed cannot leave behind what is mounted in it.
 * volatile: nothing waits for the disk; each run has a new layer.
 */
static const char *const layer_options[2] = {
    "lowerdir=/proc/lower,upperdir=/proc/layer/upper,"
    "workdir=/proc/layer/work,volatile,userxattr,index=off",
    "lowerdir=/proc/proc/lower,upperdir=/proc/proc/layer/upper,"
    "workdir=/proc/proc/layer/work,volatile,userxattr,index=off",
};

void
w_mount_layer_put(
    struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	const uint32_t root = w_mount_builder_path(self, entry->path);
	const uint32_t readonly =
	    entry->visibility == W_VISIBILITY_READ ? W_MOUNT_READONLY : 0;
	struct w_mount_op *op;

	op = w_mount_builder_add(
	    self, W_MOUNT_BIND, W_MOUNT_FLAT, add_place(self, "/lower"));
	op->source = root;
	op->dev = entry->dev;
	op->ino = entry->ino;
	op = w_mount_builder_add(
	    self, W_MOUNT_PUT, 0, add_place(self, "/layer"));
	op->slot = self->layer_slot;
	op = w_mount_builder_add(self, W_MOUNT_OVERLAY,
	    W_MOUNT_SAFE | readonly | w_mount_builder_noexec(self), root);
	op->source =
	    w_mount_builder_text(self, layer_options[self->view.has_own_root]);
}
