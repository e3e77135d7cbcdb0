/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_MODULE_DIR_H
#define W_TEST_MODULE_DIR_H

/* Directories of bindings for one test, and a registry of them. */

#include <time.h>

#include "module/registry/registry.h"
#include "module/registry/registry_state.h"
#include "temp.h"

/* The text of a file with one module. Good until the next call. */
static inline const char *
module_text(const char *id, const char *description)
{
	static char text[1024];

	(void)snprintf(text, sizeof(text),
	    "spec_version: \"1.0\"\n"
	    "bindings:\n"
	    "- module_id: %s\n"
	    "  target: exec:///bin/echo %s\n"
	    "  description: %s\n"
	    "  tags: [cli, sample]\n"
	    "  input_schema: {type: object, properties: {}}\n",
	    id, id, description);
	return text;
}

/* Writes a file, or writes it anew in its place. */
static inline void
module_put_text(const struct temp *temp, const char *name, const char *text)
{
	int fd = openat(temp->fd, name,
	    O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(close(fd), 0);
}

static inline void
module_put(const struct temp *temp, const char *name, const char *id)
{
	module_put_text(temp, name, module_text(id, "Says its name"));
}

/* The set-up of a test: a directory "mods" with the modules cli.a and cli.b. */
static inline int
module_begin(struct temp *temp, void **state)
{
	int status = temp_begin(temp, state);

	temp_dir(temp, "mods");
	module_put(temp, "mods/a.binding.yaml", "cli.a");
	module_put(temp, "mods/b.binding.yaml", "cli.b");
	return status;
}

/* Waits until what was written is not of this moment any more, by the clock
 * that files have their times from: on a busy machine it stands still
 * meanwhile. */
static inline void
module_settle(void)
{
	const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
	struct timespec begin, now;

	(void)clock_gettime(CLOCK_REALTIME_COARSE, &begin);
	do {
		(void)nanosleep(&pause, NULL);
		(void)clock_gettime(CLOCK_REALTIME_COARSE, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 +
		     (now.tv_nsec - begin.tv_nsec) / 1000000 <
		 150);
}

/* Loads one directory of the temporary one, with a cache beside it. */
static inline struct w_registry *
module_load(const struct temp *temp, const char *name)
{
	const struct w_registry_dir dir = {.path = temp_path(temp, name),
	    .tier = "option",
	    .must_exist = true};
	const struct w_registry_options options = {.dirs = &dir,
	    .dir_count = 1,
	    .cache_dir = temp_path(temp, "cache")};
	struct w_registry *registry = NULL;
	writ_error err = {0};

	if (w_registry_load(&options, &registry, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return registry;
}

/* How many files were opened for it. */
static inline size_t
module_read_count(const struct w_registry *registry)
{
	size_t count = 0;

	for (size_t i = 0; i < registry->module_dir_count; i++)
		count += registry->module_dirs[i].read_count;
	return count;
}

/* Loads and frees it, and tells how many files were opened. */
static inline size_t
module_load_count(const struct temp *temp, const char *name)
{
	struct w_registry *registry = module_load(temp, name);
	size_t count = module_read_count(registry);

	w_registry_free(registry);
	return count;
}

#endif /* W_TEST_MODULE_DIR_H */
