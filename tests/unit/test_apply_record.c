/* SPDX-License-Identifier: Apache-2.0 */

/* The end of a step: recorded, then shown. */

#include "applying.h"

static struct w_last_event past;
static bool was_there;

/* An event that is shown is already in the session. */
static void
on_event(void *ctx, const writ_event *event)
{
	applying_on_event(ctx, event);
	was_there = w_manifest_session_has(applying.session, event->index) &&
		    w_manifest_session_last(
			applying.session, event->type, event->name, &past);
}

static void
an_event_is_recorded_before_it_is_shown(void **state)
{
	(void)state;
	applying.watch.on_event = on_event;
	apply(RESOURCES("  - exec: {name: /bin/false}\n"));
	assert_true(was_there);
	assert_true(past.failed);
}

static void
the_session_has_what_was_shown(void **state)
{
	writ_apply_summary summary;

	(void)state;
	apply(RESOURCES("  - exec: {name: /bin/false}\n"
			"  - exec: {name: /bin/true}\n"
			"  - exec: {name: a, command: /bin/true, refreshonly: "
			"true}\n"));
	w_manifest_session_summary(applying.session, &summary);
	assert_int_equal(summary.total, 3);
	assert_int_equal(summary.failed, 1);
	assert_int_equal(summary.changed, 1);
	assert_int_equal(summary.stable, 1);
}

static void
events_of_an_apply_that_nobody_watches_are_recorded(void **state)
{
	(void)state;
	applying.watch = (struct w_apply_watch){.wake_fd = -1, .tick_ms = -1};
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, logoutput: true, command: "
	    "'echo x'}\n"));
	assert_true(w_manifest_session_has(applying.session, 0));
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(an_event_is_recorded_before_it_is_shown),
	    TEST(the_session_has_what_was_shown),
	    TEST(events_of_an_apply_that_nobody_watches_are_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
