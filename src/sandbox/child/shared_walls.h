/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_SHARED_WALLS_H
#define W_SANDBOX_SHARED_WALLS_H

#include <stdint.h>

/*
 * Walls that the runs of a session share: a user namespace (of an ordinary
 * user), a mount namespace with one tmpfs for temporary files, and perhaps a
 * network namespace with only loopback. Each run has its own copy of the mount
 * namespace and builds its view there, with the session's directories in place
 * of its own.
 *
 * In the session's namespace the tmpfs lies over /dev/shm, which every view
 * hides. Not in /proc: then a user namespace could mount no fresh one.
 */
#define W_SHARED_WALLS_STAGE "/dev/shm"

/* The directories in the tmpfs. */
#define W_SHARED_DIR_MAP(X) \
	X(TMP, "/tmp")      \
	X(VAR_TMP, "/var")  \
	X(SHM, "/shm")

/* And a file there: what a bash reads first if it is to leave its directory and
 * its variables behind. The view has it, read-only, at W_SHARED_HOOK_PATH. */
#define W_SHARED_HOOK      "/hook"
#define W_SHARED_HOOK_PATH "/dev/writ-shell"

/* Where the merged HOME is mounted: HOME with the session's layer on top. Not
 * mounted on if the session has no layer. */
#define W_SHARED_HOME "/home"
/* Local sockets of the machine that are let in: sockets of the session in its
 * tmpfs, with a number behind, which views have at the path of the machine's.
 */
#define W_SHARED_CONNECT "/connect-"

enum {
	W_SHARED_CONNECTS = 8,
	W_SHARED_CONNECT_PATH = 108
};

enum w_shared_dir {
#define X(name, path) W_SHARED_DIR_##name,
	W_SHARED_DIR_MAP(X)
#undef X
	W_SHARED_DIR_COUNT
};

/* What a plan has to know. A directory is known by its device and inode: a run
 * that does not find it has not joined the session. */
struct w_shared_walls {
	uint32_t joins; /* mask of W_JOINS_ */
	struct {
		uint64_t dev;
		uint64_t ino;
	} dirs[W_SHARED_DIR_COUNT], hook;
	struct {
		uint64_t dev;
		uint64_t ino;
		char path[W_SHARED_CONNECT_PATH]; /* "": a port */
	} connects[W_SHARED_CONNECTS];
};

enum {
	W_JOINS_USER = 1 << 0,
	W_JOINS_MOUNT = 1 << 1,
	W_JOINS_NETWORK = 1 << 2,
};

#endif /* W_SANDBOX_SHARED_WALLS_H */
