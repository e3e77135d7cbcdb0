/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which files the program names of a policy stand for: those of an allowlist,
 * their helpers, and those that nobody may run.
 *
 * A name is looked up in PATH and in the usual directories: a command may set
 * another PATH for its children.
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
#include "base/basename.h"
#include "base/buf.h"
#include "base/match.h"
#include "engine/decide/constraints.h"
#include "os/resolve.h"
#include "sandbox/path/existence_cache.h"

#define STAGE        "policy"
#define DIRS_MAX     64
#define DIR_MAX      1024
#define QUESTION_MAX 65536

static const char usual[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:"
			    "/sbin:/bin";

/* Directories of programs, each once, however many names it has. */
struct dirs {
	const char *paths[DIRS_MAX]; /* parts of PATH lists; not NUL-ended */
	size_t lens[DIRS_MAX];
	struct w_file_mark marks[DIRS_MAX];
	bool was_resolved[DIRS_MAX];
	bool is_real[DIRS_MAX]; /* the path is canonical */
	size_t count;
	const char *other_paths[DIRS_MAX]; /* further names of the same */
	size_t other_lens[DIRS_MAX];
	size_t other_count;
	struct w_existence_cache cache; /* most of them lack most names */
};

static bool
is_among(const char *const *paths, const size_t *lens, size_t count,
    const char *path, size_t len)
{
	for (size_t i = 0; i < count; i++) {
		if (lens[i] == len && memcmp(paths[i], path, len) == 0)
			return true;
	}
	return false;
}

/* Whether a directory is looked at by this name. */
static bool
has_dir(const struct dirs *dirs, const char *path, size_t len)
{
	return is_among(dirs->paths, dirs->lens, dirs->count, path, len) ||
	       is_among(dirs->other_paths, dirs->other_lens, dirs->other_count,
		   path, len);
}

static void
add_other_name(struct dirs *dirs, const char *path, size_t len)
{
	if (dirs->other_count == DIRS_MAX)
		return;
	dirs->other_paths[dirs->other_count] = path;
	dirs->other_lens[dirs->other_count++] = len;
}

static void
constraints_programs_add_dir(struct dirs *dirs, const char *path, size_t len)
{
	char whole[DIR_MAX];
	struct stat st;

	if (dirs->count == DIRS_MAX || len == 0 || len >= sizeof(whole) ||
	    path[0] != '/')
		return;
	if (has_dir(dirs, path, len))
		return;
	memcpy(whole, path, len);
	whole[len] = '\0';
	if (stat(whole, &st) < 0 || !S_ISDIR(st.st_mode))
		return;
	for (size_t i = 0; i < dirs->count; i++) {
		if (dirs->marks[i].dev == st.st_dev &&
		    dirs->marks[i].ino == st.st_ino) {
			add_other_name(dirs, path, len);
			return;
		}
	}
	w_existence_cache_know(&dirs->cache, whole, len, &st);
	dirs->marks[dirs->count] = w_file_mark_of(&st);
	dirs->paths[dirs->count] = path;
	dirs->lens[dirs->count++] = len;
}

static void
constraints_programs_add_list(struct dirs *dirs, const char *list)
{
	while (list != NULL && *list != '\0') {
		const size_t len = strcspn(list, ":");

		constraints_programs_add_dir(dirs, list, len);
		list += len + (list[len] == ':');
	}
}

static bool
has_wildcard(const char *glob)
{
	return strpbrk(glob, "*?[\\") != NULL;
}

/* ---- from names to files ---- */

/* How matching files are collected. */
struct constraints_programs_search {
	struct w_constraints_list *list;
	struct dirs *dirs;
	bool is_first; /* take only the first match */
	bool is_exact; /* skip files that have another name */
	/* Paths that lead out of the directories; NULL: not wanted. */
	struct w_constraints_list *leaving;
};

/* Whether a path is a file, or a link to one in a directory that is looked at.
 * Then it can change only with these directories. */
static bool
stays_in(const struct dirs *dirs, const char *path)
{
	char target[PATH_MAX];
	char next[PATH_MAX];
	const ssize_t len = readlink(path, target, sizeof(target));

	if (len < 0 || (size_t)len == sizeof(target))
		return len < 0 && (errno == EINVAL || errno == ENOENT);
	target[len] = '\0';
	const size_t name_at = (size_t)(w_basename(target) - target);
	if (name_at > 0 && !has_dir(dirs, target, name_at - 1))
		return false;
	const int dir_len = name_at > 0 ? 0 : (int)(w_basename(path) - path);
	const int next_len =
	    snprintf(next, sizeof(next), "%.*s%s", dir_len, path, target);
	return next_len > 0 && (size_t)next_len < sizeof(next) &&
	       readlink(next, target, sizeof(target)) < 0 && errno == EINVAL;
}

/* Whether the directory of a path is one of dirs and written without links, so
 * that a file in it has no other path. It is resolved once for all its files.
 */
static bool
is_in_real_dir(struct dirs *dirs, const char *path)
{
	const char *name = w_basename(path);

	for (size_t i = 0; i < dirs->count && name > path; i++) {
		const size_t len = dirs->lens[i];

		if (len != (size_t)(name - path) - 1 ||
		    memcmp(dirs->paths[i], path, len) != 0)
			continue;
		if (!dirs->was_resolved[i]) {
			W_AUTO_FREE char *written = strndup(path, len);
			W_AUTO_FREE char *real =
			    written == NULL ? NULL : w_resolve_real(written);

			dirs->was_resolved[i] = true;
			dirs->is_real[i] =
			    real != NULL && strcmp(real, written) == 0;
		}
		return dirs->is_real[i];
	}
	return false;
}

static bool
take_path(const struct constraints_programs_search *search, const char *path)
{
	struct w_resolved_path file;
	struct stat st;

	if (!w_existence_cache_look(&search->dirs->cache, path, &st))
		return false;
	if (S_ISREG(st.st_mode) && is_in_real_dir(search->dirs, path)) {
		w_constraints_list_copy(search->list, path);
		return true;
	}
	w_resolve(AT_FDCWD, path, false, &file);
	if (search->leaving != NULL && !stays_in(search->dirs, path))
		w_constraints_list_copy(search->leaving, path);
	if (!file.exists || file.is_directory)
		return false;
	if (search->is_exact &&
	    strcmp(w_basename(path), w_basename(file.path)) != 0)
		return true;
	w_constraints_list_copy(search->list, file.path);
	return true;
}

static void
constraints_programs_take_name(
    const struct constraints_programs_search *search, const char *name)
{
	const size_t name_len = strlen(name);
	char path[PATH_MAX];

	for (size_t i = 0; i < search->dirs->count; i++) {
		const size_t len = search->dirs->lens[i];

		if (len + 1 + name_len >= sizeof(path))
			continue;
		memcpy(path, search->dirs->paths[i], len);
		path[len] = '/';
		memcpy(path + len + 1, name, name_len + 1);
		if (take_path(search, path) && search->is_first)
			return;
	}
}

static void
take_matches(const struct constraints_programs_search *search, const char *dir,
    const char *glob)
{
	char path[PATH_MAX];
	DIR *list = opendir(dir);
	const struct dirent *entry;

	if (list == NULL)
		return;
	while ((entry = readdir(list)) != NULL) {
		int len =
		    snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);

		if (len > 0 && (size_t)len < sizeof(path) &&
		    entry->d_name[0] != '.' &&
		    w_match_glob(glob, entry->d_name))
			(void)take_path(search, path);
	}
	(void)closedir(list);
}

