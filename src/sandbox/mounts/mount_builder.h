/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_MOUNT_BUILDER_H
#define W_SANDBOX_MOUNT_BUILDER_H

#include "sandbox/mounts/mount_plan.h"
#include "sandbox/mounts/mount_view.h"

enum {
	W_MOUNT_SAFE = W_MOUNT_NOSUID | W_MOUNT_NODEV,
	W_MOUNT_PROC_SLOT = W_MOUNT_SLOTS - 1 /* the machine's /proc */
};

/* A plan under construction. Failures are sticky and checked at the end. */
struct w_mount_builder {
	const struct w_resolved_profile *resolved;
	const struct w_shared_walls *shared; /* of a session; NULL: none */
	const struct w_mount_layer *layer;   /* NULL: none */
	uint32_t layer_slot;                 /* of its directory */
	struct w_mount_view view;
	struct w_string_table *strings;
	struct w_mount_plan plan;
	struct w_words made; /* paths that have a step already */
	const char *prefix;  /* put before every target */
	uint32_t phase;      /* attributes of every step: W_MOUNT_PER_RUN,
				W_MOUNT_SHARED or 0 */
	uint32_t slots;      /* number in use */
	uint32_t empties;
	bool has_mask[2];          /* for a file, for a directory */
	bool has_failed;           /* no memory */
	struct w_mount_op nowhere; /* returned when there is no memory for a
				      step */
	bool is_full;              /* more mounts than slots */
};

typedef void w_mount_step_fn(struct w_mount_builder *self, const char *path);

/* A new step, valid until the next one is added. Never NULL. */
struct w_mount_op *w_mount_builder_add(struct w_mount_builder *self,
    enum w_mount_kind kind, uint32_t attrs, uint32_t target);
/* String offsets: of the text, of prefix and path, of two joined texts. */
uint32_t w_mount_builder_text(struct w_mount_builder *self, const char *text);
uint32_t w_mount_builder_path(struct w_mount_builder *self, const char *path);
uint32_t w_mount_builder_join(
    struct w_mount_builder *self, const char *head, const char *tail);
uint32_t w_mount_builder_slot(struct w_mount_builder *self);

/* Calls back for each directory strictly between two paths that has no step
 * yet. */
void w_mount_builder_between(struct w_mount_builder *self, const char *from,
    const char *to, w_mount_step_fn *step);
/* Marks a path as having a step. */
void w_mount_builder_note(struct w_mount_builder *self, const char *path);

void w_mount_builder_dir(struct w_mount_builder *self, const char *path);
/* Creates a mount point in our tmpfs, with the directories leading to it. */
void w_mount_builder_point(
    struct w_mount_builder *self, const struct w_mount_entry *entry);

/* The surrounding entry; and whether the entry is a mount brought along from
 * the machine, not merely a part of the entry around it. */
const struct w_mount_entry *w_mount_builder_around(
    const struct w_mount_builder *self, const struct w_mount_entry *entry);
bool w_mount_builder_brings(
    const struct w_mount_builder *self, const struct w_mount_entry *entry);

/* Where the mount of an entry comes from: a string offset. */
uint32_t w_mount_builder_source(
    struct w_mount_builder *self, const struct w_mount_entry *entry);

/* Whether the entry is a directory of the session; whether it needs a mount
 * point in one. */
bool w_mount_builder_shares(
    const struct w_mount_builder *self, const struct w_mount_entry *entry);
bool w_mount_builder_is_in_shared(
    const struct w_mount_builder *self, const struct w_mount_entry *entry);

/* Whether the entry is the directory that the layer covers; whether it lies in
 * it, and so has to be taken from the layer. */
bool w_mount_builder_is_layer(
    const struct w_mount_builder *self, const struct w_mount_entry *entry);
bool w_mount_builder_is_in_layer(
    const struct w_mount_builder *self, const struct w_mount_entry *entry);

/* The flag for mounts without code: W_MOUNT_NOEXEC with an allowlist, else
 * 0. */
uint32_t w_mount_builder_noexec(const struct w_mount_builder *self);

/* mount_layer.c: keeps the layer's directory; covers the entry. */
void w_mount_layer_keep(struct w_mount_builder *self);
void w_mount_layer_put(
    struct w_mount_builder *self, const struct w_mount_entry *entry);

/* The steps of the template; those of each run. */
void w_mount_template_add(struct w_mount_builder *self);
void w_mount_run_add(struct w_mount_builder *self);

#endif /* W_SANDBOX_MOUNT_BUILDER_H */
