/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads what is owed from its log.
 *
 * A line that is damaged is left out and counted, and so is a hole between two
 * lines or a missing end: a refresh may have been lost with it, and the user is
 * told.
 */

#include <stdio.h>
#include <string.h>

#include <yyjson.h>

#include "base/auto.h"
#include "log/log_reader.h"
#include "manifest/owed/owed_state.h"

static void
free_reader(struct w_log_reader **reader)
{
	w_log_reader_free(*reader);
}
#define W_AUTO_READER __attribute__((cleanup(free_reader)))

static void
free_doc(yyjson_doc **doc)
{
	yyjson_doc_free(*doc);
}
#define W_AUTO_DOC __attribute__((cleanup(free_doc)))

/* The outcome of a line. */
enum owed_line {
	TAKEN,
	BAD,
	SHORT /* out of memory */
};

/* A text without NUL that is not empty and not too long; NULL: it is none. */
static const char *
text_of(yyjson_val *val)
{
	const char *text = yyjson_get_str(val);
	const size_t len = yyjson_get_len(val);

	return text != NULL && len > 0 && len <= W_OWED_TEXT_MAX &&
		       strlen(text) == len
		   ? text
		   : NULL;
}

static const char *
owed_read_member(yyjson_val *root, const char *name)
{
	return text_of(yyjson_obj_get(root, name));
}

/* A line about several pairs is taken as a whole or not at all. */
static bool
are_texts(yyjson_val *list)
{
	size_t i, max;
	yyjson_val *val;

	if (!yyjson_is_arr(list))
		return false;
	yyjson_arr_foreach(list, i, max, val)
	{
		if (text_of(val) == NULL)
			return false;
	}
	return true;
}

/* ---- owe, back ---- */

static enum owed_line
take_subject(struct w_owed *owed, yyjson_val *root, bool is_owed, uint64_t now)
{
	const char *subject = owed_read_member(root, "subject");
	const char *manifest =
	    is_owed ? owed_read_member(root, "manifest") : "-";
	const char *since = owed_read_member(root, "since");
	yyjson_val *list = yyjson_obj_get(root, "to");
	size_t i, max;
	yyjson_val *val;

	if (subject == NULL || manifest == NULL || !are_texts(list) ||
	    (since != NULL && (strlen(since) != W_LOG_TIME_LEN ||
				  !w_log_time_parse(since, &now))))
		return BAD;
	yyjson_arr_foreach(list, i, max, val)
	{
		struct w_owed_entry *entry =
		    w_owed_entry_need(owed, subject, yyjson_get_str(val));

		if (entry == NULL)
			return SHORT;
		if (!is_owed)
			w_owed_entry_clear(owed, entry);
		else if (!w_owed_entry_owe(owed, entry, manifest, now))
			return SHORT;
	}
	return TAKEN;
}

/* ---- paid ---- */

static enum owed_line
take_paid(struct w_owed *owed, yyjson_val *root)
{
	const char *subscriber = owed_read_member(root, "subscriber");
	yyjson_val *list = yyjson_obj_get(root, "of");
	size_t i, max;
	yyjson_val *val;

	if (subscriber == NULL || !are_texts(list))
		return BAD;
	yyjson_arr_foreach(list, i, max, val)
	{
		struct w_owed_entry *entry =
		    w_owed_entry_find(owed, yyjson_get_str(val), subscriber);

		if (entry != NULL)
			w_owed_entry_clear(owed, entry);
	}
	return TAKEN;
}

/* ---- may, done ---- */

static bool
are_changes(yyjson_val *changes)
{
	size_t i, max;
	yyjson_val *val;

	if (!yyjson_is_arr(changes))
		return false;
	yyjson_arr_foreach(changes, i, max, val)
	{
		if (!are_texts(val) || yyjson_arr_size(val) == 0)
			return false;
	}
	return true;
}

/* [SUBJECT, SUBSCRIBER, ..] */
static bool
take_change(
    struct w_owed *owed, yyjson_val *change, const char *manifest, uint64_t now)
{
	const char *subject = yyjson_get_str(yyjson_arr_get_first(change));
	size_t i, max;
	yyjson_val *val;

	yyjson_arr_foreach(change, i, max, val)
	{
		struct w_owed_entry *entry =
		    i == 0
			? NULL
			: w_owed_entry_need(owed, subject, yyjson_get_str(val));

		if (i == 0)
			continue;
		if (entry == NULL)
			return false;
		entry->is_possible = true;
		/* Of an entry that is owed these are the first's. */
		if (entry->is_owed)
			continue;
		/* Stores the path. */
		if (!w_owed_entry_owe(owed, entry, manifest, now))
			return false;
		w_owed_entry_clear(owed, entry);
		entry->is_possible = true;
	}
	return true;
}

