/* SPDX-License-Identifier: Apache-2.0 */

/*
 * All questions that are there.
 *
 * Deleting: the question goes first, the mark of its use last, so that at no
 * time something looks unused that was used.
 */

#include "engine/approval_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

#define DAY_MS      UINT64_C(86400000)
#define HOUR_MS     UINT64_C(3600000)
#define TROUBLE_MAX 4096

struct reading {
	const struct w_desk *desk;
	struct w_queue *queue;
	struct w_buf *trouble;
	struct w_moment now;
	bool is_full;
};

static bool
is_past(uint64_t at_ms, const struct w_moment *now, uint64_t age_ms)
{
	return now->wall_ms > at_ms && now->wall_ms - at_ms > age_ms;
}

static bool
is_old(uint64_t at_ms, const struct w_moment *now)
{
	return is_past(at_ms, now, DAY_MS);
}

/* Whether nobody has asked about it for so long, and nobody can use it. */
static bool
is_over_since(
    const struct w_item *item, const struct w_moment *now, uint64_t age_ms)
{
	return item->state != WRIT_APPROVAL_PENDING &&
	       item->state != WRIT_APPROVAL_APPROVED &&
	       is_past(item->span.at_ms, now, age_ms) &&
	       (item->answer == NULL ||
		   is_past(item->reply.span.at_ms, now, age_ms));
}

static bool
drop_file(const struct w_desk *desk, const char *id, const char *suffix)
{
	char name[W_APPROVAL_NAME_SIZE];

	w_desk_name(id, suffix, name);
	return unlinkat(desk->queue_fd, name, 0) == 0 || errno == ENOENT;
}

