/* SPDX-License-Identifier: Apache-2.0 */

/* Writes rules, and keys that stand for rules, with their locations. */

#include "policy/show/policy_yaml.h"

#include <string.h>
#include <time.h>

#include "data/yaml_string.h"

/* The location as a comment. A newline in the file name would end it. */
static void
rule_yaml_add_place(struct w_buf *buf, const struct w_policy_location *location)
{
	if (location->line > 0) {
		w_buf_add_str(buf, "  # ");
		for (const char *at = location->file; *at != '\0'; at++)
			w_buf_add_char(buf,
			    (unsigned char)*at < 0x20 || *at == 0x7f ? '?'
								     : *at);
		w_buf_add_fmt(buf, ":%u:%u", location->line, location->column);
	}
	w_buf_add_char(buf, '\n');
}

static void
rule_yaml_add_line(
    struct w_buf *buf, size_t column, const char *key, const char *text)
{
	if (text == NULL)
		return;
	w_buf_add_fmt(buf, "%*s%s: ", (int)column, "", key);
	w_yaml_add_string(buf, text, strlen(text), 0);
	w_buf_add_char(buf, '\n');
}

static bool
is_map(const struct w_rule *rule, bool has_more)
{
	return has_more || rule->message != NULL || rule->because != NULL;
}

void
w_show_begin(struct w_buf *buf, const struct w_rule *rule, const char *key,
    const char *value_key, bool has_more)
{
	w_buf_add_fmt(buf, "%s: ", key);
	if (is_map(rule, has_more))
		w_buf_add_fmt(buf, "{ %s: ", value_key);
}

static void
rule_yaml_add_text(struct w_buf *buf, const char *key, const char *text)
{
	if (text == NULL)
		return;
	w_buf_add_fmt(buf, ", %s: ", key);
	w_flow_add_text(buf, text);
}

void
w_show_bounds(
    struct w_buf *buf, size_t column, const char *project, int64_t until)
{
	const time_t seconds = (time_t)until;
	char text[32];
	struct tm when;

	rule_yaml_add_line(buf, column, "project", project);
	if (until == 0 || gmtime_r(&seconds, &when) == NULL ||
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &when) == 0)
		return;
	rule_yaml_add_line(buf, column, "until", text);
}

void
w_show_end(struct w_buf *buf, const struct w_rule *rule, bool has_more)
{
	rule_yaml_add_text(buf, "message", rule->message);
	rule_yaml_add_text(buf, "because", rule->because);
	if (is_map(rule, has_more))
		w_buf_add_str(buf, " }");
	rule_yaml_add_place(buf, &rule->location);
}

void
w_show_shell(struct w_buf *buf, const struct w_rule *rule, const char *program)
{
	static const char *const words[] = {
	    [W_ALLOW] = "allow", [W_ASK] = "ask", [W_DENY] = "deny"};

	w_show_begin(buf, rule, "shell", "mode", program != NULL);
	w_buf_add_str(buf, words[rule->verdict]);
	rule_yaml_add_text(buf, "program", program);
	w_show_end(buf, rule, program != NULL);
}

void
w_show_roots(struct w_buf *buf, const struct w_rule *rule,
    const struct w_policy_terms *terms)
{
	w_show_begin(buf, rule, "roots", "paths", false);
	w_flow_add_globs(buf, terms->roots);
	w_show_end(buf, rule, false);
}

void
w_show_rules(
    struct w_buf *buf, const struct w_rule *const *rules, size_t column)
{
	for (; *rules != NULL; rules++) {
		const struct w_rule *rule = *rules;

		if (rule->kind != W_RULE_PLAIN || rule->host_list != NULL)
			continue;
		w_buf_add_fmt(buf, "%*s- %s", (int)column, "", rule->text);
		rule_yaml_add_place(buf, &rule->location);
		rule_yaml_add_line(buf, column + 2, "because", rule->because);
		rule_yaml_add_line(buf, column + 2, "message", rule->message);
		if (rule->is_trial)
			rule_yaml_add_line(buf, column + 2, "trial", "true");
		w_show_bounds(buf, column + 2, rule->project, rule->until);
	}
}

void
w_show_agent(struct w_buf *buf, const struct w_policy_agent *agent)
{
	const struct w_rule *const *rules = agent->rules;
	bool has_rules = false;

	w_buf_add_str(buf, "  ");
	w_flow_add_text(buf, agent->name);
	w_buf_add_char(buf, ':');
	rule_yaml_add_place(buf, &agent->location);
	w_show_terms(buf, &agent->terms, 4);
	for (; *rules != NULL; rules++) {
		const struct w_rule *rule = *rules;

		if (rule->kind == W_RULE_TOOLS) {
			w_buf_add_str(buf, "    tools: ");
			w_flow_add_globs(buf, rule->programs);
			rule_yaml_add_place(buf, &rule->location);
			/* They are keys of the agent, not of `tools`. */
			rule_yaml_add_line(buf, 4, "message", rule->message);
			rule_yaml_add_line(buf, 4, "because", rule->because);
		} else if (rule->kind == W_RULE_SHELL) {
			w_buf_add_str(buf, "    ");
			w_show_shell(buf, rule, NULL);
		} else if (rule->kind == W_RULE_ROOTS) {
			w_buf_add_str(buf, "    ");
			w_show_roots(buf, rule, &agent->terms);
		} else if (!has_rules) {
			has_rules = true;
			w_buf_add_str(buf, "    rules:\n");
			w_show_rules(buf, rules, 6);
		}
	}
}
