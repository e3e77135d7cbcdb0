/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Sets the stage for the attempts, as the user it is run by, runs a command on
 * it and clears it away.
 *
 *     stage DIRECTORY COMMAND ARG...
 *
 * The command finds the facts in ESCAPE_FACTS, as NAME=VALUE words, inherits a
 * descriptor of a secret, has a session key and a controlling terminal. A
 * second program (this one again, as escape-victim) is the rest of the machine:
 * it listens on every socket and is what the attempts attack. It ends when the
 * stage does.
 */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stage.h"
#include "victim.h"

static char facts[8192];

void
add_fact(const char *format, ...)
{
	const size_t len = strlen(facts);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(facts + len, sizeof(facts) - len, format, args);
	va_end(args);
	(void)strncat(facts, " ", sizeof(facts) - strlen(facts) - 1);
}

void
put_file(const char *path, const char *text)
{
	const int fd =
	    open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		perror(path);
		exit(2);
	}
	(void)close(fd);
}

static void
make_files(void)
{
	static const char *const directories[] = {"home", "home/.ssh", "hidden",
	    "outside", "tmp", "workspace", "workspace/.writ"};

	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++)
		(void)mkdir(directories[i], 0755);
	put_file("home/.ssh/id_ed25519", TOKEN);
	put_file("hidden/file", TOKEN);
	put_file("outside/file", TOKEN);
	put_file("outside/empty", "");
	put_file("outside/doomed", "");
	put_file("workspace/plain", "plain\n");
	put_file("workspace/.writ/policy.yaml", "version: 1\n");
	put_file("workspace/.git/hooks/pre-commit", "#!/bin/sh\n");
	(void)mkfifo("outside/fifo", 0644);
	(void)!symlink("../hidden/file", "workspace/to-hidden");
}

static void
add_paths(const char *directory)
{
	add_fact("token=%s secret=%s/home/.ssh/id_ed25519", TOKEN, directory);
	add_fact("hidden=%s/hidden outside=%s/outside bin=%s/bin", directory,
	    directory, directory);
	add_fact("workspace=%s/workspace", directory);
}

static void
add_null(void)
{
	struct stat about;

	if (stat("/dev/null", &about) == 0)
		add_fact("null=%ju:%ju", (uintmax_t)about.st_dev,
		    (uintmax_t)about.st_ino);
}

static void
add_namespaces(void)
{
	static const char *const kinds[] = {
	    "user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		char path[64];
		char id[64] = "";

		(void)snprintf(
		    path, sizeof(path), "/proc/self/ns/%s", kinds[i]);
		if (readlink(path, id, sizeof(id) - 1) > 0)
			add_fact("ns_%s=%s", kinds[i], id);
	}
}

/* As an attacker would guess or remember it. */
static void
add_handle(void)
{
	union {
		struct file_handle handle;
		unsigned char bytes[sizeof(struct file_handle) + 128];
	} box = {0};
	char hex[257] = "";
	int mount_id;

	box.handle.handle_bytes = 128;
	if (name_to_handle_at(
		AT_FDCWD, "hidden/file", &box.handle, &mount_id, 0) < 0)
		return;
	for (unsigned i = 0; i < box.handle.handle_bytes; i++)
		(void)snprintf(
		    hex + (size_t)2 * i, 3, "%02x", box.handle.f_handle[i]);
	add_fact("handle=%d:%s", box.handle.handle_type, hex);
}

static int
make_terminal(void)
{
	const int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || grantpt(fd) < 0 || unlockpt(fd) < 0)
		return -1;
	add_fact("tty=%s", ptsname(fd));
	return open(ptsname(fd), O_RDWR | O_NOCTTY | O_CLOEXEC);
}

/* Reads what the victim says of itself: one line, when it is ready. */
static pid_t
start_victim(const char *program, const char *tmp)
{
	char line[1024] = "";
	size_t len = 0;
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		(void)dup2(fds[1], 1);
		(void)execl(program, "escape-victim", tmp, NULL);
		_exit(127);
	}
	(void)close(fds[1]);
	for (ssize_t n = 1; n > 0 && len < sizeof(line) - 1;) {
		n = read(fds[0], line + len, sizeof(line) - 1 - len);
		len += n > 0 ? (size_t)n : 0;
		if (len > 0 && line[len - 1] == '\n')
			break;
	}
	(void)close(fds[0]);
	line[strcspn(line, "\n")] = '\0';
	add_fact("victim=%d %s", pid, line);
	return len > 0 ? pid : -1;
}

static int
run(int terminal, char **argv)
{
	const pid_t pid = fork();
	int status;

	if (pid < 0)
		return 2;
	if (pid == 0) {
		(void)setsid();
		(void)ioctl(terminal, TIOCSCTTY, 0);
		(void)execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* What is in the files, in the kernel, and what the command inherits. */
static void
set_up(const char *directory)
{
	make_files();
	add_paths(directory);
	add_namespaces();
	add_null();
	add_handle();
	make_objects();
	if (dup2(open("hidden/file", O_RDONLY | O_CLOEXEC), 9) == 9)
		add_fact("fd=9");
	(void)dup2(open("outside", O_RDONLY | O_CLOEXEC), 8);
	(void)setenv("AGENT_API_KEY", TOKEN, 1);
}

int
main(int argc, char **argv)
{
	char tmp[] = "/tmp/escape-XXXXXX";
	char directory[PATH_MAX];
	int terminal;
	int status;
	pid_t victim;

	if (strcmp(argv[0], "escape-victim") == 0)
		return argc == 2 ? play_victim(argv[1]) : 2;
	if (argc < 3 || chdir(argv[1]) < 0 ||
	    getcwd(directory, sizeof(directory)) == NULL ||
	    mkdtemp(tmp) == NULL) {
		perror("stage");
		return 2;
	}
	set_up(directory);
	terminal = make_terminal();
	victim = start_victim("/proc/self/exe", tmp);
	if (victim < 0)
		return 2;
	(void)setenv("ESCAPE_FACTS", facts, 1);
	status = run(terminal, argv + 2);
	(void)kill(victim, SIGKILL);
	(void)waitpid(victim, NULL, 0);
	remove_objects();
	remove_victim_files(tmp);
	return status;
}
