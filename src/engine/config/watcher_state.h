/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_WATCHER_STATE_H
#define W_ENGINE_WATCHER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/watch.h>

#include "base/sha256.h"
#include "base/words.h"
#include "engine/config/config_state.h"

/* A watched file, or directory with all its files. */
struct w_watched {
	char *path;
	unsigned what; /* WRIT_CHANGED_... */
	bool is_dir;
	int wd;        /* watch descriptor of its directory, or of the nearest
			  existing one above; -1: none */
	char *awaited; /* the name to wait for in that directory; NULL: any */
	bool is_here;  /* that name is the place itself, not a directory
			  above it */
};

struct w_watched_list {
	struct w_watched *items;
	size_t count;
	size_t cap;
	/* Hashes of the state of all: policies, modules. */
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

/* Finds the places, adds the watches, and then hashes their state, so that
 * later changes cause an event. *out_list must be all zero. */
writ_status w_watched_find(
    writ_watch *watch, struct w_watched_list *out_list, writ_error *err);
void w_watched_done(struct w_watched_list *list);

#endif /* W_ENGINE_WATCHER_STATE_H */
