/* SPDX-License-Identifier: Apache-2.0 */
#include "rendering.h"

#define FIND_PATHS                                                          \
	"'path':{'type':'array','items':{'type':'string','format':'path'}," \
	"'x-apexe-positional':0,'x-apexe-operand-position':'before-flags'}"

/* Operands that look like options. */

static void
find_does_not_delete(void **state)
{
	static const char find[] = CLOSED(
	    FIND_PATHS ",'name':{'type':'string','x-apexe-flag':'-name'}");

	(void)state;
	renders(find, "{'path':['-delete']}", WORDS("cmd", "./-delete"));
	renders(find, "{'name':'*.c','path':['a','(','!','!x',')',',']}",
	    WORDS("cmd", "a", "./(", "./!", "./!x", "./)", "./,", "-name",
		"*.c"));
	renders(find, "{'name':'-delete','path':['.']}",
	    WORDS("cmd", ".", "-name", "-delete"));
}

static void
no_end_of_options_is_trusted_before_the_flags(void **state)
{
	(void)state;
	refuses(ENDED("'p':{'type':'string','x-apexe-positional':0,"
		      "'x-apexe-operand-position':'before-flags'}"),
	    "{'p':'-delete'}", "begins with '-'");
	renders(ENDED(FIND_PATHS), "{'path':['-delete','--','--x']}",
	    WORDS("cmd", "./-delete", "./--", "./--x"));
}

static void
a_dashed_operand_is_refused_where_nothing_protects_it(void **state)
{
	static const char rm[] =
	    CLOSED("'file':{'type':'array','x-apexe-positional':0}");

	(void)state;
	refuses(rm, "{'file':['a','-rf']}",
	    "argument 'file', element 2: '-rf' begins with '-'");
	refuses(rm, "{'file':['--']}", "begins with '-'");
	refuses(rm, "{'file':'--help'}", "argument 'file': '--help' begins");
}

static void
a_dashed_operand_stands_behind_the_end_of_options(void **state)
{
	static const char rm[] =
	    ENDED("'file':{'type':'array','x-apexe-positional':1},"
		  "'first':{'x-apexe-positional':0},"
		  "'force':{'type':'boolean','x-apexe-flag':'-f'}");

	(void)state;
	renders(rm, "{'file':['a','-f']}", WORDS("cmd", "--", "a", "-f"));
	renders(rm, "{'first':'x','file':['--'],'force':true}",
	    WORDS("cmd", "-f", "--", "x", "--"));
	renders(rm, "{'file':['a','b-']}", WORDS("cmd", "a", "b-"));
	renders(rm, "{'first':-1}", WORDS("cmd", "--", "-1"));
	renders(rm, "{'file':[1,-0.5]}", WORDS("cmd", "--", "1", "-0.5"));
	renders(rm, "{'first':-123456789012345678901234567890}",
	    WORDS("cmd", "--", "-123456789012345678901234567890"));
	renders(rm, "{'first':-0.0}", WORDS("cmd", "--", "-0.0"));
	renders(rm, "{'first':5}", WORDS("cmd", "5"));
}

static void
a_dashed_path_stays_a_path(void **state)
{
	static const char rm[] =
	    ENDED("'file':{'type':'array','x-apexe-path':true,"
		  "'x-apexe-positional':0}");

	(void)state;
	renders(rm, "{'file':['-f','--','a','/-b','(x']}",
	    WORDS("cmd", "./-f", "./--", "a", "/-b", "(x"));
	renders(rm, "{'file':['+!id','@options','a+','']}",
	    WORDS("cmd", "./+!id", "./@options", "a+", ""));
}

static void
numbers_may_be_negative(void **state)
{
	static const char seq[] =
	    CLOSED("'from':{'type':'number','x-apexe-positional':0},"
		   "'by':{'x-apexe-positional':1}");

	(void)state;
	renders(seq, "{'from':-5,'by':-0.5}", WORDS("cmd", "-5", "-0.5"));
	refuses(seq, "{'by':'-5'}", "begins with '-'");
	renders(CLOSED("'f':{'x-apexe-path':true,'x-apexe-positional':0}"),
	    "{'f':-5}", WORDS("cmd", "./-5"));
}

