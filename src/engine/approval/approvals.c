/* SPDX-License-Identifier: Apache-2.0 */

/* The public API of the approval queue. */

#include "engine/approval/approvals.h"

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "engine/approval/approval_queue.h"
#include "engine/approval/approval_state.h"

#define NOTE_MAX 4096
#define JSON_MAX ((size_t)1 << 30)

static writ_status
open_store(writ_approvals *approvals, writ_error *err)
{
	const writ_config *config = approvals->config;
	writ_status status = w_config_need(config, W_SET_STATE_DIR, err);

	if (status != WRIT_OK)
		return status;
	return w_approval_store_open(
	    &approvals->store, w_config_path(config, W_SET_STATE_DIR), err);
}

writ_status
writ_approvals_open(
    const writ_config *config, writ_approvals **out_approvals, writ_error *err)
{
	writ_approvals *approvals = calloc(1, sizeof(*approvals));

	if (approvals == NULL)
		return w_fail_nomem(err, "approval");
	approvals->store = (struct w_approval_store)W_APPROVAL_STORE_NONE;
	approvals->epoll_fd = -1;
	approvals->inotify_fd = -1;
	approvals->timer_fd = -1;
	approvals->attend_fd = -1;
	w_buf_init(&approvals->note, NOTE_MAX);
	writ_status status =
	    config == NULL ? writ_config_new(&approvals->config, err)
			   : w_config_copy(config, &approvals->config, err);
	if (status == WRIT_OK)
		status = open_store(approvals, err);
	if (status != WRIT_OK) {
		writ_approvals_free(approvals);
		return status;
	}
	*out_approvals = approvals;
	return WRIT_OK;
}

void
writ_approvals_free(writ_approvals *approvals)
{
	if (approvals == NULL)
		return;
	w_approvals_unwatch(approvals);
	w_close(&approvals->attend_fd);
	w_approval_store_close(&approvals->store);
	w_buf_done(&approvals->note);
	writ_config_free(approvals->config);
	free(approvals);
}

const char *
writ_approvals_note(const writ_approvals *approvals)
{
	return approvals->note.len == 0 ? NULL : approvals->note.data;
}

writ_status
w_approvals_begin(writ_approvals *approvals, writ_error *err)
{
	w_buf_done(&approvals->note);
	w_buf_init(&approvals->note, NOTE_MAX);
	return w_approval_store_refresh(&approvals->store, err);
}

static writ_status
hand_out(struct w_buf *buf, char **out_json, size_t *out_len, writ_error *err)
{
	size_t len = 0;
	char *json = w_buf_take(buf, &len);

	if (json == NULL)
		return w_fail_nomem(err, "approval");
	*out_json = json;
	if (out_len != NULL)
		*out_len = len;
	return WRIT_OK;
}

static void
add_queue(struct w_buf *buf, const struct w_approval_queue *queue,
    bool *out_is_waiting)
{
	*out_is_waiting = false;
	w_buf_add_char(buf, '[');
	for (size_t i = 0; i < queue->count; i++) {
		if (i > 0)
			w_buf_add_char(buf, ',');
		w_approval_add_json(buf, &queue->items[i]);
		*out_is_waiting |=
		    queue->items[i].state == WRIT_APPROVAL_PENDING;
	}
	w_buf_add_char(buf, ']');
}

writ_status
writ_approvals_list(writ_approvals *approvals, char **out_json, size_t *out_len,
    writ_error *err)
{
	W_AUTO_APPROVAL_QUEUE struct w_approval_queue queue = {.count = 0};
	W_AUTO_BUF struct w_buf buf;
	bool is_waiting;

	w_buf_init(&buf, JSON_MAX);
	/* Changes from here on are new. */
	w_approvals_drain(approvals);
	writ_status status = w_approvals_begin(approvals, err);
	if (status == WRIT_OK)
		status = w_approval_queue_read(
		    &approvals->store, &queue, &approvals->note, err);
	if (status != WRIT_OK)
		return status;
	add_queue(&buf, &queue, &is_waiting);
	w_approvals_rearm(approvals, is_waiting);
	return hand_out(&buf, out_json, out_len, err);
}

writ_status
writ_approvals_show(writ_approvals *approvals, const char *id, char **out_json,
    size_t *out_len, writ_error *err)
{
	W_AUTO_APPROVAL struct w_approval item = {.question = NULL};
	W_AUTO_BUF struct w_buf buf;
	char whole[WRIT_APPROVAL_ID_LEN + 1];
	struct w_timestamp now;

	w_buf_init(&buf, JSON_MAX);
	writ_status status = w_approvals_begin(approvals, err);
	if (status == WRIT_OK)
		status = w_approval_find_id(
		    approvals->store.queue_fd, id, "question", whole, err);
	w_timestamp_now(&now);
	if (status == WRIT_OK)
		status =
		    w_approval_read(&approvals->store, whole, &now, &item, err);
	if (status != WRIT_OK)
		return status;
	w_approval_add_json(&buf, &item);
	return hand_out(&buf, out_json, out_len, err);
}
