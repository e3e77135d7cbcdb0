/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Watches policies and modules for changes.
 *
 * inotify events are hints, and some may be lost. So nothing is concluded from
 * their order: if one may matter, all places are looked up and inspected again.
 * Only writes to a watched file itself count directly, because file system
 * timestamps are too coarse to show two of them.
 */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"
#include "engine/config/project_dir.h"
#include "engine/config/watcher_state.h"

#define STAGE "watch"

/* ---- set up ---- */

static writ_status
take_places(writ_watch *watch, const char *cwd, writ_error *err)
{
	watch->cwd = realpath(cwd == NULL ? "." : cwd, NULL);
	if (watch->cwd == NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, errno,
		    "cannot use the directory '%.64s'",
		    cwd == NULL ? "." : cwd);
	return w_home_find(&watch->home, err);
}

static writ_status
set_up(writ_watch *watch, const writ_config *config, const char *cwd,
    const char *const *dirs, writ_error *err)
{
	writ_status status = config == NULL
				 ? w_config_new_lenient(&watch->config, err)
				 : w_config_copy(config, &watch->config, err);

	if (status == WRIT_OK)
		status = take_places(watch, cwd, err);
	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; dirs != NULL && dirs[i] != NULL; i++) {
		if (!w_words_add(&watch->dirs, dirs[i], strlen(dirs[i])))
			return w_fail_nomem(err, STAGE);
	}
	watch->inotify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (watch->inotify_fd < 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, errno, "cannot watch files");
	return w_watched_find(watch, &watch->list, err);
}

writ_status
writ_watch_new(const writ_config *config, const char *cwd,
    const char *const *dirs, writ_watch **out_watch, writ_error *err)
{
	writ_watch *watch = calloc(1, sizeof(*watch));

	if (watch == NULL)
		return w_fail_nomem(err, STAGE);
	watch->inotify_fd = -1;
	writ_status status = set_up(watch, config, cwd, dirs, err);
	if (status != WRIT_OK) {
		writ_watch_free(watch);
		return status;
	}
	*out_watch = watch;
	return WRIT_OK;
}

void
writ_watch_free(writ_watch *watch)
{
	if (watch == NULL)
		return;
	w_watched_done(&watch->list);
	w_close(&watch->inotify_fd);
	w_words_done(&watch->dirs);
	writ_config_free(watch->config);
	free(watch->cwd);
	free(watch->home);
	free(watch);
}

int
writ_watch_fd(const writ_watch *watch)
{
	return watch->inotify_fd;
}

/* ---- events ---- */

struct news {
	bool may_matter;
	unsigned what; /* known to have been written */
};

static void
watcher_take_name(
    const struct w_watched *place, const char *name, struct news *news)
{
	const size_t len = strlen(name);
	/* Editors leave such files beside the one they write. */
	const bool is_scratch =
	    name[0] == '.' || (len > 0 && name[len - 1] == '~');

	if (place->awaited != NULL ? strcmp(place->awaited, name) != 0
				   : is_scratch)
		return;
	news->may_matter = true;
	if (place->is_here)
		news->what |= place->what;
}

static void
watcher_take_event(const writ_watch *watch, const struct inotify_event *event,
    struct news *news)
{
	const uint32_t self =
	    IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_Q_OVERFLOW;

	if ((event->mask & self) != 0)
		news->may_matter = true;
	for (size_t i = 0; i < watch->list.count && event->len > 0; i++) {
		if (watch->list.items[i].wd == event->wd)
			watcher_take_name(
			    &watch->list.items[i], event->name, news);
	}
}

/* false: no more events. */
static bool
take_events(const writ_watch *watch, struct news *news)
{
	_Alignas(struct inotify_event) char bytes[8 * 1024];
	const ssize_t len = read(watch->inotify_fd, bytes, sizeof(bytes));
	const char *at = bytes;

	while (len > 0 && at < bytes + len) {
		const struct inotify_event *event =
		    (const struct inotify_event *)(const void *)at;

		watcher_take_event(watch, event, news);
		at += sizeof(*event) + event->len;
	}
	return len > 0;
}

/* Removes the watches of places that are gone. */
static void
remove_watches(writ_watch *watch, const struct w_watched_list *list)
{
	for (size_t i = 0; i < watch->list.count; i++) {
		const int wd = watch->list.items[i].wd;
		bool is_used = wd < 0;

		for (size_t j = 0; j < list->count && !is_used; j++)
			is_used = list->items[j].wd == wd;
		if (!is_used)
			(void)inotify_rm_watch(watch->inotify_fd, wd);
	}
}

unsigned
writ_watch_take(writ_watch *watch)
{
	struct w_watched_list list = {.items = NULL};
	struct news news = {.may_matter = false};

	while (take_events(watch, &news))
		continue;
	if (!news.may_matter)
		return 0;
	if (w_watched_find(watch, &list, NULL) != WRIT_OK) {
		w_watched_done(&list);
		return WRIT_CHANGED_POLICY | WRIT_CHANGED_MODULES;
	}
	remove_watches(watch, &list);
	if (memcmp(list.policy, watch->list.policy, W_SHA256_SIZE) != 0)
		news.what |= WRIT_CHANGED_POLICY;
	if (memcmp(list.modules, watch->list.modules, W_SHA256_SIZE) != 0)
		news.what |= WRIT_CHANGED_MODULES;
	w_watched_done(&watch->list);
	watch->list = list;
	return news.what;
}
