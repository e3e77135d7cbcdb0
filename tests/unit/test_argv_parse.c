/* SPDX-License-Identifier: Apache-2.0 */
#include "parsing.h"

#define NUMBER "{'type':'integer','minimum':0,'maximum':9}"
#define LIST   "{'type':'array','items':{'type':'string'}}"
#define SWITCH "{'type':'boolean'}"

static void
options_of_a_schema_are_read_in_every_spelling(void **state)
{
	const char *schema =
	    CLOSED("'verbose':{'type':'boolean','x-writ-names':['-v']},"
		   "'output':{'type':'string','x-writ-names':['-o']},"
		   "'n':{'type':'integer','x-apexe-flag':'-n'}");

	(void)state;
	reads(schema, WORDS("cmd"), "{}");
	reads(schema, WORDS("cmd", "--verbose"), "{'verbose':true}");
	reads(schema, WORDS("cmd", "-v", "--output", "f"),
	    "{'verbose':true,'output':'f'}");
	reads(schema, WORDS("cmd", "--output=f"), "{'output':'f'}");
	reads(schema, WORDS("cmd", "--output="), "{'output':''}");
	reads(schema, WORDS("cmd", "-of"), "{'output':'f'}");
	reads(schema, WORDS("cmd", "-o", "-v"), "{'output':'-v'}");
	reads(schema, WORDS("cmd", "-vof"), "{'verbose':true,'output':'f'}");
	reads(schema, WORDS("cmd", "-vn5"), "{'verbose':true,'n':5}");
	reads(schema, WORDS("cmd", "-vn", "-5"), "{'verbose':true,'n':-5}");
	reads(schema, WORDS("cmd", "-oa", "-ob"), "{'output':'b'}");
}

static void
what_is_no_option_is_refused_with_its_place(void **state)
{
	const char *schema =
	    CLOSED("'verbose':{'type':'boolean','x-writ-names':['-v']},"
		   "'version_of':" TEXT ",'x':{'type':'string',"
		   "'x-apexe-flag':'-x'},'n':" NUMBER);

	(void)state;
	does_not_read(
	    schema, WORDS("cmd", "--verbos"), "short for '--verbose'", 1, 0);
	does_not_read(schema, WORDS("cmd", "--ver"), "could be", 1, 0);
	does_not_read(
	    schema, WORDS("cmd", "-v", "--vrebose"), "did you mean", 2, 0);
	does_not_read(schema, WORDS("cmd", "-vqx"), "'-q'", 1, 2);
	does_not_read(schema, WORDS("cmd", "--verbose=1"), "no value", 1, 9);
	does_not_read(schema, WORDS("cmd", "-vx"), "missing", 2, 0);
	does_not_read(schema, WORDS("cmd", "--n", "10"), "0 to 9", 2, 0);
	does_not_read(schema, WORDS("cmd", "--n=1x"), "whole number", 1, 4);
	does_not_read(schema, WORDS("cmd", "--n=+1"), "whole number", 1, 4);
	does_not_read(schema, WORDS("cmd", "--n=01"), "whole number", 1, 4);
	does_not_read(schema, WORDS("cmd", "--n="), "whole number", 1, 4);
	does_not_read(schema, WORDS("cmd", "word"), "too many", 1, 0);
	does_not_read(schema, WORDS("cmd", "--"), "unknown option '--'", 1, 0);
	does_not_read(schema, WORDS("cmd", "-\xff"), "unknown", 1, 1);
}