/* What could not go before keeps the mark of its use. */
static void
drop_rest(const struct w_desk *desk, const char *id)
{
	char name[W_APPROVAL_NAME_SIZE];

	w_desk_name(id, ".json", name);
	if (faccessat(desk->queue_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0 &&
	    errno == ENOENT && drop_file(desk, id, ".answer"))
		(void)drop_file(desk, id, ".used");
}

static void
drop(const struct w_desk *desk, const char *id)
{
	(void)drop_file(desk, id, ".json");
	(void)fsync(desk->queue_fd);
	drop_rest(desk, id);
}

/* An answer without a question: deleted halfway, long ago. */
static void
drop_orphan(const struct reading *reading, const char *id, const char *suffix)
{
	char name[W_APPROVAL_NAME_SIZE];
	struct stat st;

	if (strcmp(suffix, ".answer") != 0 && strcmp(suffix, ".used") != 0)
		return;
	w_desk_name(id, ".json", name);
	if (faccessat(
		reading->desk->queue_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return;
	w_desk_name(id, suffix, name);
	if (fstatat(reading->desk->queue_fd, name, &st, AT_SYMLINK_NOFOLLOW) ==
		0 &&
	    st.st_mtime > 0 &&
	    is_old((uint64_t)st.st_mtime * 1000, &reading->now))
		(void)unlinkat(reading->desk->queue_fd, name, 0);
}

static bool
keep(struct w_queue *queue, const struct w_item *item)
{
	if (queue->count == queue->cap) {
		const size_t cap = queue->cap == 0 ? 16 : queue->cap * 2;
		struct w_item *items =
		    reallocarray(queue->items, cap, sizeof(*items));

		if (items == NULL)
			return false;
		queue->items = items;
		queue->cap = cap;
	}
	queue->items[queue->count++] = *item;
	return true;
}

static bool
read_one(void *ctx, const char *id, const char *suffix)
{
	struct reading *reading = ctx;
	struct w_item item;
	writ_error err;

	if (strcmp(suffix, ".json") != 0) {
		drop_orphan(reading, id, suffix);
		return true;
	}
	writ_status status =
	    w_item_read(reading->desk, id, &reading->now, &item, &err);
	if (status == WRIT_E_NOMEM) {
		reading->is_full = true;
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
		drop(reading->desk, id);
		w_item_done(&item);
		return true;
	}
	reading->is_full = !keep(reading->queue, &item);
	if (reading->is_full)
		w_item_done(&item);
	return !reading->is_full;
}

static int
compare_items(const void *a, const void *b)
{
	const struct w_item *left = a;
	const struct w_item *right = b;

	if (left->span.at_ms != right->span.at_ms)
		return left->span.at_ms < right->span.at_ms ? -1 : 1;
	return strcmp(left->id, right->id);
}

writ_status
w_queue_read(const struct w_desk *desk, struct w_queue *out_queue,
    struct w_buf *trouble, writ_error *err)
{
	struct w_queue queue = {.count = 0};
	struct reading reading = {
	    .desk = desk, .queue = &queue, .trouble = trouble};
	int error = 0;

	w_moment_now(&reading.now);
	if (desk->queue_fd >= 0)
		error = w_queue_names(desk->queue_fd, read_one, &reading);
	if (error != 0 || reading.is_full) {
		w_queue_done(&queue);
		return reading.is_full ? w_fail_nomem(err, "approval")
				       : w_fail(err, WRIT_E_SYSTEM, "approval",
					     error, "cannot list '%s/%s'",
					     desk->state_dir, W_APPROVALS_DIR);
	}
	if (queue.count > 1)
		qsort(queue.items, queue.count, sizeof(*queue.items),
		    compare_items);
	*out_queue = queue;
	return WRIT_OK;
}

void
w_queue_done(struct w_queue *queue)
{
	for (size_t i = 0; i < queue->count; i++)
		w_item_done(&queue->items[i]);
	free(queue->items);
	*queue = (struct w_queue){0};
}

static bool
count_name(void *ctx, const char *id, const char *suffix)
{
	(void)id;
	*(size_t *)ctx += strcmp(suffix, ".json") == 0;
	return true;
}

static size_t
count_pending(const struct w_queue *queue)
{
	size_t count = 0;

	for (size_t i = 0; i < queue->count; i++)
		count += queue->items[i].state == WRIT_APPROVAL_PENDING;
	return count;
}

/* What was used or taken back can go at once. Who asked may still want to know
 * of the others. */
static bool
can_go(const struct w_item *item, const struct w_moment *now)
{
	return item->state == WRIT_APPROVAL_USED ||
	       item->state == WRIT_APPROVAL_ABANDONED ||
	       is_over_since(item, now, HOUR_MS);
}

/*
 * Of what is over the oldest goes before its day, down to half of the most: to
 * read so many files takes long, and whoever asks without end would have that
 * for each question. All questions first, for one fsync().
 */
static void
thin_out(const struct w_desk *desk, const struct w_queue *queue)
{
	size_t spare =
	    queue->count > W_QUEUE_MAX / 2 ? queue->count - W_QUEUE_MAX / 2 : 0;
	struct w_moment now;
	size_t end = 0;

	w_moment_now(&now);
	for (; spare > 0 && end < queue->count; end++) {
		if (!can_go(&queue->items[end], &now))
			continue;
		(void)drop_file(desk, queue->items[end].id, ".json");
		spare--;
	}
	(void)fsync(desk->queue_fd);
	for (size_t i = 0; i < end; i++) {
		if (can_go(&queue->items[i], &now))
			drop_rest(desk, queue->items[i].id);
	}
}

writ_status
w_queue_make_room(const struct w_desk *desk, writ_error *err)
{
	W_AUTO_QUEUE struct w_queue queue = {.count = 0};
	W_AUTO_BUF struct w_buf trouble;
	size_t count = 0;
	int error = w_queue_names(desk->queue_fd, count_name, &count);

	w_buf_init(&trouble, TROUBLE_MAX);
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "approval", error,
		    "cannot list '%s/%s'", desk->state_dir, W_APPROVALS_DIR);
	if (count < W_QUEUE_MAX)
		return WRIT_OK;
	writ_status status = w_queue_read(desk, &queue, &trouble, err);
	if (status != WRIT_OK)
		return status;
	thin_out(desk, &queue);
	count = count_pending(&queue);
	if (count < W_QUEUE_MAX)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
	    "%zu questions wait for an answer already", count);
	w_suggest(err, "writ approvals shows them");
	return WRIT_E_INVALID;
}
