/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Finds the triggers in a git directory: what in it, and what it points to,
 * makes git run a program.
 */

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/buf.h"
#include "os/file.h"
#include "os/resolve.h"
#include "trigger/git_config.h"
#include "trigger/trigger.h"

#define TEXT_MAX ((size_t)64 << 10)

static const char why_hook[] = "git runs it as a hook";
static const char why_settings[] = "git runs what it names";
static const char why_elsewhere[] =
    "git takes its hooks and settings from where it points";

/* ---- reading ---- */

/* Reads a whole file. false: not a regular file, too long, or not readable. */
static bool
git_dir_read_text(int dir_fd, const char *name, struct w_buf *text)
{
	struct stat found;
	W_AUTO_FD int fd = openat(
	    dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	return fd >= 0 && fstat(fd, &found) == 0 && S_ISREG(found.st_mode) &&
	       w_file_read_all(fd, text) == 0;
}

/* ---- settings ---- */

/* The git directory whose config is being read. */
struct git_dir_look {
	struct w_trigger_search *search;
	const char *git;  /* path below the root */
	bool is_harmless; /* no setting runs a program */
};

/* Resolves a path in a setting, relative to the git directory. false: it is not
 * below the root. */
static bool
find_beneath(
    const struct git_dir_look *look, const char *value, char out_path[PATH_MAX])
{
	const char *root = look->search->root;
	char dir[PATH_MAX];
	char path[PATH_MAX];

	if (value[0] == '~' || value[0] == '\0' ||
	    !w_resolve_text(
		root, look->git[0] == '\0' ? "." : look->git, dir) ||
	    !w_resolve_text(dir, value, path) || !w_resolve_is_in(path, root))
		return false;
	const char *rest = path + strlen(root);
	rest += strspn(rest, "/");
	memcpy(out_path, rest, strlen(rest) + 1);
	return rest[0] != '\0';
}

/* core.hooksPath is relative to the work tree. */
static void
look_at_hooks_path(const struct git_dir_look *look, const char *value)
{
	W_AUTO_FREE char *from_git = NULL;
	char path[PATH_MAX];

	if (asprintf(&from_git, "%s%s", value[0] == '/' ? "" : "../", value) <
	    0) {
		from_git = NULL;
		look->search->triggers->is_cut = true;
		return;
	}
	if (find_beneath(look, from_git, path))
		w_trigger_push_folder(look->search, "", path, why_hook, false);
}

static void
look_at_include(const struct git_dir_look *look, const char *value)
{
	struct w_trigger_search *search = look->search;
	char path[PATH_MAX];
	unsigned mode;

	if (!find_beneath(look, value, path))
		return;
	char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	const char *dir = slash == NULL ? "" : path;
	if (slash != NULL)
		*slash = '\0';
	W_AUTO_FD int fd = w_trigger_open(search, dir, O_PATH | O_DIRECTORY);
	if (fd >= 0 && w_trigger_is_changed(search, fd, name, &mode))
		w_trigger_add(search, dir, name, why_settings);
}

static bool
take_setting(void *ctx, const char *key, const char *value)
{
	struct git_dir_look *look = ctx;

	if (strcmp(key, "core.hookspath") == 0)
		look_at_hooks_path(look, value);
	else if (strcmp(key, "include.path") == 0 ||
		 strcmp(key, "includeif.path") == 0)
		look_at_include(look, value);
	if (!w_git_setting_is_harmless(key, value))
		look->is_harmless = false;
	return true;
}

/* The settings of a repository that a layer lies on; they lead to files in the
 * layer. */
static void
look_below_at_settings(
    struct w_trigger_search *search, const char *git, const char *name)
{
	struct git_dir_look look = {.search = search, .git = git};
	W_AUTO_BUF struct w_buf text;
	W_AUTO_FD int fd =
	    w_trigger_open_low(search, git, O_RDONLY | O_DIRECTORY);

	w_buf_init(&text, TEXT_MAX);
	if (fd >= 0 && git_dir_read_text(fd, name, &text))
		(void)w_git_config_read(
		    text.data, text.len, take_setting, &look);
}

void
w_trigger_search_settings(struct w_trigger_search *search, const char *git)
{
	look_below_at_settings(search, git, "config");
	look_below_at_settings(search, git, "config.worktree");
}

static void
look_at_settings(
    struct w_trigger_search *search, int fd, const char *git, const char *name)
{
	struct git_dir_look look = {
	    .search = search, .git = git, .is_harmless = true};
	W_AUTO_BUF struct w_buf text;
	unsigned mode;

	w_buf_init(&text, TEXT_MAX);
	const bool is_changed = w_trigger_is_changed(search, fd, name, &mode);
	if (mode == 0) {
		look_below_at_settings(search, git, name);
		return;
	}
	if (!git_dir_read_text(fd, name, &text) ||
	    !w_git_config_read(text.data, text.len, take_setting, &look))
		look.is_harmless = false;
	if (is_changed && !look.is_harmless)
		w_trigger_add(search, git, name, why_settings);
}

/* ---- the rest of the directory ---- */

/* git rebase --continue runs these lines. */
static bool
has_exec_line(const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));

		if (line_end == NULL)
			line_end = end;
		while (text < line_end && (*text == ' ' || *text == '\t'))
			text++;
		const size_t rest = (size_t)(line_end - text);
		if ((rest > 2 && memcmp(text, "x ", 2) == 0) ||
		    (rest > 2 && memcmp(text, "x\t", 2) == 0) ||
		    (rest > 4 && memcmp(text, "exec", 4) == 0))
			return true;
		text = line_end + 1;
	}
	return false;
}

