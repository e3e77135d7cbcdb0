/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "manifest/session/event_fields.h"

static struct w_buf buf;

static int
set_up(void **state)
{
	(void)state;
	w_buf_init(&buf, 1000);
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
numbers_are_whole(void **state)
{
	(void)state;
	w_event_add_number(&buf, "a", 0);
	w_event_add_number(&buf, ",b", 10);
	w_event_add_number(&buf, ",c", UINT64_MAX);
	assert_string_equal(buf.data, "a0,b10,c18446744073709551615");
}

static void
texts_are_always_utf8(void **state)
{
	(void)state;
	w_event_add_text(&buf, "a:", "gr\xc3\xbc\xc3\x9f \"x\"");
	w_event_add_text(&buf, ",b:", "a\xff\xc3(\xe2\x82");
	w_event_add_text(&buf, ",c:", NULL);
	w_event_add_text(&buf, ",d:", "");
	assert_string_equal(buf.data,
	    "a:\"gr\xc3\xbc\xc3\x9f \\\"x\\\"\","
	    "b:\"a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\","
	    "c:null,d:\"\"");
}

static void
lists_and_times(void **state)
{
	static const char *const two[] = {"x", "y", NULL};

	(void)state;
	w_event_add_list(&buf, "", NULL);
	w_event_add_list(&buf, "", two);
	w_event_add_time(&buf, "", 0);
	w_event_add_time(&buf, "", UINT64_C(1400000000000000));
	w_event_add_bool(&buf, "", true);
	assert_string_equal(
	    buf.data, "[][\"x\",\"y\"]null\"2014-05-13T16:53:20.000000Z\"true");
}

static void
a_full_buffer_is_told_once(void **state)
{
	(void)state;
	w_buf_done(&buf);
	w_buf_init(&buf, 5);
	w_event_add_text(&buf, "", "longer than that");
	assert_true(buf.failed);
	w_buf_done(&buf);
	w_buf_init(&buf, 5);
	w_event_add_text(&buf, "", "\xff\xff\xff\xff\xff");
	assert_true(buf.failed);
}

#define PART(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    PART(numbers_are_whole),
	    PART(texts_are_always_utf8),
	    PART(lists_and_times),
	    PART(a_full_buffer_is_told_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
