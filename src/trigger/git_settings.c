/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Carries the allowed settings of a copy over.
 *
 * The copy is what a hostile command left. So it is not the copy that is taken,
 * but what this file writes itself of entries that it has checked one by one.
 */

#include "trigger/git_settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/printable.h"
#include "trigger/git_config.h"
#include "trigger/git_settings_check.h"

enum {
	ENTRIES_MAX = 4096,
	/* Each entry has its own copy of its section's name. */
	ENTRY_BYTES_MAX = W_GIT_SETTINGS_BYTES_MAX * 8,
	SHOWN_COLUMNS = 120
};

struct entry {
	char *section;    /* with a dot */
	char *subsection; /* NULL: none */
	char *name;
	char *value;
	size_t value_len;
	size_t start;
	size_t end;
};

struct entries {
	struct entry *items;
	size_t count;
	size_t cap;
	size_t bytes;
	bool has_failed; /* no memory, or too many */
};

struct merging {
	struct entries before;
	struct entries copy;
	struct entries now;
	struct w_git_settings_merge *merge;
	struct w_buf added; /* whole sections */
	bool has_failed;
};

/* ---- reading ---- */

static bool
take_entry(void *ctx, const struct w_git_entry *found)
{
	struct entries *list = ctx;

	list->bytes +=
	    found->value_len + strlen(found->name) +
	    (found->subsection == NULL ? 0 : strlen(found->subsection));
	if (list->count == ENTRIES_MAX || list->bytes > ENTRY_BYTES_MAX ||
	    !w_grow(&list->items, list->count, &list->cap)) {
		list->has_failed = true;
		return false;
	}
	struct entry *entry = &list->items[list->count++];
	*entry = (struct entry){
	    .section = strdup(found->section),
	    .subsection =
		found->subsection == NULL ? NULL : strdup(found->subsection),
	    .name = strdup(found->name),
	    .value = malloc(found->value_len + 1),
	    .value_len = found->value_len,
	    .start = found->start,
	    .end = found->end,
	};
	list->has_failed =
	    entry->section == NULL || entry->name == NULL ||
	    entry->value == NULL ||
	    (found->subsection != NULL && entry->subsection == NULL);
	if (entry->value != NULL) {
		memcpy(entry->value, found->value, found->value_len);
		entry->value[found->value_len] = '\0';
	}
	return !list->has_failed;
}

static void
entries_done(struct entries *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].section);
		free(list->items[i].subsection);
		free(list->items[i].name);
		free(list->items[i].value);
	}
	free(list->items);
}

static bool
read_entries(const struct w_git_settings_text *text, struct entries *list)
{
	return text->len <= W_GIT_SETTINGS_BYTES_MAX &&
	       w_git_config_read_entries(
		   text->text, text->len, take_entry, list) &&
	       !list->has_failed;
}

/* ---- comparing ---- */

static bool
has_same_key(const struct entry *a, const struct entry *b)
{
	return strcmp(a->section, b->section) == 0 &&
	       strcmp(a->name, b->name) == 0 &&
	       (a->subsection == NULL) == (b->subsection == NULL) &&
	       (a->subsection == NULL ||
		   strcmp(a->subsection, b->subsection) == 0);
}

/* The next entry of that key, from *at on. */
static const struct entry *
next_of(const struct entries *list, const struct entry *key, size_t *at)
{
	while (*at < list->count) {
		const struct entry *entry = &list->items[(*at)++];

		if (has_same_key(entry, key))
			return entry;
	}
	return NULL;
}

static size_t
count_of(const struct entries *list, const struct entry *key)
{
	size_t count = 0;

	for (size_t i = 0; next_of(list, key, &i) != NULL;)
		count++;
	return count;
}

/* Whether both have the same values of the key, in the same order. */
static bool
is_same_in(
    const struct entries *a, const struct entries *b, const struct entry *key)
{
	size_t in_a = 0;
	size_t in_b = 0;

	for (;;) {
		const struct entry *left = next_of(a, key, &in_a);
		const struct entry *right = next_of(b, key, &in_b);

		if (left == NULL || right == NULL)
			return left == right;
		if (left->value_len != right->value_len ||
		    memcmp(left->value, right->value, left->value_len) != 0)
			return false;
	}
}

