/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "command/description/stat_data.h"

static bool
is_fresh_at(int64_t ctime_ms, int64_t mtime_ms, int64_t now_ms)
{
	const struct w_stat_data identity = {
	    .ctime_sec = ctime_ms / 1000,
	    .ctime_nsec = (uint32_t)(ctime_ms % 1000) * 1000000,
	    .mtime_sec = mtime_ms / 1000,
	    .mtime_nsec = (uint32_t)(mtime_ms % 1000) * 1000000,
	};

	return w_stat_data_is_racy(&identity, now_ms * 1000000);
}

static void
how_long_a_file_is_fresh_depends_on_its_clock(void **state)
{
	(void)state;
	/* A clock with fractions: a tenth of a second. */
	assert_true(is_fresh_at(5001, 5001, 5001));
	assert_true(is_fresh_at(5001, 5001, 5101));
	assert_false(is_fresh_at(5001, 5001, 5102));
	assert_true(is_fresh_at(5950, 5950, 6040));
	assert_false(is_fresh_at(5950, 5950, 6051));
	/* One without: two seconds. */
	assert_true(is_fresh_at(5000, 5000, 7000));
	assert_false(is_fresh_at(5000, 5000, 7001));
	/* The later time applies, and the future is always racy. */
	assert_true(is_fresh_at(1001, 5001, 5050));
	assert_true(is_fresh_at(5001, 1001, 5050));
	assert_true(is_fresh_at(9001, 9001, 5050));
	assert_false(is_fresh_at(1001, 1001, 5050));
}

static void
every_mark_counts(void **state)
{
	struct stat st = {.st_dev = 1, .st_ino = 2, .st_size = 3};
	struct w_stat_data before;
	struct w_stat_data after;
	size_t len = sizeof(after);

	(void)state;
	w_stat_data_set(&st, &before);
	w_stat_data_set(&st, &after);
	assert_true(w_stat_data_is_same(&before, &after));
	for (size_t i = 0; i < len; i++) {
		((char *)&after)[i] ^= 1;
		assert_false(w_stat_data_is_same(&before, &after));
		((char *)&after)[i] ^= 1;
	}

	struct stat others[] = {st, st, st, st, st, st, st};
	others[0].st_dev++;
	others[1].st_ino++;
	others[2].st_size++;
	others[3].st_mtim.tv_nsec++;
	others[4].st_ctim.tv_sec++;
	others[5].st_mode ^= S_IWOTH;
	others[6].st_uid++;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		w_stat_data_set(&others[i], &after);
		assert_false(w_stat_data_is_same(&before, &after));
	}
}

static void
the_text_of_an_identity_is_read_back(void **state)
{
	const struct w_stat_data identities[] = {
	    {.dev = 1, .ino = 2, .size = 3, .mtime_sec = 4, .ctime_sec = 5},
	    {.mtime_nsec = 999999999, .ctime_nsec = 1, .mode = 0100644},
	    {.dev = UINT64_MAX,
		.ino = UINT64_MAX,
		.size = UINT64_MAX,
		.mtime_sec = INT64_MIN,
		.ctime_sec = -1,
		.mtime_nsec = UINT32_MAX,
		.ctime_nsec = UINT32_MAX,
		.mode = UINT32_MAX,
		.uid = 7},
	};
	char text[W_STAT_DATA_TEXT_MAX + 8];
	struct w_stat_data after;

	(void)state;
	for (size_t i = 0; i < sizeof(identities) / sizeof(identities[0]);
	     i++) {
		w_stat_data_format(&identities[i], text);
		const size_t len = strlen(text);

		strcpy(text + len, "/path");
		assert_int_equal(w_stat_data_parse(text, &after), len);
		assert_true(
		    w_stat_data_is_same_but_owner(&identities[i], &after));
		assert_int_equal(after.uid, 0);
		after.mode ^= 1;
		assert_false(
		    w_stat_data_is_same_but_owner(&identities[i], &after));
	}
}

static void
a_text_that_is_no_identity_is_none(void **state)
{
	static const char *const texts[] = {"", ",", "1", "1,2,3,4,5,6,7,8",
	    "1,2,3,4,5,6,7,/path", "1,2,3,,5,6,7,8,", "+1,2,3,4,5,6,7,8,",
	    " 1,2,3,4,5,6,7,8,", "0x1,2,3,4,5,6,7,8,",
	    "11111111111111111,2,3,4,5,6,7,8,", "1,2,3,4,100000000,6,7,8,",
	    "1,2,3,4,5,6,100000000,8,", "1,2,3,4,5,6,7,100000000,"};
	struct w_stat_data after;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(w_stat_data_parse(texts[i], &after), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(how_long_a_file_is_fresh_depends_on_its_clock),
	    cmocka_unit_test(every_mark_counts),
	    cmocka_unit_test(the_text_of_an_identity_is_read_back),
	    cmocka_unit_test(a_text_that_is_no_identity_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
