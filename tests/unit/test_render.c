/* SPDX-License-Identifier: Apache-2.0 */
#include "rendering.h"

/* A schema of these properties and no others. */
#define CLOSED(properties)                                            \
	"{'type':'object','additionalProperties':false,'properties':" \
	"{" properties "}}"
/* Of a command that honours "--". */
#define ENDED(properties)                                              \
	"{'type':'object','x-apexe-end-of-options':true,'properties':" \
	"{" properties "}}"
#define OPEN   "{'type':'object'}"

#define SWITCH "{'type':'boolean'}"
#define TEXT   "{'type':'string'}"

#define FIND_PATHS                                                          \
	"'path':{'type':'array','items':{'type':'string','format':'path'}," \
	"'x-apexe-positional':0,'x-apexe-operand-position':'before-flags'}"

/* The rules that everything began with. */

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
	static const char form[] =
	    CLOSED("'b':" SWITCH ",'a':" SWITCH ",'c':" TEXT);

	(void)state;
	renders(form, "{'a':true,'b':true,'c':'x'}",
	    WORDS("cmd", "--b", "--a", "--c", "x"));
	renders(form, "{'c':'x','a':true,'b':true}",
	    WORDS("cmd", "--b", "--a", "--c", "x"));
}

static void
keys_that_are_not_listed_come_after_the_others(void **state)
{
	static const char form[] = "{'properties':{'z':" SWITCH "}}";

	(void)state;
	renders(form, "{'y':1,'x':[1,2],'z':true}",
	    WORDS("cmd", "--z", "--y", "1", "--x", "1", "--x", "2"));
	refuses(CLOSED("'verbose':" SWITCH), "{'verbos':true}",
	    "there is no argument 'verbos'");
}

static void
a_key_that_is_not_listed_must_be_an_option_of_its_own(void **state)
{
	static const char form[] = "{'properties':{'no_cache':" SWITCH "}}";

	(void)state;
	refuses(OPEN, "{'':true}", "such a key is no option");
	refuses(OPEN, "{'a b':true}", "such a key is no option");
	refuses(OPEN, "{'a=b':true}", "such a key is no option");
	refuses(OPEN, "{'a\\nb':true}", "such a key is no option");
	refuses(form, "{'no-cache':'x'}", "has another name");
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
	static const char form[] = CLOSED(
	    "'color':{'type':['string','boolean'],"
	    "'x-apexe-value-optional':true},"
	    "'in_place':{'type':['string','boolean'],'x-apexe-flag':'-i',"
	    "'x-apexe-value-optional':true},"
	    "'gnu':{'type':['string','boolean'],'x-apexe-flag':'-colour',"
	    "'x-apexe-value-optional':true}");

	(void)state;
	renders(form, "{'color':true,'in_place':true,'gnu':true}",
	    WORDS("cmd", "--color", "-i", "-colour"));
	renders(form, "{'color':'auto','in_place':'.bak','gnu':'no'}",
	    WORDS("cmd", "--color=auto", "-i.bak", "-colour=no"));
	renders(form, "{'color':'','in_place':'-x'}",
	    WORDS("cmd", "--color=", "-i-x"));
	renders(form, "{'color':false,'in_place':null}", WORDS("cmd"));
	refuses(form, "{'in_place':''}", "empty value cannot be joined");
}

static void
a_value_follows_its_flag_as_declared(void **state)
{
	static const char form[] =
	    CLOSED("'a':{'type':'string','x-writ-attach':'equals'},"
		   "'i':{'type':'array','x-apexe-flag':'-I',"
		   "'x-writ-attach':'joined'},"
		   "'s':{'type':'string','x-writ-attach':'separate'}");

	(void)state;
	renders(form, "{'a':'-x','i':['/a','b c'],'s':'y'}",
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
	refuses(jq, "{'arg':[['a','b'],'c']}", "element 2");
}

/* Operands and where they stand. */

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
	static const char form[] =
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
	renders_with(&git, form,
	    "{'file':'-f','first':'p','flag':true,'dir':'-d','follow':true,"
	    "'more':1}",
	    WORDS("git", "-C", "-d", "log", "x", "-L", "p", "--flag", "--more",
		"1", "--format", "json", "--", "-f"));
	renders_with(
	    &git, form, "{}", WORDS("git", "log", "x", "--format", "json"));
}

/* Operands that look like options. */

