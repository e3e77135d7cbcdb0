/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "factual.h"

static void
memory_is_counted_in_bytes(void **state)
{
	(void)state;
	expect_facts(w_fact_add_memory,
	    "MemTotal:       24684100 kB\nMemFree:        1 kB\n"
	    "MemAvailable:   2 kB\nBuffers:   3 kB\nCached:   4 kB\n"
	    "SwapCached:   9 kB\nSwapTotal:   5 kB\nSwapFree:   0 kB\n",
	    "{\"virtual\":{\"total\":25276518400,\"free\":1024,"
	    "\"available\":2048,\"buffers\":3072,\"cached\":4096},"
	    "\"swap\":{\"total\":5120,\"free\":0}}");
}

static void
what_is_no_amount_is_left_out(void **state)
{
	(void)state;
	expect_facts(w_fact_add_memory, "", "{}");
	expect_facts(w_fact_add_memory,
	    "MemTotal: many kB\nMemFree: 1\nMemAvailable 1 kB\n"
	    "Buffers: 1 MB\nCached: 9999999999999999999999 kB\nSwapTotal:",
	    "{}");
	expect_facts(w_fact_add_memory, "SwapTotal: 1 kB\nSwapTotal: 2 kB\n",
	    "{\"swap\":{\"total\":1024}}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(memory_is_counted_in_bytes),
	    cmocka_unit_test(what_is_no_amount_is_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
