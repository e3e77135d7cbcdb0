/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TRIGGER_TRIGGER_H
#define W_TRIGGER_TRIGGER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include <writ/result.h>

/*
 * Triggers: files of a project that make a program outside the sandbox run
 * something later, without anybody being asked then. Hooks and settings of git,
 * .envrc, tasks of editors, settings of agents.
 *
 * What a command may need to change cannot be protected; so what it made or
 * changed is found afterwards and told to a person. A file was changed when the
 * kernel says that its inode was (ctime), which no command can set back.
 */

enum {
	W_TRIGGERS_MAX = 64,
	W_TRIGGER_ENTRIES_MAX = 20000, /* that are looked at */
};

/* Where a command may have changed one. */
enum w_trigger_reach {
	W_TRIGGER_ANYWHERE,
	W_TRIGGER_NAMED,   /* only where git's settings say: it is known to have
			      changed no file with the name of one */
	W_TRIGGER_NOWHERE, /* it changed nothing */
};

struct w_triggers {
	writ_trigger items[W_TRIGGERS_MAX + 1]; /* their paths are its own */
	size_t count;
	size_t looked_at; /* entries of directories */
	bool is_cut;
};

/* Adds what was made or changed in a directory since then (a time of
 * CLOCK_REALTIME_COARSE, as the kernel takes it for files). Links are not
 * followed, and no other file system is entered. */
void w_triggers_find(struct w_triggers *triggers, const char *root,
    enum w_trigger_reach reach, const struct timespec *since);

/* Ends the list with a row that has no path, if it is not complete. */
void w_triggers_end(struct w_triggers *triggers);
void w_triggers_done(struct w_triggers *triggers);

/* The directory to search for what a place that a command could write has to do
 * with triggers: the git work tree around it, else the directory itself. */
void w_trigger_project(
    const char *path, bool is_dir, char out_project[PATH_MAX]);

/* The first name in a path that is one of a trigger; NULL: none is. What
 * settings of git name may have any name: only the search finds it. */
const char *w_trigger_in_path(const char *path);

/* ---- for the parts of trigger_search.c ---- */

/* A directory that is to be looked at. */
struct w_trigger_folder {
	char *path;      /* beneath the root; "": the root itself */
	const char *why; /* of all files in it; NULL: it is an ordinary one */
	bool is_changed; /* it is a trigger, and was changed itself */
	bool is_late;    /* to be looked at after all others */
};

struct w_trigger_search {
	struct w_triggers *triggers;
	const char *root;
	int root_fd;
	struct timespec since;
	struct w_trigger_folder *folders; /* the nearest first */
	size_t count;
	size_t cap;
	size_t bytes; /* of their paths */
	bool is_late; /* those that are being looked at are */
	char *room;   /* for names */
};

/* Adds NAME in the directory of that path beneath the root; name NULL: the
 * directory itself. */
void w_trigger_add(struct w_trigger_search *search, const char *dir,
    const char *name, const char *why);
void w_trigger_push_folder(struct w_trigger_search *search, const char *dir,
    const char *name, const char *why, bool is_changed);

/* Whether it is there and was changed; name "": the directory itself.
 * *out_mode: what it is; 0: nothing. */
bool w_trigger_is_changed(const struct w_trigger_search *search, int dir_fd,
    const char *name, unsigned *out_mode);

/* A directory beneath the root. -1: it is none, or no longer. */
int w_trigger_open(
    const struct w_trigger_search *search, const char *path, int flags);

/* trigger_names.c: why a file or directory of that name in a directory of that
 * name is one; NULL: it is none. */
const char *w_trigger_why(const char *parent, const char *name);

/* git_dir.c: a directory of git (".git" of a project, or one of a module),
 * open, at this path; and a ".git" that is a file. */
void w_trigger_search_git(
    struct w_trigger_search *search, int fd, const char *path);
void w_trigger_search_git_file(
    struct w_trigger_search *search, int dir_fd, const char *dir);

#endif /* W_TRIGGER_TRIGGER_H */
