/* SPDX-License-Identifier: Apache-2.0 */
#include "described_arguments.h"

static void
a_command_is_a_list_of_words(void **state)
{
	(void)state;
	writes(timeout_yaml, "cli.timeout",
	    "{'command':['ls','-v'],'duration':'5','verbose':true}",
	    WORDS("timeout", "--verbose", "5", "ls", "-v"));
	does_not_write(timeout_yaml, "cli.timeout",
	    "{'command':'ls','duration':'5'}", "a list of words");
	does_not_write(timeout_yaml, "cli.timeout",
	    "{'command':['ls',1],'duration':'5'}", "texts");
	does_not_write(timeout_yaml, "cli.timeout",
	    "{'command':[],'duration':'5'}", "'command' is missing");
}

static void
what_begins_a_command_is_protected(void **state)
{
	(void)state;
	writes(env_yaml, "cli.env", "{'command':['-i']}",
	    WORDS("env", "--", "-i"));
	writes(env_yaml, "cli.env", "{'assignment':['A=1'],'command':['-i']}",
	    WORDS("env", "--", "A=1", "-i"));
	does_not_write(env_yaml, "cli.env", "{'command':['A=1']}",
	    "'A=1' would be taken for something else");
	does_not_write(env_yaml, "cli.env",
	    "{'assignment':['x'],'command':['ls']}", "something else");
}

static void
a_command_behind_a_flag_has_an_end(void **state)
{
	(void)state;
	writes(find_yaml, "cli.find",
	    "{'expression':[{'exec':['rm','{}']},"
	    "{'exec':['ls','{}','+']}],'path':'-x'}",
	    WORDS("find", "./-x", "-exec", "rm", "{}", ";", "-exec", "ls", "{}",
		"+"));
	does_not_write(find_yaml, "cli.find",
	    "{'expression':[{'exec':['rm',';','{}']}]}", "';'");
	does_not_write(find_yaml, "cli.find",
	    "{'expression':[{'exec':['a','{}','+','b']}]}", "'b' must come");
}

static void
a_command_can_stand_behind_dashes(void **state)
{
	(void)state;
	writes(kubectl_yaml, "cli.kubectl.exec",
	    "{'pod':'p','command':['ls','-l'],'namespace':'a'}",
	    WORDS(
		"kubectl", "exec", "--namespace", "a", "p", "--", "ls", "-l"));
	does_not_write(kubectl_yaml, "cli.kubectl.exec",
	    "{'pod':'-p','command':['ls']}", "would be taken");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_command_is_a_list_of_words),
	    cmocka_unit_test(what_begins_a_command_is_protected),
	    cmocka_unit_test(a_command_behind_a_flag_has_an_end),
	    cmocka_unit_test(a_command_can_stand_behind_dashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
