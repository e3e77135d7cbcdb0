/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/manifest/event_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)

static const writ_event plain = {
    .type = "exec", .name = "build", .changed = true, .duration_ns = 14 * MS};

static void
expect_styled(const struct w_event_style *style, const writ_event *event,
    const char *wanted)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 1 << 20);
	w_cli_event_add(&buf, style, event);
	assert_false(buf.failed);
	assert_string_equal(buf.data, wanted);
}

static void
expect(const writ_event *event, const char *wanted)
{
	const struct w_event_style style = {.id_width = 12};

	expect_styled(&style, event, wanted);
}

static void
a_line_has_id_verdict_time_and_reason_in_columns(void **state)
{
	writ_event event = plain;

	(void)state;
	expect(&event, "exec#build    changed     14ms\n");
	event.decided_by = "subscribe file#/etc/x";
	event.refreshed = true;
	expect(
	    &event, "exec#build    refreshed   14ms  subscribe file#/etc/x\n");
	event.changed = event.refreshed = false;
	event.decided_by = "creates '/opt/x'";
	event.duration_ns = 0;
	expect(&event, "exec#build    stable       0ms  creates '/opt/x'\n");
}

static void
an_error_is_the_reason_whatever_was_decided(void **state)
{
	const char *const errors[] = {"exit code 1", "and more", NULL};
	writ_event event = plain;

	(void)state;
	event.failed = true;
	event.errors = errors;
	event.decided_by = "subscribe file#/etc/x";
	expect(
	    &event, "exec#build    failed      14ms  exit code 1; and more\n");
}

static void
unmet_requirements_are_named(void **state)
{
	const char *const unmet[] = {"exec#a", "file#/b", NULL};
	writ_event event = plain;

	(void)state;
	event.changed = false;
	event.skipped = true;
	event.unmet = unmet;
	expect(&event,
	    "exec#build    skipped     14ms  unmet requirement exec#a, "
	    "file#/b\n");
}

static void
noop_says_what_would_have_been(void **state)
{
	writ_event event = plain;

	(void)state;
	event.noop = true;
	event.noop_message = "Would have executed";
	event.decided_by = "nothing";
	expect(&event, "exec#build    changed     14ms  Would have executed\n");
}

static void
what_was_interrupted_says_so(void **state)
{
	writ_event event = plain;

	(void)state;
	event.interrupted = true;
	event.failed = true;
	expect(&event, "exec#build    failed      14ms  interrupted\n");
}

static void
an_alias_stands_for_the_name(void **state)
{
	writ_event event = plain;

	(void)state;
	event.alias = "b";
	expect(&event, "exec#b (alias)  changed     14ms\n");
}

static void
long_names_push_the_rest_and_widths_have_a_limit(void **state)
{
	struct w_event_style style = {.id_width = 0};
	char name[100];

	(void)state;
	w_cli_event_fit(&style, "exec", "ab", false);
	assert_int_equal(style.id_width, 7);
	w_cli_event_fit(&style, "exec", "a", true);
	assert_int_equal(style.id_width, 14);
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	w_cli_event_fit(&style, "exec", name, false);
	assert_int_equal(style.id_width, W_EVENT_LINE_ID_MAX);
	w_cli_event_fit(&style, "exec", name, false);
	assert_int_equal(style.id_width, W_EVENT_LINE_ID_MAX);
}

static void
nothing_in_a_name_or_message_reaches_a_terminal(void **state)
{
	const char *const errors[] = {"a\033[2Jb", NULL};
	writ_event event = plain;

	(void)state;
	event.name = "x\ny";
	event.failed = true;
	event.errors = errors;
	expect(&event, "exec#x\\ny     failed      14ms  a\\x1b[2Jb\n");
}

static void
warnings_and_bad_checks_are_indented_beneath(void **state)
{
	const char *const warnings[] = {"exit code 3", NULL};
	const writ_health_check health[] = {
	    {.name = "good", .status = WRIT_HEALTH_OK, .output = "fine"},
	    {.name = "port",
		.status = WRIT_HEALTH_CRITICAL,
		.output = "closed"},
	};
	writ_event event = plain;

	(void)state;
	event.warnings = warnings;
	event.health = health;
	event.health_count = 2;
	expect(&event, "exec#build    changed     14ms\n"
		       "    warning: exit code 3\n"
		       "    check port: CRITICAL: closed\n");
}

static void
a_diff_is_shown_where_it_is_wanted(void **state)
{
	struct w_event_style style = {.id_width = 12};
	writ_event event = plain;

	(void)state;
	event.diff = "@@ -1 +1 @@\n-a\033\n+b";
	expect_styled(&style, &event, "exec#build    changed     14ms\n");
	style.shows_diff = true;
	expect_styled(&style, &event,
	    "exec#build    changed     14ms\n"
	    "    @@ -1 +1 @@\n"
	    "    -a\\x1b\n"
	    "    +b\n");
	style.has_colour = true;
	expect_styled(&style, &event,
	    "exec#build    \033[33mchanged\033[0m     14ms\n"
	    "    \033[36m@@ -1 +1 @@\033[0m\n"
	    "    \033[31m-a\\x1b\033[0m\n"
	    "    \033[32m+b\033[0m\n");
}

static void
durations_have_the_precision_people_read(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {{0, "0ms"}, {999999, "0ms"}, {12 * MS, "12ms"},
	    {999 * MS, "999ms"}, {1000 * MS, "1s"}, {1299 * MS, "1.2s"},
	    {59999 * MS, "59s"}, {192000 * MS, "3m12s"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		W_AUTO_BUF struct w_buf buf;

		w_buf_init(&buf, 100);
		w_cli_event_add_duration(&buf, cases[i].ns);
		assert_string_equal(buf.data, cases[i].text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_line_has_id_verdict_time_and_reason_in_columns),
	    cmocka_unit_test(an_error_is_the_reason_whatever_was_decided),
	    cmocka_unit_test(unmet_requirements_are_named),
	    cmocka_unit_test(noop_says_what_would_have_been),
	    cmocka_unit_test(what_was_interrupted_says_so),
	    cmocka_unit_test(an_alias_stands_for_the_name),
	    cmocka_unit_test(long_names_push_the_rest_and_widths_have_a_limit),
	    cmocka_unit_test(nothing_in_a_name_or_message_reaches_a_terminal),
	    cmocka_unit_test(warnings_and_bad_checks_are_indented_beneath),
	    cmocka_unit_test(a_diff_is_shown_where_it_is_wanted),
	    cmocka_unit_test(durations_have_the_precision_people_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
