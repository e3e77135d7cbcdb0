/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Properties of all decisions, over random policies and requests: the order of
 * rules does not matter; more rules that deny or ask never loosen, more that
 * allow never tighten, and more tiers never loosen; a grant never changes a
 * denial; the index finds what testing every rule finds.
 */

#include "dice.h"
#include "judging.h"
#include "sampling.h"

#define ROUNDS    3000
#define RULES_MAX 12

static const char *const programs[] = {"ls", "rm", "cat", "git", "sudo", "'*'",
    "'s*'", "/usr/bin/rm", "'**/cat'", "./run.sh", "RM", "frobnicate"};
static const char *const effects[] = {"read", "write", "delete", "exec", "code",
    "net", "publish", "priv", "unknown", "[read, write]",
    "[net, publish, unknown]"};
static const char *const paths[] = {"'./**'", "'/etc/**'", "/etc/passwd",
    "'**/.git/hooks/**'", "'~/.ssh/**'", "'**/*.key'", "'./src/*'", "'/**'",
    "'/home/*/x'", "['./a', '~/**']", "'./.git/config'", "'**/src/**'"};
static const char *const keys[] = {"read", "write", "delete", "exec"};
static const char *const shapes[] = {"ls ...", "rm -r ...", "git show ...",
    "rm x", "cat *", "sort -o out ...", "/usr/bin/rm ...", "git * ..."};
static const char *const hosts[] = {
    "a.example", "'*.example'", "'*'", "'a.*'", "h", "A.EXAMPLE"};
static const char *const others[] = {"sandbox: workspace", "sandbox: strict",
    "sandbox: '< workspace'", "network: off", "network: [loopback, host]",
    "shell: true", "shell: false", "agent: local", "agent: 'b*'",
    "variable: 'CURL_*'", "called_as: '*/*'", "called_as: ls",
    "module: 'cli.git.*'", "module: cli.rm", "module: '*'", "inputs: {f: true}",
    "inputs: {file: 'x*'}",
    "time: {days: mon-fri, from: '08:00', to: '18:00'}"};

static const char *const lines[] = {"ls", "ls -l src", "ls --bad", "rm x",
    "rm -rf x", "rm -r .", "rm -r .git", "rm -r /home/u", "rm -r /",
    "rm -r /work", "rm -r /home", "cp a /work", "cat link", "cat /etc/passwd",
    "cat a.key", "cp a src/b", "cp a .git", "cp a .", "cp a out/x",
    "git show HEAD", "git show a:b", "git -C src add x",
    "git config --global a b", "sudo ls", "env sudo rm x",
    "timeout 5 nice rm y", "frobnicate x", "env frobnicate", "./run.sh",
    "/usr/bin/rm z", "/opt/ls", "curl https://a.example/",
    "curl -o x b.example", "ssh h rm x", "ssh h.example make",
    "env CURL_HOME=. curl a.example", "sort -o out in",
    "sort -o out -o /etc/x in", "make", "make -C src",
    "find . -exec rm '{}' ';'", "xargs rm", "sh -c 'ls; rm x > y'",
    "sh -c '$x'", "python3 x.py", "echo 'a;b'", "gzip /home/u/.ssh/id"};
static const char *const shells[] = {"ls | cat", "cd src && rm x", "$x",
    "sudo id; ls", "cat < link > out/x", "A=1 make"};

static void
add_key(struct w_buf *buf, struct dice *dice)
{
	switch (pick(dice, 6)) {
	case 0:
		w_buf_add_fmt(buf, "program: %s", PICK(dice, programs));
		break;
	case 1:
		w_buf_add_fmt(buf, "effect: %s", PICK(dice, effects));
		break;
	case 2:
		w_buf_add_fmt(
		    buf, "%s: %s", PICK(dice, keys), PICK(dice, paths));
		break;
	case 3:
		w_buf_add_fmt(buf, "shape: '%s'", PICK(dice, shapes));
		break;
	case 4:
		w_buf_add_fmt(buf, "host: %s", PICK(dice, hosts));
		break;
	default:
		w_buf_add_str(buf, PICK(dice, others));
	}
}

