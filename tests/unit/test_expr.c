/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "expressions.h"

static void
expressions_are_what_they_say(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "1", .json = "1"},
	    {.text = " Data.port + 1 ", .json = "8081"},
	    {.text = "lookup('data.port', 1) + 1", .json = "8081"},
	    {.text = "Facts.os.name == 'debian'", .json = "true"},
	    {.text = "Data.users[0].name ?? 'nobody'", .json = "\"ann\""},
	    {.text = "Data.x?.name ?? 'nobody'", .json = "\"nobody\""},
	    {.text = "'a' in ['a', 'b'] ? 'yes' : 'no'", .json = "\"yes\""},
	    {.text = "any(Data.hosts, # startsWith 'db')", .json = "true"},
	    {.text = "Environ.HOME", .json = "\"/root\""},
	    {.text = "{a: 1, 'b c': [2, null]}",
		.json = "{\"a\":1,\"b c\":[2,null]}"},
	};
	EXPRESSING_CHECK(cases);
}

static void
what_is_no_expression_is_refused(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"", NULL, "an empty expression", 1, NULL},
	    {"  ", NULL, "an empty expression", 1, NULL},
	    {"1 2", NULL, "unexpected '2' where an operator should be", 3,
		NULL},
	    {"1 +", NULL, "the expression ends where a value should be", 4,
		NULL},
	    {"HOME", NULL, "unknown name 'HOME'", 1,
		"the names are Facts, Data and Environ; a text needs quotes"},
	    {"Dta.x", NULL, "unknown name 'Dta'", 1, "did you mean 'Data'?"},
	    {"loookup('x')", NULL, "unknown function 'loookup'", 1,
		"did you mean 'lookup'?"},
	    {"upper()", NULL, "upper() takes 1 argument, not 0", 1, NULL},
	    {"# == 1", NULL, "unexpected '#' where a value should be", 1,
		"'#' is the element in any(list, # == 1)"},
	};
	EXPRESSING_CHECK(cases);
}

static void
long_texts_and_nul_bytes_are_refused(void **state)
{
	(void)state;
	struct expressing scene;
	const struct w_expr *expr = NULL;
	writ_error err;
	size_t len = W_EXPR_TEXT_MAX + 1;
	char *text = malloc(len);

	expressing_open(&scene);
	assert_non_null(text);
	memset(text, ' ', len);
	text[0] = '1';
	assert_int_equal(w_expr_compile(&scene.arena, text, len, &expr, &err),
	    WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "an expression of more than 65536 bytes");
	assert_int_equal(
	    w_expr_compile(&scene.arena, text, len - 1, &expr, &err), WRIT_OK);
	text[3] = '\0';
	expr = NULL;
	assert_int_equal(w_expr_compile(&scene.arena, text, 10, &expr, &err),
	    WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "a NUL byte cannot be in an expression");
	assert_int_equal(err.column, 4);
	assert_null(expr);
	free(text);
	expressing_close(&scene);
}

static void
what_is_used_is_known_before(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned uses;
	} cases[] = {
	    {"1 + 2", 0},
	    {"Data.x", W_EXPR_USES_DATA},
	    {"Facts.x ?? Environ.y", W_EXPR_USES_FACTS | W_EXPR_USES_ENVIRON},
	    {"lookup('facts.x')", W_EXPR_USES_FACTS},
	    {"lookup('environ.x', Data.y)",
		W_EXPR_USES_ENVIRON | W_EXPR_USES_DATA},
	    {"lookup('data')", W_EXPR_USES_DATA},
	    {"lookup('dat')", 0},
	    {"lookup('dat' + 'a.x')", 7},
	    {"file('x')", W_EXPR_USES_FILE},
	    {"'Data'", 0},
	    {"any([1], Data.x == #)", W_EXPR_USES_DATA},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct w_arena arena = {0};
		const struct w_expr *expr;

		assert_int_equal(w_expr_compile(&arena, cases[i].text,
				     strlen(cases[i].text), &expr, NULL),
		    WRIT_OK);
		assert_int_equal(w_expr_uses(expr), cases[i].uses);
		w_arena_done(&arena);
	}
}

static void
only_what_is_needed_is_asked_for(void **state)
{
	(void)state;
	struct expressing scene;
	struct w_value value;

	expressing_open(&scene);
	assert_int_equal(
	    expressing_eval(&scene,
		"true || Facts.virtual ? Data.port : Environ.x", &value, NULL),
	    WRIT_OK);
	assert_int_equal(scene.asked, W_EXPR_USES_DATA);
	expressing_close(&scene);
}

static void
a_test_is_true_or_false(void **state)
{
	(void)state;
	struct expressing scene;
	const struct w_expr *expr;
	writ_error err;
	bool holds = false;

	expressing_open(&scene);
	assert_int_equal(
	    w_expr_compile(&scene.arena, "1 < 2", 5, &expr, &err), WRIT_OK);
	assert_int_equal(
	    w_expr_test(expr, &scene.scope, &scene.arena, &holds, &err),
	    WRIT_OK);
	assert_true(holds);
	assert_int_equal(
	    w_expr_compile(&scene.arena, "'yes'", 5, &expr, &err), WRIT_OK);
	assert_int_equal(
	    w_expr_test(expr, &scene.scope, &scene.arena, &holds, &err),
	    WRIT_E_INVALID);
	assert_string_equal(err.message,
	    "the expression must be true or false, and is a string");
	assert_true(holds);
	expressing_close(&scene);
}

static const struct w_value *
refuse_root(void *ctx, enum w_expr_root root, writ_error *err)
{
	(void)ctx;
	(void)root;
	(void)w_fail(err, WRIT_E_SYSTEM, "facts", 0, "no facts here");
	return NULL;
}

static void
a_scope_may_refuse(void **state)
{
	(void)state;
	struct expressing scene;
	struct w_value value;
	writ_error err = {0};

	expressing_open(&scene);
	scene.scope.root = refuse_root;
	assert_int_equal(expressing_eval(&scene, "1 + Facts.x", &value, &err),
	    WRIT_E_SYSTEM);
	assert_string_equal(err.message, "no facts here");
	assert_int_equal(err.column, 5);
	assert_int_equal(
	    expressing_eval(&scene, "lookup('facts.x', 1)", &value, &err),
	    WRIT_E_SYSTEM);
	scene.scope.read_file = NULL;
	assert_int_equal(
	    expressing_eval(&scene, "file('x')", &value, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, "files cannot be read at this place");
	expressing_close(&scene);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(expressions_are_what_they_say),
	    cmocka_unit_test(what_is_no_expression_is_refused),
	    cmocka_unit_test(long_texts_and_nul_bytes_are_refused),
	    cmocka_unit_test(what_is_used_is_known_before),
	    cmocka_unit_test(only_what_is_needed_is_asked_for),
	    cmocka_unit_test(a_test_is_true_or_false),
	    cmocka_unit_test(a_scope_may_refuse),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
