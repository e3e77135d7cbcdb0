/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Waits for changes in the state directory, by inotify.
 *
 * Each call watches the directories anew: inotify knows a directory that it
 * watches already, so only new ones are added. Where one does not exist yet,
 * the nearest one above it is watched.
 */

#include "cli/live/live_wake.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"

#define INSIDE     (IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM)
#define ITSELF     (IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

#define EVENTS_MAX 4096

/* Above the state directory only new names matter. */
#define ABOVE (IN_CREATE | IN_MOVED_TO | ITSELF)

static void
watch_place(const struct w_live_wake *wake, const char *name)
{
	char path[PATH_MAX];
	uint32_t events = INSIDE | ITSELF;

	(void)snprintf(path, sizeof(path), "%s/%s", wake->state_dir, name);
	while (
	    inotify_add_watch(wake->fd, path, events) < 0 && errno == ENOENT) {
		char *slash = strrchr(path, '/');

		if (slash == NULL || slash == path)
			return;
		*slash = '\0';
		events = ABOVE;
	}
}

/* Readers keep an index beside the trail: it changes because it is read. */
static bool
is_news(const struct inotify_event *event)
{
	return event->len == 0 || strncmp(event->name, "index", 5) != 0;
}

bool
w_live_wake_take(struct w_live_wake *wake)
{
	_Alignas(struct inotify_event) char bytes[EVENTS_MAX];
	bool has_news = false;

	for (;;) {
		const ssize_t len = read(wake->fd, bytes, sizeof(bytes));

		if (len <= 0)
			break;
		for (ssize_t at = 0; at < len;) {
			const struct inotify_event *event =
			    (const struct inotify_event *)(const void *)(bytes +
									 at);

			has_news = has_news || is_news(event);
			at += (ssize_t)(sizeof(*event) + event->len);
		}
	}
	watch_place(wake, "audit");
	watch_place(wake, "outputs");
	return has_news;
}

writ_status
w_live_wake_open(
    struct w_live_wake *wake, const char *state_dir, writ_error *err)
{
	wake->state_dir = state_dir;
	wake->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (wake->fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, "watch", errno,
		    "cannot watch '%s'", state_dir);
	(void)w_live_wake_take(wake);
	return WRIT_OK;
}

void
w_live_wake_close(struct w_live_wake *wake)
{
	w_close(&wake->fd);
}
