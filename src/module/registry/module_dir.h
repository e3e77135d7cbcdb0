/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_MODULE_DIR_H
#define W_MODULE_MODULE_DIR_H

#include "command/description/command.h"
#include "module/registry/module_index.h"
#include "module/registry/registry.h"

/* A command made from the description in a file. */
struct w_module_dir_command {
	yyjson_doc *doc;
	struct w_command *command;
};

/* One module directory of a registry, or the built-in descriptions. */
struct w_module_dir {
	struct w_module_index module_index;
	char *tier;
	uint64_t dev;
	uint64_t ino;
	bool may_only_add;
	bool is_builtin;
	size_t read_count; /* files that were not in the cache */
	struct w_module_dir_command *commands; /* by file; NULL: not made yet */
};

/* Receives problems that belong to no file: the directory, and what is wrong.
 * false: no memory. */
struct w_module_dir_reporter {
	void *ctx;
	bool (*report)(void *ctx, const char *path, const writ_error *error);
};

/* Opens the directory. *out_fd is -1 if it cannot be used, which fails only if
 * it must exist. *out_path is canonical; the caller frees it. */
writ_status w_module_dir_open(const struct w_registry_dir *dir,
    const struct w_module_dir_reporter *reporter, int *out_fd, char **out_path,
    writ_error *err);

/* Reads the directory, from the cache where possible. */
writ_status w_module_dir_load(struct w_module_dir *module_dir, int fd,
    const char *path, const char *cache_dir,
    const struct w_module_dir_reporter *reporter, writ_error *err);

/* Loads the built-in descriptions. */
writ_status w_module_dir_load_builtin(
    struct w_module_dir *module_dir, writ_error *err);

void w_module_dir_done(struct w_module_dir *module_dir);

#endif /* W_MODULE_MODULE_DIR_H */
