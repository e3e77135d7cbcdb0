/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_H
#define W_MODULE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "command/description/command.h"
#include "module/binding/binding.h"

/*
 * All modules of some directories and the built-in ones, found by id; and the
 * commands that are described there, found by the name of the program.
 *
 * What was read is cached, by the stat data of each file (device, inode, size,
 * times), so that the next process reads only what has changed. The cache can
 * always be deleted; one that is damaged, foreign or of another version is
 * rebuilt.
 *
 * An id belongs to the first directory that has it. Files are read in the order
 * of their names. A second module with the same id in one directory is a
 * problem, and is ignored. The same id in a later directory is overridden
 * silently, unless that directory may only add.
 *
 * Functions that take a const registry are thread-safe.
 */
#define W_REGISTRY_FILES_MAX 10000

/* What stands for the path of modules in memory. */
#define W_REGISTRY_MEMORY "memory"

struct w_registry_dir {
	const char *path;
	const char *tier;  /* "option", "environment", "user", "system",
			      "project": for people */
	bool may_only_add; /* using an id that another has is a problem */
	bool must_exist;
};

/* A file that has already been checked, with the stat data it had then. */
struct w_registry_file {
	const char *path; /* full; W_CURATED_ORIGIN: the built-in ones */
	struct w_stat_data identity;
	const char *id; /* the module needed from it; NULL: all */
};

struct w_registry_options {
	const struct w_registry_dir *dirs; /* highest precedence first */
	size_t dir_count;
	const char *cache_dir;              /* NULL: no cache */
	const struct w_registry_file *only; /* read only these; NULL: dirs */
	const char *text; /* a file of bindings in memory, before all
			     directories; NULL: none */
	size_t text_len;
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
	const char *file; /* full path */
	const char *tier;
	unsigned line;
	unsigned column;
};

struct w_registry_problem {
	char *file; /* path of the file or directory */
	writ_error error;
};

struct w_registry;

/* Fails only if the registry is unusable: no memory, a directory that must
 * exist and cannot be read, a file that has changed. */
writ_status w_registry_load(const struct w_registry_options *options,
    struct w_registry **out_registry, writ_error *err);
void w_registry_free(struct w_registry *registry);

/* Sorted by id. */
size_t w_registry_count(const struct w_registry *registry);
const struct w_module_summary *w_registry_at(
    const struct w_registry *registry, size_t place);

/* The index of an id, or SIZE_MAX. */
size_t w_registry_find(const struct w_registry *registry, const char *id);

/* The file of a module, and its stat data when it was read. */
struct w_registry_file w_registry_file_of(
    const struct w_registry *registry, size_t place);

/* The whole module, made on first use. Borrowed from the registry. */
writ_status w_registry_module(struct w_registry *registry, size_t place,
    const struct w_module **out_module, writ_error *err);

/* The description of a program, made on first use, and its origin: a file,
 * or W_CURATED_ORIGIN. Aliases (same_as) are resolved. Fails with
 * WRIT_E_NOTFOUND, or with the error in the description that applies, and
 * its place. Borrowed. */
writ_status w_registry_command(struct w_registry *registry, const char *name,
    size_t len, const struct w_command **out_command, const char **out_origin,
    writ_error *err);

/* Whether a program is described only by a directory that may_only_add. */
bool w_registry_is_claim(
    struct w_registry *registry, const char *name, size_t len);

size_t w_registry_problems(const struct w_registry *registry,
    const struct w_registry_problem **out_problems);

/* The indexes of the modules that match all words of a query, best first; the
 * caller frees *out_places. An empty query matches all. */
writ_status w_registry_search(const struct w_registry *registry,
    const char *query, size_t **out_places, size_t *out_count, writ_error *err);

/* The id most similar to a wrong one, or NULL. Borrowed. */
const char *w_registry_nearest(
    const struct w_registry *registry, const char *id);

#endif /* W_MODULE_REGISTRY_H */
