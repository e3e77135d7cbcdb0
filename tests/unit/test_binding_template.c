/* SPDX-License-Identifier: Apache-2.0 */
#include "rendering.h"

#include "module/binding/binding_template_parse.h"

static const char plain[] =
    "{'additionalProperties':false,'properties':{'a':{},'b':{},'list':{},"
    "'n':{'type':'integer'},'file':{'type':'string','format':'path'},"
    "'files':{'type':'array','items':{'type':'string','format':'path'}},"
    "'pattern':{'type':'string','x-apexe-flag':'-e'},"
    "'patterns':{'type':'array','x-apexe-flag':'-e'},"
    "'quiet':{'type':'boolean','x-apexe-flag':'-q'},"
    "'free':{'type':'string','x-writ-dash':'allow'},"
    "'secret':{'type':'string','x-sensitive':true}}}";

/* Fills a command; the caller frees *out_words. */
static writ_status
fill(const char *command, const char *args, struct w_words *out_words,
    writ_error *err)
{
	struct form_of made = make_form(plain);
	yyjson_doc *words = read_quoted(command);
	yyjson_doc *values = read_quoted(args);
	struct w_binding_template *template = NULL;

	if (w_binding_template_new(yyjson_doc_get_root(words), made.grammar,
		&template, NULL, err) != WRIT_OK)
		fail_msg("%s: %s", command, err->message);
	writ_status status = w_binding_template_render(
	    template, yyjson_doc_get_root(values), out_words, err);
	w_binding_template_free(template);
	yyjson_doc_free(values);
	yyjson_doc_free(words);
	free_form(&made);
	return status;
}

static void
fills(const char *command, const char *args, const char *const *want)
{
	struct w_words have = {0};
	writ_error err = {0};

	if (fill(command, args, &have, &err) != WRIT_OK)
		fail_msg("%s: %s", command, err.message);
	assert_words(&have, want);
	w_words_done(&have);
}

static void
does_not_fill(const char *command, const char *args, const char *part)
{
	struct w_words have = {0};
	writ_error err = {0};

	assert_true(w_words_add(&have, "before", 6));
	assert_int_equal(fill(command, args, &have, &err), WRIT_E_INVALID);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, err.message);
	assert_words(&have, WORDS("before"));
	w_words_done(&have);
}

/* at is the text of what is at fault, as JSON. */
static void
no_template(const char *command, const char *part, const char *at)
{
	struct form_of made = make_form(plain);
	yyjson_doc *words = read_quoted(command);
	struct w_binding_template *template = NULL;
	yyjson_val *fault = NULL;
	writ_error err = {0};

	assert_int_equal(w_binding_template_new(yyjson_doc_get_root(words),
			     made.grammar, &template, &fault, &err),
	    WRIT_E_INVALID);
	assert_null(template);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, err.message);
	char *text = yyjson_val_write(fault, 0, NULL);
	assert_non_null(text);
	assert_string_equal(text, at);
	free(text);
	yyjson_doc_free(words);
	free_form(&made);
}

static void
an_element_is_one_word(void **state)
{
	(void)state;
	fills("['cmd','{{args.a}}','x={{args.b}}:-1','']",
	    "{'a':'two words; $x','b':'b c'}",
	    WORDS("cmd", "two words; $x", "x=b c:-1", ""));
	fills("['cmd','{{ args.a }}','{{\\targs.a\\t}}']", "{'a':''}",
	    WORDS("cmd", "", ""));
}

static void
a_place_alone_takes_a_list(void **state)
{
	(void)state;
	fills("['cmd','{{args.list}}','end']", "{'list':['a','b c',1,null,'']}",
	    WORDS("cmd", "a", "b c", "1", "", "end"));
	fills("['cmd','{{args.list}}','end']", "{'list':[]}",
	    WORDS("cmd", "end"));
	fills("['cmd','{{args.list}}','end']", "{}", WORDS("cmd", "end"));
	fills("['cmd','{{args.list}}','end']", "{'list':null}",
	    WORDS("cmd", "end"));
	does_not_fill("['cmd','x{{args.list}}']", "{'list':['a']}",
	    "argument 'list': a list cannot be a part");
}

