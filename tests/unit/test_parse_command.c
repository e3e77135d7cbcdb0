/* SPDX-License-Identifier: Apache-2.0 */

/* Parsing by descriptions, at least one for each style. */

#include "parsing.h"
#include "style_descriptions.h"

static void
parses(const char *yaml, const char *const *words, const char *id,
    const char *want)
{
	struct w_command *command = describe(yaml);
	struct w_argv_parse parse;
	struct w_argv_parse_fault fault;
	writ_error err = {0};

	if (w_argv_parse(command, ARGV(words, count_words(words)), &parse,
		&fault, &err) != WRIT_OK)
		fail_msg("%s: %zu:%zu: %s", want, fault.word, fault.offset,
		    err.message);
	assert_string_equal(parse.node->id, id);
	assert_parse(&parse, want);
	assert_round_trip(command, &parse);
	w_argv_parse_done(&parse);
	w_command_free(command);
}

static void
refused(const char *yaml, const char *const *words, const char *part,
    size_t word, size_t offset)
{
	struct w_command *command = describe(yaml);
	struct w_argv_parse parse;
	struct w_argv_parse_fault fault;
	writ_error err = {0};

	if (w_argv_parse(command, ARGV(words, count_words(words)), &parse,
		&fault, &err) == WRIT_OK)
		fail_msg("not refused, expected: %s", part);
	assert_fault(&fault, &err, part, word, offset);
	w_command_free(command);
}

static void
a_wrapper_reads_its_options_and_then_a_command(void **state)
{
	const char *id = "cli.timeout";

	(void)state;
	parses(timeout_yaml, WORDS("timeout", "-k", "1", "5", "sleep", "-v"),
	    id, "{'kill_after':'1','duration':'5','command':['sleep','-v']}");
	parses(timeout_yaml, WORDS("timeout", "-vsKILL", "--", "1m", "rm"), id,
	    "{'signal':'KILL','verbose':true,'duration':'1m',"
	    "'command':['rm']}");
	parses(timeout_yaml, WORDS("timeout", "5", "--", "x"), id,
	    "{'duration':'5','command':['--','x']}");
	parses(timeout_yaml, WORDS("timeout", "--help"), id, "{'help':true}");
	refused(timeout_yaml, WORDS("timeout", "--kill", "1", "5", "true"),
	    "kill-after", 1, 0);
	refused(timeout_yaml, WORDS("timeout", "5"), "command", 2, 0);
	refused(
	    timeout_yaml, WORDS("timeout", "soon", "true"), "duration", 1, 0);
	refused(timeout_yaml, WORDS("timeout", "-vk"), "missing", 2, 0);
	refused(
	    timeout_yaml, WORDS("timeout", "-kv", "5", "x"), "duration", 1, 2);
}

static void
words_before_a_command_are_told_by_their_type(void **state)
{
	const char *id = "cli.env";

	(void)state;
	parses(env_yaml, WORDS("env"), id, "{}");
	parses(env_yaml,
	    WORDS("env", "-i", "-u", "B", "A=1", "C=", "cmd", "D=2", "-u"), id,
	    "{'ignore_environment':true,'unset':['B'],"
	    "'assignment':['A=1','C='],'command':['cmd','D=2','-u']}");
	parses(env_yaml, WORDS("env", "-", "-i", "cmd"), id,
	    "{'ignore_environment':true,'command':['cmd']}");
	parses(env_yaml, WORDS("env", "--", "-", "x"), id,
	    "{'command':['-','x']}");
	parses(env_yaml, WORDS("env", "A=1", "--", "x"), id,
	    "{'assignment':['A=1'],'command':['--','x']}");
	parses(env_yaml, WORDS("env", "=1", "A=1"), id,
	    "{'command':['=1','A=1']}");
}

