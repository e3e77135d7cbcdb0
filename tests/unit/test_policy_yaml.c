/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_good.h"
#include "policy_text.h"

#include "data/json.h"
#include "policy/evaluate/decision.h"

static char *
yaml_of(const struct w_policy *policy)
{
	struct w_buf buf;

	w_buf_init(&buf, (size_t)1 << 20);
	w_policy_add_yaml(&buf, policy);
	return w_buf_take(&buf, NULL);
}

/* Locations differ from text to text. */
static void
strip_comments(char *text)
{
	char *to = text;

	for (const char *at = text; *at != '\0';) {
		if (strncmp(at, "  # ", 4) == 0)
			at += strcspn(at, "\n");
		*to++ = *at++;
	}
	*to = '\0';
}

static void
check_globs(w_globs a, w_globs b)
{
	assert_int_equal(a == NULL, b == NULL);
	for (; a != NULL && *a != NULL; a++, b++) {
		assert_non_null(*b);
		assert_string_equal(*a, *b);
	}
	if (b != NULL)
		assert_null(*b);
}

static void
check_texts(const char *a, const char *b)
{
	assert_int_equal(a == NULL, b == NULL);
	if (a != NULL)
		assert_string_equal(a, b);
}

static void
check_rule(const struct w_rule *a, const struct w_rule *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->verdict, b->verdict);
	check_texts(a->because, b->because);
	check_texts(a->message, b->message);
	check_globs(a->agents, b->agents);
	check_globs(a->programs, b->programs);
	check_globs(a->called_as, b->called_as);
	check_globs(a->modules, b->modules);
	check_globs(a->called, b->called);
	assert_int_equal(a->effects, b->effects);
	for (size_t i = 0; i < 4; i++)
		check_globs(a->paths[i], b->paths[i]);
	check_globs(a->hosts, b->hosts);
	check_globs(a->variables, b->variables);
	assert_int_equal(a->input_count, b->input_count);
	for (size_t i = 0; i < a->input_count; i++) {
		assert_string_equal(a->inputs[i].key, b->inputs[i].key);
		assert_int_equal(
		    a->inputs[i].value_count, b->inputs[i].value_count);
		for (size_t j = 0; j < a->inputs[i].value_count; j++)
			assert_true(yyjson_equals(
			    a->inputs[i].values[j], b->inputs[i].values[j]));
	}
	assert_int_equal(a->shape_count, b->shape_count);
	for (size_t i = 0; i < a->shape_count; i++) {
		check_globs(a->shapes[i].words, b->shapes[i].words);
		assert_int_equal(a->shapes[i].is_open, b->shapes[i].is_open);
	}
	assert_int_equal(a->is_shell, b->is_shell);
	check_texts(a->shell_text, b->shell_text);
	assert_int_equal(a->walls_min, b->walls_min);
	assert_int_equal(a->walls_below, b->walls_below);
	assert_int_equal(a->networks, b->networks);
	assert_int_equal(a->time == NULL, b->time == NULL);
	if (a->time != NULL)
		assert_memory_equal(a->time, b->time, sizeof(*a->time));
}

static void
check_terms(const struct w_policy_terms *a, const struct w_policy_terms *b)
{
	check_texts(a->sandbox, b->sandbox);
	check_texts(a->network, b->network);
	check_texts(a->judge, b->judge);
	check_texts(a->undo, b->undo);
	check_globs(a->roots, b->roots);
	assert_memory_equal(&a->limits, &b->limits, sizeof(a->limits));
	check_texts(a->environment.mode, b->environment.mode);
	check_globs(a->environment.pass, b->environment.pass);
	check_globs(a->environment.drop, b->environment.drop);
	check_globs(a->environment.set, b->environment.set);
}

/* The plain rules, or all others, in order. Which kind comes first may change
 * when several files become one. */
static void
check_some(const struct w_policy *a, const struct w_policy *b, bool is_plain)
{
	size_t j = 0;

	for (size_t i = 0; i < a->rule_count; i++) {
		if ((a->rules[i]->kind == W_RULE_PLAIN) != is_plain)
			continue;
		while (j < b->rule_count &&
		       (b->rules[j]->kind == W_RULE_PLAIN) != is_plain)
			j++;
		assert_true(j < b->rule_count);
		check_rule(a->rules[i], b->rules[j++]);
	}
}