static void
inside_a_longer_text_an_argument_must_be_there(void **state)
{
	(void)state;
	does_not_fill("['cmd','x={{args.a}}']", "{}",
	    "argument 'a': the command needs it");
	does_not_fill("['cmd','x={{args.a}}']", "{'a':null}", "needs it");
	fills("['cmd','x={{args.a}}']", "{'a':''}", WORDS("cmd", "x="));
}

static void
values_are_their_json_text(void **state)
{
	(void)state;
	fills("['cmd','{{args.a}}','{{args.b}}','n={{args.n}}']",
	    "{'a':true,'b':false,'n':5.0}",
	    WORDS("cmd", "true", "false", "n=5"));
	fills("['cmd','{{args.a}}','d={{args.b}}']",
	    "{'a':{'x':[1,2]},'b':{'y':null}}",
	    WORDS("cmd", "{\"x\":[1,2]}", "d={\"y\":null}"));
}

static void
a_condition_chooses_its_words(void **state)
{
	static const char command[] =
	    "['cmd',{'when':'args.a','then':['-q','{{args.a}}',"
	    "{'when':'args.b','then':['b']}],'else':['none']},'end']";

	(void)state;
	fills(command, "{'a':'x'}", WORDS("cmd", "-q", "x", "end"));
	fills(command, "{'a':0,'b':''}", WORDS("cmd", "-q", "0", "b", "end"));
	fills(command, "{}", WORDS("cmd", "none", "end"));
	fills(command, "{'a':false}", WORDS("cmd", "none", "end"));
	fills(command, "{'a':null}", WORDS("cmd", "none", "end"));
	fills(command, "{'a':[]}", WORDS("cmd", "none", "end"));
	fills("['cmd',{'when':'args.a','then':[]}]", "{'a':1}", WORDS("cmd"));
}

static void
braces_can_be_literal(void **state)
{
	(void)state;
	fills("['cmd','{{{{json .}}','{}','{','}}','a{{{{b{{{{']", "{}",
	    WORDS("cmd", "{{json .}}", "{}", "{", "}}", "a{{b{{"));
	fills("['cmd','{{{args.a}}}','{{{{{{args.a}}','{x{{args.a}}']",
	    "{'a':'v'}", WORDS("cmd", "{v}", "{{v", "{xv"));
}

static void
what_is_filled_in_is_not_read_again(void **state)
{
	(void)state;
	fills("['cmd','x{{args.a}}{{args.b}}']",
	    "{'a':'{{args.b}}','b':'}}{{'}", WORDS("cmd", "x{{args.b}}}}{{"));
}

static void
a_dashed_value_is_no_option(void **state)
{
	(void)state;
	does_not_fill("['cmd','{{args.a}}']", "{'a':'-rf'}",
	    "argument 'a': '-rf' begins with '-'");
	does_not_fill("['cmd','{{args.list}}']", "{'list':['x','--help']}",
	    "argument 'list', element 2: '--help' begins");
	does_not_fill("['cmd','{{args.a}}{{args.b}}']", "{'a':'','b':'-x'}",
	    "begins with '-'");
	does_not_fill("['cmd','{{args.a}}=x']", "{'a':'-v'}", "begins with");
	does_not_fill("['ls','{{args.a}}{{args.b}}']", "{'a':-1,'b':'laR'}",
	    "'-1laR' begins with '-'");
	fills("['cmd','{{args.a}}:{{args.b}}x']", "{'a':-1,'b':-2}",
	    WORDS("cmd", "-1:-2x"));
	does_not_fill(
	    "['cmd','--','{{args.secret}}']", "{'secret':'x\\u0000'}", "NUL");
}

static void
a_literal_flag_before_it_may_be_a_switch(void **state)
{
	(void)state;
	does_not_fill("['git','log','--oneline','{{args.a}}']",
	    "{'a':'--output=/tmp/x'}", "would be taken for an option");
	does_not_fill("['cmd','-q','{{args.quiet}}','{{args.a}}']",
	    "{'a':'-x'}", "would be taken");
	does_not_fill("['cmd','-q','{{args.quiet}}']", "{'quiet':'-x'}",
	    "would be taken");
}

