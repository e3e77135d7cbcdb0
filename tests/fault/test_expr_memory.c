/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every allocation fails once while expressions are compiled and evaluated,
 * and templates read and filled in. What leaks is found by the address
 * sanitizer, in a build that has it.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/expressions.h"
#include "expr/template/template.h"
#include "surviving.h"

/* So large that it takes chunks of its own. */
#define LARGE                                                                 \
	"replace(replace('aaaaaaaaaaaaaaaaaaaa', 'a', 'bbbbbbbbbbbbbbbbbbbbb" \
	"bbbbb'), 'b', 'cccccccccccccccccc')"

static struct expressing scene;

static writ_status
evaluate(writ_error *err)
{
	static const char text[] =
	    "[join(sort(split(" LARGE ", 'cccccc')), ','), "
	    "unique(map(split(" LARGE ", 'cccc'), # + 'x')), "
	    "fromJSON(toJSON(filter([" LARGE ", {a: 1.5}], true))), "
	    "sensitive([" LARGE "]), string([" LARGE "]), "
	    "keys(fromJSON('{\"a\": 1}')), upper(" LARGE ")]";
	struct w_arena arena = {0};
	const struct w_expr *expr = NULL;
	struct w_value value = {.kind = W_VALUE_NULL};
	writ_status status =
	    w_expr_compile(&arena, text, sizeof(text) - 1, &expr, err);

	if (status == WRIT_OK)
		status = w_expr_eval(expr, &scene.scope, &arena, &value, err);
	assert_int_equal(
	    value.kind, status == WRIT_OK ? W_VALUE_LIST : W_VALUE_NULL);
	w_arena_done(&arena);
	return status;
}

static writ_status
fill_in(writ_error *err)
{
	static const char text[] =
	    "echo {{ " LARGE " }} \"${ " LARGE " }\" $${x} 'a'";
	struct w_arena arena = {0};
	struct w_template template = {.text = NULL};
	struct w_value value;
	const char *const *words = NULL;
	const char *shell = NULL;
	writ_status status =
	    w_template_parse(&arena, text, sizeof(text) - 1, &template, err);

	if (status == WRIT_OK)
		status = w_template_text(
		    &template, &scene.scope, &arena, &value, err);
	if (status == WRIT_OK)
		status = w_template_words(
		    &template, &scene.scope, &arena, &words, err);
	if (status == WRIT_OK)
		status = w_template_shell(
		    &template, &scene.scope, &arena, &shell, err);
	if (status != WRIT_OK)
		assert_null(shell);
	w_arena_done(&arena);
	return status;
}

static writ_status
fill_tree(writ_error *err)
{
	static const char text[] =
	    "{\"a\":[\"{{ " LARGE " }}\",1],\"b\":{\"c\":\"{{ 1 }}\"}}";
	static const struct w_json_limits limits = {1 << 16, 64};
	struct w_arena arena = {0};
	struct w_json *json = NULL;
	struct w_value value;
	writ_status status =
	    w_json_read(text, sizeof(text) - 1, &limits, &json, err);

	if (status == WRIT_OK)
		status = w_template_tree(
		    &arena, w_json_root(json), &scene.scope, &value, err);
	w_json_free(json);
	w_arena_done(&arena);
	return status;
}

static void
evaluating_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(evaluate, 20, 2000);
}

static void
filling_in_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(fill_in, 8, 500);
}

static void
filling_in_a_tree_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(fill_tree, 4, 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(evaluating_survives_each_failed_allocation),
	    cmocka_unit_test(filling_in_survives_each_failed_allocation),
	    cmocka_unit_test(filling_in_a_tree_survives_each_failed_allocation),
	};

	expressing_open(&scene);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	expressing_close(&scene);
	return failed;
}
