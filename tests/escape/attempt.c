/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tries to get out: one named attempt for each run.
 *
 *     attempt --list                      family, name, alone, what it does
 *     attempt NAME [FACT=VALUE]...        facts: what the stage looks like
 *     attempt --together [FACT=VALUE]...  one after the other, those that do
 *                                         not need a run of their own
 *     attempt --has-landlock              whether the kernel has it
 *     attempt --walls [FACT=VALUE]...     the layers that the kernel shows
 *
 * The answer is one line: OPEN, CLOSED with the errno or the signal that ended
 * it, CANNOT where there is nothing to try it on, or TRIED where only the
 * outside can tell. It needs no files of the machine: it is linked statically.
 */

#include "attempt.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct family families[] = {
    {"files", file_attempts},
    {"files", metadata_attempts},
    {"files", detour_attempts},
    {"files", input_attempts},
    {"files", workspace_attempts},
    {"processes", process_attempts},
    {"processes", tree_attempts},
    {"leaks", leak_attempts},
    {"leaks", ipc_attempts},
    {"leaks", neighbour_attempts},
    {"network", network_attempts},
    {"network", socket_attempts},
    {"kernel", namespace_attempts},
    {"kernel", mount_attempts},
    {"kernel", kernel_attempts},
    {"kernel", machine_attempts},
    {"kernel", privilege_attempts},
    {"limits", limit_attempts},
};

/* An attempt that hangs is an error of the attempt. */
enum {
	PATIENCE_S = 10
};

static char **facts;

pid_t starter;

const char *
fact(const char *name)
{
	const size_t len = strlen(name);

	for (char **word = facts; *word != NULL; word++)
		if (strncmp(*word, name, len) == 0 && (*word)[len] == '=' &&
		    (*word)[len + 1] != '\0')
			return *word + len + 1;
	return NULL;
}

long
fact_number(const char *name)
{
	const char *text = fact(name);

	return text == NULL ? -1 : strtol(text, NULL, 10);
}

const char *
beneath(const char *directory_fact, const char *name)
{
	static char paths[4][PATH_MAX];
	static unsigned next;
	const char *directory = fact(directory_fact);
	char *path = paths[next++ % 4];

	if (directory == NULL)
		return NULL;
	(void)snprintf(path, sizeof(paths[0]), "%s/%s", directory, name);
	return path;
}

int
outcome(long result)
{
	return result < 0 ? -errno : OPEN;
}

int
fd_holds_secret(int fd)
{
	char text[64] = "";
	const char *token = fact("token");
	const ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	if (token == NULL)
		return CANNOT;
	if (n < 0)
		return -errno;
	return strncmp(text, token, strlen(token)) == 0 ? OPEN : -ENODATA;
}

int
holds_secret(const char *path)
{
	int fd;
	int result;

	if (path == NULL)
		return CANNOT;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	result = fd_holds_secret(fd);
	(void)close(fd);
	return result;
}

static bool
may_create_in(const char *directory)
{
	const int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		return false;
	(void)close(fd);
	return true;
}

const char *
own_directory(void)
{
	const char *tmp = getenv("TMPDIR");

	if (may_create_in("."))
		return ".";
	return tmp != NULL ? tmp : "/tmp";
}

bool
each_process(bool (*see)(pid_t pid, void *ctx), void *ctx)
{
	DIR *directory = opendir("/proc");
	bool found = false;

	if (directory == NULL)
		return false;
	while (!found) {
		const struct dirent *entry = readdir(directory);

		if (entry == NULL)
			break;
		if (isdigit((unsigned char)entry->d_name[0]))
			found = see((pid_t)atoi(entry->d_name), ctx);
	}
	(void)closedir(directory);
	return found;
}

/* The attempt happens in a child: some are answered with a signal. */
static int
answer(const struct attempt *attempt)
{
	int status;
	const pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		int result;

		(void)alarm(PATIENCE_S);
		result = attempt->try();

		_exit(result < 0 ? -result : 200 + result);
	}
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	if (WIFSIGNALED(status))
		return -1000 - WTERMSIG(status);
	if (WEXITSTATUS(status) >= 200)
		return WEXITSTATUS(status) - 200;
	return -WEXITSTATUS(status);
}

static int
say(int result)
{
	if (result == OPEN)
		return puts("OPEN");
	if (result == CANNOT)
		return puts("CANNOT");
	if (result == TRIED)
		return puts("TRIED");
	if (result <= -1000)
		return printf("CLOSED SIG%s\n", sigabbrev_np(-1000 - result));
	return printf("CLOSED %s\n", strerrorname_np(-result));
}

static void
list(void)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (const struct attempt *a = families[i].attempts;
		     a->name != NULL; a++)
			(void)printf("%s\t%s\t%s\t%s\n", families[i].name,
			    a->name, a->is_alone ? "alone" : "together",
			    a->what);
}

/* Each in a process of its own, inside the same walls. */
static int
together(void)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (const struct attempt *a = families[i].attempts;
		     a->name != NULL; a++) {
			if (a->is_alone)
				continue;
			(void)printf("%s ", a->name);
			(void)fflush(stdout);
			(void)say(answer(a));
			(void)fflush(stdout);
		}
	return 0;
}

static const struct attempt *
find(const char *name)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (const struct attempt *a = families[i].attempts;
		     a->name != NULL; a++)
			if (strcmp(a->name, name) == 0)
				return a;
	return NULL;
}

int
main(int argc, char **argv)
{
	const struct attempt *attempt;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		list();
		return 0;
	}
	/* What privileges an exec brought: see privilege_attempts. */
	if (argc == 2 && strcmp(argv[1], "--effective-user") == 0)
		return geteuid() == getuid() ? 0 : 1;
	if (argc == 2 && strcmp(argv[1], "--has-landlock") == 0)
		return has_landlock() ? 0 : 1;
	starter = getppid();
	facts = argc < 2 ? argv + 1 : argv + 2;
	if (argc > 1 && strcmp(argv[1], "--together") == 0)
		return together();
	if (argc > 1 && strcmp(argv[1], "--walls") == 0)
		return show_walls();
	attempt = argc < 2 ? NULL : find(argv[1]);
	if (attempt == NULL) {
		(void)fprintf(stderr, "attempt: no such attempt\n");
		return 2;
	}
	return say(answer(attempt)) < 0 ? 3 : 0;
}
