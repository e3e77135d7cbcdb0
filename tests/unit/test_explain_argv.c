/* SPDX-License-Identifier: Apache-2.0 */
#include "calling.h"

static writ_modules *
load_builtin(void)
{
	writ_modules_options options = plain_options();
	writ_modules *all = NULL;

	options.no_builtin = false;
	assert_int_equal(writ_modules_new(&options, &all, NULL), WRIT_OK);
	return all;
}

/* The explanation; the caller frees the document. */
static yyjson_doc *
explain(writ_modules *all, const writ_explain_options *how)
{
	writ_error err = {0};
	char *json = NULL;
	size_t len = 0;

	if (writ_explain(all, how, &json, &len, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	yyjson_doc *doc = yyjson_read(json, len, 0);
	assert_non_null(doc);
	assert_int_equal(strlen(json), len);
	free(json);
	return doc;
}

static yyjson_doc *
explain_argv(writ_modules *all, const char *const *argv)
{
	writ_explain_options how = WRIT_EXPLAIN_OPTIONS_INIT;

	how.argv = argv;
	return explain(all, &how);
}

static const char *
text_at(yyjson_doc *doc, const char *pointer)
{
	const char *text = yyjson_get_str(yyjson_doc_ptr_get(doc, pointer));

	return text == NULL ? "" : text;
}

static bool
is_understood(yyjson_doc *doc)
{
	return yyjson_is_true(yyjson_doc_ptr_get(doc, "/understood"));
}

static void
put_command(const char *name, const char *text)
{
	char path[64];

	(void)snprintf(
	    path, sizeof(path), "config/modules/%s.command.yaml", name);
	put_file(in_home(path), "", text);
}

static void
a_command_is_explained_by_what_is_built_in(void **state)
{
	static const char *const argv[] = {"rm", "-rf", "build", NULL};
	writ_modules *all = load_builtin();
	yyjson_doc *doc = explain_argv(all, argv);

	(void)state;
	assert_true(is_understood(doc));
	assert_string_equal(text_at(doc, "/module"), "cli.rm");
	assert_string_equal(text_at(doc, "/description"), "builtin");
	assert_string_equal(text_at(doc, "/effects/0"), "delete");
	assert_string_equal(text_at(doc, "/touches/0/path"), "build");
	yyjson_doc_free(doc);
	writ_modules_free(all);
}

static void
a_string_and_variables_are_explained(void **state)
{
	static const char *const argv[] = {"ls", NULL};
	static const char *const env[] = {"LD_PRELOAD=x.so", NULL};
	writ_modules *all = load_builtin();
	writ_explain_options how = WRIT_EXPLAIN_OPTIONS_INIT;

	(void)state;
	how.shell = "cat a > b";
	yyjson_doc *doc = explain(all, &how);
	assert_true(is_understood(doc));
	assert_string_equal(text_at(doc, "/shell"), "cat a > b");
	yyjson_doc_free(doc);

	how.shell = NULL;
	how.argv = argv;
	how.env = env;
	doc = explain(all, &how);
	assert_string_equal(text_at(doc, "/touches/0/variable"), "LD_PRELOAD");
	yyjson_doc_free(doc);

	/* From a caller that does not know the member env. */
	how.size = offsetof(writ_explain_options, env);
	doc = explain(all, &how);
	assert_string_equal(text_at(doc, "/effects/0"), "read");
	assert_int_equal(
	    yyjson_arr_size(yyjson_doc_ptr_get(doc, "/effects")), 1);
	yyjson_doc_free(doc);
	writ_modules_free(all);
}

static void
one_command_is_wanted_and_no_more(void **state)
{
	static const char *const argv[] = {"ls", NULL};
	static const char *const none[] = {NULL};
	writ_modules *all = load_builtin();
	writ_explain_options how = WRIT_EXPLAIN_OPTIONS_INIT;
	char *json = NULL;
	size_t len = 0;
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    writ_explain(all, NULL, &json, &len, &err), WRIT_E_INVALID);
	assert_int_equal(
	    writ_explain(all, &how, &json, &len, &err), WRIT_E_INVALID);
	how.argv = none;
	assert_int_equal(
	    writ_explain(all, &how, &json, &len, &err), WRIT_E_INVALID);
	how.argv = argv;
	how.shell = "ls";
	assert_int_equal(
	    writ_explain(all, &how, &json, &len, &err), WRIT_E_INVALID);
	assert_null(json);
	writ_modules_free(all);
}

static void
a_file_that_is_wrong_is_the_reason(void **state)
{
	static const char *const argv[] = {"timeout", "5", "ls", NULL};

	(void)state;
	put_command("ls", "command: ls\neffect: []\n");
	writ_modules *all = load_builtin();
	yyjson_doc *doc = explain_argv(all, argv);
	assert_false(is_understood(doc));
	assert_true(is_in(
	    "ls.command.yaml:2:1", text_at(doc, "/runs/0/reason/message")));
	yyjson_doc_free(doc);
	writ_modules_free(all);
}

static void
the_file_that_described_it_is_named(void **state)
{
	static const char *const argv[] = {"mine", "x", NULL};

	(void)state;
	put_command("mine", "command: mine\n"
			    "operands: {file <path:delete>: it}\n"
			    "effects: []\n");
	writ_modules *all = load_builtin();
	yyjson_doc *doc = explain_argv(all, argv);
	assert_true(is_understood(doc));
	assert_true(is_in("mine.command.yaml", text_at(doc, "/description")));
	yyjson_doc_free(doc);
	/* Without the built-in descriptions there are none. */
	load_modules();
	static const char *const other[] = {"ls", NULL};
	doc = explain_argv(modules, other);
	assert_false(is_understood(doc));
	yyjson_doc_free(doc);
	writ_modules_free(all);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CALLING(a_command_is_explained_by_what_is_built_in),
	    CALLING(a_string_and_variables_are_explained),
	    CALLING(one_command_is_wanted_and_no_more),
	    CALLING(a_file_that_is_wrong_is_the_reason),
	    CALLING(the_file_that_described_it_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
