/* SPDX-License-Identifier: Apache-2.0 */
#include "calling.h"

#define LOGIN                                                              \
	"- module_id: cli.login\n"                                         \
	"  target: exec:///bin/echo login\n"                               \
	"  input_schema:\n"                                                \
	"    type: object\n"                                               \
	"    additionalProperties: false\n"                                \
	"    properties:\n"                                                \
	"      user: {type: string, minLength: 2, x-apexe-flag: --user}\n" \
	"      password:\n"                                                \
	"        type: string\n"                                           \
	"        maxLength: 12\n"                                          \
	"        x-sensitive: true\n"                                      \
	"        x-apexe-flag: --password\n"                               \
	"      keys: {type: array, x-sensitive: true}\n"                   \
	"      note: {type: string, x-apexe-positional: 0}\n"              \
	"  env: {LOGIN_AS: \"{{args.user}}:{{args.password}}\"}\n"

static yyjson_doc *
preview(writ_call *call)
{
	char *json = NULL;
	size_t len;

	assert_int_equal(writ_call_preview(call, &json, &len, NULL), WRIT_OK);
	assert_int_equal(strlen(json), len);
	assert_false(is_in("hunter2", json));
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	assert_non_null(doc);
	free(json);
	return doc;
}

static void
a_preview_is_the_request_without_its_secrets(void **state)
{
	(void)state;
	use_modules(LOGIN);
	writ_call *call = call_ok("cli.login",
	    "{\"user\":\"me too\",\"password\":\"hunter2!\","
	    "\"keys\":[\"a-hunter2-b\"]}");
	yyjson_doc *doc = preview(call);
	assert_string_equal(text_in(doc, "/module_id"), "cli.login");
	assert_string_equal(text_in(doc, "/argv/0"), "/bin/echo");
	assert_string_equal(text_in(doc, "/argv/2"), "--user");
	assert_string_equal(text_in(doc, "/argv/3"), "me too");
	assert_string_equal(text_in(doc, "/argv/5"), "[secret]");
	assert_true(is_in("'me too'", text_in(doc, "/command")));
	assert_string_equal(text_in(doc, "/env/LOGIN_AS"), "me too:[secret]");
	assert_true(yyjson_is_true(yyjson_doc_ptr_get(doc, "/redacted")));
	assert_true(yyjson_is_null(
	    yyjson_ptr_get(yyjson_doc_get_root(doc), "/sandbox")));
	assert_int_equal(
	    yyjson_get_uint(yyjson_doc_ptr_get(doc, "/timeout_ms")), 30000);
	yyjson_doc_free(doc);

	/* Changes of the caller are shown too. */
	assert_int_equal(
	    writ_draft_set(writ_call_draft(call), "cwd", "/tmp", NULL),
	    WRIT_OK);
	doc = preview(call);
	assert_string_equal(text_in(doc, "/cwd"), "/tmp");
	yyjson_doc_free(doc);
	writ_call_free(call);
}

static void
secrets_that_stand_escaped_are_not_shown(void **state)
{
	(void)state;
	use_modules("- module_id: cli.json\n"
		    "  target: exec:///bin/cat\n"
		    "  input: {as: json}\n"
		    "  input_schema: {type: object, properties: {key: {type: "
		    "string, x-sensitive: true}}}\n"
		    "- module_id: cli.object\n"
		    "  target: exec:///bin/echo\n"
		    "  input_schema: {type: object, properties: {key: {type: "
		    "object, x-sensitive: true}}}\n");
	writ_call *call = call_ok("cli.json", "{\"key\":\"a\\\"hunter2\"}");
	yyjson_doc *doc = preview(call);
	assert_string_equal(text_in(doc, "/stdin"), "[secret]");
	yyjson_doc_free(doc);
	writ_call_free(call);

	call = call_ok("cli.object", "{\"key\":{\"a\":\"\\\"hunter2\\\"\"}}");
	doc = preview(call);
	assert_string_equal(text_in(doc, "/argv/2"), "[secret]");
	yyjson_doc_free(doc);
	writ_call_free(call);
}

/* The whole first file of the trail. */
static const char *
trail_text(void)
{
	static char text[65536];
	FILE *file = fopen(in_home("state/audit/trail-000001.jsonl"), "re");

	assert_non_null(file);
	size_t len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	(void)fclose(file);
	return text;
}

static void
no_record_shows_a_secret_argument(void **state)
{
	(void)state;
	use_modules(LOGIN);
	writ_call *call =
	    call_ok("cli.login", "{\"user\":\"me\",\"password\":\"hunter2!\","
				 "\"keys\":[\"x-hunter2-y\"]}");
	/* Adding secrets does not uncover it either. */
	assert_int_equal(writ_draft_read_json(writ_call_draft(call),
			     "{\"secrets\":[\"other\"]}", 21, NULL),
	    WRIT_OK);
	writ_result *result = run_call(call);
	assert_true(
	    is_in("--password hunter2!", result->out[WRIT_STDOUT].head));
	writ_result_free(result);
	writ_call_free(call);
	assert_false(is_in("hunter2", trail_text()));
	assert_true(is_in("\"module\":\"cli.login\"", trail_text()));
	assert_true(is_in("\"redacted\":true", trail_text()));
}