/* "{allow: {...}}", owned by the caller. Two keys may be the same; then it is
 * none. */
static char *
some_rule(struct dice *dice, const char *verdict)
{
	for (;;) {
		struct w_buf buf;
		struct w_policy_faults faults = {.count = 0};
		struct w_policy *policy = NULL;
		struct w_buf text;
		size_t len;

		w_buf_init(&buf, 4096);
		w_buf_add_fmt(&buf, "{%s: {", verdict);
		for (size_t i = pick(dice, 3); i > 0; i--) {
			add_key(&buf, dice);
			w_buf_add_str(&buf, ", ");
		}
		if (!chance(dice, 20))
			add_key(&buf, dice);
		w_buf_add_str(&buf, "}}");
		w_buf_init(&text, 8192);
		w_buf_add_fmt(&text, "version: 1\nrules: [%s]", buf.data);
		writ_status status = w_policy_read(
		    text.data, text.len, "p", NULL, &policy, &faults, NULL);
		w_policy_faults_done(&faults);
		w_buf_done(&text);
		w_policy_free(status == WRIT_OK ? policy : NULL);
		if (status == WRIT_OK)
			return w_buf_take(&buf, &len);
		w_buf_done(&buf);
	}
}

struct some_policy {
	char *rules[RULES_MAX + 1];
	size_t count;
	const char *head; /* other keys */
};

static void
policy_make(struct dice *dice, struct some_policy *out)
{
	static const char *const verdicts[] = {"allow", "allow", "ask", "deny"};
	static const char with_agents[] =
	    "default: allow\n"
	    "agents: {bob: {tools: [ls, cat, 'cli.git.*'], "
	    "rules: [{deny: {effect: write}}, {allow: {program: rm}}]}}\n";
	static const char *const heads[] = {"", "default: allow\n",
	    "default: deny\n", "programs: [ls, rm, cat, env]\n",
	    "shell: deny\n", "shell: allow\n", "arguments: strict-exec\n",
	    with_agents};

	out->count = pick(dice, RULES_MAX);
	for (size_t i = 0; i < out->count; i++)
		out->rules[i] = some_rule(dice, PICK(dice, verdicts));
	out->head = PICK(dice, heads);
}

static void
policy_done(struct some_policy *policy)
{
	for (size_t i = 0; i < policy->count; i++)
		free(policy->rules[i]);
}

static struct w_policy *
policy_read(const struct some_policy *policy, const char *more)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 1 << 20);
	w_buf_add_fmt(&buf, "%srules:\n", policy->head);
	for (size_t i = 0; i < policy->count; i++)
		w_buf_add_fmt(&buf, "  - %s\n", policy->rules[i]);
	if (more != NULL)
		w_buf_add_fmt(&buf, "  - %s\n", more);
	if (policy->count == 0 && more == NULL)
		w_buf_add_str(&buf, "  []\n");
	return policy_new(buf.data);
}

static struct sample_facts *
some_case(struct dice *dice)
{
	size_t network = pick(dice, 3);
	struct sample_facts *sample =
	    chance(dice, 6) ? sample_facts_shell(PICK(dice, shells))
			    : sample_facts_new(PICK(dice, lines));

	sample->c.walls = (unsigned)pick(dice, 6);
	sample->c.network = (enum w_policy_network)network;
	sample->c.has_time = !chance(dice, 4);
	sample->c.week_minute = (unsigned)pick(dice, 7 * 24 * 60);
	if (chance(dice, 3))
		sample->c.agent = chance(dice, 2) ? "bob" : "local";
	return sample;
}

static enum w_verdict
verdict_of(
    const struct w_policy_set *policy_set, const struct w_policy_facts *c)
{
	struct w_decision decision;

	assert_int_equal(
	    w_policy_evaluate(policy_set, c, &decision, NULL), WRIT_OK);
	enum w_verdict verdict = decision.verdict;
	w_decision_done(&decision);
	return verdict;
}

static enum w_verdict
verdict_by(const struct w_policy *policy, const struct w_policy_facts *c)
{
	const struct w_policy_tier tier = {
	    .tier = W_TIER_USER, .policy = policy, .roots = judged_roots};
	const struct w_policy_set policy_set = {.tiers = &tier, .count = 1};

	return verdict_of(&policy_set, c);
}

