/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "policy/policy.h"

static const char *const names[] = {
    "allowlist", "denylist", "developer", "manifest", "modules-strict", "open"};
#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

static void
all_presets_are_there_in_the_order_of_their_names(void **state)
{
	size_t count;
	const struct w_preset *all = w_preset_all(&count);

	(void)state;
	assert_int_equal(count, NAME_COUNT);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(all[i].name, names[i]);
		assert_ptr_equal(w_preset_find(names[i]), &all[i]);
	}
}

static void
each_says_in_its_first_line_what_it_is_for(void **state)
{
	size_t count;
	const struct w_preset *all = w_preset_all(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(all[i].about);
		assert_in_range(len, 10, 90);
		assert_memory_equal(all[i].text, "# ", 2);
		assert_memory_equal(all[i].text + 2, all[i].about, len);
		assert_int_equal(all[i].text[2 + len], '\n');
	}
}

static void
the_text_is_the_whole_file_and_ends_with_a_zero(void **state)
{
	size_t count;
	const struct w_preset *all = w_preset_all(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(strlen(all[i].text), all[i].len);
		assert_int_equal(all[i].text[all[i].len - 1], '\n');
		assert_non_null(strstr(all[i].text, "\nversion: 1\n"));
		assert_non_null(strstr(all[i].text, "\nexpect:\n"));
	}
}

static void
other_names_are_no_presets(void **state)
{
	(void)state;
	assert_null(w_preset_find(""));
	assert_null(w_preset_find("Open"));
	assert_null(w_preset_find("open.yaml"));
	assert_null(w_preset_find("develop"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_presets_are_there_in_the_order_of_their_names),
	    cmocka_unit_test(each_says_in_its_first_line_what_it_is_for),
	    cmocka_unit_test(the_text_is_the_whole_file_and_ends_with_a_zero),
	    cmocka_unit_test(other_names_are_no_presets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
