/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_text.h"

#define V "version: 1\n"

static void
included_files_come_first_and_give_way(void **state)
{
	struct policy_file files[] = {
	    {"a.yaml",
		V "default: deny\n"
		  "sandbox: strict\n"
		  "network: off\n"
		  "agents: { x: { sandbox: env }, y: { sandbox: env } }\n"
		  "rules: [ { deny: a } ]\n"
		  "programs: { only: [ls], message: m, because: b }\n"
		  "limits: { cpu: 1s }\n"
		  "expect: [ { deny: a } ]\n"},
	    {"b.yaml", V "network: host\nrules: [ { deny: b } ]\n"},
	    {NULL, NULL},
	};
	struct w_policy *policy =
	    policy_read(V "rules: [ { allow: c } ]\n"
			  "sandbox: workspace\n"
			  "programs: [cat]\n"
			  "agents: { y: { tools: [ls] }, z: }\n"
			  "limits: { memory: 1 }\n"
			  "include: [a.yaml, b.yaml]\n",
		files);
	const struct w_rule *allowlist = policy_find(policy, W_RULE_PROGRAMS);
	const struct w_rule *agents = policy_find(policy, W_RULE_AGENTS);
	const struct w_rule *last = policy->rules[policy->rule_count - 1];
	const struct w_rule *plain[3] = {NULL};
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < policy->rule_count; i++) {
		if (policy->rules[i]->kind == W_RULE_PLAIN)
			plain[count++] = policy->rules[i];
	}
	assert_int_equal(count, 3);
	assert_string_equal(plain[0]->text, "deny: a");
	assert_string_equal(plain[0]->location.file, "a.yaml");
	assert_string_equal(plain[1]->text, "deny: b");
	assert_string_equal(plain[2]->text, "allow: c");
	assert_string_equal(plain[2]->location.file, "test.yaml");
	assert_int_equal(last->verdict, W_DENY);
	assert_string_equal(last->location.file, "a.yaml");
	assert_string_equal(policy->terms.sandbox, "workspace");
	assert_string_equal(policy->terms.network, "host");
	assert_int_equal(policy->terms.limits.cpu_ms, 0);
	assert_int_equal(policy->terms.limits.memory, 1);
	/* A replaced check keeps its place and its message. */
	assert_string_equal(allowlist->programs[0], "cat");
	assert_string_equal(allowlist->message, "m");
	assert_string_equal(allowlist->because, "b");
	assert_string_equal(allowlist->location.file, "test.yaml");
	assert_true(allowlist->order > plain[0]->order);
	assert_true(allowlist->order < plain[1]->order);
	/* So do agents and their settings. */
	assert_int_equal(policy->agent_count, 3);
	assert_string_equal(policy->agents[0].terms.sandbox, "env");
	assert_string_equal(policy->agents[1].name, "y");
	assert_null(policy->agents[1].terms.sandbox);
	assert_int_equal(policy->agents[1].rules[0]->kind, W_RULE_TOOLS);
	assert_true(policy->agents[1].rules[0]->order > agents->order);
	assert_true(policy->agents[1].rules[0]->order < plain[0]->order);
	/* Expectations of an included file do not apply to the whole. */
	assert_int_equal(policy->expect_count, 0);
	w_policy_free(policy);
}

static void
files_that_were_read_are_listed_but_presets(void **state)
{
	struct policy_file files[] = {
	    {"a.yaml", V "include: developer\n"}, {NULL, NULL}};
	struct w_policy *policy = policy_read(V "include: a.yaml\n", files);
	size_t count = 0;

	(void)state;
	while (policy->files[count] != NULL) {
		assert_true(strcmp(policy->files[count], "test.yaml") == 0 ||
			    strcmp(policy->files[count], "a.yaml") == 0);
		count++;
	}
	assert_int_equal(count, 2);
	w_policy_free(policy);
}

static void
loops_and_crowds_of_includes_are_refused(void **state)
{
	struct policy_file loop[] = {
	    {"a.yaml", V "include: b.yaml\n"},
	    {"b.yaml", V "include: test.yaml\n"},
	    {"test.yaml", V "include: a.yaml\n"},
	    {NULL, NULL},
	};
	struct w_policy_faults faults =
	    policy_faults_of(V "include: a.yaml\n", loop);
	char text[1024] = V "include: [";

	(void)state;
	assert_int_equal(faults.count, 1);
	assert_string_equal(faults.items[0].location.file, "b.yaml");
	policy_check_fault(
	    &faults.items[0], "2:10: 'test.yaml' includes itself");
	w_policy_faults_done(&faults);
	for (size_t i = 0; i < 65; i++)
		strcat(text, i > 0 ? ",x.yaml" : "x.yaml");
	strcat(text, "]\n");
	struct policy_file many[] = {{"x.yaml", V}, {NULL, NULL}};
	faults = policy_faults_of(text, many);
	policy_check_fault(
	    &faults.items[0], "2:452: more than 64 files are included");
	w_policy_faults_done(&faults);
}

static void
faults_of_included_files_have_their_place(void **state)
{
	struct policy_file files[] = {
	    {"a.yaml", V "rules: [ { deny: { write: x } } ]\n"},
	    {"b.yaml", "rules: [\n"},
	    {NULL, NULL},
	};
	struct w_policy_faults faults = policy_faults_of(
	    V "include: [a.yaml, b.yaml, c.yaml]\nrulez: []\n", files);

	(void)state;
	assert_int_equal(faults.count, 4);
	assert_string_equal(faults.items[0].location.file, "test.yaml");
	policy_check_fault(
	    &faults.items[0], "2:27: include: there is no preset");
	policy_check_fault(
	    &faults.items[1], "3:1: a policy has no key 'rulez'");
	assert_string_equal(faults.items[2].location.file, "a.yaml");
	assert_string_equal(faults.items[3].location.file, "b.yaml");
	w_policy_faults_done(&faults);
}

static void
without_a_source_nothing_is_included(void **state)
{
	static const char text[] = V "include: developer\n";
	struct w_policy *policy = NULL;
	writ_error err = {.status = WRIT_OK};

	(void)state;
	assert_int_equal(w_policy_read(text, strlen(text), "x.yaml", NULL,
			     &policy, NULL, &err),
	    WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "x.yaml:2:10: nothing can be included here");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(included_files_come_first_and_give_way),
	    cmocka_unit_test(files_that_were_read_are_listed_but_presets),
	    cmocka_unit_test(loops_and_crowds_of_includes_are_refused),
	    cmocka_unit_test(faults_of_included_files_have_their_place),
	    cmocka_unit_test(without_a_source_nothing_is_included),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