static void
one_hyphen_is_standard_input(void **state)
{
	(void)state;
	renders(CLOSED("'f':{'type':'string','x-apexe-positional':0}"),
	    "{'f':'-'}", WORDS("cmd", "-"));
	renders(CLOSED("'f':{'format':'path','x-apexe-positional':0}"),
	    "{'f':'-'}", WORDS("cmd", "-"));
}

static void
a_property_may_allow_the_dash(void **state)
{
	(void)state;
	renders(CLOSED("'tail':{'type':'array','x-apexe-positional':0,"
		       "'x-writ-dash':'allow'}"),
	    "{'tail':['-x','--','y']}", WORDS("cmd", "-x", "--", "y"));
}

static void
values_of_options_may_begin_with_a_dash(void **state)
{
	static const char grammar[] =
	    CLOSED("'e':{'type':'string','x-apexe-flag':'-e'},"
		   "'n':{'type':'string','x-apexe-flag':'-n'},"
		   "'message':{'type':'string','x-apexe-flag':'-m'}");

	(void)state;
	renders(grammar, "{'e':'-x','n':'-5','message':'- item'}",
	    WORDS("cmd", "-e", "-x", "-n", "-5", "-m", "- item"));
}

static void
a_secret_is_not_shown_when_it_is_refused(void **state)
{
	yyjson_doc *args = read_quoted("{'p':'-hunter2'}");
	struct w_words have = {0};
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    render_doc(&(struct rendering){0},
		CLOSED("'p':{'x-sensitive':true,'x-apexe-positional':0}"), args,
		&have, &err),
	    WRIT_E_INVALID);
	assert_null(strstr(err.message, "hunter2"));
	yyjson_doc_free(args);
}

/* Bytes. */

static void
every_byte_arrives(void **state)
{
	static const char text[] =
	    "{\"m\":\"a\\\"b'c\\n\\nd\\te $HOME `x` \\\\ "
	    "; | & \\u00e4\\ud83d\\ude00 \\u007f\"}";
	yyjson_doc *args = read_raw(text);
	struct w_words have = {0};
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    render_doc(&(struct rendering){0}, OPEN, args, &have, &err),
	    WRIT_OK);
	assert_words(&have,
	    WORDS("cmd", "--m",
		"a\"b'c\n\nd\te $HOME `x` \\ ; | & \xc3\xa4\xf0\x9f\x98\x80 "
		"\x7f"));
	w_words_done(&have);
	yyjson_doc_free(args);
}

static void
numbers_are_exact(void **state)
{
	(void)state;
	renders(OPEN,
	    "{'a':9007199254740993,'b':18446744073709551615,"
	    "'c':-9223372036854775808,'d':123456789012345678901234567890,"
	    "'e':0.1,'f':1e400,'g':5.0,'h':0,'i':1e21}",
	    WORDS("cmd", "--a", "9007199254740993", "--b",
		"18446744073709551615", "--c", "-9223372036854775808", "--d",
		"123456789012345678901234567890", "--e", "0.1", "--f", "1e400",
		"--g", "5.0", "--h", "0", "--i", "1e21"));
}

static void
whole_numbers_have_no_fraction(void **state)
{
	static const char grammar[] =
	    CLOSED("'n':{'type':'integer'},'x':{'type':'number'},"
		   "'l':{'type':'array','items':{'type':'integer'}}");

	(void)state;
	renders(grammar, "{'n':5.0,'x':5.0,'l':[1e3,-2.0,-0.0]}",
	    WORDS("cmd", "--n", "5", "--x", "5.0", "--l", "1000", "--l", "-2",
		"--l", "0"));
}

static void
objects_are_json(void **state)
{
	yyjson_doc *args =
	    read_raw("{\"data\": {\"a\": [1, \"x\\n\"], \"b\": null}, "
		     "\"list\": [[1, 2], {\"c\": true}]}");
	struct w_words have = {0};
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    render_doc(&(struct rendering){0}, OPEN, args, &have, &err),
	    WRIT_OK);
	assert_words(
	    &have, WORDS("cmd", "--data", "{\"a\":[1,\"x\\n\"],\"b\":null}",
		       "--list", "[1,2]", "--list", "{\"c\":true}"));
	w_words_done(&have);
	yyjson_doc_free(args);
}

