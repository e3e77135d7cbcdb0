/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>

#include "audit/record/record.h"
#include "base/error.h"

static const char *const layers[] = {"pidns", NULL};

static writ_result
plain_result(void)
{
	return (writ_result){
	    .run_id = "01J",
	    .outcome = WRIT_EXITED,
	    .exit_code = 3,
	    .status_known = true,
	    .out = {{.bytes = 5}, {.bytes = 0}},
	    .duration_ms = 4,
	    .user_ms = 1,
	    .system_ms = 2,
	    .max_rss_kib = 3200,
	    .tree = WRIT_TREE_GUARANTEED,
	    .layers = layers,
	    .recording = "/state/outputs/01J.rec",
	    .recording_bytes = 5,
	    .sha256 = {"aa", "bb"},
	};
}

static void
expect_in_end(const writ_result *result, const char *part)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	w_record_add_end(&buf, result, false, true);
	assert_false(buf.failed);
	if (strstr(buf.data, part) == NULL)
		fail_msg("no %s in %s", part, buf.data);
}

static void
an_end_has_every_member(void **state)
{
	const writ_result result = plain_result();
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	w_record_add_end(&buf, &result, true, true);
	assert_string_equal(buf.data,
	    "\"kind\":\"end\",\"run\":\"01J\",\"outcome\":\"exited\","
	    "\"exit_code\":3,\"signal\":null,\"limit\":null,"
	    "\"duration_ms\":4,\"usage\":{\"user_ms\":1,\"system_ms\":2,"
	    "\"max_rss_kib\":3200},\"killed\":0,\"background\":0,"
	    "\"tree\":\"guaranteed\",\"layers\":[\"pidns\"],\"missing\":[],"
	    "\"stdout\":{\"bytes\":5,\"sha256\":\"aa\"},"
	    "\"stderr\":{\"bytes\":0,\"sha256\":\"bb\"},"
	    "\"kept\":{\"file\":\"01J.rec\",\"bytes\":5,\"whole\":true}");
}

static void
other_ends_are_told_too(void **state)
{
	writ_result result = plain_result();

	(void)state;
	result.outcome = WRIT_LIMITED;
	result.limit = WRIT_LIMIT_MEMORY;
	result.signal = SIGKILL;
	result.exit_code = -1;
	result.recording = NULL;
	result.sha256[0] = NULL;
	expect_in_end(&result, "\"outcome\":\"limited\",\"exit_code\":-1,"
			       "\"signal\":\"SIGKILL\",\"limit\":\"memory\"");
	expect_in_end(&result, "\"kept\":null");
	expect_in_end(&result, "{\"bytes\":5,\"sha256\":null}");
	result.signal = SIGRTMIN + 3;
	expect_in_end(&result, "\"signal\":\"SIGRTMIN+3\"");
	result.status_known = false;
	expect_in_end(&result, "\"status\":\"unknown\"");
}

/* Names come from the output, which is not redacted. */
static void
walls_are_told_and_names_only_without_secrets(void **state)
{
	static const writ_wall_denial denials[] = {
	    {.what = "write",
		.path = "/srv/x",
		.wall = "readonly",
		.is_guessed = true,
		.ask_write = "/srv"},
	    {.what = "socket",
		.family = "AF_INET",
		.wall = "network",
		.ask_network = "loopback"},
	};
	writ_result result = plain_result();
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	result.wall_denials = denials;
	result.wall_denial_count = 2;
	expect_in_end(&result,
	    ",\"denials\":[{\"what\":\"write\",\"path\":\"/srv/x\","
	    "\"wall\":\"readonly\",\"certainty\":\"guessed\","
	    "\"ask\":{\"write\":[\"/srv\"]}},"
	    "{\"what\":\"socket\",\"family\":\"AF_INET\","
	    "\"wall\":\"network\",\"certainty\":\"certain\","
	    "\"ask\":{\"network\":\"loopback\"}}]");
	w_buf_init(&buf, 4096);
	w_record_add_end(&buf, &result, true, false);
	assert_non_null(strstr(buf.data, "\"path\":null,"));
	assert_null(strstr(buf.data, "/srv"));
}

static void
a_run_that_did_not_start_says_why_without_secrets(void **state)
{
	static const char *const secrets[] = {"hunter2", NULL};
	struct w_redactor redactor = {0};
	writ_error error;
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	assert_int_equal(w_redactor_add(&redactor, secrets, NULL), WRIT_OK);
	(void)w_fail(&error, WRIT_E_SANDBOX, "landlock", 0, "no 'hunter2'");
	w_record_add_failed(&buf, &redactor, "01J", &error);
	assert_string_equal(buf.data,
	    "\"kind\":\"end\",\"run\":\"01J\",\"outcome\":null,"
	    "\"error\":{\"code\":\"sandbox\",\"stage\":\"landlock\","
	    "\"message\":\"no '[secret]'\"},\"redacted\":true");
	w_redactor_done(&redactor);
}

static void
a_run_that_was_abandoned_says_by_whom(void **state)
{
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	w_record_add_abandoned(&buf, "01J");
	assert_string_equal(buf.data,
	    "\"kind\":\"end\",\"run\":\"01J\",\"outcome\":\"cancelled\","
	    "\"by\":\"engine\"");
}

static void
what_is_lost_is_counted(void **state)
{
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	w_record_add_lost(&buf, 12, "a \"full\" disk");
	assert_string_equal(buf.data, "\"kind\":\"lost\",\"records\":12,"
				      "\"reason\":\"a \\\"full\\\" disk\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_end_has_every_member),
	    cmocka_unit_test(other_ends_are_told_too),
	    cmocka_unit_test(walls_are_told_and_names_only_without_secrets),
	    cmocka_unit_test(a_run_that_did_not_start_says_why_without_secrets),
	    cmocka_unit_test(a_run_that_was_abandoned_says_by_whom),
	    cmocka_unit_test(what_is_lost_is_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
