/* SPDX-License-Identifier: Apache-2.0 */

/* What is no schema, what is too much of one, and what refers to what. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "schema/pointer.h"
#include "schema/schema.h"

static yyjson_doc *
read_doc(const char *text)
{
	yyjson_read_err why = {0};
	yyjson_doc *doc = yyjson_read_opts(
	    (char *)(uintptr_t)text, strlen(text), 0, NULL, &why);

	if (doc == NULL)
		print_error("%.100s: %s\n", text, why.msg);
	assert_non_null(doc);
	return doc;
}

struct refusal {
	const char *schema;
	const char *at; /* pointer to *out_at */
	const char *message;
	const char *suggestion;
};

static void
check_refusal(const struct refusal *refusal)
{
	yyjson_doc *doc = read_doc(refusal->schema);
	yyjson_val *root = yyjson_doc_get_root(doc);
	struct w_schema *schema = NULL;
	yyjson_val *at = NULL;
	writ_error err = {0};
	struct w_buf place;

	writ_status status = w_schema_compile(root, NULL, &schema, &at, &err);
	if (status != WRIT_E_INVALID)
		print_error("accepted: %s\n", refusal->schema);
	assert_int_equal(status, WRIT_E_INVALID);
	assert_null(schema);
	assert_string_equal(err.stage, "schema");
	assert_string_equal(err.message, refusal->message);
	assert_string_equal(err.suggestion,
	    refusal->suggestion != NULL ? refusal->suggestion : "");
	assert_non_null(at);
	w_buf_init(&place, 4096);
	w_pointer_add(&place, root, at);
	assert_string_equal(place.data, refusal->at);
	w_buf_done(&place);
	assert_int_equal(
	    w_schema_compile(root, NULL, &schema, NULL, NULL), WRIT_E_INVALID);
	yyjson_doc_free(doc);
}

