/* SPDX-License-Identifier: Apache-2.0 */

/* The schema for editors against the reader: what the reader accepts is valid,
 * and what is syntactically wrong fails both. */

#include "policy_good.h"
#include "policy_text.h"

#include "data/json.h"
#include "data/yaml.h"
#include "schema/schema.h"

static struct w_json *schema_document;
static struct w_schema *schema;

static const struct w_json_limits limits = {
    .bytes_max = 1U << 20, .depth_max = 64};

static int
set_up(void **state)
{
	size_t len;
	const char *text = w_policy_schema(&len);
	writ_error err = {.status = WRIT_OK};

	(void)state;
	if (w_json_read(text, len, &limits, &schema_document, &err) !=
		WRIT_OK ||
	    w_schema_compile(w_json_root(schema_document), NULL, &schema, NULL,
		&err) != WRIT_OK) {
		print_error("%s\n", err.message);
		return -1;
	}
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_schema_free(schema);
	w_json_free(schema_document);
	return 0;
}

static bool
is_valid(const char *text)
{
	struct w_yaml *yaml = NULL;
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	writ_error err = {.status = WRIT_OK};
	bool valid = false;

	if (w_yaml_read(text, strlen(text), &limits, &yaml, &err) != WRIT_OK)
		fail_msg("%s: %s", text, err.message);
	if (w_schema_check(schema, w_yaml_root(yaml), &valid, &report, &err) !=
	    WRIT_OK)
		fail_msg("%s: %s", text, err.message);
	for (size_t i = 0; i < report.count; i++)
		print_message("# %s: %s\n", report.problems[i].instance,
		    report.problems[i].message);
	w_yaml_free(yaml);
	return valid;
}

static bool
is_read(const char *text)
{
	const struct w_policy_source source = {policy_include, NULL};
	struct w_policy *policy = NULL;
	writ_error err = {.status = WRIT_OK};
	writ_status status = w_policy_read(
	    text, strlen(text), "test.yaml", &source, &policy, NULL, &err);

	if (status == WRIT_OK)
		w_policy_free(policy);
	else
		print_message("# %s\n", err.message);
	return status == WRIT_OK;
}

static void
presets_are_valid(void **state)
{
	size_t count;
	const struct w_preset *presets = w_preset_all(&count);

	(void)state;
	for (size_t i = 0; i < count; i++)
		assert_true(is_valid(presets[i].text));
}

static void
schema_describes_itself_in_the_draft_that_it_names(void **state)
{
	static const char text[] =
	    "{\"$ref\": \"https://json-schema.org/draft/2020-12/schema\"}";
	struct w_json *json = NULL;
	struct w_schema *draft = NULL;
	bool valid = false;

	(void)state;
	assert_int_equal(
	    w_json_read(text, strlen(text), &limits, &json, NULL), WRIT_OK);
	assert_int_equal(
	    w_schema_compile(w_json_root(json), NULL, &draft, NULL, NULL),
	    WRIT_OK);
	assert_int_equal(w_schema_check(draft, w_json_root(schema_document),
			     &valid, NULL, NULL),
	    WRIT_OK);
	assert_true(valid);
	w_schema_free(draft);
	w_json_free(json);
}

/* The documentation shows parts of policies. */
static void
check_example(const char *block, size_t len)
{
	char text[4096];
	const bool is_whole = strncmp(block, "version:", 8) == 0;

	assert_true(len + 16 < sizeof(text));
	(void)snprintf(text, sizeof(text), "%s%.*s",
	    is_whole ? "" : "version: 1\n", (int)len, block);
	if (!is_read(text) || !is_valid(text))
		fail_msg("refused: %s", text);
}

static const char *
read_source(const char *name)
{
	static char text[65536];
	const char *source = getenv("WRIT_SOURCE");
	char path[4096];

	assert_non_null(source);
	(void)snprintf(path, sizeof(path), "%s/%s", source, name);
	FILE *file = fopen(path, "re");
	assert_non_null(file);
	const size_t len = fread(text, 1, sizeof(text) - 1, file);
	(void)fclose(file);
	text[len] = '\0';
	return text;
}

