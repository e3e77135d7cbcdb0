/* SPDX-License-Identifier: Apache-2.0 */

/* Decisions as JSON. */

#include <time.h>

#include "judging.h"

/* The members as a parsed object; free with yyjson_doc_free(). */
static yyjson_doc *
json_of(const char *text, const struct sample_facts *sample)
{
	struct w_policy *policy = policy_new(text);
	const struct w_policy_tier tier = {
	    .tier = W_TIER_USER, .policy = policy, .roots = judged_roots};
	const struct w_policy_set policy_set = {.tiers = &tier, .count = 1};
	struct w_decision decision;
	struct w_buf buf;

	w_buf_init(&buf, 1 << 26);
	assert_int_equal(
	    w_policy_evaluate_fully(&policy_set, &sample->c, &decision, NULL),
	    WRIT_OK);
	assert_int_equal(
	    w_decision_find_nearest(&policy_set, &sample->c, &decision, NULL),
	    WRIT_OK);
	w_buf_add_char(&buf, '{');
	w_decision_add_json(&buf, &decision, &sample->c);
	w_buf_add_char(&buf, '}');
	assert_false(buf.failed);
	yyjson_doc *doc = yyjson_read(buf.data, buf.len, 0);
	if (doc == NULL)
		fail_msg("%s", buf.data);
	w_buf_done(&buf);
	w_decision_done(&decision);
	w_policy_free(policy);
	return doc;
}

static const char *
text_at(yyjson_doc *doc, const char *pointer)
{
	return yyjson_get_str(yyjson_doc_ptr_get(doc, pointer));
}

#define TEXT(doc, pointer, want) \
	assert_string_equal(text_at((doc), (pointer)), (want))
#define COUNT(doc, pointer, want) \
	assert_int_equal(         \
	    yyjson_arr_size(yyjson_doc_ptr_get((doc), (pointer))), (want))

static void
it_says_what_and_why(void **state)
{
	struct sample_facts *sample =
	    sample_facts_new("env sort -o /etc/x link");
	yyjson_doc *doc =
	    json_of("rules:\n  - allow: {effect: read}\n"
		    "  - deny: {write: ['/etc/**']}\n    because: no\n"
		    "    message: never\n",
		sample);

	(void)state;
	TEXT(doc, "/decision", "deny");
	TEXT(doc, "/message", "never");
	TEXT(doc, "/rule", "policy.yaml:4:5");
	COUNT(doc, "/rules", 3);
	TEXT(doc, "/rules/0/tier", "user");
	TEXT(doc, "/rules/0/file", "policy.yaml");
	TEXT(doc, "/rules/0/decision", "deny");
	TEXT(doc, "/rules/0/because", "no");
	TEXT(doc, "/rules/0/matched", "writes '/etc/x'");
	assert_int_equal(
	    yyjson_get_int(yyjson_doc_ptr_get(doc, "/rules/0/line")), 4);
	assert_int_equal(
	    yyjson_get_int(yyjson_doc_ptr_get(doc, "/rules/0/command")), 1);
	TEXT(doc, "/agent", "local");
	assert_true(yyjson_is_true(yyjson_doc_ptr_get(doc, "/understood")));
	assert_true(yyjson_is_null(yyjson_doc_ptr_get(doc, "/reason")));
	TEXT(doc, "/module", "cli.env");
	COUNT(doc, "/effects", 2);
	COUNT(doc, "/paths", 2);
	TEXT(doc, "/paths/0/effect", "write");
	TEXT(doc, "/paths/1/path", "link");
	TEXT(doc, "/paths/1/resolved", "/etc/passwd");
	COUNT(doc, "/programs", 2);
	TEXT(doc, "/programs/1/path", "/usr/bin/sort");
	TEXT(doc, "/nearest_allowed", "env sort link");
	assert_true(yyjson_is_null(yyjson_doc_ptr_get(doc, "/grant")));
	yyjson_doc_free(doc);
	sample_facts_free(sample);
}

