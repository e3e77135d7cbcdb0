/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_RESOLVED_PROFILE_H
#define W_SANDBOX_RESOLVED_PROFILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "sandbox/plan/layer.h"
#include "sandbox/profile/profile.h"
#include "sandbox/profile/restriction.h"

/* Rights on a path and everything beneath it. */
enum {
	W_MAY_READ = 1,
	W_MAY_WRITE = 2,
	W_MAY_EXECUTE = 4,
	W_MAY_MAP = 8, /* as code; separate only with an allowlist */
};

/* A path that exists, absolute and without symbolic links, with the identity of
 * its file when it was resolved. */
struct w_real_path {
	char *path;
	unsigned may;
	bool is_dir;
	bool is_layer;  /* a grant: of a session's layer over HOME */
	bool is_placed; /* a grant that gives no right, only shows another file
			 */
	dev_t dev;
	ino_t ino;
};

struct w_real_paths {
	struct w_real_path *items; /* sorted by path: parents before children */
	size_t count;
	size_t cap;
};

/*
 * A profile resolved for one command on this machine.
 *
 * grants, hidden and guarded name existing files. A hidden path inside a grant,
 * and a guarded one (protected: readable, not writable) inside a writable
 * grant, are subtracted from it. absent lists the protected paths that do not
 * exist yet: they are checked after the run. sockets are the machine's that a
 * view must mask, for walls that allow connecting.
 *
 * With an allowlist (program_allowlist.h), closed are directories whose names
 * can be listed, but only files with a grant of their own can be opened.
 */
struct w_resolved_profile {
	char *profile; /* its name */
	enum w_walls walls;
	enum w_network network;
	struct w_real_paths grants;
	struct w_real_paths hidden;
	struct w_real_paths guarded;
	struct w_real_paths sockets;
	struct w_real_paths closed;
	struct w_words absent;
	char *settings; /* the guarded path in whose place is a link; NULL */
	char *settings_copy; /* where it leads */
	char *home;          /* of the user it runs as; "/" when unknown */
	char *real_home;     /* the same without links */
	uint64_t tmp_size;   /* of the private /tmp; 0: w_mount_tmp_default() */
	bool has_home;       /* some grants are of a session's layer */
	bool is_root;        /* effective uid 0 */
	bool has_allowlist;  /* only listed files may be executed or mapped */
};

struct w_mountinfo;

/* HOME as the runs of a session have it. */
struct w_home_view {
	const char *home; /* canonical */
	int fd;           /* O_PATH, the merged HOME */
	bool is_whole;    /* it is HOME with a layer; else only caches */
	struct w_mountinfo *mounts;
};

/* What a profile is resolved against. All borrowed. */
struct w_profile_context {
	const char *cwd;       /* canonical: "." in a profile */
	const char *home;      /* "~" in a profile */
	const char *state_dir; /* always hidden; may be missing */
	const char *spill_dir; /* likewise, unless cwd is in it */
	/* Added by the request. Rules as in a profile; all must exist. */
	const char *const *read;
	const char *const *write;
	const char *const *hide;
	bool has_network;
	enum w_network network; /* used if has_network */
	uint64_t tmp_size;      /* 0: the profile's; the lower one applies */
	const struct w_restriction *restriction; /* NULL: none */
	struct w_name_index *name_index;         /* NULL: none */
	const struct w_home_view *home_view;     /* NULL: no session */
};

/*
 * Looks up every path. Fails (WRIT_E_INVALID, naming the path) for one that is
 * missing, is a symbolic link itself (the error names its target), has a
 * newline, or is not a file or directory; for "/", the home directory or a
 * parent of the state directory as writable; for ".." in a path as written.
 */
writ_status w_profile_resolve(const struct w_profile *profile,
    const struct w_profile_context *context,
    struct w_resolved_profile *out_resolved, writ_error *err);
void w_resolved_profile_done(struct w_resolved_profile *resolved);

/* Whether a canonical path may be used as asked (W_MAY_ mask), by the lists
 * alone: the longest match wins, hidden before guarded before grant. */
bool w_resolved_profile_allows(
    const struct w_resolved_profile *resolved, const char *path, unsigned may);

#endif /* W_SANDBOX_RESOLVED_PROFILE_H */
