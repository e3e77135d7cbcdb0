/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/manifest/fault_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

static void
add(struct w_loaded_manifest *loaded, unsigned line, const char *message,
    const char *suggestion)
{
	writ_error err;

	(void)w_fail(&err, WRIT_E_INVALID, "manifest", 0, "%s", message);
	if (suggestion != NULL)
		w_suggest(&err, "%s", suggestion);
	if (line > 0)
		w_locate(&err, line, 3);
	w_faults_add(&loaded->faults, &err);
}

static void
expect(const struct w_loaded_manifest *loaded, const char *wanted)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 1 << 20);
	w_cli_faults_add(&buf, loaded, "ensure exec");
	assert_string_equal(buf.data, wanted);
}

static void
every_fault_has_its_line_and_place(void **state)
{
	struct w_loaded_manifest loaded = {.name = "site.yaml"};

	(void)state;
	add(&loaded, 3, "unknown key 'comand'", "did you mean 'command'?");
	add(&loaded, 9, "invalid duration 'x'", "30s");
	add(&loaded, 0, "no resources", NULL);
	expect(&loaded,
	    "writ: site.yaml:3:3: unknown key 'comand', did you mean "
	    "'command'?\n"
	    "writ: site.yaml:9:3: invalid duration 'x'\n"
	    "  try: 30s\n"
	    "writ: site.yaml: no resources\n");
	w_loaded_done(&loaded);
}

static void
a_document_that_nobody_wrote_has_no_places(void **state)
{
	struct w_loaded_manifest loaded = {.name = NULL};

	(void)state;
	add(&loaded, 1, "invalid duration 'x'", NULL);
	expect(&loaded, "writ: ensure exec: invalid duration 'x'\n");
	w_loaded_done(&loaded);
}

static void
faults_beyond_the_most_are_counted(void **state)
{
	struct w_loaded_manifest loaded = {.name = "m"};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 1 << 20);
	for (int i = 0; i < W_FAULTS_MAX + 5; i++)
		add(&loaded, 1, "x", NULL);
	w_cli_faults_add(&buf, &loaded, "");
	assert_non_null(strstr(buf.data, "writ: and 5 more\n"));
	w_loaded_done(&loaded);
}

static void
names_and_messages_are_harmless(void **state)
{
	struct w_loaded_manifest loaded = {.name = "a\033b"};

	(void)state;
	add(&loaded, 1, "bad '\033[2J'", NULL);
	expect(&loaded, "writ: a\\x1bb:1:3: bad '\\x1b[2J'\n");
	w_loaded_done(&loaded);
}

static void
the_list_is_json(void **state)
{
	struct w_loaded_manifest loaded = {.name = "m"};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	w_cli_faults_add_json(&buf, &loaded.faults);
	assert_string_equal(buf.data, "[]");
	buf.len = 0;
	add(&loaded, 3, "a \"b\"", "c");
	add(&loaded, 0, "d", NULL);
	w_cli_faults_add_json(&buf, &loaded.faults);
	assert_string_equal(buf.data,
	    "[{\"line\":3,\"column\":3,\"message\":\"a \\\"b\\\"\","
	    "\"suggestion\":\"c\",\"resource\":null},"
	    "{\"message\":\"d\",\"suggestion\":null,\"resource\":null}]");
	w_loaded_done(&loaded);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_fault_has_its_line_and_place),
	    cmocka_unit_test(a_document_that_nobody_wrote_has_no_places),
	    cmocka_unit_test(faults_beyond_the_most_are_counted),
	    cmocka_unit_test(names_and_messages_are_harmless),
	    cmocka_unit_test(the_list_is_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