static void
find_does_not_delete(void **state)
{
	static const char find[] = CLOSED(
	    FIND_PATHS ",'name':{'type':'string','x-apexe-flag':'-name'}");

	(void)state;
	renders(find, "{'path':['-delete']}", WORDS("cmd", "./-delete"));
	renders(find, "{'name':'*.c','path':['a','(','!','!x',')',',']}",
	    WORDS("cmd", "a", "./(", "./!", "./!x", "./)", "./,", "-name",
		"*.c"));
	renders(find, "{'name':'-delete','path':['.']}",
	    WORDS("cmd", ".", "-name", "-delete"));
}

static void
no_end_of_options_is_trusted_before_the_flags(void **state)
{
	(void)state;
	refuses(ENDED("'p':{'type':'string','x-apexe-positional':0,"
		      "'x-apexe-operand-position':'before-flags'}"),
	    "{'p':'-delete'}", "begins with '-'");
	renders(ENDED(FIND_PATHS), "{'path':['-delete','--','--x']}",
	    WORDS("cmd", "./-delete", "./--", "./--x"));
}

static void
a_dashed_operand_is_refused_where_nothing_protects_it(void **state)
{
	static const char rm[] =
	    CLOSED("'file':{'type':'array','x-apexe-positional':0}");

	(void)state;
	refuses(rm, "{'file':['a','-rf']}",
	    "argument 'file', element 2: '-rf' begins with '-'");
	refuses(rm, "{'file':['--']}", "begins with '-'");
	refuses(rm, "{'file':'--help'}", "argument 'file': '--help' begins");
}

static void
a_dashed_operand_stands_behind_the_end_of_options(void **state)
{
	static const char rm[] =
	    ENDED("'file':{'type':'array','x-apexe-positional':1},"
		  "'first':{'x-apexe-positional':0},"
		  "'force':{'type':'boolean','x-apexe-flag':'-f'}");

	(void)state;
	renders(rm, "{'file':['a','-f']}", WORDS("cmd", "--", "a", "-f"));
	renders(rm, "{'first':'x','file':['--'],'force':true}",
	    WORDS("cmd", "-f", "--", "x", "--"));
	renders(rm, "{'file':['a','b-']}", WORDS("cmd", "a", "b-"));
}

static void
a_dashed_path_stays_a_path(void **state)
{
	static const char rm[] =
	    ENDED("'file':{'type':'array','x-apexe-path':true,"
		  "'x-apexe-positional':0}");

	(void)state;
	renders(rm, "{'file':['-f','--','a','/-b','(x']}",
	    WORDS("cmd", "./-f", "./--", "a", "/-b", "(x"));
}

static void
numbers_may_be_negative(void **state)
{
	static const char seq[] =
	    CLOSED("'from':{'type':'number','x-apexe-positional':0},"
		   "'by':{'x-apexe-positional':1}");

	(void)state;
	renders(seq, "{'from':-5,'by':-0.5}", WORDS("cmd", "-5", "-0.5"));
	refuses(seq, "{'by':'-5'}", "begins with '-'");
}

static void
one_hyphen_is_standard_input(void **state)
{
	(void)state;
	renders(CLOSED("'f':{'type':'string','x-apexe-positional':0}"),
	    "{'f':'-'}", WORDS("cmd", "-"));
	renders(CLOSED("'f':{'format':'path','x-apexe-positional':0}"),
	    "{'f':'-'}", WORDS("cmd", "-"));
}

static void
a_property_may_allow_the_dash(void **state)
{
	(void)state;
	renders(CLOSED("'tail':{'type':'array','x-apexe-positional':0,"
		       "'x-writ-dash':'allow'}"),
	    "{'tail':['-x','--','y']}", WORDS("cmd", "-x", "--", "y"));
}

static void
values_of_options_may_begin_with_a_dash(void **state)
{
	static const char form[] =
	    CLOSED("'e':{'type':'string','x-apexe-flag':'-e'},"
		   "'n':{'type':'string','x-apexe-flag':'-n'},"
		   "'message':{'type':'string','x-apexe-flag':'-m'}");

	(void)state;
	renders(form, "{'e':'-x','n':'-5','message':'- item'}",
	    WORDS("cmd", "-e", "-x", "-n", "-5", "-m", "- item"));
}

