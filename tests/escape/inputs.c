/* SPDX-License-Identifier: Apache-2.0 */

/* Standard input: the caller opened it where the caller is, so no view of the
 * sandbox covers it. Which file it is, the stage decides for each attempt. */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_file(int fd)
{
	struct stat about;

	return fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
}

static int
reopen_input(void)
{
	return is_file(0)
		   ? outcome(open("/proc/self/fd/0", O_WRONLY | O_CLOEXEC))
		   : -ENOENT;
}

static int
truncate_input(void)
{
	return is_file(0) ? outcome(truncate("/proc/self/fd/0", 0)) : -ENOENT;
}

static int
chmod_input(void)
{
	return is_file(0) ? outcome(fchmod(0, 0644)) : -ENOENT;
}

/* The machine's own device, if it is that: everybody writes to it. */
static int
chmod_null(int fd)
{
	const char *null = fact("null");
	struct stat about;
	char id[64];

	if (null == NULL)
		return CANNOT;
	if (fd < 0 || fstat(fd, &about) < 0)
		return -errno;
	(void)snprintf(id, sizeof(id), "%ju:%ju", (uintmax_t)about.st_dev,
	    (uintmax_t)about.st_ino);
	if (strcmp(id, null) != 0)
		return -ENOENT;
	return outcome(fchmod(fd, about.st_mode & 07777));
}

static int
chmod_null_input(void)
{
	return chmod_null(0);
}

static int
chmod_null_device(void)
{
	return chmod_null(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

static int
leave_input(void)
{
	return outcome(openat(0, "../hidden/file", O_RDONLY | O_CLOEXEC));
}

const struct attempt input_attempts[] = {
    {"input-reopen", "open the file that is the input for writing",
	reopen_input, true},
    {"input-protected", "the same with a protected file as the input",
	reopen_input, true},
    {"input-truncate", "truncate the file that is the input", truncate_input,
	true},
    {"input-chmod", "change the mode of the file that is the input",
	chmod_input, true},
    {"input-null", "change the mode of /dev/null as the input",
	chmod_null_input, true},
    {"dev-null", "change the mode of the machine's /dev/null",
	chmod_null_device, false},
    {"input-directory", "go elsewhere from a directory that is the input",
	leave_input, true},
    {NULL, NULL, NULL, false},
};
