/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "eventful.h"
#include "log/verify/log_verify.h"
#include "temp.h"

static void
count_kinds(
    void *ctx, const struct w_log_line *line, const struct w_log_place *place)
{
	char *kinds = ctx;

	(void)place;
	/* The first letter of each is enough. */
	kinds[strlen(kinds)] = line->kind[0];
}

/* The log verifies, and has lines of these kinds. */
static void
expect_log(const char *dir, const char *expected)
{
	char kinds[100] = "";
	const struct w_log_verify_options verify = {.dir = dir,
	    .name = "session",
	    .ctx = kinds,
	    .on_line = count_kinds};
	struct w_log_proof proof;

	assert_int_equal(w_log_verify_run(&verify, &proof, NULL), WRIT_OK);
	for (int i = 0; i < W_LOG_FAULT_COUNT; i++)
		assert_int_equal(proof.faults[i], 0);
	assert_string_equal(kinds, expected);
}

static void
the_lines_are_chained(void **state)
{
	const struct temp *temp = *state;
	const char *dir = temp_path(temp, "s");
	struct w_manifest_session *session = open_session(dir);

	begin_session(session, "m.yaml");
	add_events(session, 0, 2);
	assert_int_equal(
	    w_manifest_session_finish(session, true, NULL), WRIT_OK);
	w_manifest_session_free(session);
	session = open_session(dir);
	begin_session(session, "m.yaml");
	add_events(session, 2, 3);
	assert_int_equal(
	    w_manifest_session_finish(session, false, NULL), WRIT_OK);
	w_manifest_session_free(session);
	expect_log(dir, "sseefref");
}

static void
two_writers_add_to_one_script(void **state)
{
	const struct temp *temp = *state;
	const char *dir = temp_path(temp, "s");
	struct w_manifest_session *one = open_session(dir);
	struct w_manifest_session *two = open_session(dir);
	writ_apply_summary summary;

	begin_session(one, NULL);
	add_events(one, 0, 2);
	add_events(two, 2, 4);
	add_events(one, 4, 5);
	w_manifest_session_free(one);
	w_manifest_session_free(two);
	expect_log(dir, "sseeeee");
	one = open_session(dir);
	w_manifest_session_summary(one, &summary);
	assert_int_equal(summary.total, 5);
	w_manifest_session_free(one);
}

static void
an_event_that_is_too_long_is_kept_without_its_details(void **state)
{
	const struct temp *temp = *state;
	const char *dir = temp_path(temp, "s");
	struct w_manifest_session *session = open_session(dir);
	const size_t len = (size_t)16 << 20;
	char *diff = malloc(len + 1);
	struct w_last_event past;

	assert_non_null(diff);
	memset(diff, 'x', len);
	diff[len] = '\0';
	writ_event event = an_event(0, "large");
	event.diff = diff;
	event.failed = true;
	add_event(session, &event);
	const char *json = w_manifest_session_json(session, &(size_t){0});
	assert_true(strlen(json) < 1000);
	assert_non_null(strstr(json, "the event was too long"));
	/* The next one is not affected. */
	diff[1000000] = '\0';
	event.name = "next";
	add_event(session, &event);
	free(diff);
	w_manifest_session_free(session);
	session = open_session(dir);
	assert_true(w_manifest_session_last(session, "exec", "large", &past));
	assert_true(past.failed);
	assert_true(w_manifest_session_last(session, "exec", "next", &past));
	w_manifest_session_free(session);
}

static void
what_a_session_began_with_stays(void **state)
{
	struct w_manifest_session *session = NULL;
	struct w_manifest_session_start start;
	char name[] = "first.yaml";

	(void)state;
	assert_int_equal(
	    w_manifest_session_new_in_memory(&session, NULL), WRIT_OK);
	begin_session(session, name);
	name[0] = 'x';
	begin_session(session, "second.yaml");
	assert_true(w_manifest_session_started(session, &start));
	assert_string_equal(start.manifest, "first.yaml");
	w_manifest_session_free(session);
}

static void
strange_bytes_do_not_spoil_the_line(void **state)
{
	const struct temp *temp = *state;
	const char *dir = temp_path(temp, "s");
	struct w_manifest_session *session = open_session(dir);
	writ_event event = an_event(0, "a\xff\nb\x01");
	struct w_last_event past;

	event.diff = "\xc3\x28\r\n";
	add_event(session, &event);
	w_manifest_session_free(session);
	session = open_session(dir);
	assert_null(w_manifest_session_note(session));
	assert_true(w_manifest_session_last(
	    session, "exec", "a\xef\xbf\xbd\nb\x01", &past));
	w_manifest_session_free(session);
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(the_lines_are_chained),
	    IN_TEMP(two_writers_add_to_one_script),
	    IN_TEMP(an_event_that_is_too_long_is_kept_without_its_details),
	    cmocka_unit_test(what_a_session_began_with_stays),
	    IN_TEMP(strange_bytes_do_not_spoil_the_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
