/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_MODULE_DIR_H
#define W_MODULE_MODULE_DIR_H

#include "command/description/command.h"
#include "module/registry/module_index.h"
#include "module/registry/registry.h"

/* A command that was made from the description in a file. */
struct w_module_dir_command {
	yyjson_doc *doc;
	struct w_command *command;
};

/* One directory of a registry, or what is built in. */
struct w_module_dir {
	struct w_module_index module_index;
	char *tier;
	uint64_t dev;
	uint64_t ino;
	bool may_only_add;
	bool is_builtin;
	size_t read_count; /* files that the cache did not answer for */
	struct w_module_dir_command
	    *commands; /* by file; NULL: none was made */
};

/* Where problems go that belong to no file: the directory, and what is wrong.
 * false: no memory. */
struct w_module_dir_complaints {
	void *ctx;
	bool (*complain)(void *ctx, const char *path, const writ_error *error);
};

/* Opens the directory. *out_fd is -1 when there is none that could be used,
 * which is no failure unless it must exist. *out_path is canonical, yours. */
writ_status w_module_dir_open(const struct w_registry_dir *dir,
    const struct w_module_dir_complaints *complaints, int *out_fd,
    char **out_path, writ_error *err);

/* Reads what is in it; from the cache where that knows it. */
writ_status w_module_dir_load(struct w_module_dir *module_dir, int fd,
    const char *path, const char *cache_dir,
    const struct w_module_dir_complaints *complaints, writ_error *err);

/* Fills a shelf with what is built in. */
writ_status w_module_dir_load_builtin(
    struct w_module_dir *module_dir, writ_error *err);

void w_module_dir_done(struct w_module_dir *module_dir);

#endif /* W_MODULE_MODULE_DIR_H */
