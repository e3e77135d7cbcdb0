/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A command line, and behind the first line a policy; '$' in front: a text for
 * a shell. Whatever both are: the index finds what looking at every rule finds,
 * the first reason is the same with and without all others, what is told is one
 * line, the JSON is JSON, a grant never touches a denial, and the rule that an
 * approval would become is read back and matches what was approved.
 */

#include "check.h"

#include "../tests/unit/sample_facts.h"

/* A text that takes too long to be read is no concern of evaluation. */
#define TEXT_MAX 4096

static struct w_policy *
read_policy(const char *text)
{
	struct w_policy_faults faults = {.count = 0};
	struct w_policy *policy = NULL;
	struct w_buf buf;

	w_buf_init(&buf, W_POLICY_TEXT_MAX);
	w_buf_add_fmt(&buf, "version: 1\n%s", text);
	if (w_policy_read(buf.data, buf.len, "p", NULL, &policy, &faults,
		NULL) != WRIT_OK)
		policy = NULL;
	w_policy_faults_done(&faults);
	w_buf_done(&buf);
	return policy;
}

static void
check_decision(
    const struct w_decision *decision, const struct w_policy_facts *c)
{
	W_AUTO_BUF struct w_buf json;

	CHECK(decision->reason_count > 0);
	check_line(decision->message, 320);
	for (size_t i = 0; i < decision->reason_count; i++) {
		CHECK(decision->reasons[i].rule != NULL);
		CHECK(decision->reasons[i].command < c->count);
		check_line(decision->reasons[i].what, 320);
	}
	w_buf_init(&json, 64 * 1024 * 1024);
	w_buf_add_char(&json, '{');
	w_decision_add_json(&json, decision, c);
	w_buf_add_char(&json, '}');
	yyjson_doc *doc = yyjson_read(json.data, json.len, 0);
	CHECK(doc != NULL);
	yyjson_doc_free(doc);
}

static void
check_grant(const struct w_policy_set *policy_set,
    const struct w_policy_facts *c, enum w_verdict before)
{
	const struct w_grant grant = {.id = "g"};
	struct w_policy_set granted = *policy_set;
	struct w_decision decision;

	granted.grants = &grant;
	granted.grant_count = 1;
	CHECK(w_policy_evaluate(&granted, c, &decision, NULL) == WRIT_OK);
	CHECK(decision.verdict == (before == W_DENY ? W_DENY : W_ALLOW));
	w_decision_done(&decision);
}

static void
check_rule(const struct w_policy_facts *c)
{
	W_AUTO_BUF struct w_buf rule;
	W_AUTO_BUF struct w_buf text;
	struct w_decision decision;

	w_buf_init(&rule, W_POLICY_TEXT_MAX);
	w_buf_init(&text, W_POLICY_TEXT_MAX);
	w_policy_generalise(&rule, c);
	/* No rule about commands covers what else is in a text that is not
	 * understood; the engine proposes that very text then. */
	if (rule.len == 0 ||
	    (c->shell != NULL &&
		!c->commands[0].analysis->is_itself_understood))
		return;
	/* What only reads gets no rule. */
	w_buf_add_fmt(&text,
	    "default: deny\nrules:\n  - allow: { effect: read }\n  - %s\n",
	    rule.data);
	struct w_policy *policy = read_policy(text.data);
	CHECK(policy != NULL);
	const struct w_policy_tier tier = {
	    .tier = W_TIER_USER, .policy = policy, .roots = judged_roots};
	const struct w_policy_set policy_set = {.tiers = &tier, .count = 1};
	CHECK(w_policy_evaluate(&policy_set, c, &decision, NULL) == WRIT_OK);
	CHECK(decision.verdict == W_ALLOW);
	w_decision_done(&decision);
	w_policy_free(policy);
}

static void
check_case(struct w_policy *policy, const struct w_policy_facts *c)
{
	const struct w_policy_tier tier = {
	    .tier = W_TIER_USER, .policy = policy, .roots = judged_roots};
	const struct w_policy_set policy_set = {.tiers = &tier, .count = 1};
	const struct w_rule_index *index = policy->index;
	struct w_decision first;
	struct w_decision fully;
	struct w_decision by_all;

	CHECK(w_policy_evaluate(&policy_set, c, &first, NULL) == WRIT_OK);
	CHECK(w_policy_evaluate_fully(&policy_set, c, &fully, NULL) == WRIT_OK);
	policy->index = NULL;
	CHECK(
	    w_policy_evaluate_fully(&policy_set, c, &by_all, NULL) == WRIT_OK);
	policy->index = index;
	CHECK(first.verdict == fully.verdict);
	CHECK(first.verdict == by_all.verdict);
	CHECK(first.reasons[0].rule == fully.reasons[0].rule);
	CHECK(first.reasons[0].rule == by_all.reasons[0].rule);
	CHECK(fully.reason_count == by_all.reason_count);
	CHECK(w_decision_find_nearest(&policy_set, c, &fully, NULL) == WRIT_OK);
	CHECK(fully.nearest_allowed == NULL || fully.verdict != W_ALLOW);
	check_decision(&first, c);
	check_decision(&fully, c);
	check_grant(&policy_set, c, first.verdict);
	w_decision_done(&first);
	w_decision_done(&fully);
	w_decision_done(&by_all);
}

static struct sample_facts *
sample_facts_of(const char *line)
{
	struct w_words words = {.items = NULL};

	if (line[0] == '$')
		return sample_facts_shell(line + 1);
	if (w_words_split(line, strlen(line), &words, NULL) != WRIT_OK)
		return NULL;
	size_t count = words.count;
	w_words_done(&words);
	return count == 0 ? NULL : sample_facts_new(line);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_string(data, size < TEXT_MAX ? size : TEXT_MAX);
	char *rest = text + strcspn(text, "\n");

	if (known[0] == NULL)
		CHECK(read_known(NULL) == 0);
	if (*rest != '\0')
		*rest++ = '\0';
	struct sample_facts *sample = sample_facts_of(text);
	struct w_policy *policy = sample == NULL ? NULL : read_policy(rest);
	if (sample != NULL)
		check_rule(&sample->c);
	if (policy != NULL)
		check_case(policy, &sample->c);
	w_policy_free(policy);
	if (sample != NULL)
		sample_facts_free(sample);
	free(text);
	return 0;
}
