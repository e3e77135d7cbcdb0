/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/utsname.h>

#include "factual.h"
#include "manifest/facts/facts.h"

static const struct w_value *
find(const struct w_value *facts, const char *first, const char *second)
{
	const struct w_value *map = w_value_member(facts, first, strlen(first));

	assert_non_null(map);
	return w_value_member(map, second, strlen(second));
}

static void
every_kind_of_fact_is_there(void **state)
{
	static const char *const names[] = {
	    "host", "os", "kernel", "cpu", "memory", "network"};
	struct w_arena arena = {.chunks = NULL};
	struct w_value facts;
	struct utsname names_of_it;

	(void)state;
	assert_int_equal(w_facts_gather(&arena, &facts, NULL), WRIT_OK);
	assert_int_equal(facts.as.map.count, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(facts.as.map.members[i].name, names[i]);
	assert_int_equal(uname(&names_of_it), 0);
	assert_string_equal(
	    find(&facts, "host", "name")->as.string.text, names_of_it.nodename);
	assert_string_equal(find(&facts, "kernel", "machine")->as.string.text,
	    names_of_it.machine);
	assert_true(find(&facts, "cpu", "count")->as.integer > 0);
	assert_non_null(find(&facts, "memory", "virtual"));
	w_arena_done(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_kind_of_fact_is_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