static bool
has_section(const struct entries *list, const struct entry *key)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct entry *entry = &list->items[i];

		if (strcmp(entry->section, key->section) == 0 &&
		    entry->subsection != NULL &&
		    strcmp(entry->subsection, key->subsection) == 0)
			return true;
	}
	return false;
}

static bool
is_first_of_key(const struct entries *list, size_t index)
{
	size_t at = 0;

	return next_of(list, &list->items[index], &at) == &list->items[index];
}

/* ---- what is refused ---- */

static void
refuse(struct merging *merging, const struct entry *entry)
{
	struct w_words *refused = &merging->merge->refused;
	W_AUTO_BUF struct w_buf full;
	W_AUTO_BUF struct w_buf shown;

	if (refused->count == W_GIT_SETTINGS_REFUSED_MAX)
		return;
	w_buf_init(&full, W_GIT_SETTINGS_BYTES_MAX);
	w_buf_init(&shown, W_GIT_SETTINGS_BYTES_MAX);
	w_buf_add_str(&full, entry->section);
	if (entry->subsection != NULL) {
		w_buf_add_str(&full, entry->subsection);
		w_buf_add_char(&full, '.');
	}
	w_buf_add_str(&full, entry->name);
	(void)w_printable_add(&shown, full.data, SHOWN_COLUMNS);
	if (full.failed || shown.failed ||
	    !w_words_add(refused, shown.data, shown.len))
		merging->has_failed = true;
}

/* ---- what is carried over ---- */

/* A value that was checked: it has no control characters. */
static void
add_line(struct w_buf *buf, const char *name, const char *value)
{
	const size_t len = strlen(value);
	const bool is_quoted = strpbrk(value, "\"\\#;") != NULL ||
			       value[0] == ' ' || value[len - 1] == ' ';

	w_buf_add_fmt(buf, "%s = %s", name, is_quoted ? "\"" : "");
	for (; *value != '\0'; value++) {
		if (*value == '"' || *value == '\\')
			w_buf_add_char(buf, '\\');
		w_buf_add_char(buf, *value);
	}
	w_buf_add_str(buf, is_quoted ? "\"\n" : "\n");
}

static bool
is_person(const struct entry *entry)
{
	return entry->subsection == NULL &&
	       strcmp(entry->section, "user.") == 0 &&
	       (strcmp(entry->name, "name") == 0 ||
		   strcmp(entry->name, "email") == 0);
}

/* Sets a value in place, or in a section of its own at the end. */
static void
set_person(struct merging *merging, const struct entry *entry)
{
	const struct entries *now = &merging->now;
	struct w_buf *text = &merging->merge->text;
	size_t at = 0;
	const struct entry *old = next_of(now, entry, &at);

	if (count_of(&merging->copy, entry) != 1 || count_of(now, entry) > 1 ||
	    !is_same_in(&merging->before, now, entry) ||
	    !w_git_settings_is_person(entry->value, entry->value_len)) {
		refuse(merging, entry);
		return;
	}
	if (old == NULL) {
		w_buf_add_str(&merging->added, "[user]\n\t");
		add_line(&merging->added, entry->name, entry->value);
		return;
	}
	/* Later entries come first, so that the offsets stay right. */
	const size_t tail = text->len - old->end;
	W_AUTO_BUF struct w_buf line;
	w_buf_init(&line, W_GIT_SETTINGS_BYTES_MAX);
	w_buf_add(&line, text->data, old->start);
	add_line(&line, entry->name, entry->value);
	w_buf_add(&line, text->data + old->end, tail);
	text->len = 0;
	w_buf_add(text, line.data, line.len);
	merging->has_failed |= line.failed || text->failed;
	merging->merge->is_changed = true;
}

