/* SPDX-License-Identifier: Apache-2.0 */

/* The form that a person sees, and the response to it. */

#include "mcp/approval/elicitation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static yyjson_doc *doc;
static struct w_buf form;

static int
set_up(void **state)
{
	(void)state;
	doc = NULL;
	w_buf_init(&form, 1 << 20);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	yyjson_doc_free(doc);
	w_buf_done(&form);
	return 0;
}

/* The message of the form for a question, as JSON. */
static const char *
message_of(const char *request_json, const char *decision)
{
	char json[4096];

	(void)snprintf(json, sizeof(json),
	    "{\"id\":\"abc\",\"request\":%s,\"decision\":%s,\"asker\":{"
	    "\"agent\":\"local\"}}",
	    request_json, decision);
	yyjson_doc *question = yyjson_read(json, strlen(json), 0);
	assert_non_null(question);
	w_buf_add_char(&form, '{');
	w_elicitation_add(&form, yyjson_doc_get_root(question), true, false);
	w_buf_add_char(&form, '}');
	yyjson_doc_free(question);
	if (form.failed)
		return NULL;
	doc = yyjson_read(form.data, form.len, 0);
	assert_non_null(doc);
	return yyjson_get_str(
	    yyjson_obj_get(yyjson_doc_get_root(doc), "message"));
}

static void
expect(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("no '%s' in:\n%s", part, text);
}

static void
the_words_are_quoted_and_nothing_is_hidden(void **state)
{
	const char *text = message_of(
	    "{\"argv\":[\"rm\",\"a b\",\"x\\u202ey\",{\"b64\":\"/w==\"}],"
	    "\"program\":\"/bin/rm\",\"cwd\":\"/srv\\nprogram: /bin/ls\"}",
	    "{\"effects\":[\"delete\"],\"paths\":[{\"effect\":\"delete\","
	    "\"path\":\"a b\",\"resolved\":\"/srv/a b\"}],\"hosts\":[{"
	    "\"host\":\"example.org\"}]}");

	(void)state;
	expect(text, "\n    rm 'a b' $'x\\u{202e}y' $'\\xff'\n");
	expect(text, "- program: /bin/rm\n");
	expect(text, "- directory: /srv\\nprogram: /bin/ls\n");
	expect(text, "- does: delete\n  - delete '/srv/a b'\n");
	expect(text, "- reaches: example.org\n");
	expect(text, "- agent: local\n");
	expect(text, "- approval: abc\n");
}

static void
values_of_variables_are_not_shown(void **state)
{
	const char *text = message_of("{\"argv\":[\"env\"],\"env\":[\"TOKEN="
				      "hunter2\",\"B=hunter2\"]}",
	    "{}");

	(void)state;
	expect(text, "- variables: TOKEN, B\n");
	assert_null(strstr(form.data, "hunter2"));
}

static void
rules_that_ask_are_shown_with_their_place(void **state)
{
	const char *text = message_of("{\"argv\":[\"x\"]}",
	    "{\"message\":\"why not\",\"rules\":[{\"decision\":\"allow\","
	    "\"file\":\"f\",\"line\":1,\"rule\":\"other\"},{\"decision\":"
	    "\"ask\",\"file\":\"p.yaml\",\"line\":7,\"rule\":\"ask: x\","
	    "\"because\":\"it bites\"}]}");

	(void)state;
	expect(text, "- why: why not\n");
	expect(text, "- rule: p.yaml:7: ask: x # it bites\n");
	assert_null(strstr(text, "other"));
}

static void
members_that_nobody_knows_are_shown(void **state)
{
	const char *text =
	    message_of("{\"argv\":[\"x\"],\"umask\":18,\"new\":{\"a\":\"\\u202e"
		       "\"},\"none\":null,\"empty\":[],\"user\":\"root\"}",
		"{\"understood\":false}");

	(void)state;
	expect(text, "- umask: 18\n");
	expect(text, "- new: {\"a\":\"\\u{202e}\"}\n");
	expect(text, "- user: root\n");
	expect(text, "- not understood: ");
	assert_null(strstr(text, "none"));
	assert_null(strstr(text, "empty"));
}