static void
a_value_may_follow_its_own_flag(void **state)
{
	(void)state;
	fills("['grep','-e','{{args.pattern}}']", "{'pattern':'-x'}",
	    WORDS("grep", "-e", "-x"));
	fills("['grep','--a','{{args.a}}']", "{'a':'-x'}",
	    WORDS("grep", "--a", "-x"));
	does_not_fill("['grep','-e','{{args.patterns}}']",
	    "{'patterns':['-x','-f']}", "element 2: '-f'");
	does_not_fill("['grep','-e','x','{{args.pattern}}']",
	    "{'pattern':'-f'}", "would be taken");
	does_not_fill("['grep','-e','{{args.b}}','{{args.pattern}}']",
	    "{'pattern':'-f','b':'x'}", "would be taken");
}

static void
other_ways_to_protect_a_dash(void **state)
{
	(void)state;
	fills("['cmd','--','{{args.a}}','{{args.list}}','{{args.file}}']",
	    "{'a':'-x','list':['-y'],'file':'-z'}",
	    WORDS("cmd", "--", "-x", "-y", "./-z"));
	fills("['find','--','{{args.file}}','{{args.files}}']",
	    "{'file':'-delete','files':['(','-exec']}",
	    WORDS("find", "--", "./-delete", "./(", "./-exec"));
	fills("['cmd','{{args.a}}','{{args.b}}']", "{'a':-5,'b':-0.5}",
	    WORDS("cmd", "-5", "-0.5"));
	fills("['cmd','{{args.free}}']", "{'free':'--any'}",
	    WORDS("cmd", "--any"));
	fills("['cmd','--a={{args.a}}','x{{args.b}}']", "{'a':'-x','b':'-y'}",
	    WORDS("cmd", "--a=-x", "x-y"));
	fills("['cmd','{{args.a}}']", "{'a':'-'}", WORDS("cmd", "-"));
	fills("['find','{{args.file}}','{{args.files}}']",
	    "{'file':'-delete','files':['!','(x','a','--']}",
	    WORDS("find", "./-delete", "./!", "./(x", "a", "./--"));
	fills("['gcc','{{args.file}}','{{args.a}}']",
	    "{'file':'@options','a':'+x'}", WORDS("gcc", "./@options", "+x"));
	fills("['cmd',{'when':'args.a','then':['--']},'{{args.b}}']",
	    "{'a':1,'b':'-x'}", WORDS("cmd", "--", "-x"));
	does_not_fill("['cmd',{'when':'args.a','then':['--']},'{{args.b}}']",
	    "{'b':'-x'}", "would be taken");
	does_not_fill("['cmd','{{args.a}}','{{args.b}}']",
	    "{'a':'--','b':'-x'}", "'--' begins");
}

static void
a_secret_is_not_shown(void **state)
{
	struct w_words have = {0};
	writ_error err = {0};

	(void)state;
	assert_int_equal(fill("['cmd','{{args.secret}}']",
			     "{'secret':'-hunter2'}", &have, &err),
	    WRIT_E_INVALID);
	assert_null(strstr(err.message, "hunter2"));
	w_words_done(&have);
}

static void
the_program_is_literal(void **state)
{
	(void)state;
	no_template(
	    "['{{args.a}}']", "cannot depend on an argument", "\"{{args.a}}\"");
	no_template(
	    "['/bin/{{args.a}}']", "cannot depend", "\"/bin/{{args.a}}\"");
	no_template("[{'when':'args.a','then':['x']}]", "cannot depend",
	    "{\"when\":\"args.a\",\"then\":[\"x\"]}");
	no_template("['']", "empty text", "\"\"");
	no_template("[]", "no word", "[]");
	no_template("'cmd'", "not a list of words", "\"cmd\"");
}

