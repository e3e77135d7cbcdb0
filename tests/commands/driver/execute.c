/* SPDX-License-Identifier: Apache-2.0 */

/* Runs what a table calls harmless: a description is only right when the real
 * program takes the words as well. */

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
		exit(2);
	}
}

/* Files that have something to count, sort and search, and a repository where
 * a table asks for one. */
static const char furnish_git[] =
    "git init -q -b main . && git config user.name writ && "
    "git config user.email writ@localhost && git add -A && "
    "git commit -q -m first && git tag v1 && echo more >>a.txt && "
    "git commit -q -a -m second";

static void
furnish(const char *setup)
{
	write_text("a.txt", "one 1\ntwo 2\nthree 3\n");
	write_text("b.txt", "two 2\nfour 4\n");
	(void)mkdir("dir", 0755);
	write_text("dir/c.txt", "five 5\n");
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
run_in(const char *dir, const char *const *argv, const char *setup)
{
	int null = open("/dev/null", O_RDWR);
	int said = open("said", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (chdir(dir) != 0 || null < 0 || said < 0)
		_exit(126);
	(void)setsid();
	(void)alarm(SECONDS_MAX);
	(void)setenv("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", 1);
	(void)setenv("HOME", dir, 1);
	(void)setenv("LC_ALL", "C.UTF-8", 1);
	(void)setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	furnish(setup);
	(void)dup2(said, STDERR_FILENO);
	(void)execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

static void
show_said(struct tap *tap, const char *name, int expected, int status)
{
	char text[400] = "";
	FILE *file = fopen("said", "r");

	if (file != NULL) {
		size_t got = fread(text, 1, sizeof(text) - 1, file);
		text[got] = '\0';
		(void)fclose(file);
	}
	for (char *c = text; *c != '\0'; c++) {
		if (*c == '\n')
			*c = ' ';
	}
	tap_fail(tap, name, "expected exit %d, got %s %d: %s", expected,
	    WIFEXITED(status) ? "exit" : "signal",
	    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), text);
}

static void
remove_dir(const char *dir)
{
	char command[PATH_MAX + 32];

	(void)snprintf(command, sizeof(command), "rm -rf '%s' said", dir);
	if (system(command) != 0) /* NOLINT(cert-env33-c): made by mkdtemp */
		perror(dir);
}

void
execute(struct tap *tap, const char *line, const char *const *argv,
    const char *setup, int expected)
{
	char name[4096];
	char dir[] = "/tmp/writ-command-XXXXXX";
	int status = 0;

	(void)snprintf(name, sizeof(name), "%s: executed", line);
	if (!is_there(argv[0])) {
		tap_skip(tap, name, "the program is not installed");
		return;
	}
	if (mkdtemp(dir) == NULL || chdir("/tmp") != 0) {
		tap_fail(tap, name, "no directory: %s", strerror(errno));
		return;
	}
	if (chdir(dir) != 0)
		abort();
	char work[PATH_MAX];
	(void)snprintf(work, sizeof(work), "%s/work", dir);
	(void)mkdir(work, 0755);
	(void)fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		run_in(work, argv, setup);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && WEXITSTATUS(status) == expected)
		tap_ok(tap, name);
	else
		show_said(tap, name, expected, status);
	if (chdir("/") != 0)
		abort();
	remove_dir(dir);
}
