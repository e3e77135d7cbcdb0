/* SPDX-License-Identifier: Apache-2.0 */

/* The program of a command: its file, the names on the way to it, and whether
 * it is one at all or the project's own code. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/decide/access_set.h"
#include "os/resolve.h"
#include "os/trust.h"

#define STAGE     "policy"
#define LINKS_MAX 40
#define NAMES_MAX (LINKS_MAX + 2)

/* Too much for a frame. */
struct rooms {
	char at[PATH_MAX];
	char target[PATH_MAX];
	char next[PATH_MAX];
	struct w_resolved_path entry;
};

/* While the links are followed. */
struct trail {
	struct rooms *rooms;
	struct w_access_set *access_set;
	const struct w_access_input *input;
	const char *names[NAMES_MAX + 1];
	size_t count;
	bool is_own;
	bool has_failed; /* no memory */
};

static const char *
last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

static void
access_program_add_name(struct trail *trail, const char *path)
{
	const char *name = last_name(path);

	for (size_t i = 0; i < trail->count; i++) {
		if (strcmp(trail->names[i], name) == 0)
			return;
	}
	if (trail->count == NAMES_MAX)
		return;
	char *copy =
	    w_arena_text(&trail->access_set->arena, name, strlen(name));
	if (copy == NULL)
		trail->has_failed = true;
	else
		trail->names[trail->count++] = copy;
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

/* Where one name on the way really lies: its directory's place and itself. */
static void
look_at_place(struct trail *trail, const char *path)
{
	struct w_resolved_path *entry = &trail->rooms->entry;

	w_resolve(AT_FDCWD, path, true, entry);
	if (entry->path[0] == '\0' || is_in_root(trail->input, entry->path))
		trail->is_own = true;
}

/* Every link from the path that was found to the file. */
static void
access_program_follow(struct trail *trail, const char *path)
{
	struct rooms *rooms = trail->rooms;
	char *at = rooms->at;

	if (!w_resolve_text("/", path, at))
		return;
	for (int i = 0; i < LINKS_MAX; i++) {
		access_program_add_name(trail, at);
		look_at_place(trail, at);
		ssize_t len =
		    readlink(at, rooms->target, sizeof(rooms->target) - 1);
		if (len <= 0)
			return;
		rooms->target[len] = '\0';
		char *slash = strrchr(at, '/');
		slash[slash == at ? 1 : 0] = '\0';
		if (!w_resolve_text(at, rooms->target, rooms->next))
			return;
		memcpy(at, rooms->next, sizeof(rooms->next));
	}
}

/* Whether others could change what is in it. */
static bool
is_foreign(const struct trail *trail, const struct w_program *program,
    const char *path)
{
	char *dir = trail->rooms->next;
	struct stat st;
	const char *slash = strrchr(path, '/');

	if (fstat(program->fd, &st) < 0 || w_trust_is_foreign(&st))
		return true;
	if (slash == NULL || slash == path)
		return false;
	memcpy(dir, path, (size_t)(slash - path));
	dir[slash - path] = '\0';
	return stat(dir, &st) < 0 || w_trust_is_foreign_dir(&st);
}

static const char *
access_program_keep(struct trail *trail, const char *text)
{
	char *copy =
	    w_arena_text(&trail->access_set->arena, text, strlen(text));

	if (copy == NULL)
		trail->has_failed = true;
	return copy;
}

static void
look_at_file(struct trail *trail, const struct w_program *program,
    struct w_policy_program *out)
{
	char *file = trail->rooms->at;

	if (w_resolve_text("/", program->path, file))
		out->spelled = access_program_keep(trail, file);
	access_program_follow(trail, program->path);
	if (!w_resolve_fd(program->fd, file)) {
		trail->is_own = true;
		return;
	}
	out->path = access_program_keep(trail, file);
	access_program_add_name(trail, file);
	if (is_in_root(trail->input, file) || is_foreign(trail, program, file))
		trail->is_own = true;
}

static writ_status
access_program_take_names(
    struct trail *trail, struct w_policy_program *out, writ_error *err)
{
	const char **names = w_arena_alloc(
	    &trail->access_set->arena, trail->count + 1, sizeof(*names));

	if (names == NULL || trail->has_failed)
		return w_fail_nomem(err, STAGE);
	memcpy(names, trail->names, trail->count * sizeof(*names));
	out->names = names;
	out->is_own = trail->is_own;
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
	};
	struct trail trail = {.access_set = access_set, .input = input};
	struct w_program looked = {.fd = -1};
	writ_status status = WRIT_OK;

	out_program->called_as = word;
	access_program_add_name(&trail, word);
	if (found == NULL && word[0] != '\0' &&
	    (input->cwd_fd >= 0 || word[0] == '/' ||
		strchr(word, '/') == NULL)) {
		status = w_program_find(word, &scope, &looked, NULL);
		if (status == WRIT_OK)
			found = &looked;
	}
	if (found != NULL && found->path != NULL) {
		trail.rooms = malloc(sizeof(*trail.rooms));
		trail.has_failed = trail.rooms == NULL;
	}
	if (trail.rooms != NULL)
		look_at_file(&trail, found, out_program);
	w_program_done(&looked);
	free(trail.rooms);
	return status == WRIT_E_NOMEM
		   ? w_fail_nomem(err, STAGE)
		   : access_program_take_names(&trail, out_program, err);
}
