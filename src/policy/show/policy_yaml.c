/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes a policy as one file without includes. Reading it gives the same
 * policy except for locations. Keys that stood between rules of several files
 * come before or after all rules, so another of two equal reasons may be
 * reported.
 */

#include "policy/show/policy_yaml.h"

#include <stdlib.h>

#include "policy/evaluate/decision.h"

#define JSON_MAX (W_POLICY_TEXT_MAX * 16)

static bool
policy_yaml_has_kind(const struct w_policy *policy, enum w_rule_kind kind)
{
	for (size_t i = 0; i < policy->rule_count; i++) {
		if (policy->rules[i]->kind == kind)
			return true;
	}
	return false;
}

static void
add_programs(
    struct w_buf *buf, const struct w_policy *policy, const struct w_rule *rule)
{
	const bool is_allowing = policy_yaml_has_kind(policy, W_RULE_LISTED);

	w_show_begin(buf, rule, "programs", "only", !is_allowing);
	w_flow_add_globs(buf, rule->programs);
	if (!is_allowing)
		w_buf_add_str(buf, ", allow: false");
	w_show_end(buf, rule, !is_allowing);
}

static void
policy_yaml_add_arguments(
    struct w_buf *buf, const struct w_policy *policy, const struct w_rule *rule)
{
	static const char *const words[] = {
	    [W_ARGUMENTS_LITERAL] = "literal",
	    [W_ARGUMENTS_STRICT_MODULES] = "strict-modules",
	    [W_ARGUMENTS_STRICT_EXEC] = "strict-exec",
	};

	w_show_begin(buf, rule, "arguments", "mode", false);
	w_buf_add_str(buf, words[policy->arguments]);
	w_show_end(buf, rule, false);
}

/* Writes the key that a special rule came from. */
static void
policy_yaml_add_special(
    struct w_buf *buf, const struct w_policy *policy, const struct w_rule *rule)
{
	switch (rule->kind) {
	case W_RULE_PROGRAMS:
		add_programs(buf, policy, rule);
		break;
	case W_RULE_ARGUMENTS:
		policy_yaml_add_arguments(buf, policy, rule);
		break;
	case W_RULE_SHELL:
		w_show_shell(buf, rule, policy->shell_program);
		break;
	case W_RULE_ROOTS:
		if (policy->terms.roots != NULL)
			w_show_roots(buf, rule, &policy->terms);
		break;
	case W_RULE_AGENTS:
		if (!policy->has_agents)
			break;
		w_buf_add_str(buf,
		    policy->agent_count > 0 ? "agents:\n" : "agents: {}\n");
		for (size_t i = 0; i < policy->agent_count; i++)
			w_show_agent(buf, &policy->agents[i]);
		break;
	case W_RULE_PLAIN:
	case W_RULE_DEFAULT:
	case W_RULE_LISTED:
	case W_RULE_TOOLS:
	case W_RULE_UNKNOWN:
		break;
	}
}

/* In file order, which decides the reason that is reported. */
static void
policy_yaml_add_rules(struct w_buf *buf, const struct w_policy *policy)
{
	bool has_rules = false;

	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct w_rule *rule = policy->rules[i];

		if (rule->kind != W_RULE_PLAIN) {
			policy_yaml_add_special(buf, policy, rule);
		} else if (!has_rules && rule->host_list == NULL) {
			has_rules = true;
			w_buf_add_str(buf, "rules:\n");
			w_show_rules(buf, policy->rules + i, 2);
		}
	}
}

static void
add_expect(struct w_buf *buf, const struct w_policy_expect *expect)
{
	w_buf_add_fmt(buf, "  - %s: ", w_verdict_word(expect->verdict));
	/* With other keys the text is a map on one line already. */
	if (expect->shell == NULL && expect->agent == NULL)
		w_flow_add_text(buf, expect->text);
	else
		w_buf_add_str(buf, expect->text);
	w_buf_add_char(buf, '\n');
	w_show_bounds(buf, 4, expect->project, expect->until);
}

void
w_policy_add_yaml(struct w_buf *buf, const struct w_policy *policy)
{
	const struct w_rule *standard = policy->rules[policy->rule_count - 1];

	w_buf_add_str(buf, "version: 1\n");
	w_show_begin(buf, standard, "default", "decision", false);
	w_buf_add_str(buf, w_verdict_word(standard->verdict));
	w_show_end(buf, standard, false);
	w_show_terms(buf, &policy->terms, 0);
	if (policy->default_agent != NULL) {
		w_buf_add_str(buf, "default_agent: ");
		w_flow_add_text(buf, policy->default_agent);
		w_buf_add_char(buf, '\n');
	}
	if (policy->exec_shape != NULL)
		w_buf_add_fmt(buf, "exec_shape: %s\n", policy->exec_shape);
	if (!policy_yaml_has_kind(policy, W_RULE_SHELL))
		w_buf_add_fmt(buf, "shell: { mode: judge, program: %s }\n",
		    policy->shell_program);
	policy_yaml_add_rules(buf, policy);
	if (policy->expect_count > 0)
		w_buf_add_str(buf, "expect:\n");
	for (size_t i = 0; i < policy->expect_count; i++)
		add_expect(buf, &policy->expects[i]);
}

void
w_policy_add_json(struct w_buf *buf, const struct w_policy *policy)
{
	static const struct w_json_limits limits = {
	    .bytes_max = JSON_MAX, .depth_max = W_YAML_DEPTH_MAX};
	W_AUTO_BUF struct w_buf yaml;
	struct w_yaml *tree = NULL;
	char *text = NULL;

	w_buf_init(&yaml, JSON_MAX);
	w_policy_add_yaml(&yaml, policy);
	if (!yaml.failed &&
	    w_yaml_read(yaml.data, yaml.len, &limits, &tree, NULL) == WRIT_OK) {
		text = yyjson_val_write(w_yaml_root(tree), 0, NULL);
		w_yaml_free(tree);
	}
	if (text == NULL)
		buf->failed = true;
	else
		w_buf_add_str(buf, text);
	free(text);
}
