/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expressions.h"

static void
members_and_elements_are_found(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "Data.users[1].name", .json = "\"bob\""},
	    {.text = "Data['users'][0]['uid']", .json = "1000"},
	    {.text = "Data.hosts[-1]", .json = "\"www\""},
	    {.text = "Data.hosts[-3]", .json = "\"db1\""},
	    {.text = "Facts['a.b']", .json = "\"dotted\""},
	    {.text = "{a: [1, 2]}.a[1]", .json = "2"},
	    {.text = "[1, 2][0]", .json = "1"},
	};
	EXPRESSING_CHECK(cases);
}

static void
what_is_missing_is_told_with_what_was_meant(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {"Data.prot", NULL, "no member 'prot' in Data", 5,
		"did you mean 'port'?"},
	    {"Data.users[0].nme", NULL, "no member 'nme'", 14,
		"did you mean 'name'?"},
	    {"Facts.os.nam", NULL, "no member 'nam' in Facts.os", 9,
		"did you mean 'name'?"},
	    {"Data.zzzzzz", NULL, "no member 'zzzzzz' in Data", 5, ""},
	    {"Data.hosts[3]", NULL, "no element 3 in a list of 3", 11, NULL},
	    {"Data.hosts[-4]", NULL, "no element -4 in a list of 3", 11, NULL},
	    {"Data.hosts.name", NULL,
		"an element of a list is found by a whole number, not a string",
		11, "write [0], or go through them with map() or filter()"},
	    {"Data[1]", NULL,
		"a member of a map is found by a string, not a whole number", 5,
		NULL},
	    {"Data.port.x", NULL, "a whole number has no member 'x'", 10, NULL},
	    {"Facts.none.x", NULL, "null has no member 'x'", 11,
		"write '?.' where null is allowed"},
	    {"'abc'[0]", NULL, "a string has no elements", 6, NULL},
	};
	EXPRESSING_CHECK(cases);
}

static void
what_may_be_missing_is_null(void **state)
{
	(void)state;
	static const struct expressing_case cases[] = {
	    {.text = "Data?.x", .json = "null"},
	    {.text = "Data?.x.y.z", .json = "null"},
	    {"Data.x?.y", NULL, "no member 'x' in Data", 5, NULL},
	    {.text = "Facts.none?.x", .json = "null"},
	    {.text = "Data.hosts?.[7]", .json = "null"},
	    {.text = "Data.x ?? 'd'", .json = "\"d\""},
	    {.text = "Data.x.y.z ?? 'd'", .json = "\"d\""},
	    {.text = "Data.users[7].name ?? 'd'", .json = "\"d\""},
	    {.text = "Facts.none ?? 'd'", .json = "\"d\""},
	    {.text = "Data.empty ?? 'd'", .json = "\"\""},
	    {.text = "(Data.x) ?? 'd'", .json = "\"d\""},
	    {.text = "Data.x.y ?? Data.z ?? 1", .json = "1"},
	    {"Data.port.x ?? 1", NULL, "a whole number has no member 'x'", 10,
		NULL},
	    {.text = "Data?.users[0].name", .json = "\"ann\""},
	    {"Data?.users[7].name", NULL, "no element 7 in a list of 2", 12,
		NULL},
	};
	EXPRESSING_CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(members_and_elements_are_found),
	    cmocka_unit_test(what_is_missing_is_told_with_what_was_meant),
	    cmocka_unit_test(what_may_be_missing_is_null),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
