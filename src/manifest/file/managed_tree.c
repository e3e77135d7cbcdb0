/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What is beneath a directory: copies of a source, owner, group and mode of all
 * (recurse), and nothing else (purge).
 *
 * Both trees are walked by open directories, and no link is followed. A link in
 * the source is copied as a link. What another resource of the manifest manages
 * is not purged.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/grow.h"
#include "manifest/file/file_step.h"

#define DEPTH_MAX   32
#define ENTRIES_MAX 100000
/* Files that wait for the disk together. */
#define WAITING_MAX 128

struct managed_tree {
	struct w_resource_step *step;
	const struct w_file_resource *file;
	const char *source; /* NULL: none */
	const char *target;
	writ_file_batch *batch;
	size_t waiting;
	size_t entries;
	struct w_managed_tree_result result;
	writ_error failure;
};

/* ---- reading directories ---- */

struct tree_names {
	char **items;
	size_t count;
	size_t cap;
};

static void
tree_names_done(struct tree_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool
tree_fail(
    struct managed_tree *tree, int error, const char *what, const char *path)
{
	w_resource_step_fail(
	    tree->step, "cannot %s '%s': %s", what, path, strerror(error));
	return false;
}

/* In the order of their names, so that each apply does the same. */
static bool
read_names(struct managed_tree *tree, int dir_fd, const char *path,
    struct tree_names *out_names)
{
	W_AUTO_FD int fd = openat(
	    dir_fd, ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (dir == NULL)
		return tree_fail(tree, errno, "read", path);
	(void)w_take_fd(&fd);
	errno = 0;
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		char *name = strdup(entry->d_name);
		if (name == NULL || !w_grow(&out_names->items, out_names->count,
					&out_names->cap)) {
			free(name);
			tree->step->is_short = true;
			break;
		}
		out_names->items[out_names->count++] = name;
	}
	(void)closedir(dir);
	tree->entries += out_names->count;
	if (tree->entries > ENTRIES_MAX) {
		w_resource_step_fail(tree->step,
		    "there are more than %d files beneath '%s'", ENTRIES_MAX,
		    tree->target);
		return false;
	}
	if (out_names->count > 1)
		qsort(out_names->items, out_names->count,
		    sizeof(*out_names->items), compare_names);
	return !tree->step->is_short;
}

static bool
open_beneath(struct managed_tree *tree, int dir_fd, const char *name,
    const char *path, int *out_fd)
{
	*out_fd = openat(
	    dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return *out_fd >= 0 || tree_fail(tree, errno, "open", path);
}

static const char *
join_path(struct managed_tree *tree, const char *dir, const char *name)
{
	return w_resource_step_text(tree->step, "%s/%s", dir, name);
}

/* ---- changes ---- */

static void
tree_done(void *ctx, size_t index, const writ_error *failure)
{
	struct managed_tree *tree = ctx;

	(void)index;
	if (failure != NULL && tree->failure.status == WRIT_OK)
		tree->failure = *failure;
}

static bool
tree_commit(struct managed_tree *tree)
{
	if (tree->waiting > 0)
		writ_file_batch_commit(tree->batch, false, tree_done, tree);
	tree->waiting = 0;
	if (tree->failure.status == WRIT_OK)
		return true;
	w_resource_step_fail_error(tree->step, &tree->failure);
	return false;
}

static bool
change_one(
    struct managed_tree *tree, writ_file_request *request, size_t *io_count)
{
	struct w_resource_step *step = tree->step;
	writ_file_result *result = NULL;
	writ_error err = {.status = WRIT_OK};

	w_managed_set(step, request);
	w_managed_promises(step, request);
	request->batch = tree->batch;
	request->hide_content = step->resource->is_sensitive;
	const writ_status status =
	    writ_file(step->engine, request, &result, &err);
	if (status != WRIT_OK) {
		step->is_short |= status == WRIT_E_NOMEM;
		step->may_have_changed |= status == WRIT_E_SYSTEM;
		w_resource_step_fail_error(step, &err);
		return false;
	}
	*io_count += result->changed;
	tree->waiting += result->pending;
	w_resource_step_add_run(step, result->run_id);
	writ_file_result_free(result);
	return tree->waiting < WAITING_MAX || tree_commit(tree);
}

/* What may be executed in the source may be so in the copy. */
static unsigned
mode_for(const struct managed_tree *tree, const struct stat *source)
{
	unsigned mode = tree->file->mode & 0777;

	if (!tree->file->has_mode)
		return source == NULL ? 0
				      : WRIT_FILE_MODE(source->st_mode & 0777);
	if (source == NULL || S_ISDIR(source->st_mode) ||
	    (source->st_mode & 0111) == 0)
		return WRIT_FILE_MODE(mode);
	return WRIT_FILE_MODE(mode | ((mode & 0444) >> 2));
}

static void
set_owner(const struct managed_tree *tree, writ_file_request *request)
{
	request->owner = tree->file->owner.text;
	request->group = tree->file->group.text;
}

/* ---- the source ---- */

static bool
copy_link(struct managed_tree *tree, int dir_fd, const char *name,
    const char *from, const char *to)
{
	writ_file_request request = WRIT_FILE_REQUEST_INIT;
	char target[4096];
	const ssize_t len =
	    readlinkat(dir_fd, name, target, sizeof(target) - 1);

	if (len < 0)
		return tree_fail(tree, errno, "read the link", from);
	target[len] = '\0';
	request.path = to;
	request.ensure = WRIT_FILE_LINK;
	request.target = target;
	set_owner(tree, &request);
	return change_one(tree, &request, &tree->result.written);
}

static bool copy_dir(struct managed_tree *tree, int dir_fd, const char *from,
    const char *to, unsigned depth);

static bool
copy_one(struct managed_tree *tree, int dir_fd, const char *name,
    const char *from, const char *to, unsigned depth)
{
	writ_file_request request = WRIT_FILE_REQUEST_INIT;
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return tree_fail(tree, errno, "look at", from);
	if (S_ISLNK(st.st_mode))
		return copy_link(tree, dir_fd, name, from, to);
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode)) {
		w_resource_step_fail(tree->step,
		    "'%s' is neither a file nor a directory nor a link", from);
		return false;
	}
	request.path = to;
	request.mode = mode_for(tree, &st);
	set_owner(tree, &request);
	if (S_ISREG(st.st_mode)) {
		request.source = from;
		return change_one(tree, &request, &tree->result.written);
	}
	W_AUTO_FD int fd = -1;
	request.ensure = WRIT_FILE_DIRECTORY;
	return change_one(tree, &request, &tree->result.written) &&
	       open_beneath(tree, dir_fd, name, from, &fd) &&
	       copy_dir(tree, fd, from, to, depth + 1);
}

