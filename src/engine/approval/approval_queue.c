/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The queue of questions.
 *
 * Deleting: the question goes first, the mark of its use last, so that a used
 * approval never looks unused.
 */

#include "engine/approval/approval_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/grow.h"

#define DAY_MS      UINT64_C(86400000)
#define HOUR_MS     UINT64_C(3600000)
#define TROUBLE_MAX 4096

struct approval_queue_reading {
	const struct w_approval_store *store;
	struct w_approval_queue *queue;
	struct w_buf *trouble;
	struct w_timestamp now;
	bool has_failed; /* no memory */
};

static bool
is_past(uint64_t at_ms, const struct w_timestamp *now, uint64_t age_ms)
{
	return now->wall_ms > at_ms && now->wall_ms - at_ms > age_ms;
}

/* Whether it can no longer be used or answered, and is that old. */
static bool
is_over_since(const struct w_approval *item, const struct w_timestamp *now,
    uint64_t age_ms)
{
	return item->state != WRIT_APPROVAL_PENDING &&
	       item->state != WRIT_APPROVAL_APPROVED &&
	       is_past(item->validity.at_ms, now, age_ms) &&
	       (item->answer == NULL ||
		   is_past(item->reply.validity.at_ms, now, age_ms));
}

static bool
drop_file(
    const struct w_approval_store *store, const char *id, const char *suffix)
{
	char name[W_APPROVAL_NAME_SIZE];

	w_approval_file_name(id, suffix, name);
	return unlinkat(store->queue_fd, name, 0) == 0 || errno == ENOENT;
}

