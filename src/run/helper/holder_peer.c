/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Who is at the other end of the holder's socket.
 *
 * No view of a sandbox has the socket. This is the second lock: a process of
 * the same user, in the same namespaces, and with no walls (no_new_privs, a
 * system call filter) that the holder does not have. What cannot be read is
 * taken for a no.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/socket.h>

#include "os/syscall.h"
#include "run/helper/helper.h"

enum {
	STATUS_MAX = 4096,
	PATH_SIZE = 48
};

/* The kernel's struct ucred. */
struct peer {
	int32_t pid;
	uint32_t uid;
	uint32_t gid;
};

static void
holder_peer_path(char path[PATH_SIZE], long pid, const char *file)
{
	static const char proc[] = "/proc/";
	char digits[12];
	size_t at = 0;
	int count = 0;

	while (at < sizeof(proc) - 1) {
		path[at] = proc[at];
		at++;
	}
	for (; pid > 0; pid /= 10)
		digits[count++] = (char)('0' + pid % 10);
	while (count > 0)
		path[at++] = digits[--count];
	for (; *file != '\0' && at < PATH_SIZE - 1; file++)
		path[at++] = *file;
	path[at] = '\0';
}

static int
holder_peer_is_same_namespace(long pid, long self, const char *name)
{
	struct statx theirs, ours;
	char path[PATH_SIZE];

	holder_peer_path(path, pid, name);
	if (w_sys5(__NR_statx, AT_FDCWD, path, 0, STATX_INO, &theirs) < 0)
		return 0;
	holder_peer_path(path, self, name);
	return w_sys5(__NR_statx, AT_FDCWD, path, 0, STATX_INO, &ours) == 0 &&
	       theirs.stx_ino == ours.stx_ino &&
	       theirs.stx_dev_minor == ours.stx_dev_minor &&
	       theirs.stx_dev_major == ours.stx_dev_major;
}

/* The digit behind a key of /proc/PID/status; -1: there is none. */
static int
holder_peer_number(const char *text, const char *key)
{
	for (; *text != '\0'; text++) {
		size_t len = 0;

		while (key[len] != '\0' && text[len] == key[len])
			len++;
		if (key[len] != '\0')
			continue;
		return text[len] >= '0' && text[len] <= '9' ? text[len] - '0'
							    : -1;
	}
	return -1;
}

static int
holder_peer_read(long pid, char text[STATUS_MAX])
{
	char path[PATH_SIZE];

	holder_peer_path(path, pid, "/status");
	long fd = w_sys4(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	long n = w_sys3(__NR_read, fd, text, STATUS_MAX - 1);
	(void)w_sys1(__NR_close, fd);
	text[n < 0 ? 0 : n] = '\0';
	return n > 0;
}

static int
holder_peer_has_no_more(long pid, long self)
{
	static const char *const keys[] = {"\nNoNewPrivs:\t", "\nSeccomp:\t"};
	char theirs[STATUS_MAX], ours[STATUS_MAX];

	if (!holder_peer_read(pid, theirs) || !holder_peer_read(self, ours))
		return 0;
	for (int i = 0; i < 2; i++) {
		const int more = holder_peer_number(theirs, keys[i]);

		if (more < 0 || more > holder_peer_number(ours, keys[i]))
			return 0;
	}
	return 1;
}

int
holder_peer_is_trusted(int socket)
{
	static const char *const names[] = {"/ns/user", "/ns/mnt", "/ns/pid"};
	struct peer peer = {.pid = 0};
	uint32_t len = sizeof(peer);
	const long self = w_sys0(__NR_getpid);

	if (w_sys5(__NR_getsockopt, socket, SOL_SOCKET, SO_PEERCRED, &peer,
		&len) < 0 ||
	    peer.pid <= 0 || peer.uid != (uint32_t)w_sys0(__NR_geteuid))
		return 0;
	for (int i = 0; i < 3; i++) {
		if (!holder_peer_is_same_namespace(peer.pid, self, names[i]))
			return 0;
	}
	return holder_peer_has_no_more(peer.pid, self);
}
