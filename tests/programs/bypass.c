/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tries to run, map or read a program that only others may be.
 *
 *     bypass WAY FILE [LOADER]
 *
 * FILE is executed with the one argument "sing": this program then says
 * CANARY, and echo(1) repeats it. Ways that do less say what they did. Nothing
 * on standard output: the way is closed; standard error says by which errno.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char sing[] = "sing";

static int
refused(const char *what)
{
	(void)fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return 1;
}

/* A word for an argv; good for two at a time. */
static char *
word(const char *text)
{
	static char words[2][4096];
	static int next;
	char *copy = words[next++ % 2];

	(void)snprintf(copy, sizeof(words[0]), "%s", text);
	return copy;
}

static int
run_path(const char *path)
{
	char *argv[] = {word(path), sing, NULL};

	(void)execv(path, argv);
	return refused(path);
}

static int
run_fd(int fd)
{
	char name[] = "descriptor";
	char *argv[] = {name, sing, NULL};
	char *envp[] = {NULL};

	if (fd < 0)
		return refused("open");
	(void)syscall(SYS_execveat, fd, "", argv, envp, AT_EMPTY_PATH);
	return refused("execveat");
}

static int
run_loader(const char *loader, const char *path)
{
	char *argv[] = {word(loader), word(path), sing, NULL};

	(void)execv(loader, argv);
	return refused(loader);
}

static int
copy_to(const char *from, int to)
{
	char bytes[8192];
	ssize_t n;
	int fd = open(from, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || to < 0)
		return -1;
	while ((n = read(fd, bytes, sizeof(bytes))) > 0) {
		if (write(to, bytes, (size_t)n) != n)
			return -1;
	}
	(void)close(fd);
	return n < 0 ? -1 : fchmod(to, 0755);
}

static int
copy_as(const char *from, const char *to)
{
	int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	int ret = copy_to(from, fd);

	if (fd >= 0)
		(void)close(fd);
	return ret;
}

static int
run_copy(const char *from, const char *to, const char *loader)
{
	if (copy_as(from, to) < 0)
		return refused("copy");
	return loader == NULL ? run_path(to) : run_loader(loader, to);
}

static int
run_memory(const char *from, unsigned flags, const char *loader)
{
	char path[64];
	int fd = (int)syscall(SYS_memfd_create, "x", flags);

	if (fd < 0)
		return refused("memfd_create");
	if (copy_to(from, fd) < 0 && errno != EPERM)
		return refused("copy");
	if (loader == NULL)
		return run_fd(fd);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return run_loader(loader, path);
}

static int
run_nameless(const char *from, const char *dir)
{
	char path[64];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0755);

	if (copy_to(from, fd) < 0)
		return refused("copy");
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	/* Nothing that is open for writing is executed. */
	int again = open(path, O_RDONLY | O_CLOEXEC);
	(void)close(fd);
	return run_fd(again);
}

static int
run_script(const char *interpreter)
{
	FILE *file = fopen("script", "we");

	if (file == NULL)
		return refused("script");
	(void)fprintf(file, "#!%s sing\n", interpreter);
	(void)fclose(file);
	(void)chmod("script", 0755);
	return run_path("./script");
}

static int
map(const char *path, int first, int then)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return refused("open");
	void *at = mmap(NULL, 4096, first, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		return refused("mmap");
	if (then != 0 && mprotect(at, 4096, then) < 0)
		return refused("mprotect");
	(void)puts("mapped");
	return 0;
}

static int
read_it(const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, &byte, 1) != 1)
		return refused("read");
	(void)puts("read");
	return 0;
}

static int
write_it(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return refused("write");
	(void)puts("written");
	return 0;
}

static int
replace_it(const char *path)
{
	if (copy_as("/proc/self/exe", "other") < 0)
		return refused("copy");
	if (rename("other", path) < 0)
		return refused("rename");
	(void)puts("replaced");
	return 0;
}

