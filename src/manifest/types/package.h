/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_PACKAGE_H
#define W_MANIFEST_PACKAGE_H

#include "manifest/types/typed_cache.h"

/*
 * The resource package: software of apt, pip or npm.
 *
 *   ensure   present, absent, latest, held (apt), or a version
 */
enum {
	W_PACKAGE_HOLD,      /* apt: whether upgrades pass over it */
	W_PACKAGE_PURGE,     /* apt, with absent: its configuration, too */
	W_PACKAGE_DIRECTORY, /* pip: a virtual environment; npm: a project */
	W_PACKAGE_WAIT,      /* for a lock of apt; 30 s */
	W_PACKAGE_TIMEOUT,   /* of a command */
	W_PACKAGE_ENVIRONMENT,
};

/* What is there. */
struct w_package_state {
	bool is_unknown; /* there is nothing to ask, yet */
	bool is_installed;
	bool is_broken;  /* an installation was interrupted */
	bool has_config; /* of an earlier installation */
	bool is_held;
	const char *version; /* NULL: none */
};

/* A package manager. Each function returns false if the step failed. */
struct w_package_provider {
	const char *name;
	bool (*look)(struct w_typed_step *x, struct w_package_state *out_state);
	/* The newest version; NULL: no newer one is known. */
	bool (*newest)(struct w_typed_step *x,
	    const struct w_package_state *state, const char **out_version);
	/* -1, 0, 1: the first version is older, the same, newer; NULL: cannot
	 * tell. */
	bool (*compare)(struct w_typed_step *x, const char *first,
	    const char *second, int *out_order);
	/* version NULL: any, or the newest if is_latest. */
	bool (*install)(
	    struct w_typed_step *x, const char *version, bool is_latest);
	bool (*remove)(struct w_typed_step *x);
	bool (*hold)(struct w_typed_step *x, bool is_held); /* NULL: cannot */
};

extern const struct w_package_provider w_package_apt;
extern const struct w_package_provider w_package_pip;
extern const struct w_package_provider w_package_npm;

/* Whether ensure is a version. */
bool w_package_is_version(const char *ensure);

/* Starts a command with the resource's time limit. */
void w_package_command(
    const struct w_typed_step *x, struct w_typed_command *out_command);

#endif /* W_MANIFEST_PACKAGE_H */
