/* SPDX-License-Identifier: Apache-2.0 */
#include "rendering.h"

#define SWITCH "{'type':'boolean'}"

/* Basic rules. */

static void
a_text_is_an_option_with_its_value(void **state)
{
	(void)state;
	renders(
	    OPEN, "{'file':'test.txt'}", WORDS("cmd", "--file", "test.txt"));
	renders(CLOSED("'file':" TEXT), "{'file':'test.txt'}",
	    WORDS("cmd", "--file", "test.txt"));
}

static void
true_is_a_flag(void **state)
{
	(void)state;
	renders(OPEN, "{'all':true}", WORDS("cmd", "--all"));
	renders(CLOSED("'all':" SWITCH), "{'all':true}", WORDS("cmd", "--all"));
}

static void
false_is_omitted(void **state)
{
	(void)state;
	renders(OPEN, "{'all':false}", WORDS("cmd"));
	renders(CLOSED("'all':" SWITCH), "{'all':false}", WORDS("cmd"));
}

static void
null_is_skipped(void **state)
{
	(void)state;
	renders(OPEN, "{'x':null}", WORDS("cmd"));
	renders(CLOSED("'x':" TEXT), "{'x':null}", WORDS("cmd"));
}

static void
an_array_repeats_the_flag(void **state)
{
	(void)state;
	renders(OPEN, "{'include':['a','b']}",
	    WORDS("cmd", "--include", "a", "--include", "b"));
	renders(CLOSED("'include':{'type':'array','items':" TEXT "}"),
	    "{'include':['a','b']}",
	    WORDS("cmd", "--include", "a", "--include", "b"));
	renders(OPEN, "{'include':[]}", WORDS("cmd"));
}

static void
an_underscore_is_a_hyphen(void **state)
{
	(void)state;
	renders(OPEN, "{'no_cache':true}", WORDS("cmd", "--no-cache"));
	renders(CLOSED("'no_cache':" SWITCH), "{'no_cache':true}",
	    WORDS("cmd", "--no-cache"));
}

static void
an_integer_is_its_digits(void **state)
{
	(void)state;
	renders(OPEN, "{'count':5}", WORDS("cmd", "--count", "5"));
	renders(CLOSED("'count':{'type':'integer'}"), "{'count':5}",
	    WORDS("cmd", "--count", "5"));
}

static void
a_single_letter_is_a_long_option_too(void **state)
{
	(void)state;
	renders(OPEN, "{'k':'v'}", WORDS("cmd", "--k", "v"));
}

/* Flags. */

static void
a_flag_is_written_as_it_is_declared(void **state)
{
	static const char ls[] =
	    CLOSED("'long':{'type':'boolean','x-apexe-flag':'-l'},"
		   "'max_depth':{'type':'integer','x-apexe-flag':'-maxdepth'},"
		   "'time_style':{'type':'string',"
		   "'x-apexe-flag':'--time-style'}");

	(void)state;
	renders(ls, "{'long':true,'max_depth':2,'time_style':'iso'}",
	    WORDS("cmd", "-l", "-maxdepth", "2", "--time-style", "iso"));
}

static void
the_order_is_that_of_the_schema(void **state)
{
	static const char grammar[] =
	    CLOSED("'b':" SWITCH ",'a':" SWITCH ",'c':" TEXT);

	(void)state;
	renders(grammar, "{'a':true,'b':true,'c':'x'}",
	    WORDS("cmd", "--b", "--a", "--c", "x"));
	renders(grammar, "{'c':'x','a':true,'b':true}",
	    WORDS("cmd", "--b", "--a", "--c", "x"));
}

static void
keys_that_are_not_listed_come_after_the_others(void **state)
{
	static const char grammar[] = "{'properties':{'z':" SWITCH "}}";

	(void)state;
	renders(grammar, "{'y':1,'x':[1,2],'z':true}",
	    WORDS("cmd", "--z", "--y", "1", "--x", "1", "--x", "2"));
	refuses(CLOSED("'verbose':" SWITCH), "{'verbos':true}",
	    "there is no argument 'verbos'");
}