static void
mistakes_are_found_when_it_is_read(void **state)
{
	(void)state;
	no_template("['cmd','a {{args.a']", "is not closed at character 3",
	    "\"a {{args.a\"");
	no_template("['cmd','{{args.a }']", "is not closed", "\"{{args.a }\"");
	no_template(
	    "['cmd','{{args.a b}}']", "is not closed", "\"{{args.a b}}\"");
	no_template("['cmd','{{a}}']", "no \"args.\"", "\"{{a}}\"");
	no_template("['cmd','{{}}']", "no \"args.\"", "\"{{}}\"");
	no_template("['cmd','{{args.}}']", "no name", "\"{{args.}}\"");
	no_template("['cmd','{{args.patern}}']", "no argument 'patern'",
	    "\"{{args.patern}}\"");
	no_template("['cmd',5]", "an element is a text", "5");
	no_template("['cmd',{'then':['x']}]", "'when' is the name",
	    "{\"then\":[\"x\"]}");
	no_template(
	    "['cmd',{'when':'args.a'}]", "no 'then'", "{\"when\":\"args.a\"}");
	no_template("['cmd',{'when':'args.a','then':'x'}]",
	    "not a list of words", "\"x\"");
	no_template("['cmd',{'when':'args.zz','then':[]}]", "no argument 'zz'",
	    "\"args.zz\"");
	no_template("['cmd',{'when':'args.a or args.b','then':[]}]",
	    "more than one name", "\"args.a or args.b\"");
	no_template("['cmd',{'when':'args.a','then':[],'esle':[]}]",
	    "unknown key 'esle'", "\"esle\"");
	no_template("['cmd','a\\u0000b']", "NUL", "\"a\\u0000b\"");
}

static void
depth_and_length_are_limited(void **state)
{
	struct w_buf text;

	(void)state;
	w_buf_init(&text, 1 << 16);
	w_buf_add_str(&text, "['cmd'");
	for (unsigned i = 0; i < 9; i++)
		w_buf_add_str(&text, ",{'when':'args.a','then':['x'");
	for (unsigned i = 0; i < 9; i++)
		w_buf_add_str(&text, "]}");
	w_buf_add_str(&text, "]");

	struct form_of made = make_form(plain);
	yyjson_doc *words = read_quoted(text.data);
	struct w_binding_template *template = NULL;
	writ_error err = {0};
	assert_int_equal(w_binding_template_new(yyjson_doc_get_root(words),
			     made.grammar, &template, NULL, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "nested too deep"));
	yyjson_doc_free(words);
	w_buf_done(&text);

	w_buf_init(&text, 1 << 16);
	w_buf_add_str(&text, "['cmd'");
	for (unsigned i = 0; i < 1024; i++)
		w_buf_add_str(&text, ",'x'");
	w_buf_add_str(&text, "]");
	words = read_quoted(text.data);
	assert_int_equal(w_binding_template_new(yyjson_doc_get_root(words),
			     made.grammar, &template, NULL, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "too many elements"));
	yyjson_doc_free(words);
	w_buf_done(&text);
	free_form(&made);
}

static void
the_head_is_what_never_changes(void **state)
{
	struct form_of made = make_form("{}");
	yyjson_doc *words =
	    read_quoted("['git','log','{{{{x','{{args.any}}','end']");
	struct w_binding_template *template = NULL;
	struct w_words head = {0};

	(void)state;
	assert_int_equal(w_binding_template_new(yyjson_doc_get_root(words),
			     made.grammar, &template, NULL, NULL),
	    WRIT_OK);
	assert_int_equal(
	    w_binding_template_head(template, &head, NULL), WRIT_OK);
	assert_words(&head, WORDS("git", "log", "{{x"));
	w_words_done(&head);
	w_binding_template_free(template);
	yyjson_doc_free(words);
	free_form(&made);
}

static void
becomes(const char *text, const char *args, const char *want)
{
	struct form_of made = make_form(plain);
	yyjson_doc *values = read_quoted(args);
	struct w_buf out;
	writ_error err = {0};

	w_buf_init(&out, 1 << 21);
	writ_status status = w_binding_template_render_text(text, strlen(text),
	    made.grammar, yyjson_doc_get_root(values), &out, &err);
	if (want != NULL) {
		assert_int_equal(status, WRIT_OK);
		assert_string_equal(out.data, want);
	} else {
		assert_int_equal(status, WRIT_E_INVALID);
	}
	w_buf_done(&out);
	yyjson_doc_free(values);
	free_form(&made);
}

