/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a draft owns: documents and strings, and lists of pointers into them.
 * Changes are made in a branch and committed as a whole, so a request that
 * fails half-way changes nothing.
 */

#include "engine/request/draft_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "policy/hosts/host_list.h"

#define LIST_START 8

static void
release_keeps(struct w_draft_keep *keep)
{
	while (keep != NULL) {
		struct w_draft_keep *next = keep->next;

		keep->release(keep->ptr);
		free(keep);
		keep = next;
	}
}

/* Doubles, so that adding elements one by one takes linear time. */
static int
room_for(const struct w_draft_list *list, size_t count, size_t *out_cap)
{
	size_t need;
	size_t cap = list->cap == 0 && count == 1 ? LIST_START : list->cap * 2;

	if (!w_size_add(list->count, count, &need))
		return 0;
	*out_cap = need > cap ? need : cap;
	return 1;
}

void
w_draft_branch(struct writ_draft *next, const struct writ_draft *draft)
{
	*next = (struct writ_draft){.request = draft->request};
}

void
w_draft_commit(struct writ_draft *draft, struct writ_draft *next)
{
	struct w_draft_keep **end = &next->keeps;

	for (size_t i = 0; i < W_LIST_COUNT; i++) {
		if (next->lists[i].items == NULL)
			continue;
		free(draft->lists[i].items);
		draft->lists[i] = next->lists[i];
	}
	while (*end != NULL)
		end = &(*end)->next;
	*end = draft->keeps;
	draft->keeps = next->keeps;
	draft->request = next->request;
}

void
w_draft_done(struct writ_draft *draft)
{
	for (size_t i = 0; i < W_LIST_COUNT; i++)
		free(draft->lists[i].items);
	release_keeps(draft->keeps);
}

writ_status
w_draft_keep(struct writ_draft *draft, void *ptr, void (*release)(void *ptr),
    writ_error *err)
{
	struct w_draft_keep *keep = malloc(sizeof(*keep));

	if (keep == NULL) {
		release(ptr);
		return w_fail_nomem(err, "request");
	}
	*keep = (struct w_draft_keep){draft->keeps, ptr, release};
	draft->keeps = keep;
	return WRIT_OK;
}

writ_status
w_draft_copy(struct writ_draft *draft, const char *text, const char **out_copy,
    writ_error *err)
{
	char *copy = strdup(text);

	if (copy == NULL)
		return w_fail_nomem(err, "request");
	writ_status status = w_draft_keep(draft, copy, free, err);
	if (status != WRIT_OK)
		return status;
	*out_copy = copy;
	return WRIT_OK;
}

writ_status
w_draft_reserve(struct writ_draft *draft, const struct w_draft_field *field,
    size_t count, writ_error *err)
{
	struct w_draft_list *list = &draft->lists[field->list];
	size_t cap;
	size_t slots;

	if (list->items != NULL && list->cap - list->count >= count)
		return WRIT_OK;
	if (!room_for(list, count, &cap) || !w_size_add(cap, 1, &slots))
		return w_fail_nomem(err, "request");
	const char **items =
	    reallocarray(list->items, slots, sizeof(list->items[0]));
	if (items == NULL)
		return w_fail_nomem(err, "request");
	items[list->count] = NULL;
	list->items = items;
	list->cap = cap;
	memcpy((char *)&draft->request + field->offset, &items, sizeof(items));
	return WRIT_OK;
}

static writ_status
check_host(const struct w_draft_field *field, size_t index, const char *text,
    writ_error *err)
{
	writ_error cause = {.status = WRIT_OK};
	writ_status status = w_host_pattern_check(text, &cause);

	if (status == WRIT_OK)
		return WRIT_OK;
	(void)w_fail(err, status, "request", 0, "%s[%zu]: %s", field->name,
	    index, cause.message);
	if (cause.suggestion[0] != '\0')
		w_suggest(err, "%s", cause.suggestion);
	return status;
}

writ_status
w_draft_check_item(const struct w_draft_field *field, size_t index,
    const char *text, writ_error *err)
{
	if ((field->flags & W_FIELD_PATHS) != 0 && strchr(text, '\n') != NULL)
		return w_fail(err, WRIT_E_INVALID, "request", 0,
		    "%s[%zu] has a newline in it", field->name, index);
	if ((field->flags & W_FIELD_HOSTS) != 0)
		return check_host(field, index, text, err);
	if (text[0] != '\0')
		return WRIT_OK;
	if ((field->flags & W_FIELD_BLANK_OK) != 0 && index > 0)
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, "request", 0,
	    "%s[%zu] must not be empty", field->name, index);
}

writ_status
w_draft_push(struct writ_draft *draft, const struct w_draft_field *field,
    const char *text, writ_error *err)
{
	struct w_draft_list *list = &draft->lists[field->list];
	writ_status status = w_draft_reserve(draft, field, 1, err);

	if (status != WRIT_OK)
		return status;
	list->items[list->count++] = text;
	list->items[list->count] = NULL;
	return WRIT_OK;
}
