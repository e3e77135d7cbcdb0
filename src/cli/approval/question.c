/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The parts of a question.
 */

#include "cli/approval/question.h"

#include <string.h>

#include "base/duration.h"
#include "base/printable.h"
#include "data/json.h"

#define WORD_MAX  W_QUESTION_PAGE_MAX
#define LEFT_STEP UINT64_C(1000)

const char *
w_question_text(yyjson_val *question, const char *pointer)
{
	return yyjson_get_str(yyjson_ptr_get(question, pointer));
}

uint64_t
w_question_number(yyjson_val *question, const char *pointer)
{
	return yyjson_get_uint(yyjson_ptr_get(question, pointer));
}

/* An unknown state comes from a newer writ; it cannot be answered. */
writ_approval_state
w_question_state(yyjson_val *question)
{
	static const char *const words[] = {
#define X(name, word) word,
	    WRIT_APPROVAL_STATE_MAP(X)
#undef X
	};
	const char *state = w_question_text(question, "/state");

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (state != NULL && strcmp(words[i], state) == 0)
			return (writ_approval_state)i;
	}
	return WRIT_APPROVAL_ABANDONED;
}

/* Values that are not UTF-8 come as base64. */
static void
question_add_value(struct w_buf *buf, yyjson_val *val)
{
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, WORD_MAX);
	if (w_json_get_bytes(&bytes, val))
		w_printable_add_word(buf, bytes.data);
	else
		w_buf_add_str(buf, "(no word)");
	buf->failed = buf->failed || bytes.failed;
}

void
w_question_add_command(struct w_buf *buf, yyjson_val *question)
{
	yyjson_val *shell = yyjson_ptr_get(question, "/request/shell");
	const char *place = w_question_text(question, "/request/connects_to");
	size_t i;
	size_t count;
	yyjson_val *word;

	if (shell != NULL && !yyjson_is_null(shell)) {
		w_buf_add_str(buf, "sh -c ");
		question_add_value(buf, shell);
	}
	yyjson_arr_foreach(
	    yyjson_ptr_get(question, "/request/argv"), i, count, word)
	{
		w_buf_add_str(buf, i == 0 ? "" : " ");
		question_add_value(buf, word);
	}
	/* No word has a parenthesis that is not quoted. */
	if (place != NULL) {
		w_buf_add_str(buf, " (connects to ");
		(void)w_printable_add(buf, place, 0);
		w_buf_add_char(buf, ')');
	}
}

void
w_question_add_left(struct w_buf *buf, yyjson_val *question, uint64_t now_ms)
{
	const uint64_t end = w_question_number(question, "/expires_at");
	char text[W_DURATION_TEXT_MAX];

	if (w_question_state(question) != WRIT_APPROVAL_PENDING ||
	    end <= now_ms)
		return;
	w_duration_format(
	    (end - now_ms + LEFT_STEP - 1) / LEFT_STEP * LEFT_STEP, text);
	w_buf_add_str(buf, text);
}
