/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "templating.h"

static void
expressions_and_escapes_are_found(void **state)
{
	static const struct templating_case cases[] = {
	    {"", ""},
	    {"plain $HOME } }} { $ {x} $(y)", "plain $HOME } }} { $ {x} $(y)"},
	    {"{{ 1 }}", "1"},
	    {"{{1}}{{2}}", "12"},
	    {"a{{ 'b' }}c${ 'd' }e", "abcde"},
	    {"{{{{ x }}", "{{ x }}"},
	    {"$${x}", "${x}"},
	    {"$${{ 1 }}", "${{ 1 }}"},
	    {"${{ 1 }}", "$1"},
	    {"$$${x}", "$${x}"},
	    {"{{{{{{ 1 }}", "{{1"},
	    {"$${a}{{ 1 }}{{{{b}}${2}", "${a}1{{b}}2"},
	    {"{{ '}}' }}", "}}"},
	    {"${ '}' + \"}\" + `}` }", "}}}"},
	    {"{{ 'a\\'}}' }}", "a'}}"},
	    {"{{ {a: {b: 1}} }}", "{\"a\":{\"b\":1}}"},
	    {"{{ {a: {b: 1}}.a.b}}", "1"},
	    {"${ {a: 1}.a }", "1"},
	    {"{{\n1 +\n2\n}}", "3"},
	    {"{{ Data.template }}", "{{ 40+2 }} ${ 1 }"},
	};

	(void)state;
	TEMPLATING_CHECK(templating_text, cases);
}

static void
what_opens_must_close(void **state)
{
	static const struct templating_case cases[] = {
	    {"a {{ 1", "this '{{' is never closed at 1:3"},
	    {"a ${ 1", "this '${' is never closed at 1:3"},
	    {"{{ 1 }", "this '{{' is never closed at 1:1"},
	    {"{{ 'a }}", "this '{{' is never closed at 1:1"},
	    {"{{ 1 }}\nx {{", "this '{{' is never closed at 2:3"},
	    {"{{{ 1 }}", "this '{{' is never closed at 1:1"},
	    {"{{ }}", "an empty expression at 1:3"},
	    {"a\nb {{ 1 + }}",
		"the expression ends where a value should be at 2:10"},
	    {"a\n{{ Data.prot }}", "no member 'prot' in Data at 2:8"},
	    {"{{ invalid syntax }}", "unknown name 'invalid' at 1:4"},
	};

	(void)state;
	TEMPLATING_CHECK(templating_text, cases);
}

static void
names_of_the_shell_are_told(void **state)
{
	static const struct {
		const char *text;
		const char *suggestion;
	} cases[] = {
	    {"echo ${HOME}",
		"write $${HOME} for what the shell shall see, or $HOME"},
	    {"${x:-y}", "write $${x:-y} for what the shell shall see, or $x"},
	    {"${#x}", "write $${#x} for what the shell shall see, or $"},
	    {"{{ HOME }}",
		"the names are Facts, Data and Environ; a text needs quotes"},
	    {"${ HOME", "close it with '}', or write '$${' for the characters"},
	    {"{{ x", "close it with '}}', or write '{{{{' for the characters"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct w_arena arena = {0};
		struct w_template template = {.text = NULL};
		writ_error err = {0};

		assert_int_equal(w_template_parse(&arena, cases[i].text,
				     strlen(cases[i].text), &template, &err),
		    WRIT_E_INVALID);
		assert_string_equal(err.suggestion, cases[i].suggestion);
		assert_null(template.text);
		w_arena_done(&arena);
	}
}

static void
plain_texts_take_no_memory(void **state)
{
	struct w_arena arena = {0};
	struct w_template template;
	struct w_value value;
	static const char text[] = "echo $HOME {x} a}}";

	(void)state;
	assert_int_equal(
	    w_template_parse(&arena, text, strlen(text), &template, NULL),
	    WRIT_OK);
	assert_true(w_template_is_plain(&template));
	assert_non_null(template.parts);
	assert_int_equal(
	    w_template_text(&template, NULL, &arena, &value, NULL), WRIT_OK);
	assert_ptr_equal(value.as.string.text, text);
	assert_null(arena.chunks);
}

static void
what_is_used_is_known(void **state)
{
	static const struct {
		const char *text;
		unsigned uses;
		bool is_plain;
	} cases[] = {
	    {"a", 0, true},
	    {"$${a}", 0, true},
	    {"{{ 1 }}", 0, false},
	    {"{{ Data.a }} ${ Facts.b }", W_EXPR_USES_DATA | W_EXPR_USES_FACTS,
		false},
	    {"${ file('x') }", W_EXPR_USES_FILE, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct w_arena arena = {0};
		struct w_template template;

		assert_int_equal(w_template_parse(&arena, cases[i].text,
				     strlen(cases[i].text), &template, NULL),
		    WRIT_OK);
		assert_int_equal(template.uses, cases[i].uses);
		assert_int_equal(
		    w_template_is_plain(&template), cases[i].is_plain);
		w_arena_done(&arena);
	}
}

static void
nul_bytes_are_refused(void **state)
{
	struct w_arena arena = {0};
	struct w_template template;
	writ_error err;

	(void)state;
	assert_int_equal(w_template_parse(&arena, "ab\0c", 4, &template, &err),
	    WRIT_E_INVALID);
	assert_string_equal(err.message, "a NUL byte cannot be in a text");
	assert_int_equal(err.column, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(expressions_and_escapes_are_found),
	    cmocka_unit_test(what_opens_must_close),
	    cmocka_unit_test(names_of_the_shell_are_told),
	    cmocka_unit_test(plain_texts_take_no_memory),
	    cmocka_unit_test(what_is_used_is_known),
	    cmocka_unit_test(nul_bytes_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
