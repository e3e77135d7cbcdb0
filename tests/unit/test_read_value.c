/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_text.h"

struct fault_row {
	const char *text;
	const char *fault; /* see policy_check_fault() */
};

static void
check_faults(const struct fault_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct w_policy_faults faults =
		    policy_faults_of(rows[i].text, NULL);

		if (faults.count != 1)
			fail_msg("%zu faults: %s", faults.count, rows[i].text);
		policy_check_fault(&faults.items[0], rows[i].fault);
		w_policy_faults_done(&faults);
	}
}

#define CHECK_FAULTS(rows) check_faults(rows, sizeof(rows) / sizeof((rows)[0]))
#define V                  "version: 1\n"

static void
what_is_no_policy_is_refused(void **state)
{
	static const struct fault_row rows[] = {
	    {"", "1:1: the document is empty ()"},
	    {"# x", "1:1: the document is empty ()"},
	    {"~", "1:1: the policy is empty (begin with 'version: 1')"},
	    {"\xff", "1:1: the document is not valid UTF-8"},
	    {V "# \xc3\xa4 \xc3x", "2:6: the document is not valid UTF-8"},
	    {"[]", "1:1: a policy must be a map, not a list ()"},
	    {"rules: []", "1:1: the policy has no version (begin with"},
	    {"version: 2", "1:10: version must be 1 ()"},
	    {"version: \"1\"",
		"1:10: version must be 1 (leave the quotes out)"},
	    {V "rulez: []", "2:1: a policy has no key 'rulez' (did you mean "
			    "'rules'?)"},
	    {V "version: 1", "2:1: "},
	    {V "a: *b", "2:4: anchors and aliases are not allowed"},
	    {V "rules:\n\t- x", "3:1: not valid YAML"},
	};

	(void)state;
	CHECK_FAULTS(rows);
}

static void
keys_say_what_they_take(void **state)
{
	static const struct fault_row rows[] = {
	    {V "default: alow",
		"2:10: default cannot be 'alow'; it is one of allow, ask, deny "
		"(did you mean 'allow'?)"},
	    {V "default: { decison: deny }", "2:10: default has no decision"},
	    {V "default: 1", "2:10: default must be text, not a number"},
	    {V "network: none",
		"2:10: network cannot be 'none'; it is one of off, loopback, "
		"host"},
	    {V "roots: [., /]", "2:12: the root '/' is everything ('.', "
				"'./DIRECTORY', "},
	    {V "roots: \"~\"", "2:8: the root '~' is the home directory"},
	    {V "roots: [src]", "2:9: the root 'src' must begin with '/', '~/' "
			       "or './' (did you mean './src'?)"},
	    {V "roots: ./a/../b", "2:8: roots './a/../b' has '..' in it"},
	    {V "limits: { timeout: 30 }", "2:20: timeout: bad duration '30'"},
	    {V "limits: { memory: lots }", "2:19: memory: bad size 'lots'"},
	    {V "limits: { memory: 0 }",
		"2:19: memory must not be 0 (leave it out for no limit)"},
	    {V "limits: { proceses: 4 }",
		"2:11: there is no limit 'proceses' (did you mean "
		"'processes'?)"},
	    {V "limits: { timeout: 2m, max_timeout: 1m }",
		"2:20: timeout is longer than max_timeout"},
	    {V "environment: { set: { A: 1 } }",
		"2:26: the variable 'A' must be text, not a number (put it in "
		"quotes)"},
	    {V "environment: { set: { A-B: x } }",
		"2:23: 'A-B' is not the name of a variable"},
	    {V "arguments: { message: x }",
		"2:23: arguments refuses nothing by itself"},
	    {V "shell: { mode: deny, program: zsh }",
		"2:31: the shell's program cannot be 'zsh'"},
	    {V "programs: { allow: true }",
		"2:11: programs has no list 'only'"},
	    {V "programs: { only: ls, allow: yes }",
		"2:30: allow must be true or false, not text"},
	    {V "agents: { a: { tool: ls } }",
		"2:16: an agent has no key 'tool' (did you mean 'tools'?)"},
	    {V "agents: { a: { message: x } }",
		"2:25: message is for what is not in tools"},
	    {V "agents: [a]", "2:9: agents must be a map from names"},
	    {V "exec_shape: shell", "2:13: exec_shape cannot be 'shell'"},
	    {V "agents: { a: { exec_shape: argv } }",
		"2:16: an agent has no key 'exec_shape'"},
	    {V "default_agent: [a]", "2:16: default_agent must be text"},
	    {V "expect: [ { allow: { agent: x } } ]",
		"2:20: an expectation is about a command or a shell text, and "
		"this one has none"},
	    {V "expect: [ { allow: 'a \"b' } ]", "2:20: a command: "},
	    {V "expect: [ { alow: x } ]", "2:13: an expectation has no key"},
	};

	(void)state;
	/* The first has two faults: an unknown key and a missing one. */
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct w_policy_faults faults =
		    policy_faults_of(rows[i].text, NULL);
		size_t at = 0;

		while (at + 1 < faults.count &&
		       faults.items[at].location.column !=
			   (unsigned)atoi(strchr(rows[i].fault, ':') + 1))
			at++;
		policy_check_fault(&faults.items[at], rows[i].fault);
		w_policy_faults_done(&faults);
	}
}

