/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every allocation fails once: of making a form and a template, and of
 * rendering by them. What leaks is found by the address sanitizer, in a build
 * that has it.
 */

#include "../unit/rendering.h"

#include "module/binding/binding_template.h"
#include "surviving.h"

static yyjson_doc *schema;
static yyjson_doc *args;
static yyjson_doc *command;

static int
set_up(void **state)
{
	(void)state;
	schema = read_quoted(
	    "{'properties':{'a':{'type':'string','x-apexe-flag':'-a',"
	    "'x-apexe-conflicts-with':['b','c']},'b':{'x-writ-requires':['d']},"
	    "'c':{},'d':{'type':'array','x-apexe-positional':1,"
	    "'format':'path'},'e':{'x-writ-attach':'equals'}}}");
	args = read_quoted("{'b':['x','y'],'d':['-z',5],'e':'v','free':true}");
	command = read_quoted(
	    "['cmd',{'when':'args.b','then':['x={{args.e}}{{args.e}}'],"
	    "'else':['y']},'{{args.d}}','--','{{args.b}}']");
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	yyjson_doc_free(schema);
	yyjson_doc_free(args);
	yyjson_doc_free(command);
	return 0;
}

static writ_status
render_form(const struct w_grammar *grammar, writ_error *err)
{
	const struct w_render_plan plan = {
	    .grammar = grammar, .words = WORDS("cmd", "sub")};
	struct w_words words = {0};
	writ_status status =
	    w_render(&plan, yyjson_doc_get_root(args), &words, err);

	if (status == WRIT_OK)
		assert_words(&words, WORDS("cmd", "sub", "--b", "x", "--b", "y",
					 "--e=v", "--free", "./-z", "5"));
	else
		assert_null(words.items);
	w_words_done(&words);
	return status;
}

static writ_status
render_template(const struct w_grammar *grammar, writ_error *err)
{
	struct w_binding_template *template = NULL;
	struct w_words words = {0};
	writ_status status = w_binding_template_new(
	    yyjson_doc_get_root(command), grammar, &template, NULL, err);

	if (status != WRIT_OK) {
		assert_null(template);
		return status;
	}
	status = w_binding_template_render(
	    template, yyjson_doc_get_root(args), &words, err);
	if (status == WRIT_OK)
		assert_words(
		    &words, WORDS("cmd", "x=vv", "./-z", "5", "--", "x", "y"));
	else
		assert_int_equal(words.count, 0);
	w_words_done(&words);
	w_binding_template_free(template);
	return status;
}

static writ_status
render_text(const struct w_grammar *grammar, writ_error *err)
{
	static const char text[] = "a{{args.e}}b";
	struct w_buf out;

	w_buf_init(&out, 100);
	writ_status status = w_binding_template_render_text(text,
	    sizeof(text) - 1, grammar, yyjson_doc_get_root(args), &out, err);
	if (status == WRIT_OK)
		assert_string_equal(out.data, "avb");
	w_buf_done(&out);
	return status;
}

static writ_status
render_both(writ_error *err)
{
	struct w_grammar *grammar = NULL;
	writ_status status =
	    w_grammar_new(yyjson_doc_get_root(schema), &grammar, NULL, err);

	if (status != WRIT_OK) {
		assert_null(grammar);
		return status;
	}
	status = render_form(grammar, err);
	if (status == WRIT_OK)
		status = render_template(grammar, err);
	if (status == WRIT_OK)
		status = render_text(grammar, err);
	w_grammar_free(grammar);
	return status;
}

static void
rendering_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(render_both, 30, 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		rendering_survives_each_failed_allocation, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