/* Both may be replaced: the one that is further down first. */
static void
set_persons(struct merging *merging)
{
	const struct entries *copy = &merging->copy;
	const struct entry *todo[2] = {NULL, NULL};
	size_t place[2] = {0, 0};
	size_t count = 0;

	for (size_t i = 0; i < copy->count; i++) {
		const struct entry *entry = &copy->items[i];
		size_t at = 0;

		if (!is_person(entry) || !is_first_of_key(copy, i) ||
		    is_same_in(&merging->before, copy, entry) || count == 2)
			continue;
		const struct entry *old = next_of(&merging->now, entry, &at);
		place[count] = old == NULL ? 0 : old->start;
		todo[count++] = entry;
	}
	const size_t first = count == 2 && place[1] > place[0] ? 1 : 0;
	if (count > 0)
		set_person(merging, todo[first]);
	if (count == 2)
		set_person(merging, todo[1 - first]);
}

/* Whether a name of a remote is already in use, though it has no entry: a push
 * would go there from now on. */
static bool
is_referred(const struct entries *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct entry *entry = &list->items[i];

		if (strcmp(entry->value, name) == 0 &&
		    (strcmp(entry->name, "remote") == 0 ||
			strcmp(entry->name, "pushremote") == 0 ||
			strcmp(entry->name, "pushdefault") == 0 ||
			strcmp(entry->name, "defaultremote") == 0))
			return true;
	}
	return false;
}

static bool
has_remote(const struct entries *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct entry *entry = &list->items[i];

		if (strcmp(entry->section, "remote.") == 0 &&
		    entry->subsection != NULL &&
		    strcmp(entry->subsection, name) == 0 &&
		    strcmp(entry->name, "url") == 0)
			return true;
	}
	return false;
}

static bool
is_in_section(const struct entry *entry, const struct entry *first)
{
	return strcmp(entry->section, first->section) == 0 &&
	       entry->subsection != NULL &&
	       strcmp(entry->subsection, first->subsection) == 0;
}

/* Whether an entry of a new remote may be carried over. */
static bool
is_remote_entry(const struct entry *entry)
{
	return (strcmp(entry->name, "url") == 0 &&
		   w_git_settings_is_address(entry->value)) ||
	       (strcmp(entry->name, "fetch") == 0 &&
		   w_git_settings_is_fetch(entry->value, entry->subsection));
}

static bool
is_branch_entry(const struct merging *merging, const struct entry *entry)
{
	const char *value = entry->value;

	if (strcmp(entry->name, "merge") == 0)
		return w_git_settings_is_merge(value);
	return strcmp(entry->name, "remote") == 0 &&
	       (strcmp(value, ".") == 0 ||
		   (w_git_settings_is_remote_name(value) &&
		       has_remote(&merging->before, value) &&
		       has_remote(&merging->now, value)));
}

/* The value that must be there exactly once. */
static bool
has_one(const struct merging *merging, const struct entry *first, char *name)
{
	const struct entry key = {.section = first->section,
	    .subsection = first->subsection,
	    .name = name};

	return count_of(&merging->copy, &key) == 1;
}

/* What other files say of a remote or a branch is not known here. */
static bool
has_include(const struct entries *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const char *section = list->items[i].section;

		if (strcmp(section, "include.") == 0 ||
		    strcmp(section, "includeif.") == 0)
			return true;
	}
	return false;
}

static bool
is_new_section(const struct merging *merging, const struct entry *first)
{
	char url[] = "url";
	char remote[] = "remote";
	char merge[] = "merge";

	if (has_section(&merging->before, first) ||
	    has_section(&merging->now, first) ||
	    has_include(&merging->before) || has_include(&merging->now))
		return false;
	if (strcmp(first->section, "remote.") == 0)
		return w_git_settings_is_remote_name(first->subsection) &&
		       !is_referred(&merging->now, first->subsection) &&
		       !is_referred(&merging->before, first->subsection) &&
		       has_one(merging, first, url);
	return w_git_settings_is_branch(first->subsection) &&
	       has_one(merging, first, remote) &&
	       has_one(merging, first, merge);
}

