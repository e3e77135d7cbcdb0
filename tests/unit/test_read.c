/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_text.h"

static const struct w_rule *
find_kind(const struct w_policy *policy, enum w_rule_kind kind)
{
	for (size_t i = 0; i < policy->rule_count; i++) {
		if (policy->rules[i]->kind == kind)
			return policy->rules[i];
	}
	return NULL;
}

static void
smallest_policy_asks_about_everything(void **state)
{
	struct w_policy *policy = policy_read("version: 1\n", NULL);

	(void)state;
	assert_int_equal(policy->rule_count, 3);
	assert_non_null(find_kind(policy, W_RULE_AGENTS));
	assert_non_null(find_kind(policy, W_RULE_ROOTS));
	const struct w_rule *last = policy->rules[policy->rule_count - 1];
	assert_int_equal(last->kind, W_RULE_DEFAULT);
	assert_int_equal(last->verdict, W_ASK);
	assert_int_equal(last->spot.line, 0);
	assert_string_equal(last->spot.file, "test.yaml");
	assert_null(policy->default_agent);
	assert_null(policy->terms.sandbox);
	assert_string_equal(policy->shell_program, "sh");
	assert_string_equal(policy->files[0], "test.yaml");
	assert_null(policy->files[1]);
	w_policy_free(policy);
}

static void
presets_are_policies(void **state)
{
	size_t count;
	const struct w_preset *presets = w_preset_all(&count);

	(void)state;
	assert_true(count > 0);
	for (size_t i = 0; i < count; i++) {
		struct w_policy *policy = policy_read(presets[i].text, NULL);

		assert_true(policy->rule_count > 0);
		w_policy_free(policy);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(smallest_policy_asks_about_everything),
	    cmocka_unit_test(presets_are_policies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
