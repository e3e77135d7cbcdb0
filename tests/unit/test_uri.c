/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "schema/compile/uri.h"

static void
check_resolved(const char *base, const char *ref, const char *expected)
{
	struct w_buf buf;

	w_buf_init(&buf, 4096);
	w_uri_resolve(&buf, base, ref, strlen(ref));
	assert_false(buf.failed);
	if (strcmp(buf.data, expected) != 0)
		print_error("'%s' at '%s'\n", ref, base);
	assert_string_equal(buf.data, expected);
	w_buf_done(&buf);
}

/* Sections 5.4.1 and 5.4.2 of RFC 3986, without the fragments. */
static void
references_are_resolved_as_the_standard_shows(void **state)
{
	static const char *const base = "http://a/b/c/d;p?q";
	static const char *const examples[][2] = {
	    {"g:h", "g:h"},
	    {"g", "http://a/b/c/g"},
	    {"./g", "http://a/b/c/g"},
	    {"g/", "http://a/b/c/g/"},
	    {"/g", "http://a/g"},
	    {"//g", "http://g"},
	    {"?y", "http://a/b/c/d;p?y"},
	    {"g?y", "http://a/b/c/g?y"},
	    {"#s", "http://a/b/c/d;p?q"},
	    {"g#s", "http://a/b/c/g"},
	    {"g?y#s", "http://a/b/c/g?y"},
	    {";x", "http://a/b/c/;x"},
	    {"g;x", "http://a/b/c/g;x"},
	    {"", "http://a/b/c/d;p?q"},
	    {".", "http://a/b/c/"},
	    {"./", "http://a/b/c/"},
	    {"..", "http://a/b/"},
	    {"../", "http://a/b/"},
	    {"../g", "http://a/b/g"},
	    {"../..", "http://a/"},
	    {"../../", "http://a/"},
	    {"../../g", "http://a/g"},
	    {"../../../g", "http://a/g"},
	    {"../../../../g", "http://a/g"},
	    {"/./g", "http://a/g"},
	    {"/../g", "http://a/g"},
	    {"g.", "http://a/b/c/g."},
	    {".g", "http://a/b/c/.g"},
	    {"g..", "http://a/b/c/g.."},
	    {"..g", "http://a/b/c/..g"},
	    {"./../g", "http://a/b/g"},
	    {"./g/.", "http://a/b/c/g/"},
	    {"g/./h", "http://a/b/c/g/h"},
	    {"g/../h", "http://a/b/c/h"},
	    {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
	    {"g;x=1/../y", "http://a/b/c/y"},
	    {"g?y/./x", "http://a/b/c/g?y/./x"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++)
		check_resolved(base, examples[i][0], examples[i][1]);
}

static void
other_bases_have_their_ways(void **state)
{
	(void)state;
	check_resolved("", "a/b", "a/b");
	check_resolved("", "", "");
	check_resolved("", "#x", "");
	check_resolved("http://a", "b", "http://a/b");
	check_resolved("urn:uuid:1", "#x", "urn:uuid:1");
	check_resolved("urn:uuid:1", "urn:uuid:2#x", "urn:uuid:2");
	check_resolved("x/y", "../z", "/z");
	check_resolved("file:///a/b", "../../c", "file:///c");
}

static void
fragments_are_what_follows_the_sign(void **state)
{
	size_t len = 99;

	(void)state;
	assert_null(w_uri_fragment("abc", 3, &len));
	assert_string_equal(w_uri_fragment("a#bc", 4, &len), "bc");
	assert_int_equal(len, 2);
	assert_string_equal(w_uri_fragment("a#", 2, &len), "");
	assert_int_equal(len, 0);
}

static void
percent_signs_are_decoded_or_refused(void **state)
{
	struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 100);
	assert_true(w_uri_decode(&buf, "/a%25%2fB%C3%A4", 15));
	assert_string_equal(buf.data, "/a%/B\xc3\xa4");
	w_buf_done(&buf);
	assert_false(w_uri_decode(&buf, "%", 1));
	assert_false(w_uri_decode(&buf, "%2", 2));
	assert_false(w_uri_decode(&buf, "%zz", 3));
	w_buf_done(&buf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(references_are_resolved_as_the_standard_shows),
	    cmocka_unit_test(other_bases_have_their_ways),
	    cmocka_unit_test(fragments_are_what_follows_the_sign),
	    cmocka_unit_test(percent_signs_are_decoded_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
