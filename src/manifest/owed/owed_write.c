/* SPDX-License-Identifier: Apache-2.0 */

/* Writes what is owed to its log: first the log, then the table in memory. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "log/log_files.h"
#include "manifest/owed/owed_state.h"
#include "manifest/session/event.h"
#include "manifest/session/event_fields.h"

/* ---- lines ---- */

static struct w_buf *
owed_write_line(struct w_owed *owed, const char *start)
{
	struct w_buf *line = &owed->line;

	line->len = 0;
	line->failed = false;
	w_buf_add_str(line, start);
	return line;
}

static writ_status
owed_write_put(struct w_owed *owed, enum w_log_urgency urgency, writ_error *err)
{
	writ_status status = w_owed_begin_writing(owed, err);

	if (status == WRIT_OK && owed->line.failed)
		status = w_fail_nomem(err, W_OWED_STAGE);
	return status == WRIT_OK ? w_log_append(owed->log, owed->line.data,
				       owed->line.len, urgency, NULL, err)
				 : status;
}

static void
owed_write_name(struct w_buf *line, size_t i, const char *name)
{
	w_event_add_text(line, i == 0 ? "" : ",", name);
}

writ_status
w_owed_begin_writing(struct w_owed *owed, writ_error *err)
{
	const struct w_log_options options = {
	    .name = W_OWED_LOG,
	    .durability = W_LOG_BATCH,
	    .segment_max = W_OWED_SEGMENT,
	    .reserve = W_OWED_RESERVE,
	};

	if (owed->log != NULL)
		return WRIT_OK;
	if (owed->is_readonly)
		return w_fail(err, WRIT_E_INTERNAL, W_OWED_STAGE, 0,
		    "'%s' was opened for reading", owed->dir);
	return w_log_open(owed->dir, &options, &owed->log, err);
}

writ_status
w_owed_acknowledge(struct w_owed *owed, writ_error *err)
{
	w_event_add_number(owed_write_line(owed, ""),
	    "\"kind\":\"told\",\"bad\":", owed->bad_lines);
	return owed_write_put(owed, W_LOG_ENDS, err);
}

/* ---- on the disk ---- */

static int
sync_names(const char *dir)
{
	W_AUTO_FD int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	if (fsync(fd) < 0 && errno != EINVAL)
		return errno;
	W_AUTO_FD int above =
	    openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (above >= 0 && fsync(above) < 0 && errno != EINVAL)
		return errno;
	return 0;
}

static writ_status
sync_owed(struct w_owed *owed, writ_error *err)
{
	const bool is_first = owed->last_segment == 0;
	int error = w_log_sync(owed->log);

	/* A new log has names that are not on the disk yet. */
	if (error == 0 && is_first)
		error = sync_names(owed->dir);
	if (error == 0) {
		owed->last_segment += is_first;
		return WRIT_OK;
	}
	return w_fail(err, WRIT_E_SYSTEM, W_OWED_STAGE, error,
	    "cannot put the list of owed refreshes on the disk in '%s'",
	    owed->dir);
}

/* ---- an apply ---- */

static void
add_may(struct w_owed *owed, const char *apply, const char *manifest)
{
	struct w_buf *line = owed_write_line(owed, "\"kind\":\"may\"");

	w_event_add_text(line, ",\"apply\":", apply);
	w_event_add_text(
	    line, ",\"boot\":", owed->boot[0] != '\0' ? owed->boot : "?");
	w_event_add_text(line, ",\"manifest\":", manifest);
	w_buf_add_str(line, ",\"changes\":[");
}

/* Some thousand names go on a line. */
static writ_status
put_may(struct w_owed *owed, const char *apply,
    const struct w_owed_change *changes, size_t count, size_t *at,
    writ_error *err)
{
	struct w_buf *line = &owed->line;
	size_t names = 0;

	add_may(owed, apply, changes[*at].manifest);
	for (size_t first = *at; *at < count && names < W_OWED_NAMES_MAX;
	     ++*at) {
		const struct w_owed_change *change = &changes[*at];

		w_buf_add_str(line, *at == first ? "[" : ",[");
		owed_write_name(line, 0, change->subject);
		for (size_t i = 0; i < change->count; i++)
			owed_write_name(line, 1, change->subscribers[i]);
		w_buf_add_char(line, ']');
		names += change->count + 1;
	}
	w_buf_add_char(line, ']');
	return owed_write_put(owed, W_LOG_BEGINS, err);
}

