/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/live/live_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The key that the last byte makes. */
static enum w_live_key
press(struct w_live_keys *keys, const char *bytes)
{
	enum w_live_key key = W_LIVE_NONE;

	for (; *bytes != '\0'; bytes++)
		key = w_live_keys_accept(keys, *bytes);
	return key;
}

static void
letters_and_sequences_are_keys(void **state)
{
	struct w_live_keys keys = {.len = 0};

	(void)state;
	assert_int_equal(press(&keys, "j"), W_LIVE_DOWN);
	assert_int_equal(press(&keys, "\033[A"), W_LIVE_UP);
	assert_int_equal(press(&keys, "\033OB"), W_LIVE_DOWN);
	assert_int_equal(press(&keys, "\033[5~"), W_LIVE_PAGE_UP);
	assert_int_equal(press(&keys, "\033[1;5A"), W_LIVE_OTHER);
	assert_int_equal(press(&keys, "q"), W_LIVE_QUIT);
}

/* Alt and a letter is not that letter. */
static void
keys_with_alt_mean_nothing(void **state)
{
	struct w_live_keys keys = {.len = 0};

	(void)state;
	assert_int_equal(press(&keys, "\033q"), W_LIVE_OTHER);
	assert_int_equal(press(&keys, "\033x"), W_LIVE_OTHER);
	assert_int_equal(press(&keys, "x"), W_LIVE_END);
}

static void
escape_alone_goes_back(void **state)
{
	struct w_live_keys keys = {.len = 0};

	(void)state;
	assert_int_equal(press(&keys, "\033"), W_LIVE_NONE);
	assert_true(w_live_keys_has_escape(&keys));
	assert_int_equal(w_live_keys_wake(&keys), W_LIVE_BACK);
	assert_false(w_live_keys_has_escape(&keys));
	assert_int_equal(press(&keys, "\033\033"), W_LIVE_BACK);
}

static void
a_sequence_without_end_ends(void **state)
{
	struct w_live_keys keys = {.len = 0};

	(void)state;
	assert_int_equal(
	    press(&keys, "\033[1111111111111111111111111"), W_LIVE_NONE);
	assert_int_equal(press(&keys, "A"), W_LIVE_OTHER);
	assert_int_equal(press(&keys, "k"), W_LIVE_UP);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(letters_and_sequences_are_keys),
	    cmocka_unit_test(keys_with_alt_mean_nothing),
	    cmocka_unit_test(escape_alone_goes_back),
	    cmocka_unit_test(a_sequence_without_end_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
