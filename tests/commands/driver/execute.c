/* SPDX-License-Identifier: Apache-2.0 */

/* Runs the commands that a table calls harmless: a description is correct only
 * if the real program accepts the words, too. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "table.h"

#define SECONDS_MAX 20

static bool
is_there(const char *program)
{
	char dirs[] = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
	char *rest = dirs;

	if (strchr(program, '/') != NULL)
		return access(program, X_OK) == 0;
	for (char *dir = strsep(&rest, ":"); dir != NULL;
	     dir = strsep(&rest, ":")) {
		char path[PATH_MAX];

		(void)snprintf(path, sizeof(path), "%s/%s", dir, program);
		if (access(path, X_OK) == 0)
			return true;
	}
	return false;
}

static void
write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
		perror(path);
		_exit(126);
	}
}

/* A program that leaves a trace in the test directory when it is run, wherever
 * that happens. */
static void
write_evil(const char *dir)
{
	char text[PATH_MAX + 64];

	(void)snprintf(text, sizeof(text), "#!/bin/sh\n: >'%s/canary'\n", dir);
	write_text("evil", text);
	(void)chmod("evil", 0755);
	(void)snprintf(text, sizeof(text), "x:\n\t'%s/evil'\n", dir);
	write_text("evil.mk", text);
}

/* Files to count, sort and search, and a repository if a table needs one. */
static const char furnish_git[] =
    "git init -q -b main . && git config user.name writ && "
    "git config user.email writ@localhost && git add -A && "
    "git commit -q -m first && git tag v1 && echo more >>a.txt && "
    "git commit -q -a -m second";

static void
furnish(const char *dir, const char *setup)
{
	write_evil(dir);
	write_text("list", "canary\n");
	write_text("a.c", "int a;\n");
	write_text("a.json", "{\"a\": {\"b\": 1}}\n");
	write_text("notes..old.txt", "old\n");
	write_text("a.txt", "one 1\ntwo 2\nthree 3\n");
	write_text("b.txt", "two 2\nfour 4\n");
	(void)mkdir("dir", 0755);
	write_text("dir/c.txt", "five 5\n");
	if (system("tar -cf out.tar a.txt b.txt") !=
	    0) /* NOLINT(cert-env33-c) */
		_exit(126);
	if (setup == NULL)
		return;
	if (strcmp(setup, "git") == 0)
		setup = furnish_git;
	if (system(setup) != 0) { /* NOLINT(cert-env33-c): of the table */
		(void)fprintf(stderr, "setup failed: %s\n", setup);
		_exit(126);
	}
}

static void
set_environment(const char *dir, const char *const *env)
{
	(void)setenv("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", 1);
	(void)setenv("HOME", dir, 1);
	(void)setenv("LC_ALL", "C.UTF-8", 1);
	(void)setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	for (; env != NULL && *env != NULL; env++)
		(void)putenv((char *)(uintptr_t)*env);
}

/* Does not return. */
static void
run_in(const char *dir, const struct line *line)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int said = open("said", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (chdir(dir) != 0 || null < 0 || said < 0)
		_exit(126);
	(void)setsid();
	(void)alarm(SECONDS_MAX);
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	set_environment(dir, NULL);
	furnish(dir, line->setup);
	set_environment(dir, line->env);
	(void)dup2(said, STDERR_FILENO);
	(void)execvp(line->argv[0], (char *const *)(uintptr_t)line->argv);
	_exit(127);
}

static void
read_said(char *text, size_t size)
{
	FILE *file = fopen("said", "r");
	size_t got = 0;

	if (file != NULL) {
		got = fread(text, 1, size - 1, file);
		(void)fclose(file);
	}
	text[got] = '\0';
	for (char *c = text; *c != '\0'; c++) {
		if (*c == '\n')
			*c = ' ';
	}
}

static bool
has_made(const char *file)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "work/%s", file);
	return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void
compare_end(
    struct tap *tap, const struct line *line, const char *name, int status)
{
	yyjson_val *code = yyjson_obj_get(line->entry, "exit");
	const char *file = yyjson_get_str(yyjson_obj_get(line->entry, "makes"));
	const char *spared =
	    yyjson_get_str(yyjson_obj_get(line->entry, "spares"));
	char said[400];

	read_said(said, sizeof(said));
	if (code != NULL &&
	    (!WIFEXITED(status) || WEXITSTATUS(status) != yyjson_get_int(code)))
		tap_fail(tap, name, "expected exit %d, got %s %d: %s",
		    yyjson_get_int(code), WIFEXITED(status) ? "exit" : "signal",
		    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
		    said);
	else if (file != NULL && !has_made(file))
		tap_fail(tap, name, "it did not make '%s': %s", file, said);
	else if (spared != NULL && has_made(spared))
		tap_fail(tap, name, "it made '%s'", spared);
	else
		tap_ok(tap, name);
}

static void
remove_dir(const char *dir)
{
	char command[PATH_MAX];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	if (system(command) != 0) /* NOLINT(cert-env33-c): made by mkdtemp */
		perror(dir);
}

void
execute(struct tap *tap, const struct line *line)
{
	char name[4096];
	char work[64];
	char dir[] = "/tmp/writ-command-XXXXXX";
	int status = 0;

	(void)snprintf(name, sizeof(name), "%s: executed", line->text);
	if (!is_there(line->argv[0])) {
		tap_skip(tap, name, "the program is not installed");
		return;
	}
	(void)snprintf(
	    work, sizeof(work), "%s/work", mkdtemp(dir) != NULL ? dir : "");
	if (chdir(dir) != 0 || mkdir(work, 0755) != 0) {
		tap_fail(tap, name, "no directory: %s", strerror(errno));
		return;
	}
	(void)fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		run_in(work, line);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	compare_end(tap, line, name, status);
	if (chdir("/") != 0)
		abort();
	remove_dir(dir);
}