static void
rules_say_what_they_take(void **state)
{
	static const struct fault_row rows[] = {
	    {V "rules: { deny: ls }",
		"2:8: rules must be a list, not a map (begin each rule with "
		"'- ')"},
	    {V "rules: [ ls ]", "2:10: a rule must be a map, not text (did you "
				"mean 'allow: ls'?)"},
	    {V "rules: [ { because: x } ]",
		"2:10: this rule has none of allow, ask and deny"},
	    {V "rules: [ { ask: ls, deny: rm } ]",
		"2:21: a rule has one of allow, ask and deny; this one has "
		"'ask' and 'deny' (make it two rules)"},
	    {V "rules: [ { deny: } ]",
		"2:18: what a rule matches is a shape or a map, not null ({} "
		"matches every command)"},
	    {V "rules: [ { deny: [ls] } ]",
		"2:18: what a rule matches is a shape or a map, not a list "
		"(several shapes are { shape: [...] })"},
	    {V "rules: [ { deny: { efect: read } } ]",
		"2:20: a match has no key 'efect' (did you mean 'effect'?)"},
	    {V "rules: [ { deny: { effect: [read, wirte] } } ]",
		"2:35: there is no effect 'wirte' (did you mean 'write'?)"},
	    {V "rules: [ { deny: { effect: x } } ]",
		"2:28: there is no effect 'x' (there are read, write,"},
	    {V "rules: [ { deny: { program: [] } } ]",
		"2:29: program is an empty list"},
	    {V "rules: [ { deny: { program: 7 } } ]",
		"2:29: program must be text or a list of texts, not a number"},
	    {V "rules: [ { deny: { program: \"[ab\" } } ]",
		"2:29: program '[ab' has a '[' without a ']' ('[[]' stands for "
		"the bracket itself)"},
	    {V "rules: [ { deny: { program: \"[z-a]\" } } ]",
		"2:29: program '[z-a]' has a range that runs backwards"},
	    {V "rules: [ { deny: { program: bin/ls } } ]",
		"2:29: program 'bin/ls' must begin with '/', '~/', './' or "
		"'**/'"},
	    {V "rules: [ { deny: { write: src/** } } ]",
		"2:27: write 'src/**' must begin with '/', '~/', './' or '**/' "
		"('./src/**' in the roots, '**/src/**' anywhere)"},
	    {V "rules: [ { deny: { write: $HOME/x } } ]",
		"2:27: write '$HOME/x' must begin with '/', '~/', './' or "
		"'**/' (variables are not expanded"},
	    {V "rules: [ { deny: { write: \"~\" } } ]",
		"2:27: write '~' must begin with '/', '~/', './' or '**/' (did "
		"you mean '~/**'?)"},
	    {V "rules: [ { deny: { write: ~joe/x } } ]",
		"2:27: write '~joe/x' must begin with '/', '~/', './' or '**/' "
		"(write other users'"},
	    {V "rules: [ { deny: { write: /a/../b } } ]",
		"2:27: write '/a/../b' has '..' in it"},
	    {V "rules: [ { deny: { write: /a/./b } } ]",
		"2:27: write '/a/./b' has '/./' in it"},
	    {V "rules: [ { deny: { write: /a//b } } ]",
		"2:27: write '/a//b' has '//' in it"},
	    {V "rules: [ { deny: { write: /a/ } } ]",
		"2:27: write '/a/' ends with '/' ('/a/**' is the directory and "
		"what is in it)"},
	    {V "rules: [ { deny: { write: /a**/b } } ]",
		"2:27: write '/a**/b' has '**' beside other characters"},
	    {V "rules: [ { deny: { host: \"http://x/\" } } ]",
		"2:26: host 'http://x/' is not a host"},
	    {V "rules: [ { deny: { variable: $PATH } } ]",
		"2:30: variable '$PATH' is not the name of a variable (leave "
		"the '$' out)"},
	    {V "rules: [ { deny: { inputs: { a: { b: 1 } } } } ]",
		"2:33: the argument 'a' is compared with text"},
	    {V "rules: [ { deny: { sandbox: workspce } } ]",
		"2:29: sandbox 'workspce' must be none, env, container, "
		"readonly, "
		"workspace, strict, or '< ' and one of them (did you mean "
		"'workspace'?)"},
	    {V "rules: [ { deny: { sandbox: \"< none\" } } ]",
		"2:29: nothing is weaker than 'none'"},
	    {V "rules: [ { deny: { network: [off, lopback] } } ]",
		"2:35: network cannot be 'lopback'"},
	    {V "rules: [ { deny: { time: { from: 8am } } } ]",
		"2:34: from '8am' is not a time of day (hours and minutes"},
	    {V "rules: [ { deny: { time: { from: \"08:00\", to: 08:00 } } } ]",
		"2:26: no time is between 'from' and 'to'"},
	    {V "rules: [ { deny: { time: { days: [mon, funday] } } } ]",
		"2:40: days has no day 'funday'"},
	    {V "rules: [ { deny: { shape: git ... log } } ]",
		"2:27: '...' must be the last word of a shape"},
	    {V "rules: [ { deny: \"  \" } ]", "2:18: the shape is empty"},
	    {V "rules: [ { deny: \"\" } ]", "2:18: a shape is empty"},
	    {V "rules: [ { deny: ... } ]",
		"2:18: a shape begins with the name of a program"},
	    {V "rules: [ { deny: \"a 'b\" } ]", "2:18: a shape: "},
	    {V "rules: [ { deny: ls, because: \"a\\nb\" } ]",
		"2:31: because must be one line without control characters "
		"('>-' makes one line of several: because: >-)"},
	    {V "rules: [ { deny: ls, message: \"not {comand}\" } ]",
		"2:31: message has no name '{comand}' (there are {command},"},
	    {V "rules: [ { deny: ls, message: \"\" } ]",
		"2:31: message is empty"},
	};

	(void)state;
	CHECK_FAULTS(rows);
}