static enum owed_line
take_may(struct w_owed *owed, yyjson_val *root, uint64_t now)
{
	const char *apply = owed_read_member(root, "apply");
	const char *boot = owed_read_member(root, "boot");
	const char *manifest = owed_read_member(root, "manifest");
	yyjson_val *changes = yyjson_obj_get(root, "changes");
	size_t i, max;
	yyjson_val *val;

	if (apply == NULL || boot == NULL || manifest == NULL ||
	    !are_changes(changes))
		return BAD;
	if (owed->may_apply == NULL || strcmp(owed->may_apply, apply) != 0 ||
	    strcmp(owed->may_boot, boot) != 0)
		w_owed_settle_possible(owed, boot);
	owed->may_apply = w_arena_text(&owed->arena, apply, strlen(apply));
	owed->may_boot = w_arena_text(&owed->arena, boot, strlen(boot));
	if (owed->may_apply == NULL || owed->may_boot == NULL)
		return SHORT;
	yyjson_arr_foreach(changes, i, max, val)
	{
		if (!take_change(owed, val, manifest, now))
			return SHORT;
	}
	return TAKEN;
}

static enum owed_line
take_done(struct w_owed *owed, yyjson_val *root)
{
	const char *apply = owed_read_member(root, "apply");

	if (apply == NULL)
		return BAD;
	if (owed->may_apply != NULL && strcmp(owed->may_apply, apply) == 0)
		w_owed_settle_possible(owed, owed->may_boot);
	return TAKEN;
}

/* ---- lines ---- */

static enum owed_line
take_parsed(
    struct w_owed *owed, const struct w_log_line *line, yyjson_val *root)
{
	if (w_log_line_is(line, "owe"))
		return take_subject(owed, root, true, line->time_us);
	if (w_log_line_is(line, "back"))
		return take_subject(owed, root, false, line->time_us);
	if (w_log_line_is(line, "paid"))
		return take_paid(owed, root);
	if (w_log_line_is(line, "may"))
		return take_may(owed, root, line->time_us);
	if (w_log_line_is(line, "done"))
		return take_done(owed, root);
	if (w_log_line_is(line, "told")) {
		owed->bad_lines = 0;
		owed->is_cut = false;
	}
	return TAKEN;
}

static bool
has_word(const struct w_log_line *line, const char *word)
{
	return memmem(line->payload, line->payload_len, word, strlen(word)) !=
	       NULL;
}

/* Each line names the one before. The first file may have been removed. */
static void
follow_chain(struct w_owed *owed, const struct w_log_line *line)
{
	if (owed->last_seq > 0 &&
	    memcmp(line->prev, owed->last_hash, W_SHA256_HEX) != 0)
		owed->is_cut = true;
	/* Half a line was never a promise; a line that is gone may have been.
	 */
	if (w_log_line_is(line, "recovery") &&
	    (has_word(line, "\"found\":\"cut\"") ||
		has_word(line, "\"found\":\"unreadable\"")))
		owed->is_cut = true;
	owed->last_seq = line->seq;
	memcpy(owed->last_hash, line->hash, W_SHA256_HEX);
}

static enum owed_line
owed_read_line(struct w_owed *owed, const struct w_log_line *line)
{
	const struct w_log_chain chain = {.key = NULL};
	yyjson_read_err fault = {.code = YYJSON_READ_SUCCESS};

	if (!w_log_line_is_sound(line, &chain))
		return BAD;
	follow_chain(owed, line);
	W_AUTO_DOC yyjson_doc *doc = yyjson_read_opts(
	    (char *)(uintptr_t)line->bytes, line->len, 0, NULL, &fault);
	if (doc == NULL)
		return fault.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION ? SHORT
									 : BAD;
	return take_parsed(owed, line, yyjson_doc_get_root(doc));
}

/* The head names the last line that was written. */
static void
look_at_end(struct w_owed *owed, struct w_log_reader *reader)
{
	struct w_log_head head;

	owed->first_segment = w_log_reader_first(reader);
	owed->last_segment = w_log_reader_last(reader);
	if (w_log_reader_head(reader, &head) && head.seq > owed->last_seq)
		owed->is_cut = true;
	if (owed->bad_lines > 0 || owed->is_cut)
		(void)snprintf(owed->note, sizeof(owed->note),
		    "the list of owed refreshes is damaged (%.100s: %zu line%s "
		    "left out%s): a refresh may be missing from it",
		    owed->dir, owed->bad_lines, owed->bad_lines == 1 ? "" : "s",
		    owed->is_cut ? ", others are not there" : "");
}

writ_status
w_owed_load(struct w_owed *owed, writ_error *err)
{
	W_AUTO_READER struct w_log_reader *reader = NULL;
	enum w_log_read read = W_LOG_LINE;
	struct w_log_line line;
	struct w_log_place place;
	writ_status status =
	    w_log_reader_open(owed->dir, W_OWED_LOG, &reader, err);

	while (status == WRIT_OK && read != W_LOG_END) {
		enum owed_line taken = TAKEN;

		status = w_log_reader_next(reader, &read, &line, &place, err);
		if (status == WRIT_OK && read == W_LOG_LINE)
			taken = owed_read_line(owed, &line);
		if (taken == SHORT)
			status = w_fail_nomem(err, W_OWED_STAGE);
		owed->bad_lines += taken == BAD || read == W_LOG_OTHER;
	}
	if (status != WRIT_OK)
		return status;
	w_owed_settle_possible(owed, owed->boot);
	look_at_end(owed, reader);
	return WRIT_OK;
}
