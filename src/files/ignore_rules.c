/* SPDX-License-Identifier: Apache-2.0 */

/* The rules of .gitignore files; gitignore(5) has their meaning. */

#include "files/ignore_rules.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/basename.h"
#include "files/file_place.h"
#include "files/path_glob.h"

enum {
	TEXT_MAX = 1 << 18,
	RULE_MAX = 1024,
};

/* Made by programs, and large. */
static const char *const noise[] = {".git", ".hg", ".svn", "node_modules",
    "__pycache__", ".venv", ".tox", ".mypy_cache", ".pytest_cache",
    ".ruff_cache"};

enum ignore_verdict {
	SAYS_NOTHING,
	IGNORED,
	WANTED,
};

void
w_files_ignore_init(struct w_files_ignore *ignore, const char *dir,
    const struct w_files_ignore *above)
{
	char path[PATH_MAX];
	W_AUTO_FD int fd = -1;
	struct stat st;

	ignore->above = above;
	ignore->dir_len = strlen(dir);
	w_buf_init(&ignore->text, TEXT_MAX);
	const int len = snprintf(path, sizeof(path), "%s/.gitignore", dir);
	if (len < 0 || (size_t)len >= sizeof(path) ||
	    w_files_open(path, &fd, &st) != 0 || fd < 0)
		return;
	if (w_files_load(fd, TEXT_MAX - 1, &ignore->text) != 0 ||
	    memchr(ignore->text.data, '\0', ignore->text.len) != NULL)
		ignore->text.len = 0;
}

void
w_files_ignore_done(struct w_files_ignore *ignore)
{
	w_buf_done(&ignore->text);
}

/* The rule as a glob over paths below its directory; false: it is none. */
static bool
ignore_rules_read(const char *line, size_t len, char glob[RULE_MAX + 4],
    bool *out_is_wanted, bool *out_is_dir)
{
	while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\r' ||
			      line[len - 1] == '\t'))
		len--;
	if (len == 0 || line[0] == '#' || len > RULE_MAX)
		return false;
	*out_is_wanted = line[0] == '!';
	if (*out_is_wanted) {
		line++;
		len--;
	}
	*out_is_dir = len > 0 && line[len - 1] == '/';
	len -= *out_is_dir;
	if (len == 0)
		return false;
	const bool has_slash = memchr(line, '/', len) != NULL;
	const bool is_rooted = line[0] == '/';
	(void)snprintf(glob, RULE_MAX + 4, "%s%.*s", has_slash ? "" : "**/",
	    (int)len - is_rooted, line + is_rooted);
	return true;
}

/* The last rule that matches says. */
static enum ignore_verdict
ignore_rules_ask(
    const struct w_files_ignore *ignore, const char *below, bool is_dir)
{
	const char *at = ignore->text.data;
	const char *end = at + ignore->text.len;
	enum ignore_verdict verdict = SAYS_NOTHING;
	char glob[RULE_MAX + 4];

	while (at < end) {
		const char *found = memchr(at, '\n', (size_t)(end - at));
		const size_t len = (size_t)((found == NULL ? end : found) - at);
		bool is_wanted = false, is_dir_only = false;

		if (ignore_rules_read(
			at, len, glob, &is_wanted, &is_dir_only) &&
		    (is_dir || !is_dir_only) && w_files_glob(glob, below))
			verdict = is_wanted ? WANTED : IGNORED;
		at += len + 1;
	}
	return verdict;
}

bool
w_files_is_ignored(
    const struct w_files_ignore *ignore, const char *path, bool is_dir)
{
	const char *name = w_basename(path);

	for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++) {
		if (is_dir && strcmp(name, noise[i]) == 0)
			return true;
	}
	for (; ignore != NULL; ignore = ignore->above) {
		const char *below = path + ignore->dir_len;
		const enum ignore_verdict verdict =
		    ignore_rules_ask(ignore, below + (*below == '/'), is_dir);

		if (verdict != SAYS_NOTHING)
			return verdict == IGNORED;
	}
	return false;
}
