/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How long it takes to know the modules of a directory, as a program pays for
 * it that does only this: it loads, finds one module, and ends. Without a
 * cache, and with one. The floors do what cannot be left out: read every file,
 * or ask for every file whether it is still the same.
 *
 * And whole programs over modules: `writ call` beside `writ run`. They get a
 * configuration and a cache of their own. Words of their command lines that
 * begin with '@' are put in:
 *     @writ    the program
 *     @before  the program of another build
 *     @small   the smallest one over the library
 *     @many    the directory with thousands of modules
 *     @cache   where their cache is
 */

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module/registry/registry.h"
#include "shots.h"

enum {
	WORDS_MAX = 16,
	VARIABLES_MAX = 32,
	PATH_BYTES = 400
};

/* The one that is found. */
#define ID "cli.bench.true"

struct path {
	char text[PATH_BYTES];
};

static struct path
many_of(const struct settings *settings)
{
	struct path path;

	(void)snprintf(path.text, sizeof(path.text), "%s/many/modules",
	    settings->shelf == NULL ? "" : settings->shelf);
	return path;
}

static struct path
cache_in(const char *state)
{
	struct path path;

	(void)snprintf(path.text, sizeof(path.text), "%s/cache", state);
	return path;
}

/* ---- in the library ---- */

static struct sample
load(const struct settings *settings, const char *cache_dir)
{
	struct path many = many_of(settings);
	const struct w_registry_dir dir = {
	    .path = many.text, .must_exist = true};
	const struct w_registry_options options = {
	    .dirs = &dir, .dir_count = 1, .cache_dir = cache_dir};
	const struct w_registry_problem *problems = NULL;
	const struct w_module *module = NULL;
	struct w_registry *registry = NULL;
	struct sample sample = {0};
	writ_error err = {0};

	uint64_t start = bench_now_ns();
	if (w_registry_load(&options, &registry, &err) != WRIT_OK ||
	    w_registry_module(registry, w_registry_find(registry, ID), &module,
		&err) != WRIT_OK) {
		(void)fprintf(stderr, "bench: %s\n", err.message);
		return sample;
	}
	uint64_t end = bench_now_ns();
	if (w_registry_problems(registry, &problems) == 0)
		sample.ns = end - start;
	w_registry_free(registry);
	return sample;
}

struct sample
probe_known_fresh(const struct settings *settings, int number)
{
	(void)number;
	return load(settings, NULL);
}

struct sample
probe_known_cached(const struct settings *settings, int number)
{
	struct path cache = cache_in(settings->state);

	(void)number;
	/* What the first of all finds is made anew. */
	if (access(cache.text, F_OK) < 0)
		(void)load(settings, cache.text);
	return load(settings, cache.text);
}

/* Whether all of a file could be read. */
static bool
read_file(int dir_fd, const char *name)
{
	char bytes[8192];
	ssize_t len;
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	do {
		len = read(fd, bytes, sizeof(bytes));
	} while (len > 0);
	(void)close(fd);
	return len == 0;
}

static bool
look_at_file(int dir_fd, const char *name)
{
	struct stat st;

	return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static struct sample
walk(const struct settings *settings, bool (*look)(int, const char *))
{
	struct path many = many_of(settings);
	struct sample sample = {0};
	bool is_good = true;
	const struct dirent *entry;

	uint64_t start = bench_now_ns();
	DIR *dir = opendir(many.text);
	if (dir == NULL)
		return sample;
	while (is_good && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] != '.')
			is_good = look(dirfd(dir), entry->d_name);
	}
	(void)closedir(dir);
	if (is_good)
		sample.ns = bench_now_ns() - start;
	return sample;
}

struct sample
probe_known_read(const struct settings *settings, int number)
{
	(void)number;
	return walk(settings, read_file);
}

struct sample
probe_known_look(const struct settings *settings, int number)
{
	(void)number;
	return walk(settings, look_at_file);
}

/* ---- programs ---- */

static const char *
put_in(const struct seat *seat, const char *word, const struct path *many,
    const struct path *cache)
{
	const struct {
		const char *word;
		const char *value;
	} places[] = {
	    {"@writ", seat->settings->writ},
	    {"@before", seat->settings->before},
	    {"@small", seat->settings->small},
	    {"@many", many->text},
	    {"@cache", cache->text},
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (strcmp(word, places[i].word) == 0)
			return places[i].value;
	}
	return word;
}

/* Nothing of the user's own is read or written. */
static void
set_places(const struct seat *seat, const struct path *cache, bool has_policy,
    char **envp)
{
	static const char policy[] = "WRIT_POLICY=";
	static char places[3][PATH_BYTES + 32];
	const char *shelf = seat->settings->shelf;
	size_t count = 0;

	for (size_t i = 0;
	     seat->own_envp[i] != NULL && count < VARIABLES_MAX - 4; i++) {
		if (has_policy ||
		    strncmp(seat->own_envp[i], policy, sizeof(policy) - 1) != 0)
			envp[count++] = seat->own_envp[i];
	}
	(void)snprintf(
	    places[0], sizeof(places[0]), "WRIT_CACHE_DIR=%s", cache->text);
	(void)snprintf(
	    places[1], sizeof(places[1]), "WRIT_CONFIG_DIR=%s/few", shelf);
	(void)snprintf(
	    places[2], sizeof(places[2]), "WRIT_SYSTEM_DIR=%s/none", shelf);
	for (size_t i = 0; i < 3; i++)
		envp[count++] = places[i];
	envp[count] = NULL;
}

static struct sample
start_program(
    const struct seat *seat, const struct variant *variant, bool has_policy)
{
	struct path many = many_of(seat->settings);
	struct path cache = cache_in(seat->state);
	const char *argv[WORDS_MAX] = {NULL};
	char *envp[VARIABLES_MAX];

	if (seat->settings->shelf == NULL)
		return (struct sample){0};
	set_places(seat, &cache, has_policy, envp);
	for (size_t i = 0; i < WORDS_MAX - 1 && variant->argv[i] != NULL; i++)
		argv[i] = put_in(seat, variant->argv[i], &many, &cache);
	return spawn_and_wait(argv[0], argv, envp);
}

struct sample
shot_module(const struct seat *seat, const struct variant *variant)
{
	return start_program(seat, variant, true);
}

struct sample
shot_decided(const struct seat *seat, const struct variant *variant)
{
	return start_program(seat, variant, false);
}
