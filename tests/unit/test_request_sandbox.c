/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "run/resolve/request_check.h"

static const char *const true_argv[] = {"true", NULL};
static const char *const here[] = {".", NULL};

static writ_request
plain(const char *profile)
{
	writ_request request = WRIT_REQUEST_INIT;

	request.argv = true_argv;
	request.sandbox = profile;
	return request;
}

static void
expect_ok(const writ_request *request)
{
	writ_request checked;

	assert_int_equal(w_run_check_request(request, &checked, NULL), WRIT_OK);
}

static writ_error
expect_invalid(const writ_request *request, const char *message)
{
	writ_request checked;
	writ_error err = {0};

	assert_int_equal(
	    w_run_check_request(request, &checked, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, message);
	return err;
}

static void
a_request_for_each_profile_is_sound(void **state)
{
	static const char *const profiles[] = {NULL, "none", "env", "readonly",
	    "workspace", "strict", "mine", "./mine.yaml"};

	(void)state;
	for (size_t i = 0; i < sizeof(profiles) / sizeof(*profiles); i++) {
		writ_request request = plain(profiles[i]);

		expect_ok(&request);
		request.best_effort = true;
		request.network = WRIT_NETWORK_HOST;
		expect_ok(&request);
	}
}

static void
paths_of_every_list_are_checked(void **state)
{
	static const size_t offsets[] = {offsetof(writ_request, read),
	    offsetof(writ_request, write), offsetof(writ_request, hide)};
	static const char *const names[] = {"read", "write", "hide"};
	static const char *const empty[] = {"/tmp", "", NULL};
	static const char *const broken[] = {"/tmp", "a\nb", NULL};
	char text[80];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		writ_request request = plain("strict");
		char *const member = (char *)&request + offsets[i];
		const char *const *list = empty;

		memcpy(member, &list, sizeof(list));
		(void)snprintf(
		    text, sizeof(text), "%s: a path is empty", names[i]);
		(void)expect_invalid(&request, text);
		list = broken;
		memcpy(member, &list, sizeof(list));
		(void)snprintf(text, sizeof(text),
		    "%s: a path has a newline in it", names[i]);
		(void)expect_invalid(&request, text);
		list = here;
		memcpy(member, &list, sizeof(list));
		expect_ok(&request);
	}
}

static void
paths_have_a_length_and_lists_an_end(void **state)
{
	static char longest[PATH_MAX + 1];
	const char *list[W_REQUEST_PATHS_MAX + 2] = {longest};
	writ_request request = plain("strict");

	(void)state;
	memset(longest, 'x', PATH_MAX);
	request.read = list;
	(void)expect_invalid(&request,
	    "read: a path is longer than the 4095 bytes that a path can have");
	longest[PATH_MAX - 1] = '\0';
	expect_ok(&request);
	for (size_t i = 0; i < W_REQUEST_PATHS_MAX; i++)
		list[i] = "x";
	expect_ok(&request);
	list[W_REQUEST_PATHS_MAX] = "x";
	(void)expect_invalid(&request, "read: there are more than 256 paths");
}

static void
the_name_of_a_profile_is_checked_like_a_path(void **state)
{
	writ_request request = plain("");

	(void)state;
	(void)expect_invalid(&request, "sandbox: a path is empty");
	request.sandbox = "strict\n";
	(void)expect_invalid(&request, "sandbox: a path has a newline in it");
}

static void
what_only_walls_can_keep_is_refused_without_them(void **state)
{
	static const char *const profiles[] = {"none", "env"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const char *name = profiles[i];
		writ_request requests[6];
		static const char *const keys[] = {"read", "write", "hide",
		    "network", "network", "explain_denials"};

		for (size_t j = 0; j < 6; j++)
			requests[j] = plain(profiles[i]);
		requests[0].read = here;
		requests[1].write = here;
		requests[2].hide = here;
		requests[3].network = WRIT_NETWORK_OFF;
		requests[4].network = WRIT_NETWORK_LOOPBACK;
		requests[5].explain_denials = true;
		for (size_t j = 0; j < 6; j++) {
			char text[120];

			(void)snprintf(text, sizeof(text),
			    "%s: the profile '%s' has no sandbox that could "
			    "enforce this",
			    keys[j], name);
			writ_error err = expect_invalid(&requests[j], text);
			assert_string_equal(err.suggestion,
			    "the profile readonly, workspace or strict");
		}
	}
}