static void
operands_are_counted_from_both_ends(void **state)
{
	const char *schema =
	    "{'additionalProperties':false,'required':['a','z'],"
	    "'x-apexe-end-of-options':true,'properties':{"
	    "'a':{'type':'string','x-apexe-positional':0},"
	    "'m':{'type':'array','x-apexe-positional':1},"
	    "'z':{'type':'string','x-apexe-positional':2},"
	    "'v':{'type':'boolean','x-apexe-flag':'-v'}}}";

	(void)state;
	reads(schema, WORDS("cmd", "1", "2"), "{'a':'1','z':'2'}");
	reads(schema, WORDS("cmd", "1", "2", "-v", "3"),
	    "{'a':'1','m':['2'],'z':'3','v':true}");
	reads(schema, WORDS("cmd", "1", "2", "3", "4"),
	    "{'a':'1','m':['2','3'],'z':'4'}");
	reads(schema, WORDS("cmd", "--", "-v", "--", "-"),
	    "{'a':'-v','m':['--'],'z':'-'}");
	does_not_read(schema, WORDS("cmd", "1"), "'z' is missing", 2, 0);
	does_not_read(schema, WORDS("cmd"), "'a' is missing", 1, 0);
}

static void
values_of_a_schema_have_their_types(void **state)
{
	const char *schema = CLOSED(
	    "'e':{'enum':['red','blue']},'f':{'type':'number'},"
	    "'w':{'type':['string','boolean'],'x-apexe-value-optional':true},"
	    "'p':{'type':'array','x-writ-arity':2},"
	    "'q':{'type':'array','x-writ-arity':2,'items':{'type':'array'}},"
	    "'l':" LIST ",'any':{},'o':{'type':['string','array'],'items':{'"
	    "type':'string'}},"
	    "'vs':{'type':'array','items':{'type':'boolean'}}");

	(void)state;
	reads(schema, WORDS("cmd", "--e=red"), "{'e':'red'}");
	does_not_read(schema, WORDS("cmd", "--e=rde"), "'red'", 1, 4);
	reads(schema, WORDS("cmd", "--f", "1.5"), "{'f':1.5}");
	reads(schema, WORDS("cmd", "--f", "-1e3"), "{'f':-1e3}");
	does_not_read(schema, WORDS("cmd", "--f", "1e999"), "number", 2, 0);
	does_not_read(schema, WORDS("cmd", "--f", "1."), "number", 2, 0);
	reads(schema, WORDS("cmd", "--w"), "{'w':true}");
	reads(schema, WORDS("cmd", "--w=x"), "{'w':'x'}");
	does_not_read(schema, WORDS("cmd", "--w", "x"), "too many", 2, 0);
	reads(schema, WORDS("cmd", "--p", "a", "b"), "{'p':['a','b']}");
	reads(schema, WORDS("cmd", "--q", "a", "b", "--q", "c", "d"),
	    "{'q':[['a','b'],['c','d']]}");
	does_not_read(schema, WORDS("cmd", "--p", "a"), "missing", 3, 0);
	does_not_read(schema, WORDS("cmd", "--p=a", "b"), "own", 1, 3);
	reads(schema, WORDS("cmd", "--l", "a"), "{'l':['a']}");
	reads(schema, WORDS("cmd", "--l", "a", "--l=b"), "{'l':['a','b']}");
	reads(schema, WORDS("cmd", "--o", "a"), "{'o':'a'}");
	reads(schema, WORDS("cmd", "--o", "a", "--o=b"), "{'o':['a','b']}");
	does_not_read(schema, WORDS("cmd", "--any", "x"), "not said", 1, 0);
	reads(schema, WORDS("cmd", "--any=x"), "{'any':'x'}");
	reads(schema, WORDS("cmd", "--vs"), "{'vs':true}");
	reads(schema, WORDS("cmd", "--vs", "--vs"), "{'vs':[true,true]}");
}

