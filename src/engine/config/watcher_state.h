/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_WATCHER_STATE_H
#define W_ENGINE_WATCHER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/watch.h>

#include "base/sha256.h"
#include "base/words.h"
#include "engine/config/config_state.h"

/* What is watched: a file, or a directory with all files in it. */
struct w_watched {
	char *path;
	unsigned what; /* WRIT_CHANGED_... */
	bool is_dir;
	int wd; /* of the directory that tells: its own, or the nearest above
		   that is there; -1: none */
	char *awaited; /* the name in there that it is about; NULL: all */
	bool is_here;  /* that name is the place itself, and not only one on
			  the way to it */
};

struct w_watched_list {
	struct w_watched *items;
	size_t count;
	size_t cap;
	/* How all of them are: policies, modules. */
	uint8_t policy[W_SHA256_SIZE];
	uint8_t modules[W_SHA256_SIZE];
};

struct writ_watch {
	writ_config *config;
	char *cwd; /* canonical */
	char *home;
	struct w_words dirs;
	int inotify_fd;
	struct w_watched_list list;
};

/* Finds out which places there are, sets out the watches, and then looks how
 * the places are: what changes afterwards is told. *out_list is all zero
 * before. */
writ_status w_watched_find(
    writ_watch *watch, struct w_watched_list *out_list, writ_error *err);
void w_watched_done(struct w_watched_list *list);

#endif /* W_ENGINE_WATCHER_STATE_H */