static void
empty_lists_ask_for_nothing(void **state)
{
	static const char *const nothing[] = {NULL};
	writ_request request = plain("none");

	(void)state;
	request.read = nothing;
	request.write = nothing;
	request.hide = nothing;
	expect_ok(&request);
}

static void
who_names_no_profile_leaves_it_to_the_policy(void **state)
{
	writ_request request = plain(NULL);

	(void)state;
	request.write = here;
	request.network = WRIT_NETWORK_OFF;
	expect_ok(&request);
}

static void
a_private_tmpdir_comes_with_env(void **state)
{
	writ_request request = plain("none");

	(void)state;
	request.tmp_size = 1;
	(void)expect_invalid(&request,
	    "tmp_size: the profile 'none' has no sandbox that could "
	    "enforce this");
	request.sandbox = "env";
	expect_ok(&request);
	request.env_mode = WRIT_ENV_ISOLATED;
	expect_ok(&request);
	request.tmp_size = WRIT_ZERO;
	(void)expect_invalid(&request, "tmp_size is larger than 1 EiB");
}

static void
a_tmp_on_disk_needs_walls_and_an_end(void **state)
{
	writ_request request = plain("none");

	(void)state;
	request.tmp = WRIT_TMP_DISK;
	(void)expect_invalid(&request,
	    "tmp: the profile 'none' has no sandbox that could enforce this");
	request.sandbox = "strict";
	expect_ok(&request);
	request.background = WRIT_BACKGROUND_KEEP;
	(void)expect_invalid(&request,
	    "a /tmp on disk cannot be used with a background that keeps "
	    "running");
}

static void
undo_needs_walls_unless_it_is_automatic(void **state)
{
	writ_request request = plain("none");

	(void)state;
	request.undo = WRIT_UNDO_AUTO;
	expect_ok(&request);
	request.undo = WRIT_UNDO_TRIAL;
	(void)expect_invalid(&request,
	    "undo: the profile 'none' has no sandbox that could enforce this");
	request.sandbox = "workspace";
	expect_ok(&request);
}

static void
the_walls_of_a_profile_of_ones_own_count(void **state)
{
	writ_request request = plain("mine");
	writ_error err = {0};

	(void)state;
	request.write = here;
	expect_ok(&request);
	assert_int_equal(
	    w_run_check_walls(&request, W_WALLS_STRICT, &err), WRIT_OK);
	assert_int_equal(
	    w_run_check_walls(&request, W_WALLS_ENV, &err), WRIT_E_INVALID);
	assert_string_equal(err.message,
	    "write: the profile 'mine' has no sandbox that could enforce "
	    "this");
}

static void
a_network_outside_its_list_is_refused(void **state)
{
	const int wrong[] = {-1, 99};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		writ_request request = plain("strict");

		memcpy(&request.network, &wrong[i], sizeof(int));
		(void)expect_invalid(&request,
		    "a value of the request is outside its enumeration");
	}
}

static void
a_background_that_lives_on_is_not_explained(void **state)
{
	writ_request request = plain("workspace");

	(void)state;
	request.explain_denials = true;
	expect_ok(&request);
	request.background = WRIT_BACKGROUND_KEEP;
	(void)expect_invalid(&request,
	    "explain_denials cannot be used with a background that keeps "
	    "running");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_request_for_each_profile_is_sound),
	    cmocka_unit_test(paths_of_every_list_are_checked),
	    cmocka_unit_test(paths_have_a_length_and_lists_an_end),
	    cmocka_unit_test(the_name_of_a_profile_is_checked_like_a_path),
	    cmocka_unit_test(what_only_walls_can_keep_is_refused_without_them),
	    cmocka_unit_test(empty_lists_ask_for_nothing),
	    cmocka_unit_test(who_names_no_profile_leaves_it_to_the_policy),
	    cmocka_unit_test(a_private_tmpdir_comes_with_env),
	    cmocka_unit_test(a_tmp_on_disk_needs_walls_and_an_end),
	    cmocka_unit_test(undo_needs_walls_unless_it_is_automatic),
	    cmocka_unit_test(the_walls_of_a_profile_of_ones_own_count),
	    cmocka_unit_test(a_network_outside_its_list_is_refused),
	    cmocka_unit_test(a_background_that_lives_on_is_not_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
