/* SPDX-License-Identifier: Apache-2.0 */

/* What is left to do when all texts of a policy were read: the rules that
 * nobody wrote, and the lists as judging wants them. */

#include <string.h>

#include "policy/reading.h"

#define PRESET "preset:"

/* What counts when a key is not there. It stands nowhere. */
static void
add_missing(struct w_reading *reading, enum w_rule_kind kind,
    enum w_verdict verdict, const char *text)
{
	struct w_rule *rule;

	if (reading->special[kind] != NULL)
		return;
	rule = w_read_alloc(reading, 1, sizeof(*rule));
	if (rule == NULL)
		return;
	rule->kind = kind;
	rule->verdict = verdict;
	rule->spot.file = reading->policy->file;
	rule->order = w_read_order(reading);
	rule->text = text;
	rule->is_shell = -1;
	reading->special[kind] = rule;
}

/* Who is known. */
static void
name_agents(struct w_reading *reading)
{
	const struct w_policy *policy = reading->policy;
	struct w_rule *rule = reading->special[W_RULE_AGENTS];
	struct w_buf *buf = &reading->scratch;

	if (!policy->has_agents || rule == NULL)
		return;
	buf->len = 0;
	w_buf_add_str(buf, "agents: {");
	for (size_t i = 0; i < policy->agent_count; i++) {
		w_buf_add_str(buf, i > 0 ? ", " : " ");
		w_flow_add_text(buf, reading->agents[i].name);
	}
	w_buf_add_str(buf, policy->agent_count > 0 ? " }" : "}");
	reading->is_out_of_memory = reading->is_out_of_memory || buf->failed;
	rule->text = w_read_copy(reading, buf->data, buf->len);
}

/* The next of the rules that keys stand for; the default is the last of all,
 * the one for what is unknown the last but one. */
static const struct w_rule *
next_special(const struct w_reading *reading, size_t after)
{
	const struct w_rule *next = NULL;

	for (size_t i = 0; i <= W_RULE_UNKNOWN; i++) {
		const struct w_rule *rule = reading->special[i];

		if (rule == NULL || i == W_RULE_DEFAULT ||
		    i == W_RULE_UNKNOWN || rule->order < after)
			continue;
		if (next == NULL || rule->order < next->order)
			next = rule;
	}
	return next;
}

static void
join_rules(struct w_reading *reading)
{
	struct w_policy *policy = reading->policy;
	const struct w_rule_list *plain = &reading->rules;
	const struct w_rule **all = w_read_alloc(
	    reading, plain->count + W_RULE_UNKNOWN + 2, sizeof(*all));
	const struct w_rule *special = next_special(reading, 0);
	size_t count = 0;

	if (all == NULL)
		return;
	for (size_t i = 0; i < plain->count;) {
		if (special != NULL &&
		    special->order < plain->items[i]->order) {
			all[count++] = special;
			special = next_special(reading, special->order + 1);
		} else {
			all[count++] = plain->items[i++];
		}
	}
	for (; special != NULL;
	     special = next_special(reading, special->order + 1))
		all[count++] = special;
	if (reading->special[W_RULE_UNKNOWN] != NULL)
		all[count++] = reading->special[W_RULE_UNKNOWN];
	all[count++] = reading->special[W_RULE_DEFAULT];
	policy->rules = all;
	policy->rule_count = count;
}

/* Of what is built in nobody has to watch a file. */
static void
list_files(struct w_reading *reading)
{
	struct w_policy *policy = reading->policy;
	const struct w_read_document *document = policy->documents;
	const char **files =
	    w_read_alloc(reading, reading->document_count + 1, sizeof(*files));
	size_t count = 0;

	for (; files != NULL && document != NULL; document = document->next) {
		if (strncmp(document->file, PRESET, strlen(PRESET)) != 0)
			files[count++] = document->file;
	}
	policy->files = files;
}

void
w_read_finish(struct w_reading *reading)
{
	struct w_policy *policy = reading->policy;

	if (policy->shell_program == NULL)
		policy->shell_program = "sh";
	add_missing(reading, W_RULE_ROOTS, W_DENY, "roots: [.]");
	add_missing(reading, W_RULE_AGENTS, W_DENY, "agents: {}");
	add_missing(reading, W_RULE_DEFAULT, W_ASK, "default: ask");
	name_agents(reading);
	join_rules(reading);
	list_files(reading);
	policy->agents = reading->agents;
	policy->expects = reading->expects;
}
