/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "eventful.h"
#include "leftovers.h"
#include "temp.h"

static void
a_session_is_found_again_as_it_was(void **state)
{
	const struct temp *temp = *state;
	const char *dir = temp_path(temp, "s");
	struct w_manifest_session_start start = {0};
	struct w_last_event past = {0};
	int fds = count_fds();

	struct w_manifest_session *session = open_session(dir);
	assert_false(w_manifest_session_started(session, &start));
	begin_session(session, "site.yaml");
	writ_event event = an_event(0, "one");
	event.alias = "first";
	event.changed = true;
	add_event(session, &event);
	w_manifest_session_free(session);

	session = open_session(dir);
	assert_true(w_manifest_session_started(session, &start));
	assert_string_equal(start.manifest, "site.yaml");
	assert_string_equal(start.sha256, "ab12");
	assert_int_equal(start.resources, 3);
	assert_null(start.only);
	assert_false(start.noop);
	assert_false(w_manifest_session_is_finished(session));
	assert_true(w_manifest_session_has(session, 0));
	assert_false(w_manifest_session_has(session, 1));
	assert_true(w_manifest_session_last(session, "exec", "one", &past));
	assert_true(past.changed);
	assert_false(past.failed);
	assert_true(w_manifest_session_last(session, "exec", "first", &past));
	assert_false(w_manifest_session_last(session, "file", "one", &past));
	assert_false(w_manifest_session_last(session, "exec", "two", &past));
	assert_string_equal(w_manifest_session_name(session), "s");
	assert_string_equal(w_manifest_session_dir(session), dir);
	assert_null(w_manifest_session_note(session));
	w_manifest_session_free(session);
	assert_int_equal(count_fds(), fds);
}

