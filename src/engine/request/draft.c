/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The request builder: its public functions. The keys are in draft_fields.c,
 * the two input formats in draft_json.c and draft_text.c, the ownership in
 * draft_state.c.
 */

#include <writ/draft.h>

#include <stdlib.h>
#include <string.h>

#include "engine/request/draft_state.h"

/* The command is either argv or shell, whichever source each came from. */
static writ_status
draft_check_command(int has_argv, int has_shell, writ_error *err)
{
	if (!has_argv || !has_shell)
		return WRIT_OK;
	return w_fail(err, WRIT_E_INVALID, "request", 0,
	    "'argv' and 'shell' cannot be given together");
}

static writ_status
draft_finish(struct writ_draft *draft, struct writ_draft *next,
    writ_status status, writ_error *err)
{
	if (status == WRIT_OK)
		status = draft_check_command(next->request.argv != NULL,
		    next->request.shell != NULL, err);
	if (status == WRIT_OK)
		w_draft_commit(draft, next);
	else
		w_draft_done(next);
	return status;
}

writ_status
writ_draft_new(writ_draft **out_draft, writ_error *err)
{
	static const writ_request empty = WRIT_REQUEST_INIT;
	writ_draft *draft = malloc(sizeof(*draft));

	if (draft == NULL)
		return w_fail_nomem(err, "request");
	*draft = (writ_draft){.request = empty};
	*out_draft = draft;
	return WRIT_OK;
}

void
writ_draft_free(writ_draft *draft)
{
	if (draft == NULL)
		return;
	w_draft_done(draft);
	free(draft);
}

writ_status
writ_draft_read_json(
    writ_draft *draft, const char *text, size_t len, writ_error *err)
{
	struct writ_draft next;

	w_draft_branch(&next, draft);
	writ_status status = w_draft_read_json(&next, text, len, err);
	return draft_finish(draft, &next, status, err);
}

writ_status
writ_draft_set(
    writ_draft *draft, const char *key, const char *text, writ_error *err)
{
	const struct w_draft_field *field =
	    w_draft_field_find(key, strlen(key), err);
	struct writ_draft next;

	if (field == NULL)
		return WRIT_E_INVALID;
	if (field->kind == W_KIND_LIST || field->kind == W_KIND_MAP) {
		writ_status status =
		    draft_check_command(field->list == W_LIST_ARGV,
			draft->request.shell != NULL, err);
		return status == WRIT_OK
			   ? w_draft_append_text(draft, field, text, err)
			   : status;
	}
	w_draft_branch(&next, draft);
	writ_status status = w_draft_read_text(&next, field, text, err);
	return draft_finish(draft, &next, status, err);
}

writ_request *
writ_draft_request(writ_draft *draft)
{
	return &draft->request;
}
