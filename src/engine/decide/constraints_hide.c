/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a run that reaches hosts does not see: it could carry out what it reads.
 * In the home directory that is everything but the project, what the request
 * names, and the files and directories of tools: names that begin with a dot,
 * of which the profile hides secrets, and a few others. A link is left alone;
 * what it leads to in the home directory is hidden by its own name.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "engine/decide/constraints.h"
#include "os/resolve.h"
#include "sandbox/profile/linked_worktree.h"

#define STAGE      "policy"
#define HIDDEN_MAX 1000
#define DEPTH_MAX  32

/* Where tools keep what they need, besides names with a dot. */
static const char *const of_tools[] = {"anaconda3", "bin", "go", "miniconda3",
    "miniforge3", "perl5", "sdk", "snap", "venv", "venvs", "virtualenvs", NULL};

struct hiding {
	struct w_constraints_list kept; /* paths that stay visible */
	struct w_constraints_list hidden;
	struct w_hidden_home *answer; /* for the next run */
};

/* A virtual environment of Python has its programs in it. */
static bool
is_environment(
    struct hiding *hiding, int dir_fd, const char *name, const char *path)
{
	W_AUTO_FD int fd =
	    openat(dir_fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || faccessat(fd, "pyvenv.cfg", F_OK, 0) < 0)
		return false;
	/* It is one as long as nothing in it changes. */
	w_hidden_home_add_dir(hiding->answer, path, fd);
	return true;
}

static bool
is_of_tools(
    struct hiding *hiding, int dir_fd, const char *name, const char *path)
{

	if (name[0] == '.')
		return true;
	for (size_t i = 0; of_tools[i] != NULL; i++) {
		if (strcmp(name, of_tools[i]) == 0)
			return true;
	}
	return is_environment(hiding, dir_fd, name, path);
}

/* Whether all of a path stays visible, or something below it. */
static bool
is_kept(const struct hiding *hiding, const char *path, bool *out_has_kept)
{
	*out_has_kept = false;
	for (size_t i = 0; i < hiding->kept.count; i++) {
		const char *kept = hiding->kept.items[i];

		if (w_resolve_is_in(path, kept))
			return true;
		*out_has_kept |= w_resolve_is_in(kept, path);
	}
	return false;
}

static writ_status hide_beside(
    struct hiding *hiding, const char *dir, unsigned depth, writ_error *err);

/* A directory or a file: what else there is holds nothing that could be sent,
 * or is a link. */
static bool
has_contents(int dir_fd, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR || entry->d_type == DT_REG;
	return fstatat(dir_fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode));
}

static writ_status
hide_entry(struct hiding *hiding, const char *path, int dir_fd,
    const struct dirent *entry, unsigned depth, writ_error *err)
{
	bool has_kept = false;

	if (is_kept(hiding, path, &has_kept))
		return WRIT_OK;
	if (has_kept)
		return hide_beside(hiding, path, depth + 1, err);
	if (!has_contents(dir_fd, entry))
		return WRIT_OK;
	if (hiding->hidden.count == HIDDEN_MAX) {
		(void)w_fail(err, WRIT_E_SANDBOX, STAGE, 0,
		    "more than %d files and directories beside the project "
		    "would have to be hidden from a run that reaches hosts, "
		    "such as '%.200s'",
		    HIDDEN_MAX, path);
		w_suggest(
		    err, "the profile 'strict', which shows none of them");
		return WRIT_E_SANDBOX;
	}
	w_constraints_list_copy(&hiding->hidden, path);
	return WRIT_OK;
}

/* A directory that cannot be read cannot be read by the run either. */
static writ_status
hide_beside(
    struct hiding *hiding, const char *dir, unsigned depth, writ_error *err)
{
	DIR *listing = depth < DEPTH_MAX ? opendir(dir) : NULL;
	const struct dirent *entry;
	writ_status status = WRIT_OK;
	char path[PATH_MAX];

