/* SPDX-License-Identifier: Apache-2.0 */

#include "os/mountinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"
#include "os/loop.h"

enum {
	MOUNTINFO_MAX = 4 << 20,
	ASK_AGAIN_NS = 1000000 /* a lookup in PATH asks 20 times */
};

void
w_mountinfo_init(struct w_mountinfo *table)
{
	*table = (struct w_mountinfo){.fd = -1};
	w_buf_init(&table->text, MOUNTINFO_MAX);
}

void
w_mountinfo_done(struct w_mountinfo *table)
{
	w_close(&table->fd);
	w_buf_done(&table->text);
}

/* Of this file poll() tells, once, that the mounts have changed since it was
 * opened or since poll() told so. */
static bool
has_changed(const struct w_mountinfo *table)
{
	struct pollfd mounts = {.fd = table->fd, .events = POLLPRI};
	int ready;

	do {
		ready = poll(&mounts, 1, 0);
	} while (ready < 0 && errno == EINTR);
	return ready != 0;
}

static bool
read_mounts(struct w_mountinfo *table)
{
	w_buf_done(&table->text);
	w_buf_init(&table->text, MOUNTINFO_MAX);
	if (lseek(table->fd, 0, SEEK_SET) < 0 ||
	    w_file_read_all(table->fd, &table->text) != 0)
		return false;
	w_buf_add_char(&table->text, '\0');
	return !table->text.failed;
}

/* In this order: what changes while it is read is told the next time. */
static bool
bring_up_to_date(struct w_mountinfo *table)
{
	if (table->fd < 0) {
		table->is_read = false;
		table->fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
		w_fd_lift(&table->fd);
	}
	if (table->fd < 0)
		return false;
	const uint64_t now_ns = w_now_ns();
	if (!table->is_read || now_ns - table->asked_ns >= ASK_AGAIN_NS) {
		table->asked_ns = now_ns;
		if (has_changed(table))
			table->is_read = false;
	}
	if (!table->is_read)
		table->is_read = read_mounts(table);
	return table->is_read;
}

/* The table writes some characters as \ooo: a path with one of these is not
 * found, and taken to have a mount. */
bool
w_mountinfo_has(struct w_mountinfo *table, const char *path)
{
	const size_t len = strlen(path);

	if (strpbrk(path, " \t\n\\") != NULL || !bring_up_to_date(table))
		return true;
	const char *at = table->text.data;
	while ((at = strstr(at, path)) != NULL) {
		if (at > table->text.data && at[-1] == ' ' &&
		    (at[len] == ' ' || at[len] == '/'))
			return true;
		at += len;
	}
	return false;
}
