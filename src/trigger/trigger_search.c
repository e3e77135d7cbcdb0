/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Searches a project for triggers that a command has changed.
 *
 * Directories are read breadth first, up to W_TRIGGER_ENTRIES_MAX entries: what
 * is near the root is what programs look for. Those full of third-party code
 * come last. Only names are read, and the status of those that matter. The
 * names of a directory that is as it was in an earlier search are known
 * (trigger_cache.h).
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/grow.h"
#include "trigger/trigger.h"
#include "trigger/trigger_cache.h"

/* Bytes of the paths of all queued directories. */
#define WAITING_MAX ((size_t)4 << 20)
/* Size of the getdents64() buffer. */
#define ROOM ((size_t)32 << 10)

/* ---- what was found ---- */

static bool
trigger_search_is_known(const struct w_triggers *triggers, const char *path)
{
	for (size_t i = 0; i < triggers->count; i++) {
		if (strcmp(triggers->items[i].path, path) == 0)
			return true;
	}
	return false;
}

/* What a package brings along runs nothing where it lies: the programs look
 * into the directory that they are started in. A repository in it can run
 * something all the same. */
static bool
is_third_party(const char *path)
{
	static const char *const names[] = {
	    "node_modules/", "site-packages/", ".venv/", "venv/"};
	const char *found = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *at = strstr(path, names[i]);

		if (at != NULL && (at == path || at[-1] == '/'))
			found = at;
	}
	return found != NULL && strstr(found, "/.git/") == NULL;
}

static void
give(struct w_trigger_search *search, const char *dir, const char *name,
    const char *why)
{
	char path[PATH_MAX];

	const int len = snprintf(path, sizeof(path), "%s%s%s", dir,
	    dir[0] == '\0' || name == NULL ? "" : "/",
	    name == NULL ? "" : name);
	if (len <= 0 || (size_t)len >= sizeof(path) ||
	    (!is_third_party(path) && !search->take(search->ctx, path, why)))
		search->triggers->is_cut = true;
}

void
w_trigger_add(struct w_trigger_search *search, const char *dir,
    const char *name, const char *why)
{
	struct w_triggers *triggers = search->triggers;
	char *path;

	if (search->take != NULL) {
		give(search, dir, name, why);
		return;
	}
	if (triggers->count == W_TRIGGERS_MAX ||
	    asprintf(&path, "%s%s%s%s%s", search->root,
		dir[0] == '\0' ? "" : "/", dir, name == NULL ? "" : "/",
		name == NULL ? "" : name) < 0) {
		triggers->is_cut = true;
		return;
	}
	if (trigger_search_is_known(triggers, path)) {
		free(path);
		return;
	}
	triggers->items[triggers->count++] =
	    (writ_trigger){.path = path, .why = why};
}

void
w_triggers_end(struct w_triggers *triggers)
{
	if (triggers->is_cut)
		triggers->items[triggers->count++].why =
		    "there are more files than were looked at";
	triggers->is_cut = false;
}

void
w_triggers_done(struct w_triggers *triggers)
{
	for (size_t i = 0; i < triggers->count; i++) {
		union {
			const char *borrowed;
			char *owned;
		} path = {triggers->items[i].path};

		free(path.owned);
	}
	triggers->count = 0;
}

/* ---- directories that wait ---- */