writ_status
w_owed_announce(struct w_owed *owed, const char *apply,
    const struct w_owed_change *changes, size_t count, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t at = 0; status == WRIT_OK && at < count;)
		status = put_may(owed, apply, changes, count, &at, err);
	if (status == WRIT_OK)
		status = sync_owed(owed, err);
	owed->is_announced = owed->is_announced || status == WRIT_OK;
	return status;
}

writ_status
w_owed_conclude(struct w_owed *owed, const char *apply, writ_error *err)
{
	if (!owed->is_announced)
		return WRIT_OK;
	owed->is_announced = false;
	w_event_add_text(
	    owed_write_line(owed, "\"kind\":\"done\""), ",\"apply\":", apply);
	return owed_write_put(owed, W_LOG_ENDS, err);
}

/* ---- one change ---- */

static void
forget_promise(struct w_owed *owed)
{
	/* Most of them are at the end. */
	for (size_t i = owed->count; owed->new_count > 0 && i-- > 0;) {
		owed->new_count -= owed->items[i]->is_new;
		owed->items[i]->is_new = false;
	}
	owed->promised = NULL;
}

static writ_status
put_owe(struct w_owed *owed, const struct w_owed_change *change, size_t *at,
    writ_error *err)
{
	struct w_buf *line = owed_write_line(owed, "\"kind\":\"owe\"");
	size_t names = 0;

	w_event_add_text(line, ",\"manifest\":", change->manifest);
	w_event_add_text(line, ",\"subject\":", change->subject);
	w_buf_add_str(line, ",\"to\":[");
	for (; *at < change->count && names < W_OWED_NAMES_MAX; ++*at)
		owed_write_name(line, names++, change->subscribers[*at]);
	w_buf_add_char(line, ']');
	return owed_write_put(owed, W_LOG_BEGINS, err);
}

/* It may be owed already; then it is since then. */
static bool
note_promise(
    struct w_owed *owed, const struct w_owed_change *change, uint64_t now)
{
	for (size_t i = 0; i < change->count; i++) {
		struct w_owed_entry *entry = w_owed_entry_need(
		    owed, change->subject, change->subscribers[i]);

		if (entry == NULL)
			return false;
		if (!entry->is_owed) {
			entry->is_new = true;
			owed->new_count++;
		}
		if (!w_owed_entry_owe(owed, entry, change->manifest, now))
			return false;
		owed->promised = entry->refresh.subject;
	}
	return true;
}

/* A change of a resource for which all is owed already needs no line. */
static bool
is_owed_already(const struct w_owed *owed, const struct w_owed_change *change)
{
	for (size_t i = 0; i < change->count; i++) {
		const struct w_owed_entry *entry = w_owed_entry_find(
		    owed, change->subject, change->subscribers[i]);

		if (entry == NULL || !entry->is_owed ||
		    strcmp(entry->refresh.manifest, change->manifest) != 0)
			return false;
	}
	return true;
}

writ_status
w_owed_promise(
    struct w_owed *owed, const struct w_owed_change *change, writ_error *err)
{
	writ_status status = WRIT_OK;

	forget_promise(owed);
	if (is_owed_already(owed, change))
		return WRIT_OK;
	for (size_t at = 0; status == WRIT_OK && at < change->count;)
		status = put_owe(owed, change, &at, err);
	if (status == WRIT_OK && !note_promise(owed, change, w_event_now_us()))
		status = w_fail_nomem(err, W_OWED_STAGE);
	return status;
}