static void
only_its_owner_can_read_it(void **state)
{
	const struct temp *temp = *state;
	struct w_manifest_session *session = open_session(temp_path(temp, "s"));
	struct stat st;

	begin_session(session, NULL);
	assert_int_equal(fstatat(temp->fd, "s", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(
	    fstatat(temp->fd, "s/session-000001.jsonl", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(fstatat(temp->fd, "s/head", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	w_manifest_session_free(session);
}

static void
expect_refused(const char *dir, bool is_readonly, writ_status expected)
{
	const struct w_manifest_session_options options = {
	    .dir = dir, .must_exist = true, .is_readonly = is_readonly};
	struct w_manifest_session *session = NULL;
	writ_error err = {0};
	int fds = count_fds();

	assert_int_equal(
	    w_manifest_session_open(&options, &session, &err), expected);
	assert_null(session);
	assert_non_null(strstr(err.message, dir));
	assert_int_equal(count_fds(), fds);
}

static void
a_directory_that_others_can_write_is_refused(void **state)
{
	const struct temp *temp = *state;

	temp_dir(temp, "s");
	temp_file(temp, "s/session-000001.jsonl", 0600, "");
	assert_int_equal(fchmodat(temp->fd, "s", 0770, 0), 0);
	expect_refused(temp_path(temp, "s"), false, WRIT_E_INVALID);
	expect_refused(temp_path(temp, "s"), true, WRIT_E_INVALID);
	assert_int_equal(fchmodat(temp->fd, "s", 0702, 0), 0);
	expect_refused(temp_path(temp, "s"), false, WRIT_E_INVALID);
	expect_refused(temp_path(temp, "s"), true, WRIT_E_INVALID);
}

static void
a_directory_of_another_user_is_refused(void **state)
{
	const struct temp *temp = *state;

	if (geteuid() != 0)
		skip();
	temp_dir(temp, "s");
	temp_file(temp, "s/session-000001.jsonl", 0600, "");
	assert_int_equal(fchownat(temp->fd, "s", 12345, 12345, 0), 0);
	expect_refused(temp_path(temp, "s"), false, WRIT_E_INVALID);
	expect_refused(temp_path(temp, "s"), true, WRIT_E_INVALID);
}

static void
a_link_to_a_session_is_not_followed(void **state)
{
	const struct temp *temp = *state;
	const struct w_manifest_session_options options = {
	    .dir = temp_path(temp, "link")};
	struct w_manifest_session *session = NULL;

	temp_dir(temp, "s");
	temp_link(temp, "s", "link");
	assert_int_not_equal(
	    w_manifest_session_open(&options, &session, NULL), WRIT_OK);
	assert_null(session);
}

static void
a_session_that_must_exist_is_not_made(void **state)
{
	const struct temp *temp = *state;

	expect_refused(temp_path(temp, "none"), false, WRIT_E_NOTFOUND);
	expect_refused(temp_path(temp, "none"), true, WRIT_E_NOTFOUND);
	assert_false(temp_has(temp, "none"));
	temp_dir(temp, "other");
	expect_refused(temp_path(temp, "other"), false, WRIT_E_NOTFOUND);
	expect_refused(temp_path(temp, "other"), true, WRIT_E_NOTFOUND);
	assert_false(temp_has(temp, "other/head"));
}

static void
reading_makes_no_file(void **state)
{
	const struct temp *temp = *state;
	const struct w_manifest_session_options options = {
	    .dir = temp_path(temp, "s"), .is_readonly = true};
	const writ_event event = an_event(0, "x");
	struct w_manifest_session *session = NULL;

	temp_dir(temp, "s");
	assert_int_equal(
	    w_manifest_session_open(&options, &session, NULL), WRIT_OK);
	assert_false(temp_has(temp, "s/head"));
	assert_int_equal(w_manifest_session_add(session, &event, false, NULL),
	    WRIT_E_INTERNAL);
	w_manifest_session_free(session);
}

static writ_status
open_alone(const char *dir, bool is_alone, writ_error *err)
{
	const struct w_manifest_session_options options = {
	    .dir = dir, .is_alone = is_alone};
	struct w_manifest_session *session = NULL;
	writ_status status = w_manifest_session_open(&options, &session, err);

	w_manifest_session_free(session);
	return status;
}

static void
one_who_is_alone_shares_with_nobody(void **state)
{
	const struct temp *temp = *state;
	const char *dir = temp_path(temp, "s");
	const struct w_manifest_session_options options = {
	    .dir = dir, .is_alone = true};
	struct w_manifest_session *session = open_session(dir);
	writ_error err = {0};

	assert_int_equal(open_alone(dir, false, NULL), WRIT_OK);
	assert_int_equal(open_alone(dir, true, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "is in use"));
	w_manifest_session_free(session);
	assert_int_equal(
	    w_manifest_session_open(&options, &session, NULL), WRIT_OK);
	assert_int_equal(open_alone(dir, false, NULL), WRIT_E_INVALID);
	w_manifest_session_free(session);
	assert_int_equal(open_alone(dir, true, NULL), WRIT_OK);
}

static void
a_session_in_memory_knows_its_events(void **state)
{
	struct w_manifest_session *session = NULL;
	writ_apply_summary summary;
	struct w_last_event past;

	(void)state;
	assert_int_equal(
	    w_manifest_session_new_in_memory(&session, NULL), WRIT_OK);
	begin_session(session, "x.yaml");
	add_events(session, 0, 3);
	assert_true(w_manifest_session_last(session, "exec", "step 2", &past));
	assert_true(w_manifest_session_has(session, 2));
	assert_int_equal(
	    w_manifest_session_finish(session, false, NULL), WRIT_OK);
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.total, 3);
	assert_null(w_manifest_session_dir(session));
	assert_int_equal(
	    strlen(w_manifest_session_name(session)), W_EVENT_ID_LEN);
	w_manifest_session_free(session);
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(a_session_is_found_again_as_it_was),
	    IN_TEMP(only_its_owner_can_read_it),
	    IN_TEMP(a_directory_that_others_can_write_is_refused),
	    IN_TEMP(a_directory_of_another_user_is_refused),
	    IN_TEMP(a_link_to_a_session_is_not_followed),
	    IN_TEMP(a_session_that_must_exist_is_not_made),
	    IN_TEMP(reading_makes_no_file),
	    IN_TEMP(one_who_is_alone_shares_with_nobody),
	    cmocka_unit_test(a_session_in_memory_knows_its_events),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
