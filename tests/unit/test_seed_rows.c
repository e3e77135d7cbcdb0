/* SPDX-License-Identifier: Apache-2.0 */

/* What the documents ask of an interface in a program, each case with the
 * number of its document: modules and policies in memory, results as texts. */

#include "calling.h"

#include <writ/policy.h>

/* ---- 000: a module made in memory ---- */

static const char all_of_it[] =
    "spec_version: \"1.0\"\n"
    "bindings:\n"
    "- module_id: my.echo\n"
    "  target: exec:///bin/echo fixed\n"
    "  description: Says it\n"
    "  version: \"2.0\"\n"
    "  tags: [cli, test]\n"
    "  annotations: {readonly: true, idempotent: true}\n"
    "  input_schema: {type: object, properties: {count: {type: integer}}}\n"
    "  output_schema: {type: object}\n"
    "  metadata: {json_flag: \"--format json\"}\n"
    "  timeout: 1500\n";

static writ_modules *
load_text(const char *text)
{
	writ_modules_options options = plain_options();
	writ_modules *loaded = NULL;
	writ_error err = {0};

	options.text = text;
	options.text_len = strlen(text);
	if (writ_modules_new(&options, &loaded, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return loaded;
}

static void
seed_000_a_module_is_made_in_memory(void **state)
{
	writ_modules *loaded = load_text(all_of_it);
	const writ_module *module = NULL;
	writ_call *call = NULL;
	char *json = NULL;
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    writ_modules_find(loaded, "my.echo", &module, &err), WRIT_OK);
	assert_string_equal(module->description, "Says it");
	assert_string_equal(module->command, "/bin/echo fixed");
	assert_string_equal(module->version, "2.0");
	assert_string_equal(module->tags[1], "test");
	assert_string_equal(module->file, "memory");
	assert_true(module->is_readonly && module->is_idempotent);
	assert_int_equal(writ_call_new(loaded, "my.echo", "{\"count\":5}", 11,
			     NULL, &call, &err),
	    WRIT_OK);
	const writ_request *request = writ_call_request(call);
	assert_string_equal(request->argv[1], "fixed");
	assert_string_equal(request->argv[2], "--count");
	assert_string_equal(request->argv[3], "5");
	assert_string_equal(request->argv[5], "json");
	assert_int_equal(request->timeout_ms, 1500);
	writ_call_free(call);
	assert_int_equal(
	    writ_modules_json(loaded, "my.echo", &json, NULL, &err), WRIT_OK);
	assert_non_null(
	    strstr(json, "\"output_schema\":{\"type\":\"object\"}"));
	free(json);
	writ_modules_free(loaded);
}

/* With line and column, and the others stay. */
static void
seed_000_a_fault_in_memory_has_its_place(void **state)
{
	writ_modules *loaded =
	    load_text("spec_version: \"1.0\"\nbindings:\n"
		      "- module_id: my.bad\n  target: invalid\n"
		      "- module_id: my.good\n  target: exec:///bin/true\n");
	const writ_module *module = NULL;
	size_t count = 0;
	writ_error err = {0};

	(void)state;
	const writ_module_problem *problems =
	    writ_modules_problems(loaded, &count);
	assert_int_equal(count, 1);
	assert_string_equal(problems[0].file, "memory");
	assert_int_equal(problems[0].error.line, 4);
	assert_int_equal(problems[0].error.column, 11);
	assert_int_equal(
	    writ_modules_find(loaded, "my.bad", &module, &err), WRIT_E_INVALID);
	assert_non_null(
	    strstr(err.message, "memory:4:11: Invalid target format: invalid"));
	assert_int_equal(
	    writ_modules_find(loaded, "my.good", &module, &err), WRIT_OK);
	writ_modules_free(loaded);
	loaded = load_text("a: [");
	assert_int_equal((writ_modules_problems(loaded, &count), count), 1);
	writ_modules_free(loaded);
}

/* Texts that nobody would write, and one whose schema does not compile. */
static void
seed_000_hostile_texts_are_problems(void **state)
{
	static const char *const texts[] = {"", "\0", "[]", "- 1",
	    "bindings: 1",
	    "spec_version: \"1.0\"\nbindings: [{module_id: ../x}]",
	    "spec_version: \"1.0\"\nbindings:\n- module_id: my.x\n"
	    "  target: exec:///bin/true\n  input_schema:\n"
	    "    {type: object, properties: {a: {pattern: '(a+)+('}}}\n",
	    "spec_version: \"1.0\"\nbindings:\n- module_id: my.x\n"
	    "  target: exec:///bin/true\n  input_schema:\n"
	    "    {$ref: '#/$defs/a', $defs: {a: {$ref: '#/$defs/a'}}}\n",
	    "&a [*a]", "%YAML 9\n---\n", "\xff\xfe"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		writ_modules *loaded = load_text(texts[i]);
		const writ_module *module = NULL;

		assert_int_not_equal(
		    writ_modules_find(loaded, "my.x", &module, NULL), WRIT_OK);
		writ_modules_free(loaded);
	}
}

/* Its runner could not read it. */
static void
seed_000_a_module_in_memory_is_not_called_in_a_runner(void **state)
{
	writ_isolated_options options = WRIT_ISOLATED_OPTIONS_INIT;
	writ_modules *loaded = load_text(all_of_it);
	writ_draft *draft = NULL;
	writ_error err = {0};

	(void)state;
	options.modules = loaded;
	assert_int_equal(
	    writ_isolated_new("my.echo", "{}", 2, &options, &draft, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "is in memory"));
	writ_modules_free(loaded);
}

/* ---- 001: results as texts ---- */

static void
seed_001_a_result_is_encoded_and_decoded(void **state)
{
	char *text = NULL;
	char *json = NULL;
	size_t len = 0;
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    writ_result_encode(" { \"result\" : 42 }", 18, &text, &len, &err),
	    WRIT_OK);
	assert_string_equal(text, "{\"result\":42}");
	assert_int_equal(
	    writ_result_decode(text, len, &json, NULL, &err), WRIT_OK);
	assert_string_equal(json, "{\"result\":42}");
	free(text);
	free(json);
	assert_int_equal(
	    writ_result_decode("{\"ok\":true}", 11, &json, &len, &err),
	    WRIT_OK);
	assert_int_equal(len, 11);
	free(json);
	assert_int_equal(writ_result_encode(
			     "12345678901234567890123", 23, &text, NULL, &err),
	    WRIT_OK);
	assert_string_equal(text, "12345678901234567890123");
	free(text);
}

