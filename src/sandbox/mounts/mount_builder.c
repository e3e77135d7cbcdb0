/* SPDX-License-Identifier: Apache-2.0 */

/* Helpers to put a mount plan together. */

#include "sandbox/mounts/mount_builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum {
	OPS_MAX = 1 << 14,
	PATH_LEN_MAX = 1 << 14
};

static struct w_mount_op *
new_op(struct w_mount_builder *self)
{
	struct w_mount_plan *plan = &self->plan;

	if (plan->count == OPS_MAX ||
	    !w_grow(&plan->ops, plan->count, &plan->cap)) {
		self->has_failed = true;
		return &self->nowhere;
	}
	return &plan->ops[plan->count++];
}

struct w_mount_op *
w_mount_builder_add(struct w_mount_builder *self, enum w_mount_kind kind,
    uint32_t attrs, uint32_t target)
{
	struct w_mount_op *op = new_op(self);

	*op = (struct w_mount_op){
	    .kind = kind,
	    .attrs = attrs | self->phase,
	    .target = target,
	};
	return op;
}

uint32_t
w_mount_builder_text(struct w_mount_builder *self, const char *text)
{
	return w_string_table_add(self->strings, text);
}

uint32_t
w_mount_builder_join(
    struct w_mount_builder *self, const char *head, const char *tail)
{
	W_AUTO_BUF struct w_buf joined;

	w_buf_init(&joined, PATH_LEN_MAX);
	w_buf_add_str(&joined, head);
	w_buf_add_str(&joined, tail);
	self->has_failed |= joined.failed;
	return w_mount_builder_text(self, joined.data);
}

uint32_t
w_mount_builder_path(struct w_mount_builder *self, const char *path)
{
	return w_mount_builder_join(self, self->prefix, path);
}

uint32_t
w_mount_builder_slot(struct w_mount_builder *self)
{
	if (self->slots >= W_MOUNT_PROC_SLOT) {
		self->is_full = true;
		return 0;
	}
	return self->slots++;
}

static bool
is_noted(const struct w_mount_builder *self, const char *path, size_t len)
{
	for (size_t i = 0; i < self->made.count; i++) {
		if (strncmp(self->made.items[i], path, len) == 0 &&
		    self->made.items[i][len] == '\0')
			return true;
	}
	return false;
}

void
w_mount_builder_note(struct w_mount_builder *self, const char *path)
{
	if (!w_words_add(&self->made, path, strlen(path)))
		self->has_failed = true;
}

void
w_mount_builder_between(struct w_mount_builder *self, const char *from,
    const char *to, w_mount_step_fn *step)
{
	const size_t start = strcmp(from, "/") == 0 ? 0 : strlen(from);

	for (const char *at = strchr(to + start + 1, '/'); at != NULL;
	     at = strchr(at + 1, '/')) {
		const size_t len = (size_t)(at - to);

		if (is_noted(self, to, len))
			continue;
		char *path = strndup(to, len);
		if (path == NULL) {
			self->has_failed = true;
			return;
		}
		w_mount_builder_note(self, path);
		step(self, path);
		free(path);
	}
}

void
w_mount_builder_dir(struct w_mount_builder *self, const char *path)
{
	w_mount_builder_add(
	    self, W_MOUNT_DIR, 0, w_mount_builder_path(self, path))
	    ->mode = 0755;
}

void
w_mount_builder_point(
    struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	w_mount_builder_between(self, w_mount_builder_around(self, entry)->path,
	    entry->path, w_mount_builder_dir);
	if (entry->is_dir) {
		w_mount_builder_dir(self, entry->path);
		return;
	}
	w_mount_builder_add(
	    self, W_MOUNT_FILE, 0, w_mount_builder_path(self, entry->path))
	    ->mode = 0444;
}

const struct w_mount_entry *
w_mount_builder_around(
    const struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	return &self->view.items[entry->within];
}

bool
w_mount_builder_brings(
    const struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	const struct w_mount_entry *around =
	    w_mount_builder_around(self, entry);

	if (entry->is_void || !entry->is_grant)
		return false;
	return entry->visibility == W_VISIBILITY_WRITE ||
	       around->visibility == W_VISIBILITY_EMPTY ||
	       entry->is_code != around->is_code ||
	       entry->is_layer != around->is_layer;
}

uint32_t
w_mount_builder_source(
    struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	return entry->is_layer
		   ? w_mount_builder_join(self,
			 W_SHARED_WALLS_STAGE W_SHARED_HOME,
			 entry->path + strlen(self->resolved->real_home))
		   : w_mount_builder_text(self, entry->path);
}

bool
w_mount_builder_shares(
    const struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	return self->shared != NULL && entry->is_per_run;
}

bool
w_mount_builder_is_in_shared(
    const struct w_mount_builder *self, const struct w_mount_entry *entry)
{
	const struct w_mount_entry *around =
	    w_mount_builder_around(self, entry);

	if (around->is_layer && around->visibility == W_VISIBILITY_WRITE)
		return true;
	while (around != entry && around->visibility == W_VISIBILITY_EMPTY) {
		if (w_mount_builder_shares(self, around))
			return true;
		entry = around;
		around = w_mount_builder_around(self, entry);
	}
	return false;
}

uint32_t
w_mount_builder_noexec(const struct w_mount_builder *self)
{
	return self->resolved->has_allowlist ? W_MOUNT_NOEXEC : 0;
}
