/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The index of a session's events: the flags of the last one under each name
 * and alias, in the order of writing (ids do not sort like that), and the
 * counts.
 */

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "manifest/session/session_state.h"

/* Initial number of bits; doubled as needed. */
#define SEEN_FIRST 128

struct w_manifest_session_entry {
	struct w_last_event past;
	bool is_name; /* not only an alias */
};

/* type_count: unknown. */
static size_t
find_type(const struct w_manifest_session *session, const char *type)
{
	size_t i = 0;

	while (i < session->type_count &&
	       strcmp(session->types[i].type, type) != 0)
		i++;
	return i;
}

bool
w_manifest_session_can_note(
    const struct w_manifest_session *session, const char *type)
{
	return find_type(session, type) < W_MANIFEST_SESSION_TYPES_MAX;
}

static struct w_manifest_session_type *
need_type(struct w_manifest_session *session, const char *type)
{
	const size_t at = find_type(session, type);

	if (at == W_MANIFEST_SESSION_TYPES_MAX)
		return NULL;
	if (at < session->type_count)
		return &session->types[at];
	const char *copy = w_arena_text(&session->arena, type, strlen(type));
	if (copy == NULL)
		return NULL;
	session->types[at].type = copy;
	session->type_count++;
	return &session->types[at];
}

static struct w_manifest_session_entry *
need_entry(struct w_manifest_session *session,
    struct w_manifest_session_type *type, const char *name)
{
	const size_t len = strlen(name);
	struct w_manifest_session_entry *entry =
	    w_hash_table_get(&type->names, name, len);

	if (entry != NULL)
		return entry;
	/* The entry and its name share one allocation. */
	entry = w_arena_alloc(&session->arena, 1, sizeof(*entry) + len + 1);
	if (entry == NULL)
		return NULL;
	char *copy = (char *)(entry + 1);
	memcpy(copy, name, len + 1);
	return w_hash_table_put(&type->names, copy, len, entry) ? entry : NULL;
}

/* Grows the bitmap for this index; indexes beyond the maximum have no bit. */
static bool
need_seen(struct w_manifest_session *session, size_t index)
{
	size_t len = session->seen_len > 0 ? session->seen_len : SEEN_FIRST;

	if (index / 8 < session->seen_len ||
	    index >= W_MANIFEST_SESSION_INDEX_MAX)
		return true;
	while (len <= index / 8)
		len *= 2;
	uint8_t *grown = realloc(session->seen, len);
	if (grown == NULL)
		return false;
	memset(grown + session->seen_len, 0, len - session->seen_len);
	session->seen = grown;
	session->seen_len = len;
	return true;
}

static void
set_seen(struct w_manifest_session *session, size_t index, bool is_seen)
{
	const uint8_t bit = (uint8_t)(1U << index % 8);

	if (index / 8 >= session->seen_len)
		return;
	session->seen[index / 8] &= (uint8_t)~bit;
	if (is_seen)
		session->seen[index / 8] |= bit;
}

static bool
is_seen(const struct w_manifest_session *session, size_t index)
{
	return index / 8 < session->seen_len &&
	       (session->seen[index / 8] >> index % 8 & 1) != 0;
}

bool
w_manifest_session_has(const struct w_manifest_session *session, size_t index)
{
	/* In a script every command is a manifest of its own. */
	if (session->has_start && session->start.manifest == NULL)
		return false;
	return is_seen(session, index);
}

/* Adds an event to its counts, or subtracts it. */
static void
session_index_count(
    writ_apply_summary *summary, const struct w_counted *counted, bool is_out)
{
	const size_t one = is_out ? (size_t)-1 : 1;
	size_t checks = 0;

	summary->total += one;
	if (counted->failed)
		summary->failed += one;
	else if (counted->skipped)
		summary->skipped += one;
	else if (counted->changed)
		summary->changed += one;
	else
		summary->stable += one;
	summary->errors += counted->failed ? one : 0;
	summary->refreshed += counted->refreshed ? one : 0;
	summary->unmet += counted->has_unmet ? one : 0;
	for (size_t i = 0; i < 4; i++) {
		summary->health[i] += one * counted->health[i];
		checks += counted->health[i];
	}
	summary->checked += checks > 0 ? one : 0;
}