/* Adds a section as a whole, or nothing of it. */
static void
add_section(struct merging *merging, const struct entry *first)
{
	const struct entries *copy = &merging->copy;
	const bool is_remote = strcmp(first->section, "remote.") == 0;
	bool is_allowed = is_new_section(merging, first);

	for (size_t i = 0; is_allowed && i < copy->count; i++) {
		const struct entry *entry = &copy->items[i];

		if (is_in_section(entry, first))
			is_allowed =
			    strlen(entry->value) == entry->value_len &&
			    (is_remote ? is_remote_entry(entry)
				       : is_branch_entry(merging, entry));
	}
	if (is_allowed) {
		w_buf_add_str(
		    &merging->added, is_remote ? "[remote \"" : "[branch \"");
		w_buf_add_str(&merging->added, first->subsection);
		w_buf_add_str(&merging->added, "\"]\n");
	}
	for (size_t i = 0; i < copy->count; i++) {
		const struct entry *entry = &copy->items[i];

		if (!is_in_section(entry, first) ||
		    is_same_in(&merging->before, copy, entry))
			continue;
		if (!is_allowed) {
			if (is_first_of_key(copy, i))
				refuse(merging, entry);
			continue;
		}
		w_buf_add_char(&merging->added, '\t');
		add_line(&merging->added, entry->name, entry->value);
	}
}

static bool
is_first_of_section(const struct entries *list, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (is_in_section(&list->items[i], &list->items[index]))
			return false;
	}
	return true;
}

static void
merge_all(struct merging *merging)
{
	const struct entries *copy = &merging->copy;
	const struct entries *before = &merging->before;

	set_persons(merging);
	for (size_t i = 0; i < copy->count; i++) {
		const struct entry *entry = &copy->items[i];
		const bool is_group =
		    entry->subsection != NULL &&
		    (strcmp(entry->section, "remote.") == 0 ||
			strcmp(entry->section, "branch.") == 0);

		if (is_group) {
			if (is_first_of_section(copy, i))
				add_section(merging, entry);
		} else if (!is_person(entry) && is_first_of_key(copy, i) &&
			   !is_same_in(before, copy, entry)) {
			refuse(merging, entry);
		}
	}
	/* Nothing is removed. git removes what it knows of a branch together
	 * with the branch; that it stays does no harm. */
	for (size_t i = 0; i < before->count; i++) {
		const struct entry *entry = &before->items[i];

		if (strcmp(entry->section, "branch.") != 0 &&
		    is_first_of_key(before, i) && count_of(copy, entry) == 0)
			refuse(merging, entry);
	}
}

static void
append_added(struct merging *merging)
{
	struct w_git_settings_merge *merge = merging->merge;

	if (merging->added.len == 0)
		return;
	if (merge->text.len > 0 &&
	    merge->text.data[merge->text.len - 1] != '\n')
		w_buf_add_char(&merge->text, '\n');
	w_buf_add(&merge->text, merging->added.data, merging->added.len);
	merge->is_changed = true;
}

bool
w_git_settings_merge(const struct w_git_settings_text *before,
    const struct w_git_settings_text *copy,
    const struct w_git_settings_text *now,
    struct w_git_settings_merge *out_merge)
{
	struct merging merging = {.merge = out_merge};

	*out_merge = (struct w_git_settings_merge){.is_changed = false};
	w_buf_init(&out_merge->text, (size_t)W_GIT_SETTINGS_BYTES_MAX * 2);
	w_buf_init(&merging.added, W_GIT_SETTINGS_BYTES_MAX);
	w_buf_add(&out_merge->text, now->text, now->len);
	if (read_entries(before, &merging.before) &&
	    read_entries(now, &merging.now) &&
	    read_entries(copy, &merging.copy)) {
		merge_all(&merging);
		append_added(&merging);
	} else if (!w_words_add(&out_merge->refused, "all of it", 9)) {
		merging.has_failed = true;
	}
	merging.has_failed |= merging.added.failed || out_merge->text.failed;
	w_buf_done(&merging.added);
	entries_done(&merging.before);
	entries_done(&merging.copy);
	entries_done(&merging.now);
	if (merging.has_failed)
		w_git_settings_merge_done(out_merge);
	return !merging.has_failed;
}

void
w_git_settings_merge_done(struct w_git_settings_merge *merge)
{
	w_buf_done(&merge->text);
	w_words_done(&merge->refused);
	merge->is_changed = false;
}
