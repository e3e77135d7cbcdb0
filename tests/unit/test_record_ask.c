/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit/record/record.h"

static struct w_buf buf;

static int
set_up(void **state)
{
	(void)state;
	w_buf_init(&buf, 4096);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_buf_done(&buf);
	return 0;
}

static void
a_question_says_who_asks_what_and_how_long(void **state)
{
	const struct w_record_ask ask = {
	    .approval = "0123456789abcdef",
	    .request_hash = "aa",
	    .agent = "local",
	    .expires_ms = UINT64_C(1794000000123),
	};

	(void)state;
	w_record_add_ask(&buf, &ask);
	assert_string_equal(buf.data,
	    "\"kind\":\"ask\",\"approval\":\"0123456789abcdef\","
	    "\"request\":\"aa\",\"agent\":\"local\",\"session\":null,"
	    "\"expires\":\"2026-11-06T21:20:00.123000Z\"");
}

static void
an_answer_says_who_and_for_how_much(void **state)
{
	const struct w_record_answer answer = {
	    .approval = "0123456789abcdef",
	    .request_hash = "aa",
	    .is_approved = true,
	    .scope = "shape",
	    .until_ms = UINT64_C(1794000000123),
	    .rule = "allow: \"a b\"",
	    .uid = 7,
	    .pid = 8,
	    .via = "a form",
	    .note = "a\xff",
	};

	(void)state;
	w_record_add_answer(&buf, &answer);
	assert_string_equal(buf.data,
	    "\"kind\":\"answer\",\"approval\":\"0123456789abcdef\","
	    "\"request\":\"aa\",\"approved\":true,\"scope\":\"shape\","
	    "\"until\":\"2026-11-06T21:20:00.123000Z\","
	    "\"rule\":\"allow: \\\"a b\\\"\",\"by\":{\"uid\":7,\"pid\":8,"
	    "\"via\":\"a form\"},"
	    "\"note\":{\"b64\":\"Yf8=\"}");
}

static void
a_closed_form_says_by_what_and_why_but_no_answer(void **state)
{
	const struct w_record_answer answer = {
	    .approval = "0123456789abcdef",
	    .request_hash = "aa",
	    .uid = 7,
	    .pid = 8,
	    .via = "a form",
	    .note = "too soon",
	};

	(void)state;
	w_record_add_closed(&buf, &answer);
	assert_string_equal(buf.data,
	    "\"kind\":\"closed\",\"approval\":\"0123456789abcdef\","
	    "\"request\":\"aa\",\"by\":{\"uid\":7,\"pid\":8,"
	    "\"via\":\"a form\"},\"note\":\"too soon\"");
}

static void
what_is_taken_back_says_by_whom(void **state)
{
	(void)state;
	w_record_add_revoked(&buf, "0123456789abcdef", 7, 8);
	assert_string_equal(buf.data,
	    "\"kind\":\"revoke\",\"approval\":\"0123456789abcdef\","
	    "\"by\":{\"uid\":7,\"pid\":8}");
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(a_question_says_who_asks_what_and_how_long),
	    CASE(an_answer_says_who_and_for_how_much),
	    CASE(a_closed_form_says_by_what_and_why_but_no_answer),
	    CASE(what_is_taken_back_says_by_whom),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
