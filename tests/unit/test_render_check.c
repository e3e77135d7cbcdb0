/* SPDX-License-Identifier: Apache-2.0 */
#include "described_arguments.h"

static void
every_style_is_rendered(void **state)
{
	(void)state;
	writes(dd_yaml, "cli.dd", "{'of':'o','if':'a=b'}",
	    WORDS("dd", "if=a=b", "of=o"));
	writes(gcc_yaml, "cli.gcc",
	    "{'o':'a.o','f':['PIC'],'std':'c11','linker':['-z'],"
	    "'file':['a.c']}",
	    WORDS("gcc", "-o", "a.o", "-std=c11", "-fPIC", "-Wl,-z", "a.c"));
	writes(sed_yaml, "cli.sed", "{'line':5,'in_place':'.bak','script':'s'}",
	    WORDS("sed", "--in-place=.bak", "+5", "s"));
	writes(echo_yaml, "cli.echo", "{'word':['-n','--']}",
	    WORDS("echo", "-n", "--"));
	writes(find_yaml, "cli.find",
	    "{'expression':[{'!':true},{'name':'(*'}],'path':['(','a'],"
	    "'L':true,'O':3}",
	    WORDS("find", "-L", "-O3", "./(", "a", "!", "-name", "(*"));
	writes(python_yaml, "cli.python",
	    "{'argument':['-x','--'],'c':'y','B':true}",
	    WORDS("python", "-B", "-c", "y", "-x", "--"));
}

static void
a_first_word_is_no_bundle(void **state)
{
	(void)state;
	writes(tar_yaml, "cli.tar", "{'arguments':[{'member':'x'}]}",
	    WORDS("tar", "--", "x"));
	writes(tar_yaml, "cli.tar",
	    "{'arguments':[{'extract':true},{'member':'-x'},{'directory':'d'}]"
	    "}",
	    WORDS("tar", "--extract", "./-x", "--directory", "d"));
}

static void
what_may_begin_with_a_dash_is_still_no_option(void **state)
{
	(void)state;
	writes(chmod_yaml, "cli.chmod", "{'mode':'-R','file':['f']}",
	    WORDS("chmod", "--", "-R", "f"));
	writes(chmod_yaml, "cli.chmod", "{'mode':'a-x','file':['f']}",
	    WORDS("chmod", "a-x", "f"));
}

static void
levels_have_their_options_before_the_next_name(void **state)
{
	(void)state;
	writes(git_yaml, "cli.git.log",
	    "{'patch':true,'paginate':true,'path':['-x'],'max_count':3,"
	    "'chdir':['d']}",
	    WORDS("git", "-C", "d", "--paginate", "log", "--max-count", "3",
		"--patch", "--", "./-x"));
	writes(git_yaml, "cli.git.stash.push", "{'path':['list']}",
	    WORDS("git", "stash", "push", "list"));
}

static void
the_json_flag_is_no_argument(void **state)
{
	(void)state;
	writes(kubectl_yaml, "cli.kubectl.get", "{'kind':'pod'}",
	    WORDS("kubectl", "get", "-o=json", "pod"));
}

static void
nothing_is_taken_for_something_else(void **state)
{
	(void)state;
	does_not_write(gcc_yaml, "cli.gcc", "{'f':['plugin=x']}",
	    "'f': '-fplugin=x' would be taken for something else");
	does_not_write(git_yaml, "cli.git.log", "{'revision':['-x']}",
	    "would be taken for an option");
	does_not_write(kubectl_yaml, "cli.kubectl.get", "{'name':'x'}",
	    "'name': 'x' would");
	does_not_write(sed_yaml, "cli.sed", "{'expression':['s'],'script':'t'}",
	    "no argument 'script' beside 'expression'");
	does_not_write(cp_yaml, "cli.cp", "{'source':['a']}", "target");
	does_not_write(timeout_yaml, "cli.timeout",
	    "{'duration':'soon','command':['x']}", "not a duration");
	does_not_write(git_yaml, "cli.git.log", "{'color':'pink'}", "choices");
}

static void
bytes_that_are_no_text_come_back(void **state)
{
	(void)state;
	writes(echo_yaml, "cli.echo", "{'word':[{'b64':'/w=='}]}",
	    WORDS("echo", "\xff"));
	writes(sed_yaml, "cli.sed", "{'script':{'b64':'Lf8='}}",
	    WORDS("sed", "--", "-\xff"));
	does_not_write(
	    echo_yaml, "cli.echo", "{'word':[{'b64':'?'}]}", "base64");
	does_not_write(
	    echo_yaml, "cli.echo", "{'word':[{'b64':'AA=='}]}", "NUL");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_style_is_rendered),
	    cmocka_unit_test(a_first_word_is_no_bundle),
	    cmocka_unit_test(what_may_begin_with_a_dash_is_still_no_option),
	    cmocka_unit_test(levels_have_their_options_before_the_next_name),
	    cmocka_unit_test(the_json_flag_is_no_argument),
	    cmocka_unit_test(nothing_is_taken_for_something_else),
	    cmocka_unit_test(bytes_that_are_no_text_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