static void
an_expression_is_a_list_of_steps(void **state)
{
	const char *id = "cli.find";

	(void)state;
	parses(find_yaml,
	    WORDS("find", "-L", "-O2", "a", "-", "!", "(", "-name", "*.c", ")",
		"-fprintf", "out", "%p"),
	    id,
	    "{'L':true,'O':2,'path':['a','-'],'expression':[{'!':true},"
	    "{'(':true},{'name':'*.c'},{')':true},{'fprintf':['out','%p']}]}");
	parses(find_yaml,
	    WORDS("find", "-exec", "rm", "{}", ";", "-exec", "ls", "-l", "{}",
		"+", "-print"),
	    id,
	    "{'expression':[{'exec':['rm','{}']},"
	    "{'exec':['ls','-l','{}','+']},{'print':true}]}");
	parses(find_yaml, WORDS("find"), id, "{}");
	refused(find_yaml, WORDS("find", ".", "-prin"), "unknown", 2, 0);
	refused(find_yaml, WORDS("find", "-print", "x"), "before", 2, 0);
	refused(find_yaml, WORDS("find", ".", "-L"), "before", 2, 0);
	refused(find_yaml, WORDS("find", "-exec", "rm", "{}"), "';'", 4, 0);
	refused(find_yaml, WORDS("find", "-exec", ";"), "missing", 3, 0);
	refused(find_yaml, WORDS("find", "--", "x"), "unknown", 1, 0);
	refused(find_yaml, WORDS("find", "-O9"), "0 to 3", 1, 2);
}

static void
options_of_a_level_stand_before_the_next(void **state)
{
	(void)state;
	parses(git_yaml,
	    WORDS("git", "-C", "a", "-Cb", "-p", "log", "-p", "-5", "HEAD",
		"--", "-x", "f"),
	    "cli.git.log",
	    "{'chdir':['a','b'],'paginate':true,'max_count':5,'patch':true,"
	    "'revision':['HEAD'],'path':['-x','f']}");
	parses(git_yaml, WORDS("git", "log", "-n3", "--color", "--format=%h"),
	    "cli.git.log", "{'max_count':3,'format':'%h','color':true}");
	parses(git_yaml,
	    WORDS("git", "log", "--color=never", "-Sx=", "-n", "1"),
	    "cli.git.log", "{'max_count':1,'pickaxe':'x=','color':'never'}");
	parses(git_yaml, WORDS("git", "stash"), "cli.git.stash.push", "{}");
	parses(git_yaml, WORDS("git", "-p", "stash", "-p", "-m", "x"),
	    "cli.git.stash.push",
	    "{'paginate':true,'message':'x','patch':true}");
	parses(git_yaml, WORDS("git", "stash", "list"), "cli.git.stash.list",
	    "{}");
	parses(git_yaml, WORDS("git", "stash", "--", "list"),
	    "cli.git.stash.push", "{'path':['list']}");
	refused(git_yaml, WORDS("git", "lgo"), "'log'", 1, 0);
	refused(git_yaml, WORDS("git", "-p"), "missing", 2, 0);
	refused(git_yaml, WORDS("git", "--", "log"), "sub-command", 1, 0);
	refused(
	    git_yaml, WORDS("git", "log", "--no-pager"), "before the", 2, 0);
	refused(
	    git_yaml, WORDS("git", "log", "--format", "%h"), "attached", 2, 8);
	refused(git_yaml, WORDS("git", "log", "--color=x"), "choices", 2, 8);
	refused(git_yaml, WORDS("git", "log", "-pS"), "attached", 2, 3);
	refused(git_yaml, WORDS("git", "--pag", "log"), "paginate", 1, 0);
	parses(
	    git_yaml, WORDS("git", "--version"), "cli.git", "{'version':true}");
}

static void
a_cluster_finds_its_values_in_the_next_words(void **state)
{
	const char *id = "cli.tar";

	(void)state;
	parses(tar_yaml, WORDS("tar", "xfbz", "a.tar", "20", "m", "-C", "d"),
	    id,
	    "{'arguments':[{'extract':true},{'file':'a.tar'},{'b':20},"
	    "{'gzip':true},{'member':'m'},{'directory':'d'}]}");
	parses(tar_yaml, WORDS("tar", "-xzf", "a.tar", "m"), id,
	    "{'arguments':[{'extract':true},{'gzip':true},{'file':'a.tar'},"
	    "{'member':'m'}]}");
	refused(tar_yaml, WORDS("tar", "xq"), "'-q'", 1, 1);
	refused(tar_yaml, WORDS("tar", "xf"), "missing", 2, 0);
	refused(tar_yaml, WORDS("tar", ""), "empty", 1, 0);
	refused(tar_yaml, WORDS("tar", "a.tar"), "'-a'", 1, 0);
}