/* A glob with a '/': only its last name may have wildcards. */
static void
take_file(const struct constraints_programs_search *search, const char *glob)
{
	char dir[PATH_MAX];
	const size_t len = (size_t)(w_basename(glob) - glob);

	if (!has_wildcard(glob)) {
		(void)take_path(search, glob);
		return;
	}
	if (glob[0] != '/' || len >= sizeof(dir))
		return;
	memcpy(dir, glob, len);
	dir[len] = '\0';
	if (!has_wildcard(dir))
		take_matches(search, dir, glob + len);
}

static void
take_glob(const struct constraints_programs_search *search, const char *glob)
{
	if (strchr(glob, '/') != NULL) {
		take_file(search, glob);
	} else if (!has_wildcard(glob)) {
		constraints_programs_take_name(search, glob);
	} else {
		for (size_t i = 0; i < search->dirs->count; i++) {
			const size_t len = search->dirs->lens[i];
			char dir[DIR_MAX];

			memcpy(dir, search->dirs->paths[i], len);
			dir[len] = '\0';
			take_matches(search, dir, glob);
		}
	}
}

/* ---- allowlists ---- */

/* Keeps what is in both. */
static void
keep_common(
    struct w_constraints_list *list, const struct w_constraints_list *other)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (w_constraints_list_has(other, list->items[i]))
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

