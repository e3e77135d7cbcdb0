/* SPDX-License-Identifier: Apache-2.0 */

/* All descriptions of a directory, read from their files, so that a change can
 * be tested without a build. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../tools/description_text.h"
#include "command/description/command.h"
#include "table.h"

#define PROGRAMS_MAX 1000

struct descriptions {
	struct w_command *commands[PROGRAMS_MAX];
	size_t count;
	size_t bad; /* that could not be read */
};

static void
read_one(struct descriptions *all, const char *path)
{
	static struct description_text description;
	struct w_buf *text = &description.text;
	writ_error err = {0};

	if (all->count == PROGRAMS_MAX)
		abort();
	if (!description_text_read(&description, path, W_COMMAND_BYTES_MAX)) {
		(void)fprintf(stderr, "%s\n", description.error);
		all->bad++;
	} else if (w_command_read_text(text->data, text->len, true,
		       &all->commands[all->count], &err) != WRIT_OK) {
		path =
		    description_text_place(&description, err.line, &err.line);
		(void)fprintf(stderr, "%s:%u:%u: %s%s%s\n", path, err.line,
		    err.column, err.message,
		    err.suggestion[0] != '\0' ? "; " : "", err.suggestion);
		all->bad++;
	} else {
		all->count++;
	}
	w_buf_done(text);
}

struct descriptions *
descriptions_open(const char *dir)
{
	struct descriptions *all = calloc(1, sizeof(*all));
	DIR *stream = opendir(dir);

	if (all == NULL || stream == NULL) {
		perror(dir);
		exit(2);
	}
	for (struct dirent *entry = readdir(stream); entry != NULL;
	     entry = readdir(stream)) {
		const char *dot = strrchr(entry->d_name, '.');
		char path[4096];

		if (dot == NULL || strcmp(dot, ".yaml") != 0)
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		read_one(all, path);
	}
	(void)closedir(stream);
	return all;
}

void
descriptions_close(struct descriptions *all)
{
	for (size_t i = 0; i < all->count; i++)
		w_command_free(all->commands[i]);
	free(all);
}

size_t
descriptions_bad(const struct descriptions *all)
{
	return all->bad;
}

static bool
is_named(const struct w_command *command, const char *name, size_t len)
{
	const char *own = w_command_root(command)->name;
	const char *const *also = w_command_also(command);

	if (strlen(own) == len && memcmp(own, name, len) == 0)
		return true;
	for (; also != NULL && *also != NULL; also++) {
		if (strlen(*also) == len && memcmp(*also, name, len) == 0)
			return true;
	}
	return false;
}

static const struct w_command *
find(void *ctx, const char *name, size_t len)
{
	struct descriptions *all = ctx;

	for (size_t i = 0; i < all->count; i++) {
		const struct w_command *command = all->commands[i];
		if (!is_named(command, name, len))
			continue;

		const char *other = w_command_same_as(command);
		return other == NULL ? command
				     : find(ctx, other, strlen(other));
	}
	return NULL;
}

struct w_command_source
descriptions_source(struct descriptions *all)
{
	return (struct w_command_source){.find = find, .ctx = all};
}
