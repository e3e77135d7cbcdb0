/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "../unit/leftovers.h"
#include "inject.h"
#include "manifest/facts/facts.h"

static const char *const files[] = {
    "{\"a\": {\"b\": 1}}", "a: {c: 2}\nd: [1, 2]\n", NULL};
static const char *const assignments[] = {"a.b=12", "x.y.z=text", NULL};

/* Everything that a scope can be asked for. */
static writ_status
use_scope(writ_error *err)
{
	const struct w_facts_options options = {
	    .files = files, .assignments = assignments};
	struct w_facts_scope *facts = NULL;
	writ_status status = w_facts_scope_new(&options, &facts, err);

	if (status != WRIT_OK)
		return status;
	const struct w_expr_scope *scope = w_facts_scope_get(facts);
	const struct w_value *root = scope->root(scope->ctx, W_ROOT_FACTS, err);
	if (root != NULL) {
		assert_non_null(w_value_member(root, "x", 1));
		assert_non_null(w_value_member(root, "host", 4));
	}
	if (root != NULL)
		root = scope->root(scope->ctx, W_ROOT_ENVIRON, err);
	w_facts_scope_free(facts);
	return root != NULL ? WRIT_OK : err->status;
}

static void
without_memory_there_are_no_facts_or_fewer(void **state)
{
	unsigned at = 1;
	int fds = count_fds();

	(void)state;
	for (;; at++) {
		writ_error err = {.status = WRIT_OK};

		inject_arm("allocation", at, 1, ENOMEM);
		writ_status status = use_scope(&err);
		if (!inject_disarm())
			break;
		if (status != WRIT_OK)
			assert_int_equal(status, WRIT_E_NOMEM);
		assert_int_equal(count_fds(), fds);
	}
	assert_true(at > 10);
}

static void
what_cannot_be_read_is_left_out(void **state)
{
	static const char *const functions[] = {"open", "read"};
	int fds = count_fds();

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		bool is_refused = true;
		unsigned at = 1;

		for (; is_refused; at++) {
			writ_error err = {.status = WRIT_OK};

			inject_arm(functions[i], at, 1, EIO);
			assert_int_equal(use_scope(&err), WRIT_OK);
			is_refused = inject_disarm();
			assert_int_equal(count_fds(), fds);
		}
		assert_true(at > 3);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_memory_there_are_no_facts_or_fewer),
	    cmocka_unit_test(what_cannot_be_read_is_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
