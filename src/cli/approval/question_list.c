/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads and shows the questions that wait.
 */

#include "cli/approval/question_list.h"

#include <string.h>

#include "base/auto.h"
#include "base/printable.h"
#include "cli/approval/question.h"
#include "cli/approval/question_dialog.h"
#include "cli/output/line_wrap.h"

#define ROW_MAX       ((size_t)64 << 20)
#define ID_COLUMNS    6
#define AGENT_COLUMNS 12

static bool
question_list_add(struct w_question_list *list, yyjson_val *question)
{
	const char *id = w_question_text(question, "/id");
	const char *agent = w_question_text(question, "/asker/agent");
	W_AUTO_BUF struct w_buf row;

	w_buf_init(&row, ROW_MAX);
	if (id == NULL || w_question_state(question) != WRIT_APPROVAL_PENDING)
		return true;
	w_buf_add_fmt(&row, "%.*s  ", ID_COLUMNS, id);
	for (size_t columns = w_printable_add(
		 &row, agent == NULL ? "-" : agent, AGENT_COLUMNS);
	     columns < AGENT_COLUMNS; columns++)
		w_buf_add_char(&row, ' ');
	w_buf_add_str(&row, "  ");
	w_question_add_command(&row, question);
	return !row.failed && w_words_add(&list->ids, id, strlen(id)) &&
	       w_words_add(&list->rows, row.data, row.len);
}

writ_status
w_question_list_load(
    struct w_question_list *list, writ_approvals *approvals, writ_error *err)
{
	struct w_question_list now = {.has_news = list->has_news};
	struct w_json *json = NULL;
	bool is_done = true;
	size_t i;
	size_t count;
	yyjson_val *question;

	writ_status status = w_question_load_all(approvals, &json, err);
	if (status != WRIT_OK)
		return status;
	yyjson_arr_foreach(w_json_root(json), i, count, question)
	{
		is_done = is_done && question_list_add(&now, question);
	}
	w_json_free(json);
	for (size_t at = 0; at < now.ids.count; at++) {
		if (w_question_list_find(list, now.ids.items[at]) ==
		    list->ids.count)
			now.has_news = true;
	}
	w_question_list_done(list);
	*list = now;
	return is_done ? WRIT_OK : w_fail_nomem(err, "approvals");
}

void
w_question_list_done(struct w_question_list *list)
{
	w_words_done(&list->ids);
	w_words_done(&list->rows);
	*list = (struct w_question_list){.has_news = false};
}

size_t
w_question_list_find(const struct w_question_list *list, const char *id)
{
	size_t i = 0;

	while (i < list->ids.count && strcmp(list->ids.items[i], id) != 0)
		i++;
	return i;
}

bool
w_question_list_lines(const struct w_question_list *list, size_t chosen,
    size_t columns, size_t lines_max, struct w_words *lines)
{
	const size_t count = list->rows.count;
	size_t from = chosen > lines_max / 2 ? chosen - lines_max / 2 : 0;

	if (count <= lines_max)
		from = 0;
	else if (from + lines_max > count)
		from = count - lines_max;
	for (size_t i = from; i < count && i < from + lines_max; i++) {
		W_AUTO_BUF struct w_buf line;

		w_buf_init(&line, ROW_MAX);
		w_buf_add_str(&line, i == chosen ? "> " : "  ");
		(void)w_wrap_add_cut(&line, list->rows.items[i], columns - 2);
		if (line.failed || !w_words_add(lines, line.data, line.len))
			return false;
	}
	return true;
}
