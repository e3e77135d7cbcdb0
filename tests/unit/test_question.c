/* SPDX-License-Identifier: Apache-2.0 */

/* A question as a person sees it. */

#include "base/printable.h"
#include "cli/approval/question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NOW UINT64_C(1000060000)

static const char *
page_of(const char *json)
{
	static char text[65536];
	yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
	W_AUTO_BUF struct w_buf buf;

	assert_non_null(doc);
	w_buf_init(&buf, sizeof(text) - 1);
	w_question_add_page(&buf, yyjson_doc_get_root(doc), NOW, false);
	assert_false(buf.failed);
	memcpy(text, buf.data, buf.len + 1);
	yyjson_doc_free(doc);
	return text;
}

static void
expect_row(const char *page, const char *label, const char *text)
{
	char row[512];

	(void)snprintf(row, sizeof(row), "  %-12s  %s\n", label, text);
	if (strstr(page, row) == NULL)
		fail_msg("no row '%s' in:\n%s", row, page);
}

static void
expect_word(const char *word, const char *shown)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	w_printable_add_word(&buf, word);
	assert_string_equal(buf.data, shown);
}

static void
words_are_quoted_as_for_a_shell(void **state)
{
	(void)state;
	expect_word("push", "push");
	expect_word("two words", "'two words'");
	expect_word("", "''");
	expect_word("a\\nb", "'a\\nb'");
}

static void
what_cannot_be_shown_is_written_out_and_nothing_looks_like_it(void **state)
{
	(void)state;
	expect_word("a\nb", "$'a\\nb'");
	expect_word("\033[2J", "$'\\x1b[2J'");
	expect_word("a\\nb\n", "$'a\\\\nb\\n'");
	expect_word("it's\n", "$'it\\'s\\n'");
	expect_word("a\xe2\x80\xae"
		    "b",
	    "$'a\\u{202e}b'");
	expect_word("\xff", "$'\\xff'");
}

static void
every_part_of_the_request_is_on_the_page(void **state)
{
	const char *page = page_of(
	    "{\"id\":\"x\",\"state\":\"pending\",\"asked_at\":1000000000,"
	    "\"asker\":{\"uid\":7,\"pid\":42,\"agent\":\"builder\"},"
	    "\"request\":{\"argv\":[\"git\",\"push\",\"a b\"],"
	    "\"cwd\":\"/srv/app\",\"program\":\"/usr/bin/git\","
	    "\"env\":[\"A=1\",\"-B\"],\"stdin\":\"null\","
	    "\"limits\":{\"timeout_ms\":5000,\"processes\":64},\"write\":[\"/"
	    "srv/x\"],\"hide\":[],"
	    "\"novel\":\"something\"},"
	    "\"decision\":{\"message\":\"it publishes\",\"understood\":true,"
	    "\"effects\":[\"read\",\"net\"],"
	    "\"paths\":[{\"effect\":\"read\",\"path\":\"a\","
	    "\"resolved\":\"/srv/app/a\"}],\"hosts\":[\"example.org\"],"
	    "\"sandbox\":{\"profile\":\"workspace\",\"network\":\"host\","
	    "\"write\":[\"/srv/app\"]},"
	    "\"rules\":[{\"file\":\"policy.yaml\",\"line\":12,"
	    "\"decision\":\"ask\",\"rule\":\"ask: { effect: net }\","
	    "\"because\":\"others see it\",\"matched\":\"reaches out\"},"
	    "{\"file\":\"other.yaml\",\"line\":1,\"decision\":\"allow\","
	    "\"rule\":\"allow: {}\"}]},"
	    "\"rule\":\"allow: git push ...\"}");

	(void)state;
	expect_row(page, "command", "git push 'a b'");
	expect_row(page, "directory", "/srv/app");
	expect_row(page, "program", "/usr/bin/git");
	expect_row(page, "variables", "A=1");
	expect_row(page, "", "-B");
	expect_row(page, "input", "null");
	expect_row(page, "limits", "timeout 5s, processes 64");
	expect_row(page, "write", "[\"/srv/x\"]");
	expect_row(page, "novel", "something");
	expect_row(
	    page, "asked by", "agent builder, process 42 of user 7, 1m ago");
	expect_row(page, "does", "read, net");
	expect_row(page, "", "read a -> /srv/app/a");
	expect_row(page, "reaches", "example.org");
	expect_row(page, "sandbox", "workspace, network host");
	expect_row(page, "why", "it publishes");
	expect_row(page, "", "policy.yaml:12: ask: { effect: net }");
	expect_row(page, "", "others see it");
	expect_row(page, "remember", "allow: git push ...");
	assert_null(strstr(page, "other.yaml"));
	assert_null(strstr(page, "hide"));
}

static void
a_text_for_a_shell_is_shown_line_by_line(void **state)
{
	const char *page = page_of("{\"request\":{\"argv\":[],"
				   "\"shell\":\"cd x\\n\\nrm \\u001b[31m*\"}}");

	(void)state;
	expect_row(page, "shell", "cd x");
	expect_row(page, "", " ");
	expect_row(page, "", "rm \\x1b[31m*");
}

