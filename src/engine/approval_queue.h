/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_APPROVAL_QUEUE_H
#define W_ENGINE_APPROVAL_QUEUE_H

#include "engine/approval_item.h"

/*
 * All questions that are there, and keeping house among them.
 */
struct w_queue {
	struct w_item *items; /* the oldest first */
	size_t count;
	size_t cap;
};

/* Reads all. Files that are not in order are named in *trouble, one on a line.
 * What is over and old is deleted. */
writ_status w_queue_read(const struct w_desk *desk, struct w_queue *out_queue,
    struct w_buf *trouble, writ_error *err);
void w_queue_done(struct w_queue *queue);
#define W_AUTO_QUEUE __attribute__((cleanup(w_queue_done)))

/* Refuses when more questions wait than anybody answers. With so many files
 * the oldest of those that are over go before their time. */
#define W_QUEUE_MAX 1000
writ_status w_queue_make_room(const struct w_desk *desk, writ_error *err);

/* The whole id of the question that some text is the beginning of, in either
 * case of letters. Fails with WRIT_E_NOTFOUND, WRIT_E_INVALID (of several).
 * what: "question", "grant". */
writ_status w_queue_find(int dir_fd, const char *beginning, const char *what,
    char out_id[WRIT_APPROVAL_ID_LEN + 1], writ_error *err);

/* Calls fn with the id of every file ID.suffix, until it returns false. 0, or
 * an errno. */
typedef bool (*w_queue_name_fn)(void *ctx, const char *id, const char *suffix);
int w_queue_names(int dir_fd, w_queue_name_fn fn, void *ctx);

#endif /* W_ENGINE_APPROVAL_QUEUE_H */
