/* SPDX-License-Identifier: Apache-2.0 */

/* Messages of decisions, and which rule they name. */

#include "judging.h"

static void
told(const char *text, struct sample_facts *sample, unsigned line,
    const char *want)
{
	struct w_policy *policy = policy_new(text);
	struct w_decision decision = judged(policy, &sample->c);

	if (strcmp(decision.message, want) != 0 ||
	    decision.reasons[0].rule->location.line != line) {
		print_error("%s\n  is %u: %s\n  not %u: %s\n", text,
		    decision.reasons[0].rule->location.line, decision.message,
		    line, want);
		mismatches++;
	}
	assert_true(strlen(decision.message) < 320);
	w_decision_done(&decision);
	sample_facts_free(sample);
	w_policy_free(policy);
}

static void
says(const char *text, const char *line, unsigned place, const char *want)
{
	told(text, sample_facts_new(line), place, want);
}

static void
what_was_at_fault_is_named(void **state)
{
	(void)state;
	says("default: allow\nrules:\n  - deny: {program: sudo}\n",
	    "env sudo id", 4,
	    "the policy does not allow 'sudo id': it runs 'sudo'");
	says("default: allow\nrules:\n  - deny: {program: sudo}\n"
	     "    because: ask your admin\n",
	    "sudo id", 4,
	    "the policy does not allow 'sudo id': it runs 'sudo' (ask your "
	    "admin)");
	says("default: allow\nrules:\n  - deny: {write: ['/etc/**']}\n",
	    "cp a out/b", 4,
	    "the policy does not allow 'cp a out/b': it writes 'out/b', which "
	    "is '/etc/b'");
	says("rules:\n  - ask: {effect: net}\n", "curl -s a.example", 3,
	    "the policy asks for approval of 'curl -s a.example': it "
	    "reaches 'a.example'");
	says("default: deny\n", "rm 'a b'", 2,
	    "the policy does not allow 'rm 'a b'': it deletes 'a b', and no "
	    "rule allows it");
	says("default: {decision: deny, because: no rule allows it}\n", "rm a",
	    2,
	    "the policy does not allow 'rm a': it deletes 'a', and no rule "
	    "allows it");
	says("default: {decision: deny, because: ask ops}\n", "rm a", 2,
	    "the policy does not allow 'rm a': it deletes 'a', and no rule "
	    "allows it (ask ops)");
	says("rules:\n  - ask: {effect: net}\n"
	     "    because: it reaches 'a.example'\n",
	    "curl -s a.example", 3,
	    "the policy asks for approval of 'curl -s a.example': it "
	    "reaches 'a.example'");
	says("rules: [{allow: {effect: exec}}]\n", "frobnicate", 0,
	    "the policy asks for approval of 'frobnicate': it cannot be "
	    "analysed: no description of 'frobnicate'");
	says("default: ask\n", "frobnicate", 2,
	    "the policy asks for approval of 'frobnicate': it executes "
	    "'frobnicate', and no rule allows it");
}

static void
a_path_that_is_not_known_yet_is_said(void **state)
{
	struct sample_facts *sample = sample_facts_shell("cat \"$f\"");

	(void)state;
	/* Without walls that would hide what must not be read. */
	sample->c.walls = 0;
	sample->c.has_usual = false;
	told("shell: allow\nrules: [{allow: {effect: read}}, {ask: {effect: "
	     "unknown}}]\n",
	    sample, 3,
	    "the policy asks for approval of 'cat '$f'': it touches a path "
	    "that is known only when it runs");
}

static void
a_rule_may_have_its_own_words(void **state)
{
	(void)state;
	says("rules:\n  - deny: {program: rm}\n    message: 'Not allowed: "
	     "{command}, {binary}, {agent}, {cwd}, {program}'\n",
	    "/bin/rm x", 3,
	    "Not allowed: /bin/rm, rm, local, " ROOT ", /bin/rm");
	told("shell:\n  mode: deny\n  program: bash\n  message: '{binary}'\n",
	    sample_facts_shell("ls"), 2, "bash");
}

static void
agents_are_told_what_they_may_not(void **state)
{
	struct sample_facts *sample = sample_facts_new("echo hi");

	(void)state;
	sample->c.agent = "x";
	told("default: allow\nagents: {x: {tools: [ls]}}\n", sample, 3,
	    "agent 'x' is not allowed to execute 'echo'");
	sample = sample_facts_new("echo hi");
	sample->c.agent = "y";
	told("default: allow\nagents: {x: {tools: [ls]}}\n", sample, 3,
	    "agent 'y' is not allowed to execute 'echo': no policy names that "
	    "agent");
}

static void
the_first_rule_of_the_file_is_named(void **state)
{
	(void)state;
	says("programs: [ls]\narguments: strict-exec\nrules:\n"
	     "  - deny: {program: rm}\n",
	    "rm 'a;b'", 2,
	    "the policy does not allow 'rm 'a;b'': it runs 'rm', which is not "
	    "in the list");
	says("rules:\n  - deny: {program: rm}\n    message: a\n"
	     "  - deny: {program: 'r*'}\n    message: b\n",
	    "rm x", 3, "a");
	says("rules:\n  - ask: {program: rm}\n    message: a\n"
	     "  - deny: {program: 'r*'}\n    message: b\n",
	    "rm x", 5, "b");
}

static void
secrets_and_tricks_are_not_shown(void **state)
{
	(void)state;
	says("default: deny\n", "curl -u me:secret a.example", 2,
	    "the policy does not allow 'curl -u '***' a.example': it reaches "
	    "'a.example', and no rule allows it");
	says("default: deny\n", "rm 'a\nb\033[2J'", 2,
	    "the policy does not allow 'rm 'a\\x0ab\\x1b[2J'': it deletes "
	    "'a\\x0ab\\x1b[2J', and no rule allows it");
}

static void
a_line_that_is_too_long_is_cut(void **state)
{
	char line[2000];
	struct sample_facts *sample;

	(void)state;
	memset(line, 'x', sizeof(line));
	memcpy(line, "rm ", 3);
	line[sizeof(line) - 1] = '\0';
	sample = sample_facts_new(line);
	struct w_policy *policy = policy_new("default: deny\n");
	struct w_decision decision = judged(policy, &sample->c);
	assert_true(strlen(decision.message) < 320);
	assert_non_null(strstr(decision.message, "..."));
	w_decision_done(&decision);
	w_policy_free(policy);
	sample_facts_free(sample);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TABLE_TEST(what_was_at_fault_is_named),
	    TABLE_TEST(a_path_that_is_not_known_yet_is_said),
	    TABLE_TEST(a_rule_may_have_its_own_words),
	    TABLE_TEST(agents_are_told_what_they_may_not),
	    TABLE_TEST(the_first_rule_of_the_file_is_named),
	    TABLE_TEST(secrets_and_tricks_are_not_shown),
	    TABLE_TEST(a_line_that_is_too_long_is_cut),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
