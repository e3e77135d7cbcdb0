/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_ENTER_H
#define W_SANDBOX_ENTER_H

#include <stddef.h>
#include <stdint.h>

/*
 * The child's side of the sandbox: raw system calls on plain data that the
 * parent prepared. No libc, no errno, no allocation, no static variables; every
 * function returns 0 or a negative errno. These files are linked into both the
 * library's child half and the helper program.
 *
 * Strings are offsets into one table, so the data can cross an exec or a socket
 * unchanged. Offset 0 is the empty string.
 */

/* A step of building the file system view; see mount_interpreter.c. */
enum w_mount_kind {
	W_MOUNT_PRIVATE, /* make every mount from here down private;
			    W_MOUNT_READONLY and similar flags are applied too
			  */
	W_MOUNT_BIND,    /* source onto target, recursive unless _FLAT */
	W_MOUNT_KEEP,    /* clone source (recursively) now, for W_MOUNT_PUT */
	W_MOUNT_TAKE,  /* detach the mount at source unchanged, for W_MOUNT_PUT,
			  before something covers it */
	W_MOUNT_PUT,   /* attach the mount kept or taken in this slot */
	W_MOUNT_TMPFS, /* fresh, number bytes large (0: the kernel's default),
			  mode in `mode` */
	W_MOUNT_PROC,  /* of our pid namespace; source: options */
	W_MOUNT_DEVPTS, /* source: options; _IF_THERE: skip where the user
			   namespace has no uid 0 to own it */
	W_MOUNT_DEV, /* fill the empty directory at source with the few standard
			devices and mount it at target; shm is still empty */
	W_MOUNT_DIR, /* mkdir target; may exist */
	W_MOUNT_FILE,    /* empty file at target */
	W_MOUNT_SYMLINK, /* target -> source */
	W_MOUNT_MASK,  /* hide target: mount source, from our tmpfs, over it */
	W_MOUNT_COVER, /* mount the mount at source over target too */
	W_MOUNT_ATTRS, /* change the attributes of the mount at target,
			  recursively unless _FLAT */
	W_MOUNT_CHECK, /* ESTALE unless a mount is still on target. It goes away
			  when another process removes the file */
	W_MOUNT_OVERLAY, /* an overlay; source: its options */
	W_MOUNT_SEAL, /* make the tmpfs at target read-only, also where parts of
			 it are mounted elsewhere */
	W_MOUNT_PIVOT, /* target becomes the root; the old root is detached */
};

enum {
	W_MOUNT_READONLY = 1 << 0,
	W_MOUNT_NOSUID = 1 << 1,
	W_MOUNT_NODEV = 1 << 2,
	W_MOUNT_NOEXEC = 1 << 3,
	W_MOUNT_FLAT = 1 << 4, /* not recursive */
	W_MOUNT_IF_THERE =
	    1 << 5, /* not an error if missing or replaced by another file */
	W_MOUNT_RW = 1 << 6,      /* clear READONLY */
	W_MOUNT_PER_RUN = 1 << 7, /* made for each run, not once for the
				     template that runs are copied from */
	W_MOUNT_SHARED = 1 << 8,  /* target lies where other runs write: no link
				     on the way is followed */
};

struct w_mount_op {
	uint32_t kind;
	uint32_t attrs;
	uint32_t source;
	uint32_t target;
	uint32_t mode;
	uint32_t slot;   /* of KEEP, TAKE and PUT: 0 .. W_MOUNT_SLOTS - 1 */
	uint64_t number; /* of TMPFS: bytes */
	uint64_t dev;    /* the file that source (PUT, MASK, ATTRS: target) must
			    be, else ESTALE; ino 0: any; dev 0: of any device,
			    since an overlay keeps inode numbers alone */
	uint64_t ino;
};

enum {
	W_MOUNT_SLOTS = 256
};

/* The devices of W_MOUNT_DEV: new nodes where we may create them, else those of
 * the machine's /dev. An empty source means that target is the directory. */
long w_enter_devices(const char *source, const char *target);

/* Performs the ops of one phase in order: is_per_run selects those with, or
 * those without, W_MOUNT_PER_RUN. *out_failed is the index of the op that
 * failed. kept holds the descriptors of KEEP and TAKE between the ops of a
 * phase; it needs no initial value. */
long w_enter_mounts(const struct w_mount_op *ops, size_t count,
    const char *strings, int is_per_run, int kept[W_MOUNT_SLOTS],
    uint32_t *out_failed);

/* A Landlock rule. Paths are resolved in the view. */
struct w_landlock_rule {
	uint64_t access;
	uint32_t path;
	uint32_t is_optional; /* skip the rule if the path is missing */
};

/* The rights that the ruleset handles: a handled right that no rule grants is
 * denied. */
struct w_landlock_scope {
	uint64_t fs;
	uint64_t net;
	uint64_t scoped;
};

/* Builds a ruleset from rules in the current view. Returns the descriptor, or a
 * negative errno with the index of the failed rule (count: the ruleset
 * itself). */
long w_enter_landlock_make(const struct w_landlock_scope *scope,
    const struct w_landlock_rule *rules, size_t count, const char *strings,
    uint32_t *out_failed);
/* Restricts the calling thread. no_new_privs must be set already. */
long w_enter_landlock(int ruleset_fd);

/* Joins a new, empty session keyring. ENOSYS and EDQUOT count as success: there
 * are no keys to protect, or none can be made. */
long w_enter_keyring(void);

/* Empties the bounding set: from now on no exec can add a capability. Held
 * capabilities stay, so this can be done once, before processes are copied. */
long w_enter_no_bounds(void);

/* Gives up every capability for good: the ambient, inheritable, permitted and
 * effective sets are emptied, root loses its special treatment (SECBIT_NOROOT,
 * locked), and no_new_privs is set. */
long w_enter_no_privileges(void);

/* Loads a filter. With wants_listener, returns the listener's descriptor. */
struct sock_filter;
long w_enter_seccomp(
    const struct sock_filter *filter, size_t count, int wants_listener);

/* Brings up the loopback interface of the current network namespace. */
long w_enter_loopback(void);

/* Mounts an overlay at target: lower with the layer on top, whose directories
 * are "upper" and "work". Both are O_PATH. See overlay.c. */
long w_enter_overlay(int lower, int layer, const char *target);

/* Maps our own ids into the new user namespace that we are in. */
long w_enter_id_maps(const char *uid_map, const char *gid_map);

/* A file that was looked up outside the view: -ESTALE if the path now leads to
 * another file. dev 0: any device, as in struct w_mount_op. */
struct w_enter_file {
	const char *path;
	uint64_t dev;
	uint64_t ino;
};

/* Makes it the working directory. */
long w_enter_directory(const struct w_enter_file *directory);

/* Opens it for execution and returns the descriptor. */
long w_enter_program(const struct w_enter_file *program);

/* Makes the capabilities needed to build a sandbox survive the next exec, and
 * those to mount a layer. */
long w_enter_ambient(int makes_layer);

/* Writes text to an existing file. */
long w_enter_write(const char *path, const char *text);

#endif /* W_SANDBOX_ENTER_H */
