/* SPDX-License-Identifier: Apache-2.0 */

/* Reads memory and directories of another process. */

#include "run/denials/target.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The smallest page size; with larger pages there are just more parts. */
#define PAGE UINT64_C(4096)

/* process_vm_readv() copies each part whole or not at all, and a text may end
 * right before unmapped memory: no part crosses a page. */
static size_t
target_copy(pid_t pid, uint64_t at, void *out_bytes, size_t len)
{
	struct iovec here = {.iov_base = out_bytes, .iov_len = len};
	struct iovec there[PATH_MAX / PAGE + 2];
	unsigned long count = 0;

	for (size_t done = 0; done < len;) {
		size_t part = (size_t)(PAGE - (at + done) % PAGE);

		if (part > len - done)
			part = len - done;
		there[count++] = (struct iovec){
		    .iov_base = (void *)(uintptr_t)(at + done),
		    .iov_len = part,
		};
		done += part;
	}
	ssize_t n = process_vm_readv(pid, &here, 1, there, count, 0);
	return n < 0 ? 0 : (size_t)n;
}

size_t
w_target_part(pid_t pid, uint64_t at, void *out_bytes, size_t len)
{
	return target_copy(pid, at, out_bytes, len < PATH_MAX ? len : PATH_MAX);
}

bool
w_target_bytes(pid_t pid, uint64_t at, void *out_bytes, size_t len)
{
	return len > 0 && len <= PATH_MAX &&
	       target_copy(pid, at, out_bytes, len) == len;
}

bool
w_target_text(pid_t pid, uint64_t at, char out_text[PATH_MAX])
{
	size_t len = target_copy(pid, at, out_text, PATH_MAX);

	return memchr(out_text, '\0', len) != NULL;
}

static bool
read_link(pid_t pid, int dir_fd, char out_path[PATH_MAX])
{
	char link[64];

	if (dir_fd == AT_FDCWD)
		(void)snprintf(link, sizeof(link), "/proc/%d/cwd", pid);
	else
		(void)snprintf(
		    link, sizeof(link), "/proc/%d/fd/%d", pid, dir_fd);
	ssize_t n = readlink(link, out_path, PATH_MAX - 1);
	if (n <= 0 || out_path[0] != '/')
		return false;
	out_path[n] = '\0';
	return true;
}

bool
w_target_resolve(
    pid_t pid, int dir_fd, const char *path, char out_path[PATH_MAX])
{
	size_t len = 0;

	if (path[0] != '/') {
		if (!read_link(pid, dir_fd, out_path))
			return false;
		len = strlen(out_path);
	}
	int added = snprintf(out_path + len, PATH_MAX - len, "%s%s",
	    len > 0 && path[0] != '\0' ? "/" : "", path);
	return added >= 0 && (size_t)added < PATH_MAX - len;
}

int
w_target_root(pid_t pid)
{
	char link[32];

	(void)snprintf(link, sizeof(link), "/proc/%d/root", pid);
	return open(link, O_PATH | O_DIRECTORY | O_CLOEXEC);
}