static void
mistakes_in_schemas_are_found_with_their_place(void **state)
{
	static const struct refusal refusals[] = {
	    {"5", "", "expected a schema, an object or a boolean, got a number",
		NULL},
	    {"{\"type\":\"interger\"}", "/type",
		"/type: unknown type 'interger'", "did you mean 'integer'?"},
	    {"{\"type\":\"float64x\"}", "/type",
		"/type: unknown type 'float64x'",
		"array, boolean, integer, null, number, object and string are "
		"types"},
	    {"{\"type\":[]}", "/type", "/type: must have at least one type",
		NULL},
	    {"{\"type\":[\"string\",\"string\"]}", "/type/1",
		"/type/1: the type 'string' is given twice", NULL},
	    {"{\"type\":{}}", "/type",
		"/type: a type must be a string, got an object", NULL},
	    {"{\"minLength\":-1}", "/minLength",
		"/minLength: must be a whole number, 0 or more", NULL},
	    {"{\"maxItems\":1.5}", "/maxItems",
		"/maxItems: must be a whole number, 0 or more", NULL},
	    {"{\"minContains\":\"1\"}", "/minContains",
		"/minContains: must be a whole number, 0 or more", NULL},
	    {"{\"minimum\":\"1\"}", "/minimum",
		"/minimum: must be a number, got a string", NULL},
	    {"{\"multipleOf\":0}", "/multipleOf",
		"/multipleOf: must be more than 0", NULL},
	    {"{\"uniqueItems\":1}", "/uniqueItems",
		"/uniqueItems: must be true or false, got a number", NULL},
	    {"{\"required\":\"a\"}", "/required",
		"/required: must be an array of keys, got a string", NULL},
	    {"{\"required\":[\"a\",\"b\",\"a\"]}", "/required/2",
		"/required/2: the key 'a' is given twice", NULL},
	    {"{\"required\":[1]}", "/required/0",
		"/required/0: a key must be a string, got a number", NULL},
	    {"{\"properties\":[]}", "/properties",
		"/properties: must be an object, got an array", NULL},
	    {"{\"properties\":{\"a\":5}}", "/properties/a",
		"/properties/a: expected a schema, an object or a boolean, got "
		"a number",
		NULL},
	    {"{\"items\":[{}]}", "/items",
		"/items: must be a schema in draft 2020-12, got an array",
		"write prefixItems for one schema for each item"},
	    {"{\"allOf\":[]}", "/allOf",
		"/allOf: must have at least one schema", NULL},
	    {"{\"anyOf\":{}}", "/anyOf",
		"/anyOf: must be an array of schemas, got an object", NULL},
	    {"{\"not\":null}", "/not",
		"/not: expected a schema, an object or a boolean, got null",
		NULL},
	    {"{\"enum\":3}", "/enum",
		"/enum: must be an array of values, got a number", NULL},
	    {"{\"title\":5}", "/title",
		"/title: must be a string, got a number", NULL},
	    {"{\"format\":5}", "/format",
		"/format: must be a string, got a number", NULL},
	    {"{\"dependentRequired\":{\"a\":\"b\"}}", "/dependentRequired/a",
		"/dependentRequired/a: must be an array of keys, got a string",
		NULL},
	    /* Where nothing leads: it is a mistake all the same. */
	    {"{\"$defs\":{\"a\":{\"properties\":{\"b\":{\"type\":3}}}}}",
		"/$defs/a/properties/b/type",
		"/$defs/a/properties/b/type: a type must be a string, got a "
		"number",
		NULL},
	    {"{\"then\":{\"minimum\":null}}", "/then/minimum",
		"/then/minimum: must be a number, got null", NULL},
	    {"{\"$id\":\"http://a/b#c\"}", "/$id",
		"/$id: 'http://a/b#c' must not have a fragment",
		"name a place with $anchor"},
	    {"{\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$anchor\":\"x\"}}"
	     "}",
		"/$defs/b/$anchor",
		"/$defs/b/$anchor: the anchor 'x' is used twice", NULL},
	    {"{\"$defs\":{\"a\":{\"$id\":\"x:y\"},\"b\":{\"$id\":\"x:y\"}}}",
		"/$defs/b/$id",
		"/$defs/b/$id: the identifier 'x:y' is used twice", NULL},
	    {"{\"$schema\":\"http://json-schema.org/draft-04/schema#\"}",
		"/$schema",
		"/$schema: 'http://json-schema.org/draft-04/schema#' is not "
		"supported",
		"use https://json-schema.org/draft/2020-12/schema or "
		"http://json-schema.org/draft-07/schema#"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		check_refusal(&refusals[i]);
}

static void
patterns_that_are_none_are_shown(void **state)
{
	yyjson_doc *doc =
	    read_doc("{\"properties\":{\"a\":{\"pattern\":\"a(b\"}}}");
	struct w_schema *schema = NULL;
	yyjson_val *at = NULL;
	writ_error err = {0};

	(void)state;
	assert_int_equal(w_schema_compile(yyjson_doc_get_root(doc), NULL,
			     &schema, &at, &err),
	    WRIT_E_INVALID);
	assert_string_equal(yyjson_get_str(at), "a(b");
	assert_non_null(
	    strstr(err.message, "/properties/a/pattern: 'a(b': not a regular"));
	yyjson_doc_free(doc);

	doc = read_doc("{\"patternProperties\":{\"(\":{}}}");
	assert_int_equal(w_schema_compile(yyjson_doc_get_root(doc), NULL,
			     &schema, &at, &err),
	    WRIT_E_INVALID);
	assert_non_null(
	    strstr(err.message, "/patternProperties: '(': not a regular"));
	yyjson_doc_free(doc);
}

static void
references_that_lead_nowhere_are_refused(void **state)
{
	static const struct refusal refusals[] = {
	    {"{\"$ref\":\"#/nope\"}", "/$ref",
		"/$ref: '#/nope' leads nowhere: there is no such place", NULL},
	    {"{\"$ref\":\"#a\"}", "/$ref",
		"/$ref: '#a' leads nowhere: there is no such anchor", NULL},
	    {"{\"$ref\":\"other.json\"}", "/$ref",
		"/$ref: 'other.json' leads nowhere: no document with this name "
		"was given",
		"nothing is fetched: put what it means under $defs and refer "
		"to that"},
	    {"{\"$ref\":\"#/%zz\"}", "/$ref",
		"/$ref: '#/%zz' leads nowhere: a percent sign must be written "
		"%25",
		NULL},
	    {"{\"x\":5,\"$ref\":\"#/x\"}", "/$ref",
		"/$ref: '#/x' leads to a number, which is not a schema", NULL},
	    {"{\"$ref\":5}", "/$ref", "/$ref: must be a string, got a number",
		NULL},
	    {"{\"$defs\":{\"a\":{}},\"$ref\":\"#/$defs/a/b\"}", "/$ref",
		"/$ref: '#/$defs/a/b' leads nowhere: there is no such place",
		NULL},
	    {"{\"prefixItems\":[{}],\"$ref\":\"#/prefixItems/00\"}", "/$ref",
		"/$ref: '#/prefixItems/00' leads nowhere: there is no such "
		"place",
		NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		check_refusal(&refusals[i]);
}

#define LOOP " without end"
#define LOOP_REMEDY                                                  \
	"a schema may refer to itself only below properties, items " \
	"and the like"

static void
circles_of_references_are_refused(void **state)
{
	static const struct refusal refusals[] = {
	    {"{\"$ref\":\"#\"}", "", "applies itself to the same value" LOOP,
		LOOP_REMEDY},
	    {"{\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"allOf\":[{"
	     "\"$ref\":\"#/$defs/a\"}]}}}",
		"/$defs/b/allOf/0",
		"/$defs/b/allOf/0: applies itself to the same value" LOOP,
		LOOP_REMEDY},
	    {"{\"not\":{\"anyOf\":[{\"type\":\"string\"},{\"$ref\":\"#\"}]}}",
		"/not/anyOf/1",
		"/not/anyOf/1: applies itself to the same value" LOOP,
		LOOP_REMEDY},
	    {"{\"dependentSchemas\":{\"a\":{},\"b\":{\"if\":{\"$ref\":\"#\"}}}"
	     "}",
		"/dependentSchemas/b/if",
		"/dependentSchemas/b/if: applies itself to the same value" LOOP,
		LOOP_REMEDY},
	    {"{\"oneOf\":[true,{\"else\":{\"$ref\":\"#/oneOf/1\"}}]}",
		"/oneOf/1/else",
		"/oneOf/1/else: applies itself to the same value" LOOP,
		LOOP_REMEDY},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		check_refusal(&refusals[i]);
}

/* Whether a value fits; -1: it cannot be judged. */
static int
judge(const char *schema_text, const char *value_text, writ_error *err)
{
	yyjson_doc *schema_doc = read_doc(schema_text);
	yyjson_doc *value_doc = read_doc(value_text);
	struct w_schema *schema = NULL;
	bool is_valid = false;

	writ_status status = w_schema_compile(
	    yyjson_doc_get_root(schema_doc), NULL, &schema, NULL, err);
	if (status != WRIT_OK)
		print_error("%.100s: %s\n", schema_text, err->message);
	assert_int_equal(status, WRIT_OK);
	status = w_schema_check(
	    schema, yyjson_doc_get_root(value_doc), &is_valid, NULL, err);
	w_schema_free(schema);
	yyjson_doc_free(schema_doc);
	yyjson_doc_free(value_doc);
	if (status == WRIT_OK)
		return is_valid;
	assert_int_equal(status, WRIT_E_INVALID);
	return -1;
}

static void
schemas_may_refer_to_themselves_further_down(void **state)
{
	static const char *const tree =
	    "{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#\"}},"
	    "\"additionalProperties\":false}";
	writ_error err = {0};

	(void)state;
	assert_int_equal(judge(tree, "{\"next\":{\"next\":{}}}", &err), 1);
	assert_int_equal(
	    judge(tree, "{\"next\":{\"next\":{\"x\":1}}}", &err), 0);
	assert_int_equal(
	    judge("{\"items\":{\"$ref\":\"#\"}}", "[[[]]]", &err), 1);
}

static void
a_dynamic_circle_cannot_be_judged(void **state)
{
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    judge(
		"{\"$dynamicAnchor\":\"x\",\"$dynamicRef\":\"#x\"}", "1", &err),
	    -1);
	assert_string_equal(err.message,
	    "cannot be judged: it is nested too deep, or the schema leads back "
	    "to itself");
}

/* Each definition tries the next one twice: 2^40 ways. */
static void
alternatives_that_multiply_cannot_be_judged(void **state)
{
	struct w_buf buf;
	writ_error err = {0};

	(void)state;
	w_buf_init(&buf, 65536);
	w_buf_add_str(&buf, "{\"$ref\":\"#/$defs/0\",\"$defs\":{");
	for (int i = 0; i < 40; i++)
		w_buf_add_fmt(&buf,
		    "\"%d\":{\"anyOf\":[{\"$ref\":\"#/$defs/%d\"},{\"$ref\":"
		    "\"#/$defs/%d\"}]},",
		    i, i + 1, i + 1);
	w_buf_add_str(&buf, "\"40\":{\"type\":\"string\"}}}");
	assert_int_equal(judge(buf.data, "1", &err), -1);
	assert_string_equal(err.message,
	    "cannot be judged: the schema has too many ways to try");
	assert_int_equal(judge(buf.data, "\"s\"", &err), 1);
	w_buf_done(&buf);
}

/* Each match stays within its own bounds, all of them together do not. */
static void
slow_patterns_have_a_bound_together(void **state)
{
	static const char schema[] =
	    "{\"items\":{\"not\":{\"pattern\":\"^(a|aa)+$\"}}}";
	static const char text[] = "\"aaaaaaaaaaaaaaaaaaa!\"";
	struct w_buf buf;
	writ_error err = {0};

	(void)state;
	w_buf_init(&buf, 65536);
	w_buf_add_fmt(&buf, "[%s,%s", text, text);
	for (int i = 0; i < 1000; i++)
		w_buf_add_fmt(&buf, ",%s", text);
	w_buf_add_char(&buf, ']');
	assert_int_equal(judge(schema, buf.data, &err), -1);
	assert_non_null(strstr(err.message, "take too long together"));
	w_buf_done(&buf);
	assert_int_equal(judge(schema, "[\"aaaaaaaaaaaaaaaaaaa!\"]", &err), 1);
}

static void
values_nested_without_end_cannot_be_judged(void **state)
{
	struct w_buf buf;
	writ_error err = {0};

	(void)state;
	w_buf_init(&buf, 65536);
	for (int i = 0; i < 3000; i++)
		w_buf_add_char(&buf, '[');
	for (int i = 0; i < 3000; i++)
		w_buf_add_char(&buf, ']');
	assert_int_equal(
	    judge("{\"items\":{\"$ref\":\"#\"}}", buf.data, &err), -1);
	assert_non_null(strstr(err.message, "/0/0..."));
	assert_non_null(strstr(err.message, "cannot be judged: it is nested"));
	assert_int_equal(judge("{\"type\":\"array\"}", buf.data, &err), 1);
	assert_int_equal(judge("{\"const\":[[]]}", buf.data, &err), 0);

	/* Two of these, to be compared all the way. */
	struct w_buf both;
	w_buf_init(&both, 65536);
	w_buf_add_fmt(&both, "[%s,%s]", buf.data, buf.data);
	assert_int_equal(judge("{\"uniqueItems\":true}", both.data, &err), -1);
	w_buf_done(&both);
	w_buf_done(&buf);
}

static void
schemas_nested_without_end_are_refused(void **state)
{
	struct w_buf buf;
	struct w_schema *schema = NULL;
	writ_error err = {0};

	(void)state;
	w_buf_init(&buf, 65536);
	for (int i = 0; i < 300; i++)
		w_buf_add_str(&buf, "{\"not\":");
	w_buf_add_str(&buf, "{}");
	for (int i = 0; i < 300; i++)
		w_buf_add_char(&buf, '}');
	yyjson_doc *doc = read_doc(buf.data);
	assert_int_equal(w_schema_compile(yyjson_doc_get_root(doc), NULL,
			     &schema, NULL, &err),
	    WRIT_E_INVALID);
	assert_non_null(
	    strstr(err.message, ": nested more than 256 levels deep"));
	yyjson_doc_free(doc);
	w_buf_done(&buf);
}

static void
a_long_list_of_different_items_is_quickly_judged(void **state)
{
	struct w_buf buf;
	writ_error err = {0};

	(void)state;
	w_buf_init(&buf, (size_t)8 << 20);
	for (int i = 0; i < 100000; i++)
		w_buf_add_fmt(&buf, "%c{\"id\":%d}", i == 0 ? '[' : ',', i);
	size_t end = buf.len;
	w_buf_add_char(&buf, ']');
	assert_int_equal(judge("{\"uniqueItems\":true}", buf.data, &err), 1);
	buf.len = end;
	w_buf_add_str(&buf, ",{\"id\":77777.0}]");
	assert_int_equal(judge("{\"uniqueItems\":true}", buf.data, &err), 0);
	w_buf_done(&buf);
}

static void
more_than_sixty_four_keys_may_be_required(void **state)
{
	struct w_buf schema;
	struct w_buf value;
	writ_error err = {0};

	(void)state;
	w_buf_init(&schema, 65536);
	w_buf_init(&value, 65536);
	for (int i = 0; i < 400; i++) {
		w_buf_add_fmt(&schema, "%s\"key%d\"",
		    i == 0 ? "{\"required\":[" : ",", i);
		w_buf_add_fmt(
		    &value, "%s\"key%d\":%d", i == 0 ? "{" : ",", i, i);
	}
	w_buf_add_str(&schema, "],\"additionalProperties\":{\"minimum\":0}}");
	size_t end = value.len;
	w_buf_add_char(&value, '}');
	assert_int_equal(judge(schema.data, value.data, &err), 1);
	value.len = end - strlen(",\"key399\":399");
	w_buf_add_char(&value, '}');
	assert_int_equal(judge(schema.data, value.data, &err), 0);
	w_buf_done(&schema);
	w_buf_done(&value);
}

/* A reference to the schema of schemas needs no document. */
static void
the_standards_own_schemas_are_built_in(void **state)
{
	static const char *const uris[] = {
	    "https://json-schema.org/draft/2020-12/schema",
	    "http://json-schema.org/draft-07/schema#",
	    "https://json-schema.org/draft/2020-12/meta/validation",
	};
	char schema[200];
	writ_error err = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(uris) / sizeof(uris[0]); i++) {
		(void)snprintf(
		    schema, sizeof(schema), "{\"$ref\":\"%s\"}", uris[i]);
		assert_int_equal(judge(schema, "{\"minLength\":1}", &err), 1);
		assert_int_equal(judge(schema, "{\"minLength\":-1}", &err), 0);
	}
}

static void
documents_that_are_given_can_be_referred_to(void **state)
{
	yyjson_doc *other = read_doc(
	    "{\"$defs\":{\"a\":{\"type\":\"string\",\"minimum\":[]}}}");
	yyjson_doc *doc = read_doc("{\"$ref\":\"http://x/y.json#/$defs/a\"}");
	const struct w_schema_document documents[] = {
	    {"http://x/y.json", yyjson_doc_get_root(other)}};
	const struct w_schema_options options = {
	    .documents = documents, .document_count = 1};
	struct w_schema *schema = NULL;
	yyjson_val *at = yyjson_doc_get_root(doc);
	writ_error err = {0};

	(void)state;
	assert_int_equal(w_schema_compile(yyjson_doc_get_root(doc), &options,
			     &schema, &at, &err),
	    WRIT_E_INVALID);
	assert_string_equal(err.message,
	    "http://x/y.json#/$defs/a/minimum: must be a number, got an "
	    "array");
	assert_null(at);
	yyjson_doc_free(doc);
	yyjson_doc_free(other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(mistakes_in_schemas_are_found_with_their_place),
	    cmocka_unit_test(patterns_that_are_none_are_shown),
	    cmocka_unit_test(references_that_lead_nowhere_are_refused),
	    cmocka_unit_test(circles_of_references_are_refused),
	    cmocka_unit_test(schemas_may_refer_to_themselves_further_down),
	    cmocka_unit_test(a_dynamic_circle_cannot_be_judged),
	    cmocka_unit_test(alternatives_that_multiply_cannot_be_judged),
	    cmocka_unit_test(slow_patterns_have_a_bound_together),
	    cmocka_unit_test(values_nested_without_end_cannot_be_judged),
	    cmocka_unit_test(schemas_nested_without_end_are_refused),
	    cmocka_unit_test(a_long_list_of_different_items_is_quickly_judged),
	    cmocka_unit_test(more_than_sixty_four_keys_may_be_required),
	    cmocka_unit_test(the_standards_own_schemas_are_built_in),
	    cmocka_unit_test(documents_that_are_given_can_be_referred_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
