/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Protected places inside the workspace: what a later, unconfined command
 * would execute or trust. The workspace is the current directory.
 */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/fs.h>

static int
plain_write(void)
{
	const int fd = open("plain", O_WRONLY | O_CLOEXEC);

	return outcome(fd);
}

static int
new_hook(void)
{
	static const char path[] = ".git/hooks/post-commit";
	const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0755);

	if (fd < 0)
		return -errno;
	(void)unlink(path);
	return OPEN;
}

static int
old_hook(void)
{
	return outcome(open(".git/hooks/pre-commit", O_WRONLY | O_CLOEXEC));
}

static int
chmod_hook(void)
{
	return outcome(chmod(".git/hooks/pre-commit", 0755));
}

static int
linked_hook(void)
{
	int result;

	if (link(".git/hooks/pre-commit", "hook") < 0)
		return -errno;
	result = outcome(open("hook", O_WRONLY | O_CLOEXEC));
	(void)unlink("hook");
	return result;
}

static int
git_config(void)
{
	return outcome(open(".git/config", O_WRONLY | O_APPEND | O_CLOEXEC));
}

/* As git does it: a new file takes the old one's place. */
static int
git_config_replaced(void)
{
	const int fd = open(
	    ".git/config.lock", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
	int result;

	if (fd < 0)
		return -errno;
	if (link(".git/config", ".git/config.old") < 0) {
		result = -errno;
		(void)unlink(".git/config.lock");
		return result;
	}
	result = outcome(rename(".git/config.lock", ".git/config"));
	if (result == OPEN)
		(void)rename(".git/config.old", ".git/config");
	(void)unlink(".git/config.old");
	(void)unlink(".git/config.lock");
	return result;
}

static int
move_and_back(const char *from, const char *to)
{
	if (rename(from, to) < 0)
		return -errno;
	(void)rename(to, from);
	return OPEN;
}

static int
move_git(void)
{
	return move_and_back(".git", "git.old");
}

static int
move_hooks(void)
{
	return move_and_back(".git/hooks", ".git/hooks.old");
}

static int
exchange_git(void)
{
	int result;

	if (mkdir("swap", 0755) < 0)
		return -errno;
	result = outcome(syscall(SYS_renameat2, AT_FDCWD, "swap", AT_FDCWD,
	    ".git", RENAME_EXCHANGE));
	if (result == OPEN)
		(void)syscall(SYS_renameat2, AT_FDCWD, "swap", AT_FDCWD, ".git",
		    RENAME_EXCHANGE);
	(void)rmdir("swap");
	return result;
}

static int
own_policy(void)
{
	return outcome(
	    open(".writ/policy.yaml", O_WRONLY | O_APPEND | O_CLOEXEC));
}

static int
move_policy(void)
{
	return move_and_back(".writ", "writ.old");
}

/* What is protected but not there can only be looked at afterwards. */
static int
create_protected(void)
{
	const int fd = open(".bashrc", O_CREAT | O_WRONLY | O_CLOEXEC, 0644);

	if (fd < 0)
		return -errno;
	(void)close(fd);
	return TRIED;
}

static int
move_workspace(void)
{
	const char *path = fact("workspace");
	const char *to = beneath("outside", "workspace");

	return path == NULL || to == NULL ? CANNOT : move_and_back(path, to);
}

/* Read it may be, but what the workspace links to outside may not. */
static int
planted_link(void)
{
	return holds_secret("to-hidden");
}

/* For as long as it lasts, a protected directory is a link to the hidden every
 * other moment: whoever looks twice sees two things. */
static int
flip(void)
{
	const pid_t parent = getppid();

	(void)alarm(0);
	for (useconds_t i = 0; getppid() == parent; i++) {
		(void)syscall(SYS_renameat2, AT_FDCWD, ".vscode", AT_FDCWD,
		    "vscode-link", RENAME_EXCHANGE);
		(void)usleep(i * 37 % 2000);
	}
	return TRIED;
}

static int
read_flipped(void)
{
	int result = holds_secret(".vscode/file");

	for (int i = 0; i < 200 && result != OPEN; i++)
		result = holds_secret(".vscode/file");
	return result;
}

const struct attempt workspace_attempts[] = {
    {"workspace-write", "write a plain file of the workspace", plain_write,
	false},
    {"planted-link", "follow a link in the workspace to the hidden",
	planted_link, false},
    {"hook-new", "add a git hook", new_hook, false},
    {"hook-old", "change a git hook", old_hook, false},
    {"hook-chmod", "make a git hook executable", chmod_hook, false},
    {"hook-linked", "change a git hook by a hard link", linked_hook, false},
    {"git-config", "change .git/config", git_config, false},
    {"git-config-replaced", "put another .git/config in its place",
	git_config_replaced, false},
    {"git-moved", "rename .git away", move_git, false},
    {"git-exchanged", "exchange .git with a directory of its own", exchange_git,
	false},
    {"hooks-moved", "rename .git/hooks away", move_hooks, false},
    {"policy", "change the project's policy in .writ", own_policy, false},
    {"policy-moved", "rename .writ away", move_policy, false},
    {"protected-new", "create a protected file that was not there",
	create_protected, true},
    {"flip", "exchange a protected directory and a link all the time", flip,
	true},
    {"flipped", "read the hidden through it meanwhile", read_flipped, true},
    {"workspace-moved", "move the workspace itself", move_workspace, false},
    {NULL, NULL, NULL, false},
};
