/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds profiles: built in, by name in the directories, or as a file.
 *
 * A profile decides what others may not do, so its file and the directory of
 * that file must belong to root or to the user who runs it. It is opened once;
 * what was checked is what is read. A file that the sandbox could write becomes
 * protected by its own profile.
 */

#include "sandbox/profile/profile.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/basename.h"
#include "base/buf.h"
#include "base/match.h"
#include "os/file.h"
#include "os/trust.h"
#include "sandbox/profile/profile_loader.h"

#define STAGE  "profile"
#define SUFFIX ".yaml"

enum {
	NAME_BYTES_MAX = 64,
	PATH_BYTES_MAX = 4095,
	CANDIDATES_MAX = 256
};

static writ_status
profile_check_file(const char *file, const struct stat *st, writ_error *err)
{
	if (!S_ISREG(st->st_mode))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "profile '%s' is not a file", file);
	if (!w_trust_is_foreign(st))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "profile '%s' can be changed by other users", file);
	w_suggest(
	    err, "give it to yourself or root, and: chmod go-w '%s'", file);
	return WRIT_E_INVALID;
}

/* Other users must not be able to replace the file. */
static writ_status
profile_check_dir(const char *canonical, writ_error *err)
{
	struct stat st;
	W_AUTO_FREE char *dir = strdup(canonical);

	if (dir == NULL)
		return w_fail_nomem(err, STAGE);
	char *slash = strrchr(dir, '/');
	slash[slash == dir] = '\0';
	if (stat(dir, &st) < 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "cannot look at directory '%s'", dir);
	if (!w_trust_is_foreign_dir(&st))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "profile '%s' is in a directory that other users can change",
	    canonical);
	w_suggest(err, "chmod go-w '%s', or move the profile", dir);
	return WRIT_E_INVALID;
}

/* The canonical path, which must lead to the open file. */
static writ_status
find_canonical(
    const char *file, const struct stat *st, char **out_path, writ_error *err)
{
	struct stat again;
	W_AUTO_FREE char *path = realpath(file, NULL);

	if (path == NULL && errno == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (path == NULL || stat(path, &again) < 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "cannot find profile '%s' again", file);
	if (again.st_dev != st->st_dev || again.st_ino != st->st_ino)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "profile '%s' changes while it is being read", file);
	*out_path = w_take_ptr(&path);
	return profile_check_dir(*out_path, err);
}

static writ_status
profile_read_all(int fd, const char *file, struct w_buf *text, writ_error *err)
{
	int error = w_file_read_all(fd, text);

	if (error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (error == EFBIG)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "profile '%s' is larger than %d KiB", file,
		    W_PROFILE_BYTES_MAX / 1024);
	if (error != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, error,
		    "cannot read profile '%s'", file);
	return WRIT_OK;
}

static writ_status
refuse_loop(
    const struct w_profile_loader *loader, const char *file, writ_error *err)
{
	W_AUTO_BUF struct w_buf chain;

	w_buf_init(&chain, 1024);
	for (size_t i = 0; i < loader->depth; i++)
		w_buf_add_fmt(
		    &chain, "%s -> ", w_basename(loader->chain[i].file));
	w_buf_add_str(&chain, w_basename(file));
	if (loader->depth == W_PROFILE_CHAIN_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "more than %d profiles extend each other: %s",
		    W_PROFILE_CHAIN_MAX, chain.data);
	return w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "a profile extends itself: %s", chain.data);
}

static writ_status
push_link(struct w_profile_loader *loader, const struct w_profile_link *link,
    writ_error *err)
{
	for (size_t i = 0; i < loader->depth; i++) {
		const struct w_profile_link *other = &loader->chain[i];

		if (link->ino != 0 && other->ino == link->ino &&
		    other->dev == link->dev)
			return refuse_loop(loader, link->file, err);
		if (strcmp(other->file, link->file) == 0)
			return refuse_loop(loader, link->file, err);
	}
	if (loader->depth == W_PROFILE_CHAIN_MAX)
		return refuse_loop(loader, link->file, err);
	loader->chain[loader->depth++] = *link;
	return WRIT_OK;
}

