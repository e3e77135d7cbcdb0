/* SPDX-License-Identifier: Apache-2.0 */

/* Reads and writes of files that are not the command's to read and write. */

#include "attempt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int
read_secret(void)
{
	return holds_secret(fact("secret"));
}

static int
read_hidden(void)
{
	return holds_secret(beneath("hidden", "file"));
}

static int
read_elsewhere(void)
{
	return holds_secret(beneath("outside", "file"));
}

static int
read_tmp(void)
{
	return holds_secret(fact("tmpfile"));
}

static int
list_hidden(void)
{
	const char *path = fact("hidden");
	const struct dirent *entry;
	DIR *directory;
	int names = 0;

	if (path == NULL)
		return CANNOT;
	directory = opendir(path);
	if (directory == NULL)
		return -errno;
	for (entry = readdir(directory); entry != NULL;
	     entry = readdir(directory))
		names += entry->d_name[0] != '.';
	(void)closedir(directory);
	return names > 0 ? OPEN : -ENODATA;
}

static int
write_same(const char *path, int flags)
{
	const char *token = fact("token");
	ssize_t n;
	int fd;

	if (path == NULL || token == NULL)
		return CANNOT;
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = write(fd, token, strlen(token));
	(void)close(fd);
	return outcome(n);
}

static int
write_elsewhere(void)
{
	return write_same(beneath("outside", "file"), O_WRONLY);
}

static int
write_hidden(void)
{
	return write_same(beneath("hidden", "file"), O_WRONLY);
}

static int
write_program(void)
{
	const char *path = beneath("bin", "tool");
	int fd;

	if (path == NULL)
		return CANNOT;
	fd = open(path, O_RDWR | O_CLOEXEC);
	return outcome(fd);
}

static int
create_elsewhere(void)
{
	const char *path = beneath("outside", "created");
	int fd;

	if (path == NULL)
		return CANNOT;
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	(void)unlink(path);
	return OPEN;
}

static int
nameless_elsewhere(void)
{
	const char *path = fact("outside");
	const int fd = path == NULL
			   ? -1
			   : open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return path == NULL ? CANNOT : outcome(fd);
}

static int
mkdir_elsewhere(void)
{
	const char *path = beneath("outside", "made");

	if (path == NULL)
		return CANNOT;
	if (mkdir(path, 0700) < 0)
		return -errno;
	(void)rmdir(path);
	return OPEN;
}

static int
truncate_elsewhere(void)
{
	const char *path = beneath("outside", "empty");

	return path == NULL ? CANNOT : outcome(truncate(path, 0));
}

static int
open_truncating(void)
{
	const char *path = beneath("outside", "empty");

	return path == NULL
		   ? CANNOT
		   : outcome(open(path, O_RDONLY | O_TRUNC | O_CLOEXEC));
}

static int
delete_elsewhere(void)
{
	const char *path = beneath("outside", "doomed");

	if (path == NULL)
		return CANNOT;
	if (unlink(path) < 0)
		return -errno;
	(void)close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
	return OPEN;
}

static int
allocate_elsewhere(void)
{
	const char *path = beneath("outside", "file");
	int result;
	int fd;

	if (path == NULL)
		return CANNOT;
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	result = outcome(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 1));
	(void)close(fd);
	return result;
}

/* A file in the machine's /tmp: a private one may well be written to. */
static int
write_tmp(void)
{
	return write_same(fact("tmpfile"), O_WRONLY);
}

static int
write_shm(void)
{
	return write_same(fact("shmfile"), O_WRONLY);
}

/* The mount for reading does not stop it: a pipe is no file of that mount. */
static int
write_fifo(void)
{
	const char *path = beneath("outside", "fifo");

	return path == NULL
		   ? CANNOT
		   : outcome(open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC));
}

static int
lock_elsewhere(void)
{
	const char *path = beneath("outside", "file");
	int fd;

	if (path == NULL)
		return CANNOT;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return outcome(flock(fd, LOCK_EX | LOCK_NB));
}

static int
write_etc(void)
{
	return outcome(open("/etc/passwd", O_WRONLY | O_APPEND | O_CLOEXEC));
}

static int
write_usr(void)
{
	const int fd = open("/usr/lib", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return outcome(fd);
}

static int
read_shadow(void)
{
	return outcome(open("/etc/shadow", O_RDONLY | O_CLOEXEC));
}

const struct attempt file_attempts[] = {
    {"read-secret", "read a private key in the home directory", read_secret,
	false},
    {"read-hidden", "read a file that the caller hides", read_hidden, false},
    {"list-hidden", "list a directory that the caller hides", list_hidden,
	false},
    {"read-elsewhere", "read a file outside of the workspace", read_elsewhere,
	false},
    {"read-shadow", "open the password hashes", read_shadow, false},
    {"read-tmp", "read a file in the machine's /tmp", read_tmp, false},
    {"write-elsewhere", "write a file outside of the workspace",
	write_elsewhere, false},
    {"write-hidden", "write a file that the caller hides", write_hidden, false},
    {"write-program", "open a program that may be read for writing",
	write_program, false},
    {"write-etc", "open the user database for writing", write_etc, false},
    {"write-usr", "make a file among the machine's libraries", write_usr,
	false},
    {"write-tmp", "write a file in the machine's /tmp", write_tmp, false},
    {"write-shm", "write a file in the machine's /dev/shm", write_shm, false},
    {"write-fifo", "write to a named pipe outside", write_fifo, false},
    {"lock-elsewhere", "lock a file outside that may be read", lock_elsewhere,
	false},
    {"create-elsewhere", "create a file outside", create_elsewhere, false},
    {"nameless-elsewhere", "create a nameless file outside", nameless_elsewhere,
	false},
    {"mkdir-elsewhere", "make a directory outside", mkdir_elsewhere, false},
    {"truncate-elsewhere", "truncate a file outside by its name",
	truncate_elsewhere, false},
    {"open-truncating", "truncate a file outside by opening it for reading",
	open_truncating, false},
    {"allocate-elsewhere", "append to a file outside and reserve space",
	allocate_elsewhere, false},
    {"delete-elsewhere", "delete a file outside", delete_elsewhere, false},
    {NULL, NULL, NULL, false},
};
