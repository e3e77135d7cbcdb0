/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "factual.h"
#include "manifest/facts/facts.h"

static void
the_environment_is_a_map(void **state)
{
	static char texts[][8] = {
	    "A=1", "B=x=y", "A=2", "EMPTY=", "none", "=x", "BYTE=\xff"};
	char *variables[] = {texts[0], texts[1], texts[2], texts[3], texts[4],
	    texts[5], texts[6], NULL};
	char **real = environ;
	struct w_arena arena = {.chunks = NULL};
	struct w_value value;

	(void)state;
	environ = variables;
	writ_status status = w_facts_environ(&arena, &value, NULL);
	environ = real;
	assert_int_equal(status, WRIT_OK);
	expect_json(&value, "{\"A\":\"1\",\"B\":\"x=y\",\"EMPTY\":\"\"}");
	w_arena_done(&arena);
}

static void
there_may_be_none(void **state)
{
	char **real = environ;
	struct w_arena arena = {.chunks = NULL};
	struct w_value value;

	(void)state;
	environ = NULL;
	writ_status status = w_facts_environ(&arena, &value, NULL);
	environ = real;
	assert_int_equal(status, WRIT_OK);
	expect_json(&value, "{}");
	w_arena_done(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_environment_is_a_map),
	    cmocka_unit_test(there_may_be_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