static void
a_schema_can_say_what_a_word_is(void **state)
{
	const char *schema =
	    CLOSED("'t':{'type':'string','x-writ-type':'duration'},"
		   "'p':{'type':'array','items':{'type':'string'},"
		   "'x-writ-type':'path:read','x-apexe-positional':0},"
		   "'q':{'type':'array','x-writ-arity':2,"
		   "'x-writ-type':'size','items':{'type':'string'}}");
	struct form_of made = make_form(schema);
	const struct w_param *path = w_grammar_find(made.grammar, "p", 1);

	(void)state;
	assert_int_equal(path->values[0].access, W_EFFECT_READ);
	assert_true(path->is_path);
	free_form(&made);
	reads(schema, WORDS("cmd", "--t=5s", "./-x", "--q", "1k", "2"),
	    "{'t':'5s','p':['-x'],'q':['1k','2']}");
	does_not_read(schema, WORDS("cmd", "--t", "x"), "a duration", 2, 0);
	does_not_read(schema, WORDS("cmd", "--q", "1", "x"), "a size", 3, 0);
}

static void
links_between_options_hold(void **state)
{
	const char *schema =
	    CLOSED("'a':{'type':'boolean','x-apexe-conflicts-with':['b']},"
		   "'b':" SWITCH ",'c':{'type':'boolean',"
		   "'x-writ-requires':['a']}");

	(void)state;
	reads(schema, WORDS("cmd", "--c", "--a"), "{'a':true,'c':true}");
	does_not_read(
	    schema, WORDS("cmd", "--a", "--b"), "used together", 2, 0);
	does_not_read(schema, WORDS("cmd", "--c"), "needs '--a'", 1, 0);
}

static void
what_guards_a_path_is_not_part_of_it(void **state)
{
	const char *schema =
	    CLOSED("'f':{'type':'array','x-apexe-positional':0,"
		   "'items':{'type':'string','format':'path'}}");

	(void)state;
	reads(schema, WORDS("cmd", "./-x", "./x", "./-", "./+y", "./(", "-"),
	    "{'f':['-x','./x','./-','+y','./(','-']}");
}

static void
words_that_are_not_text_are_kept(void **state)
{
	(void)state;
	reads(CLOSED("'a':" TEXT), WORDS("cmd", "--a", "\xff"),
	    "{'a':{'b64':'/w=='}}");
}

static void
secrets_are_shown_only_on_demand(void **state)
{
	struct form_of made = make_form(
	    CLOSED("'p':{'type':'string','x-sensitive':true},'q':" TEXT));
	const char *const *words = WORDS("cmd", "--p", "hidden", "--q", "x");
	struct w_argv_parse parse;
	W_AUTO_BUF struct w_buf json;

	(void)state;
	w_buf_init(&json, 1024);
	assert_int_equal(w_argv_parse_by_grammar(made.grammar, 1,
			     ARGV(words, 5), &parse, NULL, NULL),
	    WRIT_OK);
	w_argv_parse_add_json(&json, &parse, false);
	assert_string_equal(json.data, "{\"p\":\"***\",\"q\":\"x\"}");
	w_argv_parse_done(&parse);
	free_form(&made);
}

static void
two_options_with_one_name_are_never_matched(void **state)
{
	const char *schema =
	    CLOSED("'a':{'type':'boolean','x-apexe-flag':'-x'},"
		   "'b':{'type':'boolean','x-apexe-flag':'-x'},"
		   "'c':{'type':'boolean','x-apexe-flag':'-c'}");

	(void)state;
	reads(schema, WORDS("cmd", "-c"), "{'c':true}");
	does_not_read(schema, WORDS("cmd", "-cx"), "two options", 1, 2);
}

static void
steps_keep_their_order(void **state)
{
	const char *schema =
	    CLOSED("'a':" SWITCH ",'b':" TEXT
		   ",'f':{'type':'string','x-apexe-positional':0},"
		   "'steps':{'type':'array','x-writ-sequence':true}");

	(void)state;
	reads(schema, WORDS("cmd", "--b", "1", "x", "--a", "--b=2"),
	    "{'steps':[{'b':'1'},{'f':'x'},{'a':true},{'b':'2'}]}");
	reads(schema, WORDS("cmd"), "{}");
}

