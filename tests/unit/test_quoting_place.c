/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "expr/template/quoting_scan.h"

static void
places_are_told(void **state)
{
	static const struct {
		const char *text;
		enum w_quoting_place place;
	} cases[] = {
	    {"", W_QUOTING_PLACE_BARE},
	    {"a", W_QUOTING_PLACE_BARE},
	    {"$a", W_QUOTING_PLACE_BARE},
	    {"a <", W_QUOTING_PLACE_BARE},
	    {"$(", W_QUOTING_PLACE_BARE},
	    {"(", W_QUOTING_PLACE_BARE},
	    {"'", W_QUOTING_PLACE_SINGLE},
	    {"\"$('", W_QUOTING_PLACE_SINGLE},
	    {"\"", W_QUOTING_PLACE_DOUBLE},
	    {"\"$$", W_QUOTING_PLACE_DOUBLE},
	    {"\"$a", W_QUOTING_PLACE_APART},
	    {"\"$", W_QUOTING_PLACE_APART},
	    {"\"${a}", W_QUOTING_PLACE_DOUBLE},
	    {"$", W_QUOTING_PLACE_NONE},
	    {"$\\\n", W_QUOTING_PLACE_NONE},
	    {"\\", W_QUOTING_PLACE_NONE},
	    {"\"\\", W_QUOTING_PLACE_NONE},
	    {"${a", W_QUOTING_PLACE_NONE},
	    {"${a:-$(", W_QUOTING_PLACE_NONE},
	    {"$((", W_QUOTING_PLACE_NONE},
	    {"`", W_QUOTING_PLACE_NONE},
	    {"#", W_QUOTING_PLACE_NONE},
	    {"<<", W_QUOTING_PLACE_NONE},
	    {"<<E", W_QUOTING_PLACE_NONE},
	    {"<<E\n", W_QUOTING_PLACE_NONE},
	    {"<<E ", W_QUOTING_PLACE_BARE},
	    {"a[", W_QUOTING_PLACE_NONE},
	    {"a[$(b)", W_QUOTING_PLACE_NONE},
	    {"a[b ", W_QUOTING_PLACE_BARE},
	    {"[ ", W_QUOTING_PLACE_BARE},
	    {"/a[", W_QUOTING_PLACE_BARE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct w_quoting_scan scan;
		const char *why = NULL;
		const char *advice = NULL;

		w_quoting_scan_init(&scan);
		w_quoting_scan_feed(
		    &scan, cases[i].text, strlen(cases[i].text));
		enum w_quoting_place place =
		    w_quoting_scan_place(&scan, false, &why, &advice);
		if (place != cases[i].place)
			print_error("%s\n", cases[i].text);
		assert_int_equal(place, cases[i].place);
		if (place == W_QUOTING_PLACE_NONE) {
			assert_non_null(why);
			assert_non_null(advice);
		}
	}
}

static void
lines_are_kept_from_the_line_of_a_document(void **state)
{
	struct w_quoting_scan scan;
	const char *why;
	const char *advice;

	(void)state;
	w_quoting_scan_init(&scan);
	w_quoting_scan_feed(&scan, "cat <<E ", 8);
	assert_int_equal(w_quoting_scan_place(&scan, false, &why, &advice),
	    W_QUOTING_PLACE_BARE);
	assert_int_equal(w_quoting_scan_place(&scan, true, &why, &advice),
	    W_QUOTING_PLACE_NONE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(places_are_told),
	    cmocka_unit_test(lines_are_kept_from_the_line_of_a_document),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
