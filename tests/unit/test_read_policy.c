/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_text.h"

static void
smallest_policy_asks_about_everything(void **state)
{
	struct w_policy *policy = policy_read("version: 1\n", NULL);

	(void)state;
	assert_int_equal(policy->rule_count, 3);
	assert_non_null(policy_find(policy, W_RULE_AGENTS));
	assert_non_null(policy_find(policy, W_RULE_ROOTS));
	const struct w_rule *last = policy->rules[policy->rule_count - 1];
	assert_int_equal(last->kind, W_RULE_DEFAULT);
	assert_int_equal(last->verdict, W_ASK);
	assert_int_equal(last->location.line, 0);
	assert_string_equal(last->location.file, "test.yaml");
	assert_null(policy->default_agent);
	assert_null(policy->terms.sandbox);
	assert_string_equal(policy->shell_program, "sh");
	assert_string_equal(policy->files[0], "test.yaml");
	assert_null(policy->files[1]);
	w_policy_free(policy);
}

#define V "version: 1\n"

static void
rules_have_all_that_they_say(void **state)
{
	struct w_policy *policy = policy_read(V
	    "rules:\n"
	    "  - deny:\n"
	    "      agent: [a, \"b*\"]\n"
	    "      program: sudo\n"
	    "      called_as: \"*/*\"\n"
	    "      module: \"cli.*\"\n"
	    "      inputs: { force: true, n: [1, null] }\n"
	    "      effect: [write, unknown]\n"
	    "      read: /r\n"
	    "      write: [\"./w\", \"~/w\"]\n"
	    "      delete: \"**/d\"\n"
	    "      exec: /e/**\n"
	    "      host: example.org\n"
	    "      variable: LD_*\n"
	    "      shape: [\"git 'a b' * ...\", ls]\n"
	    "      shell: \"x*\"\n"
	    "      sandbox: \"< workspace\"\n"
	    "      network: [off, host]\n"
	    "      time: { days: [fri-mon, wed], from: \"22:00\", to: 06:30 }\n"
	    "    because: why\n"
	    "    message: no {command}\n",
	    NULL);
	const struct w_rule *rule = policy->rules[0];

	(void)state;
	assert_int_equal(rule->kind, W_RULE_PLAIN);
	assert_int_equal(rule->verdict, W_DENY);
	assert_int_equal(rule->location.line, 3);
	assert_int_equal(rule->location.column, 5);
	assert_string_equal(rule->because, "why");
	assert_string_equal(rule->message, "no {command}");
	assert_string_equal(rule->agents[1], "b*");
	assert_null(rule->agents[2]);
	assert_string_equal(rule->programs[0], "sudo");
	assert_string_equal(rule->called_as[0], "*/*");
	assert_string_equal(rule->modules[0], "cli.*");
	assert_int_equal(rule->input_count, 2);
	assert_string_equal(rule->inputs[1].key, "n");
	assert_int_equal(rule->inputs[1].value_count, 2);
	assert_true(yyjson_is_null(rule->inputs[1].values[1]));
	assert_int_equal(rule->effects, W_EFFECT_WRITE | W_EFFECT_UNKNOWN);
	assert_string_equal(rule->paths[0][0], "/r");
	assert_string_equal(rule->paths[1][1], "~/w");
	assert_string_equal(rule->paths[2][0], "**/d");
	assert_string_equal(rule->paths[3][0], "/e/**");
	assert_string_equal(rule->hosts[0], "example.org");
	assert_string_equal(rule->variables[0], "LD_*");
	assert_int_equal(rule->shape_count, 2);
	assert_int_equal(rule->shapes[0].count, 3);
	assert_string_equal(rule->shapes[0].words[1], "a b");
	assert_null(rule->shapes[0].words[3]);
	assert_true(rule->shapes[0].is_open);
	assert_false(rule->shapes[1].is_open);
	assert_int_equal(rule->is_shell, 1);
	assert_string_equal(rule->shell_text, "x*");
	assert_int_equal(rule->walls_below, 4);
	assert_int_equal(rule->walls_min, 0);
	assert_int_equal(rule->networks, 1 | 8);
	assert_int_equal(rule->time->days, 0x75);
	assert_int_equal(rule->time->from, 22 * 60);
	assert_int_equal(rule->time->to, 6 * 60 + 30);
	w_policy_free(policy);
}

