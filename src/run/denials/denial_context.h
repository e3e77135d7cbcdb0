/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_DENIAL_CONTEXT_H
#define W_RUN_DENIAL_CONTEXT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "sandbox/mounts/mount_view.h"
#include "sandbox/profile/resolved_profile.h"

/*
 * What a sandbox denies, as seen from the outside: whether it stands between a
 * command and a file or an address, and which option would allow it. It
 * explains and never decides; the kernel enforces.
 */
struct w_denial_context {
	const struct w_resolved_profile *resolved; /* borrowed */
	uint32_t layers;                           /* that are active */
	bool has_view;
	struct w_mount_view places; /* the mount entries of the view */
	char *state_dir;            /* canonical, or NULL */
};

/* resolved must outlive the context. */
writ_status w_denial_context_init(struct w_denial_context *context,
    const struct w_resolved_profile *resolved, uint32_t layers,
    const char *state_dir, writ_error *err);
void w_denial_context_done(struct w_denial_context *context);

/* Operations that a command may try. */
#define W_OPERATION_MAP(X)     \
	X(READ, "read")        \
	X(WRITE, "write")      \
	X(CREATE, "create")    \
	X(DELETE, "delete")    \
	X(RENAME, "rename")    \
	X(RENAME_TO, "rename") \
	X(EXECUTE, "execute")  \
	X(CONNECT, "connect")  \
	X(BIND, "bind")

enum w_operation {
#define X(name, word) W_OPERATION_##name,
	W_OPERATION_MAP(X)
#undef X
};

const char *w_operation_word(enum w_operation operation);

enum {
	W_DENIAL_HINT_MAX = 2 * PATH_MAX
};

/* A denied operation. */
struct w_denial {
	const char *layer;
	char path[PATH_MAX + 8];      /* or the address */
	char hint[W_DENIAL_HINT_MAX]; /* empty: no option would allow it */
};

/* An absolute path, as the command gave it. */
struct w_denial_query {
	const char *path;
	enum w_operation operation;
	bool follows; /* a symbolic link at the end */
	pid_t pid;    /* whose root is the view; 0: unknown */
};

/* Whether the sandbox denies it. What would fail anyway, because the file does
 * not exist or exists already, is not a denial. */
bool w_denial_find(const struct w_denial_context *context,
    const struct w_denial_query *use, struct w_denial *out_denial);

/* The same for an internet address. */
struct sockaddr_storage;
bool w_denial_find_address(const struct w_denial_context *context,
    const struct sockaddr_storage *address, enum w_operation operation,
    struct w_denial *out_denial);

/* For denial_context.c and its tests: resolves the existing part of a path; see
 * denial_path.c. false: too long. */
bool w_denial_resolve_path(
    const char *path, bool follows, char out_path[PATH_MAX]);
/* Removes ".", ".." and doubled slashes from an absolute path, without looking
 * at the file system. */
void w_denial_flatten_path(char *path);

/* For denial_wall.c: the deepest mount entry that covers a path. There must be
 * a view. */
const struct w_mount_entry *w_denial_place_of(
    const struct w_denial_context *context, const char *path);

/* For denial_context.c: the option that would allow it; see denial_hint.c. */
void w_denial_hint(const struct w_denial_context *context, const char *path,
    enum w_operation operation, char out_hint[W_DENIAL_HINT_MAX]);

#endif /* W_RUN_DENIAL_CONTEXT_H */
