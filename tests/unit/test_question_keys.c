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
static struct w_words lines;

static int
set_up(void **state)
{
	(void)state;
	lines = (struct w_words){.items = NULL};
	w_question_keys_init(&keys, "allow: git push ...", false, 80);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_words_done(&lines);
	return 0;
}

/* The first choice that is one. */
static enum w_question_choice
type(const char *text)
{
	enum w_question_choice choice = W_QUESTION_OPEN;

	for (; *text != '\0' &&
	       (choice == W_QUESTION_OPEN || choice == W_QUESTION_TYPED ||
		   choice == W_QUESTION_EDIT);
	     text++) {
		choice = w_question_keys_accept(&keys, *text);
		if (choice == W_QUESTION_EDIT)
			w_question_keys_edit(&keys);
	}
	return choice;
}

static bool
has_line(const char *text)
{
	for (size_t i = 0; i < lines.count; i++) {
		if (strstr(lines.items[i], text) != NULL)
			return true;
	}
	return false;
}

static void
each_letter_is_its_answer(void **state)
{
	(void)state;
	assert_int_equal(type("y"), W_QUESTION_ONCE);
	assert_int_equal(type("s"), W_QUESTION_SESSION);
	assert_int_equal(type("r"), W_QUESTION_SHAPE);
	assert_int_equal(type("n"), W_QUESTION_DENY);
	assert_int_equal(type("d"), W_QUESTION_DETAILS);
	assert_int_equal(type("?"), W_QUESTION_HELP);
	assert_int_equal(type("\x03"), W_QUESTION_STOP);
	assert_int_equal(type("\x04"), W_QUESTION_STOP);
	assert_string_equal(keys.edit.text, "allow: git push ...");
}

static void
other_keys_answer_nothing(void **state)
{
	(void)state;
	assert_int_equal(type("\r\n YSxljkq\xc3\xbc"), W_QUESTION_OPEN);
}

static void
keys_that_begin_with_escape_answer_nothing(void **state)
{
	(void)state;
	/* Alt-y, F5, Ctrl-right, shift-tab. */
	assert_int_equal(
	    type("\033y\033[15~\033[1;5C\033[Z\033Oy"), W_QUESTION_OPEN);
	assert_false(w_question_keys_has_escape(&keys));
	assert_int_equal(type("\033[A"), W_QUESTION_BEFORE);
	assert_int_equal(type("\033OB"), W_QUESTION_NEXT);
	assert_int_equal(type("\033"), W_QUESTION_OPEN);
	assert_true(w_question_keys_has_escape(&keys));
	assert_int_equal(w_question_keys_wake(&keys), W_QUESTION_BACK);
	assert_int_equal(type("y"), W_QUESTION_ONCE);
}

static void
help_names_the_keys_that_are_offered(void **state)
{
	(void)state;
	assert_true(w_question_keys_help(&keys, &lines));
	assert_true(has_line("  r  "));
	assert_false(has_line("  l  "));
	assert_false(has_line("  q  "));
}

static void
the_keys_fit_the_terminal(void **state)
{
	(void)state;
	for (size_t columns = 24; columns < 120; columns += 12) {
		w_words_done(&lines);
		lines = (struct w_words){.items = NULL};
		w_question_keys_init(&keys, "allow: ls", true, columns);
		assert_true(w_question_keys_offer(&keys, &lines));
		for (size_t i = 0; i < lines.count; i++)
			assert_true(strlen(lines.items[i]) < columns);
	}
	assert_true(has_line("[y] once  [s] session"));
}

static void
a_rule_can_be_changed_before_it_is_remembered(void **state)
{
	(void)state;
	assert_int_equal(type("e\x7f\x7f\x7forigin\r"), W_QUESTION_SHAPE);
	assert_string_equal(keys.edit.text, "allow: git push origin");
	/* Again it begins with the proposal. */
	assert_int_equal(type("e"), W_QUESTION_EDIT);
	assert_string_equal(keys.edit.text, "allow: git push ...");
}

static void
giving_up_a_change_leads_back_to_the_question(void **state)
{
	(void)state;
	assert_int_equal(type("ex\x03"), W_QUESTION_BACK);
	assert_false(keys.is_editing);
	assert_int_equal(type("ex\033"), W_QUESTION_TYPED);
	assert_true(w_question_keys_has_escape(&keys));
	assert_int_equal(w_question_keys_wake(&keys), W_QUESTION_BACK);
	assert_false(keys.is_editing);
	assert_int_equal(type("r"), W_QUESTION_SHAPE);
	assert_string_equal(keys.edit.text, "allow: git push ...");
}

static void
letters_within_a_rule_are_no_answers(void **state)
{
	(void)state;
	assert_int_equal(type("eynsr?"), W_QUESTION_TYPED);
	assert_string_equal(keys.edit.text, "allow: git push ...ynsr?");
}

static void
without_a_rule_there_is_nothing_to_remember_but_what_is_typed(void **state)
{
	(void)state;
	w_question_keys_init(&keys, NULL, false, 80);
	assert_int_equal(type("r"), W_QUESTION_OPEN);
	assert_true(w_question_keys_offer(&keys, &lines));
	assert_false(has_line("[r]"));
	assert_int_equal(type("els\r"), W_QUESTION_SHAPE);
	assert_string_equal(keys.edit.text, "allow: ls");
}

static void
a_list_has_keys_of_its_own(void **state)
{
	(void)state;
	assert_int_equal(type("l"), W_QUESTION_OPEN);
	w_question_keys_init(&keys, NULL, true, 80);
	assert_int_equal(type("l"), W_QUESTION_LATER);
	assert_int_equal(type("j"), W_QUESTION_NEXT);
	assert_int_equal(type("k"), W_QUESTION_BEFORE);
	assert_int_equal(type("q"), W_QUESTION_QUIT);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(each_letter_is_its_answer),
	    TEST(other_keys_answer_nothing),
	    TEST(keys_that_begin_with_escape_answer_nothing),
	    TEST(the_keys_fit_the_terminal),
	    TEST(help_names_the_keys_that_are_offered),
	    TEST(a_rule_can_be_changed_before_it_is_remembered),
	    TEST(giving_up_a_change_leads_back_to_the_question),
	    TEST(letters_within_a_rule_are_no_answers),
	    TEST(without_a_rule_there_is_nothing_to_remember_but_what_is_typed),
	    TEST(a_list_has_keys_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
