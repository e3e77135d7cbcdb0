/* SPDX-License-Identifier: Apache-2.0 */

/* The files of a log in their directory: names, numbers, owners. */

#include "log/log_files.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/loop.h"

/* Clocks may be corrected some time after boot. */
#define CLOCK_MARGIN_US UINT64_C(300000000)

enum {
	DIGITS = 6,
	NUMBER_MAX = 999999
};

void
w_log_segment_name(const char *name, uint32_t segment, char out[W_LOG_NAME_MAX])
{
	(void)snprintf(
	    out, W_LOG_NAME_MAX, "%.40s-%06" PRIu32 ".jsonl", name, segment);
}

/* Parses "NAME-000001" and returns what follows it; NULL: no match. */
static const char *
after_number(const char *name, const char *file, uint32_t *out_number)
{
	size_t len = strlen(name);
	uint32_t number = 0;

	if (strncmp(file, name, len) != 0 || file[len] != '-')
		return NULL;
	file += len + 1;
	for (int i = 0; i < DIGITS; i++) {
		if (file[i] < '0' || file[i] > '9')
			return NULL;
		number = number * 10 + (uint32_t)(file[i] - '0');
	}
	*out_number = number;
	return file + DIGITS;
}

uint32_t
w_log_segment_number(const char *name, const char *file)
{
	uint32_t number;
	const char *rest = after_number(name, file, &number);

	return rest != NULL && strcmp(rest, ".jsonl") == 0 ? number : 0;
}

bool
w_log_file_is_torn(const char *name, const char *file)
{
	static const char torn[] = ".torn-";
	uint32_t number;
	const char *rest = after_number(name, file, &number);

	return rest != NULL && strncmp(rest, torn, sizeof(torn) - 1) == 0;
}

static int
open_again(int dir_fd, DIR **out_dir)
{
	W_AUTO_FD int fd =
	    openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	*out_dir = fdopendir(fd);
	if (*out_dir == NULL)
		return errno;
	(void)w_take_fd(&fd);
	return 0;
}

int
w_log_files_find(int dir_fd, const char *name, uint32_t above,
    uint32_t *out_next, uint32_t *out_last)
{
	uint32_t next = 0;
	uint32_t last = 0;
	DIR *dir = NULL;
	int error = open_again(dir_fd, &dir);

	if (error != 0)
		return error;
	assert(dir != NULL);
	errno = 0;
	for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
		uint32_t number = w_log_segment_number(name, e->d_name);

		if (number > above && (next == 0 || number < next))
			next = number;
		if (number > last)
			last = number;
		errno = 0;
	}
	error = errno;
	(void)closedir(dir);
	if (error != 0)
		return error;
	if (out_next != NULL)
		*out_next = next;
	if (out_last != NULL)
		*out_last = last;
	return 0;
}

bool
w_log_is_of_this_boot(uint64_t time_us)
{
	return time_us > w_boot_us() + CLOCK_MARGIN_US;
}

bool
w_log_file_is_ours(const struct stat *st, mode_t kind, char why[W_LOG_WHY_MAX])
{
	if ((st->st_mode & S_IFMT) != kind)
		(void)snprintf(why, W_LOG_WHY_MAX, "is not a %s",
		    kind == S_IFDIR ? "directory" : "plain file");
	else if (st->st_uid != geteuid() && st->st_uid != 0)
		(void)snprintf(
		    why, W_LOG_WHY_MAX, "belongs to user %u", st->st_uid);
	else if ((st->st_mode & (S_IWGRP | S_IWOTH)) != 0)
		(void)snprintf(why, W_LOG_WHY_MAX,
		    "can be written by others (mode %04o)",
		    st->st_mode & 07777);
	else
		return true;
	return false;
}
