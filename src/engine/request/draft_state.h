/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_DRAFT_STATE_H
#define W_ENGINE_DRAFT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/draft.h>

#include "base/error.h"
#include "engine/request/draft_fields.h"

/* How much of a text a message shows. */
#define W_DRAFT_SHOWN 80

/* A growing list. items ends with NULL; the list owns the array, not the
 * strings. */
struct w_draft_list {
	const char **items;
	size_t count;
	size_t cap; /* room for elements, besides the NULL */
};

/* Something that lives as long as the draft: a document, a string. */
struct w_draft_keep {
	struct w_draft_keep *next;
	void *ptr;
	void (*release)(void *ptr);
};

/*
 * Invariants: a list member of the request is NULL or the items of its list;
 * every other pointer in it, and every element, points into a keep. A failed
 * call leaves the request and its lists unchanged.
 */
struct writ_draft {
	writ_request request;
	struct w_draft_list lists[W_LIST_COUNT];
	struct w_draft_keep *keeps;
};

/* A draft with the request of another and nothing of its own:
 * w_draft_commit() replaces what the other had by what was put into it. */
void w_draft_branch(struct writ_draft *next, const struct writ_draft *draft);
void w_draft_commit(struct writ_draft *draft, struct writ_draft *next);
void w_draft_done(struct writ_draft *draft);

/* Gives ptr to the draft, which releases it; if this fails, at once. */
writ_status w_draft_keep(struct writ_draft *draft, void *ptr,
    void (*release)(void *ptr), writ_error *err);

/* Keeps a copy of a text. *out_copy is borrowed. */
writ_status w_draft_copy(struct writ_draft *draft, const char *text,
    const char **out_copy, writ_error *err);

/* Reserves room for count more elements; the list exists from then on. */
writ_status w_draft_reserve(struct writ_draft *draft,
    const struct w_draft_field *field, size_t count, writ_error *err);

/* Checks the text that would become element index of a list. */
writ_status w_draft_check_item(const struct w_draft_field *field, size_t index,
    const char *text, writ_error *err);

/* Appends a string that is kept or outlives the draft. */
writ_status w_draft_push(struct writ_draft *draft,
    const struct w_draft_field *field, const char *text, writ_error *err);

/* Check a value and store it. The caller must keep strings. */
writ_status w_draft_put_string(struct writ_draft *draft,
    const struct w_draft_field *field, const char *text, writ_error *err);
writ_status w_draft_put_word(struct writ_draft *draft,
    const struct w_draft_field *field, const char *word, writ_error *err);
void w_draft_put_switch(
    struct writ_draft *draft, const struct w_draft_field *field, bool value);
writ_status w_draft_put_number(struct writ_draft *draft,
    const struct w_draft_field *field, uint64_t value, writ_error *err);
writ_status w_draft_put_measure(struct writ_draft *draft,
    const struct w_draft_field *field, const char *text, writ_error *err);
writ_status w_draft_put_mode(struct writ_draft *draft,
    const struct w_draft_field *field, const char *text, writ_error *err);
writ_status w_draft_put_nice(struct writ_draft *draft,
    const struct w_draft_field *field, int64_t value, writ_error *err);
void w_draft_put_stdin(struct writ_draft *draft, const void *bytes, size_t len);

/* Reports which numbers a field accepts; got is what was given. */
writ_status w_draft_fail_range(
    const struct w_draft_field *field, const char *got, writ_error *err);

/* Read a value from JSON or text, for draft.c. */
writ_status w_draft_read_json(
    struct writ_draft *next, const char *text, size_t len, writ_error *err);
writ_status w_draft_read_text(struct writ_draft *next,
    const struct w_draft_field *field, const char *text, writ_error *err);
writ_status w_draft_append_text(struct writ_draft *draft,
    const struct w_draft_field *field, const char *text, writ_error *err);

#endif /* W_ENGINE_DRAFT_STATE_H */