static void
pairs_have_names_and_values(void **state)
{
	(void)state;
	parses(dd_yaml, WORDS("dd", "if=a=b", "bs=4k", "of="), "cli.dd",
	    "{'if':'a=b','of':'','bs':'4k'}");
	parses(dd_yaml, WORDS("dd", "--help"), "cli.dd", "{'help':true}");
	refused(dd_yaml, WORDS("dd", "fi=x"), "unknown", 1, 0);
	refused(dd_yaml, WORDS("dd", "if"), "attached", 1, 2);
	refused(dd_yaml, WORDS("dd", "bs=x"), "size", 1, 3);
	refused(dd_yaml, WORDS("dd", "-if=x"), "unknown", 1, 0);
}

static void
whole_words_are_options_with_one_dash(void **state)
{
	const char *id = "cli.gcc";

	(void)state;
	parses(gcc_yaml,
	    WORDS("gcc", "-c", "-oa.o", "a.c", "-I", "x", "-Iy", "-std=c11",
		"-fPIC", "-fno-common", "-fplugin=p", "-Wl,-z,now", "--param=a",
		"--param", "b"),
	    id,
	    "{'c':true,'o':'a.o','I':['x','y'],'std':'c11',"
	    "'f':['PIC','no-common'],'fplugin':['p'],'linker':['-z,now'],"
	    "'param':['a','b'],'file':['a.c']}");
	refused(gcc_yaml, WORDS("gcc", "-co", "x"), "unknown", 1, 0);
	refused(gcc_yaml, WORDS("gcc", "-f"), "attached", 1, 2);
	refused(gcc_yaml, WORDS("gcc", "-std", "c11"), "attached", 1, 4);
}

static void
nothing_is_an_option_in_the_style_literal(void **state)
{
	(void)state;
	parses(
	    "command: echo\nstyle: literal\noperands: {\"word* <text>\": x}\n"
	    "effects: []\n",
	    WORDS("echo", "-n", "--", "--help", ""), "cli.echo",
	    "{'word':['-n','--','--help','']}");
}

static void
an_option_can_take_the_place_of_an_operand(void **state)
{
	const char *id = "cli.sed";

	(void)state;
	parses(sed_yaml, WORDS("sed", "s", "f"), id,
	    "{'script':'s','file':['f']}");
	parses(sed_yaml, WORDS("sed", "f", "-e", "s", "+5", "g"), id,
	    "{'expression':['s'],'line':5,'file':['f','g']}");
	parses(sed_yaml, WORDS("sed", "-ni.bak", "s"), id,
	    "{'in_place':'.bak','n':true,'script':'s'}");
	parses(sed_yaml, WORDS("sed", "-ni", "s"), id,
	    "{'in_place':true,'n':true,'script':'s'}");
	refused(sed_yaml, WORDS("sed", "-n"), "'script' is missing", 2, 0);
	refused(sed_yaml, WORDS("sed", "+x", "s"), "whole", 1, 1);
}

static void
a_command_takes_all_that_follows_in_every_style(void **state)
{
	const char *id = "cli.ssh";

	(void)state;
	parses(ssh_yaml, WORDS("ssh", "-v", "h", "-p", "2", "ls", "-v"), id,
	    "{'p':2,'v':true,'host':'h','command':['ls','-v']}");
	parses(ssh_yaml, WORDS("ssh", "-vvv", "h"), id,
	    "{'v':[true,true,true],'host':'h'}");
	refused(ssh_yaml, WORDS("ssh", "--", "-oProxyCommand=x", "ls"), "host",
	    2, 0);
}

static void
an_operand_may_begin_with_a_dash_where_that_is_said(void **state)
{
	const char *id = "cli.chmod";

	(void)state;
	parses(chmod_yaml, WORDS("chmod", "-x", "f"), id,
	    "{'mode':'-x','file':['f']}");
	parses(chmod_yaml, WORDS("chmod", "-R", "-x", "f"), id,
	    "{'recursive':true,'mode':'-x','file':['f']}");
	refused(chmod_yaml, WORDS("chmod", "-Rx", "f"), "unknown", 1, 2);
	refused(
	    chmod_yaml, WORDS("chmod", "--recu", "f", "g"), "recursive", 1, 0);
	refused(chmod_yaml, WORDS("chmod", "x", "-y", "f"), "unknown", 2, 1);
}

