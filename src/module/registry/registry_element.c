/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The element behind a summary. If the cached index is valid but a text is
 * damaged, it is read from the file itself.
 */

#include "module/registry/registry_element.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "module/binding/binding.h"

#define STAGE "modules"

/* Searches for one element. */
struct element_search {
	const char *id;
	char *text;
	size_t len;
};

static writ_status
take_element(void *ctx, yyjson_val *element, unsigned line, unsigned column,
    writ_error *err)
{
	struct element_search *element_search = ctx;

	(void)line;
	(void)column;
	if (element_search->text != NULL ||
	    !yyjson_equals_str(
		yyjson_obj_get(element, "module_id"), element_search->id))
		return WRIT_OK;
	element_search->text = yyjson_val_write(
	    element, YYJSON_WRITE_NOFLAG, &element_search->len);
	return element_search->text == NULL ? w_fail_nomem(err, STAGE)
					    : WRIT_OK;
}

static void
ignore_problem(void *ctx, const writ_error *problem)
{
	(void)ctx;
	(void)problem;
}

static writ_status
read_again(const struct w_module_index *module_index,
    const struct w_module_index_entry *module,
    struct element_search *element_search, writ_error *err)
{
	const struct w_module_index_file *file =
	    &module_index->files[module->file];
	const char *dir =
	    w_module_index_string(module_index, module_index->head->dir);
	const struct w_binding_sink sink = {.ctx = element_search,
	    .element = take_element,
	    .problem = ignore_problem};
	W_AUTO_FD int fd = open(
	    dir[0] == '\0' ? "/" : dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot use the module directory '%s'", dir);
	writ_status status = w_binding_read_file(
	    fd, w_module_index_name(module_index, file), false, &sink, err);
	if (status != WRIT_OK || element_search->text != NULL)
		return status;
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "module '%s' is no longer described in '%s'", element_search->id,
	    w_module_index_string(module_index, file->path));
}

writ_status
w_registry_element(const struct w_module_index *module_index,
    const struct w_module_index_entry *module, char **out_text, size_t *out_len,
    writ_error *err)
{
	struct element_search element_search = {
	    .id = w_module_index_string(module_index, module->id),
	    .text = w_module_index_text(module_index, module),
	    .len = module->text_len};
	writ_status status = WRIT_OK;

	if (element_search.text == NULL)
		status = read_again(module_index, module, &element_search, err);
	if (status != WRIT_OK) {
		free(element_search.text);
		return status;
	}
	*out_text = element_search.text;
	*out_len = element_search.len;
	return WRIT_OK;
}