/* Directories with many files that nobody reads. */
static bool
is_bulk(const char *name)
{
	static const char *const names[] = {"node_modules", "target", "vendor",
	    "build", "dist", "venv", ".venv", ".cache", "__pycache__"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

void
w_trigger_push_folder(struct w_trigger_search *search, const char *dir,
    const char *name, const char *why, bool is_changed)
{
	char *path = NULL;

	if ((search->low_fd < 0 && search->bytes > WAITING_MAX) ||
	    !w_grow(&search->folders, search->count, &search->cap) ||
	    asprintf(&path, "%s%s%s", dir, dir[0] == '\0' ? "" : "/", name) <
		0) {
		search->triggers->is_cut = true;
		return;
	}
	search->bytes += strlen(path) + sizeof(struct w_trigger_folder);
	search->folders[search->count++] =
	    (struct w_trigger_folder){.path = path,
		.why = why,
		.is_changed = is_changed,
		.is_late = search->is_late || is_bulk(name)};
}

/* ---- looking ---- */

int
w_trigger_open_in(int dir_fd, const char *path, int flags)
{
	struct open_how how = {
	    .flags = (unsigned)flags | O_CLOEXEC | O_NOFOLLOW,
	    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
		       RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};

	return (int)syscall(SYS_openat2, dir_fd, path[0] == '\0' ? "." : path,
	    &how, sizeof(how));
}

/* A directory can be listed and keep what is in it to itself. */
static bool
is_shut(int fd)
{
	return fd < 0 ? errno == EACCES
		      : faccessat(fd, ".", R_OK | X_OK, AT_EACCESS) < 0;
}

int
w_trigger_open(struct w_trigger_search *search, const char *path, int flags)
{
	W_AUTO_FD int fd = w_trigger_open_in(search->root_fd, path, flags);

	if (search->low_fd < 0 || (flags & O_DIRECTORY) == 0 || !is_shut(fd))
		return w_take_fd(&fd);
	w_trigger_loosen(search, path);
	return w_trigger_open_in(search->root_fd, path, flags);
}

int
w_trigger_open_low(
    const struct w_trigger_search *search, const char *path, int flags)
{
	return search->low_fd < 0
		   ? -1
		   : w_trigger_open_in(search->low_fd, path, flags);
}

bool
w_trigger_is_changed(const struct w_trigger_search *search, int dir_fd,
    const char *name, unsigned *out_mode)
{
	struct stat found;

	*out_mode = 0;
	if (fstatat(dir_fd, name, &found, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) <
	    0)
		return false;
	/* A layer marks what was deleted so. */
	if (search->low_fd >= 0 && S_ISCHR(found.st_mode) && found.st_rdev == 0)
		return false;
	*out_mode = found.st_mode & S_IFMT;
	return found.st_ctim.tv_sec > search->since.tv_sec ||
	       (found.st_ctim.tv_sec == search->since.tv_sec &&
		   found.st_ctim.tv_nsec >= search->since.tv_nsec);
}

/* Whether a directory looks like a bare git repository. */
struct bare {
	bool has_head;
	bool has_objects;
	bool has_refs;
};

static void
look_at_git(struct w_trigger_search *search, int dir_fd, const char *dir)
{
	W_AUTO_FREE char *path = NULL;
	struct stat found;

	if (fstatat(dir_fd, ".git", &found, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	if (S_ISCHR(found.st_mode) && found.st_rdev == 0)
		return;
	if (!S_ISDIR(found.st_mode)) {
		w_trigger_search_git_file(search, dir_fd, dir);
		return;
	}
	if (asprintf(&path, "%s%s.git", dir, dir[0] == '\0' ? "" : "/") < 0) {
		path = NULL;
		search->triggers->is_cut = true;
		return;
	}
	W_AUTO_FD int fd = w_trigger_open(search, path, O_RDONLY | O_DIRECTORY);
	if (fd >= 0)
		w_trigger_search_git(search, fd, path);
}

/* A directory that is looked through. */
struct looking {
	const struct w_trigger_folder *folder;
	int fd;
	struct bare bare;
	size_t entries;
	bool is_kept;       /* names become known for the next search */
	struct w_buf names; /* see struct w_trigger_dir */
};

/* One directory entry. */
static void
trigger_search_look_at(struct w_trigger_search *search, struct looking *looking,
    const char *name, unsigned char type)
{
	const struct w_trigger_folder *folder = looking->folder;
	const int dir_fd = looking->fd;
	const char *dot = strrchr(name, '.');
	unsigned mode = type == DT_DIR ? S_IFDIR : 0;

	if (strcmp(name, "HEAD") == 0)
		looking->bare.has_head = true;
	else if (strcmp(name, "objects") == 0)
		looking->bare.has_objects = true;
	else if (strcmp(name, "refs") == 0)
		looking->bare.has_refs = true;
	if (strcmp(name, ".git") == 0) {
		look_at_git(search, dir_fd, folder->path);
		return;
	}
	const char *slash = strrchr(folder->path, '/');
	const char *parent = slash == NULL ? folder->path : slash + 1;
	const char *why =
	    folder->why != NULL ? folder->why : w_trigger_why(parent, name);
	bool is_changed = false;

	if (why != NULL || type == DT_UNKNOWN)
		is_changed = w_trigger_is_changed(search, dir_fd, name, &mode);
	/* git creates hooks/NAME.sample in each repository and runs none. */
	if (mode == S_IFDIR)
		w_trigger_push_folder(
		    search, folder->path, name, why, why != NULL && is_changed);
	else if (why != NULL && is_changed &&
		 (dot == NULL || strcmp(dot, ".sample") != 0))
		w_trigger_add(search, folder->path, name, why);
}

/* What can matter in a directory, whatever it and those above are called. */
static bool
can_matter(const char *name, unsigned char type)
{
	return type == DT_DIR || strcmp(name, "HEAD") == 0 ||
	       strcmp(name, "objects") == 0 || strcmp(name, "refs") == 0 ||
	       strcmp(name, ".git") == 0 || w_trigger_is_name(name);
}

static void
note_name(struct looking *looking, const char *name, unsigned char type)
{
	if (!looking->is_kept)
		return;
	/* What it is can change without a change of the directory. */
	if (type == DT_UNKNOWN) {
		looking->is_kept = false;
	} else if (can_matter(name, type)) {
		w_buf_add(&looking->names, (const char *)&type, 1);
		w_buf_add(&looking->names, name, strlen(name) + 1);
	}
}

/* false: the maximum number of entries was reached. */
static bool
look_at_some(
    struct w_trigger_search *search, struct looking *looking, size_t len)
{
	struct w_triggers *triggers = search->triggers;

	for (size_t at = 0; at < len;) {
		const struct dirent64 *entry =
		    (const void *)(search->room + at);

		at += entry->d_reclen;
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		if (triggers->looked_at++ >= search->entries_max) {
			triggers->is_cut = true;
			looking->is_kept = false;
			return false;
		}
		looking->entries++;
		note_name(looking, entry->d_name, entry->d_type);
		trigger_search_look_at(
		    search, looking, entry->d_name, entry->d_type);
	}
	return true;
}

/* The same with names that are known. false: it has to be read. */
static bool
look_at_known(struct w_trigger_search *search, struct looking *looking,
    const struct stat *found)
{
	struct w_triggers *triggers = search->triggers;
	const struct w_trigger_dir *dir =
	    w_trigger_cache_find(search->cache, found);

	if (dir == NULL ||
	    dir->entries > search->entries_max - triggers->looked_at)
		return false;
	triggers->looked_at += dir->entries;
	for (const char *at = dir->names; at < dir->names + dir->len;
	     at += 1 + strlen(at + 1) + 1)
		trigger_search_look_at(
		    search, looking, at + 1, (unsigned char)at[0]);
	return true;
}

static void
read_names(struct w_trigger_search *search, struct looking *looking)
{
	ssize_t len;

	do
		len = getdents64(looking->fd, search->room, ROOM);
	while (len > 0 && look_at_some(search, looking, (size_t)len));
	looking->is_kept = looking->is_kept && len == 0;
}

/* The status comes before the names: a change after it makes it another. Where
 * each file is a trigger, all names would have to be kept. */
static void
look_at_all(struct w_trigger_search *search, struct looking *looking)
{
	struct stat found;

	if (search->cache == NULL || looking->folder->why != NULL ||
	    fstat(looking->fd, &found) != 0) {
		read_names(search, looking);
		return;
	}
	if (look_at_known(search, looking, &found))
		return;
	looking->is_kept = true;
	w_buf_init(&looking->names, W_TRIGGER_CACHE_NAMES);
	read_names(search, looking);
	if (looking->is_kept && !looking->names.failed)
		w_trigger_cache_keep(search->cache, &found, looking->entries,
		    looking->names.data, looking->names.len);
	w_buf_done(&looking->names);
}

/* A directory that is gone, or on another file system, is not reported. One
 * that the command has made unreadable may be opened by the next one. */
static void
report_unreadable(struct w_trigger_search *search,
    const struct w_trigger_folder *folder, int error)
{
	W_AUTO_FD int fd =
	    w_trigger_open(search, folder->path, O_PATH | O_DIRECTORY);
	unsigned mode;

	if (error == EMFILE || error == ENFILE || error == ENOMEM)
		search->triggers->is_cut = true;
	else if (error == EACCES && fd >= 0 &&
		 w_trigger_is_changed(search, fd, "", &mode))
		w_trigger_add(
		    search, folder->path, NULL, "it cannot be looked into");
}

/* A repository can lie in both parts of a layer. */
static void
look_below(struct w_trigger_search *search,
    const struct w_trigger_folder *folder, struct bare *bare)
{
	W_AUTO_FREE char *git = NULL;
	struct stat found;
	W_AUTO_FD int fd =
	    w_trigger_open_low(search, folder->path, O_RDONLY | O_DIRECTORY);

	/* The project's own directory is left as it is. */
	if (is_shut(fd))
		search->triggers->is_cut = true;
	if (fd < 0)
		return;
	bare->has_head |= faccessat(fd, "HEAD", F_OK, 0) == 0;
	bare->has_objects |= faccessat(fd, "objects", F_OK, 0) == 0;
	bare->has_refs |= faccessat(fd, "refs", F_OK, 0) == 0;
	if (fstatat(fd, ".git", &found, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISDIR(found.st_mode))
		return;
	if (asprintf(&git, "%s%s.git", folder->path,
		folder->path[0] == '\0' ? "" : "/") < 0) {
		git = NULL;
		search->triggers->is_cut = true;
		return;
	}
	w_trigger_search_settings(search, git);
}

static void
trigger_search_look_through(
    struct w_trigger_search *search, const struct w_trigger_folder *folder)
{
	struct w_triggers *triggers = search->triggers;
	const size_t before = triggers->count;
	W_AUTO_FD int fd =
	    w_trigger_open(search, folder->path, O_RDONLY | O_DIRECTORY);
	struct looking looking = {.folder = folder, .fd = fd};

	if (fd < 0)
		report_unreadable(search, folder, errno);
	else
		look_at_all(search, &looking);
	const struct bare *bare = &looking.bare;
	if (search->low_fd >= 0)
		look_below(search, folder, &looking.bare);
	if (bare->has_head && bare->has_objects && bare->has_refs)
		w_trigger_search_git(search, fd, folder->path);
	/* In a layer it has no file that is new. */
	if (search->low_fd < 0 && folder->is_changed &&
	    triggers->count == before)
		w_trigger_add(search, folder->path, NULL, folder->why);
}

/* Copies each entry: the array grows meanwhile, and may move. */
static void
look_through_all(struct w_trigger_search *search, bool are_late)
{
	for (size_t i = 0; i < search->count; i++) {
		const struct w_trigger_folder folder = search->folders[i];

		if (folder.path == NULL || folder.is_late != are_late)
			continue;
		search->is_late = are_late;
		if (search->triggers->looked_at < search->entries_max)
			trigger_search_look_through(search, &folder);
		else
			search->triggers->is_cut = true;
		search->folders[i].path = NULL;
		free(folder.path);
	}
}

void
w_triggers_find(struct w_triggers *triggers, const char *root,
    enum w_trigger_reach reach, const struct timespec *since,
    struct w_trigger_cache *cache)
{
	W_AUTO_FD int root_fd =
	    open(root, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct w_trigger_search search = {
	    .triggers = triggers,
	    .root = strcmp(root, "/") == 0 ? "" : root,
	    .root_fd = root_fd,
	    .low_fd = -1,
	    .entries_max = W_TRIGGER_ENTRIES_MAX,
	    .since = *since,
	    .room = malloc(ROOM),
	};

	if (root_fd >= 0 && search.room != NULL) {
		if (cache != NULL && w_trigger_cache_begin(cache, root_fd))
			search.cache = cache;
		if (reach == W_TRIGGER_ANYWHERE)
			w_trigger_push_folder(&search, "", "", NULL, false);
		else
			look_at_git(&search, root_fd, "");
		look_through_all(&search, false);
		look_through_all(&search, true);
	}
	triggers->is_cut = triggers->is_cut || search.room == NULL;
	free(search.room);
	free(search.folders);
}

bool
w_triggers_find_in_layer(
    const struct w_trigger_layer *layer, w_trigger_fn take, void *ctx)
{
	struct w_triggers triggers = {.count = 0};
	struct w_trigger_search search = {
	    .triggers = &triggers,
	    .root = strcmp(layer->root, "/") == 0 ? "" : layer->root,
	    .root_fd = layer->upper_fd,
	    .low_fd = layer->low_fd,
	    .take = take,
	    .ctx = ctx,
	    .entries_max = SIZE_MAX,
	    .room = malloc(ROOM),
	};

	if (search.room == NULL)
		return false;
	w_trigger_push_folder(&search, "", "", NULL, false);
	look_through_all(&search, false);
	look_through_all(&search, true);
	w_trigger_tighten_all(&search);
	free(search.room);
	free(search.folders);
	return !triggers.is_cut;
}
