/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads questions from the queue.
 */

#include <stdlib.h>

#include "base/auto.h"
#include "cli/approval/question_dialog.h"
#include "cli/options/datetime.h"

/* The queue has its own, lower limits. */
#define TEXT_MAX  ((size_t)256 << 20)
#define DEPTH_MAX 512

uint64_t
w_question_now_ms(void)
{
	return w_datetime_now() / 1000;
}

static writ_status
question_load_parse(
    const char *text, size_t len, struct w_json **out_json, writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = TEXT_MAX, .depth_max = DEPTH_MAX};

	return w_json_read(text, len, &limits, out_json, err);
}

writ_status
w_question_load(writ_approvals *approvals, const char *id,
    struct w_json **out_json, writ_error *err)
{
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;

	writ_status status =
	    writ_approvals_show(approvals, id, &text, &len, err);
	return status == WRIT_OK ? question_load_parse(text, len, out_json, err)
				 : status;
}

writ_status
w_question_load_all(
    writ_approvals *approvals, struct w_json **out_json, writ_error *err)
{
	W_AUTO_FREE char *text = NULL;
	size_t len = 0;

	writ_status status = writ_approvals_list(approvals, &text, &len, err);
	return status == WRIT_OK ? question_load_parse(text, len, out_json, err)
				 : status;
}

const char *
w_question_state_words(writ_approval_state state)
{
	static const char *const words[] = {
	    [WRIT_APPROVAL_PENDING] = "nobody has answered yet",
	    [WRIT_APPROVAL_APPROVED] = "approved",
	    [WRIT_APPROVAL_DENIED] = "denied",
	    [WRIT_APPROVAL_EXPIRED] = "nobody answered in time",
	    [WRIT_APPROVAL_USED] = "approved, and used",
	    [WRIT_APPROVAL_ABANDONED] = "the caller is gone",
	};

	return words[state];
}
