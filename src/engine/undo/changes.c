/* SPDX-License-Identifier: Apache-2.0 */

/* Opens the changes of runs; see <writ/undo.h>. */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "engine/config/config_state.h"
#include "engine/undo/changes_state.h"
#include "undo/change_store.h"
#include "undo/layer_dir.h"

#define STAGE "undo"

const char *
writ_changes_state_word(writ_changes_state state)
{
	static const char *const words[] = {
#define X(name, word) [WRIT_CHANGES_##name] = (word),
	    WRIT_CHANGES_STATE_MAP(X)
#undef X
	};

	return (size_t)state < sizeof(words) / sizeof(words[0]) ? words[state]
								: NULL;
}

/* *out_fd: locked; -1: there are no changes at all. */
static writ_status
open_store(const writ_config *config, int *out_fd, writ_error *err)
{
	W_AUTO_FD int fd = -1;

	writ_status status = w_change_store_open(
	    w_config_path(config, W_SET_STATE_DIR), false, &fd, err);
	if (status == WRIT_OK && fd >= 0)
		status = w_change_store_lock(fd, err);
	if (status == WRIT_OK)
		*out_fd = w_take_fd(&fd);
	return status;
}

static writ_status
open_one(const writ_config *config, int store_fd, const char *id,
    struct w_changes **out_changes, writ_error *err)
{
	struct w_changes *changes = calloc(1, sizeof(*changes));

	if (changes == NULL)
		return w_fail_nomem(err, STAGE);
	changes->config = config;
	changes->store_fd = -1;
	changes->set.dir_fd = -1;
	writ_status status =
	    w_change_set_open(store_fd, id, NULL, &changes->set, err);
	if (status == WRIT_OK)
		status = w_changes_show(changes, err);
	if (status == WRIT_OK)
		*out_changes = changes;
	else
		writ_changes_free(&changes->shown);
	return status;
}

static writ_status
find_id(int store_fd, const char *begin, char **out_id, writ_error *err)
{
	W_AUTO_WORDS struct w_words ids = {0};
	const char *found = NULL;

	writ_status status = w_change_store_list(store_fd, &ids, err);
	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; i < ids.count; i++) {
		if (strncmp(ids.items[i], begin, strlen(begin)) != 0)
			continue;
		if (found != NULL)
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "several runs begin with '%s'", begin);
		found = ids.items[i];
	}
	if (found == NULL)
		return w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "there are no changes of a run '%s'", begin);
	*out_id = strdup(found);
	return *out_id == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

writ_status
writ_changes_open(const writ_config *config, const char *run_id,
    writ_changes **out_changes, writ_error *err)
{
	struct w_changes *changes = NULL;
	W_AUTO_FREE char *id = NULL;
	W_AUTO_FD int store_fd = -1;

	writ_status status = open_store(config, &store_fd, err);
	if (status == WRIT_OK && store_fd < 0)
		return w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "there are no changes of a run '%s'", run_id);
	if (status == WRIT_OK)
		status = find_id(store_fd, run_id, &id, err);
	if (status == WRIT_OK)
		status = open_one(config, store_fd, id, &changes, err);
	if (status != WRIT_OK)
		return status;
	changes->store_fd = w_take_fd(&store_fd);
	*out_changes = &changes->shown;
	return WRIT_OK;
}

void
writ_changes_free(writ_changes *shown)
{
	struct w_changes *changes = w_changes_of(shown);

	if (changes == NULL)
		return;
	w_changes_hide(changes);
	w_change_set_done(&changes->set);
	w_close(&changes->store_fd);
	free(changes);
}

writ_status
writ_changes_each(
    const writ_config *config, writ_changes_fn fn, void *ctx, writ_error *err)
{
	W_AUTO_WORDS struct w_words ids = {0};
	W_AUTO_FD int store_fd = -1;
	writ_error first = {.status = WRIT_OK};
	bool goes_on = true, has_any = false;

	writ_status status = open_store(config, &store_fd, err);
	if (status != WRIT_OK || store_fd < 0)
		return status;
	status = w_change_store_list(store_fd, &ids, err);
	for (size_t i = ids.count; i-- > 0 && goes_on && status == WRIT_OK;) {
		struct w_changes *changes = NULL;
		writ_error unread = {.status = WRIT_OK};

		/* Those of a run that never began are not found. */
		if (open_one(config, store_fd, ids.items[i], &changes,
			&unread) != WRIT_OK) {
			if (first.status == WRIT_OK &&
			    unread.status != WRIT_E_NOTFOUND)
				first = unread;
			continue;
		}
		has_any = true;
		goes_on = fn(ctx, &changes->shown);
		writ_changes_free(&changes->shown);
	}
	/* One that cannot be read must not keep a person from all others. */
	if (status != WRIT_OK || has_any || first.status == WRIT_OK)
		return status;
	if (err != NULL)
		*err = first;
	return first.status;
}

const char *
writ_undo_lack(const writ_config *config, const char *project)
{
	return w_undo_layer_lack(
	    w_config_path(config, W_SET_STATE_DIR), project);
}
