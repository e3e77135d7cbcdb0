/* SPDX-License-Identifier: Apache-2.0 */

/* Judges one connection by the rules, tier by tier: the strictest wins. */

#include "policy/evaluate/host_judgement.h"

#include <string.h>

#include "policy/evaluate/evaluation.h"

/* The connection, as a command that does nothing else. */
struct connection {
	struct w_touch touch;
	struct w_analysis analysis;
	struct w_policy_command command;
	struct w_policy_facts facts;
	struct w_evaluation evaluation; /* of one tier at a time */
	struct w_evaluation_item item;
	const struct w_host_connection *asked;
};

/* What one tier says. */
struct tier_says {
	const struct w_rule *by[3];
	uint64_t outranked;
};

static void
connection_init(struct connection *connection,
    const struct w_policy_set *policy_set, const struct w_policy_facts *facts)
{
	const char *host = connection->asked->host;
	const char *manager = connection->asked->manager;

	connection->touch = (struct w_touch){.effect = W_EFFECT_NET,
	    .kind = W_TOUCH_HOST,
	    .target = host,
	    .len = strlen(host),
	    .manager = manager,
	    .manager_len = manager != NULL ? strlen(manager) : 0};
	connection->analysis = (struct w_analysis){
	    .is_understood = true,
	    .is_itself_understood = true,
	    .effects = W_EFFECT_NET,
	    .touches = &connection->touch,
	    .touch_count = 1,
	};
	connection->command = (struct w_policy_command){
	    .analysis = &connection->analysis, .is_builtin = true};
	connection->facts = *facts;
	connection->facts.commands = &connection->command;
	connection->facts.count = 1;
	connection->item = (struct w_evaluation_item){.effect = W_EFFECT_NET};
	connection->evaluation = (struct w_evaluation){
	    .facts = &connection->facts,
	    .policy_set = policy_set,
	    .command = &connection->command,
	    .items = &connection->item,
	    .count = 1,
	    .effects = W_EFFECT_NET,
	};
}

/* A rule that allows everything lets a run start; which hosts it reaches is for
 * those that name hosts. */
static bool
names_hosts(const struct w_rule *rule)
{
	return rule->host_list != NULL || rule->hosts != NULL;
}

static bool
host_judgement_matches(struct connection *connection, const struct w_rule *rule)
{
	if (rule->kind != W_RULE_PLAIN ||
	    (rule->verdict == W_ALLOW && !names_hosts(rule)))
		return false;
	/* On a port that the list does not name the rule says nothing. */
	const struct w_host_connection *asked = connection->asked;
	if (rule->host_list != NULL && asked->port != 0 &&
	    w_host_list_match(rule->host_list, asked->host, asked->port).rule ==
		NULL &&
	    (asked->manager == NULL ||
		!w_host_list_names(rule->host_list, asked->manager)))
		return false;
	return w_rule_matches_item(
		   &connection->evaluation, rule, &connection->item) &&
	       w_rule_matches_command(&connection->evaluation, rule);
}

static void
note(struct connection *connection, const struct w_rule *rule,
    struct tier_says *says)
{
	if (!host_judgement_matches(connection, rule))
		return;
	if (rule->verdict == W_ALLOW)
		says->outranked |= rule->outranks;
	if (says->by[rule->verdict] == NULL)
		says->by[rule->verdict] = rule;
}

/* An ask of a file that an allow of an including one outranks is void. */
static const struct w_rule *
standing_ask(struct connection *connection, const struct tier_says *says)
{
	const struct w_policy *policy = connection->evaluation.tier->policy;
	const struct w_policy_agent *agent =
	    connection->evaluation.agent_section;
	const struct w_rule *const *rule = agent != NULL ? agent->rules : NULL;

	if (says->by[W_ASK] == NULL || says->outranked == 0)
		return says->by[W_ASK];
	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct w_rule *ask = policy->rules[i];

		if (ask->verdict == W_ASK &&
		    (ask->document & says->outranked) == 0 &&
		    host_judgement_matches(connection, ask))
			return ask;
	}
	for (; rule != NULL && *rule != NULL; rule++) {
		if ((*rule)->verdict == W_ASK &&
		    ((*rule)->document & says->outranked) == 0 &&
		    host_judgement_matches(connection, *rule))
			return *rule;
	}
	return NULL;
}

static enum w_host_verdict
default_of(const struct w_policy *policy)
{
	for (size_t i = policy->rule_count; i > 0; i--) {
		if (policy->rules[i - 1]->kind == W_RULE_DEFAULT)
			return policy->rules[i - 1]->verdict == W_ASK
				   ? W_HOST_ASK
				   : W_HOST_DENY;
	}
	return W_HOST_ASK;
}

static void
judge_tier(struct connection *connection, const struct w_policy_tier *tier,
    struct w_host_judgement *out)
{
	struct w_evaluation *evaluation = &connection->evaluation;
	const struct w_policy *policy = tier->policy;
	struct tier_says says = {.outranked = 0};

	evaluation->tier = tier;
	evaluation->agent = connection->facts.agent != NULL
				? connection->facts.agent
				: w_policy_default_agent(policy);
	evaluation->agent_section =
	    w_policy_agent_find(policy, evaluation->agent);
	for (size_t i = 0; i < policy->rule_count; i++)
		note(connection, policy->rules[i], &says);
	if (evaluation->agent_section != NULL) {
		const struct w_rule *const *rule =
		    evaluation->agent_section->rules;

		for (; rule != NULL && *rule != NULL; rule++)
			note(connection, *rule, &says);
	}
	const struct w_rule *ask = standing_ask(connection, &says);
	if (says.by[W_DENY] != NULL)
		*out = (struct w_host_judgement){
		    .verdict = W_HOST_DENY, .rule = says.by[W_DENY]};
	else if (ask != NULL)
		*out = (struct w_host_judgement){
		    .verdict = W_HOST_ASK, .rule = ask};
	else if (says.by[W_ALLOW] != NULL)
		*out = (struct w_host_judgement){
		    .verdict = W_HOST_ALLOW, .rule = says.by[W_ALLOW]};
	else
		*out = (struct w_host_judgement){.verdict = default_of(policy)};
}

static const struct w_grant *
find_grant(struct connection *connection)
{
	const struct w_policy_set *set = connection->evaluation.policy_set;

	for (size_t i = 0; i < set->grant_count; i++) {
		const struct w_rule *rule = set->grants[i].rule;

		/* One without a rule was found by the hash of this host. */
		if (rule == NULL ||
		    (rule->verdict == W_ALLOW &&
			host_judgement_matches(connection, rule)))
			return &set->grants[i];
	}
	return NULL;
}

writ_status
w_policy_judge_host(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts, const struct w_host_connection *asked,
    struct w_host_judgement *out, writ_error *err)
{
	struct connection connection = {.asked = asked};
	struct w_host_judgement judgement = {
	    .verdict = policy_set->count > 0 ? W_HOST_ALLOW : W_HOST_DENY};

	connection_init(&connection, policy_set, facts);
	for (size_t i = 0; i < policy_set->count; i++) {
		struct w_host_judgement one;

		judge_tier(&connection, &policy_set->tiers[i], &one);
		if (one.verdict == W_HOST_ASK)
			one.grant = find_grant(&connection);
		if (one.grant != NULL)
			one.verdict = W_HOST_ALLOW;
		if (judgement.rule == NULL || one.verdict > judgement.verdict)
			judgement = one;
	}
	if (connection.evaluation.has_failed)
		return w_fail_nomem(err, "policy");
	*out = judgement;
	return WRIT_OK;
}