writ_status
w_owed_take_back(struct w_owed *owed, writ_error *err)
{
	struct w_buf *line = owed_write_line(owed, "\"kind\":\"back\"");
	size_t names = 0;

	if (owed->new_count == 0)
		return WRIT_OK;
	w_event_add_text(line, ",\"subject\":", owed->promised);
	w_buf_add_str(line, ",\"to\":[");
	for (size_t i = 0; i < owed->count; i++) {
		struct w_owed_entry *entry = owed->items[i];

		if (!entry->is_new)
			continue;
		owed_write_name(line, names++, entry->refresh.subscriber);
		w_owed_entry_clear(owed, entry);
	}
	w_buf_add_char(line, ']');
	forget_promise(owed);
	return owed_write_put(owed, W_LOG_ENDS, err);
}

/* ---- a refresh ---- */

writ_status
w_owed_pay(struct w_owed *owed, const char *subscriber, const char *why,
    w_owed_fn fn, void *ctx, writ_error *err)
{
	struct w_owed_subscriber *to = w_owed_subscriber_find(owed, subscriber);
	struct w_owed_entry *entry =
	    to != NULL && to->number > 0 ? to->first : NULL;
	writ_status status = WRIT_OK;

	while (status == WRIT_OK && entry != NULL) {
		struct w_owed_entry *first = entry;
		struct w_buf *line = owed_write_line(owed, "\"kind\":\"paid\"");
		size_t names = 0;

		w_event_add_text(line, ",\"subscriber\":", subscriber);
		w_buf_add_str(line, ",\"of\":[");
		for (; entry != NULL && names < W_OWED_NAMES_MAX;
		     entry = entry->next) {
			if (entry->is_owed &&
			    (fn == NULL || fn(ctx, &entry->refresh)))
				owed_write_name(
				    line, names++, entry->refresh.subject);
		}
		w_event_add_text(line, "],\"why\":", why);
		if (names > 0)
			status = owed_write_put(owed, W_LOG_ENDS, err);
		for (; status == WRIT_OK && first != entry; first = first->next)
			if (first->is_owed &&
			    (fn == NULL || fn(ctx, &first->refresh)))
				w_owed_entry_clear(owed, first);
	}
	return status;
}

/* ---- compaction ---- */

static writ_status
put_copy(struct w_owed *owed, const struct w_owed_refresh *refresh,
    struct w_log_mark *out_mark, writ_error *err)
{
	struct w_buf *line = owed_write_line(owed, "\"kind\":\"owe\"");

	w_event_add_text(line, ",\"manifest\":", refresh->manifest);
	w_event_add_text(line, ",\"subject\":", refresh->subject);
	w_event_add_text(line, ",\"to\":[", refresh->subscriber);
	w_event_add_time(line, "],\"since\":", refresh->since_us);
	writ_status status = w_owed_begin_writing(owed, err);
	if (status == WRIT_OK && line->failed)
		status = w_fail_nomem(err, W_OWED_STAGE);
	return status == WRIT_OK ? w_log_append(owed->log, line->data,
				       line->len, W_LOG_BEGINS, out_mark, err)
				 : status;
}

/* Only whole files that lie before the copies are removed, the oldest first.
 * What stays behind does no harm: the copies say the same. */
static void
remove_before(const struct w_owed *owed, uint32_t segment)
{
	W_AUTO_FD int fd =
	    open(owed->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char name[W_LOG_NAME_MAX];

	for (uint32_t at = owed->first_segment; fd >= 0 && at < segment; at++) {
		w_log_segment_name(W_OWED_LOG, at, name);
		if (unlinkat(fd, name, 0) < 0 && errno != ENOENT)
			break;
	}
}

writ_status
w_owed_compact(struct w_owed *owed, writ_error *err)
{
	struct w_log_mark first = {.segment = 0};
	const struct w_owed_refresh *refresh;
	writ_status status = WRIT_OK;
	size_t at = 0;

	while (status == WRIT_OK && (refresh = w_owed_next(owed, &at)) != NULL)
		status = put_copy(
		    owed, refresh, first.segment == 0 ? &first : NULL, err);
	if (status == WRIT_OK && first.segment != 0)
		status = sync_owed(owed, err);
	if (status == WRIT_OK)
		remove_before(owed,
		    first.segment != 0 ? first.segment : owed->last_segment);
	return status;
}