static writ_status
load_text(struct w_profile_loader *loader, const char *file,
    const struct stat *st, const struct w_buf *text,
    struct w_profile *out_profile, writ_error *err)
{
	const struct w_profile_link link = {
	    .file = file, .dev = st->st_dev, .ino = st->st_ino};
	struct w_profile profile;
	W_AUTO_FREE char *path = NULL;
	writ_status status = find_canonical(file, st, &path, err);

	if (status == WRIT_OK)
		status = push_link(loader, &link, err);
	if (status != WRIT_OK)
		return status;
	status =
	    w_profile_document(loader, text->data, text->len, &profile, err);
	loader->depth--;
	if (status != WRIT_OK)
		return status;
	if (w_walls_can_write(profile.walls) &&
	    !w_words_add(&profile.protect, path, strlen(path))) {
		w_profile_done(&profile);
		return w_fail_nomem(err, STAGE);
	}
	*out_profile = profile;
	return WRIT_OK;
}

static writ_status
load_open(struct w_profile_loader *loader, const char *file, int fd,
    struct w_profile *out_profile, writ_error *err)
{
	struct stat st;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_PROFILE_BYTES_MAX);
	if (fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at profile '%s'", file);
	writ_status status = profile_check_file(file, &st, err);
	if (status == WRIT_OK)
		status = profile_read_all(fd, file, &text, err);
	if (status != WRIT_OK)
		return status;
	return load_text(loader, file, &st, &text, out_profile, err);
}

