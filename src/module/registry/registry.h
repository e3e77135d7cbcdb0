/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_H
#define W_MODULE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "command/description/command.h"
#include "module/binding/binding.h"

/*
 * All modules of some directories and those that are built in, found by id; and
 * the commands that are described there, found by the name of the program.
 *
 * What was read is remembered in a cache, by the identity of each file (device,
 * inode, size, times), so that the next process reads only what has changed.
 * The cache can always be deleted; one that is damaged, foreign or of another
 * version is made anew.
 *
 * An id belongs to the first directory that has it. Files are read in the order
 * of their names. A second claim to an id is a problem, and is not used; that a
 * directory stands before another and has the same id is what order is for,
 * except for one that may only add.
 *
 * What takes a const registry may be called by several threads at once.
 */
#define W_REGISTRY_FILES_MAX 10000

struct w_registry_dir {
	const char *path;
	const char *tier; /* "option", "environment", "user", "system",
			     "project": for people */
	bool
	    may_only_add; /* its claim to an id that another has is a problem */
	bool must_exist;
};

/* A file of which somebody has proved that it may be used, when it had this
 * identity. */
struct w_registry_file {
	const char *path; /* whole; W_CURATED_ORIGIN: what is built in */
	struct w_stat_data identity;
	const char *id; /* the module that is wanted of it; NULL: all */
};

struct w_registry_options {
	const struct w_registry_dir *dirs; /* the strongest first */
	size_t dir_count;
	const char *cache_dir;              /* NULL: no cache */
	const struct w_registry_file *only; /* all that is read; NULL: dirs */
	bool has_builtin; /* after the directories, except those that may only
			     add */
};

/* What lists and searches show. Borrowed from the registry. */
struct w_module_summary {
	const char *id;
	const char *description;
	const char *command;     /* its fixed words, quoted where needed */
	const char *const *tags; /* NULL-ended */
	const char *version;     /* may be NULL */
	struct w_annotations annotations;
	const char *file; /* the whole path */
	const char *tier;
	unsigned line;
	unsigned column;
};

struct w_registry_problem {
	char *file; /* path of the file or directory */
	writ_error error;
};

struct w_registry;

/* Fails only when nothing can be done: no memory, a directory that must exist
 * and cannot be read, a file that is not what it was. */
writ_status w_registry_load(const struct w_registry_options *options,
    struct w_registry **out_registry, writ_error *err);
void w_registry_free(struct w_registry *registry);

/* By id, ascending. */
size_t w_registry_count(const struct w_registry *registry);
const struct w_module_summary *w_registry_at(
    const struct w_registry *registry, size_t place);

/* The place of an id, or SIZE_MAX. */
size_t w_registry_find(const struct w_registry *registry, const char *id);

/* The file that a module is in, and what it was when that was read. */
struct w_registry_file w_registry_file_of(
    const struct w_registry *registry, size_t place);

/* The whole module, made at the first call. Borrowed from the registry. */
writ_status w_registry_module(struct w_registry *registry, size_t place,
    const struct w_module **out_module, writ_error *err);

/* The description of a program, made at the first call; and where it is from: a
 * file, or W_CURATED_ORIGIN. Who is the same as another is that other. Fails
 * with WRIT_E_NOTFOUND, or with what is wrong with the one that counts, and its
 * place. Borrowed. */
writ_status w_registry_command(struct w_registry *registry, const char *name,
    size_t len, const struct w_command **out_command, const char **out_origin,
    writ_error *err);

/* Whether only a directory that may_only_add says what a program is. */
bool w_registry_is_claim(
    struct w_registry *registry, const char *name, size_t len);

size_t w_registry_problems(const struct w_registry *registry,
    const struct w_registry_problem **out_problems);

/* The places of what matches all words of a query, the best first; *out_places
 * is yours. An empty query matches all. */
writ_status w_registry_search(const struct w_registry *registry,
    const char *query, size_t **out_places, size_t *out_count, writ_error *err);

/* The id nearest to a wrong one, or NULL. Borrowed. */
const char *w_registry_nearest(
    const struct w_registry *registry, const char *id);

#endif /* W_MODULE_REGISTRY_H */