static void
a_refusal_shows_no_secret_either(void **state)
{
	writ_call *call = NULL;
	writ_error err = {0};
	size_t count;
	static const char input[] =
	    "{\"user\":\"me\",\"password\":\"hunter2-is-too-long\"}";

	(void)state;
	use_modules(LOGIN);
	assert_int_equal(writ_call_new(modules, "cli.login", input,
			     strlen(input), NULL, &call, &err),
	    WRIT_E_INVALID);
	assert_false(is_in("hunter2", err.message));
	assert_true(is_in("argument 'password'", err.message));
	const writ_problem *problems = writ_call_problems(call, &count);
	assert_int_equal(count, 1);
	assert_false(is_in("hunter2", problems[0].message));
	assert_true(is_in("maxLength", problems[0].schema));
	char *json = NULL;
	size_t len;
	assert_int_equal(
	    writ_call_preview(call, &json, &len, NULL), WRIT_E_INVALID);
	writ_call_free(call);

	err =
	    call_bad("cli.login", "{\"user\":\"me\",\"password\":\"hunter2;\"}",
		WRIT_ARGUMENTS_STRICT_MODULES);
	assert_false(is_in("hunter2", err.message));
}

#define VAULT                                                           \
	"- module_id: cli.vault\n"                                      \
	"  target: exec:///bin/echo\n"                                  \
	"  input_schema:\n"                                             \
	"    type: object\n"                                            \
	"    properties:\n"                                             \
	"      login: {properties: {word: {type: string, "              \
	"x-sensitive: true}}}\n"                                        \
	"      pin: {type: integer, x-sensitive: true}\n"               \
	"      steps: {type: array, x-writ-sequence: true}\n"           \
	"      plain: {type: string}\n"                                 \
	"    additionalProperties: {type: string, x-sensitive: true}\n" \
	"    not: {required: [never]}\n"

static void
no_way_to_write_a_secret_shows_it(void **state)
{
	static const char *const inputs[] = {
	    "{\"login\":{\"word\":\"hunter2\"}}",
	    "{\"pin\":98765432.0}",
	    "{\"steps\":[{\"pin\":98765432},{\"plain\":\"x\"}]}",
	    "{\"unlisted\":\"hunter2\"}",
	};

	(void)state;
	use_modules(VAULT);
	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		writ_call *call = call_ok("cli.vault", inputs[i]);
		yyjson_doc *doc = preview(call);

		assert_true(is_in("[secret]", text_in(doc, "/command")));
		assert_false(is_in("98765432", text_in(doc, "/command")));
		yyjson_doc_free(doc);
		writ_call_free(call);
	}
}

static void
no_problem_shows_a_secret(void **state)
{
	static const char *const inputs[] = {
	    "{\"login\":{\"word\":[\"hunter2\"]}}",
	    "{\"unlisted\":[\"hunter2\"]}",
	    "{\"never\":\"hunter2\"}",
	    "{\"steps\":{\"pin\":\"hunter2\"}}",
	};

	(void)state;
	use_modules(VAULT);
	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		writ_call *call = NULL;
		writ_error err = {0};
		size_t count;

		assert_int_equal(writ_call_new(modules, "cli.vault", inputs[i],
				     strlen(inputs[i]), NULL, &call, &err),
		    WRIT_E_INVALID);
		assert_false(is_in("hunter2", err.message));
		const writ_problem *problems = writ_call_problems(call, &count);
		assert_int_equal(count, 1);
		assert_false(is_in("hunter2", problems[0].message));
		writ_call_free(call);
	}
}

static void
what_was_refused_is_on_record(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;

	(void)state;
	use_modules(LOGIN);
	const writ_error err =
	    call_bad("cli.login", "{\"user\":\"m\"}", WRIT_ARGUMENTS_LITERAL);
	request.module = "cli.login";
	request.trace_id = "t-1";
	writ_refuse(engine, &request, &err);
	const char *text = trail_text();
	assert_true(is_in("\"kind\":\"refused\"", text));
	assert_true(is_in("\"trace\":\"t-1\",\"module\":\"cli.login\"", text));
	assert_true(is_in("\"argv\":[],\"shell\":null", text));
	assert_true(is_in("argument 'user'", text));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CALLING(a_preview_is_the_request_without_its_secrets),
	    CALLING(secrets_that_stand_escaped_are_not_shown),
	    CALLING(no_record_shows_a_secret_argument),
	    CALLING(a_refusal_shows_no_secret_either),
	    CALLING(no_way_to_write_a_secret_shows_it),
	    CALLING(no_problem_shows_a_secret),
	    CALLING(what_was_refused_is_on_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
