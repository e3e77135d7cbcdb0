/* SPDX-License-Identifier: Apache-2.0 */

/* Every allocation fails once: of parsing by a schema and by a description, of
 * writing what was found as JSON, and of rendering it again. */

#include "../unit/parsing.h"
#include "../unit/style_descriptions.h"

#include "surviving.h"

static struct w_command *command;
static struct form_of made;

static int
set_up(void **state)
{
	const struct w_grammar *grammar;

	(void)state;
	command = describe(git_yaml);
	/* The forms are made once; parsing is what is looked at. */
	assert_int_equal(
	    w_command_grammar(w_command_root(command), &grammar, NULL),
	    WRIT_OK);
	assert_int_equal(
	    w_command_grammar(
		w_command_find(command, "cli.git.log"), &grammar, NULL),
	    WRIT_OK);
	made = make_form(CLOSED("'a':{'type':'boolean','x-apexe-flag':'-a'}"));
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_command_free(command);
	free_form(&made);
	return 0;
}

static writ_status
write_and_render(const struct w_argv_parse *parse, writ_error *err)
{
	const char *names[NODE_WORDS_MAX];
	const struct w_render_plan plan = {
	    .grammar = parse->grammar, .words = names};
	struct w_words words = {0};
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, 4096);
	w_argv_parse_add_json(&json, parse, true);
	if (json.failed)
		return w_fail_nomem(err, "test");
	yyjson_doc *args = yyjson_read(json.data, json.len, 0);
	if (args == NULL)
		return w_fail_nomem(err, "test");
	node_words(parse->node, names);
	writ_status status =
	    w_render(&plan, yyjson_doc_get_root(args), &words, err);
	yyjson_doc_free(args);
	if (status == WRIT_OK)
		assert_words(&words, WORDS("git", "-C", "d", "log",
					 "--max-count", "5", "--", "./-x"));
	else
		assert_null(words.items);
	w_words_done(&words);
	return status;
}

static writ_status
parse_all(writ_error *err)
{
	const char *const *words =
	    WORDS("git", "-Cd", "log", "-5", "--", "./-x");
	const char *const *bundle =
	    WORDS("cmd", "-aaaaaaaaaaaaaaaaaaaaaaaaaaa");
	struct w_argv_parse parse = {0};
	writ_status status =
	    w_argv_parse(command, ARGV(words, 6), &parse, NULL, err);

	if (status == WRIT_OK) {
		status = write_and_render(&parse, err);
		w_argv_parse_done(&parse);
	}
	if (status != WRIT_OK)
		return status;
	status = w_argv_parse_by_grammar(
	    made.grammar, 1, ARGV(bundle, 2), &parse, NULL, err);
	if (status == WRIT_OK)
		w_argv_parse_done(&parse);
	else
		assert_null(parse.matches);
	return status;
}

static void
parsing_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(parse_all, 15, 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		parsing_survives_each_failed_allocation, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
