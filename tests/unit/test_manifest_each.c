/* SPDX-License-Identifier: Apache-2.0 */

/* One resource for each element. */

#include "applying.h"

#include "manifesting.h"

static void
an_element_makes_a_resource(void **state)
{
	struct w_manifest *manifest = manifest_of(
	    "data: {sites: {a: {port: 80}, b: {port: 81}}}\n"
	    "ccm:\n"
	    "  resources:\n"
	    "    - file:\n"
	    "        - '/srv/{{ key }}': {each: '{{ Data.sites }}',\n"
	    "            content: '{{ item.port }}', tags: [web, 't{{ "
	    "item.port }}']}\n"
	    "    - exec:\n"
	    "        - 'run {{ item }}': {each: [x, 'y{{ 1 }}'],\n"
	    "            require: [\"file#/srv/{{ key == 0 ? 'a' : 'b' "
	    "}}\"]}\n"
	    "    - exec: {name: '{{ item }}', each: []}\n"
	    "    - exec: {name: last}\n");

	(void)state;
	assert_int_equal(manifest->count, 5);
	assert_string_equal(manifest->resources[0].id, "file#/srv/a");
	assert_string_equal(manifest->resources[1].id, "file#/srv/b");
	assert_string_equal(
	    manifest->resources[1].extras->tags.items[1].text, "t81");
	assert_string_equal(manifest->resources[3].id, "exec#run y1");
	assert_int_equal(manifest->resources[3].key->as.integer, 1);
	assert_int_equal(manifest->resources[3].require.items[0].target, 1);
	assert_string_equal(manifest->resources[4].id, "exec#last");
	assert_int_equal(manifest->resources[4].index, 4);
	assert_null(manifest->resources[4].item);
	w_manifest_free(manifest);
}

#define EACH(body) "ccm:\n  resources:\n    - exec: { " body " }\n"

static void
faults_are_told_once(void **state)
{
	static const struct {
		const char *text;
		const char *faults;
	} cases[] = {
	    {EACH("name: a, each: 1"),
		"3:30: each must be a list or a map, not a number\n"},
	    {EACH("name: a, each: '{{ 1 }}'"),
		"3:30: each must be a list or a map, and is a whole number\n"},
	    {EACH("name: a, each: '{{ Data.x }}'"),
		"3:38: each: no member 'x' in Data\n"},
	    {EACH("name: a, each: [1, 2], timeout: 5"),
		"3:47: timeout: invalid duration '5': a unit is missing (write "
		"'5s' if seconds are meant)\n"},
	    {EACH("name: '{{ item }}'"),
		"3:25: name: 'item' is there only in a resource with 'each'\n"},
	    {EACH("name: a, command: 'b {{ key }}'"),
		"3:39: command: 'key' is there only in a resource with "
		"'each'\n"},
	    {EACH("name: a, command: 'b {{ item.x }}', each: [{y: 1}]"),
		"3:43: command: no member 'x' in item\n"},
	    {"ccm: { resources: [exec: [{ defaults: { each: [1] } }, a: ]] "
	     "}\n",
		"1:47: defaults cannot have the key 'each'\n"},
	    {EACH("name: a, tags: ['']"), "3:31: tags cannot be empty\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(faults_of(cases[i].text), cases[i].faults);
}

static void
late_texts_see_their_element(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: 'n{{ key }}', each: [a, b, c], logoutput: "
	    "true, command: 'echo {{ item }} {{ Environ.NOPE ?? key }}', "
	    "control: {if: item != \"b\"}}\n"));
	assert_verdicts("changed", "skipped", "changed");
	assert_string_equal(applying.output[0].data, "a 0\nc 2\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_element_makes_a_resource),
	    cmocka_unit_test(faults_are_told_once),
	    cmocka_unit_test_setup_teardown(late_texts_see_their_element,
		applying_set_up, applying_tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
