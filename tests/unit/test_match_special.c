/* SPDX-License-Identifier: Apache-2.0 */

/* Agents, tiers, directories, times and grants. */

#include "judging.h"

/* Evaluates one command line of one agent. */
static void
agent_is(const struct w_policy *policy, const char *agent, const char *line,
    const char *want)
{
	struct sample_facts *sample = sample_facts_new(line);

	sample->c.agent = agent;
	case_is(policy, sample, line, want);
	sample_facts_free(sample);
}

static void
agents_have_rules_and_tools_of_their_own(void **state)
{
	struct w_policy *policy =
	    policy_new("rules: [{allow: {}}]\n"
		       "agents:\n"
		       "  reviewer:\n"
		       "    tools: [ls, cat, 'cli.git.*', sh]\n"
		       "    rules: [{deny: {effect: code}}]\n"
		       "  'build-*': {}\n");

	(void)state;
	agent_is(policy, "reviewer", "ls", "allow");
	agent_is(policy, "reviewer", "rm x", "deny");
	agent_is(policy, "reviewer", "git show a:b", "allow");
	agent_is(policy, "reviewer", "git add x", "deny");
	agent_is(policy, "reviewer", "env ls", "deny");
	/* A shell command does not need a rule for `sh`. */
	agent_is(policy, "reviewer", "sh -c ls", "deny");
	agent_is(policy, "build-1", "rm x", "allow");
	agent_is(policy, NULL, "rm x", "allow");
	agent_is(policy, "local", "rm x", "allow");
	agent_is(policy, "somebody", "ls", "deny");
	w_policy_free(policy);
}

/* The command line as a call of the module "my.tool". */
static void
call_is(const struct w_policy *policy, bool is_trusted, const char *line,
    const char *want)
{
	struct sample_facts *sample = sample_facts_new(line);

	sample->c.agent = "a";
	sample->c.module = "my.tool";
	sample->c.is_module_trusted = is_trusted;
	case_is(policy, sample, line, want);
	sample_facts_free(sample);
}

static void
a_module_goes_by_the_id_that_is_called_too(void **state)
{
	struct w_policy *denies = policy_new(
	    "rules: [{allow: {}}, {deny: {module: 'My.*'}}]\nagents: {a: {}}");
	struct w_policy *asks = policy_new(
	    "rules: [{allow: {}}, {ask: {module: my.tool}}]\nagents: {a: {}}");
	struct w_policy *allows =
	    policy_new("default: deny\nrules: [{allow: {module: my.tool}}]\n"
		       "agents: {a: {}}");

	(void)state;
	for (int is_trusted = 0; is_trusted < 2; is_trusted++) {
		call_is(denies, is_trusted, "ls", "deny");
		call_is(asks, is_trusted, "ls", "ask");
	}
	call_is(allows, true, "rm x", "allow");
	call_is(allows, false, "rm x", "deny");
	/* Inner commands are not calls of the module. */
	call_is(allows, true, "env rm x", "deny");
	w_policy_free(denies);
	w_policy_free(asks);
	w_policy_free(allows);
}

static void
a_tool_goes_by_the_id_that_is_called_too(void **state)
{
	struct w_policy *policy = policy_new(
	    "rules: [{allow: {}}]\nagents: {a: {tools: [my.tool, cli.cat]}}");

	(void)state;
	call_is(policy, true, "ls", "allow");
	call_is(policy, false, "ls", "deny");
	call_is(policy, false, "cat x", "allow");
	call_is(policy, true, "env ls", "deny");
	w_policy_free(policy);
}

/* The same for a module that asks for approval of each call. */
static void
approval_is(const char *text, bool is_trusted, const char *want)
{
	struct w_policy *policy = policy_new(text);
	struct sample_facts *sample = sample_facts_new("ls");

	sample->c.module = "my.tool";
	sample->c.is_module_trusted = is_trusted;
	sample->c.needs_approval = true;
	case_is(policy, sample, text, want);
	sample_facts_free(sample);
	w_policy_free(policy);
}

static void
what_a_module_wants_approved_is_allowed_by_its_name_alone(void **state)
{
	static const char by_id[] =
	    "rules: [{allow: {effect: read}}, {allow: {module: 'my.*'}}]";

	(void)state;
	approval_is("default: allow", true, "ask");
	approval_is("rules: [{allow: {effect: read}}]", true, "ask");
	approval_is("rules: [{allow: {program: ls}}]", true, "ask");
	approval_is("rules: [{allow: {module: cli.ls}}]", true, "ask");
	approval_is("programs: [ls]", true, "ask");
	approval_is("default: deny\nrules: [{allow: ls ...}]", true, "deny");
	approval_is(by_id, true, "allow");
	approval_is(by_id, false, "ask");
	approval_is("rules: [{allow: {}}]", true, "allow");
	approval_is(
	    "rules: [{allow: {effect: [read, approval]}}]", false, "allow");
	approval_is(
	    "rules: [{allow: {}}, {deny: {effect: approval}}]", true, "deny");
}

