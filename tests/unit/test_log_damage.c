/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "log/verify/log_damage.h"
#include "trail.h"

static struct trail trail;
static char line[TRAIL_LINE_MAX];
static size_t len;
static char prev[W_SHA256_HEX + 1];

static int
set_up(void **state)
{
	(void)state;
	trail_start(&trail);
	trail.seq = 41;
	memset(trail.hash, 'a', W_SHA256_HEX);
	memcpy(prev, trail.hash, sizeof(prev));
	len = trail_line(&trail, line, "\"kind\":\"note\",\"text\":\"x\"") - 1;
	return 0;
}

static size_t
position_of(const char *text)
{
	const char *at = strstr(line, text);

	assert_non_null(at);
	return (size_t)(at - line);
}

static void
a_whole_record_breaks_nowhere(void **state)
{
	(void)state;
	assert_int_equal(w_log_damage_find(line, len, 42, prev), SIZE_MAX);
	assert_int_equal(w_log_damage_find(line, len, 0, ""), SIZE_MAX);
}

static void
another_number_breaks_at_its_digit(void **state)
{
	(void)state;
	assert_int_equal(w_log_damage_find(line, len, 43, prev), 8);
	assert_int_equal(w_log_damage_find(line, len, 142, prev), 7);
}

static void
another_link_breaks_at_its_digit(void **state)
{
	(void)state;
	size_t at = position_of("aaaa") + 33;

	line[at] = 'b';
	assert_int_equal(w_log_damage_find(line, len, 42, prev), at);
	assert_int_equal(w_log_damage_find(line, len, 42, ""), SIZE_MAX);
	line[at] = 'x';
	assert_int_equal(w_log_damage_find(line, len, 42, ""), at);
}

/* Any change to a byte of the format is found at that byte. */
static void
every_byte_of_the_beginning_is_held_to_its_form(void **state)
{
	(void)state;
	for (size_t at = 0; at < position_of("note"); at++) {
		char was = line[at];

		line[at] = '~';
		assert_int_equal(w_log_damage_find(line, len, 42, prev), at);
		line[at] = was;
	}
}

static void
every_byte_of_the_ending_is_held_to_its_form(void **state)
{
	(void)state;
	for (size_t at = len - 66; at < len; at++) {
		char was = line[at];

		line[at] = '~';
		size_t found = w_log_damage_find(line, len, 42, prev);
		/* Without its quote a string ends later. */
		assert_true(found == at || (was == '"' && found == len - 1) ||
			    (was == '"' && found == at + 1));
		line[at] = was;
	}
}

static void
json_that_broke_is_found_in_the_payload(void **state)
{
	(void)state;
	size_t at = position_of("\"text\"");

	line[at] = 'x';
	assert_int_equal(w_log_damage_find(line, len, 42, prev), at);
}

static void
a_cut_line_breaks_at_its_end(void **state)
{
	(void)state;
	for (size_t left = 0; left < position_of("note"); left++)
		assert_int_equal(w_log_damage_find(line, left, 42, prev), left);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_whole_record_breaks_nowhere),
	    TEST(another_number_breaks_at_its_digit),
	    TEST(another_link_breaks_at_its_digit),
	    TEST(every_byte_of_the_beginning_is_held_to_its_form),
	    TEST(every_byte_of_the_ending_is_held_to_its_form),
	    TEST(json_that_broke_is_found_in_the_payload),
	    TEST(a_cut_line_breaks_at_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