static void
each(void (*check)(
    struct dice *, struct some_policy *, const struct w_policy_facts *))
{
	for (uint64_t seed = 1 + sample_begin(); seed <= ROUNDS;
	     seed += sample_step()) {
		struct dice dice = {.state = seed};
		struct some_policy policy;

		policy_make(&dice, &policy);
		struct sample_facts *sample = some_case(&dice);
		check(&dice, &policy, &sample->c);
		sample_facts_free(sample);
		policy_done(&policy);
	}
}

/* ---- the properties ---- */

static void
check_order(struct dice *dice, struct some_policy *policy,
    const struct w_policy_facts *c)
{
	struct w_policy *before = policy_read(policy, NULL);

	for (size_t i = policy->count; i > 1; i--) {
		size_t other = pick(dice, i);
		char *rule = policy->rules[i - 1];

		policy->rules[i - 1] = policy->rules[other];
		policy->rules[other] = rule;
	}
	struct w_policy *after = policy_read(policy, NULL);
	assert_int_equal(verdict_by(before, c), verdict_by(after, c));
	w_policy_free(before);
	w_policy_free(after);
}

static void
the_order_of_rules_does_not_count(void **state)
{
	(void)state;
	each(check_order);
}

static void
check_more(struct dice *dice, struct some_policy *policy,
    const struct w_policy_facts *c)
{
	char *deny = some_rule(dice, chance(dice, 2) ? "deny" : "ask");
	char *allow = some_rule(dice, "allow");
	struct w_policy *plain = policy_read(policy, NULL);
	struct w_policy *stricter = policy_read(policy, deny);
	struct w_policy *looser = policy_read(policy, allow);

	assert_true(verdict_by(stricter, c) >= verdict_by(plain, c) ||
		    strncmp(deny, "{ask", 4) == 0);
	assert_true(verdict_by(looser, c) <= verdict_by(plain, c));
	w_policy_free(plain);
	w_policy_free(stricter);
	w_policy_free(looser);
	free(deny);
	free(allow);
}

static void
more_that_denies_never_loosens_and_more_that_allows_never_tightens(void **state)
{
	(void)state;
	each(check_more);
}

static void
check_tiers(struct dice *dice, struct some_policy *policy,
    const struct w_policy_facts *c)
{
	struct some_policy other;

	policy_make(dice, &other);
	struct w_policy *one = policy_read(policy, NULL);
	struct w_policy *two = policy_read(&other, NULL);
	const struct w_policy_tier tiers[] = {
	    {.tier = W_TIER_SYSTEM, .policy = one, .roots = judged_roots},
	    {.tier = W_TIER_USER, .policy = two, .roots = judged_roots}};
	const struct w_policy_set policy_set = {.tiers = tiers, .count = 2};
	/* An agent known to one tier is known. */
	if (c->agent == NULL || strcmp(c->agent, "local") == 0) {
		enum w_verdict both = verdict_of(&policy_set, c);
		enum w_verdict first = verdict_by(one, c);
		enum w_verdict second = verdict_by(two, c);

		assert_int_equal(both, first > second ? first : second);
	}
	w_policy_free(one);
	w_policy_free(two);
	policy_done(&other);
}

static void
the_strictest_tier_counts(void **state)
{
	(void)state;
	each(check_tiers);
}

static void
check_grants(struct dice *dice, struct some_policy *policy,
    const struct w_policy_facts *c)
{
	char *allow = some_rule(dice, "allow");
	struct some_policy granted = {.rules = {allow}, .count = 1, .head = ""};
	struct w_policy *plain = policy_read(policy, NULL);
	struct w_policy *grants = policy_read(&granted, NULL);
	const struct w_policy_tier tier = {
	    .tier = W_TIER_USER, .policy = plain, .roots = judged_roots};
	struct w_grant grant = {.id = "g"};
	const struct w_policy_set policy_set = {
	    .tiers = &tier, .count = 1, .grants = &grant, .grant_count = 1};
	enum w_verdict before = verdict_by(plain, c);

	/* The whole request. */
	assert_int_equal(
	    verdict_of(&policy_set, c), before == W_DENY ? W_DENY : W_ALLOW);
	for (size_t i = 0; i < grants->rule_count; i++) {
		if (grants->rules[i]->kind == W_RULE_PLAIN)
			grant.rule = grants->rules[i];
	}
	enum w_verdict after = verdict_of(&policy_set, c);
	assert_true(after <= before);
	assert_true(before != W_DENY || after == W_DENY);
	w_policy_free(plain);
	w_policy_free(grants);
	free(allow);
}

