/* SPDX-License-Identifier: Apache-2.0 */

/* A question of an agent on its way to a person's terminal, and the keys that
 * come back from there. */

#include "cli/approval/question.h"

#include "base/encode.h"
#include "check.h"
#include "cli/output/line_editor.h"
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 65536)
		return 0;
	check_page(data, size);
	check_keys(data, size);
	return 0;
}
