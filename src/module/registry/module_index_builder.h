/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_MODULE_INDEX_BUILDER_H
#define W_MODULE_MODULE_INDEX_BUILDER_H

#include "base/buf.h"
#include "module/binding/binding.h"
#include "module/registry/module_index.h"

/* Builds a module index, file by file, sorted by name. */
struct w_module_index_builder {
	struct w_buf files; /* of the structures of a module index */
	struct w_buf modules;
	struct w_buf problems;
	struct w_buf strings;
	struct w_buf texts;
	struct w_module_index_file file; /* the current one */
	uint32_t tag_count;
	const char *dir;
};

/* dir is borrowed; NULL: files have only their names. */
void w_module_index_builder_init(
    struct w_module_index_builder *builder, const char *dir);
void w_module_index_builder_done(struct w_module_index_builder *builder);
#define W_AUTO_MODULE_INDEX_BUILDER \
	__attribute__((cleanup(w_module_index_builder_done)))

/* Whether there is room for one more element with a text of that length. */
bool w_module_index_builder_has_room(
    const struct w_module_index_builder *builder, size_t len);

/* Begins a file; modules and problems are added to it until it ends. */
void w_module_index_builder_begin(struct w_module_index_builder *builder,
    const struct w_stat_data *identity, const char *name);
void w_module_index_builder_end(
    struct w_module_index_builder *builder, bool is_unsure);

/* The file describes a command. Add the program's own name first, then aliases;
 * then its description as JSON, once it is known to be valid. */
void w_module_index_builder_name(
    struct w_module_index_builder *builder, const char *name);
void w_module_index_builder_describe(
    struct w_module_index_builder *builder, const char *text, size_t len);

/* One element of the file: its JSON text and its place. */
struct w_module_index_element {
	const char *text;
	size_t len;
	unsigned line;
	unsigned column;
};

void w_module_index_builder_add(struct w_module_index_builder *builder,
    const struct w_module *module,
    const struct w_module_index_element *element);
void w_module_index_builder_add_problem(
    struct w_module_index_builder *builder, const writ_error *problem);

/* Copies a file from another index. */
void w_module_index_builder_copy(struct w_module_index_builder *builder,
    const struct w_module_index *from, const struct w_module_index_file *file);

/* Makes the index. */
writ_status w_module_index_builder_make(struct w_module_index_builder *builder,
    struct w_module_index *out_module_index, writ_error *err);

#endif /* W_MODULE_MODULE_INDEX_BUILDER_H */
