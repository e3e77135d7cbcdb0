/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every allocation fails once while an event of an agent program is read and
 * answered. Without memory there is an error and never a yes.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cli/hook/hook.h"
#include "surviving.h"

static writ_status
answer(const char *text, writ_error *err)
{
	const struct w_hook_answer no = {
	    .verdict = W_HOOK_DENY, .reason = "why"};
	struct w_hook_event event = {.session = "untouched"};
	writ_status status =
	    w_hook_read(text, strlen(text), W_HOOK_AUTO, &event, err);
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	if (status != WRIT_OK) {
		assert_string_equal(event.session, "untouched");
		return status;
	}
	w_hook_answer(&buf, &event, &no);
	w_hook_done(&event);
	if (buf.failed)
		return w_fail_nomem(err, "hook");
	assert_non_null(strstr(buf.data, "\"deny\""));
	return WRIT_OK;
}

static writ_status
answer_patch(writ_error *err)
{
	return answer("{\"hook_event_name\":\"PreToolUse\",\"cwd\":\"/srv\","
		      "\"turn_id\":\"1\",\"tool_name\":\"apply_patch\","
		      "\"tool_input\":{\"command\":\"*** Update File: a\\n"
		      "*** Delete File: b\\n\"}}",
	    err);
}

static writ_status
answer_nested(writ_error *err)
{
	return answer("{\"cwd\":\"/srv\",\"toolName\":\"bash\",\"toolArgs\":"
		      "\"{\\\"command\\\":\\\"ls\\\","
		      "\\\"working_directory\\\":\\\"sub\\\"}\"}",
	    err);
}

static void
an_event_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(answer_patch, 8, 100);
	survive_each_allocation(answer_nested, 8, 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_event_survives_each_failed_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
