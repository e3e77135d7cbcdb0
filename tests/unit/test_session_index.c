/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <string.h>

#include "eventful.h"

static struct w_manifest_session *session;

static int
set_up(void **state)
{
	(void)state;
	return w_manifest_session_new_in_memory(&session, NULL);
}

static int
tear_down(void **state)
{
	(void)state;
	w_manifest_session_free(session);
	return 0;
}

/* Adds an event with these flags, by letter: changed, failed, skipped,
 * refreshed, unmet, interrupted. */
static void
add(size_t index, const char *name, const char *alias, const char *letters)
{
	static const char *const unmet[] = {"exec#none", NULL};
	writ_event event = an_event(index, name);

	event.alias = alias;
	event.changed = strchr(letters, 'c') != NULL;
	event.failed = strchr(letters, 'f') != NULL;
	event.skipped = strchr(letters, 's') != NULL;
	event.refreshed = strchr(letters, 'r') != NULL;
	event.unmet = strchr(letters, 'u') != NULL ? unmet : NULL;
	event.interrupted = strchr(letters, 'i') != NULL;
	add_event(session, &event);
}

static struct w_last_event
past_of(const char *name)
{
	struct w_last_event past = {0};

	assert_true(w_manifest_session_last(session, "exec", name, &past));
	return past;
}

static void
the_last_event_in_the_order_of_writing_counts(void **state)
{
	char later[W_EVENT_ID_LEN + 1];
	writ_event event = an_event(0, "x");

	(void)state;
	/* The first one has the id that sorts later. */
	writ_event second = an_event(1, "x");
	(void)strcpy(later, second.id);
	(void)strcpy(second.id, event.id);
	(void)strcpy(event.id, later);
	event.changed = true;
	add_event(session, &event);
	assert_true(past_of("x").changed);
	add_event(session, &second);
	assert_false(past_of("x").changed);
}

static void
a_name_and_an_alias_lead_to_the_same(void **state)
{
	(void)state;
	add(0, "a", "short", "c");
	add(1, "b", "", "fu");
	assert_true(past_of("short").changed);
	assert_true(past_of("b").failed);
	assert_true(past_of("b").has_unmet);
	/* An alias that is another's name: the last one wins. */
	add(2, "short", NULL, "s");
	assert_true(past_of("short").skipped);
	assert_false(past_of("short").changed);
	assert_true(past_of("a").changed);
}

static void
each_event_is_in_one_class(void **state)
{
	writ_apply_summary summary;

	(void)state;
	begin_session(session, "m.yaml");
	add(0, "a", NULL, "cfsr");
	add(1, "b", NULL, "csr");
	add(2, "c", NULL, "cr");
	add(3, "d", NULL, "c");
	add(4, "e", NULL, "");
	add(5, "e", "other", "su");
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.total, 6);
	assert_int_equal(summary.unique, 5);
	assert_int_equal(summary.failed, 1);
	assert_int_equal(summary.skipped, 2);
	assert_int_equal(summary.changed, 2);
	assert_int_equal(summary.stable, 1);
	assert_int_equal(summary.refreshed, 3);
	assert_int_equal(summary.unmet, 1);
	assert_int_equal(summary.errors, 1);
	assert_int_equal(summary.checked, 0);
}

static void
health_checks_are_counted_by_their_status(void **state)
{
	static const writ_health_check health[] = {
	    {"a", WRIT_HEALTH_OK, 1, ""},
	    {"b", WRIT_HEALTH_CRITICAL, 1, ""},
	    {"c", WRIT_HEALTH_CRITICAL, 1, ""},
	};
	writ_event event = an_event(0, "x");
	writ_apply_summary summary;

	(void)state;
	event.health = health;
	event.health_count = 3;
	add_event(session, &event);
	event.health_count = 1;
	add_event(session, &event);
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.checked, 2);
	assert_int_equal(summary.health[WRIT_HEALTH_OK], 2);
	assert_int_equal(summary.health[WRIT_HEALTH_CRITICAL], 2);
	assert_int_equal(summary.health[WRIT_HEALTH_WARNING], 0);
}

