/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_MODULE_INDEX_H
#define W_MODULE_MODULE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command/description/stat_data.h"

/*
 * The compiled index of one module directory: the same bytes in memory and in
 * the cache, so that a cache is loaded by reading it.
 *
 *     head | files | modules | order | problems | strings | texts
 *
 * Files are sorted by name, modules and problems are in the order of their
 * files, and order has the modules by id. Numbers are in native byte order. A
 * string is an offset; at 0 is the empty string, which also means "none". The
 * texts are the elements and descriptions as JSON; they are not NUL-ended.
 *
 * The checksum is against accidents. Whoever can write a user's cache can
 * also write that user's modules.
 */
#define W_MODULE_INDEX_STRINGS_MAX ((size_t)256 * 1024 * 1024)
#define W_MODULE_INDEX_TEXTS_MAX   ((size_t)512 * 1024 * 1024)

/* Increment it when the layout changes, or when bindings are checked
 * differently: the problems of a file are stored, too. */
#define W_MODULE_INDEX_FORMAT 3

#define W_MODULE_INDEX_MAGIC  "WRITMOD\n"

struct w_module_index_head {
	char magic[8];
	uint64_t checksum; /* of all from here on */
	uint32_t format;
	uint32_t user; /* who read it: what is refused depends on the user */
	char version[32];
	uint64_t texts_len;
	uint32_t file_count;
	uint32_t module_count;
	uint32_t problem_count;
	uint32_t tag_count;
	uint32_t strings_len;
	uint32_t dir; /* its path */
};

#define W_MODULE_INDEX_CHECKED_FROM offsetof(struct w_module_index_head, format)

/* A binding file; or one that describes a command: then it has names, those of
 * the program, even if nothing else of it is usable. */
struct w_module_index_file {
	struct w_stat_data identity;
	uint32_t text;     /* of the description: offset in the texts */
	uint32_t text_len; /* 0: none that is usable */
	uint32_t names;    /* the program's own; the others follow */
	uint32_t name_count;
	uint32_t path;      /* full: directory, '/', name */
	uint32_t is_unsure; /* may have changed without looking different */
	uint32_t first_module;
	uint32_t module_count;
	uint32_t first_problem;
	uint32_t problem_count;
};

struct w_module_index_entry {
	uint32_t text; /* of the element: offset in the texts */
	uint32_t text_len;
	uint32_t id;
	uint32_t description;
	uint32_t command;
	uint32_t version;
	uint32_t tags; /* the first; the others follow */
	uint32_t tag_count;
	uint32_t annotations; /* bits of enum w_module_index_annotation */
	uint32_t file;
	uint32_t line;
	uint32_t column;
};

enum w_module_index_annotation {
	W_MODULE_INDEX_READONLY = 1,
	W_MODULE_INDEX_DESTRUCTIVE = 2,
	W_MODULE_INDEX_IDEMPOTENT = 4,
	W_MODULE_INDEX_APPROVAL = 8,
	W_MODULE_INDEX_OPEN_WORLD = 16,
};

struct w_module_index_problem {
	int32_t status;
	int32_t sys_errno;
	uint32_t line;
	uint32_t column;
	uint32_t stage;
	uint32_t message;
	uint32_t suggestion;
	uint32_t file;
};

/* A validated module index. All zero is an empty one. */
struct w_module_index {
	void *bytes; /* owned */
	size_t size;
	const struct w_module_index_head *head;
	const struct w_module_index_file *files;
	const struct w_module_index_entry *modules;
	const uint32_t *order;
	const struct w_module_index_problem *problems;
	const char *strings;
	size_t dir_len;
	const char *texts;
};

/* Validates and opens an index with untrusted bytes. false: not one of this
 * user and this version, or damaged. bytes is from malloc(); the index owns it
 * on success only. */
bool w_module_index_open(
    struct w_module_index *module_index, void *bytes, size_t size);
void w_module_index_done(struct w_module_index *module_index);

uint64_t w_module_index_checksum(const void *bytes, size_t len);

static inline const char *
w_module_index_string(
    const struct w_module_index *module_index, uint32_t offset)
{
	return module_index->strings + offset;
}

/* The name of a file within the directory. */
static inline const char *
w_module_index_name(const struct w_module_index *module_index,
    const struct w_module_index_file *file)
{
	return w_module_index_string(module_index, file->path) +
	       module_index->dir_len + 1;
}

#endif /* W_MODULE_MODULE_INDEX_H */
