/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/resolve/identity.h"

static void
need_root(void)
{
	if (geteuid() != 0) {
		(void)fprintf(stderr, "only root may take another identity\n");
		skip();
	}
}

static void
expect_error(const char *user, const char *group, const char *words)
{
	struct w_identity identity = {.uid = 4711};
	writ_error err = {0};

	assert_int_equal(
	    w_identity_find(user, group, &identity, &err), WRIT_E_INVALID);
	assert_int_equal(identity.uid, 4711);
	assert_string_equal(err.stage, "identity");
	assert_non_null(strstr(err.message, words));
}

static void
nobody_asked_for_is_whoever_runs_the_engine(void **state)
{
	struct w_identity identity;

	(void)state;
	assert_int_equal(w_identity_find(NULL, NULL, &identity, NULL), WRIT_OK);
	assert_false(identity.is_set);
	assert_int_equal(identity.uid, geteuid());
	assert_int_equal(identity.gid, getegid());
	assert_int_equal(identity.group_count, 0);
	w_identity_done(&identity);
}

static void
an_ordinary_user_cannot_become_another(void **state)
{
	(void)state;
	if (geteuid() == 0) {
		(void)fprintf(stderr, "root may\n");
		skip();
	}
	expect_error("root", NULL, "only root");
	expect_error(NULL, "0", "only root");
}

static void
a_user_brings_its_own_groups(void **state)
{
	struct w_identity by_name, by_number;

	(void)state;
	need_root();
	struct passwd *entry = getpwnam("nobody");
	assert_non_null(entry);
	char number[16];
	(void)snprintf(number, sizeof(number), "%u", entry->pw_uid);
	uid_t uid = entry->pw_uid;
	gid_t gid = entry->pw_gid;

	assert_int_equal(
	    w_identity_find("nobody", NULL, &by_name, NULL), WRIT_OK);
	assert_int_equal(
	    w_identity_find(number, NULL, &by_number, NULL), WRIT_OK);
	assert_true(by_name.is_set);
	assert_int_equal(by_name.uid, uid);
	assert_int_equal(by_name.gid, gid);
	assert_true(by_name.group_count >= 1);
	assert_int_equal(by_number.uid, uid);
	assert_int_equal(by_number.group_count, by_name.group_count);
	w_identity_done(&by_name);
	w_identity_done(&by_number);
}

static void
a_group_outweighs_that_of_the_user(void **state)
{
	struct w_identity identity;

	(void)state;
	need_root();
	assert_int_equal(
	    w_identity_find("nobody", "12", &identity, NULL), WRIT_OK);
	assert_int_equal(identity.gid, 12);
	w_identity_done(&identity);
}

static void
a_group_alone_keeps_the_user_and_drops_other_groups(void **state)
{
	struct w_identity identity;

	(void)state;
	need_root();
	assert_int_equal(
	    w_identity_find(NULL, "root", &identity, NULL), WRIT_OK);
	assert_true(identity.is_set);
	assert_int_equal(identity.uid, 0);
	assert_int_equal(identity.gid, 0);
	assert_int_equal(identity.group_count, 1);
	w_identity_done(&identity);
}

static void
a_number_without_an_entry_needs_a_group(void **state)
{
	struct w_identity identity;

	(void)state;
	need_root();
	expect_error("3999999", NULL, "its group must be given");
	assert_int_equal(
	    w_identity_find("3999999", "3999998", &identity, NULL), WRIT_OK);
	assert_int_equal(identity.uid, 3999999);
	assert_int_equal(identity.gid, 3999998);
	assert_int_equal(identity.group_count, 1);
	assert_int_equal(identity.groups[0], 3999998);
	w_identity_done(&identity);
}

static void
unknown_names_and_bad_numbers_are_refused(void **state)
{
	static const char *const bad[] = {"no-such-name", "", "-1", "+1", "1x",
	    "0x10", " 1", "4294967295", "4294967296", "99999999999999999999"};

	(void)state;
	need_root();
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		expect_error(bad[i], NULL, "no user");
		expect_error(NULL, bad[i], "no group");
		expect_error("nobody", bad[i], "no group");
	}
}

static void
an_account_has_name_home_and_shell(void **state)
{
	struct w_account account;

	(void)state;
	assert_int_equal(w_account_find(0, &account, NULL), WRIT_OK);
	assert_string_equal(account.name, "root");
	assert_non_null(account.home);
	assert_non_null(account.shell);
	w_account_done(&account);
	assert_null(account.name);
}

static void
an_unknown_account_is_empty_not_an_error(void **state)
{
	struct w_account account;

	(void)state;
	assert_int_equal(w_account_find(3999999, &account, NULL), WRIT_OK);
	assert_null(account.name);
	assert_null(account.home);
	assert_null(account.shell);
	w_account_done(&account);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nobody_asked_for_is_whoever_runs_the_engine),
	    cmocka_unit_test(an_ordinary_user_cannot_become_another),
	    cmocka_unit_test(a_user_brings_its_own_groups),
	    cmocka_unit_test(a_group_outweighs_that_of_the_user),
	    cmocka_unit_test(
		a_group_alone_keeps_the_user_and_drops_other_groups),
	    cmocka_unit_test(a_number_without_an_entry_needs_a_group),
	    cmocka_unit_test(unknown_names_and_bad_numbers_are_refused),
	    cmocka_unit_test(an_account_has_name_home_and_shell),
	    cmocka_unit_test(an_unknown_account_is_empty_not_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
