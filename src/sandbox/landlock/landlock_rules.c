/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Landlock rules for a tree with holes. The header explains the method; the
 * rule to keep here is that an error or a surprise never widens a grant.
 */

#include "sandbox/landlock/landlock_rules.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/grow.h"

static const char stage[] = "landlock";
static const char devices[] = "/dev";

/* A directory with something cut out beneath it, and the rights granted on its
 * other entries. */
struct landlock_rules_step {
	char *path;
	uint64_t access;
};

struct landlock_rules_walk {
	struct w_landlock_builder *builder;
	struct landlock_rules_step *steps;
	size_t count;
	size_t cap;
};

writ_status
w_landlock_rule_add(struct w_landlock_builder *builder, const char *path,
    enum w_landlock_kind kind, uint64_t access, bool is_optional,
    writ_error *err)
{
	struct w_landlock_plan *plan = builder->plan;

	access &= plan->scope.fs;
	if (kind == W_LANDLOCK_FILE)
		access &= W_LANDLOCK_OF_FILE;
	if (access == 0)
		return WRIT_OK;
	if (plan->count == W_LANDLOCK_RULES_MAX) {
		(void)w_fail(err, WRIT_E_SANDBOX, stage, 0,
		    "the hidden and protected paths need more than %d rules, "
		    "at '%s'",
		    W_LANDLOCK_RULES_MAX, path);
		w_suggest(err, "hide the whole directory, or use the profile "
			       "'workspace', which hides by mounts");
		return WRIT_E_SANDBOX;
	}
	if (!w_grow(&plan->rules, plan->count, &plan->cap))
		return w_fail_nomem(err, stage);
	plan->rules[plan->count++] = (struct w_landlock_rule){
	    .access = access,
	    .path = w_string_table_add(builder->strings, path),
	    .is_optional = is_optional,
	};
	if (builder->strings->text.failed)
		return w_fail_nomem(err, stage);
	return WRIT_OK;
}

static bool
is_beneath(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (strcmp(dir, "/") == 0)
		return path[0] == '/' && path[1] != '\0';
	return strncmp(path, dir, len) == 0 && path[len] == '/';
}

/* The rights that one kind of cut leaves at and below a path. */
struct cut {
	const char *path;
	uint64_t left;
};

static bool
cut_closed(const struct w_resolved_profile *resolved, size_t index,
    struct cut *out_cut)
{
	if (index >= resolved->closed.count)
		return false;
	*out_cut = (struct cut){
	    resolved->closed.items[index].path, W_LANDLOCK_READ_DIR};
	return true;
}

/* Gets the cut with this number; false after the last. */
static bool
cut_at(
    const struct w_landlock_builder *builder, size_t index, struct cut *out_cut)
{
	const struct w_resolved_profile *resolved = builder->resolved;
	const struct w_real_paths *hidden = &resolved->hidden;
	const struct w_real_paths *guarded = &resolved->guarded;

	if (builder->has_view)
		return cut_closed(resolved, index, out_cut);
	if (index == 0) {
		*out_cut = (struct cut){devices, W_LANDLOCK_READ_DIR};
		return true;
	}
	index--;
	if (index < hidden->count) {
		const struct w_real_path *real_path = &hidden->items[index];
		out_cut->path = real_path->path;
		/* A file cannot be listed. */
		out_cut->left = real_path->is_dir ? 0 : W_LANDLOCK_READ_DIR;
		return true;
	}
	index -= hidden->count;
	if (index >= guarded->count)
		return cut_closed(resolved, index - guarded->count, out_cut);
	*out_cut = (struct cut){guarded->items[index].path, ~W_LANDLOCK_WRITE};
	return true;
}

static writ_status
landlock_rules_push(struct landlock_rules_walk *walk, const char *path,
    uint64_t access, writ_error *err)
{
	if (!w_grow(&walk->steps, walk->count, &walk->cap))
		return w_fail_nomem(err, stage);
	char *copy = strdup(path);
	if (copy == NULL)
		return w_fail_nomem(err, stage);
	walk->steps[walk->count++] = (struct landlock_rules_step){copy, access};
	return WRIT_OK;
}

/* Grants the path whole, or what can be granted on all of it now and the rest
 * later, step by step. */
static writ_status
visit(struct landlock_rules_walk *walk, const char *path,
    enum w_landlock_kind kind, uint64_t access, bool is_optional,
    writ_error *err)
{
	uint64_t here = access;       /* at the path itself */
	uint64_t everywhere = access; /* and beneath it */
	struct cut cut;

	for (size_t i = 0; cut_at(walk->builder, i, &cut); i++) {
		if (strcmp(cut.path, path) == 0)
			here &= cut.left;
		else if (is_beneath(cut.path, path))
			everywhere &= cut.left;
	}
	everywhere &= here;
	writ_status status = w_landlock_rule_add(
	    walk->builder, path, kind, everywhere, is_optional, err);
	if (status != WRIT_OK || everywhere == here)
		return status;
	return landlock_rules_push(walk, path, here, err);
}

