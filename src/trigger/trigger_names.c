/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Names that some program looks for in a project. What a person runs explicitly
 * (Makefile, package.json) is not among them: that is the project's own code.
 */

#include <limits.h>
#include <string.h>

#include "trigger/trigger.h"

static const struct row {
	const char *name;
	const char *parent; /* NULL: any */
	const char *why;
} rows[] = {
    {".bash_login", NULL, "a shell runs it"},
    {".bash_logout", NULL, "a shell runs it"},
    {".bash_profile", NULL, "a shell runs it"},
    {".bashrc", NULL, "a shell runs it"},
    {".circleci", NULL, "a build service runs it"},
    {".claude", NULL, "an agent obeys it"},
    {".codex", NULL, "an agent obeys it"},
    {".cursor", NULL, "an agent obeys it"},
    {".devcontainer", NULL, "editors build and start it"},
    {".devcontainer.json", NULL, "editors build and start it"},
    {".dir-locals.el", NULL, "emacs evaluates it"},
    {".envrc", NULL, "direnv runs it"},
    {".exrc", NULL, "vim runs it"},
    {".gdbinit", NULL, "gdb runs it"},
    {".gemini", NULL, "an agent obeys it"},
    {".gitconfig", NULL, "git runs what it names"},
    {".githooks", NULL, "git runs it as a hook"},
    {".gitlab-ci.yml", NULL, "a build service runs it"},
    {".gitmodules", NULL, "git fetches what it names"},
    {".husky", NULL, "git runs it as a hook"},
    {".idea", NULL, "an editor starts its tasks"},
    {".lldbinit", NULL, "lldb runs it"},
    {".mcp.json", NULL, "agents start the servers that it names"},
    {".mise", NULL, "mise runs what it names"},
    {".mise.toml", NULL, "mise runs what it names"},
    {".npmrc", NULL, "npm obeys it"},
    {".nvim.lua", NULL, "nvim runs it"},
    {".nvimrc", NULL, "nvim runs it"},
    {".pnpmfile.cjs", NULL, "pnpm runs it"},
    {".pre-commit-config.yaml", NULL, "git runs what it names before a commit"},
    {".profile", NULL, "a shell runs it"},
    {".ripgreprc", NULL, "ripgrep runs what it names"},
    {".vimrc", NULL, "vim runs it"},
    {".vscode", NULL, "an editor starts its tasks"},
    {".writ", NULL, "writ obeys it"},
    {".yarnrc", NULL, "yarn runs what it names"},
    {".yarnrc.yml", NULL, "yarn runs what it names"},
    {".zlogin", NULL, "a shell runs it"},
    {".zlogout", NULL, "a shell runs it"},
    {".zprofile", NULL, "a shell runs it"},
    {".zshenv", NULL, "a shell runs it"},
    {".zshrc", NULL, "a shell runs it"},
    {"actions", ".github", "a build service runs it"},
    {"config.fish", "fish", "a shell runs it"},
    {"config.toml", ".cargo", "cargo runs what it names"},
    {"lefthook.yml", NULL, "git runs what it names before a commit"},
    {"mise.toml", NULL, "mise runs what it names"},
    {"workflows", ".github", "a build service runs it"},
};

/* parent NULL: any. */
static const struct row *
row_of(const char *parent, const char *name)
{
	/* Almost all names of a project stop here. */
	if (strchr(".aclmw", name[0]) == NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];

		if (row->name[0] == name[0] && strcmp(row->name, name) == 0 &&
		    (row->parent == NULL || parent == NULL ||
			strcmp(row->parent, parent) == 0))
			return row;
	}
	return NULL;
}

const char *
w_trigger_why(const char *parent, const char *name)
{
	const struct row *row = row_of(parent, name);

	return row == NULL ? NULL : row->why;
}

bool
w_trigger_is_name(const char *name)
{
	return row_of(NULL, name) != NULL;
}

const char *
w_trigger_in_path(const char *path)
{
	char parent[NAME_MAX + 1] = "";
	char name[NAME_MAX + 1];

	while (*path != '\0') {
		const size_t len = strcspn(path, "/");

		if (len >= sizeof(name))
			return path;
		memcpy(name, path, len);
		name[len] = '\0';
		if (strcmp(name, ".git") == 0 ||
		    w_trigger_why(parent, name) != NULL)
			return path;
		if (len > 0)
			memcpy(parent, name, len + 1);
		path += len + (path[len] == '/');
	}
	return NULL;
}
