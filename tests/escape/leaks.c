/* SPDX-License-Identifier: Apache-2.0 */

/* What a command is given without anybody meaning to: descriptors,
 * environment, keys, the memory of those who started it. */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/keyctl.h>

static int
inherited_fd(void)
{
	const long fd = fact_number("fd");

	return fd < 0 ? CANNOT : fd_holds_secret((int)fd);
}

static int
any_fd(void)
{
	for (int fd = 3; fd < 4096; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return OPEN;
	return -EBADF;
}

/* A directory descriptor is a way out of any root. */
static int
directory_fd(void)
{
	struct stat about;

	for (int fd = 0; fd < 4096; fd++)
		if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode))
			return OPEN;
	return -EBADF;
}

static int
own_environment(void)
{
	const char *token = fact("token");

	if (token == NULL)
		return CANNOT;
	for (char **word = environ; *word != NULL; word++)
		if (strstr(*word, token) != NULL)
			return OPEN;
	return -ENOENT;
}

static bool
has_token(pid_t pid, const char *file)
{
	static char content[1 << 18];
	const char *token = fact("token");
	char path[64];
	ssize_t n;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || token == NULL)
		return false;
	n = read(fd, content, sizeof(content));
	(void)close(fd);
	return n > 0 &&
	       memmem(content, (size_t)n, token, strlen(token)) != NULL;
}

static bool
environ_has_token(pid_t pid, void *ctx)
{
	(void)ctx;
	return pid != getpid() && pid != getppid() && has_token(pid, "environ");
}

static int
any_environment(void)
{
	return each_process(environ_has_token, NULL) ? OPEN : -ESRCH;
}

static int
engine_environment(void)
{
	return has_token(starter, "environ") ? OPEN : -EACCES;
}

static int
open_memory(pid_t pid)
{
	char path[64];
	const int flags = O_RDONLY | O_CLOEXEC;

	(void)snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	return outcome(open(path, flags));
}

static int
init_memory(void)
{
	return open_memory(1);
}

/* What process 1 has open: it was there before the walls. */
static int
init_descriptors(void)
{
	char path[64];
	int result = -EBADF;

	for (int fd = 0; fd < 64 && result != OPEN; fd++) {
		(void)snprintf(path, sizeof(path), "/proc/1/fd/%d", fd);
		result = outcome(open(path, O_PATH | O_CLOEXEC));
	}
	return result;
}

static int
engine_memory(void)
{
	return starter <= 0 ? -ESRCH : open_memory(starter);
}

/* ETXTBSY comes after the permission: once the process has ended, or with a
 * descriptor kept until then, the file can be written. Only a mount for reading
 * would be looked at later still. */
static int
overwrite(const char *path)
{
	struct statvfs about;
	const int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		return OPEN;
	if (errno != ETXTBSY)
		return -errno;
	if (statvfs(path, &about) == 0 && (about.f_flag & ST_RDONLY) != 0)
		return -EROFS;
	return OPEN;
}

static int
engine_program(void)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/exe", starter);
	return overwrite(starter <= 0 ? "/proc/1/exe" : path);
}

static int
init_program(void)
{
	return overwrite("/proc/1/exe");
}

static int
read_key(const char *name)
{
	const long key = fact_number(name);
	char text[64] = "";
	long n;

	if (key < 0)
		return CANNOT;
	/* Whoever owns the user's keyring may take it into the session. */
	(void)syscall(SYS_keyctl, KEYCTL_LINK, KEY_SPEC_USER_KEYRING,
	    KEY_SPEC_SESSION_KEYRING);
	n = syscall(SYS_keyctl, KEYCTL_READ, key, text, sizeof(text));
	return outcome(n);
}

static int
session_key(void)
{
	return read_key("key");
}

static int
user_key(void)
{
	return read_key("userkey");
}

static int
search_session(void)
{
	if (fact("key") == NULL)
		return CANNOT;
	return outcome(syscall(SYS_keyctl, KEYCTL_SEARCH,
	    KEY_SPEC_SESSION_KEYRING, "user", "escape", 0));
}

static int
core_dump(void)
{
	const struct rlimit limit = {1 << 20, 1 << 20};
	int status;
	const pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		if (chdir(own_directory()) < 0)
			_exit(1);
		(void)setrlimit(RLIMIT_CORE, &limit);
		abort();
	}
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	(void)unlink("core");
	return WIFSIGNALED(status) && WCOREDUMP(status) ? OPEN : -EPERM;
}

const struct attempt leak_attempts[] = {
    {"inherited-fd", "read a descriptor that the caller left open",
	inherited_fd, false},
    {"any-fd", "find any descriptor besides the standard streams", any_fd,
	false},
    {"directory-fd", "find a descriptor of a directory", directory_fd, false},
    {"environment", "find the caller's secret in the environment",
	own_environment, false},
    {"engine-environment", "find it in the environment of the starter",
	engine_environment, false},
    {"any-environment", "find it in the environment of any process",
	any_environment, false},
    {"init-memory", "open the memory of process 1", init_memory, false},
    {"init-fd", "open a descriptor of process 1", init_descriptors, false},
    {"engine-memory", "open the memory of the starter", engine_memory, false},
    {"engine-program", "open the starter's program for writing", engine_program,
	false},
    {"init-program", "open the program of process 1 for writing", init_program,
	false},
    {"session-key", "read a key of the caller's session", session_key, false},
    {"user-key", "read a key of the caller's user", user_key, false},
    {"key-search", "search the caller's session for a key", search_session,
	false},
    {"core-dump", "leave a core dump", core_dump, false},
    {NULL, NULL, NULL, false},
};