static bool
copy_dir(struct managed_tree *tree, int dir_fd, const char *from,
    const char *to, unsigned depth)
{
	struct tree_names names = {.count = 0};
	bool ok = depth < DEPTH_MAX;

	if (!ok)
		w_resource_step_fail(tree->step,
		    "'%s' is more than %d directories deep", from, DEPTH_MAX);
	ok = ok && read_names(tree, dir_fd, from, &names);
	for (size_t i = 0; ok && i < names.count; i++)
		ok = !tree->step->is_interrupted &&
		     copy_one(tree, dir_fd, names.items[i],
			 join_path(tree, from, names.items[i]),
			 join_path(tree, to, names.items[i]), depth);
	tree_names_done(&names);
	return ok;
}

/* ---- what is there ---- */

static bool
is_in_source(int source_fd, const char *name, bool *out_is_dir)
{
	struct stat st;

	*out_is_dir = false;
	if (source_fd < 0 ||
	    fstatat(source_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	*out_is_dir = S_ISDIR(st.st_mode);
	return true;
}

static const char *
managed_path(const struct w_resource *resource)
{
	const bool is_path = resource->type == W_RESOURCE_FILE ||
			     resource->type == W_RESOURCE_EDIT ||
			     resource->type == W_RESOURCE_ARCHIVE;

	return is_path ? resource->name.text : NULL;
}

/* Whether another resource is about the path, or about something beneath. */
static bool
is_managed(
    const struct managed_tree *tree, const char *path, bool *out_is_above)
{
	const struct w_manifest *manifest = tree->step->manifest;
	const size_t len = strlen(path);
	bool is_managed = false;

	*out_is_above = false;
	for (size_t i = 0; i < manifest->count; i++) {
		const char *name = managed_path(&manifest->resources[i]);

		if (name == NULL || strncmp(name, path, len) != 0)
			continue;
		is_managed |= name[len] == '\0';
		*out_is_above |= name[len] == '/';
	}
	return is_managed;
}

static bool
purge_one(struct managed_tree *tree, const char *path, bool is_dir)
{
	writ_file_request request = WRIT_FILE_REQUEST_INIT;

	request.path = path;
	request.ensure = WRIT_FILE_ABSENT;
	request.force = is_dir;
	return change_one(tree, &request, &tree->result.removed);
}

static bool
adjust_one(struct managed_tree *tree, const char *path, const struct stat *st)
{
	writ_file_request request = WRIT_FILE_REQUEST_INIT;

	if (!S_ISDIR(st->st_mode) && !S_ISREG(st->st_mode))
		return true;
	request.path = path;
	request.ensure =
	    S_ISDIR(st->st_mode) ? WRIT_FILE_DIRECTORY : WRIT_FILE_PRESENT;
	request.mode = tree->file->has_mode ? mode_for(tree, st) : 0;
	set_owner(tree, &request);
	return change_one(tree, &request, &tree->result.written);
}

static bool settle_dir(struct managed_tree *tree, int dir_fd, int source_fd,
    const char *path, unsigned depth);

static bool
settle_beneath(struct managed_tree *tree, int dir_fd, int source_fd,
    const char *name, const char *path, unsigned depth)
{
	W_AUTO_FD int fd = -1;
	W_AUTO_FD int from = -1;

	if (!open_beneath(tree, dir_fd, name, path, &fd))
		return false;
	if (source_fd >= 0)
		from = openat(source_fd, name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return settle_dir(tree, fd, from, path, depth + 1);
}

static bool
settle_one(struct managed_tree *tree, int dir_fd, int source_fd,
    const char *name, const char *path, unsigned depth)
{
	struct stat st;
	bool is_above, is_source_dir;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ||
		       tree_fail(tree, errno, "look at", path);
	const bool is_dir = S_ISDIR(st.st_mode);
	const bool is_copy = is_in_source(source_fd, name, &is_source_dir);
	const bool is_other = is_managed(tree, path, &is_above);
	if (is_other && !is_dir)
		return true;
	if (tree->file->is_purged && !is_copy && !is_other && !is_above)
		return purge_one(tree, path, is_dir);
	/* Copies have their owner and mode already. */
	if (tree->file->is_recursive && !is_copy && !is_other &&
	    !adjust_one(tree, path, &st))
		return false;
	return !is_dir ||
	       settle_beneath(tree, dir_fd, is_source_dir ? source_fd : -1,
		   name, path, depth);
}

static bool
settle_dir(struct managed_tree *tree, int dir_fd, int source_fd,
    const char *path, unsigned depth)
{
	struct tree_names names = {.count = 0};
	bool ok = depth < DEPTH_MAX;

	if (!ok)
		w_resource_step_fail(tree->step,
		    "'%s' is more than %d directories deep", path, DEPTH_MAX);
	ok = ok && read_names(tree, dir_fd, path, &names);
	for (size_t i = 0; ok && i < names.count; i++)
		ok = !tree->step->is_interrupted &&
		     settle_one(tree, dir_fd, source_fd, names.items[i],
			 join_path(tree, path, names.items[i]), depth);
	tree_names_done(&names);
	return ok;
}

/* ---- both ---- */

static bool
open_source(struct managed_tree *tree, int *out_fd)
{
	if (tree->source == NULL)
		return true;
	*out_fd = open(tree->source, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *out_fd >= 0 ||
	       tree_fail(tree, errno, "open the source", tree->source);
}

static bool
tree_apply(struct managed_tree *tree)
{
	W_AUTO_FD int source_fd = -1;

	if (!open_source(tree, &source_fd))
		return false;
	if (source_fd >= 0 &&
	    !copy_dir(tree, source_fd, tree->source, tree->target, 0))
		return false;
	if (!tree_commit(tree))
		return false;
	if (!tree->file->is_recursive && !tree->file->is_purged)
		return true;
	W_AUTO_FD int fd =
	    open(tree->target, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	/* In noop it may not be there yet. */
	if (fd < 0 && errno == ENOENT && tree->step->options->noop)
		return true;
	if (fd < 0)
		return tree_fail(tree, errno, "open", tree->target);
	return settle_dir(tree, fd, source_fd, tree->target, 0);
}

bool
w_managed_tree_apply(struct w_resource_step *step, const char *source,
    struct w_managed_tree_result *out_result)
{
	struct managed_tree tree = {
	    .step = step,
	    .file = step->resource->as.file,
	    .source = source,
	    .target = step->resource->name.text,
	};

	if (!step->options->noop &&
	    writ_file_batch_new(step->engine, &tree.batch, NULL) != WRIT_OK)
		tree.batch = NULL;
	bool ok = tree_apply(&tree);
	ok = tree_commit(&tree) && ok;
	writ_file_batch_free(tree.batch);
	step->is_cut = step->is_interrupted;
	*out_result = tree.result;
	return ok;
}
