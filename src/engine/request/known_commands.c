/* SPDX-License-Identifier: Apache-2.0 */

/* Finds and caches the command descriptions that runs need. */

#include "engine/request/known_commands.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "engine/modules/modules_dirs.h"
#include "module/registry/curated.h"

#define STAGE "module"

/* How many same_as references are followed. */
#define SAME_AS_MAX 8

/* Programs without a description that are cached; anybody can make up names
 * of programs. */
#define UNKNOWN_MAX 256

struct w_known_command {
	struct w_known_command *next;
	struct w_command *command; /* NULL: none */
	yyjson_doc *doc;           /* what it was built from; NULL: a file */
	bool is_doubtful;
	char name[];
};

static void
known_commands_forget(struct w_known_command *one)
{
	w_command_free(one->command);
	yyjson_doc_free(one->doc);
	free(one);
}

void
w_known_commands_done(struct w_known_commands *known)
{
	while (known->newest != NULL) {
		struct w_known_command *one = known->newest;

		known->newest = one->next;
		known_commands_forget(one);
	}
	w_hash_table_done(&known->by_name);
	w_words_done(&known->dirs);
	*known = (struct w_known_commands){.newest = NULL};
}

static writ_status
find_dirs(
    struct w_known_commands *known, const writ_config *config, writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	struct w_modules_dirs found = {.dirs = NULL};

	if (known->has_dirs)
		return WRIT_OK;
	options.no_project = true;
	writ_status status = w_modules_dirs_find(&options, config, &found, err);
	if (status == WRIT_OK) {
		known->dirs = found.paths;
		found.paths = (struct w_words){.items = NULL};
		known->has_dirs = true;
	}
	w_modules_dirs_done(&found);
	return status;
}

/* ---- files ---- */

static writ_status
known_commands_read_file(const char *dir, const char *file,
    struct w_known_command *one, writ_error *err)
{
	W_AUTO_FD int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	writ_status status = WRIT_E_INVALID;

	if (fd >= 0)
		status =
		    w_command_read_file(fd, file, true, &one->command, err);
	if (status == WRIT_E_NOMEM)
		return status;
	one->is_doubtful = status != WRIT_OK;
	return WRIT_OK;
}

/* The first directory that has a file decides. */
static writ_status
look_in_dirs(const struct w_known_commands *known, struct w_known_command *one,
    writ_error *err)
{
	char file[NAME_MAX + 1];
	int len =
	    snprintf(file, sizeof(file), "%s" W_COMMAND_SUFFIX, one->name);

	if (len < 0 || (size_t)len >= sizeof(file))
		return WRIT_OK;
	for (size_t i = 0; i < known->dirs.count; i++) {
		const char *dir = known->dirs.items[i];
		char path[PATH_MAX];
		struct stat st;

		len = snprintf(path, sizeof(path), "%s/%s", dir, file);
		if (len > 0 && (size_t)len < sizeof(path) &&
		    lstat(path, &st) == 0)
			return known_commands_read_file(dir, file, one, err);
	}
	return WRIT_OK;
}

/* ---- built-in descriptions ---- */

static writ_status
take_builtin(struct w_known_command *one, size_t len, writ_error *err)
{
	struct w_curated curated;

	if (one->command != NULL || !w_curated_find(one->name, len, &curated))
		return WRIT_OK;
	one->doc = yyjson_read(curated.json, curated.len, YYJSON_READ_NOFLAG);
	if (one->doc == NULL)
		return w_fail_nomem(err, STAGE);
	return w_command_new(
	    yyjson_doc_get_root(one->doc), false, &one->command, NULL, err);
}

/* ---- both ---- */

/* NULL in *out_one: there is none, and that is not cached. */
static writ_status
learn_command(struct w_known_commands *known, const char *name, size_t len,
    struct w_known_command **out_one, writ_error *err)
{
	struct w_known_command *one = calloc(1, sizeof(*one) + len + 1);

	if (one == NULL)
		return w_fail_nomem(err, STAGE);
	memcpy(one->name, name, len);
	writ_status status = look_in_dirs(known, one, err);
	if (status == WRIT_OK)
		status = take_builtin(one, len, err);
	if (status != WRIT_OK || (one->command == NULL && !one->is_doubtful &&
				     known->unknown_count++ >= UNKNOWN_MAX)) {
		known_commands_forget(one);
		*out_one = NULL;
		return status;
	}
	if (!w_hash_table_put(&known->by_name, one->name, len, one)) {
		known_commands_forget(one);
		return w_fail_nomem(err, STAGE);
	}
	one->next = known->newest;
	known->newest = one;
	*out_one = one;
	return WRIT_OK;
}

writ_status
w_known_commands_find(struct w_known_commands *known, const writ_config *config,
    const char *name, size_t len, struct w_known *out_known, writ_error *err)
{
	writ_status status = find_dirs(known, config, err);

	*out_known = (struct w_known){.command = NULL};
	for (int i = 0; i < SAME_AS_MAX && status == WRIT_OK; i++) {
		struct w_known_command *one =
		    w_hash_table_get(&known->by_name, name, len);
		if (one == NULL)
			status = learn_command(known, name, len, &one, err);
		if (status != WRIT_OK || one == NULL)
			return status;
		if (one->is_doubtful)
			out_known->is_doubtful = true;
		name = one->command == NULL ? NULL
					    : w_command_same_as(one->command);
		if (name == NULL) {
			out_known->command = one->command;
			return WRIT_OK;
		}
		len = strlen(name);
	}
	return status;
}
