/* SPDX-License-Identifier: Apache-2.0 */

/* The line editor, fed with the bytes of keys. */

#include "cli/output/line_editor.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static enum w_editor_state
type(struct w_line_editor *edit, const char *keys)
{
	enum w_editor_state state = W_EDITOR_OPEN;

	for (; *keys != '\0' && state == W_EDITOR_OPEN; keys++)
		state = w_editor_accept(edit, *keys);
	return state;
}

static void
expect(const char *text, const char *keys, const char *result)
{
	struct w_line_editor edit;

	w_editor_init(&edit, text);
	assert_int_equal(type(&edit, keys), W_EDITOR_OPEN);
	assert_string_equal(edit.text, result);
	assert_int_equal(edit.len, strlen(result));
}

static void
text_is_typed_at_the_end(void **state)
{
	(void)state;
	expect("allow: git", " push", "allow: git push");
	expect("", "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f");
}

static void
keys_move_and_delete(void **state)
{
	(void)state;
	expect("abc", "\x7f", "ab");
	expect("abc", "\b\b", "a");
	expect("abc", "\033[D\033[DX", "aXbc");
	expect("abc", "\033OD\x02Y", "aYbc");
	expect("abc", "\033[HX\033[FY", "XabcY");
	expect("abc", "\033[1~X\033[4~Y", "XabcY");
	expect("abc", "\x01\x06X\x05Y", "aXbcY");
	expect("abc", "\x01\033[3~", "bc");
	expect("a bc d", "\x17", "a bc ");
	expect("a bc d", "\x17\x17", "a ");
	expect("abc", "\033[D\x0b", "ab");
	expect("abc", "\033[D\x15", "c");
}

static void
characters_of_several_bytes_stay_whole(void **state)
{
	(void)state;
	expect("\xc3\xbc\xe2\x82\xac", "\x7f", "\xc3\xbc");
	expect("\xc3\xbc", "\033[DX", "X\xc3\xbc");
	expect("", "\xff\xc3X", "X");
	expect("",
	    "\xf0\xf0\xf0\xf0\xf0\xf0\xf0\xf0\xf0\xf0\xf0\xf0\xf0\xf0"
	    "\xf0\xf0\xf0\xf0\xf0\xf0X",
	    "X");
}

static void
the_ends_of_the_line_hold(void **state)
{
	(void)state;
	expect("", "\x7f\033[D\033[C\033[3~\x17\x15\x0b", "");
	expect("a", "\033[C\033[CX", "aX");
}

static void
what_cannot_be_seen_is_not_taken(void **state)
{
	(void)state;
	expect("a", "\x07\x1c\xe2\x80\xae\xc2\x9b", "a");
	expect("a", "\033[31;1;2;3;4;5;6;7;8;9;10;11;12mb", "ab");
	expect("a", "\033xb", "ab");
}

static void
enter_is_done_and_some_keys_give_up(void **state)
{
	static const struct {
		const char *keys;
		enum w_editor_state state;
	} rows[] = {
	    {"\r", W_EDITOR_DONE},
	    {"x\n", W_EDITOR_DONE},
	    {"\x03", W_EDITOR_ABORTED},
	    {"\x04", W_EDITOR_ABORTED},
	    {"\033\033", W_EDITOR_ABORTED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct w_line_editor edit;

		w_editor_init(&edit, "text");
		assert_int_equal(type(&edit, rows[i].keys), rows[i].state);
	}
}

static void
a_text_of_any_length_has_room_or_is_cut(void **state)
{
	struct w_line_editor edit;
	char text[3 * W_EDITOR_MAX];

	(void)state;
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	w_editor_init(&edit, text);
	assert_int_equal(edit.len, W_EDITOR_MAX - 1);
	assert_int_equal(type(&edit, "bbb"), W_EDITOR_OPEN);
	assert_int_equal(edit.len, W_EDITOR_MAX - 1);
	assert_null(strchr(edit.text, 'b'));
}

static void
expect_drawn(const char *keys, size_t columns, const char *drawn)
{
	struct w_line_editor edit;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, 4096);
	w_editor_init(&edit, "0123456789");
	(void)type(&edit, keys);
	w_editor_draw(&edit, "> ", columns, &out);
	assert_string_equal(out.data, drawn);
}

static void
the_line_is_drawn_around_the_cursor(void **state)
{
	(void)state;
	expect_drawn("", 0, "\r> 0123456789\033[K\r\033[12C");
	expect_drawn("", 80, "\r> 0123456789\033[K\r\033[12C");
	expect_drawn("\x01", 8, "\r> 01234\033[K\r\033[2C");
	expect_drawn("", 8, "\r> 6789\033[K\r\033[6C");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_is_typed_at_the_end),
	    cmocka_unit_test(keys_move_and_delete),
	    cmocka_unit_test(characters_of_several_bytes_stay_whole),
	    cmocka_unit_test(the_ends_of_the_line_hold),
	    cmocka_unit_test(what_cannot_be_seen_is_not_taken),
	    cmocka_unit_test(enter_is_done_and_some_keys_give_up),
	    cmocka_unit_test(a_text_of_any_length_has_room_or_is_cut),
	    cmocka_unit_test(the_line_is_drawn_around_the_cursor),
	};

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
