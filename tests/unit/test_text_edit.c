/* SPDX-License-Identifier: Apache-2.0 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "edit/text_edit.h"

#define EDIT(old, new)                                                \
	{                                                             \
		(old), sizeof(old) - 1, (new), sizeof(new) - 1, false \
	}
#define EVERY(old, new)                                              \
	{                                                            \
		(old), sizeof(old) - 1, (new), sizeof(new) - 1, true \
	}

static void
expect(const char *text, const struct w_edit *edits, size_t count,
    const char *wanted)
{
	struct w_edit_done done = {0, 0, 0};
	W_AUTO_BUF struct w_buf out;
	W_AUTO_BUF struct w_buf why;

	w_buf_init(&out, 4096);
	w_buf_init(&why, 4096);
	assert_int_equal(
	    w_edit_apply(text, strlen(text), edits, count, &out, &done, &why),
	    WRIT_OK);
	assert_string_equal(out.data, wanted);
	assert_string_equal(why.data, "");
}

static void
expect_fault(const char *text, const struct w_edit *edits, size_t count,
    const char *wanted)
{
	struct w_edit_done done = {0, 0, 0};
	W_AUTO_BUF struct w_buf out;
	W_AUTO_BUF struct w_buf why;

	w_buf_init(&out, 4096);
	w_buf_init(&why, 4096);
	assert_int_equal(
	    w_edit_apply(text, strlen(text), edits, count, &out, &done, &why),
	    WRIT_E_INVALID);
	assert_int_equal(out.len, 0);
	if (strstr(why.data, wanted) == NULL)
		fail_msg("'%s' is not in '%s'", wanted, why.data);
}

static void
one_place_is_replaced(void **state)
{
	const struct w_edit edits[] = {EDIT("two", "2")};

	(void)state;
	expect("one\ntwo\nthree", edits, 1, "one\n2\nthree");
}

static void
several_edits_do_not_see_each_other(void **state)
{
	const struct w_edit edits[] = {
	    EDIT("b", "a"), EDIT("a", "b"), EVERY("x", "")};

	(void)state;
	expect("a b x x", edits, 3, "b a  ");
}

static void
a_text_that_is_there_twice_is_refused_with_its_lines(void **state)
{
	const struct w_edit once[] = {EDIT("x", "y")};
	const struct w_edit all[] = {EVERY("x", "y")};

	(void)state;
	expect_fault("x\n\nx\n", once, 1, "2 times, in lines 1, 3:");
	expect("x\n\nx\n", all, 1, "y\n\ny\n");
}

static void
a_text_that_is_not_there_is_answered_with_the_nearest(void **state)
{
	const struct w_edit blank[] = {EDIT("  if (a)\n  b();", "")};
	const struct w_edit similar[] = {EDIT("return value + 1;", "")};
	const struct w_edit other[] = {EDIT("qqqqqq", "")};

	(void)state;
	expect_fault("x\n\tif (a)\n\tb();\n", blank, 1,
	    "nearest, from line 2 (only white space differs):\n2\t\tif (a)");
	expect_fault("f()\n\treturn value + 2;\n", similar, 1,
	    "nearest, from line 2:\n2\t\treturn value + 2;");
	expect_fault("x\ny\n", other, 1, "nothing in it is similar");
}

static void
edits_that_overlap_are_refused(void **state)
{
	const struct w_edit edits[] = {EDIT("abc", "x"), EDIT("cd", "y")};
	const struct w_edit touching[] = {EDIT("abc", "x"), EDIT("d", "y")};

	(void)state;
	expect_fault("\nabcd", edits, 2, "edits 1 and 2 overlap in line 2");
	expect("abcd", touching, 2, "xy");
}

static void
line_ends_of_the_file_are_kept(void **state)
{
	const struct w_edit edits[] = {EDIT("a\nb", "a\nc\nd")};

	(void)state;
	expect("a\r\nb\r\n", edits, 1, "a\r\nc\r\nd\r\n");
	expect("a\nb\nx\r\n", edits, 1, "a\nc\nd\nx\r\n");
}

static void
an_edit_without_sense_is_refused(void **state)
{
	const struct w_edit empty[] = {EDIT("", "x")};
	const struct w_edit same[] = {EDIT("x", "x")};

	(void)state;
	expect_fault("x", empty, 1, "old_string is empty");
	expect_fault("x", same, 1, "are the same");
	expect_fault("x", same, 0, "expected 1 to 1000 edits");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_place_is_replaced),
	    cmocka_unit_test(several_edits_do_not_see_each_other),
	    cmocka_unit_test(
		a_text_that_is_there_twice_is_refused_with_its_lines),
	    cmocka_unit_test(
		a_text_that_is_not_there_is_answered_with_the_nearest),
	    cmocka_unit_test(edits_that_overlap_are_refused),
	    cmocka_unit_test(line_ends_of_the_file_are_kept),
	    cmocka_unit_test(an_edit_without_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
