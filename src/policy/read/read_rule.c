/* SPDX-License-Identifier: Apache-2.0 */

/* Reads rules: one of allow, ask and deny, with its conditions and reasons. */

#include <string.h>

#include "data/json_words.h"
#include "policy/read/policy_reader.h"

/* A value on one line after its key; key NULL: without. */
static const char *
flow(struct w_policy_reader *reader, yyjson_val *key, yyjson_val *val)
{
	struct w_buf *buf = &reader->scratch;

	buf->len = 0;
	if (key != NULL) {
		w_buf_add_str(buf, w_read_word(key));
		w_buf_add_str(buf, ": ");
	}
	w_flow_add(buf, val);
	if (buf->failed) {
		reader->is_out_of_memory = true;
		return NULL;
	}
	return w_read_copy(reader, buf->data, buf->len);
}

const char *
w_read_flow(struct w_policy_reader *reader, yyjson_val *val)
{
	return flow(reader, NULL, val);
}

bool
w_read_add_rule(struct w_policy_reader *reader, struct w_rule *rule)
{
	struct w_rule_list *rules = reader->into;

	if (!w_read_grow(reader, (void **)&rules->items, rules->count,
		&rules->cap, sizeof(struct w_rule *)))
		return false;
	rules->items[rules->count++] = rule;
	return true;
}

size_t
w_read_order(struct w_policy_reader *reader)
{
	reader->order++;
	return reader->place != 0 ? reader->place + reader->order
				  : reader->order << W_READ_ORDER_SHIFT;
}

static struct w_rule *
new_rule(struct w_policy_reader *reader, yyjson_val *at)
{
	struct w_rule *rule = w_read_alloc(reader, 1, sizeof(*rule));

	if (rule == NULL)
		return NULL;
	rule->location = w_read_location(reader, at);
	rule->order = w_read_order(reader);
	rule->is_shell = -1;
	return rule;
}

struct w_rule *
w_read_special(struct w_policy_reader *reader, enum w_rule_kind kind,
    enum w_verdict verdict, yyjson_val *key, yyjson_val *val)
{
	struct w_rule *rule = new_rule(reader, key);

	if (rule == NULL)
		return NULL;
	rule->kind = kind;
	rule->verdict = verdict;
	rule->text = flow(reader, key, val);
	if (reader->is_agent)
		return w_read_add_rule(reader, rule) ? rule : NULL;
	/* A replaced rule keeps its place, so that checks run, and report, in
	 * the order of the included file. */
	const struct w_rule *before = reader->special[kind];
	if (before != NULL) {
		rule->order = before->order;
		rule->message = before->message;
		rule->because = before->because;
	}
	reader->special[kind] = rule;
	return rule;
}

/* A rule and the key of its verdict. */
struct rule_reader {
	struct w_rule *rule;
	yyjson_val *verdict;
};

static void
read_verdict(struct w_policy_reader *reader, struct rule_reader *target,
    yyjson_val *key, yyjson_val *val, enum w_verdict verdict)
{
	struct w_rule *rule = target->rule;

	if (target->verdict != NULL) {
		(void)w_read_refuse(reader, key,
		    "a rule has one of allow, ask and deny; this one has '%s' "
		    "and '%s'",
		    w_read_word(target->verdict), w_read_word(key));
		w_read_suggest(reader, "make it two rules");
		return;
	}
	target->verdict = key;
	rule->verdict = verdict;
	rule->text = flow(reader, key, val);
	if (yyjson_is_str(val))
		w_read_shapes(reader, rule, key, val);
	else
		w_read_match(reader, rule, val);
}

static void
read_allow(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	read_verdict(reader, target, key, val, W_ALLOW);
}

static void
read_ask(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	read_verdict(reader, target, key, val, W_ASK);
}

static void
read_deny(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	read_verdict(reader, target, key, val, W_DENY);
}

static void
read_rule_read_because(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	struct rule_reader *rule = target;

	(void)key;
	rule->rule->because = w_read_line(reader, val, "because");
}

static void
read_rule_read_message(struct w_policy_reader *reader, void *target,
    yyjson_val *key, yyjson_val *val)
{
	struct rule_reader *rule = target;

	(void)key;
	rule->rule->message = w_read_message(reader, val);
}

static const struct w_read_key rule_keys[] = {
    {"allow", read_allow},
    {"ask", read_ask},
    {"deny", read_deny},
    {"because", read_rule_read_because},
    {"message", read_rule_read_message},
    {NULL, NULL},
};

static void
read_rule(struct w_policy_reader *reader, yyjson_val *val)
{
	struct rule_reader target = {.rule = new_rule(reader, val)};

	if (target.rule == NULL)
		return;
	if (!w_read_map(reader, val, "a rule", rule_keys, &target)) {
		if (yyjson_is_str(val))
			w_read_suggest(reader, "did you mean 'allow: %.64s'?",
			    yyjson_get_str(val));
		return;
	}
	if (target.verdict == NULL) {
		(void)w_read_refuse(
		    reader, val, "this rule has none of allow, ask and deny");
		return;
	}
	(void)w_read_add_rule(reader, target.rule);
}

void
w_read_rules(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	size_t i;
	size_t count;
	yyjson_val *rule;

	(void)target;
	(void)key;
	if (!yyjson_is_arr(val)) {
		(void)w_read_refuse(reader, val, "rules must be a list, not %s",
		    w_json_type_words(val));
		if (yyjson_is_obj(val))
			w_read_suggest(reader, "begin each rule with '- '");
		return;
	}
	yyjson_arr_foreach(val, i, count, rule) read_rule(reader, rule);
}
