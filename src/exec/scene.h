/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_SCENE_H
#define W_EXEC_SCENE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "sandbox/confine.h"
#include "sandbox/mount_places.h"

/*
 * What a sandbox looks like from the outside: whether its walls stand between
 * a command and a file or an address, and what would open them. It explains
 * and never decides; the walls themselves are the kernel's.
 */
struct w_scene {
	const struct w_confine *confine; /* borrowed */
	uint32_t layers;                 /* that stand */
	bool has_view;
	struct w_mount_places places; /* of the view */
	char *state_dir;              /* canonical, or NULL */
};

/* The confinement must outlive the scene. */
writ_status w_scene_init(struct w_scene *scene, const struct w_confine *confine,
    uint32_t layers, const char *state_dir, writ_error *err);
void w_scene_done(struct w_scene *scene);

/* What a command tries to do. */
#define W_DEED_MAP(X)          \
	X(READ, "read")        \
	X(WRITE, "write")      \
	X(CREATE, "create")    \
	X(DELETE, "delete")    \
	X(RENAME, "rename")    \
	X(RENAME_TO, "rename") \
	X(EXECUTE, "execute")  \
	X(CONNECT, "connect")  \
	X(BIND, "bind")

enum w_deed {
#define X(name, word) W_DEED_##name,
	W_DEED_MAP(X)
#undef X
};

const char *w_deed_word(enum w_deed deed);

enum {
	W_FINDING_HINT_MAX = 2 * PATH_MAX
};

/* What was refused. */
struct w_finding {
	const char *layer;
	char path[PATH_MAX + 8];       /* or the address */
	char hint[W_FINDING_HINT_MAX]; /* empty: nothing would allow it */
};

/* A path as the command spelled it, absolute. */
struct w_scene_use {
	const char *path;
	enum w_deed deed;
	bool follows; /* a symbolic link at the end */
	pid_t pid;    /* whose root is the view; 0: unknown */
};

/* Whether a wall refuses it. What would fail anyhow, because there is no such
 * file or there is one already, is not refused. */
bool w_scene_denies(const struct w_scene *scene, const struct w_scene_use *use,
    struct w_finding *out_finding);

/* Likewise for an internet address. */
struct sockaddr_storage;
bool w_scene_denies_address(const struct w_scene *scene,
    const struct sockaddr_storage *address, enum w_deed deed,
    struct w_finding *out_finding);

/* For scene.c and its tests: where a path leads, as far as it exists; see
 * scene_path.c. false: it is too long. */
bool w_scene_resolve(const char *path, bool follows, char out_path[PATH_MAX]);
/* An absolute path without ".", ".." and doubled slashes, by the letters
 * alone. */
void w_scene_flatten(char *path);

/* For scene.c: what would allow it; see scene_hint.c. */
void w_scene_hint(const struct w_scene *scene, const char *path,
    enum w_deed deed, char out_hint[W_FINDING_HINT_MAX]);

#endif /* W_EXEC_SCENE_H */
