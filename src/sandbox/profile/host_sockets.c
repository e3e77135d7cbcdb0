/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The machine's sockets that a command would find in its view.
 *
 * A read-only mount stops nobody from connecting, and behind a socket is a
 * process outside the sandbox, often one that starts containers or runs a
 * database. Sockets in a writable directory are left to the command;
 * directories that each sandbox has for itself do not show the machine's.
 *
 * The kernel lists only the sockets of our own network namespace. Known sockets
 * of other programs are hidden by the profiles.
 */

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "os/unix_sockets.h"
#include "sandbox/profile/profile_resolver.h"

#define STAGE "sandbox"

enum {
	TABLE_MAX = 16 * 1024 * 1024,
	/* each is a mount, which every copy of the view pays for */
	SOCKETS_MAX = 128,
	/* a larger directory is not read to its end */
	ENTRIES_MAX = 1 << 16
};

struct host_sockets_search {
	struct w_resolved_profile *resolved;
	struct w_words dirs; /* directories listed so far */
};

/* True if every sandbox has its own directory there. */
static bool
is_away(const struct w_resolved_profile *resolved, const char *path)
{
	static const char *const own[] = {
	    "/dev", "/proc", "/run", "/tmp", "/var/run", "/var/tmp"};
	const struct w_real_path *grant =
	    w_real_paths_covering(&resolved->grants, path);

	if (grant != NULL && strcmp(grant->path, "/") != 0)
		return false;
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		if (w_real_path_covers(own[i], path))
			return true;
	}
	return false;
}

static bool
host_sockets_is_shown(
    const struct w_resolved_profile *resolved, const char *path)
{
	const struct w_real_path *grant =
	    w_real_paths_covering(&resolved->grants, path);

	return grant != NULL && (grant->may & W_MAY_WRITE) == 0 &&
	       !is_away(resolved, path) &&
	       w_real_paths_covering(&resolved->hidden, path) == NULL;
}

/* Resolves symbolic links; false: inaccessible, also for the command, which has
 * no more rights than we. */
static bool
host_sockets_resolve(char path[PATH_MAX], char out_real[PATH_MAX])
{
	char *name = strrchr(path, '/');

	*name = '\0';
	const char *dir = realpath(name == path ? "/" : path, out_real);
	*name = '/';
	if (dir == NULL)
		return false;
	size_t len = strlen(out_real);
	if (out_real[len - 1] == '/')
		len--;
	if (len + strlen(name) >= PATH_MAX)
		return false;
	strcpy(out_real + len, name);
	return true;
}

static writ_status
add_real(struct w_resolved_profile *resolved, const char *real, writ_error *err)
{
	struct stat found;

	if (!host_sockets_is_shown(resolved, real) || lstat(real, &found) < 0 ||
	    !S_ISSOCK(found.st_mode))
		return WRIT_OK;
	struct w_real_path real_path = {
	    .path = strdup(real),
	    .dev = found.st_dev,
	    .ino = found.st_ino,
	};
	if (real_path.path == NULL ||
	    !w_real_paths_add(&resolved->sockets, &real_path))
		return w_fail_nomem(err, STAGE);
	return WRIT_OK;
}

/*
 * The kernel reports the name that a socket was bound to. Programs may bind to
 * a temporary name and rename or link it, so every socket in the same directory
 * is masked. If the directory cannot be listed, only the name itself is.
 */
static writ_status
add_beside(
    struct w_resolved_profile *resolved, char real[PATH_MAX], writ_error *err)
{
	char *name = strrchr(real, '/') + 1;
	const size_t room = PATH_MAX - (size_t)(name - real);
	const struct dirent *entry;
	writ_status status = WRIT_OK;

	*name = '\0';
	DIR *dir = opendir(real);
	for (size_t i = 0; dir != NULL && i < ENTRIES_MAX; i++) {
		entry = readdir(dir);
		if (entry == NULL || status != WRIT_OK)
			break;
		if ((entry->d_type != DT_SOCK && entry->d_type != DT_UNKNOWN) ||
		    strlen(entry->d_name) >= room)
			continue;
		strcpy(name, entry->d_name);
		status = add_real(resolved, real, err);
	}
	if (dir != NULL)
		(void)closedir(dir);
	return status;
}

/* Adds one listed socket and, once per directory, its neighbours. */
static writ_status
add_socket(
    struct host_sockets_search *search, char path[PATH_MAX], writ_error *err)
{
	struct w_resolved_profile *resolved = search->resolved;
	char real[PATH_MAX];

	/* Most sockets end here. */
	if (is_away(resolved, path) || !host_sockets_resolve(path, real) ||
	    !host_sockets_is_shown(resolved, real))
		return WRIT_OK;
	writ_status status = add_real(resolved, real, err);
	const size_t len = (size_t)(strrchr(real, '/') - real);
	for (size_t i = 0; i < search->dirs.count; i++) {
		if (strlen(search->dirs.items[i]) == len &&
		    memcmp(search->dirs.items[i], real, len) == 0)
			return status;
	}
	if (status == WRIT_OK && !w_words_add(&search->dirs, real, len))
		status = w_fail_nomem(err, STAGE);
	return status == WRIT_OK ? add_beside(resolved, real, err) : status;
}

static writ_status
host_sockets_add_all(struct w_resolved_profile *resolved,
    const struct w_buf *table, writ_error *err)
{
	const char *at = table->data;
	const char *end = at + table->len;
	struct host_sockets_search search = {.resolved = resolved};
	struct w_unix_socket_entry entry;
	char path[PATH_MAX];
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && w_unix_sockets_next(&at, end, &entry)) {
		memcpy(path, entry.path, entry.len);
		path[entry.len] = '\0';
		status = add_socket(&search, path, err);
	}
	w_words_done(&search.dirs);
	w_real_paths_sort(&resolved->sockets);
	return status;
}

static writ_status
refuse_many(const struct w_resolved_profile *resolved, writ_error *err)
{
	writ_status status = w_fail(err, WRIT_E_SANDBOX, STAGE, 0,
	    "%zu sockets of other programs can be seen, '%s' among them: more "
	    "than can be hidden one by one",
	    resolved->sockets.count, resolved->sockets.items[0].path);

	w_suggest(err, "hide the directories that they are in");
	return status;
}

writ_status
w_profile_collect_sockets(struct w_profile_resolver *resolver, writ_error *err)
{
	struct w_resolved_profile *resolved = resolver->resolved;
	W_AUTO_BUF struct w_buf table;

	w_buf_init(&table, TABLE_MAX);
	/* A read-only command cannot connect to any socket. */
	if (resolved->walls < W_WALLS_WORKSPACE)
		return WRIT_OK;
	int error = w_unix_sockets_read(&table);
	if (error == ENOENT)
		return WRIT_OK;
	if (error != 0)
		return w_fail(err, WRIT_E_SANDBOX, STAGE, error,
		    "cannot find out which sockets to hide");
	writ_status status = host_sockets_add_all(resolved, &table, err);
	if (status == WRIT_OK && resolved->sockets.count > SOCKETS_MAX)
		status = refuse_many(resolved, err);
	return status;
}