static void
check_same(const struct w_policy *a, const struct w_policy *b)
{
	check_texts(a->default_agent, b->default_agent);
	check_texts(a->exec_shape, b->exec_shape);
	check_terms(&a->terms, &b->terms);
	assert_int_equal(a->shell, b->shell);
	assert_string_equal(a->shell_program, b->shell_program);
	assert_int_equal(a->arguments, b->arguments);
	assert_int_equal(a->has_allowlist, b->has_allowlist);
	check_globs(a->programs, b->programs);
	assert_int_equal(a->rule_count, b->rule_count);
	check_some(a, b, true);
	check_some(a, b, false);
	assert_int_equal(a->has_agents, b->has_agents);
	assert_int_equal(a->agent_count, b->agent_count);
	for (size_t i = 0; i < a->agent_count; i++) {
		const struct w_policy_agent *agent = &a->agents[i];
		size_t rule = 0;

		assert_string_equal(agent->name, b->agents[i].name);
		check_terms(&agent->terms, &b->agents[i].terms);
		for (; agent->rules[rule] != NULL; rule++) {
			assert_non_null(b->agents[i].rules[rule]);
			check_rule(
			    agent->rules[rule], b->agents[i].rules[rule]);
		}
		assert_null(b->agents[i].rules[rule]);
	}
	assert_int_equal(a->expect_count, b->expect_count);
	for (size_t i = 0; i < a->expect_count; i++) {
		assert_int_equal(a->expects[i].verdict, b->expects[i].verdict);
		check_globs(a->expects[i].argv, b->expects[i].argv);
		check_texts(a->expects[i].shell, b->expects[i].shell);
		check_texts(a->expects[i].agent, b->expects[i].agent);
	}
}

/* The output may differ from the input, but reading and writing it again
 * changes nothing. */
static void
check_reads_back(const char *text)
{
	struct w_policy *policy = policy_read(text, NULL);
	char *yaml = yaml_of(policy);
	assert_non_null(yaml);
	struct w_policy *again = policy_read(yaml, NULL);
	char *yaml_again = yaml_of(again);

	check_same(policy, again);
	strip_comments(yaml);
	strip_comments(yaml_again);
	assert_string_equal(yaml, yaml_again);
	free(yaml);
	free(yaml_again);
	w_policy_free(policy);
	w_policy_free(again);
}

static void
what_is_shown_reads_back_as_the_same_policy(void **state)
{
	(void)state;
	for (size_t i = 0; i < policy_good_count; i++)
		check_reads_back(policy_good[i]);
}

static void
presets_read_back_as_they_are(void **state)
{
	size_t count;
	const struct w_preset *presets = w_preset_all(&count);

	(void)state;
	for (size_t i = 0; i < count; i++)
		check_reads_back(presets[i].text);
}

/* Strings that look like other types, or could end too early. */
static void
difficult_texts_read_back(void **state)
{
	static const char *const texts[] = {"a, b", "[x", "{y}", "- z", "# no",
	    "a: b", "a #b", "true", "null", "1", "1.5", "~", "'", "\\\"",
	    "!tag", "&a", "%d", "@at", "`tick", "a:", "\\u0085x", "off", "...",
	    "---", "?", " x ", "\\\\"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[256];

		(void)snprintf(text, sizeof(text),
		    "version: 1\nrules: [ { deny: { called_as: \"%s\", inputs: "
		    "{ \"%s\": \"%s\" } }, because: \"%s\" } ]\n"
		    "expect: [ { deny: { shell: \"%s\" } } ]\n",
		    texts[i][0] == '[' ? "x" : texts[i], texts[i],
		    texts[i][0] == '[' ? "x" : texts[i], texts[i], texts[i]);
		check_reads_back(text);
	}
}

static void
rules_say_where_they_come_from(void **state)
{
	struct policy_file files[] = {
	    {"base.yaml", "version: 1\nrules:\n  - deny: ls\n"},
	    {NULL, NULL},
	};
	struct w_policy *policy = policy_read("version: 1\n"
					      "include: base.yaml\n"
					      "rules:\n"
					      "  - allow: { effect: read }\n"
					      "    because: x\n",
	    files);
	char *yaml = yaml_of(policy);

	(void)state;
	assert_string_equal(yaml,
	    "version: 1\n"
	    "default: ask\n"
	    "shell: { mode: judge, program: sh }\n"
	    "rules:\n"
	    "  - deny: ls  # base.yaml:3:5\n"
	    "  - allow: { effect: read }  # test.yaml:4:5\n"
	    "    because: x\n");
	free(yaml);
	w_policy_free(policy);
}

static void
json_is_the_same_tree(void **state)
{
	struct w_policy *policy = policy_read(
	    "version: 1\ndefault: deny\nrules: [ { allow: ls ... } ]\n", NULL);
	struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	w_policy_add_json(&buf, policy);
	assert_false(buf.failed);
	assert_string_equal(buf.data,
	    "{\"version\":1,\"default\":\"deny\",\"shell\":{\"mode\":\"judge\","
	    "\"program\":\"sh\"},\"rules\":[{\"allow\":\"ls ...\"}]}");
	w_buf_done(&buf);
	w_policy_free(policy);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_shown_reads_back_as_the_same_policy),
	    cmocka_unit_test(presets_read_back_as_they_are),
	    cmocka_unit_test(difficult_texts_read_back),
	    cmocka_unit_test(rules_say_where_they_come_from),
	    cmocka_unit_test(json_is_the_same_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