static void
nothing_is_missing_when_more_words_follow(void **state)
{
	struct w_command *command = describe(chmod_yaml);
	const char *const *words = WORDS("chmod", "-R");
	const struct w_argv_parse_input input = {
	    .argv = words, .argc = 2, .is_open_ended = true};
	struct w_argv_parse parse;
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    w_argv_parse(command, &input, &parse, NULL, &err), WRIT_OK);
	assert_parse(&parse, "{'recursive':true}");
	w_argv_parse_done(&parse);
	w_command_free(command);
}

static void
the_longest_name_counts_in_a_bundle(void **state)
{
	const char *id = "cli.zip";

	(void)state;
	parses(zip_yaml, WORDS("zip", "-rT", "f"), id,
	    "{'test':true,'r':true,'file':['f']}");
	parses(zip_yaml, WORDS("zip", "-TT", "f"), id, "{'tester':'f'}");
	parses(
	    zip_yaml, WORDS("zip", "-rTT", "f"), id, "{'tester':'f','r':true}");
}

static void
behind_a_last_option_all_is_an_operand(void **state)
{
	const char *id = "cli.python";

	(void)state;
	parses(python_yaml, WORDS("python", "-Bc", "x", "-B", "--", "y"), id,
	    "{'B':true,'c':'x','argument':['-B','--','y']}");
	parses(python_yaml, WORDS("python", "-B", "s.py", "-c"), id,
	    "{'B':true,'script':'s.py','argument':['-c']}");
	refused(python_yaml, WORDS("python", "-x", "-c", "y"), "unknown", 1, 1);
}

static void
options_of_a_level_may_stand_anywhere(void **state)
{
	(void)state;
	parses(kubectl_yaml,
	    WORDS(
		"kubectl", "-n=a", "exec", "-iv", "p", "-nb", "--", "ls", "-l"),
	    "cli.kubectl.exec",
	    "{'namespace':'b','v':true,'stdin':true,'pod':'p',"
	    "'command':['ls','-l']}");
	parses(kubectl_yaml, WORDS("kubectl", "get", "pod", "-o=json"),
	    "cli.kubectl.get", "{'output':'json','kind':'pod'}");
	parses(kubectl_yaml, WORDS("kubectl", "-o", "x", "get", "pod", "-oy"),
	    "cli.kubectl.get", "{'color':'x','output':'y','kind':'pod'}");
	parses(kubectl_yaml, WORDS("kubectl", "exec", "-ox", "p", "--", "ls"),
	    "cli.kubectl.exec", "{'color':'x','pod':'p','command':['ls']}");
	refused(kubectl_yaml, WORDS("kubectl", "exec", "p", "ls"), "too many",
	    3, 0);
	refused(
	    kubectl_yaml, WORDS("kubectl", "exec", "p", "--"), "command", 4, 0);
}

static void
the_last_operand_is_counted_from_the_end(void **state)
{
	const char *id = "cli.cp";

	(void)state;
	parses(cp_yaml, WORDS("cp", "a", "-r", "b", "c"), id,
	    "{'r':true,'source':['a','b'],'target':'c'}");
	parses(cp_yaml, WORDS("cp", "a", "b", "-t", "c"), id,
	    "{'target_directory':'c','source':['a','b']}");
	refused(cp_yaml, WORDS("cp", "a"), "'target' is missing", 2, 0);
	refused(cp_yaml, WORDS("cp", "-rl", "a", "b"), "used together", 1, 0);
}

static void
dashes_part_operands_where_some_stand_behind_them(void **state)
{
	const char *id = "cli.ggrep";

	(void)state;
	parses(ggrep_yaml, WORDS("ggrep", "-l", "x", "-l", "--", "--", "f"), id,
	    "{'l':true,'pattern':'x','revision':['-l'],'path':['--','f']}");
	parses(ggrep_yaml, WORDS("ggrep", "x", "y"), id,
	    "{'pattern':'x','revision':['y']}");
	refused(ggrep_yaml, WORDS("ggrep", "--", "x"), "missing", 3, 0);
}

