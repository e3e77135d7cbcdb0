/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "factual.h"

static void
the_loopback_is_there_and_leads_nowhere(void **state)
{
	struct w_arena arena = {.chunks = NULL};
	struct w_fact_map map;
	struct w_buf buf;

	(void)state;
	w_fact_map_init(&map, &arena);
	w_fact_add_network(&map);
	assert_false(map.failed);
	const struct w_value value = w_fact_map_value(&map);
	w_buf_init(&buf, 1000000);
	w_value_add_json(&buf, &value, true);
	assert_non_null(strstr(buf.data, "\"interfaces\":[\"lo\""));
	if (strstr(buf.data, "127.0.0.1") != NULL)
		assert_non_null(strstr(buf.data,
		    "{\"interface\":\"lo\",\"address\":\"127.0.0.1\","
		    "\"family\":\"ipv4\",\"default\":false}"));
	w_buf_done(&buf);
	w_arena_done(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_loopback_is_there_and_leads_nowhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
