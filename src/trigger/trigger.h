/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TRIGGER_TRIGGER_H
#define W_TRIGGER_TRIGGER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include <writ/result.h>

/*
 * Triggers: files of a project that make a program outside the sandbox run code
 * later, without asking anybody. Hooks and settings of git, .envrc, tasks of
 * editors, settings of agents.
 *
 * What a command may need to change cannot be protected; so its changes are
 * found afterwards and reported to a person. A file was changed when its ctime
 * says so, which no command can set back.
 */

enum {
	W_TRIGGERS_MAX = 64,
	W_TRIGGER_ENTRIES_MAX = 20000, /* directory entries that are read */
};

/* Where a command may have changed triggers. */
enum w_trigger_reach {
	W_TRIGGER_ANYWHERE,
	W_TRIGGER_NAMED,   /* only in paths named by git settings: it changed no
			      file with the name of a trigger */
	W_TRIGGER_NOWHERE, /* it changed nothing */
};

struct w_triggers {
	writ_trigger items[W_TRIGGERS_MAX + 1]; /* owns their paths */
	size_t count;
	size_t looked_at; /* directory entries */
	bool is_cut;
};

struct w_trigger_cache;

/* Adds the triggers that were created or changed in a directory since then
 * (CLOCK_REALTIME_COARSE, the clock of file timestamps). Links are not
 * followed, and no other file system is entered. cache: of earlier searches, or
 * NULL. */
void w_triggers_find(struct w_triggers *triggers, const char *root,
    enum w_trigger_reach reach, const struct timespec *since,
    struct w_trigger_cache *cache);

/* If the list is incomplete, ends it with a row without a path. */
void w_triggers_end(struct w_triggers *triggers);
void w_triggers_done(struct w_triggers *triggers);

/*
 * The same in a layer: each file in upper was made or changed. What is not in
 * it is below, in the project. Every entry is looked at, and each trigger is
 * given to take, with its path below the root; take returns false to stop. What
 * git keeps of its own work (a rebase) is not among them.
 *
 * false: not everything could be looked at.
 */
typedef bool (*w_trigger_fn)(void *ctx, const char *path, const char *why);

struct w_trigger_layer {
	int upper_fd;
	int low_fd;
	const char *root; /* the project's path */
};

bool w_triggers_find_in_layer(
    const struct w_trigger_layer *layer, w_trigger_fn take, void *ctx);

/* The directory to search for triggers, for a path that a command could write
 * to: the git work tree around it, else the directory itself. */
void w_trigger_project(
    const char *path, bool is_dir, char out_project[PATH_MAX]);

/* The first name in a path that is a trigger's; NULL: none. Paths named by git
 * settings can have any name: only the search finds those. */
const char *w_trigger_in_path(const char *path);

/* ---- for the parts of trigger_search.c ---- */

/* A directory to search. */
struct w_trigger_folder {
	char *path;      /* below the root; "": the root itself */
	const char *why; /* of all files in it; NULL: ordinary */
	bool is_changed; /* it is a trigger and was changed itself */
	bool is_late;    /* searched after all others */
};

/* A directory of a layer that was closed to its owner. */
struct w_trigger_closed {
	char *path;
	mode_t mode;
};

struct w_trigger_search {
	struct w_triggers *triggers;
	const char *root;
	int root_fd;
	int low_fd; /* what a layer lies on; -1: it is no layer */
	w_trigger_fn take;
	void *ctx;
	size_t entries_max;
	struct w_trigger_cache *cache; /* NULL: none */
	struct timespec since;
	struct w_trigger_folder *folders; /* breadth first */
	size_t count;
	size_t cap;
	size_t bytes; /* of their paths */
	bool is_late; /* the late folders are being searched */
	char *room;   /* buffer for getdents64() */
	struct w_trigger_closed *closed; /* to be closed again */
	size_t closed_count;
	size_t closed_cap;
};

/* Adds name in the directory dir below the root; name NULL: the directory
 * itself. */
void w_trigger_add(struct w_trigger_search *search, const char *dir,
    const char *name, const char *why);
void w_trigger_push_folder(struct w_trigger_search *search, const char *dir,
    const char *name, const char *why, bool is_changed);

/* Whether it exists and was changed; name "": the directory itself. *out_mode:
 * the file type; 0: it does not exist. */
bool w_trigger_is_changed(const struct w_trigger_search *search, int dir_fd,
    const char *name, unsigned *out_mode);

/* Opens a directory below the root. -1: not a directory, or gone. One of a
 * layer that is closed to its owner is open until the search has ended. */
int w_trigger_open(
    struct w_trigger_search *search, const char *path, int flags);

/* The same beneath any directory, as it is; "": that directory. */
int w_trigger_open_in(int dir_fd, const char *path, int flags);

/* closed_dirs.c: opens a directory of a layer, and those above it, to their
 * owner; and closes all of them again. */
void w_trigger_loosen(struct w_trigger_search *search, const char *path);
void w_trigger_tighten_all(struct w_trigger_search *search);

/* trigger_names.c: why a file or directory of that name, in a directory named
 * parent, is a trigger; NULL: it is not. */
const char *w_trigger_why(const char *parent, const char *name);

/* Whether it is a trigger in some directory. */
bool w_trigger_is_name(const char *name);

/* The same in what a layer lies on. */
int w_trigger_open_low(
    const struct w_trigger_search *search, const char *path, int flags);

/* git_dir.c: looks for directories and files that are named by the settings of
 * a git directory. They are read where they are: in the layer, or below. */
void w_trigger_search_settings(
    struct w_trigger_search *search, const char *git);

/* git_dir.c: searches an open git directory (".git" of a project, or that of a
 * submodule) at this path; and a ".git" that is a file. */
void w_trigger_search_git(
    struct w_trigger_search *search, int fd, const char *path);
void w_trigger_search_git_file(
    struct w_trigger_search *search, int dir_fd, const char *dir);

#endif /* W_TRIGGER_TRIGGER_H */
