/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Adds the description of a command to a module index.
 *
 * Its modules are listed like those of a binding file. Their elements are not
 * stored: they are made from the description, which is much shorter.
 */

#include "module/registry/registry_command.h"

#include <limits.h>
#include <string.h>

#include "base/auto.h"
#include "command/description/trusted_file.h"
#include "module/binding/command_binding.h"

#define STAGE "modules"

bool
w_registry_is_command(const char *name)
{
	const size_t end = strlen(W_COMMAND_SUFFIX);
	const size_t len = strlen(name);

	return name[0] != '.' && len > end &&
	       strcmp(name + len - end, W_COMMAND_SUFFIX) == 0;
}

static writ_status
add_module(struct w_module_index_builder *builder,
    const struct w_command_node *node, writ_error *err)
{
	const struct w_module_index_element place = {
	    .text = "", .len = 0, .line = 1, .column = 1};
	struct w_module *module = NULL;
	yyjson_doc *doc = NULL;
	writ_status status = w_binding_from_command(node, &doc, err);

	if (status != WRIT_OK)
		return status;
	status = w_module_new(yyjson_doc_get_root(doc), &module, NULL, err);
	if (status == WRIT_OK)
		w_module_index_builder_add(builder, module, &place);
	w_module_free(module);
	yyjson_doc_free(doc);
	return status;
}

/* Recursion is bounded by the depth of the description. */
static writ_status
registry_command_add_node(struct w_module_index_builder *builder,
    const struct w_command_node *node, writ_error *err)
{
	writ_status status =
	    node->is_runnable ? add_module(builder, node, err) : WRIT_OK;

	for (size_t i = 0; i < node->child_count && status == WRIT_OK; i++)
		status =
		    registry_command_add_node(builder, &node->children[i], err);
	return status;
}

writ_status
w_registry_add_command(struct w_module_index_builder *builder,
    const struct w_command *command, writ_error *err)
{
	size_t len = 0;
	W_AUTO_FREE char *text = yyjson_val_write(
	    w_command_description(command), YYJSON_WRITE_NOFLAG, &len);

	const char *const *also = w_command_also(command);
	w_module_index_builder_name(builder, w_command_root(command)->name);
	for (size_t i = 0; also[i] != NULL; i++)
		w_module_index_builder_name(builder, also[i]);
	if (text == NULL)
		return w_fail_nomem(err, STAGE);
	if (!w_module_index_builder_has_room(builder, len))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the modules of this directory have too much text");
	/* An alias is no module of its own. */
	writ_status status = WRIT_OK;
	if (w_command_same_as(command) == NULL)
		status = registry_command_add_node(
		    builder, w_command_root(command), err);
	if (status == WRIT_OK)
		w_module_index_builder_describe(builder, text, len);
	return status;
}

static void
add_name_of_file(struct w_module_index_builder *builder, const char *name)
{
	char program[NAME_MAX + 1];
	const size_t len = strlen(name) - strlen(W_COMMAND_SUFFIX);

	if (len >= sizeof(program))
		return;
	memcpy(program, name, len);
	program[len] = '\0';
	w_module_index_builder_name(builder, program);
}

writ_status
w_registry_read_command(struct w_module_index_builder *builder, int dir_fd,
    const char *name, writ_error *err)
{
	struct w_command *command = NULL;
	writ_status status =
	    w_command_read_file(dir_fd, name, true, &command, err);

	if (status != WRIT_OK) {
		add_name_of_file(builder, name);
		return status;
	}
	status = w_registry_add_command(builder, command, err);
	w_command_free(command);
	return status;
}

writ_status
w_registry_read_proven_command(struct w_module_index_builder *builder,
    const char *path, const struct w_stat_data *identity, writ_error *err)
{
	W_AUTO_BUF struct w_buf text;
	struct w_command *command = NULL;

	w_buf_init(&text, W_COMMAND_BYTES_MAX);
	writ_status status =
	    w_trusted_file_read_proven(path, identity, &text, err);
	if (status == WRIT_OK)
		status = w_command_read_text(
		    text.data, text.len, true, &command, err);
	if (status != WRIT_OK)
		return status;
	status = w_registry_add_command(builder, command, err);
	w_command_free(command);
	return status;
}
