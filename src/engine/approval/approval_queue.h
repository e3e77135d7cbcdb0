/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_QUEUE_H
#define W_ENGINE_APPROVAL_QUEUE_H

#include "engine/approval/approval.h"

/*
 * The queue of questions, and its cleanup.
 */
struct w_approval_queue {
	struct w_approval *items; /* oldest first */
	size_t count;
	size_t cap;
};

/* Reads all questions. Invalid files are named in *trouble, one per line.
 * Old closed questions are deleted. */
writ_status w_approval_queue_read(const struct w_approval_store *store,
    struct w_approval_queue *out_queue, struct w_buf *trouble, writ_error *err);
void w_approval_queue_done(struct w_approval_queue *queue);
#define W_AUTO_APPROVAL_QUEUE __attribute__((cleanup(w_approval_queue_done)))

/* Fails if too many questions are pending. If there are too many files, the
 * oldest closed questions are deleted early. */
#define W_APPROVAL_QUEUE_MAX 1000
writ_status w_approval_queue_make_room(
    const struct w_approval_store *store, writ_error *err);

/* Completes a unique prefix of an id, in upper or lower case. Fails with
 * WRIT_E_NOTFOUND, WRIT_E_INVALID (ambiguous). what: "question", "grant". */
writ_status w_approval_find_id(int dir_fd, const char *beginning,
    const char *what, char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err);

/* Calls fn with the id of every file ID.suffix, until it returns false.
 * Returns 0, or an errno. */
typedef bool (*w_approval_id_fn)(void *ctx, const char *id, const char *suffix);
int w_approval_list_ids(int dir_fd, w_approval_id_fn fn, void *ctx);

#endif /* W_ENGINE_APPROVAL_QUEUE_H */