static void
bash_is_the_tool_for_shell_texts(void **state)
{
	struct w_policy *policy =
	    policy_new("rules: [{allow: {}}]\n"
		       "agents: {a: {tools: [bash]}, b: {tools: [ls]}}\n");
	struct sample_facts *sample = sample_facts_shell("ls | cat");

	(void)state;
	sample->c.agent = "a";
	case_is(policy, sample, "ls | cat", "allow");
	sample->c.agent = "b";
	case_is(policy, sample, "ls | cat", "deny");
	sample_facts_free(sample);
	w_policy_free(policy);
}

static void
who_no_policy_names_is_denied(void **state)
{
	struct w_policy *plain = policy_new("rules: [{allow: {}}]\n");
	struct w_policy *other =
	    policy_new("rules: [{allow: {}}]\ndefault_agent: coder\n");

	(void)state;
	agent_is(plain, "somebody", "ls", "deny");
	agent_is(plain, "local", "ls", "allow");
	agent_is(other, "coder", "ls", "allow");
	agent_is(other, "local", "ls", "deny");
	agent_is(other, NULL, "ls", "allow");
	w_policy_free(plain);
	w_policy_free(other);
}

static void
what_one_tier_knows_another_may_deny(void **state)
{
	struct w_policy *system =
	    policy_new("default: allow\nrules: [{deny: {program: rm}}]\n");
	struct w_policy *user =
	    policy_new("default: allow\nrules: [{ask: {program: cat}}]\n"
		       "agents: {helper: {}}\n");
	const struct w_policy_tier tiers[] = {
	    {.tier = W_TIER_SYSTEM, .policy = system, .roots = judged_roots},
	    {.tier = W_TIER_USER, .policy = user, .roots = judged_roots}};
	const struct w_policy_set policy_set = {.tiers = tiers, .count = 2};
	static const struct {
		const char *line;
		enum w_verdict verdict;
		enum w_tier tier;
	} rows[] = {{"rm x", W_DENY, W_TIER_SYSTEM},
	    {"cat x", W_ASK, W_TIER_USER}, {"ls", W_ALLOW, W_TIER_SYSTEM},
	    {"sh -c 'cat x; rm x'", W_DENY, W_TIER_SYSTEM}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sample_facts *sample = sample_facts_new(rows[i].line);
		struct w_decision decision;

		sample->c.agent = "helper";
		assert_int_equal(
		    w_policy_evaluate(&policy_set, &sample->c, &decision, NULL),
		    WRIT_OK);
		assert_int_equal(decision.verdict, rows[i].verdict);
		assert_int_equal(decision.reasons[0].tier, rows[i].tier);
		assert_string_equal(decision.agent, "helper");
		w_decision_done(&decision);
		sample_facts_free(sample);
	}
	w_policy_free(system);
	w_policy_free(user);
}

static void
the_first_tier_that_names_a_default_agent_counts(void **state)
{
	static const char plain[] = "rules: [{allow: {}}]\n";
	static const char coder[] =
	    "default_agent: coder\nrules: [{allow: {}}]\n";
	static const char local[] =
	    "default_agent: local\nrules: [{allow: {}}]\n";
	static const struct {
		const char *first;
		enum w_tier tier;
		const char *agent;
	} rows[] = {{plain, W_TIER_SYSTEM, "coder"},
	    {local, W_TIER_SYSTEM, "local"}, {local, W_TIER_PROJECT, "coder"}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct w_policy *first = policy_new(rows[i].first);
		struct w_policy *second = policy_new(coder);
		const struct w_policy_tier tiers[] = {
		    {.tier = rows[i].tier,
			.policy = first,
			.roots = judged_roots},
		    {.tier = W_TIER_USER,
			.policy = second,
			.roots = judged_roots}};
		const struct w_policy_set policy_set = {
		    .tiers = tiers, .count = 2};
		struct sample_facts *sample = sample_facts_new("ls");
		struct w_decision decision;

		assert_int_equal(
		    w_policy_evaluate(&policy_set, &sample->c, &decision, NULL),
		    WRIT_OK);
		assert_string_equal(decision.agent, rows[i].agent);
		w_decision_done(&decision);
		sample_facts_free(sample);
		w_policy_free(first);
		w_policy_free(second);
	}
}