static void
a_key_that_is_not_listed_must_be_an_option_of_its_own(void **state)
{
	static const char grammar[] = "{'properties':{'no_cache':" SWITCH "}}";

	(void)state;
	refuses(OPEN, "{'':true}", "such a key is not an option");
	refuses(OPEN, "{'a b':true}", "such a key is not an option");
	refuses(OPEN, "{'a=b':true}", "such a key is not an option");
	refuses(OPEN, "{'a\\nb':true}", "such a key is not an option");
	refuses(grammar, "{'no-cache':'x'}", "has another name");
}

static void
an_option_with_a_value_is_never_bare(void **state)
{
	(void)state;
	refuses(CLOSED("'proxy':" TEXT), "{'proxy':true}", "takes a value");
	refuses(CLOSED("'n':{'type':['integer','null']}"), "{'n':true}",
	    "'--n' takes a value");
	refuses(CLOSED("'i':{'type':'array','items':" TEXT "}"),
	    "{'i':['a',true]}", "argument 'i', element 2: '--i' takes a value");
	refuses(CLOSED("'when':{'enum':['always','never']}"), "{'when':true}",
	    "takes a value");
}

static void
a_switch_never_has_a_value(void **state)
{
	(void)state;
	refuses(CLOSED("'all':" SWITCH), "{'all':'/etc'}",
	    "is a switch and takes no value");
	refuses(CLOSED("'v':{'type':'array','items':" SWITCH "}"),
	    "{'v':[true,'x']}", "element 2: '--v' is a switch");
	refuses(CLOSED("'file':" TEXT), "{'file':['a','b']}",
	    "takes one value, not a list");
}

static void
a_switch_can_be_repeated(void **state)
{
	(void)state;
	renders(CLOSED("'v':{'type':'array','items':" SWITCH
		       ",'x-apexe-flag':'-v'}"),
	    "{'v':[true,false,true,null,true]}",
	    WORDS("cmd", "-v", "-v", "-v"));
}

static void
an_optional_value_is_attached(void **state)
{
	static const char grammar[] = CLOSED(
	    "'color':{'type':['string','boolean'],"
	    "'x-apexe-value-optional':true},"
	    "'in_place':{'type':['string','boolean'],'x-apexe-flag':'-i',"
	    "'x-apexe-value-optional':true},"
	    "'gnu':{'type':['string','boolean'],'x-apexe-flag':'-colour',"
	    "'x-apexe-value-optional':true}");

	(void)state;
	renders(grammar, "{'color':true,'in_place':true,'gnu':true}",
	    WORDS("cmd", "--color", "-i", "-colour"));
	renders(grammar, "{'color':'auto','in_place':'.bak','gnu':'no'}",
	    WORDS("cmd", "--color=auto", "-i.bak", "-colour=no"));
	renders(grammar, "{'color':'','in_place':'-x'}",
	    WORDS("cmd", "--color=", "-i-x"));
	renders(grammar, "{'color':false,'in_place':null}", WORDS("cmd"));
	refuses(grammar, "{'in_place':''}", "empty value cannot be joined");
}

static void
a_value_follows_its_flag_as_declared(void **state)
{
	static const char grammar[] =
	    CLOSED("'a':{'type':'string','x-writ-attach':'equals'},"
		   "'i':{'type':'array','x-apexe-flag':'-I',"
		   "'x-writ-attach':'joined'},"
		   "'s':{'type':'string','x-writ-attach':'separate'}");

	(void)state;
	renders(grammar, "{'a':'-x','i':['/a','b c'],'s':'y'}",
	    WORDS("cmd", "--a=-x", "-I/a", "-Ib c", "--s", "y"));
}

static void
an_option_can_take_several_words(void **state)
{
	static const char jq[] =
	    CLOSED("'arg':{'type':'array','x-writ-arity':2},"
		   "'filter':{'type':'string','x-apexe-positional':0}");

	(void)state;
	renders(jq, "{'arg':['k','v'],'filter':'.[$k]'}",
	    WORDS("cmd", "--arg", "k", "v", ".[$k]"));
	renders(jq, "{'arg':[['k','-v'],['',5]],'filter':'.'}",
	    WORDS("cmd", "--arg", "k", "-v", "--arg", "", "5", "."));
	renders(jq, "{'arg':[]}", WORDS("cmd"));
	refuses(jq, "{'arg':['k']}", "takes 2 values at a time");
	refuses(jq, "{'arg':[['a','b'],['c']]}",
	    "element 2: '--arg' takes 2 values");
	refuses(jq, "{'arg':'k'}", "takes 2 values");
	refuses(jq, "{'arg':['k',null]}", "value 2 is null");
	refuses(jq, "{'arg':[['a','b'],'c']}", "element 2");
}

