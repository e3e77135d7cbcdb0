/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "factual.h"

#define ZEROS "00000000000000000000000000000000"
#define V4(name, target, flags, metric, mask)                             \
	name "\t" target "\t010200C0\t" flags "\t0\t0\t" metric "\t" mask \
	     "\t0\t0\t0   \n"
#define V6(target, prefix, metric, flags, name)             \
	target " " prefix " " ZEROS " 00 " ZEROS " " metric \
	       " 00000002 00000000 " flags "     " name "\n"

typedef bool (*route_fn)(
    const char *text, size_t len, char out_name[W_FACT_INTERFACE_MAX]);

static void
expect_route(route_fn find, const char *text, const char *expected)
{
	char name[W_FACT_INTERFACE_MAX] = "";

	assert_int_equal(find(text, strlen(text), name), expected[0] != '\0');
	assert_string_equal(name, expected);
}

static void
the_default_route_has_the_smallest_metric(void **state)
{
	(void)state;
	expect_route(w_fact_route_v4,
	    "Iface\tDestination\tGateway\tFlags\n" V4("lan", "000200C0", "0001",
		"0", "00FFFFFF") V4("eth1", "00000000", "0003", "200",
		"00000000") V4("eth0", "00000000", "0003", "100", "00000000")
		V4("wlan", "00000000", "0003", "600", "00000000"),
	    "eth0");
	expect_route(w_fact_route_v6,
	    V6("fe800000000000000000000000000000", "40", "00000100", "00000001",
		"lan") V6(ZEROS, "00", "00000400", "00000003", "eth1")
		V6(ZEROS, "00", "000000ff", "00000003", "eth0")
		    V6(ZEROS, "00", "00000001", "00200200", "lo"),
	    "eth0");
}

static void
what_is_no_default_route_is_none(void **state)
{
	static const char *const texts[] = {"", "\n\n", "Iface\n",
	    V4("down", "00000000", "0002", "0", "00000000"),
	    V4("reject", "00000000", "0201", "0", "00000000"),
	    V4("half", "00000000", "0003", "0", "00000080"),
	    V4("metric", "00000000", "0003", "x", "00000000"),
	    V4("a-name-that-is-too-long", "00000000", "0003", "0", "00000000"),
	    "eth0\t00000000\t010200C0\t0003\t0"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		expect_route(w_fact_route_v4, texts[i], "");
		expect_route(w_fact_route_v6, texts[i], "");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_default_route_has_the_smallest_metric),
	    cmocka_unit_test(what_is_no_default_route_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