static void
a_nul_is_refused(void **state)
{
	(void)state;
	refuses(OPEN, "{'x':['a','b\\u0000c']}",
	    "argument 'x', element 2: it has a NUL");
	refuses(CLOSED("'f':{'x-apexe-positional':0}"), "{'f':'\\u0000'}",
	    "it has a NUL");
	refuses(CLOSED("'f':" TEXT), "{'f\\u0000':'x'}", "no argument 'f'");
	refuses(OPEN, "{'f\\u0000':true}", "such a key is not an option");
}

/* Renders one long value and returns how it went. */
static writ_status
render_long(const char *schema, size_t len, writ_error *err)
{
	char *value = malloc(len + 1);
	struct w_words have = {0};

	assert_non_null(value);
	memset(value, 'x', len);
	value[len] = '\0';
	yyjson_mut_doc *made = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(made);
	yyjson_mut_doc_set_root(made, root);
	assert_true(yyjson_mut_obj_add_strn(made, root, "v", value, len));
	yyjson_doc *args = yyjson_mut_doc_imut_copy(made, NULL);
	writ_status status =
	    render_doc(&(struct rendering){0}, schema, args, &have, err);
	if (status == WRIT_OK) {
		const char *last = have.items[have.count - 1];
		size_t last_len = strlen(last);

		assert_true(last_len >= len);
		assert_string_equal(last + last_len - len, value);
	}
	w_words_done(&have);
	yyjson_doc_free(args);
	yyjson_mut_doc_free(made);
	free(value);
	return status;
}

static void
a_word_is_as_long_as_the_kernel_takes_it(void **state)
{
	static const char attached[] =
	    CLOSED("'v':{'type':'string','x-writ-attach':'equals'}");
	static const char operand[] =
	    CLOSED("'v':{'type':'string','x-apexe-positional':0}");
	writ_error err = {0};

	(void)state;
	assert_int_equal(render_long(OPEN, 100000, &err), WRIT_OK);
	assert_int_equal(render_long(OPEN, W_WORD_BYTES_MAX, &err), WRIT_OK);
	assert_int_equal(
	    render_long(OPEN, W_WORD_BYTES_MAX + 1, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "131072 bytes"));
	assert_non_null(strstr(err.message, "131071"));
	assert_non_null(strstr(err.suggestion, "standard input"));
	assert_int_equal(render_long(operand, 1 << 20, &err), WRIT_E_INVALID);
	assert_int_equal(
	    render_long(attached, W_WORD_BYTES_MAX - 4, &err), WRIT_OK);
	assert_int_equal(
	    render_long(attached, W_WORD_BYTES_MAX - 3, &err), WRIT_E_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(find_does_not_delete),
	    cmocka_unit_test(no_end_of_options_is_trusted_before_the_flags),
	    cmocka_unit_test(
		a_dashed_operand_is_refused_where_nothing_protects_it),
	    cmocka_unit_test(a_dashed_operand_stands_behind_the_end_of_options),
	    cmocka_unit_test(a_dashed_path_stays_a_path),
	    cmocka_unit_test(numbers_may_be_negative),
	    cmocka_unit_test(one_hyphen_is_standard_input),
	    cmocka_unit_test(a_property_may_allow_the_dash),
	    cmocka_unit_test(values_of_options_may_begin_with_a_dash),
	    cmocka_unit_test(a_secret_is_not_shown_when_it_is_refused),
	    cmocka_unit_test(every_byte_arrives),
	    cmocka_unit_test(numbers_are_exact),
	    cmocka_unit_test(whole_numbers_have_no_fraction),
	    cmocka_unit_test(objects_are_json),
	    cmocka_unit_test(a_nul_is_refused),
	    cmocka_unit_test(a_word_is_as_long_as_the_kernel_takes_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
