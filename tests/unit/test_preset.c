/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "policy/evaluate/rule_index.h"
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

/* Includes the index; other tests compare it with testing every rule. */
static void
what_was_compiled_is_what_the_text_says(void **state)
{
	size_t count;
	const struct w_preset *all = w_preset_all(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		char shown[80];
		struct w_policy *read = NULL;
		struct w_buf one;
		struct w_buf other;

		(void)snprintf(shown, sizeof(shown), "preset:%s", all[i].name);
		assert_int_equal(w_policy_read(all[i].text, all[i].len, shown,
				     NULL, &read, NULL, NULL),
		    WRIT_OK);
		w_buf_init(&one, W_POLICY_TEXT_MAX);
		w_buf_init(&other, W_POLICY_TEXT_MAX);
		w_policy_add_json(&one, read);
		w_policy_add_json(&other, all[i].policy);
		assert_int_equal(one.len, other.len);
		assert_memory_equal(one.data, other.data, one.len);
		const struct w_rule_index *index = all[i].policy->index;
		assert_int_equal(index->count, read->index->count);
		assert_int_equal(index->kinds, read->index->kinds);
		assert_int_equal(index->slot_mask, read->index->slot_mask);
		assert_memory_equal(index->slots, read->index->slots,
		    (index->slot_mask + 1) * sizeof(*index->slots));
		assert_int_equal(index->filed_count, read->index->filed_count);
		w_buf_done(&one);
		w_buf_done(&other);
		w_policy_free(read);
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
	    cmocka_unit_test(what_was_compiled_is_what_the_text_says),
	    cmocka_unit_test(other_names_are_no_presets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
