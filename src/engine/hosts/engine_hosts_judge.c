/* SPDX-License-Identifier: Apache-2.0 */

/* Decides about what a relay asks: by the list, the rules, and people. */

#include "engine/hosts/engine_hosts_state.h"

static const struct w_relay_saying no = {.said = W_RELAY_SAID_NO};

/* Its number for the record: index + 1. */
static uint32_t
rule_number(const struct w_host_list *list, const struct w_host_rule *rule)
{
	return rule == NULL ? 0 : (uint32_t)(rule - list->rules) + 1;
}

static bool
denies_addresses(const struct w_host_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->rules[i].verdict == W_HOST_DENY &&
		    list->rules[i].kind != W_HOST_NAME &&
		    list->rules[i].kind != W_HOST_BENEATH)
			return true;
	return false;
}

/* Rules can change meanwhile, a list cannot. */
static struct w_relay_saying
say(const struct w_engine_hosts *hosts, const struct w_host_match *match)
{
	const struct w_host_list *list = &hosts->list;

	return (struct w_relay_saying){
	    .said = match->verdict == W_HOST_ALLOW ? W_RELAY_SAID_YES
						   : W_RELAY_SAID_NO,
	    .rule = rule_number(list, match->rule),
	    .asks_addresses = denies_addresses(list),
	    .holds = hosts->scope.count == 0,
	};
}

static bool
may_use(const struct w_host_list *list, const struct w_host_address *address,
    uint16_t port)
{
	if (w_host_list_denies_address(list, address, port))
		return false;
	return w_host_address_private(address) == NULL ||
	       w_host_list_has_address(list, address, port);
}

/* The rules go before the list when they deny, and after it when they allow.
 * rule: what the rule that decides says; "": a default. */
static void
judge(struct w_engine_hosts *hosts, const char *name, uint16_t port,
    struct w_host_match *match, char rule[HOST_RULE_MAX])
{
	rule[0] = '\0';
	if (hosts->scope.count == 0)
		return;
	const enum w_host_verdict verdict = w_reach_judge(&hosts->scope,
	    &hosts->engine->decider, name, port, rule, HOST_RULE_MAX);
	/* What a rule denies. A default that denies is for what is not listed.
	 */
	if (verdict == W_HOST_DENY && rule[0] != '\0')
		match->verdict = W_HOST_DENY;
	else if (match->rule == NULL)
		match->verdict = verdict;
}

static bool
may_look_up(struct w_engine_hosts *hosts, const char *name)
{
	struct w_host_match match = {
	    .verdict = w_host_list_knows_name(&hosts->list, name)
			   ? W_HOST_ALLOW
			   : W_HOST_DENY};
	static const struct w_host_rule known;
	char rule[HOST_RULE_MAX];

	if (match.verdict == W_HOST_ALLOW)
		match.rule = &known;
	judge(hosts, name, 0, &match, rule);
	/* The connection is what waits: whoever looks up a name soon gives up.
	 */
	return match.verdict == W_HOST_ALLOW ||
	       (match.verdict == W_HOST_ASK &&
		   w_reach_questions_could(
		       &hosts->questions, &hosts->asks, name));
}

/* What the rules say about a host that the list does not have. */
static struct w_relay_saying
judge_connection(struct w_engine_hosts *hosts, const struct w_relay_ask *ask,
    const char *name, struct w_host_match *match)
{
	char rule[HOST_RULE_MAX];
	struct w_relay_saying saying;

	judge(hosts, name, (uint16_t)ask->port, match, rule);
	saying = say(hosts, match);
	if (match->verdict != W_HOST_ASK)
		return saying;
	if (ask->is_last != 0)
		saying.said = w_reach_questions_wait(
		    &hosts->questions, &hosts->asks, ask, name, rule);
	else if (w_reach_questions_could(&hosts->questions, &hosts->asks, name))
		saying.said = W_RELAY_SAID_COULD_ASK;
	return saying;
}

/* No name was looked up. Nobody is asked about a private address. */
static struct w_relay_saying
judge_address(struct w_engine_hosts *hosts, const struct w_relay_ask *ask)
{
	const struct w_host_address address =
	    w_engine_hosts_address(&ask->address);
	const uint16_t port = (uint16_t)ask->port;
	char text[W_HOST_ADDRESS_TEXT];
	struct w_host_match match =
	    w_host_list_match_address(&hosts->list, &address, port);

	if (!may_use(&hosts->list, &address, port)) {
		match.verdict = W_HOST_DENY;
		return say(hosts, &match);
	}
	w_host_address_write(&address, text);
	return judge_connection(hosts, ask, text, &match);
}

struct w_relay_saying
w_engine_hosts_judge(
    struct w_engine_hosts *hosts, const struct w_relay_ask *ask)
{
	const struct w_host_list *list = &hosts->list;
	const struct w_host_address address =
	    w_engine_hosts_address(&ask->address);
	const uint16_t port = (uint16_t)ask->port;
	struct w_host_match match;

	switch ((enum w_relay_question)ask->question) {
	case W_RELAY_MAY_LOOK_UP:
		return (struct w_relay_saying){
		    .said = may_look_up(hosts, ask->name) ? W_RELAY_SAID_YES
							  : W_RELAY_SAID_NO};
	case W_RELAY_MAY_CONNECT:
		match = w_host_list_match(list, ask->name, port);
		return judge_connection(hosts, ask, ask->name, &match);
	case W_RELAY_MAY_REACH_FROM:
		return judge_address(hosts, ask);
	case W_RELAY_MAY_USE:
		return (struct w_relay_saying){
		    .said = may_use(list, &address, port) ? W_RELAY_SAID_YES
							  : W_RELAY_SAID_NO};
	}
	return no;
}

void
w_engine_hosts_answer(
    struct w_engine_hosts *hosts, uint64_t ticket, bool is_yes)
{
	const struct w_relay_saying saying = {
	    .said = is_yes ? W_RELAY_SAID_YES : W_RELAY_SAID_NO,
	    .asks_addresses = denies_addresses(&hosts->list)};

	w_relay_line_answer(&hosts->line, ticket, &saying);
}
