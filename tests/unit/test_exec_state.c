/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "eventful.h"

static void
expect_json(const writ_event *event, const struct w_exec_state *exec,
    const char *expected)
{
	struct w_buf buf;

	w_buf_init(&buf, 100000);
	w_exec_state_add_json(&buf, event, exec);
	assert_string_equal(buf.data, expected);
	w_buf_done(&buf);
}

#define HEAD                                                     \
	"{\"timestamp\":\"2027-01-15T08:00:00.000000Z\","        \
	"\"protocol\":\"io.choria.ccm.v1.resource.exec.state\"," \
	"\"type\":\"exec\",\"name\":\"x\",\"ensure\":\"present\","

static void
what_did_not_run_has_no_exit_code(void **state)
{
	writ_event event = an_event(0, "x");
	struct w_exec_state exec = {.is_stable = true};

	(void)state;
	expect_json(&event, &exec,
	    HEAD "\"changed\":false,\"refreshed\":false,\"stable\":true,"
		 "\"noop\":false}");
	exec.creates_satisfied = exec.onlyif_satisfied = true;
	exec.unless_satisfied = true;
	event.final_ensure = NULL;
	expect_json(&event, &exec,
	    HEAD "\"changed\":false,\"refreshed\":false,\"stable\":true,"
		 "\"noop\":false,\"creates_satisfied\":true,"
		 "\"onlyif_satisfied\":true,\"unless_satisfied\":true}");
}

static void
what_ran_has_one_or_the_signal(void **state)
{
	writ_event event = an_event(0, "x");
	struct w_exec_state exec = {.has_exitcode = true};

	(void)state;
	event.changed = true;
	expect_json(&event, &exec,
	    HEAD "\"changed\":true,\"refreshed\":false,\"stable\":false,"
		 "\"noop\":false,\"exitcode\":0}");
	exec.exitcode = -1;
	exec.outcome = "signaled";
	exec.signal = "SIGKILL";
	event.noop = true;
	event.noop_message = "Would have executed";
	expect_json(&event, &exec,
	    HEAD "\"changed\":true,\"refreshed\":false,\"stable\":false,"
		 "\"noop\":true,\"noop_message\":\"Would have executed\","
		 "\"exitcode\":-1,\"outcome\":\"signaled\","
		 "\"signal\":\"SIGKILL\"}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_did_not_run_has_no_exit_code),
	    cmocka_unit_test(what_ran_has_one_or_the_signal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
