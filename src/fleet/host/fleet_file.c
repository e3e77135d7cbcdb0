/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Small files of the fleet. What is read decides who may give orders, so a
 * file that somebody else can write is refused; what is written replaces the
 * old file at once, so that a crash leaves one or the other.
 */

#include "fleet/host/fleet_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"

#define STAGE "fleet"

static writ_status
check_file(int fd, const char *path, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at '%s'", path);
	if (!S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is not a regular file", path);
	if ((st.st_uid != 0 && st.st_uid != geteuid()) ||
	    (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "others can write '%s'", path);
	if (st.st_size > (off_t)W_FLEET_FILE_MAX)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, 0, "'%s' is too large", path);
	return WRIT_OK;
}

writ_status
w_fleet_file_read(const char *path, struct w_buf *out_text, writ_error *err)
{
	W_AUTO_FD int fd =
	    open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char part[8192];

	if (fd < 0)
		return w_fail(err,
		    errno == ENOENT ? WRIT_E_NOTFOUND : WRIT_E_SYSTEM, STAGE,
		    errno, "cannot open '%s'", path);
	writ_status status = check_file(fd, path, err);
	if (status != WRIT_OK)
		return status;
	for (;;) {
		ssize_t got = read(fd, part, sizeof(part));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
			    "cannot read '%s'", path);
		if (got == 0)
			break;
		w_buf_add(out_text, part, (size_t)got);
	}
	explicit_bzero(part, sizeof(part));
	return out_text->failed ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static int
write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t put = write(fd, text, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -1;
		text += put;
		len -= (size_t)put;
	}
	return fsync(fd);
}

static int
sync_parent(const char *path)
{
	char dir[W_FLEET_PATH_MAX];
	const char *slash = strrchr(path, '/');
	const size_t len = slash == NULL ? 0 : (size_t)(slash - path);

	(void)snprintf(dir, sizeof(dir), "%.*s", (int)len, path);
	W_AUTO_FD int fd =
	    open(len == 0 ? "." : dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -1 : fsync(fd);
}

writ_status
w_fleet_file_write(const char *path, mode_t mode, const char *text, size_t len,
    writ_error *err)
{
	char temporary[W_FLEET_PATH_MAX];

	if (snprintf(temporary, sizeof(temporary), "%s.new-%d", path,
		(int)getpid()) >= (int)sizeof(temporary))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the path is too long: '%s'", path);
	(void)unlink(temporary);
	W_AUTO_FD int fd = open(temporary,
	    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot create '%s'", temporary);
	if (fchmod(fd, mode) < 0 || write_all(fd, text, len) < 0 ||
	    rename(temporary, path) < 0 || sync_parent(path) < 0) {
		int saved = errno;

		(void)unlink(temporary);
		return w_fail(err, WRIT_E_SYSTEM, STAGE, saved,
		    "cannot write '%s'", path);
	}
	return WRIT_OK;
}

writ_status
w_fleet_dir_make(const char *path, writ_error *err)
{
	char part[W_FLEET_PATH_MAX];
	const size_t len = strlen(path);

	if (len >= sizeof(part) || path[0] != '/')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is not an absolute path that can be used", path);
	memcpy(part, path, len + 1);
	for (char *at = part + 1;; at++) {
		if (*at != '/' && *at != '\0')
			continue;
		const char kept = *at;

		*at = '\0';
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
			    "cannot create the directory '%s'", part);
		*at = kept;
		if (kept == '\0')
			return WRIT_OK;
	}
}

writ_status
w_fleet_path(const char *state, const char *rest, char out[W_FLEET_PATH_MAX],
    writ_error *err)
{
	if (state == NULL || state[0] != '/')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "there is no state directory");
	if (snprintf(out, W_FLEET_PATH_MAX, "%s/fleet%s%s", state,
		rest[0] == '\0' ? "" : "/", rest) >= W_FLEET_PATH_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the path is too long: '%s'", state);
	return WRIT_OK;
}

uint64_t
w_fleet_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void
w_fleet_time_add(struct w_buf *buf, uint64_t unix_ms)
{
	const time_t seconds = (time_t)(unix_ms / 1000);
	struct tm parts;
	char text[32];

	if (gmtime_r(&seconds, &parts) == NULL ||
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		(void)snprintf(text, sizeof(text), "%ju", (uintmax_t)unix_ms);
	w_buf_add_str(buf, text);
}
