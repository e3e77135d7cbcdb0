/* SPDX-License-Identifier: Apache-2.0 */

/* Every allocation fails once while a case is judged, explained and told: the
 * answer is whole, or there is none. Nothing is allowed for want of memory. */

#include "../unit/judging.h"
#include "surviving.h"

static const char text[] =
    "rules:\n"
    "  - allow: { effect: read }\n"
    "  - allow: git show ...\n"
    "  - deny: { program: [rm, sudo], delete: [\"./**\"] }\n"
    "    because: no\n"
    "  - ask: { write: [\"/etc/**\", \"~/.ssh/**\", \"**/.git/**\"] }\n"
    "    message: \"no {command} {agent}\"\n"
    "  - ask: { host: [\"*.example\"], module: \"cli.curl\" }\n";

static const char *const lines[] = {"ls", "git show HEAD x",
    "sort -o /etc/x -u y", "env timeout 5 rm a",
    "sh -c 'curl -u a:b h.example; cat x > y'", "frobnicate --password x"};

static const struct sample_facts *sample;
static const struct w_policy_set *policy_set;
static enum w_verdict verdict;

static writ_status
judge_it(writ_error *err)
{
	struct w_decision decision;
	writ_status status =
	    w_policy_evaluate(policy_set, &sample->c, &decision, err);

	if (status != WRIT_OK)
		return status;
	assert_int_equal(decision.verdict, verdict);
	w_decision_done(&decision);
	return WRIT_OK;
}

static writ_status
explain_it(writ_error *err)
{
	struct w_decision decision;
	struct w_buf json;
	writ_status status =
	    w_policy_evaluate_fully(policy_set, &sample->c, &decision, err);

	if (status != WRIT_OK)
		return status;
	assert_int_equal(decision.verdict, verdict);
	status =
	    w_decision_find_nearest(policy_set, &sample->c, &decision, err);
	w_buf_init(&json, 1 << 20);
	if (status == WRIT_OK) {
		w_decision_add_json(&json, &decision, &sample->c);
		if (json.failed)
			status = w_fail_nomem(err, "test");
	}
	w_buf_done(&json);
	w_decision_done(&decision);
	return status;
}

static void
an_answer_is_whole_or_not_there(void **state)
{
	struct w_policy *policy = policy_new(text);
	const struct w_policy_tier tier = {
	    .tier = W_TIER_USER, .policy = policy, .roots = judged_roots};
	const struct w_policy_set one = {.tiers = &tier, .count = 1};

	(void)state;
	policy_set = &one;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct sample_facts *some = sample_facts_new(lines[i]);
		struct w_decision decision;

		sample = some;
		assert_int_equal(
		    w_policy_evaluate(policy_set, &sample->c, &decision, NULL),
		    WRIT_OK);
		verdict = decision.verdict;
		w_decision_done(&decision);
		survive_each_allocation(judge_it, 1, 200);
		survive_each_allocation(explain_it, 5, 2000);
		sample_facts_free(some);
	}
	w_policy_free(policy);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_is_whole_or_not_there),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
