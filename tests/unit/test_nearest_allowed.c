/* SPDX-License-Identifier: Apache-2.0 */

/* Finding the nearest command that would be allowed. */

#include "judging.h"

static void
nearest_is(const char *text, const char *line, const char *want)
{
	struct w_policy *policy = policy_new(text);
	const struct w_policy_tier tier = {
	    .tier = W_TIER_USER, .policy = policy, .roots = judged_roots};
	const struct w_policy_set policy_set = {.tiers = &tier, .count = 1};
	struct sample_facts *sample = sample_facts_new(line);
	struct w_decision decision;

	assert_int_equal(
	    w_policy_evaluate(&policy_set, &sample->c, &decision, NULL),
	    WRIT_OK);
	assert_int_equal(
	    w_decision_find_nearest(&policy_set, &sample->c, &decision, NULL),
	    WRIT_OK);
	const char *have = decision.nearest_allowed;
	if ((have == NULL) != (want == NULL) ||
	    (want != NULL && strcmp(have, want) != 0)) {
		print_error("%s\n  nearest %s\n  not     %s\n", line,
		    have == NULL ? "none" : have, want == NULL ? "none" : want);
		mismatches++;
	}
	w_decision_done(&decision);
	sample_facts_free(sample);
	w_policy_free(policy);
}

#define READING "rules: [{allow: {effect: read}}]"

static void
options_with_an_effect_are_left_out(void **state)
{
	(void)state;
	nearest_is(READING, "sort -u -o out 'a b'", "sort -u 'a b'");
	nearest_is(READING, "sort -uoout a", "sort a");
	nearest_is(READING, "sort --output=out -u a", "sort -u a");
	nearest_is(READING, "sort -o x -o y a", "sort a");
	nearest_is(READING, "env sort -o out a", "env sort a");
	nearest_is(READING, "find . -delete", "find .");
}

static void
options_that_a_rule_names_are_left_out(void **state)
{
	nearest_is("rules: [{allow: {effect: delete}}, {deny: {inputs: {f: "
		   "true}}}]",
	    "rm -r -f x", "rm -r x");
	(void)state;
}

static void
words_that_nobody_knows_are_left_out(void **state)
{
	(void)state;
	nearest_is(READING, "ls --bad x", "ls x");
	nearest_is(READING, "ls bad --worse", "ls bad");
}

static void
operands_stay(void **state)
{
	(void)state;
	nearest_is(READING, "rm x", NULL);
	nearest_is(READING, "cp -r a b", NULL);
	nearest_is(READING, "frobnicate -x", NULL);
	nearest_is(READING, "sh -c 'rm x'", NULL);
	nearest_is(READING, "sh -e -c 'rm x'", NULL);
	nearest_is(READING, "sh -c 'echo $x'", NULL);
}

static void
what_is_allowed_needs_none(void **state)
{
	(void)state;
	nearest_is(READING, "ls -l", NULL);
}

/* The remaining words have to keep their meaning. */
static void
every_other_word_stays_what_it_is(void **state)
{
	static const char policy[] =
	    "rules: [{allow: {effect: read}}, {allow: {effect: code, "
	    "inputs: {c: null}}}, {deny: {program: python3, inputs: {c: "
	    "'*'}}}, {allow: {program: [sed, awk, find]}}, {deny: {program: "
	    "sed, inputs: {expression: '*'}}}]";

	(void)state;
	nearest_is(policy, "python3 -c 'x = 1'", NULL);
	nearest_is(policy, "python3 -c 'x = 1' file", NULL);
	nearest_is(policy, "sh -c ls", NULL);
	nearest_is(policy, "sed -n -e p file", NULL);
	nearest_is(policy, "sort --compress-program rm a", NULL);
	nearest_is(READING, "find . -exec rm '{}' ';'", NULL);
	nearest_is(READING, "xargs -I x rm x", NULL);
	nearest_is(READING, "env -C /etc frobnicate", NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TABLE_TEST(options_with_an_effect_are_left_out),
	    TABLE_TEST(options_that_a_rule_names_are_left_out),
	    TABLE_TEST(words_that_nobody_knows_are_left_out),
	    TABLE_TEST(operands_stay),
	    TABLE_TEST(every_other_word_stays_what_it_is),
	    TABLE_TEST(what_is_allowed_needs_none),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
