/* SPDX-License-Identifier: Apache-2.0 */

/* From a binding file to an image. */

#include "module/registry_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "module/curated.h"
#include "module/registry_command.h"

#define STAGE "modules"

static writ_status
take_element(void *ctx, yyjson_val *element, unsigned line, unsigned column,
    writ_error *err)
{
	struct w_image_maker *maker = ctx;
	struct w_image_element place = {.line = line, .column = column};
	W_AUTO_FREE char *text =
	    yyjson_val_write(element, YYJSON_WRITE_NOFLAG, &place.len);
	struct w_module *module = NULL;

	if (text == NULL)
		return w_fail_nomem(err, STAGE);
	place.text = text;
	if (!w_image_maker_has_room(maker, place.len))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the modules of this directory have too much text");
	writ_status status = w_module_new(element, &module, NULL, err);
	if (status != WRIT_OK)
		return status;
	w_image_maker_add(maker, module, &place);
	w_module_free(module);
	return WRIT_OK;
}

static void
take_problem(void *ctx, const writ_error *problem)
{
	w_image_maker_complain(ctx, problem);
}

struct w_binding_sink
w_registry_sink(struct w_image_maker *maker)
{
	return (struct w_binding_sink){
	    .ctx = maker, .element = take_element, .problem = take_problem};
}

static writ_status
make_image(struct w_image_maker *maker, const struct w_registry_file *file,
    struct w_image *out_image, writ_error *err)
{
	const char *name = strrchr(file->path, '/') + 1;
	struct w_binding_sink sink = w_registry_sink(maker);
	writ_status status;

	sink.only = file->id;
	w_image_maker_begin(maker, &file->identity, name);
	if (w_registry_is_command(name))
		status = w_registry_read_proven_command(
		    maker, file->path, &file->identity, err);
	else
		status = w_binding_read_proven(
		    file->path, &file->identity, &sink, err);
	if (status != WRIT_OK)
		return status;
	w_image_maker_end(maker, false);
	return w_image_maker_make(maker, out_image, err);
}

writ_status
w_shelf_load_file(
    struct w_shelf *shelf, const struct w_registry_file *file, writ_error *err)
{
	if (strcmp(file->path, W_CURATED_ORIGIN) == 0)
		return w_shelf_load_builtin(shelf, err);
	if (file->path[0] != '/')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is no whole path", file->path);
	W_AUTO_FREE char *dir = strndup(
	    file->path, (size_t)(strrchr(file->path, '/') - file->path));
	W_AUTO_IMAGE_MAKER struct w_image_maker maker;

	w_image_maker_init(&maker, dir);
	shelf->tier = strdup("");
	if (dir == NULL || shelf->tier == NULL)
		return w_fail_nomem(err, STAGE);
	return make_image(&maker, file, &shelf->image, err);
}
