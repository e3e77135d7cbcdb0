/* SPDX-License-Identifier: Apache-2.0 */

/* A question of an agent on its way to a person's terminal, and the keys that
 * come back from there. */

#include "cli/approval/question.h"

#include "base/encode.h"
#include "check.h"
#include "cli/approval/question_brief.h"
#include "cli/approval/question_keys.h"
#include "cli/output/line_wrap.h"
#include "data/json.h"

#define PAGE_MAX ((size_t)16 << 20)

static void
check_harmless(const struct w_buf *out)
{
	CHECK(w_utf8_valid(out->data, out->len));
	for (size_t i = 0; i < out->len; i++) {
		const unsigned char c = (unsigned char)out->data[i];

		CHECK((c >= 0x20 && c != 0x7f) || c == '\n');
		CHECK(c != 0xc2 || (unsigned char)out->data[i + 1] >= 0xa0);
	}
}

/* Few lines, none too wide. */
static void
check_brief(yyjson_val *question, size_t columns)
{
	const struct w_question_brief brief = {
	    .question = question,
	    .now_ms = 1000,
	    .position = columns,
	    .waiting = 50,
	    .columns = columns,
	    .lines_max = 5 + columns % 6,
	};
	W_AUTO_WORDS struct w_words lines = {.items = NULL};
	struct w_question_shown shown = {.is_whole = false};

	CHECK(w_question_brief_lines(&brief, &lines, &shown));
	CHECK(lines.count <= brief.lines_max);
	for (size_t i = 0; i < lines.count; i++) {
		W_AUTO_BUF struct w_buf line;

		w_buf_init(&line, PAGE_MAX);
		w_buf_add_str(&line, lines.items[i]);
		check_harmless(&line);
		CHECK(strchr(line.data, '\n') == NULL);
		CHECK(w_wrap_columns(line.data) <= columns);
	}
}

static void
check_page(const uint8_t *data, size_t size)
{
	const struct w_json_limits limits = {
	    .bytes_max = size, .depth_max = 64};
	struct w_json *json = NULL;
	W_AUTO_BUF struct w_buf page;
	W_AUTO_BUF struct w_buf line;

	w_buf_init(&page, PAGE_MAX);
	w_buf_init(&line, PAGE_MAX);
	if (w_json_read((const char *)data, size, &limits, &json, NULL) !=
	    WRIT_OK)
		return;
	w_question_add_page(&page, w_json_root(json), 1000, false);
	w_question_add_command(&line, w_json_root(json));
	w_question_add_left(&line, w_json_root(json), 1000);
	CHECK(!page.failed && !line.failed);
	check_harmless(&page);
	check_harmless(&line);
	CHECK(strchr(line.data, '\n') == NULL);
	check_brief(w_json_root(json), 40 + size % 80);
	w_json_free(json);
}

static void
check_keys(const uint8_t *data, size_t size)
{
	struct w_line_editor edit;
	W_AUTO_BUF struct w_buf picture;
	W_AUTO_BUF struct w_buf text;

	w_editor_init(&edit, "allow: git push ...");
	for (size_t i = 0; i < size; i++) {
		if (w_editor_accept(&edit, (char)data[i]) != W_EDITOR_OPEN)
			break;
		CHECK(edit.at <= edit.len && edit.len < W_EDITOR_MAX);
	}
	CHECK(strlen(edit.text) == edit.len);
	w_buf_init(&text, W_EDITOR_MAX);
	w_buf_add(&text, edit.text, edit.len);
	check_harmless(&text);
	w_buf_init(&picture, PAGE_MAX);
	w_editor_draw(&edit, "rule: ", size % 100, &picture);
	CHECK(!picture.failed);
}

/* What is typed answers only by a key that is offered. */
static void
check_choices(const uint8_t *data, size_t size)
{
	struct w_question_keys keys;

	w_question_keys_init(&keys, "allow: ls", size % 2 == 0, 80);
	for (size_t i = 0; i < size; i++) {
		const bool was_editing = keys.is_editing;
		const enum w_question_choice choice =
		    w_question_keys_accept(&keys, (char)data[i]);

		if (choice == W_QUESTION_EDIT)
			w_question_keys_edit(&keys);
		CHECK(choice != W_QUESTION_ONCE || data[i] == 'y');
		CHECK(choice != W_QUESTION_SESSION || data[i] == 's');
		CHECK(choice != W_QUESTION_SHAPE || data[i] == 'r' ||
		      was_editing);
		CHECK(choice != W_QUESTION_ONCE || i == 0 ||
		      data[i - 1] != 0x1b || was_editing ||
		      (i > 1 && data[i - 2] == 0x1b));
		CHECK(keys.has_later || (choice != W_QUESTION_LATER &&
					    choice != W_QUESTION_QUIT));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 65536)
		return 0;
	check_page(data, size);
	check_keys(data, size);
	check_choices(data, size);
	return 0;
}