/* Whether it can be executed at all, whatever it does then. */
static int
start_it(const char *path)
{
	int ends[2], error = 0;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return refused("pipe");
	pid_t pid = fork();
	if (pid == 0) {
		char *argv[] = {word(path), sing, NULL};

		(void)execv(path, argv);
		error = errno;
		(void)!write(ends[1], &error, sizeof(error));
		_exit(1);
	}
	(void)close(ends[1]);
	if (read(ends[0], &error, sizeof(error)) == 0)
		(void)puts("started");
	else
		(void)fprintf(stderr, "%s: %s\n", path, strerror(error));
	(void)waitpid(pid, NULL, 0);
	return 0;
}

static int
run_link(const char *path, int is_hard)
{
	(void)unlink("linked");
	if ((is_hard ? link(path, "linked") : symlink(path, "linked")) < 0)
		return refused("link");
	return run_path("./linked");
}

static int
try_file(const char *way, const char *file, const char *loader)
{
	if (strcmp(way, "path") == 0)
		return run_path(file);
	if (strcmp(way, "descriptor") == 0)
		return run_fd(open(file, O_RDONLY | O_CLOEXEC));
	if (strcmp(way, "handle") == 0)
		return run_fd(open(file, O_PATH | O_CLOEXEC));
	if (strcmp(way, "symlink") == 0)
		return run_link(file, 0);
	if (strcmp(way, "hardlink") == 0)
		return run_link(file, 1);
	if (strcmp(way, "script") == 0)
		return run_script(file);
	if (strcmp(way, "loader") == 0)
		return run_loader(loader, file);
	if (strcmp(way, "start") == 0)
		return start_it(file);
	if (strcmp(way, "map") == 0)
		return map(file, PROT_READ | PROT_EXEC, 0);
	if (strcmp(way, "protect") == 0)
		return map(file, PROT_READ, PROT_READ | PROT_EXEC);
	if (strcmp(way, "read") == 0)
		return read_it(file);
	if (strcmp(way, "write") == 0)
		return write_it(file);
	if (strcmp(way, "replace") == 0)
		return replace_it(file);
	return -1;
}

static int
try_copy(const char *way, const char *file, const char *loader)
{
	if (strcmp(way, "copy") == 0)
		return run_copy(file, "./copied", NULL);
	if (strcmp(way, "copy-tmp") == 0)
		return run_copy(file, "/tmp/copied", NULL);
	if (strcmp(way, "copy-shm") == 0)
		return run_copy(file, "/dev/shm/copied", NULL);
	if (strcmp(way, "copy-loader") == 0)
		return run_copy(file, "./copied", loader);
	if (strcmp(way, "copy-tmp-loader") == 0)
		return run_copy(file, "/tmp/copied", loader);
	if (strcmp(way, "copy-shm-loader") == 0)
		return run_copy(file, "/dev/shm/copied", loader);
	if (strcmp(way, "nameless") == 0)
		return run_nameless(file, ".");
	if (strcmp(way, "nameless-tmp") == 0)
		return run_nameless(file, "/tmp");
	if (strcmp(way, "memory") == 0)
		return run_memory(file, 0, NULL);
	if (strcmp(way, "memory-exec") == 0)
		return run_memory(file, 0x10, NULL);
	if (strcmp(way, "memory-sealed") == 0)
		return run_memory(file, 0x8, NULL);
	if (strcmp(way, "memory-loader") == 0)
		return run_memory(file, 0, loader);
	if (strcmp(way, "sealed-loader") == 0)
		return run_memory(file, 0x8, loader);
	return -1;
}

int
main(int argc, char **argv)
{
	if (argc >= 2 && strcmp(argv[1], sing) == 0) {
		(void)puts("CANARY");
		return 0;
	}
	if (argc < 3)
		return 96;
	const char *loader = argc > 3 ? argv[3] : "/nowhere";
	int ret = try_file(argv[1], argv[2], loader);
	if (ret < 0)
		ret = try_copy(argv[1], argv[2], loader);
	if (ret < 0)
		(void)puts("no such way");
	return ret;
}
