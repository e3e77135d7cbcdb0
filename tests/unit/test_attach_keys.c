/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/attach/attach_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct w_attach_keys keys;
static struct w_buf typed;

static int
keys_set_up(void **state)
{
	(void)state;
	keys = (struct w_attach_keys){.has_held = false};
	w_buf_init(&typed, 256);
	return 0;
}

static int
keys_tear_down(void **state)
{
	(void)state;
	w_buf_done(&typed);
	return 0;
}

static bool
type(const char *text, uint64_t now_ms)
{
	return w_attach_keys_add(&keys, &typed, text, strlen(text), now_ms);
}

static void
twice_within_a_second_detaches(void **state)
{
	(void)state;
	assert_false(type("ls\034", 5000));
	assert_int_equal(w_attach_keys_wait_ms(&keys, 5400), 600);
	assert_true(type("\034more", 5999));
	assert_string_equal(typed.data, "ls");
}

static void
twice_at_once_detaches(void **state)
{
	(void)state;
	assert_true(type("\034\034", 1));
	assert_string_equal(typed.data, "");
}

static void
once_is_typed_before_the_next_key_or_after_a_second(void **state)
{
	(void)state;
	assert_false(type("\034", 5000));
	assert_string_equal(typed.data, "");
	assert_false(type("x", 5100));
	assert_string_equal(typed.data, "\034x");
	assert_false(type("\034", 6000));
	w_attach_keys_wake(&keys, &typed, 6999);
	assert_string_equal(typed.data, "\034x");
	w_attach_keys_wake(&keys, &typed, 7000);
	assert_string_equal(typed.data, "\034x\034");
	assert_int_equal(w_attach_keys_wait_ms(&keys, 7000), -1);
}

static void
twice_slowly_is_typed_twice(void **state)
{
	(void)state;
	assert_false(type("\034", 5000));
	assert_false(type("\034", 6000));
	assert_string_equal(typed.data, "\034");
	w_attach_keys_wake(&keys, &typed, 7000);
	assert_string_equal(typed.data, "\034\034");
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, keys_set_up, keys_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(twice_within_a_second_detaches),
	    CASE(twice_at_once_detaches),
	    CASE(once_is_typed_before_the_next_key_or_after_a_second),
	    CASE(twice_slowly_is_typed_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