/* While the question cannot be deleted, the mark of its use must stay. */
static void
drop_rest(const struct w_approval_store *store, const char *id)
{
	char name[W_APPROVAL_NAME_SIZE];

	w_approval_file_name(id, ".json", name);
	if (faccessat(store->queue_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0 &&
	    errno == ENOENT && drop_file(store, id, ".answer"))
		(void)drop_file(store, id, ".used");
}

/* An answer whose question is gone: deleted halfway, long ago. */
static void
drop_orphan(const struct approval_queue_reading *reading, const char *id,
    const char *suffix)
{
	char name[W_APPROVAL_NAME_SIZE];
	struct stat st;

	if (strcmp(suffix, ".answer") != 0 && strcmp(suffix, ".used") != 0)
		return;
	w_approval_file_name(id, ".json", name);
	if (faccessat(
		reading->store->queue_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return;
	w_approval_file_name(id, suffix, name);
	if (fstatat(reading->store->queue_fd, name, &st, AT_SYMLINK_NOFOLLOW) ==
		0 &&
	    st.st_mtime > 0 &&
	    is_past((uint64_t)st.st_mtime * 1000, &reading->now, DAY_MS))
		(void)unlinkat(reading->store->queue_fd, name, 0);
}

static bool
approval_queue_keep(
    struct w_approval_queue *queue, const struct w_approval *item)
{
	if (!w_grow(&queue->items, queue->count, &queue->cap))
		return false;
	queue->items[queue->count++] = *item;
	return true;
}

static bool
read_one(void *ctx, const char *id, const char *suffix)
{
	struct approval_queue_reading *reading = ctx;
	struct w_approval item;
	writ_error err;

	if (strcmp(suffix, ".json") != 0) {
		drop_orphan(reading, id, suffix);
		return true;
	}
	writ_status status =
	    w_approval_read(reading->store, id, &reading->now, &item, &err);
	if (status == WRIT_E_NOMEM) {
		reading->has_failed = true;
		return false;
	}
	if (status == WRIT_E_NOTFOUND)
		return true;
	if (status != WRIT_OK) {
		w_buf_add_fmt(reading->trouble, "%s%s",
		    reading->trouble->len > 0 ? "\n" : "", err.message);
		return true;
	}
	if (is_over_since(&item, &reading->now, DAY_MS)) {
		(void)drop_file(reading->store, id, ".json");
		(void)fsync(reading->store->queue_fd);
		drop_rest(reading->store, id);
		w_approval_done(&item);
		return true;
	}
	reading->has_failed = !approval_queue_keep(reading->queue, &item);
	if (reading->has_failed)
		w_approval_done(&item);
	return !reading->has_failed;
}

static int
compare_items(const void *a, const void *b)
{
	const struct w_approval *left = a;
	const struct w_approval *right = b;

	if (left->validity.at_ms != right->validity.at_ms)
		return left->validity.at_ms < right->validity.at_ms ? -1 : 1;
	return strcmp(left->id, right->id);
}

writ_status
w_approval_queue_read(const struct w_approval_store *store,
    struct w_approval_queue *out_queue, struct w_buf *trouble, writ_error *err)
{
	struct w_approval_queue queue = {.count = 0};
	struct approval_queue_reading reading = {
	    .store = store, .queue = &queue, .trouble = trouble};
	int error = 0;

	w_timestamp_now(&reading.now);
	if (store->queue_fd >= 0)
		error =
		    w_approval_list_ids(store->queue_fd, read_one, &reading);
	if (error != 0 || reading.has_failed) {
		w_approval_queue_done(&queue);
		return reading.has_failed
			   ? w_fail_nomem(err, "approval")
			   : w_fail(err, WRIT_E_SYSTEM, "approval", error,
				 "cannot list '%s/%s'", store->state_dir,
				 W_APPROVALS_DIR);
	}
	if (queue.count > 1)
		qsort(queue.items, queue.count, sizeof(*queue.items),
		    compare_items);
	*out_queue = queue;
	return WRIT_OK;
}

void
w_approval_queue_done(struct w_approval_queue *queue)
{
	for (size_t i = 0; i < queue->count; i++)
		w_approval_done(&queue->items[i]);
	free(queue->items);
	*queue = (struct w_approval_queue){0};
}

static bool
count_name(void *ctx, const char *id, const char *suffix)
{
	(void)id;
	*(size_t *)ctx += strcmp(suffix, ".json") == 0;
	return true;
}

/* Used and abandoned ones can go at once. The asking process may still want
 * to read the others. */
static bool
can_delete(const struct w_approval *item, const struct w_timestamp *now)
{
	return item->state == WRIT_APPROVAL_USED ||
	       item->state == WRIT_APPROVAL_ABANDONED ||
	       is_over_since(item, now, HOUR_MS);
}

/*
 * Deletes the oldest closed questions before their day is over, down to half of
 * the maximum: reading that many files is slow, and a caller that asks without
 * end would pay that for each question. All questions go first, so that one
 * fsync() is enough.
 */
static void
thin_out(
    const struct w_approval_store *store, const struct w_approval_queue *queue)
{
	size_t spare = queue->count > W_APPROVAL_QUEUE_MAX / 2
			   ? queue->count - W_APPROVAL_QUEUE_MAX / 2
			   : 0;
	struct w_timestamp now;
	size_t end = 0;

	w_timestamp_now(&now);
	for (; spare > 0 && end < queue->count; end++) {
		if (!can_delete(&queue->items[end], &now))
			continue;
		(void)drop_file(store, queue->items[end].id, ".json");
		spare--;
	}
	(void)fsync(store->queue_fd);
	for (size_t i = 0; i < end; i++) {
		if (can_delete(&queue->items[i], &now))
			drop_rest(store, queue->items[i].id);
	}
}

writ_status
w_approval_queue_make_room(
    const struct w_approval_store *store, writ_error *err)
{
	W_AUTO_APPROVAL_QUEUE struct w_approval_queue queue = {.count = 0};
	W_AUTO_BUF struct w_buf trouble;
	size_t count = 0;
	int error = w_approval_list_ids(store->queue_fd, count_name, &count);

	w_buf_init(&trouble, TROUBLE_MAX);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "approval", error,
		    "cannot list '%s/%s'", store->state_dir, W_APPROVALS_DIR);
	if (count < W_APPROVAL_QUEUE_MAX)
		return WRIT_OK;
	writ_status status =
	    w_approval_queue_read(store, &queue, &trouble, err);
	if (status != WRIT_OK)
		return status;
	thin_out(store, &queue);
	count = 0;
	for (size_t i = 0; i < queue.count; i++)
		count += queue.items[i].state == WRIT_APPROVAL_PENDING;
	if (count < W_APPROVAL_QUEUE_MAX)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
	    "%zu questions wait for an answer already", count);
	w_suggest(err, "writ approvals shows them");
	return WRIT_E_INVALID;
}