static void
look_at_todo(struct w_trigger_search *search, int fd, const char *git)
{
	static const char name[] = "rebase-merge/git-rebase-todo";
	W_AUTO_BUF struct w_buf text;
	unsigned mode;

	w_buf_init(&text, TEXT_MAX);
	/* It is git's own state: told, and not held back. */
	if (search->take == NULL &&
	    w_trigger_is_changed(search, fd, name, &mode) &&
	    (!git_dir_read_text(fd, name, &text) ||
		has_exec_line(text.data, text.len)))
		w_trigger_add(search, git, name,
		    "git runs its exec lines when the rebase goes on");
}

/* ---- linked work trees ---- */

/* git writes "../.." there. Anything else is another repository. */
static bool
is_own_repository(int fd)
{
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	return git_dir_read_text(fd, "commondir", &text) &&
	       (strcmp(text.data, "../..\n") == 0 ||
		   strcmp(text.data, "../..") == 0);
}

static void
look_at_worktree(
    struct w_trigger_search *search, const char *folder, const char *name)
{
	W_AUTO_FREE char *path = NULL;
	unsigned mode;

	if (asprintf(&path, "%s/%s", folder, name) < 0) {
		path = NULL;
		search->triggers->is_cut = true;
		return;
	}
	W_AUTO_FD int fd = w_trigger_open(search, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return;
	look_at_settings(search, fd, path, "config.worktree");
	if (w_trigger_is_changed(search, fd, "commondir", &mode) &&
	    !is_own_repository(fd))
		w_trigger_add(search, path, "commondir", why_elsewhere);
	look_at_todo(search, fd, path);
}

static void
git_dir_close(DIR **dir)
{
	if (*dir != NULL)
		(void)closedir(*dir);
}

/* The state of the work trees elsewhere: their .git files lead here. */
static void
look_at_worktrees(struct w_trigger_search *search, const char *git)
{
	W_AUTO_FREE char *folder = NULL;
	const struct dirent *entry;

	if (asprintf(&folder, "%s%sworktrees", git, git[0] == '\0' ? "" : "/") <
	    0) {
		folder = NULL;
		search->triggers->is_cut = true;
		return;
	}
	W_AUTO_FD int fd =
	    w_trigger_open(search, folder, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return;
	__attribute__((cleanup(git_dir_close))) DIR *dir = fdopendir(fd);
	if (dir == NULL)
		return;
	(void)w_take_fd(&fd);
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		if (search->triggers->looked_at++ >= search->entries_max) {
			search->triggers->is_cut = true;
			return;
		}
		look_at_worktree(search, folder, entry->d_name);
	}
}

void
w_trigger_search_git(struct w_trigger_search *search, int fd, const char *path)
{
	unsigned mode;

	look_at_settings(search, fd, path, "config");
	look_at_settings(search, fd, path, "config.worktree");
	if (w_trigger_is_changed(search, fd, "commondir", &mode))
		w_trigger_add(search, path, "commondir", why_elsewhere);
	look_at_todo(search, fd, path);
	look_at_worktrees(search, path);
	const bool is_changed =
	    w_trigger_is_changed(search, fd, "hooks", &mode);
	if (mode == S_IFDIR)
		w_trigger_push_folder(search, path, "hooks", why_hook, false);
	else if (is_changed)
		w_trigger_add(search, path, "hooks", why_hook);
	if (faccessat(fd, "modules", F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		w_trigger_push_folder(search, path, "modules", NULL, false);
}

/* Not "/.git/modules/../../elsewhere". */
static bool
leads_into(const char *text, const char *folder)
{
	const char *at = strstr(text, folder);

	return at != NULL && strstr(at, "..") == NULL;
}

/* Submodules and worktrees point to directories that are searched anyway. */
void
w_trigger_search_git_file(
    struct w_trigger_search *search, int dir_fd, const char *dir)
{
	W_AUTO_BUF struct w_buf text;
	unsigned mode;

	w_buf_init(&text, TEXT_MAX);
	if (!w_trigger_is_changed(search, dir_fd, ".git", &mode))
		return;
	if (mode == S_IFREG && git_dir_read_text(dir_fd, ".git", &text) &&
	    (leads_into(text.data, "/.git/modules/") ||
		leads_into(text.data, "/.git/worktrees/")))
		return;
	w_trigger_add(search, dir, ".git", why_elsewhere);
}
