/* SPDX-License-Identifier: Apache-2.0 */

/* The program of a command: its file, the names on the way to it, and
 * whether it is the project's own code. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/basename.h"
#include "engine/decide/access_set.h"
#include "os/resolve.h"
#include "os/trust.h"

#define STAGE     "policy"
#define LINKS_MAX 40
#define NAMES_MAX (LINKS_MAX + 2)

/* Too large for the stack. */
struct path_buffers {
	char at[PATH_MAX];
	char target[PATH_MAX];
	char next[PATH_MAX];
	struct w_resolved_path entry;
};

/* State while symbolic links are followed. */
struct link_walk {
	struct path_buffers *buffers;
	struct w_access_set *access_set;
	const struct w_access_input *input;
	const char *names[NAMES_MAX + 1];
	size_t count;
	bool is_own;
	bool has_failed; /* no memory */
};

static void
access_program_add_name(struct link_walk *walk, const char *path)
{
	const char *name = w_basename(path);

	for (size_t i = 0; i < walk->count; i++) {
		if (strcmp(walk->names[i], name) == 0)
			return;
	}
	if (walk->count == NAMES_MAX)
		return;
	char *copy = w_arena_text(&walk->access_set->arena, name, strlen(name));
	if (copy == NULL)
		walk->has_failed = true;
	else
		walk->names[walk->count++] = copy;
}

static bool
is_in_root(const struct w_access_input *input, const char *path)
{
	const char *const *roots = input->roots;

	for (; roots != NULL && *roots != NULL; roots++) {
		if (w_resolve_is_in(path, *roots))
			return true;
	}
	return false;
}

/* Records every link from the path that was found to the file. A link whose
 * own directory lies in a root is the project's. has_file: where the file
 * itself lies is judged by the caller. */
static void
access_program_follow(struct link_walk *walk, const char *path, bool has_file)
{
	struct path_buffers *buffers = walk->buffers;
	struct w_resolved_path *entry = &buffers->entry;
	char *at = buffers->at;

	if (!w_resolve_text("/", path, at))
		return;
	for (int i = 0; i < LINKS_MAX; i++) {
		access_program_add_name(walk, at);
		ssize_t len =
		    readlink(at, buffers->target, sizeof(buffers->target) - 1);
		if (len < 0 && errno == EINVAL && has_file)
			return;
		w_resolve(AT_FDCWD, at, true, entry);
		if (entry->path[0] == '\0' ||
		    is_in_root(walk->input, entry->path))
			walk->is_own = true;
		if (len <= 0)
			return;
		buffers->target[len] = '\0';
		char *slash = strrchr(at, '/');
		slash[slash == at ? 1 : 0] = '\0';
		if (!w_resolve_text(at, buffers->target, buffers->next))
			return;
		memcpy(at, buffers->next, sizeof(buffers->next));
	}
}

/* Whether another user could change the program. */
static bool
is_foreign(const struct link_walk *walk, const struct w_program *program,
    const char *path)
{
	char *dir = walk->buffers->next;
	struct stat st = program->st;
	const char *slash = strrchr(path, '/');

	if (walk->input->is_decided)
		w_trust_name_root(&st);
	if (w_trust_is_foreign(&st))
		return true;
	if (slash == NULL || slash == path)
		return false;
	memcpy(dir, path, (size_t)(slash - path));
	dir[slash - path] = '\0';
	if (stat(dir, &st) < 0)
		return true;
	if (walk->input->is_decided)
		w_trust_name_root(&st);
	return w_trust_is_foreign_dir(&st);
}

static const char *
access_program_keep(struct link_walk *walk, const char *text)
{
	char *copy = w_arena_text(&walk->access_set->arena, text, strlen(text));

	if (copy == NULL)
		walk->has_failed = true;
	return copy;
}

static void
look_at_file(struct link_walk *walk, const struct w_program *program,
    struct w_policy_program *out)
{
	char *spelled = walk->buffers->at;
	const char *file = program->real;

	const bool is_normal = w_resolve_text("/", program->path, spelled);
	if (is_normal)
		out->spelled = access_program_keep(walk, spelled);
	/* Any run of the session could have made it, or the link to it. */
	if (program->is_shared)
		walk->is_own = true;
	if (program->is_inside) {
		out->path = out->spelled;
		access_program_add_name(walk, program->path);
		return;
	}
	/* No link leads there if it is called by its real path. */
	if (file == NULL || !is_normal || strcmp(spelled, file) != 0)
		access_program_follow(walk, program->path, file != NULL);
	if (file == NULL) {
		walk->is_own = true;
		return;
	}
	out->path = access_program_keep(walk, file);
	access_program_add_name(walk, file);
	if (is_in_root(walk->input, file) || is_foreign(walk, program, file))
		walk->is_own = true;
}

static writ_status
access_program_take_names(
    struct link_walk *walk, struct w_policy_program *out, writ_error *err)
{
	const char **names = w_arena_alloc(
	    &walk->access_set->arena, walk->count + 1, sizeof(*names));

	if (names == NULL || walk->has_failed)
		return w_fail_nomem(err, STAGE);
	memcpy(names, walk->names, walk->count * sizeof(*names));
	out->names = names;
	out->is_own = walk->is_own;
	return WRIT_OK;
}

writ_status
w_access_find_program(struct w_access_set *access_set,
    const struct w_access_input *input, const char *word,
    const struct w_program *found, struct w_policy_program *out_program,
    writ_error *err)
{
	const struct w_program_scope scope = {
	    .path_list = input->path_list,
	    .cwd_fd = input->cwd_fd,
	    .cwd = input->cwd,
	    .view = input->view,
	};
	struct link_walk walk = {.access_set = access_set, .input = input};
	struct w_program looked = {.fd = -1};
	writ_status status = WRIT_OK;

	out_program->called_as = word;
	access_program_add_name(&walk, word);
	if (found == NULL && word[0] != '\0' &&
	    (input->cwd_fd >= 0 || word[0] == '/' ||
		strchr(word, '/') == NULL)) {
		status = w_program_find(word, &scope, &looked, NULL);
		if (status == WRIT_OK)
			found = &looked;
	}
	if (found != NULL && found->path != NULL) {
		walk.buffers = malloc(sizeof(*walk.buffers));
		walk.has_failed = walk.buffers == NULL;
	}
	if (walk.buffers != NULL)
		look_at_file(&walk, found, out_program);
	w_program_done(&looked);
	free(walk.buffers);
	return status == WRIT_E_NOMEM
		   ? w_fail_nomem(err, STAGE)
		   : access_program_take_names(&walk, out_program, err);
}