static int
profile_open_file(const char *file)
{
	/* O_NONBLOCK: a pipe at this path must not block us. */
	return open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/* Loads a file; a relative path starts beside the file that names it. */
static writ_status
load_path(struct w_profile_loader *loader, const char *path, const char *from,
    struct w_profile *out_profile, writ_error *err)
{
	W_AUTO_BUF struct w_buf full;
	const char *slash = from != NULL ? strrchr(from, '/') : NULL;

	w_buf_init(&full, PATH_BYTES_MAX);
	if (path[0] != '/' && slash != NULL)
		w_buf_add(&full, from, (size_t)(slash - from) + 1);
	w_buf_add_str(&full, path);
	if (full.failed)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the path of profile '%s' is too long", path);
	W_AUTO_FD int fd = profile_open_file(full.data);
	if (fd < 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "cannot open profile '%s'", full.data);
	return load_open(loader, full.data, fd, out_profile, err);
}

/* Adds the names of the profiles in a directory, up to a limit. */
static void
list_names(const char *dir, struct w_words *names)
{
	DIR *stream = opendir(dir);
	const struct dirent *entry;

	if (stream == NULL)
		return;
	while (names->count < CANDIDATES_MAX &&
	       (entry = readdir(stream)) != NULL) {
		size_t len = strlen(entry->d_name);
		size_t suffix = strlen(SUFFIX);

		if (len > suffix &&
		    strcmp(entry->d_name + len - suffix, SUFFIX) == 0)
			(void)w_words_add(names, entry->d_name, len - suffix);
	}
	(void)closedir(stream);
}

/* A mistyped name must not lead to suggesting a profile without walls. */
static bool
profile_has_walls(const struct w_profile_loader *loader, const char *name)
{
	struct w_profile_loader guess = {
	    .dirs = loader->dirs, .is_guess = true};
	struct w_profile profile = {.name = NULL};
	writ_error ignored;

	if (w_profile_load(&guess, name, NULL, &profile, &ignored) != WRIT_OK)
		return false;
	const bool has = w_walls_hold(profile.walls);
	w_profile_done(&profile);
	return has;
}

static writ_status
refuse_unknown(
    const struct w_profile_loader *loader, const char *name, writ_error *err)
{
	W_AUTO_WORDS struct w_words names = {0};
	const char *const *dirs = loader->dirs;

	(void)w_fail(
	    err, WRIT_E_INVALID, STAGE, 0, "there is no profile '%s'", name);
	if (loader->is_guess)
		return WRIT_E_INVALID;
	for (size_t i = W_WALLS_CONTAINER; w_profile_builtin_names[i] != NULL;
	     i++)
		(void)w_words_add(&names, w_profile_builtin_names[i],
		    strlen(w_profile_builtin_names[i]));
	for (size_t i = 0; dirs != NULL && dirs[i] != NULL; i++)
		list_names(dirs[i], &names);
	const char *nearest =
	    names.count > 0
		? w_match_nearest(name, (const char *const *)names.items)
		: NULL;
	if (nearest != NULL && profile_has_walls(loader, nearest))
		w_match_suggest(nearest, err);
	else if (dirs != NULL && dirs[0] != NULL)
		w_suggest(err, "make %s/%s%s, or give a path with a '/' in it",
		    dirs[0], name, SUFFIX);
	return WRIT_E_INVALID;
}

static bool
profile_is_name(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= NAME_BYTES_MAX && name[0] != '.' &&
	       name[0] != '-' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == len;
}

static writ_status
load_named(struct w_profile_loader *loader, const char *name,
    struct w_profile *out_profile, writ_error *err)
{
	const char *const *dirs = loader->dirs;

	for (size_t i = 0; dirs != NULL && dirs[i] != NULL; i++) {
		/* A path that is too long names no profile. */
		if (strlen(dirs[i]) + NAME_BYTES_MAX + sizeof(SUFFIX) >
		    PATH_BYTES_MAX)
			continue;
		W_AUTO_BUF struct w_buf path;
		w_buf_init(&path, PATH_BYTES_MAX);
		w_buf_add_fmt(&path, "%s/%s%s", dirs[i], name, SUFFIX);
		if (path.failed)
			return w_fail_nomem(err, STAGE);
		W_AUTO_FD int fd = profile_open_file(path.data);
		if (fd >= 0)
			return load_open(
			    loader, path.data, fd, out_profile, err);
		/* If the profile exists but cannot be read, a later directory
		 * must not provide another one of that name. */
		if (errno != ENOENT && errno != ENOTDIR)
			return w_fail(err, WRIT_E_INVALID, STAGE, errno,
			    "cannot open profile '%s'", path.data);
	}
	return refuse_unknown(loader, name, err);
}

writ_status
w_profile_load(struct w_profile_loader *loader, const char *name,
    const char *from, struct w_profile *out_profile, writ_error *err)
{
	enum w_walls walls;

	if (w_profile_is_builtin(name, &walls))
		return w_profile_builtin(walls, out_profile, err);
	if (strchr(name, '/') != NULL)
		return load_path(loader, name, from, out_profile, err);
	if (profile_is_name(name))
		return load_named(loader, name, out_profile, err);
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%s' is not the name of a profile", name);
	w_suggest(err, "names have letters, digits, '.', '_' and '-'; a path "
		       "has a '/' in it");
	return WRIT_E_INVALID;
}

writ_status
w_profile_find(const char *name, const char *const *dirs,
    struct w_profile *out_profile, writ_error *err)
{
	struct w_profile_loader loader = {.dirs = dirs};

	return w_profile_load(&loader, name, NULL, out_profile, err);
}

writ_status
w_profile_parse(const char *text, size_t len, const char *file,
    const char *const *dirs, struct w_profile *out_profile, writ_error *err)
{
	struct w_profile_loader loader = {.dirs = dirs};
	const struct w_profile_link link = {.file = file};

	writ_status status = push_link(&loader, &link, err);
	if (status != WRIT_OK)
		return status;
	return w_profile_document(&loader, text, len, out_profile, err);
}