static void
fixed_words_stand_behind_what_is_before_the_subcommand(void **state)
{
	struct form_of made =
	    make_form(CLOSED("'C':{'type':'string','x-apexe-flag':'-C',"
			     "'x-apexe-flag-position':'before-subcommand'},"
			     "'n':" SWITCH));
	const char *const *good = WORDS("git", "-C", "d", "log", "--n");
	const char *const *bad = WORDS("git", "log", "-Cd");
	struct w_argv_parse parse;
	struct w_argv_parse_fault fault;
	writ_error err = {0};

	(void)state;
	assert_int_equal(w_argv_parse_by_grammar(made.grammar, 2, ARGV(good, 5),
			     &parse, NULL, &err),
	    WRIT_OK);
	assert_parse(&parse, "{'C':'d','n':true}");
	w_argv_parse_done(&parse);
	assert_int_equal(w_argv_parse_by_grammar(made.grammar, 2, ARGV(bad, 3),
			     &parse, &fault, &err),
	    WRIT_E_INVALID);
	assert_fault(&fault, &err, "before the sub-command", 2, 1);
	free_form(&made);
}

static void
many_words_take_linear_time(void **state)
{
	struct form_of made =
	    make_form("{'x-apexe-end-of-options':true,'properties':{"
		      "'v':{'type':'boolean','x-apexe-flag':'-v'},"
		      "'f':{'type':'array','x-apexe-positional':0}}}");
	size_t count = 100000;
	const char **words = calloc(count + 1, sizeof(*words));
	struct w_argv_parse parse;
	struct w_argv_parse_fault fault;
	writ_error err = {0};

	(void)state;
	assert_non_null(words);
	for (size_t i = 0; i < count; i++)
		words[i] = i % 2 == 0 ? "w" : "-vv";
	assert_int_equal(w_argv_parse_by_grammar(made.grammar, 1,
			     ARGV(words, count), &parse, NULL, &err),
	    WRIT_OK);
	assert_int_equal(parse.count, 99999 + 50000);
	W_AUTO_BUF struct w_buf json;
	w_buf_init(&json, 16 * 1024 * 1024);
	w_argv_parse_add_json(&json, &parse, true);
	assert_false(json.failed);
	w_argv_parse_done(&parse);
	free((void *)words);

	words = calloc(W_ARGV_WORDS_MAX + 1, sizeof(*words));
	assert_non_null(words);
	for (size_t i = 0; i <= W_ARGV_WORDS_MAX; i++)
		words[i] = "w";
	assert_int_equal(
	    w_argv_parse_by_grammar(made.grammar, 1,
		ARGV(words, W_ARGV_WORDS_MAX + 1), &parse, &fault, &err),
	    WRIT_E_INVALID);
	assert_fault(&fault, &err, "too many", W_ARGV_WORDS_MAX, 0);
	assert_int_equal(w_argv_parse_by_grammar(made.grammar, 1,
			     ARGV(words, 0), &parse, &fault, &err),
	    WRIT_E_INVALID);
	free((void *)words);
	free_form(&made);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(options_of_a_schema_are_read_in_every_spelling),
	    cmocka_unit_test(what_is_no_option_is_refused_with_its_place),
	    cmocka_unit_test(operands_are_counted_from_both_ends),
	    cmocka_unit_test(values_of_a_schema_have_their_types),
	    cmocka_unit_test(a_schema_can_say_what_a_word_is),
	    cmocka_unit_test(links_between_options_hold),
	    cmocka_unit_test(what_guards_a_path_is_not_part_of_it),
	    cmocka_unit_test(words_that_are_not_text_are_kept),
	    cmocka_unit_test(secrets_are_shown_only_on_demand),
	    cmocka_unit_test(two_options_with_one_name_are_never_matched),
	    cmocka_unit_test(steps_keep_their_order),
	    cmocka_unit_test(
		fixed_words_stand_behind_what_is_before_the_subcommand),
	    cmocka_unit_test(many_words_take_linear_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