static void
a_secret_is_not_shown_when_it_is_refused(void **state)
{
	yyjson_doc *args = read_quoted("{'p':'-hunter2'}");
	struct w_words have = {0};
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    render_doc(&(struct rendering){0},
		CLOSED("'p':{'x-sensitive':true,'x-apexe-positional':0}"), args,
		&have, &err),
	    WRIT_E_INVALID);
	assert_null(strstr(err.message, "hunter2"));
	yyjson_doc_free(args);
}

/* Bytes. */

static void
every_byte_arrives(void **state)
{
	static const char text[] =
	    "{\"m\":\"a\\\"b'c\\n\\nd\\te $HOME `x` \\\\ "
	    "; | & \\u00e4\\ud83d\\ude00 \\u007f\"}";
	yyjson_doc *args = read_raw(text);
	struct w_words have = {0};
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    render_doc(&(struct rendering){0}, OPEN, args, &have, &err),
	    WRIT_OK);
	assert_words(&have,
	    WORDS("cmd", "--m",
		"a\"b'c\n\nd\te $HOME `x` \\ ; | & \xc3\xa4\xf0\x9f\x98\x80 "
		"\x7f"));
	w_words_done(&have);
	yyjson_doc_free(args);
}

static void
numbers_are_exact(void **state)
{
	(void)state;
	renders(OPEN,
	    "{'a':9007199254740993,'b':18446744073709551615,"
	    "'c':-9223372036854775808,'d':123456789012345678901234567890,"
	    "'e':0.1,'f':1e400,'g':5.0,'h':0,'i':1e21}",
	    WORDS("cmd", "--a", "9007199254740993", "--b",
		"18446744073709551615", "--c", "-9223372036854775808", "--d",
		"123456789012345678901234567890", "--e", "0.1", "--f", "1e400",
		"--g", "5.0", "--h", "0", "--i", "1e21"));
}

static void
whole_numbers_have_no_fraction(void **state)
{
	static const char form[] =
	    CLOSED("'n':{'type':'integer'},'x':{'type':'number'},"
		   "'l':{'type':'array','items':{'type':'integer'}}");

	(void)state;
	renders(form, "{'n':5.0,'x':5.0,'l':[1e3,-2.0,-0.0]}",
	    WORDS("cmd", "--n", "5", "--x", "5.0", "--l", "1000", "--l", "-2",
		"--l", "0"));
}

static void
objects_are_json(void **state)
{
	yyjson_doc *args =
	    read_raw("{\"data\": {\"a\": [1, \"x\\n\"], \"b\": null}, "
		     "\"list\": [[1, 2], {\"c\": true}]}");
	struct w_words have = {0};
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    render_doc(&(struct rendering){0}, OPEN, args, &have, &err),
	    WRIT_OK);
	assert_words(
	    &have, WORDS("cmd", "--data", "{\"a\":[1,\"x\\n\"],\"b\":null}",
		       "--list", "[1,2]", "--list", "{\"c\":true}"));
	w_words_done(&have);
	yyjson_doc_free(args);
}

static void
a_nul_is_refused(void **state)
{
	(void)state;
	refuses(OPEN, "{'x':['a','b\\u0000c']}",
	    "argument 'x', element 2: it has a NUL");
	refuses(CLOSED("'f':{'x-apexe-positional':0}"), "{'f':'\\u0000'}",
	    "it has a NUL");
	refuses(CLOSED("'f':" TEXT), "{'f\\u0000':'x'}", "no argument 'f'");
	refuses(OPEN, "{'f\\u0000':true}", "such a key is no option");
}

/* Renders one long value and returns how it went. */
static writ_status
render_long(const char *schema, size_t len, writ_error *err)
{
	char *value = malloc(len + 1);
	struct w_words have = {0};

	assert_non_null(value);
	memset(value, 'x', len);
	value[len] = '\0';
	yyjson_mut_doc *made = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(made);
	yyjson_mut_doc_set_root(made, root);
	assert_true(yyjson_mut_obj_add_strn(made, root, "v", value, len));
	yyjson_doc *args = yyjson_mut_doc_imut_copy(made, NULL);
	writ_status status =
	    render_doc(&(struct rendering){0}, schema, args, &have, err);
	if (status == WRIT_OK) {
		const char *last = have.items[have.count - 1];
		size_t last_len = strlen(last);

		assert_true(last_len >= len);
		assert_string_equal(last + last_len - len, value);
	}
	w_words_done(&have);
	yyjson_doc_free(args);
	yyjson_mut_doc_free(made);
	free(value);
	return status;
}

