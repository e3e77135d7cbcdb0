/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What is owed, in memory: an entry for each pair of a resource and one that
 * subscribes to it. An entry stays when it is paid, for the next change.
 */

#include <string.h>

#include "base/buf.h"
#include "base/grow.h"
#include "data/json.h"
#include "log/log_format.h"
#include "manifest/owed/owed_state.h"

static const char *
keep_manifest(struct w_owed *owed, const char *path)
{
	const size_t len = strlen(path);
	char *kept = w_hash_table_get(&owed->texts, path, len);

	if (kept != NULL)
		return kept;
	kept = w_arena_text(&owed->arena, path, len);
	return kept != NULL && w_hash_table_put(&owed->texts, kept, len, kept)
		   ? kept
		   : NULL;
}

struct w_owed_subscriber *
w_owed_subscriber_find(const struct w_owed *owed, const char *name)
{
	return w_hash_table_get(&owed->subscribers, name, strlen(name));
}

static struct w_owed_subscriber *
need_subscriber(struct w_owed *owed, const char *name)
{
	struct w_owed_subscriber *found = w_owed_subscriber_find(owed, name);

	if (found != NULL)
		return found;
	found = w_arena_alloc(&owed->arena, 1, sizeof(*found));
	if (found == NULL)
		return NULL;
	found->name = w_arena_text(&owed->arena, name, strlen(name));
	return found->name != NULL &&
		       w_hash_table_put(&owed->subscribers, found->name,
			   strlen(found->name), found)
		   ? found
		   : NULL;
}

/* SUBJECT NUL SUBSCRIBER NUL, in the arena. */
static char *
make_key(struct w_arena *arena, const char *subject, const char *subscriber)
{
	const size_t first = strlen(subject) + 1;
	const size_t second = strlen(subscriber) + 1;
	char *key = w_arena_alloc(arena, first + second, 1);

	if (key == NULL)
		return NULL;
	memcpy(key, subject, first);
	memcpy(key + first, subscriber, second);
	return key;
}

static size_t
key_len(const char *subject, const char *subscriber)
{
	return strlen(subject) + 1 + strlen(subscriber);
}

struct w_owed_entry *
w_owed_entry_find(
    const struct w_owed *owed, const char *subject, const char *subscriber)
{
	struct w_owed_subscriber *to = w_owed_subscriber_find(owed, subscriber);
	char room[1024];
	const size_t len = key_len(subject, subscriber);

	if (to == NULL)
		return NULL;
	if (len < sizeof(room)) {
		memcpy(room, subject, strlen(subject) + 1);
		memcpy(
		    room + strlen(subject) + 1, subscriber, strlen(subscriber));
		return w_hash_table_get(&owed->pairs, room, len);
	}
	for (struct w_owed_entry *entry = to->first; entry != NULL;
	     entry = entry->next)
		if (strcmp(entry->refresh.subject, subject) == 0)
			return entry;
	return NULL;
}

struct w_owed_entry *
w_owed_entry_need(
    struct w_owed *owed, const char *subject, const char *subscriber)
{
	struct w_owed_entry *entry =
	    w_owed_entry_find(owed, subject, subscriber);

	if (entry != NULL)
		return entry;
	struct w_owed_subscriber *to = need_subscriber(owed, subscriber);
	char *key = make_key(&owed->arena, subject, subscriber);
	entry = w_arena_alloc(&owed->arena, 1, sizeof(*entry));
	if (to == NULL || key == NULL || entry == NULL ||
	    owed->count >= W_OWED_COUNT_MAX ||
	    !w_grow(&owed->items, owed->count, &owed->cap) ||
	    !w_hash_table_put(
		&owed->pairs, key, key_len(subject, subscriber), entry))
		return NULL;
	entry->refresh = (struct w_owed_refresh){
	    .subject = key, .subscriber = to->name, .manifest = ""};
	if (to->last != NULL)
		to->last->next = entry;
	else
		to->first = entry;
	to->last = entry;
	owed->items[owed->count++] = entry;
	return entry;
}

bool
w_owed_entry_owe(struct w_owed *owed, struct w_owed_entry *entry,
    const char *manifest, uint64_t since_us)
{
	const char *kept = keep_manifest(owed, manifest);

	if (kept == NULL)
		return false;
	entry->refresh.manifest = kept;
	if (entry->is_owed)
		return true;
	entry->refresh.since_us = since_us;
	entry->is_owed = true;
	owed->owed_count++;
	w_owed_subscriber_find(owed, entry->refresh.subscriber)->number++;
	return true;
}

void
w_owed_entry_clear(struct w_owed *owed, struct w_owed_entry *entry)
{
	entry->is_possible = false;
	if (!entry->is_owed)
		return;
	entry->is_owed = false;
	owed->owed_count--;
	w_owed_subscriber_find(owed, entry->refresh.subscriber)->number--;
}

void
w_owed_settle_possible(struct w_owed *owed, const char *boot)
{
	const bool went_down =
	    owed->may_boot != NULL &&
	    (boot[0] == '\0' || strcmp(owed->may_boot, boot) != 0);

	for (size_t i = 0; owed->may_apply != NULL && i < owed->count; i++) {
		struct w_owed_entry *entry = owed->items[i];

		if (entry->is_possible && went_down)
			(void)w_owed_entry_owe(owed, entry,
			    entry->refresh.manifest, entry->refresh.since_us);
		entry->is_possible = false;
	}
	owed->may_apply = owed->may_boot = NULL;
}

/* ---- walking ---- */

size_t
w_owed_count(const struct w_owed *owed)
{
	return owed->owed_count;
}

const struct w_owed_refresh *
w_owed_next(const struct w_owed *owed, size_t *at)
{
	while (owed->owed_count > 0 && *at < owed->count) {
		const struct w_owed_entry *entry = owed->items[(*at)++];

		if (entry->is_owed)
			return &entry->refresh;
	}
	return NULL;
}

const struct w_owed_refresh *
w_owed_next_of(const struct w_owed *owed, const char *subscriber, size_t *at)
{
	const struct w_owed_subscriber *to =
	    owed->owed_count > 0 ? w_owed_subscriber_find(owed, subscriber)
				 : NULL;
	size_t number = 0;

	if (to == NULL || to->number == 0)
		return NULL;
	for (const struct w_owed_entry *entry = to->first; entry != NULL;
	     entry = entry->next) {
		if (!entry->is_owed || number++ < *at)
			continue;
		++*at;
		return &entry->refresh;
	}
	return NULL;
}

/* ---- for programs ---- */

void
w_owed_add_json(struct w_buf *buf, const struct w_owed *owed)
{
	const struct w_owed_refresh *refresh;
	size_t at = 0;
	bool is_first = true;

	w_buf_add_char(buf, '[');
	while (owed != NULL && (refresh = w_owed_next(owed, &at)) != NULL) {
		char since[W_LOG_TIME_LEN + 1];

		w_log_time_format(refresh->since_us, since);
		w_buf_add_str(buf, is_first ? "{" : ",{");
		is_first = false;
		w_json_add_text_member(buf, "resource", refresh->subscriber);
		w_json_add_text_member(buf, "changed", refresh->subject);
		w_json_add_text_member(buf, "since", since);
		w_json_add_path_member(buf, "manifest", refresh->manifest);
		w_buf_add_char(buf, '}');
	}
	w_buf_add_char(buf, ']');
}
