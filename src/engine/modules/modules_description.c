/* SPDX-License-Identifier: Apache-2.0 */

/* Command description files that are not in use yet: checks one, and copies
 * it into a module directory. */

#include "engine/modules/modules_description.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/basename.h"
#include "module/registry/registry_command.h"

#define STAGE "module"

bool
w_modules_description_is(const char *file)
{
	return w_registry_is_command(w_basename(file));
}

bool
w_modules_description_begins(const struct w_buf *text)
{
	static const char key[] = "command:";
	const char *at = text->data;
	const char *end = text->data + text->len;

	while (at < end && (*at == '#' || *at == '\n')) {
		const char *line = memchr(at, '\n', (size_t)(end - at));

		at = line == NULL ? end : line + 1;
	}
	return (size_t)(end - at) >= sizeof(key) - 1 &&
	       memcmp(at, key, sizeof(key) - 1) == 0;
}

/* It would not be found under another name. */
static writ_status
modules_description_check_name(
    const char *file, const struct w_command *command, writ_error *err)
{
	const char *program = w_command_root(command)->name;
	const char *name = w_basename(file);
	const size_t len = strlen(program);

	if (strncmp(name, program, len) == 0 &&
	    strcmp(name + len, W_COMMAND_SUFFIX) == 0)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%.64s' describes the command '%.64s'", name, program);
	w_suggest(err, "call the file '%s" W_COMMAND_SUFFIX "'", program);
	w_locate(err, 1, 1);
	return WRIT_E_INVALID;
}

/* Builds an index of it, as if it were in use. */
static writ_status
count_modules(
    const struct w_command *command, size_t *out_count, writ_error *err)
{
	W_AUTO_MODULE_INDEX_BUILDER struct w_module_index_builder builder;
	const struct w_stat_data none = {0};

	w_module_index_builder_init(&builder, "");
	w_module_index_builder_begin(&builder, &none, "");
	writ_status status = w_registry_add_command(&builder, command, err);
	if (status == WRIT_OK)
		*out_count = builder.file.module_count;
	return status;
}

writ_status
w_modules_description_check(const char *file, const struct w_buf *text,
    size_t *out_count, writ_error *err)
{
	struct w_command *command = NULL;

	if (text->len > W_COMMAND_BYTES_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is larger than the %d KiB of a description", file,
		    W_COMMAND_BYTES_MAX >> 10);
	writ_status status =
	    w_command_read_text(text->data, text->len, true, &command, err);
	if (status != WRIT_OK)
		return status;
	status = modules_description_check_name(file, command, err);
	if (status == WRIT_OK)
		status = count_modules(command, out_count, err);
	w_command_free(command);
	return status;
}

writ_status
w_modules_description_add(const char *file, const struct w_buf *text,
    int dir_fd, bool may_replace, writ_error *err)
{
	const char *name = w_basename(file);
	struct stat st;

	if (!may_replace &&
	    fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "there is a file '%s' already", name);
		w_suggest(err, "add --replace to have the new one instead");
		return WRIT_E_INVALID;
	}
	return w_binding_write(
	    dir_fd, name, text->data, text->len, may_replace, err);
}