/* A resource of a manifest that failed or was interrupted has a new event now.
 * Most have none to replace, and are not looked for. */
static void
replace_cut(struct w_manifest_session *session, size_t index)
{
	if (session->start.manifest == NULL ||
	    (session->interrupted_count == 0 && !is_seen(session, index)))
		return;
	for (size_t i = session->cut_count; i-- > 0;) {
		struct w_cut_event *cut = &session->cuts[i];

		if (cut->index != index)
			continue;
		session_index_count(&session->summary, &cut->counted, true);
		session->sum_ns -= cut->counted.duration_ns;
		session->interrupted_count -= cut->counted.interrupted;
		*cut = session->cuts[--session->cut_count];
		return;
	}
}

static void
keep_cut(struct w_manifest_session *session, size_t index,
    const struct w_counted *counted)
{
	if (!counted->interrupted && !counted->failed)
		return;
	session->cuts[session->cut_count++] =
	    (struct w_cut_event){.index = index, .counted = *counted};
	session->interrupted_count += counted->interrupted;
}

static void
note_times(struct w_manifest_session *session, const struct w_counted *counted)
{
	writ_apply_summary *summary = &session->summary;

	session->sum_ns += counted->duration_ns;
	session->last_us = counted->time_us;
	if (summary->start_us == 0)
		summary->start_us =
		    counted->time_us -
		    (counted->duration_ns / 1000 < counted->time_us
			    ? counted->duration_ns / 1000
			    : 0);
	summary->end_us = counted->time_us;
}

bool
w_manifest_session_note_event(struct w_manifest_session *session, size_t index,
    const char *type, const char *name, const char *alias,
    const struct w_counted *counted)
{
	struct w_manifest_session_type *known = need_type(session, type);
	struct w_manifest_session_entry *entry =
	    known != NULL ? need_entry(session, known, name) : NULL;
	struct w_manifest_session_entry *other =
	    entry != NULL && alias != NULL && alias[0] != '\0'
		? need_entry(session, known, alias)
		: entry;

	if (entry == NULL || other == NULL || !need_seen(session, index) ||
	    ((counted->interrupted || counted->failed) &&
		!w_grow(&session->cuts, session->cut_count, &session->cut_cap)))
		return false;
	entry->past = (struct w_last_event){
	    .changed = counted->changed,
	    .failed = counted->failed,
	    .has_unmet = counted->has_unmet,
	    .skipped = counted->skipped,
	};
	other->past = entry->past;
	session->summary.unique += !entry->is_name;
	entry->is_name = true;
	replace_cut(session, index);
	session_index_count(&session->summary, counted, false);
	note_times(session, counted);
	set_seen(session, index, !counted->interrupted);
	keep_cut(session, index, counted);
	return true;
}

void
w_manifest_session_note_part(
    struct w_manifest_session *session, uint64_t time_us)
{
	if (session->part_us > 0 && session->last_us > session->part_us)
		session->parts_ns +=
		    (session->last_us - session->part_us) * 1000;
	session->part_us = time_us;
	session->last_us = 0;
	session->is_finished = false;
	if (session->summary.start_us == 0)
		session->summary.start_us = time_us;
}

bool
w_manifest_session_last(const struct w_manifest_session *session,
    const char *type, const char *name, struct w_last_event *out_past)
{
	const size_t at = find_type(session, type);

	if (at == session->type_count)
		return false;
	const struct w_manifest_session_entry *entry =
	    w_hash_table_get(&session->types[at].names, name, strlen(name));
	if (entry == NULL)
		return false;
	*out_past = entry->past;
	return true;
}

void
w_manifest_session_summary(
    const struct w_manifest_session *session, writ_apply_summary *out_summary)
{
	*out_summary = session->summary;
	/* Time between the events of a script does not count. */
	if (!session->has_start || session->start.manifest == NULL) {
		out_summary->duration_ns = session->sum_ns;
		return;
	}
	out_summary->duration_ns = session->parts_ns;
	if (session->last_us > session->part_us)
		out_summary->duration_ns +=
		    (session->last_us - session->part_us) * 1000;
}