static void
seed_001_what_is_no_json_is_not_decoded(void **state)
{
	static const char *const texts[] = {
	    "not json", "", "{} {}", "{\"a\":", "{\"a\":1,}", "\xff"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *json = NULL;
		writ_error err = {0};

		assert_int_equal(writ_result_decode(texts[i], strlen(texts[i]),
				     &json, NULL, &err),
		    WRIT_E_PARSE);
		assert_null(json);
		assert_int_equal(writ_result_encode(texts[i], strlen(texts[i]),
				     &json, NULL, NULL),
		    WRIT_E_PARSE);
	}
}

/* ---- policies in memory ---- */

static writ_engine *
engine_with(const char *policy)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_engine *made = NULL;
	writ_error err = {0};

	options.config = settings;
	options.policy = policy;
	options.policy_len = strlen(policy);
	options.no_audit = true;
	if (writ_engine_new(&options, &made, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return made;
}

static void
a_policy_in_memory_decides(void **state)
{
	static const char *const argv[] = {"echo", "hi", NULL};
	static const char *const other[] = {"printf", "hi", NULL};
	writ_engine *own =
	    engine_with("version: 1\nsandbox: none\ndefault: deny\n"
			"rules: [{allow: {program: echo}}]\n"
			"limits: {timeout: 2s, max_timeout: 9s}\n");
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	uint64_t timeout_ms = 0;
	uint64_t max_ms = 0;
	writ_error err = {0};

	(void)state;
	request.argv = argv;
	if (writ_run(own, &request, &result, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	writ_result_free(result);
	request.argv = other;
	assert_int_equal(writ_run(own, &request, &result, &err), WRIT_E_DENIED);
	assert_int_equal(
	    writ_engine_timeouts(own, NULL, NULL, &timeout_ms, &max_ms, &err),
	    WRIT_OK);
	assert_int_equal(timeout_ms, 2000);
	assert_int_equal(max_ms, 9000);
	writ_engine_free(own);
}

static void
a_fault_of_a_policy_in_memory_has_its_place(void **state)
{
	static const char text[] = "version: 1\nrules:\n- allw: {}\n";
	static const char *const argv[] = {"echo", NULL};
	writ_policy_options options = WRIT_POLICY_OPTIONS_INIT;
	writ_engine *own = engine_with(text);
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	char *json = NULL;
	writ_error err = {0};

	(void)state;
	request.argv = argv;
	assert_int_equal(
	    writ_run(own, &request, &result, &err), WRIT_E_INVALID);
	assert_int_equal(err.line, 3);
	assert_non_null(strstr(err.message, "memory:3:"));
	writ_engine_free(own);

	options.text = text;
	options.text_len = sizeof(text) - 1;
	assert_int_equal(writ_policy_look(NULL, WRIT_POLICY_CHECK, &options,
			     &json, NULL, &err),
	    WRIT_OK);
	assert_non_null(strstr(json, "\"file\":\"memory\",\"line\":3,"));
	assert_non_null(strstr(json, "\"source\":\"- allw: {}\""));
	free(json);
}

static void
a_policy_in_memory_includes_presets_and_absolute_files(void **state)
{
	static const char *const texts[] = {
	    "version: 1\ninclude: [other.yaml]\n",
	    "version: 1\ninclude: [./other.yaml]\n",
	    "version: 1\ninclude: [memory]\n", "", "[", "version: 2\n",
	    "version: 1\nversion: 1\n"};
	static const char *const argv[] = {"ls", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	char *json = NULL;
	writ_error err = {0};

	(void)state;
	request.argv = argv;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		writ_engine *own = engine_with(texts[i]);

		assert_int_equal(
		    writ_run(own, &request, &result, &err), WRIT_E_INVALID);
		assert_int_equal(
		    writ_run(own, &request, &result, &err), WRIT_E_INVALID);
		writ_engine_free(own);
	}
	writ_engine *own = engine_with("version: 1\ninclude: [open]\n");
	if (writ_decide(own, &request, &json, NULL, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	assert_non_null(strstr(json, "\"decision\":\"allow\""));
	free(json);
	writ_engine_free(own);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CALLING(seed_000_a_module_is_made_in_memory),
	    CALLING(seed_000_a_fault_in_memory_has_its_place),
	    CALLING(seed_000_hostile_texts_are_problems),
	    CALLING(seed_000_a_module_in_memory_is_not_called_in_a_runner),
	    CALLING(seed_001_a_result_is_encoded_and_decoded),
	    CALLING(seed_001_what_is_no_json_is_not_decoded),
	    CALLING(a_policy_in_memory_decides),
	    CALLING(a_fault_of_a_policy_in_memory_has_its_place),
	    CALLING(a_policy_in_memory_includes_presets_and_absolute_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
