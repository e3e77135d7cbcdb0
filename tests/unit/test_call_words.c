/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/call/call_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "call_case.h"

/* The words as "name=text", separated by blanks, in order. */
static void
show(const struct w_call_words *words, char *out, size_t size)
{
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < words->given_count; i++) {
		const struct w_call_given *given = &words->given[i];
		const char *text = given->kind == W_CALL_TRUE    ? "TRUE"
				   : given->kind == W_CALL_FALSE ? "FALSE"
								 : given->text;
		int added =
		    snprintf(out + len, size - len, "%s%s=%s", i > 0 ? " " : "",
			words->parameters[given->parameter].name, text);

		assert_true(added > 0 && (size_t)added < size - len);
		len += (size_t)added;
	}
}

#define EXPECT(text, ...) expect(text, (const char *const[]){__VA_ARGS__, NULL})
#define REFUSED(message, suggestion, ...) \
	refused(message, suggestion, (const char *const[]){__VA_ARGS__, NULL})

static void
expect(const char *text, const char *const *argv)
{
	struct calling it;
	char shown[512];

	assert_int_equal(calling_read(&it, argv), WRIT_OK);
	show(&it.words, shown, sizeof(shown));
	assert_string_equal(shown, text);
}

static void
refused(const char *message, const char *suggestion, const char *const *argv)
{
	struct calling it;

	assert_int_equal(calling_read(&it, argv), WRIT_E_INVALID);
	assert_string_equal(it.err.message, message);
	assert_string_equal(it.err.suggestion, suggestion);
}

static void
names_take_the_next_word_or_what_follows_the_sign(void **state)
{
	(void)state;
	EXPECT("", NULL);
	EXPECT("max_count=3", "--max-count", "3");
	EXPECT("max_count=3", "--max_count=3");
	EXPECT("message=a=b", "--message=a=b");
	EXPECT("message=", "--message=");
	EXPECT("message=", "--message", "");
}

static void
a_value_may_look_like_anything(void **state)
{
	(void)state;
	EXPECT("message=--all", "--message", "--all");
	EXPECT("message=--", "--message", "--");
	EXPECT("message={", "--message", "{");
	EXPECT("message=--help", "--message", "--help");
}

static void
booleans_take_no_word(void **state)
{
	(void)state;
	EXPECT("all=TRUE from=x", "--all", "x");
	EXPECT("all=FALSE", "--no-all");
	EXPECT("all=false", "--all=false");
	EXPECT("no_cache=TRUE", "--no-cache");
	EXPECT("no_cache=FALSE", "--no-no-cache");
}

static void
a_value_that_may_be_left_out_comes_with_its_sign(void **state)
{
	(void)state;
	EXPECT("color=TRUE from=always", "--color", "always");
	EXPECT("color=always", "--color=always");
	EXPECT("color=FALSE", "--no-color");
}

static void
an_argument_is_also_known_by_its_token(void **state)
{
	(void)state;
	EXPECT("all=TRUE max_count=3", "-a", "-n", "3");
	EXPECT("sizes=4", "--size", "4");
	EXPECT("one=TRUE from=-2", "-1", "-2");
}

static void
an_array_is_given_as_often_as_it_has_elements(void **state)
{
	(void)state;
	EXPECT("include=a include=b", "--include", "a", "-I", "b");
	REFUSED("call: '--message' is given twice", "", "--message", "a", "-m",
	    "b");
}

static void
bare_words_fill_the_operands_by_their_index(void **state)
{
	(void)state;
	EXPECT("from=a", "a");
	EXPECT("from=a to=b", "a", "b");
	EXPECT("from=a from=b to=c", "a", "b", "c");
	EXPECT("to=x from=a from=b", "--to", "x", "a", "b");
	EXPECT("from=x to=a", "--from", "x", "a");
	EXPECT("from=- to=-0.5", "-", "-0.5");
	EXPECT("from= to=", "", "");
}

static void
behind_two_dashes_every_word_is_an_operand(void **state)
{
	(void)state;
	EXPECT("from=--all from={ to=--", "--", "--all", "{", "--");
}

static void
a_word_that_begins_with_a_brace_is_the_input(void **state)
{
	struct calling it;
	const char *const argv[] = {"{\"all\":true}", "x", NULL};

	(void)state;
	assert_int_equal(calling_read(&it, argv), WRIT_OK);
	assert_string_equal(it.words.json, "{\"all\":true}");
	assert_int_equal(it.words.given_count, 1);
	REFUSED("call: two words begin with '{', and the input is one",
	    "put operands after '--'", "{}", "{}");
}

static void
help_ends_the_reading(void **state)
{
	struct calling it;
	const char *const argv[] = {"x", "--help", "--nonsense", NULL};

	(void)state;
	assert_int_equal(calling_read(&it, argv), WRIT_OK);
	assert_true(it.words.wants_help);
}

static void
unknown_names_are_refused_with_the_nearest(void **state)
{
	(void)state;
	REFUSED("call: cli.cp has no argument '--max-cout'",
	    "did you mean '--max-count'?", "--max-cout", "3");
	REFUSED("call: cli.cp has no argument '--quite-another'",
	    "writ call cli.cp --help", "--quite-another=3");
	REFUSED("call: cli.cp has no argument '--json'",
	    "options of writ call go before the ID", "--json");
	REFUSED("call: cli.cp has no argument '-x'",
	    "put a word that begins with '-' after '--', or give it as "
	    "the value of a name",
	    "-x");
	REFUSED("call: cli.cp has no argument '--no-message'",
	    "did you mean '--message'?", "--no-message");
}

static void
what_is_missing_or_too_much_is_told(void **state)
{
	(void)state;
	REFUSED(
	    "call: '--max-count' needs a value: integer", "", "--max-count");
	REFUSED("call: unexpected word 'c': cli.cp takes no more operands",
	    "writ call cli.cp --help", "--from", "a", "b", "c");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_take_the_next_word_or_what_follows_the_sign),
	    cmocka_unit_test(a_value_may_look_like_anything),
	    cmocka_unit_test(booleans_take_no_word),
	    cmocka_unit_test(a_value_that_may_be_left_out_comes_with_its_sign),
	    cmocka_unit_test(an_argument_is_also_known_by_its_token),
	    cmocka_unit_test(an_array_is_given_as_often_as_it_has_elements),
	    cmocka_unit_test(bare_words_fill_the_operands_by_their_index),
	    cmocka_unit_test(behind_two_dashes_every_word_is_an_operand),
	    cmocka_unit_test(a_word_that_begins_with_a_brace_is_the_input),
	    cmocka_unit_test(help_ends_the_reading),
	    cmocka_unit_test(unknown_names_are_refused_with_the_nearest),
	    cmocka_unit_test(what_is_missing_or_too_much_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
