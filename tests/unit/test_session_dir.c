/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "manifest/session/manifest_session.h"
#include "temp.h"

static void
a_session_is_made_with_all_that_leads_to_it(void **state)
{
	const struct temp *temp = *state;
	const char *parent = temp_path(temp, "state/sessions");
	char *first = NULL, *second = NULL;
	struct stat st;

	assert_int_equal(
	    w_manifest_session_make(parent, &first, NULL), WRIT_OK);
	assert_int_equal(
	    w_manifest_session_make(parent, &second, NULL), WRIT_OK);
	assert_string_not_equal(first, second);
	assert_memory_equal(first, parent, strlen(parent));
	assert_int_equal(strlen(first), strlen(parent) + 1 + 26);
	assert_int_equal(stat(first, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(fstatat(temp->fd, "state", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	free(first);
	free(second);
}

static void
where_none_can_be_made_it_is_said(void **state)
{
	const struct temp *temp = *state;
	char *dir = NULL;
	writ_error err = {0};

	temp_file(temp, "file", 0600, "");
	assert_int_equal(
	    w_manifest_session_make(temp_path(temp, "file"), &dir, &err),
	    WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ENOTDIR);
	assert_int_equal(
	    w_manifest_session_make(temp_path(temp, "file/x"), &dir, &err),
	    WRIT_E_SYSTEM);
	assert_int_equal(
	    w_manifest_session_make("", &dir, &err), WRIT_E_SYSTEM);
	assert_null(dir);
}

static void
expect_found(const char *given, const char *expected)
{
	char *dir = NULL;

	assert_int_equal(
	    w_manifest_session_find("/state/sessions", given, &dir, NULL),
	    WRIT_OK);
	assert_string_equal(dir, expected);
	free(dir);
}

static void
a_path_is_a_path_and_a_name_an_id(void **state)
{
	(void)state;
	expect_found("/tmp/x", "/tmp/x");
	expect_found("./x", "./x");
	expect_found("01ABC", "/state/sessions/01ABC");
	expect_found("a-b_c.d", "/state/sessions/a-b_c.d");
}

static void
an_id_leads_nowhere_else(void **state)
{
	static const char *const given[] = {
	    "", ".", "..", "-x", ".hidden", "a b", "a\nb", "a\\b", "\xff", "~"};

	(void)state;
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
		char *dir = NULL;
		writ_error err = {0};

		assert_int_equal(
		    w_manifest_session_find("/state", given[i], &dir, &err),
		    WRIT_E_INVALID);
		assert_null(dir);
	}
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(a_session_is_made_with_all_that_leads_to_it),
	    IN_TEMP(where_none_can_be_made_it_is_said),
	    cmocka_unit_test(a_path_is_a_path_and_a_name_an_id),
	    cmocka_unit_test(an_id_leads_nowhere_else),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
