/* SPDX-License-Identifier: Apache-2.0 */

/* Deletes a directory with everything in it. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/auto.h"
#include "os/file.h"

/* Deeper than a run's private directory usually is; one descriptor is open for
 * each level. */
enum {
	TREE_DEPTH_MAX = 64
};

/* Opens the directory, unless it is a mount point: then errno is EXDEV, even
 * for a mount of the same file system. */
static int
open_on_mount(int parent, const char *name)
{
	struct open_how how = {
	    .flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
	    .resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS,
	};

	/* The path to the tree itself may cross mounts. */
	if (parent == AT_FDCWD)
		return openat(parent, name, (int)how.flags);
	return (int)syscall(SYS_openat2, parent, name, &how, sizeof(how));
}

/* Opens a directory to list it. The command may have removed its own
 * permissions; they are restored through the descriptor, never by name. */
static int
file_tree_open_dir(int parent, const char *name, dev_t dev)
{
	char link[32];
	struct stat st;
	W_AUTO_FD int fd = open_on_mount(parent, name);

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_dev != dev)
		return -1;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if ((st.st_mode & S_IRWXU) != S_IRWXU)
		(void)chmod(link, S_IRWXU);
	return open(link, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The same as a DIR, on the same file system only. */
static DIR *
open_level(int parent, const char *name, dev_t dev)
{
	W_AUTO_FD int fd = file_tree_open_dir(parent, name, dev);

	if (fd < 0)
		return NULL;
	DIR *dir = fdopendir(fd);
	if (dir != NULL)
		(void)w_take_fd(&fd);
	return dir;
}

struct file_tree_level {
	DIR *dir;
	char name[256];
};

/* Deletes the files of a level up to a directory that is not empty; returns
 * true and its name then. */
static bool
clear_level(DIR *dir, char out_name[256])
{
	const struct dirent *entry;

	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlinkat(dirfd(dir), entry->d_name, 0) == 0)
			continue;
		if (unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR) == 0 ||
		    (errno != ENOTEMPTY && errno != EEXIST && errno != EACCES))
			continue;
		(void)strcpy(out_name, entry->d_name);
		return true;
	}
	return false;
}

/* Moves a directory that is too deep to the top, for the next pass. true: it
 * has moved. */
static bool
move_up(const struct file_tree_level *levels, const char *name, unsigned number)
{
	char fresh[32];

	(void)snprintf(fresh, sizeof(fresh), "writ-deep.%u", number);
	return renameat(dirfd(levels[TREE_DEPTH_MAX - 1].dir), name,
		   dirfd(levels[0].dir), fresh) == 0;
}

struct tree {
	int parent;
	const char *name;
	dev_t dev;
};

/* Walks the tree once. Returns how many directories were moved up. */
static unsigned
remove_pass(
    struct file_tree_level *levels, const struct tree *tree, unsigned number)
{
	char name[256];
	unsigned moved = 0;
	size_t depth = 0;

	levels[0].dir = open_level(tree->parent, tree->name, tree->dev);
	if (levels[0].dir != NULL)
		depth = 1;
	while (depth > 0) {
		struct file_tree_level *top = &levels[depth - 1];

		if (clear_level(top->dir, name)) {
			if (depth == TREE_DEPTH_MAX) {
				moved += move_up(levels, name, number + moved);
				continue;
			}
			struct file_tree_level *next = &levels[depth];
			(void)strcpy(next->name, name);
			next->dir =
			    open_level(dirfd(top->dir), name, tree->dev);
			if (next->dir != NULL)
				depth++;
			continue;
		}
		(void)closedir(top->dir);
		if (--depth > 0)
			(void)unlinkat(dirfd(levels[depth - 1].dir), top->name,
			    AT_REMOVEDIR);
	}
	return moved;
}

int
w_file_remove_tree_at(int parent, const char *name)
{
	W_AUTO_FREE struct file_tree_level *levels =
	    calloc(TREE_DEPTH_MAX, sizeof(*levels));
	struct tree tree = {.parent = parent, .name = name};
	struct stat st;
	unsigned number = 0, moved;

	if (levels == NULL)
		return ENOMEM;
	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno;
	tree.dev = st.st_dev;
	do {
		moved = remove_pass(levels, &tree, number);
		number += moved;
	} while (moved > 0);
	return unlinkat(parent, name, AT_REMOVEDIR) < 0 ? errno : 0;
}

bool
w_file_remove_tree(const char *path)
{
	return w_file_remove_tree_at(AT_FDCWD, path) == 0;
}
