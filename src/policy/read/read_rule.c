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

struct w_rule *
w_read_new_rule(struct w_policy_reader *reader, const yyjson_val *at)
{
	struct w_rule *rule = w_read_alloc(reader, 1, sizeof(*rule));

	if (rule == NULL)
		return NULL;
	rule->location = w_read_location(reader, at);
	rule->order = w_read_order(reader);
	rule->is_shell = -1;
	/* Includes are read before the file's own keys, so all are known. */
	rule->document = reader->document->bit;
	rule->outranks = reader->document->includes;
	return rule;
}

struct w_rule *
w_read_special(struct w_policy_reader *reader, enum w_rule_kind kind,
    enum w_verdict verdict, yyjson_val *key, yyjson_val *val)
{
	struct w_rule *rule = w_read_new_rule(reader, key);

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

const char *const w_read_verdict_words[] = {
    [W_ALLOW] = "allow", [W_ASK] = "ask", [W_DENY] = "deny", NULL};

enum w_verdict
w_read_verdict(yyjson_val *key)
{
	const int which = w_read_find(w_read_word(key), w_read_verdict_words);

	return (enum w_verdict)which;
}

/* A rule has no text before its verdict. */
static void
read_verdict(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	if (rule->text != NULL) {
		(void)w_read_refuse(reader, key,
		    "a rule has one of allow, ask and deny; this one has '%s' "
		    "and '%s'",
		    w_read_verdict_words[rule->verdict], w_read_word(key));
		w_read_suggest(reader, "make it two rules");
		return;
	}
	rule->verdict = w_read_verdict(key);
	rule->text = flow(reader, key, val);
	if (yyjson_is_str(val))
		w_read_shapes(reader, rule, key, val);
	else
		w_read_match(reader, rule, val);
}

static void
read_trial(struct w_policy_reader *reader, void *target, yyjson_val *key,
    yyjson_val *val)
{
	struct w_rule *rule = target;

	(void)key;
	if (yyjson_is_bool(val))
		rule->is_trial = yyjson_is_true(val);
	else
		(void)w_read_refuse(reader, val,
		    "trial must be true or false, not %s",
		    w_json_type_words(val));
}

static const struct w_read_key rule_keys[] = {
    {"allow", .read = read_verdict},
    {"ask", .read = read_verdict},
    {"deny", .read = read_verdict},
    {"because", W_READ_LINE, .offset = offsetof(struct w_rule, because)},
    {"message", W_READ_MESSAGE, .offset = offsetof(struct w_rule, message)},
    {"trial", .read = read_trial},
    {"until", .read = w_read_rule_until},
    {"project", .read = w_read_rule_project},
    {.name = NULL},
};

static void
read_rule(struct w_policy_reader *reader, yyjson_val *val)
{
	struct w_rule *rule = w_read_new_rule(reader, val);

	if (rule == NULL)
		return;
	if (!w_read_map(reader, val, "a rule", rule_keys, rule)) {
		if (yyjson_is_str(val))
			w_read_suggest(reader, "did you mean 'allow: %.64s'?",
			    yyjson_get_str(val));
		return;
	}
	if (rule->text == NULL) {
		(void)w_read_refuse(
		    reader, val, "this rule has none of allow, ask and deny");
		return;
	}
	(void)w_read_add_rule(reader, rule);
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
