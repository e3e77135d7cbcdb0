/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HOME_STORE_H
#define W_RUN_HOME_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "run/launch/locked_dir.h"
#include "run/limits/disk_walk.h"

/*
 * Where a session's layer over HOME lies: a directory of the state directory,
 * which no run sees.
 *
 *     caches/KEY    of a project; one session at a time has it
 *     homes/NAME    of one session: the others, and those without a project
 *         upper     what was written, by its path in HOME
 *         work      of the overlay; not there while nobody has mounted it
 *         session   the session's name
 *
 * A session that ends leaves the caches of its project for the next. What it
 * wrote elsewhere in HOME is moved to homes/ and kept there for a while, to be
 * looked at: no later session has it. An engine that was killed leaves "work",
 * which the kernel refuses to mount again; home_caches.c says what then.
 */
struct w_home_store {
	struct w_locked_dir dir;
	char *state_dir;
	char *home; /* HOME, canonical */
	int upper_fd;
	bool is_project; /* its caches stay for the next session */
	bool is_kept;    /* what it wrote is kept after its end */
	bool is_lent;    /* another process keeps it: not settled with this */
	uint64_t bytes_max;
	uint64_t walked_ns; /* when it was last looked at */
	struct w_disk_walk walk;
};

struct w_home_options {
	const char *state_dir;
	const char *home; /* of the user; NULL: none */
	const char *base; /* whose project's caches are used; NULL: none */
	const char *name; /* of the session; NULL: nothing is kept */
};

/*
 * Makes one. *out_store is NULL where HOME can have no layer: it is missing, is
 * not the user's own, or lies where every view has a directory of its own; or
 * the state directory has no room for one.
 */
writ_status w_dotdirs_store_make(const struct w_home_options *options,
    struct w_home_store **out_store, writ_error *err);

/* For a session without an overlay: makes empty caches of those that HOME
 * has. */
void w_dotdirs_store_make_caches(const struct w_home_store *store);

/* That of a session which another process keeps. dir_fd is its directory, yours
 * on success. 0, or an errno. */
int w_dotdirs_store_join(const char *path, const char *home, int dir_fd,
    struct w_home_store **out_store);

/* After the end of such a session with this name, when none of its runs is
 * left. */
void w_dotdirs_store_settle(const char *state_dir, const char *name);

/* After everything that had it mounted has gone. NULL is allowed. */
void w_dotdirs_store_free(struct w_home_store *store);

/* Looks further at what it holds, from time to time. Whether that is more than
 * it may hold and more than before, or the disk is nearly full. */
bool w_dotdirs_store_is_over(struct w_home_store *store, uint64_t before);

/* ---- home_caches.c ---- */

/* Opens the caches of the project at base. EWOULDBLOCK: another session has
 * them. 0, or an errno. */
int w_dotdirs_caches_open(
    const char *state_dir, const char *base, struct w_locked_dir *out_dir);

/* Notes how much they hold, and removes the oldest of all projects. */
void w_dotdirs_caches_close(const struct w_home_store *store);

/* ---- home_kept.c ---- */

enum {
	W_HOME_SESSION_MAX = 128
};

/* The name of a store's session. false: it has none. */
bool w_dotdirs_kept_read(int dir_fd, char out_name[W_HOME_SESSION_MAX]);

/* Keeps what an ended session wrote, except for caches. */
void w_dotdirs_kept_settle(const char *state_dir, struct w_locked_dir *dir);
/* Moves it there from the caches of a project. */
void w_dotdirs_kept_move(const char *state_dir, int dir_fd);
/* Settles what killed engines have left, and removes what is old. */
void w_dotdirs_kept_clean(const char *state_dir);

/* Writes the name of its session into a store. 0, or an errno. */
int w_dotdirs_kept_name(int dir_fd, const char *name);

/*
 * Opens the upper directory of the session with this name, the newest one if
 * there are several. A negative errno: there is none.
 */
int w_dotdirs_kept_find(const char *state_dir, const char *name);

#endif /* W_RUN_HOME_STORE_H */
