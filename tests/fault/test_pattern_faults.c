/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "inject.h"
#include "schema/pattern/pattern.h"

/*
 * Every allocation of a pattern fails once. To compile it then fails for want
 * of memory, not of sense; a match is not decided, or decided right.
 */

enum {
	TRIES_MAX = 200
};

static const char source[] = "^([a-z]+[^\\s\\d]*|\\p{Lu}+)\\1?$";

static void
compiling_says_that_memory_is_missing(void **state)
{
	(void)state;
	unsigned refused = 0;
	bool was_refused = true;

	for (unsigned n = 1; was_refused && n < TRIES_MAX; n++) {
		struct w_pattern *pattern = NULL;
		writ_error err = {.message = ""};

		inject_arm("allocation", n, 1, ENOMEM);
		writ_status status = w_pattern_compile(
		    source, sizeof(source) - 1, &pattern, &err);
		was_refused = inject_disarm();
		if (status == WRIT_OK) {
			assert_int_equal(
			    w_pattern_match(pattern, "abab", 4, NULL),
			    W_PATTERN_YES);
		} else {
			refused++;
			assert_null(pattern);
			assert_int_equal(status, WRIT_E_NOMEM);
			assert_int_equal(err.status, WRIT_E_NOMEM);
		}
		w_pattern_free(pattern);
	}
	assert_false(was_refused);
	assert_true(refused >= 3);
}

static void
matching_is_never_wrong(void **state)
{
	(void)state;
	bool was_refused = true;

	for (unsigned n = 1; was_refused && n < TRIES_MAX; n++) {
		struct w_pattern *pattern = NULL;
		enum w_pattern_answer good = W_PATTERN_LIMIT;
		enum w_pattern_answer bad = W_PATTERN_LIMIT;

		assert_int_equal(w_pattern_compile(source, sizeof(source) - 1,
				     &pattern, NULL),
		    WRIT_OK);
		inject_arm("allocation", n, 1, ENOMEM);
		/* Often enough for machine code to be made. */
		for (int i = 0; i < 50; i++) {
			good = w_pattern_match(pattern, "abab", 4, NULL);
			bad = w_pattern_match(pattern, "ab ab", 5, NULL);
			assert_int_not_equal(good, W_PATTERN_NO);
			assert_int_not_equal(bad, W_PATTERN_YES);
		}
		was_refused = inject_disarm();
		assert_int_equal(good, W_PATTERN_YES);
		assert_int_equal(bad, W_PATTERN_NO);
		w_pattern_free(pattern);
	}
	assert_false(was_refused);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(compiling_says_that_memory_is_missing),
	    cmocka_unit_test(matching_is_never_wrong),
	};
	return cmocka_run_group_tests_name("pattern_faults", tests, NULL, NULL);
}
