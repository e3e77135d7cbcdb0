/* SPDX-License-Identifier: Apache-2.0 */

/* A question in few lines. */

#include "cli/approval/question_brief.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/output/line_wrap.h"

#define QUESTION(request)                                                      \
	"{\"id\":\"0123456789abcdef\",\"state\":\"pending\",\"expires_at\":"   \
	"300000,\"asker\":{\"uid\":7,\"pid\":8,\"agent\":\"coder\"},"          \
	"\"request\":{" request ",\"cwd\":\"/srv\",\"program\":"               \
	"\"/usr/bin/git\",\"env\":[],\"env_mode\":\"minimal\",\"stdin\":"      \
	"\"null\",\"sandbox\":{\"profile\":\"workspace\",\"network\":\"host\"" \
	",\"read\":[],\"write\":[\"/srv\"],\"hide\":[\"/bin/su\"]}},"          \
	"\"decision\":{\"message\":\"no\",\"rules\":[{\"decision\":\"ask\","   \
	"\"matched\":\"reaches 'x'\",\"because\":\"it leaves\"}]}}"

static struct w_words lines;
static struct w_question_shown shown;

static void
lay_out(const char *json, size_t columns, size_t lines_max)
{
	yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
	const struct w_question_brief brief = {
	    .question = yyjson_doc_get_root(doc),
	    .position = 2,
	    .waiting = 3,
	    .columns = columns,
	    .lines_max = lines_max,
	};

	assert_non_null(doc);
	w_words_done(&lines);
	lines = (struct w_words){.items = NULL};
	assert_true(w_question_brief_lines(&brief, &lines, &shown));
	yyjson_doc_free(doc);
	assert_in_range(lines.count, 1, lines_max);
	for (size_t i = 0; i < lines.count; i++)
		assert_in_range(w_wrap_columns(lines.items[i]), 1, columns);
}

static void
expect_line(size_t at, const char *text)
{
	assert_true(at < lines.count);
	assert_string_equal(lines.items[at], text);
}

static int
brief_tear_down(void **state)
{
	(void)state;
	w_words_done(&lines);
	lines = (struct w_words){.items = NULL};
	return 0;
}

static void
it_says_who_where_why_and_what_more(void **state)
{
	(void)state;
	lay_out(QUESTION("\"argv\":[\"git\",\"push\"]"), 80, 10);
	expect_line(
	    0, "writ: approval 0123456789abcdef, 2 of 3 waiting, 5m left");
	expect_line(1, "  who    agent coder, process 8 of user 7");
	expect_line(2, "  where  /srv");
	expect_line(3, "  why    it reaches 'x': it leaves");
	expect_line(4, "  gets   sandbox workspace, network host, may write "
		       ".");
	expect_line(5, "  git push");
	assert_int_equal(lines.count, 6);
	assert_true(shown.is_whole);
}

static void
what_the_command_brings_along_is_shown(void **state)
{
	(void)state;
	lay_out(QUESTION("\"argv\":[\"git\"],\"umask\":2,\"env\":[\"A=b c\"],"
			 "\"pty\":false"),
	    80, 10);
	expect_line(5, "  with   'A=b c'; umask 2");
	assert_true(shown.is_whole);
}

static void
the_rule_that_would_be_remembered_is_shown(void **state)
{
	char json[20000];
	char word[901];

	(void)state;
	lay_out("{\"request\":{\"argv\":[\"git\",\"push\"],\"cwd\":\"/srv\"},"
		"\"rule\":\"allow: git push ...\"}",
	    80, 10);
	expect_line(lines.count - 2, "  rule   allow: git push ...");
	expect_line(lines.count - 1, "  git push");
	assert_true(shown.is_whole && shown.has_rule);
	/* One that is cut is not shown, and neither is one for which the
	 * command leaves no room. */
	memset(word, 'a', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	(void)snprintf(json, sizeof(json),
	    "{\"request\":{\"argv\":[\"git\"],\"cwd\":\"/srv\"},"
	    "\"rule\":\"allow: git %s\"}",
	    word);
	lay_out(json, 60, 10);
	assert_true(shown.is_whole && !shown.has_rule);
	word[300] = '\0';
	(void)snprintf(json, sizeof(json),
	    "{\"request\":{\"argv\":[\"git\",\"%s\"],\"cwd\":\"/srv\"},"
	    "\"rule\":\"allow: git ...\"}",
	    word);
	lay_out(json, 60, 10);
	assert_true(shown.is_whole && !shown.has_rule);
}

static void
a_shell_text_keeps_its_lines(void **state)
{
	(void)state;
	lay_out(QUESTION("\"shell\":\"cd x\\n  rm \\u001b[2J\\n\""), 60, 10);
	expect_line(5, "  $ cd x");
	expect_line(6, "  >   rm \\x1b[2J");
	expect_line(7, "  > ");
	assert_true(shown.is_whole);
}

static void
a_long_command_is_cut_in_the_middle_and_says_so(void **state)
{
	char json[20000];
	char word[5001];

	(void)state;
	memset(word, 'a', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	(void)snprintf(json, sizeof(json),
	    QUESTION("\"argv\":[\"git\",\"%s\",\"end\"]"), word);
	for (size_t columns = 40; columns <= 100; columns += 20) {
		for (size_t most = 5; most <= 12; most++) {
			bool has_mark = false;

			lay_out(json, columns, most);
			assert_false(shown.is_whole);
			for (size_t i = 0; i < lines.count; i++)
				has_mark =
				    has_mark || strstr(lines.items[i],
						    "more lines, press d");
			assert_true(has_mark);
		}
	}
	assert_non_null(strstr(lines.items[lines.count - 1], "a end"));
}

static void
a_row_that_matters_and_is_cut_is_not_whole(void **state)
{
	char json[20000];
	char value[901];

	(void)state;
	memset(value, 'v', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	(void)snprintf(json, sizeof(json),
	    QUESTION("\"argv\":[\"git\"],\"env\":[\"A=%s\"]"), value);
	lay_out(json, 60, 10);
	assert_false(shown.is_whole);
	expect_line(lines.count - 1, "  git");
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_teardown(name, brief_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(it_says_who_where_why_and_what_more),
	    CASE(what_the_command_brings_along_is_shown),
	    CASE(the_rule_that_would_be_remembered_is_shown),
	    CASE(a_shell_text_keeps_its_lines),
	    CASE(a_long_command_is_cut_in_the_middle_and_says_so),
	    CASE(a_row_that_matters_and_is_cut_is_not_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
