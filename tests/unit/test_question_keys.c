/* SPDX-License-Identifier: Apache-2.0 */

/* Keys for an answer. */

#include "cli/approval/question_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct w_question_keys keys;
static struct w_buf out;

static int
set_up(void **state)
{
	(void)state;
	w_buf_init(&out, 65536);
	w_question_keys_init(&keys, "allow: git push ...", false, 80);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_buf_done(&out);
	return 0;
}

static enum w_question_choice
type(const char *text)
{
	enum w_question_choice choice = W_QUESTION_OPEN;

	for (; *text != '\0' && choice == W_QUESTION_OPEN; text++)
		choice = w_question_keys_accept(&keys, *text, &out);
	return choice;
}

static void
each_letter_is_its_answer(void **state)
{
	(void)state;
	assert_int_equal(type("y"), W_QUESTION_ONCE);
	assert_int_equal(type("s"), W_QUESTION_SESSION);
	assert_int_equal(type("r"), W_QUESTION_SHAPE);
	assert_int_equal(type("n"), W_QUESTION_DENY);
	assert_int_equal(type("\x03"), W_QUESTION_STOP);
	assert_int_equal(type("\x04"), W_QUESTION_STOP);
	assert_string_equal(keys.edit.text, "allow: git push ...");
}

static void
other_keys_answer_nothing(void **state)
{
	(void)state;
	assert_int_equal(type("\r\n YSxlq\033[A\xc3\xbc"), W_QUESTION_OPEN);
	assert_int_equal(out.len, 0);
}

static void
help_names_the_keys_that_are_offered(void **state)
{
	(void)state;
	assert_int_equal(type("?"), W_QUESTION_OPEN);
	assert_non_null(strstr(out.data, "  r  "));
	assert_null(strstr(out.data, "  l  "));
	assert_non_null(strstr(out.data, "[y] once  [s] session"));
}

static void
a_rule_can_be_changed_before_it_is_remembered(void **state)
{
	(void)state;
	assert_int_equal(type("e"), W_QUESTION_OPEN);
	assert_non_null(strstr(out.data, "rule: allow: git push ..."));
	assert_int_equal(type("\x7f\x7f\x7forigin\r"), W_QUESTION_SHAPE);
	assert_string_equal(keys.edit.text, "allow: git push origin");
}

static void
giving_up_a_change_leads_back_to_the_question(void **state)
{
	(void)state;
	assert_int_equal(type("e\x03"), W_QUESTION_OPEN);
	assert_false(keys.is_editing);
	assert_int_equal(type("y"), W_QUESTION_ONCE);
}

static void
letters_within_a_rule_are_no_answers(void **state)
{
	(void)state;
	assert_int_equal(type("eynsr?"), W_QUESTION_OPEN);
	assert_string_equal(keys.edit.text, "allow: git push ...ynsr?");
}

static void
without_a_rule_there_is_nothing_to_remember_but_what_is_typed(void **state)
{
	(void)state;
	w_question_keys_init(&keys, NULL, false, 80);
	assert_int_equal(type("r"), W_QUESTION_OPEN);
	w_question_keys_prompt(&keys, &out);
	assert_null(strstr(out.data, "[r]"));
	assert_int_equal(type("els\r"), W_QUESTION_SHAPE);
	assert_string_equal(keys.edit.text, "allow: ls");
}

static void
later_is_offered_only_to_who_was_not_asked_alone(void **state)
{
	(void)state;
	assert_int_equal(type("l"), W_QUESTION_OPEN);
	w_question_keys_init(&keys, NULL, true, 80);
	assert_int_equal(type("l"), W_QUESTION_LATER);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(each_letter_is_its_answer),
	    TEST(other_keys_answer_nothing),
	    TEST(help_names_the_keys_that_are_offered),
	    TEST(a_rule_can_be_changed_before_it_is_remembered),
	    TEST(giving_up_a_change_leads_back_to_the_question),
	    TEST(letters_within_a_rule_are_no_answers),
	    TEST(without_a_rule_there_is_nothing_to_remember_but_what_is_typed),
	    TEST(later_is_offered_only_to_who_was_not_asked_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