/* With `shell: allow` the list is for commands without a shell: the text runs
 * as it stands, in the walls. `shell: judge` holds its commands to the list. */
static bool
lets_run_text(const struct w_policy *policy, const struct w_policy_facts *facts)
{
	return facts->shell != NULL && policy->shell == W_SHELL_ALLOW;
}

writ_status
w_constraints_allowlist(const struct w_constraints_walls *walls,
    const char *const **out_files, writ_error *err)
{
	struct w_constraints *constraints = walls->constraints;
	struct w_constraints_list all = {.constraints = constraints};
	struct dirs dirs = {.cache.index = walls->name_index};
	bool has_allowlist = false;

	*out_files = NULL;
	for (size_t i = 0; i < constraints->count; i++) {
		const struct w_policy *policy = constraints->tiers[i].policy;
		struct w_constraints_list list = {.constraints = constraints};
		const struct constraints_programs_search search = {
		    .list = &list, .dirs = &dirs, .is_first = true};

		if (!policy->has_allowlist ||
		    lets_run_text(policy, walls->facts))
			continue;
		if (dirs.count == 0)
			constraints_programs_add_list(&dirs, walls->path_list);
		for (w_globs glob = policy->programs;
		     glob != NULL && *glob != NULL; glob++)
			take_glob(&search, *glob);
		if (has_allowlist)
			keep_common(&all, &list);
		else
			all = list;
		has_allowlist = true;
	}
	w_existence_cache_done(&dirs.cache);
	if (!has_allowlist)
		return WRIT_OK;
	/* The allowlist does not apply to the shell of a shell text, so the
	 * shell must be able to start. */
	if (walls->facts->shell != NULL &&
	    walls->facts->commands[0].program.path != NULL)
		w_constraints_list_add(
		    &all, walls->facts->commands[0].program.path);
	*out_files = w_constraints_list_end(&all);
	return *out_files == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* ---- helpers ---- */

/* "git-core/STAR" is a directory below lib or libexec. */
static void
take_library(struct w_constraints_list *list, const char *helper)
{
	static const char *const places[] = {
	    "/usr/lib", "/usr/libexec", "/usr/local/lib", "/usr/local/libexec"};
	const size_t len = (size_t)(w_basename(helper) - helper);
	struct w_resolved_path place;
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const bool is_all = has_wildcard(helper);
		int n = snprintf(path, sizeof(path), "%s/%.*s", places[i],
		    (int)(is_all ? len : strlen(helper)), helper);

		if (n <= 0 || (size_t)n >= sizeof(path))
			continue;
		w_resolve(AT_FDCWD, path, false, &place);
		if (place.exists)
			w_constraints_list_copy(list, place.path);
	}
}

