/* SPDX-License-Identifier: Apache-2.0 */
#include "rendering.h"

/* A schema of these properties and no others. */
#define CLOSED(properties)                                            \
	"{'type':'object','additionalProperties':false,'properties':" \
	"{" properties "}}"
#define OPEN "{'type':'object'}"

/* The rules that everything began with. */

static void
a_text_is_an_option_with_its_value(void **state)
{
	(void)state;
	renders(
	    OPEN, "{'file':'test.txt'}", WORDS("cmd", "--file", "test.txt"));
	renders(CLOSED("'file':{'type':'string'}"), "{'file':'test.txt'}",
	    WORDS("cmd", "--file", "test.txt"));
}

static void
true_is_a_flag(void **state)
{
	(void)state;
	renders(OPEN, "{'all':true}", WORDS("cmd", "--all"));
	renders(CLOSED("'all':{'type':'boolean'}"), "{'all':true}",
	    WORDS("cmd", "--all"));
}

static void
false_is_omitted(void **state)
{
	(void)state;
	renders(OPEN, "{'all':false}", WORDS("cmd"));
	renders(
	    CLOSED("'all':{'type':'boolean'}"), "{'all':false}", WORDS("cmd"));
}

static void
null_is_skipped(void **state)
{
	(void)state;
	renders(OPEN, "{'x':null}", WORDS("cmd"));
	renders(CLOSED("'x':{'type':'string'}"), "{'x':null}", WORDS("cmd"));
}

static void
an_array_repeats_the_flag(void **state)
{
	(void)state;
	renders(OPEN, "{'include':['a','b']}",
	    WORDS("cmd", "--include", "a", "--include", "b"));
	renders(CLOSED("'include':{'type':'array','items':{'type':'string'}}"),
	    "{'include':['a','b']}",
	    WORDS("cmd", "--include", "a", "--include", "b"));
	renders(OPEN, "{'include':[]}", WORDS("cmd"));
}

static void
an_underscore_is_a_hyphen(void **state)
{
	(void)state;
	renders(OPEN, "{'no_cache':true}", WORDS("cmd", "--no-cache"));
	renders(CLOSED("'no_cache':{'type':'boolean'}"), "{'no_cache':true}",
	    WORDS("cmd", "--no-cache"));
}

static void
an_integer_is_its_digits(void **state)
{
	(void)state;
	renders(OPEN, "{'count':5}", WORDS("cmd", "--count", "5"));
	renders(CLOSED("'count':{'type':'integer'}"), "{'count':5}",
	    WORDS("cmd", "--count", "5"));
}

static void
a_single_letter_is_a_long_option_too(void **state)
{
	(void)state;
	renders(OPEN, "{'k':'v'}", WORDS("cmd", "--k", "v"));
}

/* Operands that look like options. */

static void
find_does_not_delete(void **state)
{
	static const char find[] =
	    CLOSED("'path':{'type':'array','items':{'type':'string'},"
		   "'x-apexe-path':true,'x-apexe-positional':0,"
		   "'x-apexe-operand-position':'before-flags'},"
		   "'name':{'type':'string','x-apexe-flag':'-name'}");

	(void)state;
	renders(find, "{'path':['-delete']}", WORDS("cmd", "./-delete"));
	renders(find, "{'name':'*.c','path':['a','(','!','!x',')',',']}",
	    WORDS("cmd", "a", "./(", "./!", "./!x", "./)", "./,", "-name",
		"*.c"));
	renders(find, "{'name':'-delete','path':['.']}",
	    WORDS("cmd", ".", "-name", "-delete"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_text_is_an_option_with_its_value),
	    cmocka_unit_test(true_is_a_flag),
	    cmocka_unit_test(false_is_omitted),
	    cmocka_unit_test(null_is_skipped),
	    cmocka_unit_test(an_array_repeats_the_flag),
	    cmocka_unit_test(an_underscore_is_a_hyphen),
	    cmocka_unit_test(an_integer_is_its_digits),
	    cmocka_unit_test(a_single_letter_is_a_long_option_too),
	    cmocka_unit_test(find_does_not_delete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