static void
a_word_is_as_long_as_the_kernel_takes_it(void **state)
{
	static const char attached[] =
	    CLOSED("'v':{'type':'string','x-writ-attach':'equals'}");
	static const char operand[] =
	    CLOSED("'v':{'type':'string','x-apexe-positional':0}");
	writ_error err = {0};

	(void)state;
	assert_int_equal(render_long(OPEN, 100000, &err), WRIT_OK);
	assert_int_equal(render_long(OPEN, W_WORD_BYTES_MAX, &err), WRIT_OK);
	assert_int_equal(
	    render_long(OPEN, W_WORD_BYTES_MAX + 1, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "131072 bytes"));
	assert_non_null(strstr(err.message, "131071"));
	assert_non_null(strstr(err.suggestion, "standard input"));
	assert_int_equal(render_long(operand, 1 << 20, &err), WRIT_E_INVALID);
	assert_int_equal(
	    render_long(attached, W_WORD_BYTES_MAX - 4, &err), WRIT_OK);
	assert_int_equal(
	    render_long(attached, W_WORD_BYTES_MAX - 3, &err), WRIT_E_INVALID);
}

/* What arguments say about each other. */

static void
arguments_can_exclude_each_other(void **state)
{
	static const char form[] = CLOSED(
	    "'z':" SWITCH ",'a':" SWITCH
	    ",'m':{'type':'boolean','x-apexe-conflicts-with':['a','z']}");

	(void)state;
	refuses(form, "{'m':true,'a':true}",
	    "arguments 'a' and 'm' exclude each other");
	refuses(form, "{'z':true,'m':true}",
	    "arguments 'z' and 'm' exclude each other");
	renders(form, "{'m':true,'a':false,'z':null}", WORDS("cmd", "--m"));
	renders(form, "{'z':true,'a':true}", WORDS("cmd", "--z", "--a"));
}