static void
each_command_has_its_own_answer(void **state)
{
	struct sample_facts *sample =
	    sample_facts_new("env sh -c 'cat a; rm b'");
	yyjson_doc *doc =
	    json_of("rules: [{allow: {effect: read}}, {deny: {program: rm}}]\n",
		sample);

	(void)state;
	COUNT(doc, "/commands", 4);
	TEXT(doc, "/commands/0/argv/0", "env");
	TEXT(doc, "/commands/0/decision", "allow");
	TEXT(doc, "/commands/2/argv/1", "a");
	TEXT(doc, "/commands/2/decision", "allow");
	TEXT(doc, "/commands/3/decision", "deny");
	TEXT(doc, "/commands/3/module", "cli.rm");
	TEXT(doc, "/commands/3/paths/0/path", "b");
	assert_int_equal(
	    yyjson_get_int(yyjson_doc_ptr_get(doc, "/commands/0/depth")), 0);
	assert_int_equal(
	    yyjson_get_int(yyjson_doc_ptr_get(doc, "/commands/3/depth")), 2);
	yyjson_doc_free(doc);
	sample_facts_free(sample);
}

static void
what_is_not_understood_says_where(void **state)
{
	struct sample_facts *sample = sample_facts_new("ls --bad");
	yyjson_doc *doc = json_of("default: ask\n", sample);

	(void)state;
	assert_true(yyjson_is_false(yyjson_doc_ptr_get(doc, "/understood")));
	assert_int_equal(
	    yyjson_get_int(yyjson_doc_ptr_get(doc, "/reason/word")), 1);
	assert_non_null(text_at(doc, "/reason/message"));
	TEXT(doc, "/effects/1", "unknown");
	TEXT(doc, "/commands/0/effects/1", "unknown");
	yyjson_doc_free(doc);
	sample_facts_free(sample);
}

static void
secrets_are_not_in_it(void **state)
{
	static const char *const lines[] = {
	    "curl -u me:hunter2 https://me:hunter2@a.example/",
	    "env curl -uhunter2 a.example",
	    "sh -c 'curl -u hunter2 a.example'"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct sample_facts *sample = sample_facts_new(lines[i]);
		yyjson_doc *doc = json_of("default: ask\n", sample);
		char *text = yyjson_write(doc, 0, NULL);

		assert_non_null(text);
		if (strstr(text, "hunter2") != NULL)
			fail_msg("%s", text);
		assert_non_null(strstr(text, "***"));
		free(text);
		yyjson_doc_free(doc);
		sample_facts_free(sample);
	}
}

static void
very_many_words_take_no_time(void **state)
{
	enum {
		MANY = 50000
	};
	W_AUTO_BUF struct w_buf line;

	(void)state;
	w_buf_init(&line, 1 << 24);
	w_buf_add_str(&line, "curl");
	for (int i = 0; i < MANY; i++)
		w_buf_add_fmt(&line, " http://u:hunter2@h%d.example", i);
	struct sample_facts *sample = sample_facts_new(line.data);
	clock_t start = clock();
	yyjson_doc *doc = json_of("default: ask\n", sample);
	W_AUTO_BUF struct w_buf rule;
	w_buf_init(&rule, 1 << 24);
	w_policy_generalise(&rule, &sample->c);
	assert_int_equal(rule.len, 0);
	assert_true((clock() - start) / CLOCKS_PER_SEC < 10);
	char *text = yyjson_write(doc, 0, NULL);
	assert_non_null(text);
	assert_null(strstr(text, "hunter2"));
	free(text);
	yyjson_doc_free(doc);
	sample_facts_free(sample);
}

static void
words_may_be_any_bytes(void **state)
{
	struct sample_facts *sample = sample_facts_new("rm 'a\xff' \"q\"");
	yyjson_doc *doc = json_of("default: ask\n", sample);

	(void)state;
	TEXT(doc, "/commands/0/argv/1/b64", "Yf8=");
	TEXT(doc, "/commands/0/argv/2", "q");
	yyjson_doc_free(doc);
	sample_facts_free(sample);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TABLE_TEST(it_says_what_and_why),
	    TABLE_TEST(each_command_has_its_own_answer),
	    TABLE_TEST(what_is_not_understood_says_where),
	    TABLE_TEST(secrets_are_not_in_it),
	    TABLE_TEST(very_many_words_take_no_time),
	    TABLE_TEST(words_may_be_any_bytes),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
