/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "templating.h"

static void
a_value_is_part_of_one_word(void **state)
{
	static const struct templating_case cases[] = {
	    {"", ""},
	    {"  ", ""},
	    {"echo a 'b c'", "<echo><a><b c>"},
	    {"echo {{ Data.words }}", "<echo><a b  c>"},
	    {"echo x{{ Data.words }}y z", "<echo><xa b  cy><z>"},
	    {"echo '{{ Data.words }}'", "<echo><a b  c>"},
	    {"echo \"{{ Data.quote }}\" {{ Data.quote }}",
		"<echo><it's \"$x\" `y` \\><it's \"$x\" `y` \\>"},
	    {"echo {{ Data.empty }} b", "<echo><><b>"},
	    {"{{ Data.empty }}", "<>"},
	    {"{{ Data.name }}{{ Data.empty }}", "<web>"},
	    {"echo {{ Data.line }}", "<echo><a\nb>"},
	    {"echo {{ null }} {{ [1, 2] }}", "<echo><><[1,2]>"},
	    {"a\\ {{ 1 }} \\\\{{ 2 }}", "<a 1><\\2>"},
	    {"echo {{ raw('a b') }}", "<echo><a b>"},
	    {"echo $${x} {{{{ 1", "<echo><${x}><{{><1>"},
	    {"a'b'{{ 1 }}\"c\"", "<ab1c>"},
	};

	(void)state;
	TEMPLATING_CHECK(templating_words, cases);
}

static void
what_cannot_be_split_is_refused(void **state)
{
	static const struct templating_case cases[] = {
	    {"echo 'a", "this single quote is never closed at 1:6"},
	    {"{{ 1 }} \"{{ 2 }}", "this double quote is never closed at 1:9"},
	    {"{{ 'a' }}\nb \\", "nothing follows this backslash at 2:3"},
	    {"a \\{{ 1 }}", "this backslash comes before a value at 1:3"},
	    {"a \"\\{{ 1 }}\"", "this backslash comes before a value at 1:4"},
	    {"a '\\{{ 1 }}'", "<a><\\1>"},
	};

	(void)state;
	TEMPLATING_CHECK(templating_words, cases);
}

static void
secrets_are_refused(void **state)
{
	struct expressing scene;
	struct w_template template;
	const char *const *words = NULL;
	writ_error err = {0};
	static const char text[] = "login {{ Data.name }} {{ Data.password }}";

	(void)state;
	expressing_open(&scene);
	assert_int_equal(
	    w_template_parse(&scene.arena, text, strlen(text), &template, &err),
	    WRIT_OK);
	assert_int_equal(w_template_words(&template, &scene.scope, &scene.arena,
			     &words, &err),
	    WRIT_E_INVALID);
	assert_null(words);
	assert_string_equal(err.message,
	    "a secret cannot be a part of a command: every user can read the "
	    "arguments of a process");
	assert_string_equal(err.suggestion,
	    "give it to the command by 'environment' or 'stdin'");
	assert_int_equal(err.column, 23);
	expressing_close(&scene);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_value_is_part_of_one_word),
	    cmocka_unit_test(what_cannot_be_split_is_refused),
	    cmocka_unit_test(secrets_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