static void
take_helpers(const struct constraints_programs_search *search,
    const char *const *helpers)
{
	for (; helpers != NULL && *helpers != NULL; helpers++) {
		/* A program that runs whatever it is told to has no helpers:
		 * an allowlist with make in it does not allow everything. */
		if ((*helpers)[strspn(*helpers, "*?")] == '\0')
			continue;
		if (strchr(*helpers, '/') == NULL)
			take_glob(search, *helpers);
		else if ((*helpers)[0] == '/')
			take_file(search, *helpers);
		else
			take_library(search->list, *helpers);
	}
}

writ_status
w_constraints_helper_programs(const struct w_constraints_walls *walls,
    const char *const **out_files, writ_error *err)
{
	struct w_constraints_list list = {.constraints = walls->constraints};
	struct dirs dirs = {.cache.index = walls->name_index};
	const struct constraints_programs_search search = {
	    .list = &list, .dirs = &dirs};

	constraints_programs_add_list(&dirs, walls->path_list);
	for (size_t i = 0; i < walls->facts->count; i++)
		take_helpers(
		    &search, walls->facts->commands[i].analysis->helpers);
	w_existence_cache_done(&dirs.cache);
	*out_files = w_constraints_list_end(&list);
	return *out_files == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* ---- denied programs ---- */

/* Whether a rule denies programs and has no other condition. */
static bool
constraints_programs_is_plain(const struct w_rule *rule)
{
	for (size_t i = 0; i < 4; i++) {
		if (rule->paths[i] != NULL)
			return false;
	}
	return rule->kind == W_RULE_PLAIN && rule->verdict == W_DENY &&
	       rule->programs != NULL && rule->agents == NULL &&
	       rule->called_as == NULL && rule->modules == NULL &&
	       rule->called == NULL && rule->input_count == 0 &&
	       rule->effects == 0 && rule->hosts == NULL &&
	       rule->variables == NULL && rule->shape_count == 0 &&
	       rule->is_shell < 0 && rule->shell_text == NULL &&
	       rule->walls_min == 0 && rule->walls_below == 0 &&
	       rule->networks == 0 && rule->time == NULL && rule->until == 0 &&
	       rule->project == NULL;
}

static void
take_rules(const struct constraints_programs_search *search,
    const struct w_rule *const *rules)
{
	for (; rules != NULL && *rules != NULL; rules++) {
		if (!constraints_programs_is_plain(*rules))
			continue;
		for (w_globs glob = (*rules)->programs; *glob != NULL; glob++) {
			/* Listing directories is too slow for every run. */
			if (!has_wildcard(*glob))
				take_glob(search, *glob);
		}
	}
}

/* What is looked for, as a text: PATH, then the names. Nothing for names that
 * are files: their directories are not looked at. */
static bool
add_question(struct w_buf *question, const struct w_rule *const *rules)
{
	for (; rules != NULL && *rules != NULL; rules++) {
		if (!constraints_programs_is_plain(*rules))
			continue;
		for (w_globs glob = (*rules)->programs; *glob != NULL; glob++) {
			if (strchr(*glob, '/') != NULL)
				return false;
			w_buf_add_str(question, *glob);
			w_buf_add_char(question, '\n');
		}
	}
	return true;
}

static bool
denies_programs(const struct w_rule *const *rules)
{
	while (rules != NULL && *rules != NULL &&
	       !constraints_programs_is_plain(*rules))
		rules++;
	return rules != NULL && *rules != NULL;
}

static bool
has_denied_programs(const struct w_constraints *constraints)
{
	for (size_t i = 0; i < constraints->count; i++) {
		if (denies_programs(constraints->tiers[i].policy->rules) ||
		    (constraints->agents[i] != NULL &&
			denies_programs(constraints->agents[i]->rules)))
			return true;
	}
	return false;
}

static bool
make_question(const struct w_constraints_walls *walls, struct w_buf *question)
{
	const struct w_constraints *constraints = walls->constraints;
	bool is_lasting = true;

	w_buf_add_str(
	    question, walls->path_list == NULL ? "" : walls->path_list);
	w_buf_add_char(question, '\n');
	for (size_t i = 0; i < constraints->count && is_lasting; i++) {
		is_lasting =
		    add_question(question, constraints->tiers[i].policy->rules);
		if (is_lasting && constraints->agents[i] != NULL)
			is_lasting = add_question(
			    question, constraints->agents[i]->rules);
	}
	return is_lasting && !question->failed;
}

/* Keeps what was found for the next run, unless a directory could change
 * unseen. */
static void
keep_denied(struct w_denied_programs *denied, const char *question,
    const struct dirs *dirs, const char *const *files,
    const char *const *leaving)
{
	char path[DIR_MAX];

	if (dirs->count > W_DENIED_DIRS_MAX)
		return;
	for (size_t i = 0; i < dirs->count; i++) {
		memcpy(path, dirs->paths[i], dirs->lens[i]);
		path[dirs->lens[i]] = '\0';
		W_AUTO_FD int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0 || !w_file_mark_is_settled(&dirs->marks[i], fd))
			return;
	}
	w_denied_programs_keep(
	    denied, question, dirs->marks, dirs->count, files, leaving);
}