static void
a_directory_outside_of_the_roots_is_denied(void **state)
{
	struct w_policy *policy =
	    policy_new("roots: {paths: [.], message: not here}\n"
		       "rules: [{allow: {}}]\n");
	struct sample_facts *sample = sample_facts_new("ls");

	(void)state;
	case_is(policy, sample, "ls in " ROOT, "allow");
	sample->c.cwd = ROOT "/src";
	case_is(policy, sample, "ls in src", "allow");
	sample->c.cwd = ROOT "x";
	case_is(policy, sample, "ls in a neighbour", "deny");
	sample->c.cwd = "/";
	case_is(policy, sample, "ls in /", "deny");
	/* Nothing can run there; that error is reported elsewhere. */
	sample->c.cwd = NULL;
	case_is(policy, sample, "ls nowhere", "allow");
	sample_facts_free(sample);
	w_policy_free(policy);
}

static void
roots_without_a_message_only_say_where_runs_may_write(void **state)
{
	struct w_policy *policy =
	    policy_new("roots: [.]\nrules: [{allow: {}}]\n");
	struct sample_facts *sample = sample_facts_new("ls");

	(void)state;
	sample->c.cwd = "/";
	case_is(policy, sample, "ls in /", "allow");
	sample_facts_free(sample);
	w_policy_free(policy);
}

/* How a policy decides requests for more than the sandbox gives. */
static void
more_is(const char *rules, const char *verdict)
{
	static const char *const more[] = {"the sandbox 'none'", NULL};
	struct w_policy *policy = policy_new(rules);
	struct sample_facts *sample = sample_facts_new("ls");

	sample->c.more = more;
	case_is(policy, sample, rules, verdict);
	sample_facts_free(sample);
	w_policy_free(policy);
}

static void
more_than_the_walls_is_allowed_by_its_name_alone(void **state)
{
	(void)state;
	more_is("default: allow\n", "ask");
	more_is("default: deny\nrules: [{allow: ls}]\n", "deny");
	more_is("default: deny\nrules: [{allow: ls ...}]\n", "deny");
	more_is("default: ask\nrules: [{allow: {program: ls}}]\n", "ask");
	more_is("default: ask\nrules: [{allow: {effect: read}}]\n", "ask");
	more_is("default: ask\nprograms: [ls]\n", "ask");
	more_is(
	    "default: ask\nrules: [{allow: {sandbox: workspace}}]\n", "ask");
	more_is("default: ask\nrules: [{allow: {network: off}}]\n", "ask");
	more_is("default: ask\nrules: [{allow: {effect: [read, more]}}]\n",
	    "allow");
	more_is("default: ask\nrules: [{allow: {}}]\n", "allow");
	more_is("rules: [{allow: {}}, {ask: {effect: more}}]\n", "ask");
	more_is("rules: [{allow: {}}, {deny: {effect: more}}]\n", "deny");
	more_is("rules: [{allow: {}}, {deny: {program: ls}}]\n", "deny");
}

static void
a_trusted_callers_walls_are_looked_at_by_denials_alone(void **state)
{
	struct w_policy *policy = policy_new(
	    "rules:\n"
	    "  - allow: {effect: read, sandbox: workspace, network: off}\n"
	    "  - ask: {sandbox: '< workspace'}\n"
	    "  - deny: {sandbox: '< env'}\n");
	struct sample_facts *sample = sample_facts_new("ls");

	(void)state;
	sample->c.walls = 1;
	sample->c.network = W_POLICY_NETWORK_HOST;
	case_is(policy, sample, "an untrusted one's env", "ask");
	sample->c.has_usual = true;
	sample->c.usual_walls = 4;
	sample->c.usual_network = W_POLICY_NETWORK_OFF;
	case_is(policy, sample, "env", "allow");
	sample->c.walls = 0;
	case_is(policy, sample, "none", "deny");
	sample_facts_free(sample);
	w_policy_free(policy);
}

static void
walls_and_network_are_those_of_the_plan(void **state)
{
	struct w_policy *policy = policy_new(
	    "rules:\n"
	    "  - allow: {effect: read, sandbox: workspace, network: off}\n"
	    "  - deny: {sandbox: '< readonly'}\n");
	struct sample_facts *sample = sample_facts_new("ls");

	(void)state;
	case_is(policy, sample, "workspace", "allow");
	sample->c.walls = 5;
	case_is(policy, sample, "strict", "allow");
	sample->c.network = W_POLICY_NETWORK_HOST;
	case_is(policy, sample, "strict with a network", "ask");
	sample->c.walls = 3;
	case_is(policy, sample, "readonly", "ask");
	sample->c.walls = 2;
	case_is(policy, sample, "container", "deny");
	sample->c.walls = 1;
	case_is(policy, sample, "env", "deny");
	sample_facts_free(sample);
	w_policy_free(policy);
}

#define AT(day, hour, minute) ((day)*1440U + (hour)*60U + (minute))