/* members: the members of the request after "cat". */
static void
expect_input(const char *members, const char *shown)
{
	char asked[512];

	(void)snprintf(asked, sizeof(asked), "{\"argv\":[\"cat\"]%s}", members);
	expect(message_of(asked, "{}"), shown);
	w_buf_done(&form);
	w_buf_init(&form, 1 << 20);
	yyjson_doc_free(doc);
	doc = NULL;
}

static void
input_is_shown_whatever_it_is(void **state)
{
	(void)state;
	expect_input(",\"stdin\":\"data\",\"stdin_bytes\":8,\"stdin_text\":{"
		     "\"head\":\"one\\ntwo\\u001b\\n\"}",
	    "\n    standard input, 8 bytes:\n        one\n        "
	    "two\\x1b\n\n");
	/* NUL, SOH, an invalid byte. */
	expect_input(",\"stdin_bytes\":3,\"stdin_text\":{\"head\":{\"b64\":"
		     "\"AAH/\"}}",
	    "    standard input, 3 bytes:\n        \\x00\\x01\\xff\n\n");
	expect_input(
	    ",\"stdin_bytes\":9000,\"stdin_text\":{\"head\":\"first\\n\","
	    "\"left_out\":8988,\"tail\":\"last\"}",
	    "    standard input, 9000 bytes:\n        first\n"
	    "    (8988 bytes are not shown)\n        last\n\n");
	assert_null(
	    strstr(message_of("{\"argv\":[\"cat\"]}", "{}"), "standard input"));
}

static void
what_does_not_fit_is_no_form(void **state)
{
	char *long_word = malloc(W_ELICITATION_TEXT_MAX + 64);
	yyjson_mut_doc *made = yyjson_mut_doc_new(NULL);

	(void)state;
	assert_non_null(long_word);
	memset(long_word, 'x', W_ELICITATION_TEXT_MAX);
	long_word[W_ELICITATION_TEXT_MAX] = '\0';
	yyjson_mut_val *root = yyjson_mut_obj(made);
	yyjson_mut_doc_set_root(made, root);
	yyjson_mut_val *asked = yyjson_mut_obj_add_obj(made, root, "request");
	yyjson_mut_val *argv = yyjson_mut_obj_add_arr(made, asked, "argv");
	assert_true(yyjson_mut_arr_add_str(made, argv, long_word));
	yyjson_doc *question = yyjson_mut_doc_imut_copy(made, NULL);
	w_elicitation_add(&form, yyjson_doc_get_root(question), true, false);
	assert_true(form.failed);
	yyjson_doc_free(question);
	yyjson_mut_doc_free(made);
	free(long_word);
}

static void
words_that_cannot_be_read_are_no_form(void **state)
{
	(void)state;
	assert_null(message_of("{\"argv\":[7]}", "{}"));
	w_buf_done(&form);
	w_buf_init(&form, 1 << 20);
	assert_null(message_of("{\"argv\":[{\"b64\":\"?\"}]}", "{}"));
}

/* ---- response ---- */

static struct w_elicitation_answer
answer_to(const char *json)
{
	struct w_elicitation_answer answer;
	yyjson_doc *result = yyjson_read(json, strlen(json), 0);

	assert_non_null(result);
	memset(&answer, 0xff, sizeof(answer));
	w_elicitation_read(yyjson_doc_get_root(result), false, &answer);
	yyjson_doc_free(result);
	return answer;
}

static void
what_lasts_needs_trust(void **state)
{
	static const char yes[] =
	    "{\"action\":\"accept\",\"content\":{\"decision\":\"always\"}}";
	yyjson_doc *result = yyjson_read(yes, strlen(yes), 0);
	struct w_elicitation_answer answer;

	(void)state;
	w_elicitation_read(yyjson_doc_get_root(result), false, &answer);
	assert_true(answer.is_closed && !answer.is_approved);
	w_elicitation_read(yyjson_doc_get_root(result), true, &answer);
	assert_true(answer.is_approved);
	assert_int_equal(answer.scope, WRIT_SCOPE_ALWAYS);
	yyjson_doc_free(result);
}

