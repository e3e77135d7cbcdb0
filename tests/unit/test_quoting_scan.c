/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "expr/template/quoting_scan.h"

/* The frames from the outermost inwards, one letter each; followed by '!' if
 * the scanner is lost. */
static const char *
frames_of(const char *text)
{
	static const char letters[] = "CSDQPA`#H";
	static char out[W_QUOTING_FRAMES_MAX + 2];
	struct w_quoting_scan scan;
	size_t len = 0;

	w_quoting_scan_init(&scan);
	w_quoting_scan_feed(&scan, text, strlen(text));
	for (size_t i = 0; i <= scan.depth; i++)
		out[len++] = letters[scan.frames[i].kind];
	if (scan.lost != NULL)
		out[len++] = '!';
	out[len] = '\0';
	return out;
}

static void
the_scanner_knows_where_it_is(void **state)
{
	static const struct {
		const char *text;
		const char *frames;
	} cases[] = {
	    {"", "C"},
	    {"echo a", "C"},
	    {"echo 'a", "CS"},
	    {"echo 'a\"", "CS"},
	    {"echo 'a'", "C"},
	    {"echo \\'a", "C"},
	    {"echo \"a", "CD"},
	    {"echo \"a\\\"", "CD"},
	    {"echo \"a'", "CD"},
	    {"echo \"$(", "CDC"},
	    {"echo \"$(echo \"", "CDCD"},
	    {"echo \"$(echo \")\"", "CDC"},
	    {"echo \"$(echo \")\")", "CD"},
	    {"echo $(a (b)", "CC"},
	    {"echo $(a (b))", "C"},
	    {"echo ${a", "CP"},
	    {"echo ${a:-'}'", "CP"},
	    {"echo ${a:-\"}\"}", "C"},
	    {"echo \"${a:-$(b", "CDPC"},
	    {"echo $((1", "CA"},
	    {"echo $((1 + (2)", "CA"},
	    {"echo $((1))", "C"},
	    {"echo $(\\\n(1", "CA"},
	    {"echo `a", "C`"},
	    {"echo `a\\``", "C"},
	    {"echo \"`a", "CD`"},
	    {"# it's", "C#"},
	    {"# it's\n", "C"},
	    {"a#it's", "CS"},
	    {"a;#'", "C#"},
	    {"$# '", "CS"},
	    {"${#a} '", "CS"},
	    {"$'a", "CQ"},
	    {"\"$'a", "CD"},
	    {"$\"a", "CD"},
	    {"case a in a) 'b", "CS"},
	    {"$(case a in a) 'b", "CS!"},
	    {"$(ca\\\nse a in a) 'b", "CS!"},
	    {"$(echo ucase a) 'b", "CS"},
	    {"((a", "CA"},
	    {"( (a", "C"},
	    {"((a))", "C"},
	    {"((a) )", "C!"},
	    {"$((`", "CA!"},
	    {"\"${a'", "CDP!"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(frames_of(cases[i].text), cases[i].frames);
}

static void
deep_nesting_is_given_up(void **state)
{
	struct w_quoting_scan scan;

	(void)state;
	w_quoting_scan_init(&scan);
	for (size_t i = 0; i < 60; i++)
		w_quoting_scan_feed(&scan, "$( ", 3);
	assert_non_null(scan.lost);
	assert_true(scan.depth < W_QUOTING_FRAMES_MAX);
}

static void
pieces_are_scanned_like_the_whole(void **state)
{
	static const char text[] =
	    "a=$((1)) \"$x$(b 'c' `d`)\" <<E # x\n'\nE\n${y#'z'} \"";
	struct w_quoting_scan whole;
	struct w_quoting_scan pieces;

	(void)state;
	w_quoting_scan_init(&whole);
	w_quoting_scan_init(&pieces);
	w_quoting_scan_feed(&whole, text, sizeof(text) - 1);
	for (size_t i = 0; i < sizeof(text) - 1; i++)
		w_quoting_scan_feed(&pieces, text + i, 1);
	assert_int_equal(whole.depth, pieces.depth);
	assert_int_equal(whole.depth, 1);
	assert_int_equal(whole.frames[1].kind, W_QUOTING_DOUBLE);
	assert_int_equal(pieces.frames[1].kind, W_QUOTING_DOUBLE);
	assert_ptr_equal(whole.lost, pieces.lost);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_scanner_knows_where_it_is),
	    cmocka_unit_test(deep_nesting_is_given_up),
	    cmocka_unit_test(pieces_are_scanned_like_the_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