/* Operands and their positions. */

static void
operands_are_bare_and_ordered_by_their_index(void **state)
{
	static const char cp[] =
	    CLOSED("'to':{'type':'string','x-apexe-positional':7},"
		   "'from':{'type':'array','items':" TEXT
		   ",'x-apexe-positional':2},'force':" SWITCH);

	(void)state;
	renders(cp, "{'to':'d','force':true,'from':['a','b']}",
	    WORDS("cmd", "--force", "a", "b", "d"));
	renders(cp, "{'to':'d'}", WORDS("cmd", "d"));
	renders(cp, "{'to':'','from':['',null,'b',false]}",
	    WORDS("cmd", "", "b", ""));
	refuses(cp, "{'to':true}", "an operand is a text or a number");
	refuses(cp, "{'from':['a',true]}", "argument 'from', element 2");
}

static void
every_group_has_its_place(void **state)
{
	static const char grammar[] =
	    ENDED("'file':{'x-apexe-positional':1},"
		  "'first':{'x-apexe-positional':0,"
		  "'x-apexe-operand-position':'before-flags'},"
		  "'flag':" SWITCH ","
		  "'dir':{'type':'string','x-apexe-flag':'-C',"
		  "'x-apexe-flag-position':'before-subcommand'},"
		  "'follow':{'type':'boolean','x-apexe-flag':'-L',"
		  "'x-apexe-flag-position':'before-operands'}");
	const struct rendering git = {
	    .words = WORDS("git", "log", "x"),
	    .json_flag = WORDS("--format", "json"),
	};

	(void)state;
	renders_with(&git, grammar,
	    "{'file':'-f','first':'p','flag':true,'dir':'-d','follow':true,"
	    "'more':1}",
	    WORDS("git", "-C", "-d", "log", "x", "-L", "p", "--flag", "--more",
		"1", "--format", "json", "--", "-f"));
	renders_with(
	    &git, grammar, "{}", WORDS("git", "log", "x", "--format", "json"));
}

/* Relations between arguments. */

static void
arguments_can_exclude_each_other(void **state)
{
	static const char grammar[] = CLOSED(
	    "'z':" SWITCH ",'a':" SWITCH
	    ",'m':{'type':'boolean','x-apexe-conflicts-with':['a','z']}");

	(void)state;
	refuses(grammar, "{'m':true,'a':true}",
	    "arguments 'a' and 'm' cannot be used together");
	refuses(grammar, "{'z':true,'m':true}",
	    "arguments 'z' and 'm' cannot be used together");
	renders(grammar, "{'m':true,'a':false,'z':null}", WORDS("cmd", "--m"));
	renders(grammar, "{'z':true,'a':true}", WORDS("cmd", "--z", "--a"));
}

static void
an_argument_can_need_another(void **state)
{
	static const char grammar[] = CLOSED(
	    "'key':{'type':'string','x-writ-requires':['cert']},'cert':" TEXT);

	(void)state;
	refuses(grammar, "{'key':'k'}", "argument 'key' needs 'cert'");
	refuses(grammar, "{'key':'k','cert':null}", "needs 'cert'");
	renders(grammar, "{'cert':'c'}", WORDS("cmd", "--cert", "c"));
	renders(grammar, "{'cert':'c','key':'k'}",
	    WORDS("cmd", "--key", "k", "--cert", "c"));
}