static void
a_name_that_is_no_subcommand_has_a_suggestion(void **state)
{
	const char *yaml = "command: git\n"
			   "options: {--version: x}\n"
			   "effects: []\n"
			   "commands:\n"
			   "  status: {about: x, effects: []}\n";

	(void)state;
	parses(yaml, WORDS("git"), "cli.git", "{}");
	refused(yaml, WORDS("git", "statsu"), "'status'", 1, 0);
	refused(yaml, WORDS("git", "--", "status"), "too many", 2, 0);
}

/* If any of it were quadratic, the test would not end. */
static void
no_argv_takes_long(void **state)
{
	static const char *const fillers[] = {"x", "-x", "--", "A=1", "-vvvv",
	    "(", "-name", "-exec", "{}", "+1", "--long=", "-", "", "\xff"};
	const size_t count = 20000;
	const char **words = calloc(count, sizeof(*words));

	(void)state;
	assert_non_null(words);
	for (size_t i = 0; i < sizeof(all_styles) / sizeof(all_styles[0]);
	     i++) {
		struct w_command *command = describe(all_styles[i]);

		for (size_t j = 0; j < sizeof(fillers) / sizeof(fillers[0]);
		     j++) {
			struct w_argv_parse parse;

			for (size_t k = 0; k < count; k++)
				words[k] = fillers[j];
			if (w_argv_parse(command, ARGV(words, count), &parse,
				NULL, NULL) == WRIT_OK) {
				assert_matches_inside(&parse);
				w_argv_parse_done(&parse);
			}
		}
		w_command_free(command);
	}
	free((void *)words);
}

static void
one_long_word_takes_no_long_time(void **state)
{
	const size_t len = 4 * 1024 * 1024;
	char *word = malloc(len + 1);

	(void)state;
	assert_non_null(word);
	for (size_t i = 0; i < sizeof(all_styles) / sizeof(all_styles[0]);
	     i++) {
		struct w_command *command = describe(all_styles[i]);

		for (const char *fill = "-vx=1z"; *fill != '\0'; fill++) {
			const char *words[2] = {"program", word};
			struct w_argv_parse parse;

			memset(word, *fill, len);
			word[0] = '-';
			word[len] = '\0';
			if (w_argv_parse(command, ARGV(words, 2), &parse, NULL,
				NULL) == WRIT_OK)
				w_argv_parse_done(&parse);
		}
		w_command_free(command);
	}
	free(word);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_wrapper_reads_its_options_and_then_a_command),
	    cmocka_unit_test(words_before_a_command_are_told_by_their_type),
	    cmocka_unit_test(an_expression_is_a_list_of_steps),
	    cmocka_unit_test(options_of_a_level_stand_before_the_next),
	    cmocka_unit_test(a_cluster_finds_its_values_in_the_next_words),
	    cmocka_unit_test(pairs_have_names_and_values),
	    cmocka_unit_test(whole_words_are_options_with_one_dash),
	    cmocka_unit_test(nothing_is_an_option_in_the_style_literal),
	    cmocka_unit_test(an_option_can_take_the_place_of_an_operand),
	    cmocka_unit_test(a_command_takes_all_that_follows_in_every_style),
	    cmocka_unit_test(
		an_operand_may_begin_with_a_dash_where_that_is_said),
	    cmocka_unit_test(nothing_is_missing_when_more_words_follow),
	    cmocka_unit_test(the_longest_name_counts_in_a_bundle),
	    cmocka_unit_test(behind_a_last_option_all_is_an_operand),
	    cmocka_unit_test(options_of_a_level_may_stand_anywhere),
	    cmocka_unit_test(the_last_operand_is_counted_from_the_end),
	    cmocka_unit_test(dashes_part_operands_where_some_stand_behind_them),
	    cmocka_unit_test(a_name_that_is_no_subcommand_has_a_suggestion),
	    cmocka_unit_test(no_argv_takes_long),
	    cmocka_unit_test(one_long_word_takes_no_long_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