static void
a_single_text_has_places_too(void **state)
{
	(void)state;
	becomes(
	    "/srv/{{args.a}}/{{args.n}}", "{'a':'x y','n':-3}", "/srv/x y/-3");
	becomes("{{args.a}}", "{'a':'-x'}", "-x");
	becomes("{{args.a}}", "{}", "");
	becomes("{{args.a}}", "{'a':null}", "");
	becomes("plain", "{}", "plain");
	becomes("", "{}", "");
	becomes("x{{args.a}}", "{}", NULL);
	becomes("{{args.a}}", "{'a':['x']}", NULL);
	becomes("{{args.a}}", "{'a':'x\\u0000y'}", NULL);
	becomes("{{args.zz}}", "{}", NULL);
	becomes("{{args.a", "{}", NULL);
}

static void
a_single_text_is_read_strictly(void **state)
{
	static const char *const wrong[] = {
	    "{{args.zz}}", "{{args.a}", "{{args.a", "{{a}}"};
	struct form_of made = make_form(plain);
	struct w_binding_template_pieces pieces = {0};
	writ_error err = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(
		    w_binding_template_pieces_parse(wrong[i], strlen(wrong[i]),
			made.grammar, &pieces, &err),
		    WRIT_E_INVALID);
	assert_int_equal(w_binding_template_pieces_parse(
			     "x{{args.a}}", 11, made.grammar, &pieces, &err),
	    WRIT_OK);
	assert_int_equal(pieces.count, 2);
	w_binding_template_pieces_done(&pieces);
	free_form(&made);
}

static void
a_single_text_may_be_longer_than_a_word(void **state)
{
	struct w_buf args;

	(void)state;
	w_buf_init(&args, 1 << 21);
	w_buf_add_str(&args, "{'a':'");
	for (unsigned i = 0; i < 200000; i++)
		w_buf_add_char(&args, 'x');
	w_buf_add_str(&args, "'}");

	char *want = strndup(args.data + 6, 200000);
	assert_non_null(want);
	becomes("{{args.a}}", args.data, want);
	does_not_fill("['cmd','{{args.a}}']", args.data, "too many for one");
	does_not_fill("['cmd','x{{args.a}}']", args.data, "too many for one");

	struct form_of made = make_form(plain);
	yyjson_doc *values = read_quoted(args.data);
	struct w_buf small;
	writ_error err = {0};
	w_buf_init(&small, 1000);
	assert_int_equal(
	    w_binding_template_render_text("{{args.a}}", 10, made.grammar,
		yyjson_doc_get_root(values), &small, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "too long"));
	w_buf_done(&small);
	yyjson_doc_free(values);
	free_form(&made);
	free(want);
	w_buf_done(&args);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_element_is_one_word),
	    cmocka_unit_test(a_place_alone_takes_a_list),
	    cmocka_unit_test(inside_a_longer_text_an_argument_must_be_there),
	    cmocka_unit_test(values_are_their_json_text),
	    cmocka_unit_test(a_condition_chooses_its_words),
	    cmocka_unit_test(braces_can_be_literal),
	    cmocka_unit_test(what_is_filled_in_is_not_read_again),
	    cmocka_unit_test(a_dashed_value_is_no_option),
	    cmocka_unit_test(a_literal_flag_before_it_may_be_a_switch),
	    cmocka_unit_test(a_value_may_follow_its_own_flag),
	    cmocka_unit_test(other_ways_to_protect_a_dash),
	    cmocka_unit_test(a_secret_is_not_shown),
	    cmocka_unit_test(the_program_is_literal),
	    cmocka_unit_test(mistakes_are_found_when_it_is_read),
	    cmocka_unit_test(depth_and_length_are_limited),
	    cmocka_unit_test(the_head_is_what_never_changes),
	    cmocka_unit_test(a_single_text_has_places_too),
	    cmocka_unit_test(a_single_text_is_read_strictly),
	    cmocka_unit_test(a_single_text_may_be_longer_than_a_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
