/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads `network`: a word, or a map with a list of hosts. The list is also a
 * rule: it allows what reaches these hosts, in a run that reaches no others.
 */

#include <string.h>

#include "policy/policy_facts.h"
#include "policy/read/policy_reader.h"

bool
w_read_check_pattern(
    struct w_policy_reader *reader, yyjson_val *val, const char *text)
{
	writ_error err = {.status = WRIT_OK};

	if (w_host_pattern_check(text, &err) == WRIT_OK)
		return true;
	(void)w_read_refuse(reader, val, "%s", err.message);
	if (err.suggestion[0] != '\0')
		w_read_suggest(reader, "%s", err.suggestion);
	return false;
}

static bool
check_pattern(struct w_policy_reader *reader, yyjson_val *val, const char *what,
    const char *text)
{
	(void)what;
	return w_read_check_pattern(reader, val, text);
}

static const struct w_read_key network_keys[] = {
    {"hosts", W_READ_ANY_LIST, 0, "hosts", .check = check_pattern},
    {.name = NULL},
};

/* A later `network` takes the place of an earlier one. */
static void
drop_hosts_rule(struct w_policy_reader *reader)
{
	struct w_rule_list *rules = reader->into;
	size_t kept = 0;

	if (reader->is_agent || reader->hosts_rule == NULL)
		return;
	for (size_t i = 0; i < rules->count; i++) {
		if (rules->items[i] != reader->hosts_rule)
			rules->items[kept++] = rules->items[i];
	}
	rules->count = kept;
	reader->hosts_rule = NULL;
}

static void
add_hosts_rule(struct w_policy_reader *reader, yyjson_val *key, w_globs texts)
{
	struct w_policy_hosts *hosts = w_read_alloc(reader, 1, sizeof(*hosts));
	struct w_rule *rule = w_read_new_rule(reader, key);

	if (hosts == NULL || rule == NULL)
		return;
	hosts->next = reader->policy->hosts;
	reader->policy->hosts = hosts;
	for (; *texts != NULL; texts++) {
		writ_error err = {.status = WRIT_OK};

		if (w_host_list_add(&hosts->list, *texts, W_HOST_ALLOW, NULL,
			&err) != WRIT_OK) {
			(void)w_read_refuse_error(reader, key, "network", &err);
			return;
		}
	}
	rule->verdict = W_ALLOW;
	rule->text = "network: { hosts: ... }";
	rule->effects = W_EFFECT_NET;
	rule->networks = 1U << W_POLICY_NETWORK_HOSTS;
	rule->host_list = &hosts->list;
	if (w_read_add_rule(reader, rule) && !reader->is_agent)
		reader->hosts_rule = rule;
}

void
w_read_network(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	static const struct w_read_key word = {
	    "network", W_READ_WORD, .words = w_read_network_words};

	(void)target;
	drop_hosts_rule(reader);
	reader->terms->hosts = NULL;
	if (!yyjson_is_obj(val)) {
		w_read_member(reader, &word, &reader->terms->network, key, val);
		return;
	}
	w_globs hosts = NULL;
	if (!w_read_map(reader, val, "network", network_keys, &hosts))
		return;
	reader->terms->network = w_read_network_words[W_POLICY_NETWORK_HOSTS];
	if (hosts == NULL || hosts[0] == NULL)
		return;
	reader->terms->hosts = hosts;
	add_hosts_rule(reader, key, hosts);
}