static void
a_grant_never_touches_a_denial(void **state)
{
	(void)state;
	each(check_grants);
}

static bool
has_reason(const struct w_decision *decision, const struct w_reason *reason)
{
	for (size_t i = 0; i < decision->reason_count; i++) {
		if (decision->reasons[i].rule == reason->rule &&
		    decision->reasons[i].command == reason->command)
			return true;
	}
	return false;
}

static void
check_index(struct dice *dice, struct some_policy *policy,
    const struct w_policy_facts *c)
{
	struct w_policy *indexed = policy_read(policy, NULL);
	const struct w_rule_index *index = indexed->index;
	const struct w_policy_tier tier = {
	    .tier = W_TIER_USER, .policy = indexed, .roots = judged_roots};
	const struct w_policy_set policy_set = {.tiers = &tier, .count = 1};
	struct w_decision by_index;
	struct w_decision by_all;
	struct w_decision first;

	(void)dice;
	assert_non_null(index);
	assert_int_equal(
	    w_policy_evaluate_fully(&policy_set, c, &by_index, NULL), WRIT_OK);
	assert_int_equal(
	    w_policy_evaluate(&policy_set, c, &first, NULL), WRIT_OK);
	indexed->index = NULL;
	assert_int_equal(
	    w_policy_evaluate_fully(&policy_set, c, &by_all, NULL), WRIT_OK);
	indexed->index = index;
	assert_int_equal(by_index.verdict, by_all.verdict);
	assert_int_equal(by_index.verdict, first.verdict);
	assert_int_equal(by_index.reason_count, by_all.reason_count);
	assert_ptr_equal(by_index.reasons[0].rule, by_all.reasons[0].rule);
	assert_ptr_equal(by_index.reasons[0].rule, first.reasons[0].rule);
	assert_string_equal(by_index.message, first.message);
	for (size_t i = 0; i < by_all.reason_count; i++)
		assert_true(has_reason(&by_index, &by_all.reasons[i]));
	w_decision_done(&by_index);
	w_decision_done(&by_all);
	w_decision_done(&first);
	w_policy_free(indexed);
}

static void
the_index_finds_what_looking_at_all_finds(void **state)
{
	(void)state;
	each(check_index);
}

static void
check_generalised(struct dice *dice, struct some_policy *policy,
    const struct w_policy_facts *c)
{
	W_AUTO_BUF struct w_buf buf;

	(void)dice;
	(void)policy;
	w_buf_init(&buf, 1 << 20);
	if (c->shell != NULL)
		w_policy_generalise_text(&buf, c);
	else
		w_policy_generalise(&buf, c);
	if (buf.len == 0)
		return;
	struct some_policy granted = {
	    .rules = {buf.data}, .count = 1, .head = "default: deny\n"};
	struct w_policy *read = policy_read(&granted, NULL);
	struct w_policy_facts local = *c;
	local.agent = NULL;
	if (verdict_by(read, &local) != W_ALLOW)
		fail_msg("%s", buf.data);
	w_policy_free(read);
}

static void
what_is_granted_is_what_was_asked(void **state)
{
	(void)state;
	each(check_generalised);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_order_of_rules_does_not_count),
	    cmocka_unit_test(
		more_that_denies_never_loosens_and_more_that_allows_never_tightens),
	    cmocka_unit_test(the_strictest_tier_counts),
	    cmocka_unit_test(a_grant_never_touches_a_denial),
	    cmocka_unit_test(the_index_finds_what_looking_at_all_finds),
	    cmocka_unit_test(what_is_granted_is_what_was_asked),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
