/* SPDX-License-Identifier: Apache-2.0 */

/* Completes a policy after all files were read: adds the implied rules and
 * builds the final lists. */

#include <string.h>

#include "policy/policy_facts.h"
#include "policy/read/policy_reader.h"

#define PRESET "preset:"

/* Adds the rule for a missing key. It has no line number. */
static void
add_missing(struct w_policy_reader *reader, enum w_rule_kind kind,
    enum w_verdict verdict, const char *text)
{
	struct w_rule *rule;

	if (reader->special[kind] != NULL)
		return;
	rule = w_read_alloc(reader, 1, sizeof(*rule));
	if (rule == NULL)
		return;
	rule->kind = kind;
	rule->verdict = verdict;
	rule->location.file = reader->policy->file;
	rule->order = w_read_order(reader);
	rule->text = text;
	rule->is_shell = -1;
	reader->special[kind] = rule;
}

/* Lists the known agents in the rule's text. */
static void
name_agents(struct w_policy_reader *reader)
{
	const struct w_policy *policy = reader->policy;
	struct w_rule *rule = reader->special[W_RULE_AGENTS];
	struct w_buf *buf = &reader->scratch;

	if (!policy->has_agents || rule == NULL)
		return;
	buf->len = 0;
	w_buf_add_str(buf, "agents: {");
	for (size_t i = 0; i < policy->agent_count; i++) {
		w_buf_add_str(buf, i > 0 ? ", " : " ");
		w_flow_add_text(buf, reader->agents[i].name);
	}
	w_buf_add_str(buf, policy->agent_count > 0 ? " }" : "}");
	reader->is_out_of_memory = reader->is_out_of_memory || buf->failed;
	rule->text = w_read_copy(reader, buf->data, buf->len);
}

/* The next special rule in file order. The default comes last of all, the rule
 * for unknown effects right before it. */
static const struct w_rule *
next_special(const struct w_policy_reader *reader, size_t after)
{
	const struct w_rule *next = NULL;

	for (size_t i = 0; i <= W_RULE_UNKNOWN; i++) {
		const struct w_rule *rule = reader->special[i];

		if (rule == NULL || i == W_RULE_DEFAULT ||
		    i == W_RULE_UNKNOWN || rule->order < after)
			continue;
		if (next == NULL || rule->order < next->order)
			next = rule;
	}
	return next;
}

static void
join_rules(struct w_policy_reader *reader)
{
	struct w_policy *policy = reader->policy;
	const struct w_rule_list *plain = &reader->rules;
	const struct w_rule **all = w_read_alloc(
	    reader, plain->count + W_RULE_UNKNOWN + 2, sizeof(*all));
	const struct w_rule *special = next_special(reader, 0);
	size_t count = 0;

	if (all == NULL)
		return;
	for (size_t i = 0; i < plain->count;) {
		if (special != NULL &&
		    special->order < plain->items[i]->order) {
			all[count++] = special;
			special = next_special(reader, special->order + 1);
		} else {
			all[count++] = plain->items[i++];
		}
	}
	for (; special != NULL;
	     special = next_special(reader, special->order + 1))
		all[count++] = special;
	if (reader->special[W_RULE_UNKNOWN] != NULL)
		all[count++] = reader->special[W_RULE_UNKNOWN];
	all[count++] = reader->special[W_RULE_DEFAULT];
	policy->rules = all;
	policy->rule_count = count;
}

/* Presets are built in, so there is no file to watch. */
static void
list_files(struct w_policy_reader *reader)
{
	struct w_policy *policy = reader->policy;
	const struct w_read_document *document = policy->documents;
	const char **files =
	    w_read_alloc(reader, reader->document_count + 1, sizeof(*files));
	size_t count = 0;

	for (; files != NULL && document != NULL; document = document->next) {
		if (strncmp(document->file, PRESET, strlen(PRESET)) != 0)
			files[count++] = document->file;
	}
	policy->files = files;
}

/* Whether its author knew of the network 'hosts'. */
static bool
find_hosts(const struct w_policy *policy)
{
	static const unsigned hosts = 1U << W_POLICY_NETWORK_HOSTS;
	const char *word = w_read_network_words[W_POLICY_NETWORK_HOSTS];
	bool is_found = policy->terms.network != NULL &&
			strcmp(policy->terms.network, word) == 0;

	for (size_t i = 0; i < policy->rule_count && !is_found; i++)
		is_found = (policy->rules[i]->networks & hosts) != 0;
	for (size_t i = 0; i < policy->agent_count && !is_found; i++) {
		const struct w_policy_agent *agent = &policy->agents[i];
		const struct w_rule *const *rule = agent->rules;

		is_found = agent->terms.network != NULL &&
			   strcmp(agent->terms.network, word) == 0;
		for (; rule != NULL && *rule != NULL && !is_found; rule++)
			is_found = ((*rule)->networks & hosts) != 0;
	}
	return is_found;
}

void
w_read_finish(struct w_policy_reader *reader)
{
	struct w_policy *policy = reader->policy;

	if (policy->shell_program == NULL)
		policy->shell_program = "sh";
	add_missing(reader, W_RULE_ROOTS, W_DENY, "roots: [.]");
	add_missing(reader, W_RULE_AGENTS, W_DENY, "agents: {}");
	add_missing(reader, W_RULE_DEFAULT, W_ASK, "default: ask");
	name_agents(reader);
	join_rules(reader);
	list_files(reader);
	policy->agents = reader->agents;
	policy->expects = reader->expects;
	if (!reader->is_out_of_memory)
		policy->knows_hosts = find_hosts(policy);
}