static void
rules_are_told_on_one_line(void **state)
{
	static const struct {
		const char *rule;
		const char *text;
	} rows[] = {
	    {"allow: 'git log ...'", "allow: git log ..."},
	    {"ask: {}", "ask: {}"},
	    {"deny: {program: [ sudo,su ]}", "deny: { program: [sudo, su] }"},
	    {"deny: {network: 'off', write: '~/x'}",
		"deny: { network: off, write: \"~/x\" }"},
	    {"deny: {inputs: {a: [1, true, null, 'true']}}",
		"deny: { inputs: { a: [1, true, null, \"true\"] } }"},
	    {"deny: {shell: 'a, {b}'}", "deny: { shell: \"a, {b}\" }"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[256];

		(void)snprintf(
		    text, sizeof(text), V "rules: [ { %s } ]", rows[i].rule);
		struct w_policy *policy = policy_read(text, NULL);
		assert_string_equal(policy->rules[0]->text, rows[i].text);
		w_policy_free(policy);
	}
}

/* File order decides which reason is reported. */
static void
keys_are_rules_at_their_place(void **state)
{
	static const enum w_rule_kind kinds[] = {W_RULE_SHELL, W_RULE_PLAIN,
	    W_RULE_PROGRAMS, W_RULE_LISTED, W_RULE_AGENTS, W_RULE_ARGUMENTS,
	    W_RULE_ROOTS, W_RULE_UNKNOWN, W_RULE_DEFAULT};
	struct w_policy *policy =
	    policy_read(V "default: { decision: allow, message: m }\n"
			  "shell: { mode: ask, program: bash, message: s }\n"
			  "rules: [ { deny: x } ]\n"
			  "programs: { only: [ls], message: p, because: b }\n"
			  "agents: {}\n"
			  "arguments: strict-exec\n"
			  "roots: { paths: [./a], message: r }\n",
		NULL);

	(void)state;
	assert_int_equal(policy->rule_count, sizeof(kinds) / sizeof(kinds[0]));
	for (size_t i = 0; i < policy->rule_count; i++) {
		const struct w_rule *rule = policy->rules[i];

		assert_int_equal(rule->kind, kinds[i]);
		assert_true(rule->location.line > 1);
		assert_true(i == 0 || i > 6 ||
			    rule->order > policy->rules[i - 1]->order);
	}
	assert_null(policy->rules[policy->rule_count]);
	assert_int_equal(policy->rules[0]->verdict, W_ASK);
	assert_string_equal(policy->rules[0]->message, "s");
	assert_string_equal(policy->shell_program, "bash");
	assert_int_equal(policy->shell, W_SHELL_ASK);
	assert_string_equal(policy->rules[2]->message, "p");
	assert_string_equal(policy->rules[2]->because, "b");
	assert_string_equal(policy->rules[3]->programs[0], "ls");
	assert_int_equal(policy->rules[3]->verdict, W_ALLOW);
	assert_true(policy->has_agents);
	assert_int_equal(policy->arguments, W_ARGUMENTS_STRICT_EXEC);
	assert_string_equal(policy->rules[6]->message, "r");
	assert_string_equal(policy->terms.roots[0], "./a");
	assert_int_equal(policy->rules[7]->verdict, W_ASK);
	assert_int_equal(policy->rules[8]->verdict, W_ALLOW);
	assert_string_equal(policy->rules[8]->message, "m");
	w_policy_free(policy);
}

static void
a_fence_may_leave_the_allowing_to_rules(void **state)
{
	struct w_policy *policy =
	    policy_read(V "programs: { only: [], allow: false }\n", NULL);

	(void)state;
	assert_true(policy->has_allowlist);
	assert_non_null(policy->programs);
	assert_null(policy->programs[0]);
	assert_non_null(policy_find(policy, W_RULE_PROGRAMS));
	assert_null(policy_find(policy, W_RULE_LISTED));
	w_policy_free(policy);
}

static void
terms_are_as_they_say(void **state)
{
	struct w_policy *policy = policy_read(V
	    "sandbox: strict\n"
	    "network: loopback\n"
	    "limits: { timeout: 1m30s, memory: 2GiB, processes: 7, cpu: 5s }\n",
	    NULL);

	(void)state;
	assert_string_equal(policy->terms.sandbox, "strict");
	assert_string_equal(policy->terms.network, "loopback");
	assert_int_equal(policy->terms.limits.timeout_ms, 90000);
	assert_int_equal(policy->terms.limits.memory, (uint64_t)2 << 30);
	assert_int_equal(policy->terms.limits.processes, 7);
	assert_int_equal(policy->terms.limits.cpu_ms, 5000);
	assert_null(policy->terms.environment.mode);
	w_policy_free(policy);
}

static void
agents_have_rules_of_their_own(void **state)
{
	struct w_policy *policy =
	    policy_read(V "agents:\n"
			  "  reviewer:\n"
			  "    message: no {binary}\n"
			  "    tools: [ls, \"cli.git.*\"]\n"
			  "    because: it only looks\n"
			  "    sandbox: readonly\n"
			  "    limits: { cpu: 3s }\n"
			  "    shell: deny\n"
			  "    rules:\n"
			  "      - deny: { effect: net }\n"
			  "  \"ci-*\":\n"
			  "default_agent: me\n",
		NULL);
	const struct w_policy_agent *agent = &policy->agents[0];

	(void)state;
	assert_int_equal(policy->agent_count, 2);
	assert_string_equal(policy->default_agent, "me");
	assert_string_equal(agent->name, "reviewer");
	assert_int_equal(agent->location.line, 3);
	assert_string_equal(agent->terms.sandbox, "readonly");
	assert_int_equal(agent->terms.limits.cpu_ms, 3000);
	assert_null(policy->terms.sandbox);
	assert_int_equal(agent->rules[0]->kind, W_RULE_TOOLS);
	assert_string_equal(agent->rules[0]->message, "no {binary}");
	assert_string_equal(agent->rules[0]->because, "it only looks");
	assert_string_equal(agent->rules[0]->programs[1], "cli.git.*");
	assert_int_equal(agent->rules[1]->kind, W_RULE_SHELL);
	assert_int_equal(agent->rules[1]->verdict, W_DENY);
	assert_int_equal(agent->rules[2]->kind, W_RULE_PLAIN);
	assert_null(agent->rules[3]);
	assert_string_equal(policy->agents[1].name, "ci-*");
	assert_null(policy->agents[1].rules[0]);
	/* Not among the rules for everybody. */
	assert_int_equal(policy->rule_count, 3);
	w_policy_free(policy);
}

static void
expectations_are_commands_or_texts(void **state)
{
	struct w_policy *policy =
	    policy_read(V "expect:\n"
			  "  - allow: git commit -m 'a b'\n"
			  "  - ask: { shell: \"ls | wc\" }\n"
			  "  - deny: { command: ls, agent: a }\n",
		NULL);

	(void)state;
	assert_int_equal(policy->expect_count, 3);
	assert_int_equal(policy->expects[0].verdict, W_ALLOW);
	assert_int_equal(policy->expects[0].argc, 4);
	assert_string_equal(policy->expects[0].argv[3], "a b");
	assert_null(policy->expects[0].argv[4]);
	assert_string_equal(policy->expects[0].text, "git commit -m 'a b'");
	assert_int_equal(policy->expects[0].location.line, 3);
	assert_int_equal(policy->expects[1].verdict, W_ASK);
	assert_null(policy->expects[1].argv);
	assert_string_equal(policy->expects[1].shell, "ls | wc");
	assert_int_equal(policy->expects[2].verdict, W_DENY);
	assert_string_equal(policy->expects[2].agent, "a");
	w_policy_free(policy);
}

static void
presets_are_policies(void **state)
{
	size_t count;
	const struct w_preset *presets = w_preset_all(&count);

	(void)state;
	assert_true(count > 0);
	for (size_t i = 0; i < count; i++) {
		struct w_policy *policy = policy_read(presets[i].text, NULL);

		assert_true(policy->rule_count > 0);
		w_policy_free(policy);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(smallest_policy_asks_about_everything),
	    cmocka_unit_test(rules_have_all_that_they_say),
	    cmocka_unit_test(rules_are_told_on_one_line),
	    cmocka_unit_test(keys_are_rules_at_their_place),
	    cmocka_unit_test(a_fence_may_leave_the_allowing_to_rules),
	    cmocka_unit_test(terms_are_as_they_say),
	    cmocka_unit_test(agents_have_rules_of_their_own),
	    cmocka_unit_test(expectations_are_commands_or_texts),
	    cmocka_unit_test(presets_are_policies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
