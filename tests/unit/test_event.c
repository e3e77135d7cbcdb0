/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <string.h>

#include "eventful.h"

static void
expect_json(const writ_event *event, const char *expected)
{
	struct w_buf buf;

	w_buf_init(&buf, 100000);
	w_event_add_json(&buf, event);
	assert_false(buf.failed);
	assert_string_equal(buf.data, expected);
	w_buf_done(&buf);
}

#define HEAD(name)                                                        \
	"{\"protocol\":\"io.choria.ccm.v1.transaction.event\","           \
	"\"event_id\":\"id\",\"timestamp\":\"2027-01-15T08:00:00.000001Z" \
	"\",\"type\":\"exec\",\"provider\":\"posix\",\"name\":\"" name "\""

static writ_event
dated(const char *name)
{
	writ_event event = an_event(0, name);

	(void)strcpy(event.id, "id");
	event.time_us = UINT64_C(1800000000000001);
	return event;
}

static void
a_stable_resource_has_the_members_of_the_protocol(void **state)
{
	writ_event event = dated("true");

	(void)state;
	expect_json(&event,
	    HEAD("true") ",\"requested_ensure\":\"present\","
			 "\"final_ensure\":\"present\",\"duration\":500000,"
			 "\"properties\":{\"command\":\"/bin/true\"},"
			 "\"status\":null,\"error\":[],\"changed\":false,"
			 "\"refreshed\":false,\"failed\":false,"
			 "\"skipped\":false,\"noop\":false,"
			 "\"unmet_requirements\":[]}");
}

static void
what_is_set_is_told(void **state)
{
	static const char *const errors[] = {"one", "t\"wo", NULL};
	static const char *const warnings[] = {"w", NULL};
	static const char *const unmet[] = {"exec#x", NULL};
	static const char *const runs[] = {"R1", "R2", NULL};
	static const writ_health_check health[] = {
	    {"check_http", WRIT_HEALTH_WARNING, 3, "slow\n"},
	    {"check_x", WRIT_HEALTH_UNKNOWN, 1, NULL}};
	writ_event event = dated("a");

	(void)state;
	event.alias = "b";
	event.final_ensure = "";
	event.properties = NULL;
	event.status = "{\"exitcode\":1}";
	event.noop_message = "Would have executed";
	event.health = health;
	event.health_count = 2;
	event.health_only = true;
	event.errors = errors;
	event.warnings = warnings;
	event.unmet = unmet;
	event.run_ids = runs;
	event.tries = 2;
	event.decided_by = "creates '/x'";
	event.diff = "-a\n+b\n";
	event.changed = event.refreshed = event.failed = true;
	event.skipped = event.noop = event.interrupted = true;
	expect_json(&event,
	    HEAD("a") ",\"alias\":\"b\",\"requested_ensure\":\"present\","
		      "\"final_ensure\":\"\",\"duration\":500000,"
		      "\"properties\":{},\"status\":{\"exitcode\":1},"
		      "\"noop_message\":\"Would have executed\","
		      "\"health_check\":[{\"name\":\"check_http\","
		      "\"format\":\"nagios\",\"status\":1,\"tries\":3,"
		      "\"Output\":\"slow\\n\"},{\"name\":\"check_x\","
		      "\"format\":\"nagios\",\"status\":3,\"tries\":1,"
		      "\"Output\":\"\"}],\"health_check_only\":true,"
		      "\"error\":[\"one\",\"t\\\"wo\"],\"changed\":true,"
		      "\"refreshed\":true,\"failed\":true,\"skipped\":true,"
		      "\"noop\":true,\"unmet_requirements\":[\"exec#x\"],"
		      "\"decided_by\":\"creates '/x'\",\"warnings\":[\"w\"],"
		      "\"run_ids\":[\"R1\",\"R2\"],\"tries\":2,"
		      "\"diff\":\"-a\\n+b\\n\",\"interrupted\":true}");
}

static void
the_first_verdict_that_fits_counts(void **state)
{
	static const char *const unmet[] = {"exec#x", NULL};
	writ_event event = dated("a");

	(void)state;
	assert_int_equal(writ_event_verdict(&event), WRIT_VERDICT_STABLE);
	event.changed = true;
	assert_int_equal(writ_event_verdict(&event), WRIT_VERDICT_CHANGED);
	event.refreshed = true;
	assert_int_equal(writ_event_verdict(&event), WRIT_VERDICT_REFRESHED);
	event.skipped = true;
	assert_int_equal(writ_event_verdict(&event), WRIT_VERDICT_SKIPPED);
	event.unmet = unmet;
	assert_int_equal(writ_event_verdict(&event), WRIT_VERDICT_UNMET);
	event.failed = true;
	assert_int_equal(writ_event_verdict(&event), WRIT_VERDICT_FAILED);
	assert_string_equal(w_event_verdict_text(WRIT_VERDICT_UNMET),
	    "skipped due to unmet requirement");
	assert_string_equal(
	    w_event_verdict_text(WRIT_VERDICT_STABLE), "stable");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_stable_resource_has_the_members_of_the_protocol),
	    cmocka_unit_test(what_is_set_is_told),
	    cmocka_unit_test(the_first_verdict_that_fits_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
