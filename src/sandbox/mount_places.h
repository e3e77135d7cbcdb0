/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_MOUNT_PLACES_H
#define W_SANDBOX_MOUNT_PLACES_H

#include <stdbool.h>

#include "sandbox/confine.h"

/* What a path and all beneath it look like from inside. */
enum w_look {
	W_LOOK_EMPTY, /* a directory of the sandbox's own, with the places
			 beneath it and nothing else */
	W_LOOK_HIDDEN,
	W_LOOK_WRITE,
	W_LOOK_READ,
};

struct w_mount_place {
	const char *path; /* borrowed, or own */
	char *own;        /* NULL: path is borrowed */
	enum w_look look;
	bool is_dir;
	bool is_grant;   /* named by the profile as readable or writable */
	bool is_code;    /* within a fence: may be mapped, so not noexec */
	bool is_per_run; /* EMPTY, and anew for each run */
	bool is_link;    /* per run, and no more than a link to /tmp */
	bool has_grants; /* EMPTY: directly within it are grants */
	bool may_go;     /* others may remove or replace it at any time */
	bool is_void;    /* as what it lies in: nothing to do */
	dev_t dev;
	ino_t ino;
	size_t within; /* index of the place it lies in; its own for "/" */
};

/*
 * All places of a confinement in one list, with those that every sandbox has
 * for itself. Sorted: what contains another comes first, "/" is always there.
 */
struct w_mount_places {
	struct w_mount_place *items;
	size_t count;
	size_t cap;
	bool has_own_root; /* "/" is EMPTY: the view of STRICT */
	char *tmp;         /* where /tmp really is; NULL: nowhere */
};

writ_status w_mount_places_build(const struct w_confine *confine,
    struct w_mount_places *out_places, writ_error *err);
void w_mount_places_done(struct w_mount_places *places);

/* The private /tmp; NULL: the machine's is granted. */
const struct w_mount_place *w_mount_places_tmp(
    const struct w_mount_places *places);

#endif /* W_SANDBOX_MOUNT_PLACES_H */
