/* SPDX-License-Identifier: Apache-2.0 */

/* creates and removes: what counts as existing. */

#include "applying.h"

static void
a_directory_and_a_link_count_like_a_file(void **state)
{
	(void)state;
	make_file("file", "");
	assert_int_equal(mkdir(temp_path(&applying.temp, "dir"), 0755), 0);
	assert_int_equal(symlink("file", temp_path(&applying.temp, "link")), 0);
	assert_int_equal(
	    symlink("none", temp_path(&applying.temp, "dangling")), 0);
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true, creates: '@/dir'}\n"
	    "  - exec: {name: b, command: /bin/true, creates: '@/link'}\n"
	    "  - exec: {name: c, command: /bin/true, creates: '@/dangling'}\n"
	    "  - exec: {name: d, command: /bin/true, creates: "
	    "'@/file/below'}\n"));
	assert_verdicts("stable", "stable", "changed", "changed");
}

static void
relative_paths_begin_where_the_command_does(void **state)
{
	(void)state;
	make_file("file", "");
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/true, cwd: '@', creates: "
	    "file}\n"
	    "  - exec: {name: b, command: /bin/true, cwd: '@', creates: "
	    "other}\n"
	    "  - exec: {name: c, command: /bin/true, creates: file}\n"));
	assert_verdicts("stable", "changed", "changed");
}

static void
what_cannot_be_looked_at_fails(void **state)
{
	(void)state;
	assert_int_equal(symlink("loop", temp_path(&applying.temp, "loop")), 0);
	apply(RESOURCES("  - exec: {name: a, command: /usr/bin/touch @/ran, "
			"creates: '@/loop'}\n"));
	assert_verdicts("failed");
	assert_non_null(strstr(error_of(0), "cannot look at"));
	assert_false(exists("ran"));
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(a_directory_and_a_link_count_like_a_file),
	    TEST(relative_paths_begin_where_the_command_does),
	    TEST(what_cannot_be_looked_at_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
