/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Keys in files.
 *
 * A new key is written and synced under a temporary name and then linked to its
 * final name, which fails if another process was faster: then that process's
 * key is used. So nobody sees half a key, and after a power failure there is
 * either no key or a complete one.
 */

#include "audit/record/key_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"

#define OTHERS       077
#define NAME_MAX_LEN 64

static writ_status
key_file_check_file(const char *path, const struct stat *st, writ_error *err)
{
	if (!S_ISREG(st->st_mode))
		return w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "the key '%s' is not a plain file", path);
	if (st->st_uid != geteuid() && st->st_uid != 0) {
		(void)w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "the key '%s' belongs to user %lu", path,
		    (unsigned long)st->st_uid);
		w_suggest(err, "only a key of your own keeps others out");
		return WRIT_E_INVALID;
	}
	if ((st->st_mode & OTHERS) != 0) {
		(void)w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "the key '%s' is open to others (mode %04o)", path,
		    (unsigned)(st->st_mode & 07777));
		w_suggest(err, "chmod 600, if nobody can have read it");
		return WRIT_E_INVALID;
	}
	return WRIT_OK;
}

/* Reads up to size bytes. Returns 0 or an errno. */
static int
key_file_read_all(int fd, uint8_t *bytes, size_t size, size_t *out_len)
{
	size_t len = 0;

	while (len < size) {
		ssize_t got = read(fd, bytes + len, size - len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (got == 0)
			break;
		len += (size_t)got;
	}
	*out_len = len;
	return 0;
}

/* Opens, checks and reads. ENOENT shows in sys_errno of *err. */
static writ_status
key_file_read_key(const char *path, uint8_t *bytes, size_t size,
    size_t *out_len, writ_error *err)
{
	struct stat st;
	W_AUTO_FD int fd = open(
	    path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &st) < 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", errno,
		    "cannot open the key '%s'", path);
	writ_status status = key_file_check_file(path, &st, err);
	if (status != WRIT_OK)
		return status;
	int error = key_file_read_all(fd, bytes, size, out_len);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "audit", error,
		    "cannot read the key '%s'", path);
	return WRIT_OK;
}

writ_status
w_chain_key_read(const char *path, struct w_chain_key *out_key, writ_error *err)
{
	uint8_t bytes[W_CHAIN_KEY_MAX + 1];
	size_t len = 0;

	writ_status status =
	    key_file_read_key(path, bytes, sizeof(bytes), &len, err);
	if (status == WRIT_E_SYSTEM)
		w_suggest(err, "audit_key (--audit-key) must name a file that "
			       "you can read");
	if (status == WRIT_OK &&
	    (len < W_CHAIN_KEY_MIN || len > W_CHAIN_KEY_MAX)) {
		status = w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "the key '%s' must have %d to %d bytes", path,
		    W_CHAIN_KEY_MIN, W_CHAIN_KEY_MAX);
		w_suggest(err, "make one: (umask 077; head -c 32 /dev/urandom "
			       ">FILE)");
	}
	if (status == WRIT_OK) {
		memcpy(out_key->bytes, bytes, len);
		out_key->len = len;
	}
	explicit_bzero(bytes, sizeof(bytes));
	return status;
}

/* ---- the key of request hashes ---- */

static int
fill_file(int fd)
{
	uint8_t key[W_SHA256_KEY_SIZE];
	int error = 0;

	if (getrandom(key, sizeof(key), 0) != (ssize_t)sizeof(key))
		error = errno;
	if (error == 0)
		error = w_file_write_all(fd, key, sizeof(key));
	explicit_bzero(key, sizeof(key));
	if (error == 0 && fdatasync(fd) < 0)
		error = errno;
	return error;
}

/* Returns 0 also if another process made it meanwhile. */
static int
key_file_make_key(const char *dir)
{
	char name[NAME_MAX_LEN];
	uint32_t random = 0;
	W_AUTO_FD int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir_fd < 0)
		return errno;
	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return errno;
	(void)snprintf(name, sizeof(name), "%s.new-%d-%08x", W_REQUEST_KEY_NAME,
	    (int)getpid(), random);
	W_AUTO_FD int fd = openat(dir_fd, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return errno;
	/* The umask may have removed our own rights too. */
	int error = fchmod(fd, 0600) < 0 ? errno : fill_file(fd);
	if (error == 0 &&
	    linkat(dir_fd, name, dir_fd, W_REQUEST_KEY_NAME, 0) < 0 &&
	    errno != EEXIST)
		error = errno;
	(void)unlinkat(dir_fd, name, 0);
	return error;
}

static writ_status
read_request_key(const char *path, uint8_t *out_key, writ_error *err)
{
	uint8_t bytes[W_SHA256_KEY_SIZE + 1];
	size_t len = 0;

	writ_status status =
	    key_file_read_key(path, bytes, sizeof(bytes), &len, err);
	if (status == WRIT_OK && len != W_SHA256_KEY_SIZE) {
		status = w_fail(err, WRIT_E_INVALID, "audit", 0,
		    "the key '%s' does not have %d bytes", path,
		    W_SHA256_KEY_SIZE);
		w_suggest(err, "move it away: a new one is made, and hashes "
			       "of earlier requests compare no more");
	}
	if (status == WRIT_OK)
		memcpy(out_key, bytes, W_SHA256_KEY_SIZE);
	explicit_bzero(bytes, sizeof(bytes));
	return status;
}

writ_status
w_audit_request_key_read(
    const char *dir, uint8_t out_key[W_SHA256_KEY_SIZE], writ_error *err)
{
	W_AUTO_FREE char *path = NULL;
	writ_error inner;

	if (asprintf(&path, "%s/%s", dir, W_REQUEST_KEY_NAME) < 0) {
		path = NULL;
		return w_fail_nomem(err, "audit");
	}
	writ_status status = read_request_key(path, out_key, &inner);
	if (status == WRIT_E_SYSTEM && inner.sys_errno == ENOENT) {
		int error = key_file_make_key(dir);

		if (error != 0)
			return w_fail(err, WRIT_E_SYSTEM, "audit", error,
			    "cannot make the key '%s'", path);
		status = read_request_key(path, out_key, &inner);
	}
	if (status != WRIT_OK && err != NULL)
		*err = inner;
	return status;
}