/* Takes what the last answer was. Where a link leads out of the directories is
 * asked again. */
static void
take_known(const struct constraints_programs_search *search,
    const struct w_denied_programs *denied)
{
	for (size_t i = 0; i < denied->files.count; i++)
		w_constraints_list_copy(search->list, denied->files.items[i]);
	for (size_t i = 0; i < denied->leaving.count; i++)
		(void)take_path(search, denied->leaving.items[i]);
}

static void
look_for_denied(const struct constraints_programs_search *search,
    const struct w_constraints *constraints)
{
	for (size_t i = 0; i < constraints->count; i++) {
		take_rules(search, constraints->tiers[i].policy->rules);
		if (constraints->agents[i] != NULL)
			take_rules(search, constraints->agents[i]->rules);
	}
}

writ_status
w_constraints_denied_programs(const struct w_constraints_walls *walls,
    const char *const **out_files, writ_error *err)
{
	struct w_constraints *constraints = walls->constraints;
	struct w_denied_programs *denied = walls->denied;
	struct w_constraints_list list = {.constraints = constraints};
	struct w_constraints_list leaving = {.constraints = constraints};
	struct dirs dirs = {.cache.index = walls->name_index};
	struct constraints_programs_search search = {
	    .list = &list, .dirs = &dirs, .is_exact = true};
	W_AUTO_BUF struct w_buf question;

	w_buf_init(&question, QUESTION_MAX);
	if (!has_denied_programs(constraints)) {
		*out_files = w_constraints_list_end(&list);
		return *out_files == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
	}
	/* The first run may be the only one. */
	const bool is_lasting =
	    make_question(walls, &question) && denied->was_asked;
	denied->was_asked = true;
	constraints_programs_add_list(&dirs, walls->path_list);
	constraints_programs_add_list(&dirs, usual);
	const bool is_known =
	    is_lasting && w_denied_programs_are_known(
			      denied, question.data, dirs.marks, dirs.count);
	if (is_known) {
		take_known(&search, denied);
	} else {
		search.leaving = is_lasting ? &leaving : NULL;
		look_for_denied(&search, constraints);
	}
	w_existence_cache_done(&dirs.cache);
	*out_files = w_constraints_list_end(&list);
	const char *const *left = w_constraints_list_end(&leaving);
	if (*out_files == NULL || left == NULL)
		return w_fail_nomem(err, STAGE);
	if (!is_known && is_lasting)
		keep_denied(denied, question.data, &dirs, *out_files, left);
	return WRIT_OK;
}