	/* Before it is read: what comes after that changes it again. */
	w_hidden_home_add_dir(
	    hiding->answer, dir, listing == NULL ? -1 : dirfd(listing));
	if (listing == NULL)
		return WRIT_OK;
	while (status == WRIT_OK && (entry = readdir(listing)) != NULL) {
		const char *name = entry->d_name;
		int len = snprintf(path, sizeof(path), "%s/%s", dir, name);

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    len < 0 || (size_t)len >= sizeof(path) ||
		    (depth == 0 &&
			is_of_tools(hiding, dirfd(listing), name, path)))
			continue;
		status =
		    hide_entry(hiding, path, dirfd(listing), entry, depth, err);
	}
	(void)closedir(listing);
	return status;
}

static writ_status
find_hidden(struct hiding *hiding, const char *home, writ_error *err)
{
	struct w_hidden_home *answer = hiding->answer;
	const char *const *kept = hiding->kept.items;
	const size_t count = hiding->kept.count;

	if (w_hidden_home_is_known(answer, home, kept, count)) {
		for (size_t i = 0; i < answer->hidden.count; i++)
			w_constraints_list_copy(
			    &hiding->hidden, answer->hidden.items[i]);
		return WRIT_OK;
	}
	w_hidden_home_begin(answer, home, kept, count);
	writ_status status = hide_beside(hiding, home, 0, err);
	if (status == WRIT_OK)
		w_hidden_home_end(
		    answer, hiding->hidden.items, hiding->hidden.count);
	return status;
}

/* Paths that the request names were judged as touches of the command. */
static void
keep_asked(struct hiding *hiding, const struct w_constraints_walls *walls)
{
	const struct w_policy_command *first = &walls->facts->commands[0];

	for (size_t i = 0; i < first->analysis->touch_count; i++) {
		const char *target = first->analysis->touches[i].target;
		const char *const *asked = walls->request->read;

		for (; asked != NULL && *asked != NULL; asked++) {
			if (*asked == target &&
			    first->paths[i].resolved != NULL)
				w_constraints_list_add(
				    &hiding->kept, first->paths[i].resolved);
		}
	}
}

/* The repository of a linked work tree is a part of the project. */
static void
keep_repository(struct hiding *hiding, const char *const *roots)
{
	char path[PATH_MAX];

	for (; roots != NULL && *roots != NULL; roots++) {
		if (w_profile_find_repository(*roots, path))
			w_constraints_list_copy(&hiding->kept, path);
	}
}

/* What one run of a session reads and leaves in its /tmp, another can send: so
 * from its start, wherever a policy says that hosts may be asked for. */
static bool
reaches_hosts(const struct w_constraints_walls *walls)
{
	return walls->facts->network == W_POLICY_NETWORK_HOSTS ||
	       (walls->request->in_session != NULL &&
		   walls->constraints->knows_hosts &&
		   walls->facts->network < W_POLICY_NETWORK_HOSTS);
}

writ_status
w_constraints_hide_home(
    const struct w_constraints_walls *walls, writ_error *err)
{
	struct w_constraints *constraints = walls->constraints;
	struct hiding hiding = {.kept = {.constraints = constraints},
	    .hidden = {.constraints = constraints},
	    .answer = walls->hidden};
	const char *home = walls->facts->home;

	if (!reaches_hosts(walls) || home == NULL || strcmp(home, "/") == 0 ||
	    constraints->walls == W_WALLS_STRICT)
		return WRIT_OK;
	w_constraints_list_add_all(&hiding.kept, constraints->roots);
	w_constraints_list_add_all(&hiding.kept, constraints->profile_write);
	w_constraints_list_add_all(&hiding.kept, constraints->asked_write);
	w_constraints_list_add_all(&hiding.kept, walls->restriction->write);
	if (walls->facts->cwd != NULL)
		w_constraints_list_add(&hiding.kept, walls->facts->cwd);
	keep_asked(&hiding, walls);
	keep_repository(&hiding, constraints->roots);
	if (hiding.kept.has_failed)
		return w_fail_nomem(err, STAGE);
	writ_status status = find_hidden(&hiding, home, err);
	if (status != WRIT_OK)
		return status;
	walls->restriction->hide = w_constraints_list_end(&hiding.hidden);
	return walls->restriction->hide == NULL ? w_fail_nomem(err, STAGE)
						: WRIT_OK;
}