static void
a_sequence_keeps_the_order_of_its_steps(void **state)
{
	static const char ffmpeg[] =
	    CLOSED("'steps':{'type':'array','x-writ-sequence':true},"
		   "'input':{'type':'string','x-apexe-flag':'-i'},"
		   "'time':{'type':'number','x-apexe-flag':'-t'},"
		   "'an':{'type':'boolean','x-apexe-flag':'-an',"
		   "'x-apexe-conflicts-with':['codec']},'codec':" TEXT ","
		   "'out':{'type':'string','format':'path',"
		   "'x-apexe-positional':0},"
		   "'word':{'type':'string','x-apexe-positional':1}");

	(void)state;
	renders(ffmpeg,
	    "{'out':'o','steps':[{'input':'a'},{'time':5},{'input':'-b'},"
	    "{'an':false},{'an':true}]}",
	    WORDS("cmd", "-i", "a", "-t", "5", "-i", "-b", "-an", "o"));
	renders(ffmpeg, "{'steps':[{'out':'-x'},{'out':'!'},{'an':true}]}",
	    WORDS("cmd", "./-x", "./!", "-an"));
	refuses(ffmpeg, "{'steps':[{'word':'-x'}]}", "begins with '-'");
	refuses(
	    ffmpeg, "{'steps':[{'an':true},{'codec':'x'}]}", "used together");
	refuses(ffmpeg, "{'codec':'x','steps':[{'an':true}]}", "used together");
	refuses(ffmpeg, "{'steps':[{'an':true},{'an':true,'time':1}]}",
	    "element 2: a step is an object with one member");
	refuses(ffmpeg, "{'steps':['an']}", "element 1: a step is");
	refuses(ffmpeg, "{'steps':[{'imput':'a'}]}", "no argument 'imput'");
	refuses(ffmpeg, "{'steps':[{'steps':[]}]}", "cannot be a sequence");
	refuses(ffmpeg, "{'steps':'an'}", "list of steps");
}

static void
arguments_are_an_object(void **state)
{
	(void)state;
	refuses(OPEN, "[]", "not an object");
	refuses(OPEN, "'x'", "not an object");
}

static void
a_hundred_options_are_in_order(void **state)
{
	struct w_buf schema;
	struct w_buf args;
	const char *want[202] = {"cmd"};
	char keys[100][8];

	(void)state;
	w_buf_init(&schema, 65536);
	w_buf_init(&args, 65536);
	w_buf_add_str(&schema, "{'properties':{");
	w_buf_add_str(&args, "{");
	for (unsigned i = 0; i < 100; i++) {
		(void)snprintf(keys[i], sizeof(keys[i]), "--k%u", i);
		want[1 + i * 2] = keys[i];
		want[2 + i * 2] = keys[i] + 2;
		w_buf_add_fmt(
		    &schema, "%s'k%u':{'type':'string'}", i > 0 ? "," : "", i);
		w_buf_add_fmt(
		    &args, "%s'k%u':'k%u'", i > 0 ? "," : "", 99 - i, 99 - i);
	}
	w_buf_add_str(&schema, "}}");
	w_buf_add_str(&args, "}");
	renders(schema.data, args.data, want);
	w_buf_done(&schema);
	w_buf_done(&args);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_text_is_an_option_with_its_value),
	    cmocka_unit_test(true_is_a_flag),
	    cmocka_unit_test(false_is_omitted),
	    cmocka_unit_test(null_is_skipped),
	    cmocka_unit_test(an_array_repeats_the_flag),
	    cmocka_unit_test(an_underscore_is_a_hyphen),
	    cmocka_unit_test(an_integer_is_its_digits),
	    cmocka_unit_test(a_single_letter_is_a_long_option_too),
	    cmocka_unit_test(a_flag_is_written_as_it_is_declared),
	    cmocka_unit_test(the_order_is_that_of_the_schema),
	    cmocka_unit_test(keys_that_are_not_listed_come_after_the_others),
	    cmocka_unit_test(
		a_key_that_is_not_listed_must_be_an_option_of_its_own),
	    cmocka_unit_test(an_option_with_a_value_is_never_bare),
	    cmocka_unit_test(a_switch_never_has_a_value),
	    cmocka_unit_test(a_switch_can_be_repeated),
	    cmocka_unit_test(an_optional_value_is_attached),
	    cmocka_unit_test(a_value_follows_its_flag_as_declared),
	    cmocka_unit_test(an_option_can_take_several_words),
	    cmocka_unit_test(operands_are_bare_and_ordered_by_their_index),
	    cmocka_unit_test(every_group_has_its_place),
	    cmocka_unit_test(arguments_can_exclude_each_other),
	    cmocka_unit_test(an_argument_can_need_another),
	    cmocka_unit_test(a_sequence_keeps_the_order_of_its_steps),
	    cmocka_unit_test(arguments_are_an_object),
	    cmocka_unit_test(a_hundred_options_are_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
