/* SPDX-License-Identifier: Apache-2.0 */
#include "rendering.h"

/* Which characters texts may have. */

static writ_status
preflight(const char *text, enum w_strictness strictness, writ_error *err)
{
	yyjson_doc *doc = read_raw(text);
	writ_status status =
	    w_render_preflight(yyjson_doc_get_root(doc), strictness, err);

	yyjson_doc_free(doc);
	return status;
}

static void
passes(const char *text, enum w_strictness strictness)
{
	writ_error err = {0};

	if (preflight(text, strictness, &err) != WRIT_OK)
		fail_msg("%s: %s", text, err.message);
}

static void
stops(const char *text, enum w_strictness strictness, const char *part)
{
	writ_error err = {0};

	assert_int_equal(preflight(text, strictness, &err), WRIT_E_INVALID);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' is not in '%s'", part, err.message);
}

static void
injection_is_blocked_where_it_is_asked_for(void **state)
{
	(void)state;
	stops("{\"msg\":\"hi; rm\"}", W_STRICT_MODULES,
	    "argument 'msg': ';' is not allowed (strict-modules)");
	passes("{\"msg\":\"hi; rm\"}", W_STRICT_LITERAL);
}

static void
clean_input_passes_preflight(void **state)
{
	(void)state;
	passes("{\"file\":\"/path/to/file\"}", W_STRICT_MODULES);
	passes("{\"file\":\"/path/to/file\"}", W_STRICT_EXEC);
}

static void
preflight_stops_a_semicolon(void **state)
{
	(void)state;
	stops("{\"arg\":\"a;b\"}", W_STRICT_MODULES, "';'");
	stops("{\"arg\":\"a;b\"}", W_STRICT_EXEC, "';'");
}

static void
preflight_stops_a_pipe(void **state)
{
	(void)state;
	stops("{\"arg\":\"a|b\"}", W_STRICT_MODULES, "'|'");
}

static void
preflight_looks_into_arrays(void **state)
{
	(void)state;
	stops("{\"args\":[\"ok\",\"bad$\"]}", W_STRICT_MODULES,
	    "argument 'args', element 2: '$'");
}

static void
what_is_no_text_passes_preflight(void **state)
{
	(void)state;
	passes("{\"count\":5,\"on\":true,\"no\":null,\"l\":[1.5]}",
	    W_STRICT_MODULES);
}

static void
each_strictness_has_its_characters(void **state)
{
	static const char modules[] = ";|&$`'";
	static const char exec[] = "|&;$`<>(){}";
	char text[16];

	(void)state;
	for (const char *at = modules; *at != '\0'; at++) {
		(void)snprintf(text, sizeof(text), "{\"a\":\"x%c\"}", *at);
		stops(text, W_STRICT_MODULES, "is not allowed");
		passes(text, W_STRICT_LITERAL);
	}
	for (const char *at = exec; *at != '\0'; at++) {
		(void)snprintf(text, sizeof(text), "{\"a\":\"x%c\"}", *at);
		stops(text, W_STRICT_EXEC, "is not allowed");
	}
	stops("{\"a\":\"\\\\\"}", W_STRICT_MODULES, "'\\'");
	stops("{\"a\":\"\\\"\"}", W_STRICT_MODULES, "'\"'");
	stops("{\"a\":\"\\n\"}", W_STRICT_MODULES, "a line feed");
	stops("{\"a\":\"\\r\"}", W_STRICT_EXEC, "a carriage return");
	stops("{\"a\":\"x/../y\"}", W_STRICT_EXEC, "'..'");
	passes("{\"a\":\"x/../y <>(){}\"}", W_STRICT_MODULES);
	passes("{\"a\":\"'\\\"\\\\ .\"}", W_STRICT_EXEC);
	stops("{\"a\":\"\\u0000\"}", W_STRICT_LITERAL, "a NUL");
}

static void
preflight_looks_everywhere(void **state)
{
	(void)state;
	stops("{\"a\":{\"b\":[{\"c\":\";\"}]}}", W_STRICT_MODULES,
	    "argument 'a': ';'");
	stops("{\"a\":[1,{\"b;\":1}]}", W_STRICT_MODULES,
	    "argument 'a', element 2: ';'");
	stops("{\"a;b\":true}", W_STRICT_MODULES, "argument 'a;b': ';'");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(injection_is_blocked_where_it_is_asked_for),
	    cmocka_unit_test(clean_input_passes_preflight),
	    cmocka_unit_test(preflight_stops_a_semicolon),
	    cmocka_unit_test(preflight_stops_a_pipe),
	    cmocka_unit_test(preflight_looks_into_arrays),
	    cmocka_unit_test(what_is_no_text_passes_preflight),
	    cmocka_unit_test(each_strictness_has_its_characters),
	    cmocka_unit_test(preflight_looks_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