static void
what_it_reads_is_shown_line_by_line(void **state)
{
	const char *page =
	    page_of("{\"request\":{\"argv\":[\"sh\"],\"stdin\":\"data\","
		    "\"stdin_bytes\":9000,\"stdin_text\":{\"head\":"
		    "\"rm -rf x\\n\\u001b]0;t\\u0007\\n\",\"left_out\":8000,"
		    "\"tail\":{\"b64\":\"AP8=\"}}}}");

	(void)state;
	expect_row(page, "input", "data, 9000 bytes");
	expect_row(page, "", "| rm -rf x");
	expect_row(page, "", "| \\x1b]0;t\\x07");
	expect_row(page, "", "(8000 bytes are not shown)");
	expect_row(page, "", "| \\x00\\xff");
	assert_null(strstr(page, "stdin_"));
}

static void
nothing_on_the_page_is_obeyed_by_a_terminal(void **state)
{
	const char *page = page_of(
	    "{\"request\":{\"argv\":[\"a\\u001b]0;x\\u0007\"],"
	    "\"cwd\":\"/\\u001b[2J\",\"\\u001b[1A\":\"b\\rc\","
	    "\"env\":[\"A=\\u001b[8m\"]},"
	    "\"asker\":{\"agent\":\"\\u001b[31m\"},"
	    "\"decision\":{\"message\":\"\\u009b1A\",\"effects\":[\"\\u001b\"],"
	    "\"rules\":[{\"rule\":\"\\u001b\",\"file\":\"\\u001b\"}]},"
	    "\"rule\":\"\\u001b[0m\"}");

	(void)state;
	for (const char *c = page; *c != '\0'; c++) {
		if ((unsigned char)*c < ' ' && *c != '\n')
			fail_msg("a control character in:\n%s", page);
	}
	assert_null(strstr(page, "\xc2\x9b"));
}

static void
bytes_that_are_no_text_are_shown(void **state)
{
	(void)state;
	expect_row(page_of("{\"request\":{\"argv\":[\"cat\","
			   "{\"b64\":\"YP8=\"}]}}"),
	    "command", "cat $'`\\xff'");
}

static void
a_command_that_is_not_understood_is_said_to_be(void **state)
{
	const char *page =
	    page_of("{\"request\":{\"argv\":[\"x\"]},\"decision\":{"
		    "\"understood\":false}}");

	(void)state;
	assert_non_null(strstr(page, "writ cannot tell all that it does"));
}

static void
an_answer_is_on_the_page(void **state)
{
	const char *page = page_of(
	    "{\"request\":{\"argv\":[\"x\"]},\"answer\":{\"approved\":true,"
	    "\"scope\":\"shape\",\"rule\":\"allow: x\",\"note\":\"go\","
	    "\"by\":{\"uid\":3,\"via\":\"a form\"}}}");

	(void)state;
	expect_row(page, "answer", "approved, scope shape, by user 3");
	expect_row(page, "  via", "a form");
	expect_row(page, "  rule", "allow: x");
	expect_row(page, "  note", "go");
	expect_row(page_of("{\"answer\":{\"approved\":false}}"), "answer",
	    "denied, by user 0");
}

static void
an_object_with_nothing_in_it_is_a_page(void **state)
{
	(void)state;
	assert_non_null(page_of("{}"));
	assert_non_null(page_of("[]"));
	assert_non_null(page_of("{\"request\":{\"argv\":3,\"env\":7},"
				"\"decision\":[],\"answer\":4}"));
	expect_row(page_of("{\"request\":{\"limits\":{\"a\":\"b\"}}}"),
	    "limits", "{\"a\":\"b\"}");
	expect_row(page_of("{\"request\":{\"limits\":7}}"), "limits", "7");
}

static void
time_that_is_left_is_told_of_pending_questions_only(void **state)
{
	static const struct {
		const char *json;
		const char *left;
	} rows[] = {
	    {"{\"state\":\"pending\",\"expires_at\":1000180001}", "2m1s"},
	    {"{\"state\":\"pending\",\"expires_at\":1000060000}", ""},
	    {"{\"state\":\"denied\",\"expires_at\":1000180001}", ""},
	    {"{}", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		yyjson_doc *doc =
		    yyjson_read(rows[i].json, strlen(rows[i].json), 0);
		W_AUTO_BUF struct w_buf buf;

		w_buf_init(&buf, 100);
		w_question_add_left(&buf, yyjson_doc_get_root(doc), NOW);
		assert_string_equal(buf.data, rows[i].left);
		yyjson_doc_free(doc);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_are_quoted_as_for_a_shell),
	    cmocka_unit_test(
		what_cannot_be_shown_is_written_out_and_nothing_looks_like_it),
	    cmocka_unit_test(every_part_of_the_request_is_on_the_page),
	    cmocka_unit_test(a_text_for_a_shell_is_shown_line_by_line),
	    cmocka_unit_test(what_it_reads_is_shown_line_by_line),
	    cmocka_unit_test(nothing_on_the_page_is_obeyed_by_a_terminal),
	    cmocka_unit_test(bytes_that_are_no_text_are_shown),
	    cmocka_unit_test(a_command_that_is_not_understood_is_said_to_be),
	    cmocka_unit_test(an_answer_is_on_the_page),
	    cmocka_unit_test(an_object_with_nothing_in_it_is_a_page),
	    cmocka_unit_test(
		time_that_is_left_is_told_of_pending_questions_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