static void
an_argument_can_need_another(void **state)
{
	static const char form[] = CLOSED(
	    "'key':{'type':'string','x-writ-requires':['cert']},'cert':" TEXT);

	(void)state;
	refuses(form, "{'key':'k'}", "argument 'key' needs 'cert'");
	refuses(form, "{'key':'k','cert':null}", "needs 'cert'");
	renders(form, "{'cert':'c'}", WORDS("cmd", "--cert", "c"));
	renders(form, "{'cert':'c','key':'k'}",
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
	refuses(ffmpeg, "{'steps':[{'an':true},{'codec':'x'}]}", "exclude");
	refuses(ffmpeg, "{'codec':'x','steps':[{'an':true}]}", "exclude");
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

/* Which characters texts may have. */

static writ_status
preflight(const char *text, enum w_strictness strictness, writ_error *err)
{
	yyjson_doc *doc = read_raw(text);
	writ_status status =
	    w_render_preflight(yyjson_doc_get_root(doc), strictness, err);

	yyjson_doc_free(doc);
	return status;
}

static void
passes(const char *text, enum w_strictness strictness)
{
	writ_error err = {0};

	if (preflight(text, strictness, &err) != WRIT_OK)
		fail_msg("%s: %s", text, err.message);
}

static void
stops(const char *text, enum w_strictness strictness, const char *part)
{
	writ_error err = {0};

	assert_int_equal(preflight(text, strictness, &err), WRIT_E_INVALID);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, err.message);
}

static void
injection_is_blocked_where_it_is_asked_for(void **state)
{
	(void)state;
	stops("{\"msg\":\"hi; rm\"}", W_STRICT_MODULES,
	    "argument 'msg': ';' is not allowed (strict-modules)");
	passes("{\"msg\":\"hi; rm\"}", W_STRICT_LITERAL);
}

static void
clean_input_passes_preflight(void **state)
{
	(void)state;
	passes("{\"file\":\"/path/to/file\"}", W_STRICT_MODULES);
	passes("{\"file\":\"/path/to/file\"}", W_STRICT_EXEC);
}

static void
preflight_stops_a_semicolon(void **state)
{
	(void)state;
	stops("{\"arg\":\"a;b\"}", W_STRICT_MODULES, "';'");
	stops("{\"arg\":\"a;b\"}", W_STRICT_EXEC, "';'");
}

static void
preflight_stops_a_pipe(void **state)
{
	(void)state;
	stops("{\"arg\":\"a|b\"}", W_STRICT_MODULES, "'|'");
}

static void
preflight_looks_into_arrays(void **state)
{
	(void)state;
	stops("{\"args\":[\"ok\",\"bad$\"]}", W_STRICT_MODULES,
	    "argument 'args', element 2: '$'");
}

static void
what_is_no_text_passes_preflight(void **state)
{
	(void)state;
	passes("{\"count\":5,\"on\":true,\"no\":null,\"l\":[1.5]}",
	    W_STRICT_MODULES);
}

static void
each_strictness_has_its_characters(void **state)
{
	static const char modules[] = ";|&$`'";
	static const char exec[] = "|&;$`<>(){}";
	char text[16];

	(void)state;
	for (const char *at = modules; *at != '\0'; at++) {
		(void)snprintf(text, sizeof(text), "{\"a\":\"x%c\"}", *at);
		stops(text, W_STRICT_MODULES, "is not allowed");
		passes(text, W_STRICT_LITERAL);
	}
	for (const char *at = exec; *at != '\0'; at++) {
		(void)snprintf(text, sizeof(text), "{\"a\":\"x%c\"}", *at);
		stops(text, W_STRICT_EXEC, "is not allowed");
	}
	stops("{\"a\":\"\\\\\"}", W_STRICT_MODULES, "'\\'");
	stops("{\"a\":\"\\\"\"}", W_STRICT_MODULES, "'\"'");
	stops("{\"a\":\"\\n\"}", W_STRICT_MODULES, "a line feed");
	stops("{\"a\":\"\\r\"}", W_STRICT_EXEC, "a carriage return");
	stops("{\"a\":\"x/../y\"}", W_STRICT_EXEC, "'..'");
	passes("{\"a\":\"x/../y <>(){}\"}", W_STRICT_MODULES);
	passes("{\"a\":\"'\\\"\\\\ .\"}", W_STRICT_EXEC);
	stops("{\"a\":\"\\u0000\"}", W_STRICT_LITERAL, "a NUL");
}

static void
preflight_looks_everywhere(void **state)
{
	(void)state;
	stops("{\"a\":{\"b\":[{\"c\":\";\"}]}}", W_STRICT_MODULES,
	    "argument 'a': ';'");
	stops("{\"a\":[1,{\"b;\":1}]}", W_STRICT_MODULES,
	    "argument 'a', element 2: ';'");
	stops("{\"a;b\":true}", W_STRICT_MODULES, "argument 'a;b': ';'");
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
	    cmocka_unit_test(find_does_not_delete),
	    cmocka_unit_test(no_end_of_options_is_trusted_before_the_flags),
	    cmocka_unit_test(
		a_dashed_operand_is_refused_where_nothing_protects_it),
	    cmocka_unit_test(a_dashed_operand_stands_behind_the_end_of_options),
	    cmocka_unit_test(a_dashed_path_stays_a_path),
	    cmocka_unit_test(numbers_may_be_negative),
	    cmocka_unit_test(one_hyphen_is_standard_input),
	    cmocka_unit_test(a_property_may_allow_the_dash),
	    cmocka_unit_test(values_of_options_may_begin_with_a_dash),
	    cmocka_unit_test(a_secret_is_not_shown_when_it_is_refused),
	    cmocka_unit_test(every_byte_arrives),
	    cmocka_unit_test(numbers_are_exact),
	    cmocka_unit_test(whole_numbers_have_no_fraction),
	    cmocka_unit_test(objects_are_json),
	    cmocka_unit_test(a_nul_is_refused),
	    cmocka_unit_test(a_word_is_as_long_as_the_kernel_takes_it),
	    cmocka_unit_test(arguments_can_exclude_each_other),
	    cmocka_unit_test(an_argument_can_need_another),
	    cmocka_unit_test(a_sequence_keeps_the_order_of_its_steps),
	    cmocka_unit_test(arguments_are_an_object),
	    cmocka_unit_test(a_hundred_options_are_in_order),
	    cmocka_unit_test(injection_is_blocked_where_it_is_asked_for),
	    cmocka_unit_test(clean_input_passes_preflight),
	    cmocka_unit_test(preflight_stops_a_semicolon),
	    cmocka_unit_test(preflight_stops_a_pipe),
	    cmocka_unit_test(preflight_looks_into_arrays),
	    cmocka_unit_test(what_is_no_text_passes_preflight),
	    cmocka_unit_test(each_strictness_has_its_characters),
	    cmocka_unit_test(preflight_looks_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