static void
what_the_documentation_shows_is_in_order(void **state)
{
	const char *at = read_source("docs/policy.md");
	size_t count = 0;

	(void)state;
	for (; (at = strstr(at, "```yaml\n")) != NULL; count++) {
		at += strlen("```yaml\n");
		const char *end = strstr(at, "```");
		assert_non_null(end);
		check_example(at, (size_t)(end - at));
		at = end + 3;
	}
	assert_true(count >= 4);
}

static void
examples_are_in_order(void **state)
{
	static const char *const names[] = {
	    "examples/policies/build-server.yaml",
	    "examples/policies/team.yaml"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = read_source(names[i]);

		if (!is_read(text) || !is_valid(text))
			fail_msg("refused: %s", names[i]);
	}
}

static void
what_is_in_order_is_so_for_both(void **state)
{
	(void)state;
	for (size_t i = 0; i < policy_good_count; i++) {
		if (!is_read(policy_good[i]) || !is_valid(policy_good[i]))
			fail_msg("refused: %s", policy_good[i]);
	}
}

/* Syntax errors. */
static const char *const bad[] = {
    "null",
    "[]",
    "rules: []",
    "version: 2",
    "version: \"1\"",
    "version: 1\nrule: []",
    "version: 1\ndefault: maybe",
    "version: 1\ndefault: { message: x }",
    "version: 1\ndefault: { decision: deny, message: \"{who}\" }",
    "version: 1\nnetwork: on",
    "version: 1\nnetwork: {hosts: ['a b']}",
    "version: 1\nnetwork: {hosts: ['@nmp']}",
    "version: 1\nnetwork: {host: [a.example]}",
    "version: 1\nrules: [{allow: {host: '@nmp'}}]",
    "version: 1\njudge: execve",
    "version: 1\njudge: [exec]",
    "version: 1\nagents: { a: { judge: on } }",
    "version: 1\nundo: maybe",
    "version: 1\nundo: default",
    "version: 1\nsandbox: 1",
    "version: 1\nsandbox: \"\"",
    "version: 1\nroots: []",
    "version: 1\nroots: /",
    "version: 1\nroots: \"~\"",
    "version: 1\nroots: ~/",
    "version: 1\nroots: src",
    "version: 1\nroots: ../x",
    "version: 1\nroots: /srv/*",
    "version: 1\nroots: /srv/",
    "version: 1\nlimits: []",
    "version: 1\nlimits: { timeout: 0 }",
    "version: 1\nlimits: { timeout: 30 }",
    "version: 1\nlimits: { timeout: 2x }",
    "version: 1\nlimits: { memory: much }",
    "version: 1\nlimits: { memory: -1 }",
    "version: 1\nlimits: { processes: 1.5 }",
    "version: 1\nlimits: { processes: 0 }",
    "version: 1\nlimits: { procesess: 1 }",
    "version: 1\nenvironment: all",
    "version: 1\nenvironment: { set: { 1A: x } }",
    "version: 1\nenvironment: { set: { A: 1 } }",
    "version: 1\nenvironment: { pass: [$HOME] }",
    "version: 1\narguments: strict",
    "version: 1\narguments: { mode: literal, message: x }",
    "version: 1\narguments: { message: x }",
    "version: 1\nshell: no",
    "version: 1\nshell: { mode: judge, message: x }",
    "version: 1\nshell: { program: zsh }",
    "version: 1\nprograms: { allow: true }",
    "version: 1\nprograms: { only: ls, allow: yes }",
    "version: 1\nprograms: [bin/ls]",
    "version: 1\nprograms: [1]",
    "version: 1\nagents: [a]",
    "version: 1\nagents: { a: [] }",
    "version: 1\nagents: { a: { tool: ls } }",
    "version: 1\nagents: { a: { message: x } }",
    "version: 1\nagents: { a: { shell: { mode: deny, program: sh } } }",
    "version: 1\nagents: { \"\": {} }",
    "version: 1\nexec_shape: bash",
    "version: 1\ndefault_agent: \"\"",
    "version: 1\nrules: {}",
    "version: 1\nrules: [ls]",
    "version: 1\nrules: [ { because: x } ]",
    "version: 1\nrules: [ { allow: ls, deny: ls } ]",
    "version: 1\nrules: [ { allow: } ]",
    "version: 1\nrules: [ { allow: [] } ]",
    "version: 1\nrules: [ { allow: \"\" } ]",
    "version: 1\nrules: [ { allow: \" \" } ]",
    "version: 1\nrules: [ { allow: ... } ]",
    "version: 1\nrules: [ { allow: \"* --version\" } ]",
    "version: 1\nrules: [ { deny: { efect: read } } ]",
    "version: 1\nrules: [ { deny: { effect: reed } } ]",
    "version: 1\nrules: [ { deny: { effect: [] } } ]",
    "version: 1\nrules: [ { deny: { write: src } } ]",
    "version: 1\nrules: [ { deny: { write: /a/../b } } ]",
    "version: 1\nrules: [ { deny: { write: /a//b } } ]",
    "version: 1\nrules: [ { deny: { write: /a/ } } ]",
    "version: 1\nrules: [ { deny: { write: /a** } } ]",
    "version: 1\nrules: [ { deny: { write: \"**\" } } ]",
    "version: 1\nrules: [ { deny: { write: ~/ } } ]",
    "version: 1\nrules: [ { deny: { host: \"http://x/\" } } ]",
    "version: 1\nrules: [ { deny: { variable: $X } } ]",
    "version: 1\nrules: [ { deny: { inputs: {} } } ]",
    "version: 1\nrules: [ { deny: { inputs: { a: {} } } } ]",
    "version: 1\nrules: [ { deny: { inputs: { a: [] } } } ]",
    "version: 1\nrules: [ { deny: { shell: 1 } } ]",
    "version: 1\nrules: [ { deny: { sandbox: \"< none\" } } ]",
    "version: 1\nrules: [ { deny: { sandbox: mine } } ]",
    "version: 1\nrules: [ { deny: { network: [on] } } ]",
    "version: 1\nrules: [ { deny: { time: {} } } ]",
    "version: 1\nrules: [ { deny: { time: { days: monday } } } ]",
    "version: 1\nrules: [ { deny: { time: { from: 8:00 } } } ]",
    "version: 1\nrules: [ { deny: { time: { from: 25:00 } } } ]",
    "version: 1\nrules: [ { deny: ls, because: \"a\\nb\" } ]",
    "version: 1\nrules: [ { deny: ls, message: [x] } ]",
    "version: 1\nexpect: {}",
    "version: 1\nexpect: [ls]",
    "version: 1\nexpect: [ {} ]",
    "version: 1\nexpect: [ { allow: ls, deny: ls } ]",
    "version: 1\nexpect: [ { allow: { agent: x } } ]",
    "version: 1\nexpect: [ { allow: { shell: a, command: b } } ]",
    "version: 1\nexpect: [ { allow: \"\" } ]",
    "version: 1\ninclude: 1",
};

static void
what_is_wrong_by_its_form_is_so_for_both(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (is_read(bad[i]))
			fail_msg("read: %s", bad[i]);
		if (is_valid(bad[i]))
			fail_msg("valid: %s", bad[i]);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		schema_describes_itself_in_the_draft_that_it_names),
	    cmocka_unit_test(presets_are_valid),
	    cmocka_unit_test(what_the_documentation_shows_is_in_order),
	    cmocka_unit_test(examples_are_in_order),
	    cmocka_unit_test(what_is_in_order_is_so_for_both),
	    cmocka_unit_test(what_is_wrong_by_its_form_is_so_for_both),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
