/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_MOUNT_VIEW_H
#define W_SANDBOX_MOUNT_VIEW_H

#include <stdbool.h>

#include "sandbox/profile/resolved_profile.h"

/* How a path and everything beneath it look from inside. */
enum w_visibility {
	W_VISIBILITY_EMPTY, /* a directory of the sandbox with only the entries
			       beneath it */
	W_VISIBILITY_HIDDEN,
	W_VISIBILITY_WRITE,
	W_VISIBILITY_READ,
};

struct w_mount_entry {
	const char *path; /* borrowed, or own */
	char *own;        /* NULL: path is borrowed */
	enum w_visibility visibility;
	bool is_dir;
	bool is_grant;    /* explicit read or write grant */
	bool is_code;     /* with an allowlist: mappable, so not noexec */
	bool is_layer;    /* of a session's layer over HOME */
	bool is_per_run;  /* EMPTY, made anew for each run */
	bool is_link;     /* per run, only a link to /tmp */
	bool has_grants;  /* EMPTY: has grants directly in it */
	bool may_go;      /* others may remove or replace it at any time */
	bool is_void;     /* same as its surroundings: nothing to do */
	const char *link; /* guarded: a link that leads there is in its place;
			     NULL: it is itself */
	dev_t dev;
	ino_t ino;
	size_t within; /* index of the surrounding entry; its own for "/" */
};

/*
 * All entries of a resolved profile in one list, with the private directories
 * of every sandbox. Sorted: parents first, "/" always exists.
 */
struct w_mount_view {
	struct w_mount_entry *items;
	size_t count;
	size_t cap;
	bool has_own_root; /* "/" is EMPTY: the view of STRICT */
	char *tmp;         /* where /tmp really is; NULL: nowhere */
};

/* shares_tmp: /var/tmp and /dev/shm are /tmp, where that is private. */
writ_status w_mount_view_build(const struct w_resolved_profile *resolved,
    bool shares_tmp, struct w_mount_view *out_view, writ_error *err);
void w_mount_view_done(struct w_mount_view *view);

/* The private /tmp; NULL: the machine's is granted. */
const struct w_mount_entry *w_mount_view_tmp(const struct w_mount_view *view);

#endif /* W_SANDBOX_MOUNT_VIEW_H */
