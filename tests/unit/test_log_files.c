/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "log/log_files.h"
#include "temp.h"

static struct temp temp;

static int
set_up(void **state)
{
	return temp_begin(&temp, state);
}

static void
a_name_and_its_number_belong_together(void **state)
{
	static const uint32_t numbers[] = {1, 42, 999999};
	char name[W_LOG_NAME_MAX];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		w_log_segment_name("trail", numbers[i], name);
		assert_int_equal(
		    w_log_segment_number("trail", name), numbers[i]);
		assert_int_equal(w_log_segment_number("other", name), 0);
	}
	w_log_segment_name("trail", 7, name);
	assert_string_equal(name, "trail-000007.jsonl");
}

static void
what_only_looks_like_a_name_has_no_number(void **state)
{
	static const char *const names[] = {"", "trail", "trail-",
	    "trail-1.jsonl", "trail-0000001.jsonl", "trail-00000x.jsonl",
	    "trail-000001.json", "trail-000001.jsonl.gz", "trail-000000.jsonl",
	    "xtrail-000001.jsonl", "trail-000001.torn-1"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(w_log_segment_number("trail", names[i]), 0);
}

static void
what_was_set_aside_is_known_by_its_name(void **state)
{
	(void)state;
	assert_true(w_log_file_is_torn("trail", "trail-000001.torn-4711"));
	assert_true(w_log_file_is_torn("trail", "trail-000001.torn-4711.2"));
	assert_false(w_log_file_is_torn("trail", "trail-000001.jsonl"));
	assert_false(w_log_file_is_torn("trail", "trail-1.torn-4711"));
	assert_false(w_log_file_is_torn("other", "trail-000001.torn-4711"));
}

static void
the_next_and_the_last_file_are_found(void **state)
{
	uint32_t next = 99;
	uint32_t last = 99;

	(void)state;
	assert_int_equal(
	    w_log_files_find(temp.fd, "trail", 0, &next, &last), 0);
	assert_int_equal(next, 0);
	assert_int_equal(last, 0);
	temp_file(&temp, "trail-000003.jsonl", 0600, "");
	temp_file(&temp, "trail-000012.jsonl", 0600, "");
	temp_file(&temp, "trail-000007.jsonl", 0600, "");
	temp_file(&temp, "other-000099.jsonl", 0600, "");
	assert_int_equal(
	    w_log_files_find(temp.fd, "trail", 3, &next, &last), 0);
	assert_int_equal(next, 7);
	assert_int_equal(last, 12);
	assert_int_equal(
	    w_log_files_find(temp.fd, "trail", 12, &next, NULL), 0);
	assert_int_equal(next, 0);
	assert_int_not_equal(w_log_files_find(-1, "trail", 0, &next, &last), 0);
}

static void
only_what_its_owner_alone_can_write_is_ours(void **state)
{
	struct stat st;
	char why[W_LOG_WHY_MAX];

	(void)state;
	temp_file(&temp, "file", 0600, "");
	assert_int_equal(fstatat(temp.fd, "file", &st, 0), 0);
	assert_true(w_log_file_is_ours(&st, S_IFREG, why));
	assert_false(w_log_file_is_ours(&st, S_IFDIR, why));
	assert_string_equal(why, "is not a directory");
	st.st_mode |= S_IWGRP;
	assert_false(w_log_file_is_ours(&st, S_IFREG, why));
	assert_string_equal(why, "can be written by others (mode 0620)");
	st.st_mode = S_IFREG | 0600;
	st.st_uid = 0;
	assert_true(w_log_file_is_ours(&st, S_IFREG, why));
	st.st_uid = geteuid() + 1;
	assert_false(w_log_file_is_ours(&st, S_IFREG, why));
	assert_non_null(strstr(why, "belongs to user"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_name_and_its_number_belong_together),
	    TEST(what_only_looks_like_a_name_has_no_number),
	    TEST(what_was_set_aside_is_known_by_its_name),
	    TEST(the_next_and_the_last_file_are_found),
	    TEST(only_what_its_owner_alone_can_write_is_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
