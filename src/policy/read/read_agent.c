/* SPDX-License-Identifier: Apache-2.0 */

/* Reads `agents`: their names and what each may do. */

#include <string.h>

#include "data/json_words.h"
#include "policy/read/policy_reader.h"

#define NAME_MAX_BYTES 128

struct agent_reader {
	struct w_policy_terms terms;
	struct w_rule *tools;
	const char *message;
	const char *because;
};

static void
read_tools(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct agent_reader *agent = target;
	w_globs tools =
	    w_read_list(reader, val, "tools", w_read_check_program, true);

	agent->tools = w_read_special(reader, W_RULE_TOOLS, W_DENY, key, val);
	if (agent->tools == NULL)
		return;
	/* A tool names a program or a module. */
	agent->tools->programs = tools;
	agent->tools->modules = tools;
}

#define MEMBER(member) offsetof(struct agent_reader, member)

static const struct w_read_key agent_keys[] = {
    {"tools", .read = read_tools},
    {"rules", .read = w_read_rules},
    {"roots", .read = w_read_roots},
    {"limits", .read = w_read_limits},
    {"sandbox", W_READ_LINE, .offset = MEMBER(terms.sandbox)},
    {"network", .read = w_read_network},
    {"judge", W_READ_WORD, MEMBER(terms.judge), .words = w_read_judge_words},
    {"undo", W_READ_WORD, MEMBER(terms.undo), .words = w_read_undo_words},
    {"environment", .read = w_read_environment},
    {"shell", .read = w_read_shell},
    {"message", W_READ_MESSAGE, .offset = MEMBER(message)},
    {"because", W_READ_LINE, .offset = MEMBER(because)},
    {.name = NULL},
};

static void
read_agent(struct w_policy_reader *reader, struct w_policy_agent *into,
    yyjson_val *name, yyjson_val *val)
{
	struct agent_reader agent = {.tools = NULL};
	struct w_rule_list rules = {.items = NULL};
	struct w_policy_terms *const terms = reader->terms;
	yyjson_val *message = yyjson_obj_get(val, "message");
	struct w_rule_list *const above = reader->into;

	into->name = w_read_word(name);
	into->location = w_read_location(reader, name);
	into->rules = NULL;
	reader->terms = &agent.terms;
	reader->into = &rules;
	reader->is_agent = true;
	/* "name:" alone declares an agent without settings. */
	if (!yyjson_is_null(val))
		(void)w_read_map(reader, val, "an agent", agent_keys, &agent);
	if (agent.tools != NULL) {
		agent.tools->message = agent.message;
		agent.tools->because = agent.because;
	} else if (message != NULL) {
		(void)w_read_refuse(reader, message,
		    "message is for what is not in tools, and there are none");
		w_read_suggest(reader, "give it to a rule, or list the tools");
	}
	if (w_read_grow(reader, (void **)&rules.items, rules.count, &rules.cap,
		sizeof(struct w_rule *))) {
		rules.items[rules.count] = NULL;
		into->rules = rules.items;
	}
	into->terms = agent.terms;
	reader->terms = terms;
	reader->into = above;
	reader->is_agent = false;
}

/* A later section replaces that of an included file. */
static struct w_policy_agent *
find_agent(struct w_policy_reader *reader, const char *name)
{
	struct w_policy *policy = reader->policy;

	for (size_t i = 0; i < policy->agent_count; i++) {
		if (strcmp(reader->agents[i].name, name) == 0)
			return &reader->agents[i];
	}
	if (!w_read_grow(reader, (void **)&reader->agents, policy->agent_count,
		&reader->agent_cap, sizeof(struct w_policy_agent)))
		return NULL;
	return &reader->agents[policy->agent_count++];
}

static bool
read_agent_check_name(
    struct w_policy_reader *reader, yyjson_val *val, const char *what)
{
	const char *name = w_read_text(reader, val, what);
	size_t len = 0;

	if (name == NULL)
		return false;
	while (name[len] >= 0x20 && name[len] <= 0x7e)
		len++;
	if (name[len] != '\0' || len > NAME_MAX_BYTES)
		return w_read_refuse(reader, val,
		    "%s must be 1 to %d printable ASCII characters", what,
		    NAME_MAX_BYTES);
	return true;
}

void
w_read_agents(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *name;
	yyjson_val *item;

	(void)target;
	if (!yyjson_is_obj(val)) {
		(void)w_read_refuse(reader, val,
		    "agents must be a map from names to what they may, not %s",
		    w_json_type_words(val));
		return;
	}
	const struct w_rule *before = reader->special[W_RULE_AGENTS];
	reader->policy->has_agents = true;
	(void)w_read_special(reader, W_RULE_AGENTS, W_DENY, key, NULL);
	/* Agents added to those of an included file are checked at the same
	 * point. */
	reader->place = before != NULL ? before->order : 0;
	yyjson_obj_foreach(val, i, count, name, item)
	{
		if (!read_agent_check_name(
			reader, name, "the name of an agent") ||
		    !w_read_check_glob(reader, name, "the name of an agent",
			w_read_word(name)))
			continue;
		struct w_policy_agent *agent =
		    find_agent(reader, w_read_word(name));
		if (agent != NULL)
			read_agent(reader, agent, name, item);
	}
	reader->place = 0;
}

void
w_read_default_agent(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	(void)target;
	(void)key;
	if (read_agent_check_name(reader, val, "default_agent"))
		reader->policy->default_agent = yyjson_get_str(val);
}
