/* SPDX-License-Identifier: Apache-2.0 */

/* Adds a binding file to a module index. */

#include "module/registry/registry_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "module/registry/curated.h"
#include "module/registry/registry_command.h"

#define STAGE "modules"

static writ_status
take_element(void *ctx, yyjson_val *element, unsigned line, unsigned column,
    writ_error *err)
{
	struct w_module_index_builder *builder = ctx;
	struct w_module_index_element place = {.line = line, .column = column};
	W_AUTO_FREE char *text =
	    yyjson_val_write(element, YYJSON_WRITE_NOFLAG, &place.len);
	struct w_module *module = NULL;

	if (text == NULL)
		return w_fail_nomem(err, STAGE);
	place.text = text;
	if (!w_module_index_builder_has_room(builder, place.len))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the modules of this directory have too much text");
	writ_status status = w_module_new(element, &module, NULL, err);
	if (status != WRIT_OK)
		return status;
	w_module_index_builder_add(builder, module, &place);
	w_module_free(module);
	return WRIT_OK;
}

static void
take_problem(void *ctx, const writ_error *problem)
{
	w_module_index_builder_add_problem(ctx, problem);
}

struct w_binding_sink
w_registry_sink(struct w_module_index_builder *builder)
{
	return (struct w_binding_sink){
	    .ctx = builder, .element = take_element, .problem = take_problem};
}

static writ_status
registry_read_make_index(struct w_module_index_builder *builder,
    const struct w_registry_file *file, struct w_module_index *out_module_index,
    writ_error *err)
{
	const char *name = strrchr(file->path, '/') + 1;
	struct w_binding_sink sink = w_registry_sink(builder);
	writ_status status;

	sink.only = file->id;
	w_module_index_builder_begin(builder, &file->identity, name);
	if (w_registry_is_command(name))
		status = w_registry_read_proven_command(
		    builder, file->path, &file->identity, err);
	else
		status = w_binding_read_proven(
		    file->path, &file->identity, &sink, err);
	if (status != WRIT_OK)
		return status;
	w_module_index_builder_end(builder, false);
	return w_module_index_builder_make(builder, out_module_index, err);
}

writ_status
w_module_dir_load_file(struct w_module_dir *module_dir,
    const struct w_registry_file *file, writ_error *err)
{
	if (strcmp(file->path, W_CURATED_ORIGIN) == 0)
		return w_module_dir_load_builtin(module_dir, err);
	if (file->path[0] != '/')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is not an absolute path", file->path);
	W_AUTO_FREE char *dir = strndup(
	    file->path, (size_t)(strrchr(file->path, '/') - file->path));
	W_AUTO_MODULE_INDEX_BUILDER struct w_module_index_builder builder;

	w_module_index_builder_init(&builder, dir);
	module_dir->tier = strdup("");
	if (dir == NULL || module_dir->tier == NULL)
		return w_fail_nomem(err, STAGE);
	return registry_read_make_index(
	    &builder, file, &module_dir->module_index, err);
}

writ_status
w_module_dir_load_text(struct w_module_dir *module_dir, const char *text,
    size_t len, writ_error *err)
{
	const struct w_stat_data nothing = {0};
	W_AUTO_MODULE_INDEX_BUILDER struct w_module_index_builder builder;
	writ_error problem = {0};

	w_module_index_builder_init(&builder, NULL);
	module_dir->tier = strdup("option");
	if (module_dir->tier == NULL)
		return w_fail_nomem(err, STAGE);
	const struct w_binding_sink sink = w_registry_sink(&builder);
	w_module_index_builder_begin(&builder, &nothing, W_REGISTRY_MEMORY);
	writ_status status =
	    len > W_BINDING_BYTES_MAX
		? w_fail(&problem, WRIT_E_INVALID, STAGE, 0,
		      "the text is larger than the %d MiB of a file of "
		      "bindings",
		      W_BINDING_BYTES_MAX >> 20)
		: w_binding_read_text(text, len, true, &sink, &problem);
	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	if (status != WRIT_OK)
		w_module_index_builder_add_problem(&builder, &problem);
	w_module_index_builder_end(&builder, false);
	return w_module_index_builder_make(
	    &builder, &module_dir->module_index, err);
}