static void
all_faults_are_told_in_the_order_of_the_text(void **state)
{
	static const char text[] =
	    V "limits: { timeout: 9m, max_timeout: 1m }\n"
	      "shel: deny\n"
	      "rules:\n"
	      "  - deny: { efect: read, write: x }\n"
	      "    because: [x]\n"
	      "  - allow: ...\n"
	      "network: on\n"
	      "agents:\n"
	      "  a: { roots: / }\n"
	      "include: nothing\n";
	static const char *const wanted[] = {"2:20: timeout is",
	    "3:1: a policy", "5:13: a match has", "5:33: write 'x'",
	    "6:14: because must be", "7:12: a shape begins",
	    "8:10: network cannot", "10:15: the root",
	    "11:10: include: there is no preset"};
	struct w_policy_faults faults = policy_faults_of(text, NULL);

	(void)state;
	assert_int_equal(faults.count, sizeof(wanted) / sizeof(wanted[0]));
	for (size_t i = 0; i < faults.count; i++)
		policy_check_fault(&faults.items[i], wanted[i]);
	w_policy_faults_done(&faults);
}

static void
a_hundred_faults_are_enough(void **state)
{
	struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 65536);
	w_buf_add_str(&buf, V "rules:\n");
	for (size_t i = 0; i < 500; i++)
		w_buf_add_str(&buf, "  - deny: { writ: /x }\n");
	struct w_policy_faults faults = policy_faults_of(buf.data, NULL);
	assert_int_equal(faults.count, W_POLICY_FAULTS_MAX);
	assert_int_equal(faults.items[99].location.line, 102);
	w_policy_faults_done(&faults);
	w_buf_done(&buf);
}

/* A full fault list must not make an invalid policy valid. */
static void
faults_that_are_not_kept_count_as_well(void **state)
{
	static const char text[] = V "rulez: []\n";
	const struct w_policy_location location = {.file = "other.yaml"};
	struct w_policy_faults faults = {.items = NULL};
	struct w_policy *policy = NULL;
	writ_error err = {.status = WRIT_OK};

	(void)state;
	for (size_t i = 0; i < W_POLICY_FAULTS_MAX; i++)
		assert_true(
		    w_policy_faults_add(&faults, &location, false, "x", NULL));
	assert_int_equal(w_policy_read(text, strlen(text), "test.yaml", NULL,
			     &policy, &faults, &err),
	    WRIT_E_INVALID);
	assert_null(policy);
	assert_string_equal(
	    err.message, "test.yaml: the policy is not valid either");
	w_policy_faults_done(&faults);
}

/* A fault may quote text that must not reach a terminal. */
static void
faults_are_harmless_lines(void **state)
{
	struct w_policy_faults faults =
	    policy_faults_of(V "\"\\e[31m\\u202e\\n\": 1\n", NULL);

	(void)state;
	assert_null(strpbrk(faults.items[0].message, "\033\n"));
	w_policy_faults_done(&faults);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_no_policy_is_refused),
	    cmocka_unit_test(keys_say_what_they_take),
	    cmocka_unit_test(rules_say_what_they_take),
	    cmocka_unit_test(all_faults_are_told_in_the_order_of_the_text),
	    cmocka_unit_test(a_hundred_faults_are_enough),
	    cmocka_unit_test(faults_that_are_not_kept_count_as_well),
	    cmocka_unit_test(faults_are_harmless_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
