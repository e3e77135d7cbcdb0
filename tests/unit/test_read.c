/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_text.h"

static const struct w_rule *
find_kind(const struct w_policy *policy, enum w_rule_kind kind)
{
	for (size_t i = 0; i < policy->rule_count; i++) {
		if (policy->rules[i]->kind == kind)
			return policy->rules[i];
	}
	return NULL;
}

static void
smallest_policy_asks_about_everything(void **state)
{
	struct w_policy *policy = policy_read("version: 1\n", NULL);

	(void)state;
	assert_int_equal(policy->rule_count, 3);
	assert_non_null(find_kind(policy, W_RULE_AGENTS));
	assert_non_null(find_kind(policy, W_RULE_ROOTS));
	const struct w_rule *last = policy->rules[policy->rule_count - 1];
	assert_int_equal(last->kind, W_RULE_DEFAULT);
	assert_int_equal(last->verdict, W_ASK);
	assert_int_equal(last->spot.line, 0);
	assert_string_equal(last->spot.file, "test.yaml");
	assert_null(policy->default_agent);
	assert_null(policy->terms.sandbox);
	assert_string_equal(policy->shell_program, "sh");
	assert_string_equal(policy->files[0], "test.yaml");
	assert_null(policy->files[1]);
	w_policy_free(policy);
}

/* Where it is, what is wrong, and what to do; a beginning of "L:C: message
 * (suggestion)". */
struct fault_row {
	const char *text;
	const char *fault;
};

static struct w_policy_faults
faults_of(const char *text, struct policy_file *files)
{
	const struct w_policy_source source = {policy_include, files};
	struct w_policy_faults faults = {.items = NULL};
	struct w_policy *policy = NULL;
	writ_error err = {.status = WRIT_OK};

	if (w_policy_read(text, strlen(text), "test.yaml", &source, &policy,
		&faults, &err) != WRIT_E_INVALID)
		fail_msg("read: %s", text);
	assert_null(policy);
	assert_true(faults.count > 0);
	/* The first is what there is to say in one line. */
	assert_int_equal(err.status, WRIT_E_INVALID);
	assert_int_equal(err.line, faults.items[0].spot.line);
	assert_int_equal(err.column, faults.items[0].spot.column);
	assert_non_null(strstr(err.message, faults.items[0].message));
	return faults;
}

static void
check_fault(const struct w_policy_fault *fault, const char *wanted)
{
	char text[1024];

	(void)snprintf(text, sizeof(text), "%u:%u: %s (%s)", fault->spot.line,
	    fault->spot.column, fault->message,
	    fault->suggestion != NULL ? fault->suggestion : "");
	if (strncmp(text, wanted, strlen(wanted)) != 0)
		fail_msg("%s\nis not: %s", text, wanted);
	assert_false(fault->is_warning);
}

static void
check_faults(const struct fault_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct w_policy_faults faults = faults_of(rows[i].text, NULL);

		if (faults.count != 1)
			fail_msg("%zu faults: %s", faults.count, rows[i].text);
		check_fault(&faults.items[0], rows[i].fault);
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
	    {"\xff", "1:1: "},
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
		"2:23: 'A-B' is no name of a variable"},
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
	    {V "default_agent: [a]", "2:16: default_agent must be text"},
	    {V "expect: [ { allow: { agent: x } } ]",
		"2:20: an expectation is about a command or a shell text, and "
		"this one has none"},
	    {V "expect: [ { allow: 'a \"b' } ]", "2:20: a command: "},
	    {V "expect: [ { alow: x } ]", "2:13: an expectation has no key"},
	};

	(void)state;
	/* The first has two: an unknown key and one that is missing. */
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct w_policy_faults faults = faults_of(rows[i].text, NULL);
		size_t at = 0;

		while (at + 1 < faults.count &&
		       faults.items[at].spot.column !=
			   (unsigned)atoi(strchr(rows[i].fault, ':') + 1))
			at++;
		check_fault(&faults.items[at], rows[i].fault);
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
		"2:26: host 'http://x/' is no host"},
	    {V "rules: [ { deny: { variable: $PATH } } ]",
		"2:30: variable '$PATH' is no name of a variable (leave the "
		"'$' out)"},
	    {V "rules: [ { deny: { inputs: { a: { b: 1 } } } } ]",
		"2:33: the argument 'a' is compared with text"},
	    {V "rules: [ { deny: { sandbox: workspce } } ]",
		"2:29: sandbox 'workspce' is none of the walls: none, env, "
		"readonly, workspace, strict, or '< ' and one of them (did you "
		"mean 'workspace'?)"},
	    {V "rules: [ { deny: { sandbox: \"< none\" } } ]",
		"2:29: nothing is weaker than 'none'"},
	    {V "rules: [ { deny: { network: [off, lopback] } } ]",
		"2:35: network cannot be 'lopback'"},
	    {V "rules: [ { deny: { time: { from: 8am } } } ]",
		"2:34: from '8am' is no time of day (hours and minutes"},
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
	struct w_policy_faults faults = faults_of(text, NULL);

	(void)state;
	assert_int_equal(faults.count, sizeof(wanted) / sizeof(wanted[0]));
	for (size_t i = 0; i < faults.count; i++)
		check_fault(&faults.items[i], wanted[i]);
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
	struct w_policy_faults faults = faults_of(buf.data, NULL);
	assert_int_equal(faults.count, W_POLICY_FAULTS_MAX);
	assert_int_equal(faults.items[99].spot.line, 102);
	w_policy_faults_done(&faults);
	w_buf_done(&buf);
}