static void
only_an_explicit_yes_is_one(void **state)
{
	static const char *const no[] = {
	    "{\"action\":\"accept\",\"content\":{\"decision\":\"deny\"}}",
	    "{\"action\":\"accept\",\"content\":{\"decision\":\"once \"}}",
	    "{\"action\":\"accept\",\"content\":{\"decision\":1}}",
	    "{\"action\":\"accept\",\"content\":[\"once\"]}",
	    "{\"action\":\"accept\",\"content\":null}",
	    "{\"action\":\"accept\"}",
	    "{\"action\":\"Accept\",\"content\":{\"decision\":\"once\"}}",
	    "{\"action\":[\"accept\"],\"content\":{\"decision\":\"once\"}}",
	    "{\"action\":\"decline\",\"content\":{\"decision\":\"once\"}}",
	    "{\"action\":\"cancel\",\"content\":{\"decision\":\"once\"}}",
	    "{\"content\":{\"decision\":\"once\"}}",
	    "{\"decision\":\"once\"}",
	    "[]",
	    "\"accept\"",
	    "true",
	    "null",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		assert_false(answer_to(no[i]).is_approved);
	struct w_elicitation_answer yes = answer_to(
	    "{\"action\":\"accept\",\"content\":{\"decision\":\"once\"}}");
	assert_true(yes.is_approved);
	assert_int_equal(yes.scope, WRIT_SCOPE_ONCE);
	assert_string_equal(yes.note, "");
	yes = answer_to(
	    "{\"action\":\"accept\",\"content\":{\"decision\":\"session\"}}");
	assert_true(yes.is_approved);
	assert_int_equal(yes.scope, WRIT_SCOPE_SESSION);
}

static void
a_note_is_one_line_that_can_be_shown(void **state)
{
	char json[2048];

	(void)state;
	struct w_elicitation_answer answer =
	    answer_to("{\"action\":\"accept\",\"content\":{\"decision\":"
		      "\"deny\",\"note\":\"a\\nb\\u202e\"}}");
	assert_string_equal(answer.note, "a\\nb\\u{202e}");
	(void)snprintf(json, sizeof(json),
	    "{\"action\":\"accept\",\"content\":{\"decision\":\"once\","
	    "\"note\":\"%0500d\"}}",
	    0);
	answer = answer_to(json);
	assert_true(answer.is_approved);
	assert_string_equal(answer.note, "");
	/* Escaping makes it longer. */
	(void)snprintf(json, sizeof(json),
	    "{\"action\":\"accept\",\"content\":{\"decision\":\"once\","
	    "\"note\":\"%s%0200d%s%s\"}}",
	    "\\u0001\\u0001\\u0001\\u0001", 0,
	    "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac",
	    "\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001"
	    "\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001"
	    "\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001"
	    "\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001"
	    "\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001");
	answer = answer_to(json);
	assert_true(strlen(answer.note) > 390);
	assert_true(strlen(answer.note) <= W_ELICITATION_NOTE_MAX);
}

#define WITH_FORM(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_FORM(the_words_are_quoted_and_nothing_is_hidden),
	    WITH_FORM(values_of_variables_are_not_shown),
	    WITH_FORM(rules_that_ask_are_shown_with_their_place),
	    WITH_FORM(members_that_nobody_knows_are_shown),
	    WITH_FORM(input_is_shown_whatever_it_is),
	    WITH_FORM(what_does_not_fit_is_no_form),
	    WITH_FORM(words_that_cannot_be_read_are_no_form),
	    cmocka_unit_test(what_lasts_needs_trust),
	    cmocka_unit_test(only_an_explicit_yes_is_one),
	    cmocka_unit_test(a_note_is_one_line_that_can_be_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