static bool
kind_of(DIR *dir, const struct dirent *entry, enum w_landlock_kind *out_kind)
{
	unsigned char type = entry->d_type;
	struct stat st;

	if (type == DT_UNKNOWN) {
		if (fstatat(dirfd(dir), entry->d_name, &st,
			AT_SYMLINK_NOFOLLOW) != 0)
			return false;
		type = IFTODT(st.st_mode);
	}
	*out_kind = type == DT_DIR ? W_LANDLOCK_DIR : W_LANDLOCK_FILE;
	/* The target of a link is granted by its own path. */
	return type != DT_LNK;
}

static writ_status
visit_entry(struct landlock_rules_walk *walk,
    const struct landlock_rules_step *step, DIR *dir,
    const struct dirent *entry, writ_error *err)
{
	enum w_landlock_kind kind;
	char *path = NULL;

	if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
		return WRIT_OK;
	if (!kind_of(dir, entry, &kind))
		return WRIT_OK;
	const char *slash = strcmp(step->path, "/") == 0 ? "" : "/";
	if (asprintf(&path, "%s%s%s", step->path, slash, entry->d_name) < 0)
		return w_fail_nomem(err, stage);
	writ_status status = visit(walk, path, kind, step->access, true, err);
	free(path);
	return status;
}

/* True if no earlier cut goes through the same entry. */
static bool
is_first_through(
    const struct w_landlock_builder *builder, size_t index, const char *entry)
{
	struct cut cut;

	for (size_t i = 0; i < index && cut_at(builder, i, &cut); i++) {
		if (is_beneath(cut.path, entry))
			return false;
	}
	return true;
}

/* A directory that may be searched but not listed: the path to the cut is known
 * anyway. */
static writ_status
visit_known(struct landlock_rules_walk *walk,
    const struct landlock_rules_step *step, writ_error *err)
{
	const struct w_landlock_builder *builder = walk->builder;
	size_t len = strcmp(step->path, "/") == 0 ? 0 : strlen(step->path);
	writ_status status = WRIT_OK;
	struct cut cut;

	for (size_t i = 0; status == WRIT_OK && cut_at(builder, i, &cut); i++) {
		if (!is_beneath(cut.path, step->path))
			continue;
		const char *end = strchr(cut.path + len + 1, '/');
		if (end == NULL)
			continue;
		W_AUTO_FREE char *entry =
		    strndup(cut.path, (size_t)(end - cut.path));
		if (entry == NULL)
			return w_fail_nomem(err, stage);
		if (is_first_through(builder, i, entry))
			status = visit(walk, entry, W_LANDLOCK_DIR,
			    step->access, true, err);
	}
	return status;
}

static writ_status
fail_list(const char *path, int error, writ_error *err)
{
	if (error == ENOMEM)
		return w_fail_nomem(err, stage);
	return w_fail(
	    err, WRIT_E_SYSTEM, stage, error, "cannot list '%s'", path);
}

static writ_status
visit_entries(struct landlock_rules_walk *walk,
    const struct landlock_rules_step *step, writ_error *err)
{
	writ_status status = WRIT_OK;
	W_AUTO_FD int fd = open(step->path,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 && errno == EACCES)
		return visit_known(walk, step, err);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return WRIT_OK;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (dir == NULL)
		return fail_list(step->path, errno, err);
	(void)w_take_fd(&fd);
	while (status == WRIT_OK) {
		errno = 0;
		const struct dirent *entry = readdir(dir);
		if (entry == NULL)
			break;
		status = visit_entry(walk, step, dir, entry, err);
	}
	if (status == WRIT_OK && errno != 0)
		status = fail_list(step->path, errno, err);
	(void)closedir(dir);
	return status;
}

writ_status
w_landlock_grant_add(struct w_landlock_builder *builder,
    const struct w_real_path *grant, uint64_t access, bool is_optional,
    writ_error *err)
{
	struct landlock_rules_walk walk = {.builder = builder};
	writ_status status = visit(&walk, grant->path,
	    grant->is_dir ? W_LANDLOCK_DIR : W_LANDLOCK_FILE, access,
	    is_optional, err);

	while (status == WRIT_OK && walk.count > 0) {
		struct landlock_rules_step step = walk.steps[--walk.count];
		status = visit_entries(&walk, &step, err);
		free(step.path);
	}
	for (size_t i = 0; i < walk.count; i++)
		free(walk.steps[i].path);
	free(walk.steps);
	return status;
}
