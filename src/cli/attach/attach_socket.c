/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Sockets in the state directory, and what is said there.
 *
 * A socket's address is too short for a long path, so it goes by way of the
 * directory's descriptor in /proc.
 */

#include "cli/attach/attach_socket.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"

#define BACKLOG     8
#define STALE_MAX   256 /* names that are looked at */
#define OTHERS_MODE 077

/* ---- packets ---- */

static unsigned
number_at(const char *bytes)
{
	return (unsigned)(unsigned char)bytes[0] << 8 | (unsigned char)bytes[1];
}

bool
w_attach_packet_parse(
    const char *bytes, size_t len, struct w_attach_packet *out_packet)
{
	struct w_attach_packet packet = {.rows = 0};

	if (len == 0)
		return false;
	switch (bytes[0]) {
	case W_ATTACH_HELLO:
	case W_ATTACH_SIZE:
		if (len != (bytes[0] == W_ATTACH_HELLO ? 6 : 5))
			return false;
		packet.rows = number_at(bytes + 1);
		packet.columns = number_at(bytes + 3);
		packet.number = len == 6 ? (unsigned char)bytes[5] : 0;
		break;
	case W_ATTACH_INPUT:
	case W_ATTACH_OUTPUT:
		packet.bytes = bytes + 1;
		packet.len = len - 1;
		break;
	case W_ATTACH_END:
		if (len != 2)
			return false;
		packet.number = (unsigned char)bytes[1];
		break;
	default:
		return false;
	}
	packet.kind = (enum w_attach_kind)bytes[0];
	*out_packet = packet;
	return true;
}

size_t
w_attach_packet_format(
    const struct w_attach_packet *packet, char out[W_ATTACH_SHORT_MAX])
{
	size_t len = 0;

	out[len++] = (char)packet->kind;
	if (packet->kind == W_ATTACH_HELLO || packet->kind == W_ATTACH_SIZE) {
		out[len++] = (char)(packet->rows >> 8 & 0xff);
		out[len++] = (char)(packet->rows & 0xff);
		out[len++] = (char)(packet->columns >> 8 & 0xff);
		out[len++] = (char)(packet->columns & 0xff);
	}
	if (packet->kind != W_ATTACH_SIZE)
		out[len++] = (char)packet->number;
	return len;
}

/* ---- the directory ---- */

static writ_status
check_dir(int fd, const char *path, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return w_fail(err, WRIT_E_SYSTEM, "attach", errno,
		    "cannot look at '%s'", path);
	if (st.st_uid != geteuid() || (st.st_mode & OTHERS_MODE) != 0)
		return w_fail(err, WRIT_E_INVALID, "attach", 0,
		    "'%s' must belong to you alone, with mode 0700", path);
	return WRIT_OK;
}

writ_status
w_attach_open_dir(
    const char *state_dir, bool is_wanted, int *out_fd, writ_error *err)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/attach", state_dir) >=
	    (int)sizeof(path))
		return w_fail(err, WRIT_E_INVALID, "attach", 0,
		    "the path of the state directory is too long");
	if (is_wanted && mkdir(path, 0700) != 0 && errno != EEXIST)
		return w_fail(err, WRIT_E_SYSTEM, "attach", errno,
		    "cannot make '%s'", path);
	W_AUTO_FD int fd =
	    open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return w_fail(err,
		    errno == ENOENT ? WRIT_E_NOTFOUND : WRIT_E_SYSTEM, "attach",
		    errno, "cannot open '%s'", path);
	writ_status status = check_dir(fd, path, err);
	if (status == WRIT_OK)
		*out_fd = w_take_fd(&fd);
	return status;
}

/* ---- sockets ---- */

static bool
address_of(int dir_fd, const char *name, struct sockaddr_un *out)
{
	*out = (struct sockaddr_un){.sun_family = AF_UNIX};
	const int len = snprintf(out->sun_path, sizeof(out->sun_path),
	    "/proc/self/fd/%d/%s", dir_fd, name);
	return len > 0 && (size_t)len < sizeof(out->sun_path);
}

static int
make_socket(void)
{
	return socket(
	    AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* 0: connected; else an errno. */
static int
try_connect(int dir_fd, const char *name, int *out_fd)
{
	struct sockaddr_un address;
	W_AUTO_FD int fd = make_socket();

	if (fd < 0)
		return errno;
	if (!address_of(dir_fd, name, &address))
		return ENAMETOOLONG;
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) !=
	    0)
		return errno;
	*out_fd = w_take_fd(&fd);
	return 0;
}

/* Removes the sockets of processes that were killed. */
static void
remove_stale(int dir_fd)
{
	const int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	unsigned count = 0;

	if (dir == NULL) {
		if (fd >= 0)
			(void)close(fd);
		return;
	}
	for (struct dirent *e = readdir(dir); e != NULL && count < STALE_MAX;
	     e = readdir(dir), count++) {
		W_AUTO_FD int other = -1;

		if (e->d_name[0] != '.' &&
		    try_connect(dir_fd, e->d_name, &other) == ECONNREFUSED)
			(void)unlinkat(dir_fd, e->d_name, 0);
	}
	(void)closedir(dir);
}

writ_status
w_attach_listen(int dir_fd, const char *run_id, int *out_fd, writ_error *err)
{
	struct sockaddr_un address;
	W_AUTO_FD int fd = make_socket();

	remove_stale(dir_fd);
	if (fd < 0 || !address_of(dir_fd, run_id, &address) ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
	    fchmodat(dir_fd, run_id, 0600, 0) != 0 || listen(fd, BACKLOG) != 0)
		return w_fail(err, WRIT_E_SYSTEM, "attach", errno,
		    "cannot make the socket of run %s", run_id);
	*out_fd = w_take_fd(&fd);
	return WRIT_OK;
}

writ_status
w_attach_connect(int dir_fd, const char *run_id, int *out_fd, writ_error *err)
{
	const int error = try_connect(dir_fd, run_id, out_fd);

	if (error == 0)
		return WRIT_OK;
	return w_fail(err,
	    error == ENOENT || error == ECONNREFUSED ? WRIT_E_NOTFOUND
						     : WRIT_E_SYSTEM,
	    "attach", error, "cannot reach the terminal of run %s", run_id);
}