static void
the_duration_reaches_to_the_end_of_the_last_resource(void **state)
{
	writ_event event = an_event(0, "slow");
	writ_apply_summary summary;

	(void)state;
	begin_session(session, "m.yaml");
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.duration_ns, 0);
	event.time_us = summary.start_us + 3000000;
	event.duration_ns = UINT64_C(3000000000);
	add_event(session, &event);
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.duration_ns, UINT64_C(3000000000));
	assert_int_equal(summary.end_us - summary.start_us, 3000000);
}

static void
the_time_between_two_parts_is_not_counted(void **state)
{
	writ_event event = an_event(0, "a");
	writ_apply_summary summary;

	(void)state;
	begin_session(session, "m.yaml");
	w_manifest_session_summary(session, &summary);
	const uint64_t start = summary.start_us;
	event.time_us = start + 500;
	add_event(session, &event);
	assert_int_equal(
	    w_manifest_session_finish(session, true, NULL), WRIT_OK);
	begin_session(session, "m.yaml");
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.start_us, start);
	assert_int_equal(summary.duration_ns, 500000);
}

static void
a_script_takes_as_long_as_its_commands(void **state)
{
	writ_apply_summary summary;

	(void)state;
	begin_session(session, NULL);
	add_events(session, 0, 3);
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.duration_ns, 1500000);
}

static void
an_interrupted_resource_is_applied_again(void **state)
{
	writ_apply_summary summary;

	(void)state;
	begin_session(session, "m.yaml");
	add(0, "a", NULL, "c");
	add(1, "b", NULL, "cfi");
	assert_true(w_manifest_session_has(session, 0));
	assert_false(w_manifest_session_has(session, 1));
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.failed, 1);
	add(1, "b", NULL, "c");
	assert_true(w_manifest_session_has(session, 1));
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.total, 2);
	assert_int_equal(summary.failed, 0);
	assert_int_equal(summary.errors, 0);
	assert_int_equal(summary.changed, 2);
	assert_int_equal(summary.unique, 2);
}

static void
the_commands_of_a_script_replace_nothing(void **state)
{
	writ_apply_summary summary;

	(void)state;
	add(0, "a", NULL, "cfi");
	add(0, "b", NULL, "c");
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.total, 2);
	assert_int_equal(summary.failed, 1);
}

static void
many_events_are_found(void **state)
{
	writ_apply_summary summary;
	struct w_last_event past;

	(void)state;
	add_events(session, 0, 20000);
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.total, 20000);
	assert_int_equal(summary.unique, 20000);
	assert_true(
	    w_manifest_session_last(session, "exec", "step 19999", &past));
	assert_false(
	    w_manifest_session_last(session, "exec", "step 20000", &past));
	assert_true(w_manifest_session_has(session, 19999));
	assert_false(w_manifest_session_has(session, 20000));
	assert_false(w_manifest_session_has(session, SIZE_MAX));
}

static void
types_are_apart_and_at_most_so_many(void **state)
{
	writ_event event = an_event(0, "x");
	struct w_last_event past;
	char type[16];
	writ_error err = {0};

	(void)state;
	for (int i = 0; i < 32; i++) {
		(void)snprintf(type, sizeof(type), "type%d", i);
		event.type = type;
		event.changed = i == 7;
		add_event(session, &event);
	}
	assert_true(w_manifest_session_last(session, "type7", "x", &past));
	assert_true(past.changed);
	assert_true(w_manifest_session_last(session, "type8", "x", &past));
	assert_false(past.changed);
	event.type = "one more";
	assert_int_equal(w_manifest_session_add(session, &event, false, &err),
	    WRIT_E_INVALID);
}

#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    FRESH(the_last_event_in_the_order_of_writing_counts),
	    FRESH(a_name_and_an_alias_lead_to_the_same),
	    FRESH(each_event_is_in_one_class),
	    FRESH(health_checks_are_counted_by_their_status),
	    FRESH(the_duration_reaches_to_the_end_of_the_last_resource),
	    FRESH(the_time_between_two_parts_is_not_counted),
	    FRESH(a_script_takes_as_long_as_its_commands),
	    FRESH(an_interrupted_resource_is_applied_again),
	    FRESH(the_commands_of_a_script_replace_nothing),
	    FRESH(many_events_are_found),
	    FRESH(types_are_apart_and_at_most_so_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
