/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_PROFILE_LOADER_H
#define W_SANDBOX_PROFILE_LOADER_H

#include <sys/types.h>

#include "sandbox/profile/profile.h"

enum {
	W_PROFILE_CHAIN_MAX = 8,
	W_PROFILE_BYTES_MAX = 64 * 1024
};

/* A profile in the chain of `extends` that is being read. */
struct w_profile_link {
	const char *file;
	dev_t dev; /* ino 0: unknown */
	ino_t ino;
};

struct w_profile_loader {
	const char *const *dirs; /* NULL-ended, may be NULL */
	struct w_profile_link chain[W_PROFILE_CHAIN_MAX];
	size_t depth;
	bool is_guess;  /* the name is a guess: suggest nothing */
	bool is_placed; /* the error already has a position */
};

/* Loads the profile that a name in `extends` or in a request means. from is the
 * file that a relative path starts beside; NULL: the current directory. */
writ_status w_profile_load(struct w_profile_loader *loader, const char *name,
    const char *from, struct w_profile *out_profile, writ_error *err);

/* Reads the document of the last profile in the chain. */
writ_status w_profile_document(struct w_profile_loader *loader,
    const char *text, size_t len, struct w_profile *out_profile,
    writ_error *err);

/* Whether a path has a name that `workspace` protects, such as .git/hooks. */
bool w_profile_is_protected_name(const char *path);

/* The built-in profile of this name. */
bool w_profile_is_builtin(const char *name, enum w_walls *out_walls);

/* Their names, then NULL. */
extern const char *const w_profile_builtin_names[];

#endif /* W_SANDBOX_PROFILE_LOADER_H */
