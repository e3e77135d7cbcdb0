/* SPDX-License-Identifier: Apache-2.0 */

/* Runs that are known to stay; see staying_run.h. */

#include "undo/staying_run.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/words.h"
#include "os/file.h"
#include "os/resolve.h"
#include "undo/alive_file.h"
#include "undo/change_store.h"
#include "undo/tree_open.h"

/* With a point it is no run's id. */
#define PREFIX "stays."

bool
w_staying_run_begin(struct w_staying_run *run, const char *state_dir,
    const char *id, const char *root)
{
	W_AUTO_FD int store_fd = -1;

	if (run->fd >= 0 ||
	    snprintf(run->name, sizeof(run->name), PREFIX "%s", id) >=
		(int)sizeof(run->name) ||
	    w_change_store_open(state_dir, true, &store_fd, NULL) != WRIT_OK ||
	    w_alive_file_make(store_fd, run->name, &run->fd) != 0)
		return false;
	if (w_file_write_all(run->fd, root, strlen(root)) != 0) {
		(void)unlinkat(store_fd, run->name, 0);
		w_close(&run->fd);
		return false;
	}
	w_fd_lift(&run->fd);
	w_fd_lift(&store_fd);
	run->store_fd = w_take_fd(&store_fd);
	return true;
}

void
w_staying_run_end(struct w_staying_run *run)
{
	if (run->fd < 0)
		return;
	(void)unlinkat(run->store_fd, run->name, 0);
	w_close(&run->fd);
	w_close(&run->store_fd);
}

/* Without a text it has only just begun, and what it lies over is not known. */
static bool
lies_over(int store_fd, const char *name, const char *root)
{
	char other[PATH_MAX];

	return w_file_read_at(store_fd, name, other, sizeof(other)) <= 0 ||
	       w_resolve_is_in(root, other) || w_resolve_is_in(other, root);
}

bool
w_staying_run_is_in(const char *state_dir, const char *root)
{
	W_AUTO_WORDS struct w_words names = {.items = NULL};
	W_AUTO_FD int store_fd = -1;
	bool is_found = false;

	if (state_dir == NULL ||
	    w_change_store_open(state_dir, false, &store_fd, NULL) != WRIT_OK ||
	    store_fd < 0 || w_undo_list_names(store_fd, &names) != 0)
		return false;
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.items[i];

		if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		if (w_alive_file_is_free(store_fd, name))
			w_alive_file_clean(store_fd, name);
		else
			is_found = is_found || lies_over(store_fd, name, root);
	}
	return is_found;
}