/* A fault may show what nobody should see on a terminal. */
static void
faults_are_harmless_lines(void **state)
{
	struct w_policy_faults faults =
	    faults_of(V "\"\\e[31m\\u202e\\n\": 1\n", NULL);

	(void)state;
	assert_null(strpbrk(faults.items[0].message, "\033\n"));
	w_policy_faults_done(&faults);
}

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
	assert_int_equal(rule->spot.line, 3);
	assert_int_equal(rule->spot.column, 5);
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
	assert_int_equal(rule->walls_below, 3);
	assert_int_equal(rule->walls_min, 0);
	assert_int_equal(rule->networks, 1 | 4);
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

/* Which reason is named goes by the file. */
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
		assert_true(rule->spot.line > 1);
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
	assert_true(policy->has_fence);
	assert_non_null(policy->programs);
	assert_null(policy->programs[0]);
	assert_non_null(find_kind(policy, W_RULE_PROGRAMS));
	assert_null(find_kind(policy, W_RULE_LISTED));
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
	assert_int_equal(agent->spot.line, 3);
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
	/* Not among those of everybody. */
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
	assert_int_equal(policy->expects[0].spot.line, 3);
	assert_int_equal(policy->expects[1].verdict, W_ASK);
	assert_null(policy->expects[1].argv);
	assert_string_equal(policy->expects[1].shell, "ls | wc");
	assert_int_equal(policy->expects[2].verdict, W_DENY);
	assert_string_equal(policy->expects[2].agent, "a");
	w_policy_free(policy);
}

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
	const struct w_rule *fence = find_kind(policy, W_RULE_PROGRAMS);
	const struct w_rule *agents = find_kind(policy, W_RULE_AGENTS);
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
	assert_string_equal(plain[0]->spot.file, "a.yaml");
	assert_string_equal(plain[1]->text, "deny: b");
	assert_string_equal(plain[2]->text, "allow: c");
	assert_string_equal(plain[2]->spot.file, "test.yaml");
	assert_int_equal(last->verdict, W_DENY);
	assert_string_equal(last->spot.file, "a.yaml");
	assert_string_equal(policy->terms.sandbox, "workspace");
	assert_string_equal(policy->terms.network, "host");
	assert_int_equal(policy->terms.limits.cpu_ms, 0);
	assert_int_equal(policy->terms.limits.memory, 1);
	/* A check stays where it was, with its words. */
	assert_string_equal(fence->programs[0], "cat");
	assert_string_equal(fence->message, "m");
	assert_string_equal(fence->because, "b");
	assert_string_equal(fence->spot.file, "test.yaml");
	assert_true(fence->order > plain[0]->order);
	assert_true(fence->order < plain[1]->order);
	/* Agents as well, and what they say themselves with them. */
	assert_int_equal(policy->agent_count, 3);
	assert_string_equal(policy->agents[0].terms.sandbox, "env");
	assert_string_equal(policy->agents[1].name, "y");
	assert_null(policy->agents[1].terms.sandbox);
	assert_int_equal(policy->agents[1].rules[0]->kind, W_RULE_TOOLS);
	assert_true(policy->agents[1].rules[0]->order > agents->order);
	assert_true(policy->agents[1].rules[0]->order < plain[0]->order);
	/* What a part expects of itself is not asked of the whole. */
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
	struct w_policy_faults faults = faults_of(V "include: a.yaml\n", loop);
	char text[1024] = V "include: [";

	(void)state;
	assert_int_equal(faults.count, 1);
	assert_string_equal(faults.items[0].spot.file, "b.yaml");
	check_fault(&faults.items[0], "2:10: 'test.yaml' includes itself");
	w_policy_faults_done(&faults);
	for (size_t i = 0; i < 65; i++)
		strcat(text, i > 0 ? ",x.yaml" : "x.yaml");
	strcat(text, "]\n");
	struct policy_file many[] = {{"x.yaml", V}, {NULL, NULL}};
	faults = faults_of(text, many);
	check_fault(&faults.items[0], "2:452: more than 64 files are included");
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
	struct w_policy_faults faults = faults_of(
	    V "include: [a.yaml, b.yaml, c.yaml]\nrulez: []\n", files);

	(void)state;
	assert_int_equal(faults.count, 4);
	assert_string_equal(faults.items[0].spot.file, "test.yaml");
	check_fault(&faults.items[0], "2:27: include: there is no preset");
	check_fault(&faults.items[1], "3:1: a policy has no key 'rulez'");
	assert_string_equal(faults.items[2].spot.file, "a.yaml");
	assert_string_equal(faults.items[3].spot.file, "b.yaml");
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
	    cmocka_unit_test(what_is_no_policy_is_refused),
	    cmocka_unit_test(keys_say_what_they_take),
	    cmocka_unit_test(rules_say_what_they_take),
	    cmocka_unit_test(all_faults_are_told_in_the_order_of_the_text),
	    cmocka_unit_test(a_hundred_faults_are_enough),
	    cmocka_unit_test(faults_are_harmless_lines),
	    cmocka_unit_test(rules_have_all_that_they_say),
	    cmocka_unit_test(rules_are_told_on_one_line),
	    cmocka_unit_test(keys_are_rules_at_their_place),
	    cmocka_unit_test(a_fence_may_leave_the_allowing_to_rules),
	    cmocka_unit_test(terms_are_as_they_say),
	    cmocka_unit_test(agents_have_rules_of_their_own),
	    cmocka_unit_test(expectations_are_commands_or_texts),
	    cmocka_unit_test(included_files_come_first_and_give_way),
	    cmocka_unit_test(files_that_were_read_are_listed_but_presets),
	    cmocka_unit_test(loops_and_crowds_of_includes_are_refused),
	    cmocka_unit_test(faults_of_included_files_have_their_place),
	    cmocka_unit_test(without_a_source_nothing_is_included),
	    cmocka_unit_test(presets_are_policies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
