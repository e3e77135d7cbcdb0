/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_JUDGING_H
#define W_TEST_JUDGING_H

/* Policies, and what they say of command lines. */

#include "analysis_text.h"
#include "sample_facts.h"

/* A policy from its text; "version: 1" is put in front. */
static inline struct w_policy *
policy_new(const char *text)
{
	struct w_policy_faults faults = {.count = 0};
	struct w_policy *policy = NULL;
	writ_error err = {.status = WRIT_OK};
	struct w_buf buf;

	w_buf_init(&buf, W_POLICY_TEXT_MAX);
	w_buf_add_fmt(&buf, "version: 1\n%s", text);
	if (w_policy_read(buf.data, buf.len, "policy.yaml", NULL, &policy,
		&faults, &err) != WRIT_OK)
		fail_msg("%s\n%u: %s", text, err.line, err.message);
	w_policy_faults_done(&faults);
	w_buf_done(&buf);
	return policy;
}

/* The answer of one policy. The decision is the caller's to end. */
static inline struct w_decision
judged(const struct w_policy *policy, const struct w_policy_facts *c)
{
	const struct w_policy_tier tier = {
	    .tier = W_TIER_USER, .policy = policy, .roots = judged_roots};
	const struct w_policy_set policy_set = {.tiers = &tier, .count = 1};
	struct w_decision decision;
	struct w_decision fully;

	assert_int_equal(
	    w_policy_evaluate(&policy_set, c, &decision, NULL), WRIT_OK);
	assert_int_equal(
	    w_policy_evaluate_fully(&policy_set, c, &fully, NULL), WRIT_OK);
	assert_int_equal(decision.verdict, fully.verdict);
	assert_ptr_equal(decision.reasons[0].rule, fully.reasons[0].rule);
	assert_string_equal(decision.message, fully.message);
	w_decision_done(&fully);
	return decision;
}

static inline void
case_is(const struct w_policy *policy, const struct sample_facts *sample,
    const char *line, const char *want)
{
	struct w_decision decision = judged(policy, &sample->c);
	const char *have = w_verdict_word(decision.verdict);

	if (strcmp(have, want) != 0) {
		print_error("%s\n  is %s: %s\n  not %s\n", line, have,
		    decision.message, want);
		mismatches++;
	}
	w_decision_done(&decision);
}

/* Lines of "allow: git log", "deny $: a | b" ("$": a text for a shell), each
 * held against the policy. */
static inline void
policy_says(const char *text, const char *const *lines)
{
	struct w_policy *policy = policy_new(text);

	for (; *lines != NULL; lines++) {
		char want[8] = "";
		const char *line = strchr(*lines, ':');
		bool is_shell = strchr(*lines, '$') == line - 1;
		size_t len = (size_t)(line - *lines) - (is_shell ? 2 : 0);

		assert_non_null(line);
		assert_true(len < sizeof(want));
		memcpy(want, *lines, len);
		line += 2;
		struct sample_facts *sample = is_shell
						  ? sample_facts_shell(line)
						  : sample_facts_new(line);
		case_is(policy, sample, line, want);
		sample_facts_free(sample);
	}
	w_policy_free(policy);
}

#define SAYS(text, ...) \
	policy_says((text), (const char *const[]){__VA_ARGS__, NULL})

#endif /* W_TEST_JUDGING_H */
