/* SPDX-License-Identifier: Apache-2.0 */

/* Decisions: which rules hold for which commands, and who wins. */

#include "judging.h"

static void
the_strongest_rule_counts_wherever_it_stands(void **state)
{
	const struct w_rule *allow = RULE(W_ALLOW, .effects = 0);
	const struct w_rule *ask = RULE(W_ASK, .programs = GLOBS("ls"));
	const struct w_rule *deny = RULE(W_DENY, .programs = GLOBS("ls"));

	(void)state;
	argv_is(RULES(allow), "ls", "allow");
	argv_is(RULES(allow, ask), "ls", "ask");
	argv_is(RULES(deny, ask, allow), "ls", "deny");
	argv_is(RULES(allow, ask, deny), "ls", "deny");
	argv_is(RULES(allow, ask, deny), "cat x", "allow");
}

static void
every_item_has_to_be_allowed(void **state)
{
	const struct w_rule *read = RULE(W_ALLOW, .effects = W_EFFECT_READ);
	const struct w_rule *write =
	    RULE(W_ALLOW, .paths = {NULL, GLOBS("./**"), GLOBS("./**"), NULL});

	(void)state;
	argv_is(RULES(read), "cat a", "allow");
	argv_is(RULES(read), "echo hi", "allow");
	argv_is(RULES(read), "cp a b", "ask");
	argv_is(RULES(read, write), "cp a b", "allow");
	argv_is(RULES(read, write), "cp a /etc/b", "ask");
	argv_is(RULES(read, write), "rm b", "ask");
	argv_is(RULES(read, write), "cp a ../b", "ask");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TABLE_TEST(the_strongest_rule_counts_wherever_it_stands),
	    TABLE_TEST(every_item_has_to_be_allowed),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