static void
times_are_of_the_week(void **state)
{
	struct w_policy *policy = policy_new(
	    "rules: [{allow: {time: {days: mon-fri, from: '08:00', to: "
	    "'18:00'}}}, {allow: {time: {days: [sat], from: '22:00', to: "
	    "'02:00'}}}]\n");
	static const struct {
		unsigned minute;
		const char *want;
	} rows[] = {{AT(0, 8, 0), "allow"}, {AT(0, 7, 59), "ask"},
	    {AT(4, 17, 59), "allow"}, {AT(4, 18, 0), "ask"},
	    {AT(5, 12, 0), "ask"}, {AT(5, 23, 0), "allow"},
	    {AT(6, 1, 59), "allow"}, {AT(6, 2, 0), "ask"},
	    {AT(5, 1, 0), "ask"}};
	struct sample_facts *sample = sample_facts_new("ls");

	(void)state;
	sample->c.has_time = true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sample->c.week_minute = rows[i].minute;
		case_is(policy, sample, "ls", rows[i].want);
	}
	sample->c.has_time = false;
	case_is(policy, sample, "ls without a clock", "ask");
	sample_facts_free(sample);
	w_policy_free(policy);
}

static void
a_grant_allows_what_would_be_asked(void **state)
{
	struct w_policy *policy = policy_new(
	    "rules: [{allow: {effect: read}}, {deny: {program: sudo}}]\n");
	struct w_policy *granted = policy_new("rules: [{allow: rm x}]\n");
	const struct w_policy_tier tier = {
	    .tier = W_TIER_USER, .policy = policy, .roots = judged_roots};
	const struct w_grant grants[] = {
	    {.id = "first", .rule = granted->rules[0]}};
	const struct w_policy_set policy_set = {
	    .tiers = &tier, .count = 1, .grants = grants, .grant_count = 1};
	static const struct {
		const char *line;
		enum w_verdict verdict;
		bool has_grant;
	} rows[] = {{"rm x", W_ALLOW, true}, {"env rm x", W_ALLOW, true},
	    {"rm y", W_ASK, false}, {"ls", W_ALLOW, false},
	    {"sh -c 'rm x; rm y'", W_ASK, false}, {"sudo rm x", W_DENY, false}};

	(void)state;
	for (size_t i = 0; i < granted->rule_count; i++)
		assert_true(i > 0 || granted->rules[i]->kind == W_RULE_PLAIN);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sample_facts *sample = sample_facts_new(rows[i].line);
		struct w_decision decision;

		assert_int_equal(
		    w_policy_evaluate(&policy_set, &sample->c, &decision, NULL),
		    WRIT_OK);
		assert_int_equal(decision.verdict, rows[i].verdict);
		assert_ptr_equal(
		    decision.grant, rows[i].has_grant ? &grants[0] : NULL);
		w_decision_done(&decision);
		sample_facts_free(sample);
	}
	w_policy_free(policy);
	w_policy_free(granted);
}

static void
without_a_policy_somebody_has_to_be_asked(void **state)
{
	const struct w_policy_set policy_set = {.count = 0};
	struct sample_facts *sample = sample_facts_new("ls");
	struct w_decision decision;

	(void)state;
	assert_int_equal(
	    w_policy_evaluate(&policy_set, &sample->c, &decision, NULL),
	    WRIT_OK);
	assert_int_equal(decision.verdict, W_ASK);
	assert_int_equal(decision.reason_count, 1);
	assert_non_null(decision.reasons[0].rule);
	w_decision_done(&decision);
	sample_facts_free(sample);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TABLE_TEST(agents_have_rules_and_tools_of_their_own),
	    TABLE_TEST(a_module_goes_by_the_id_that_is_called_too),
	    TABLE_TEST(a_tool_goes_by_the_id_that_is_called_too),
	    TABLE_TEST(
		what_a_module_wants_approved_is_allowed_by_its_name_alone),
	    TABLE_TEST(bash_is_the_tool_for_shell_texts),
	    TABLE_TEST(who_no_policy_names_is_denied),
	    TABLE_TEST(what_one_tier_knows_another_may_deny),
	    TABLE_TEST(the_first_tier_that_names_a_default_agent_counts),
	    TABLE_TEST(a_directory_outside_of_the_roots_is_denied),
	    TABLE_TEST(roots_without_a_message_only_say_where_runs_may_write),
	    TABLE_TEST(more_than_the_walls_is_allowed_by_its_name_alone),
	    TABLE_TEST(a_trusted_callers_walls_are_looked_at_by_denials_alone),
	    TABLE_TEST(walls_and_network_are_those_of_the_plan),
	    TABLE_TEST(times_are_of_the_week),
	    TABLE_TEST(a_grant_allows_what_would_be_asked),
	    TABLE_TEST(without_a_policy_somebody_has_to_be_asked),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
