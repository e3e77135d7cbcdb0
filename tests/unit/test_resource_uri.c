/* SPDX-License-Identifier: Apache-2.0 */

/* Resource URIs. */

#include "mcp/resources/resource_uri.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ID "01M7JYK4S3R6PECZ5PXF9K0CK1"

static bool
is_named(const char *uri)
{
	struct w_mcp_resource resource;

	return w_mcp_resource_parse_uri(uri, strlen(uri), &resource);
}

static struct w_mcp_resource
named(const char *uri)
{
	struct w_mcp_resource resource;

	if (!w_mcp_resource_parse_uri(uri, strlen(uri), &resource))
		fail_msg("'%s' is none", uri);
	return resource;
}

static void
each_kind_has_its_name(void **state)
{
	(void)state;
	assert_int_equal(named("writ://runs").kind, W_MCP_RESOURCE_RUNS);
	assert_int_equal(named("writ://audit/tail").kind, W_MCP_RESOURCE_AUDIT);
	assert_int_equal(
	    named("writ://policy/effective").kind, W_MCP_RESOURCE_POLICY);
	assert_int_equal(
	    named("writ://run/" ID "/stdout").kind, W_MCP_RESOURCE_STDOUT);
	assert_int_equal(
	    named("writ://run/" ID "/stderr").kind, W_MCP_RESOURCE_STDERR);
	assert_int_equal(
	    named("writ://run/" ID "/meta").kind, W_MCP_RESOURCE_META);
	assert_string_equal(named("writ://run/" ID "/meta").run, ID);
	assert_string_equal(named("writ://runs").run, "");
}

static void
a_part_has_an_offset_and_a_length(void **state)
{
	(void)state;
	struct w_mcp_resource part =
	    named("writ://run/" ID "/stdout?offset=12&length=34");
	assert_int_equal(part.offset, 12);
	assert_int_equal(part.length, 34);
	part = named("writ://run/" ID "/stderr?length=1");
	assert_int_equal(part.offset, 0);
	assert_int_equal(part.length, 1);
	part = named("writ://run/" ID "/stdout?offset=999999999999999999");
	assert_true(part.offset == UINT64_C(999999999999999999));
}

static void
nothing_else_is_a_name(void **state)
{
	static const char *const none[] = {"", "writ:", "writ://", "writ://run",
	    "writ://run/", "writ://runs/", "writ://Runs", "writ://audit",
	    "writ://policy/effective?", "writ://run/" ID, "writ://run/" ID "/",
	    "writ://run/" ID "/stdin", "writ://run/" ID "/stdout/",
	    "writ://run/" ID "/stdout?", "writ://run/" ID "/stdout?offset",
	    "writ://run/" ID "/stdout?offset=", "writ://run/" ID "/stdout?=1",
	    "writ://run/" ID "/stdout?offset=1&",
	    "writ://run/" ID "/stdout?offset=1&offset=2",
	    "writ://run/" ID "/stdout?length=0",
	    "writ://run/" ID "/stdout?offset=+1",
	    "writ://run/" ID "/stdout?offset=1 ",
	    "writ://run/" ID "/stdout?offset=1000000000000000000",
	    "writ://run/" ID "/meta?offset=1", "writ://run/" ID "x/meta",
	    "writ://run/01M7JYK4S3R6PECZ5PXF9K0CK/meta",
	    "writ://run/01M7JYK4S3R6PECZ5PXF9K0CKi/meta",
	    "writ://run/01m7jyk4s3r6pecz5pxf9k0ck1/meta"};
	char long_uri[W_MCP_RESOURCE_URI_MAX * 2];

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		if (is_named(none[i]))
			fail_msg("'%s' is one", none[i]);
	}
	(void)snprintf(long_uri, sizeof(long_uri),
	    "writ://run/" ID "/stdout?offset=%0300d", 1);
	assert_false(is_named(long_uri));
	assert_false(w_mcp_resource_parse_uri("writ://runs\0",
	    sizeof("writ://runs\0") - 1,
	    &(struct w_mcp_resource){.offset = 0}));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_kind_has_its_name),
	    cmocka_unit_test(a_part_has_an_offset_and_a_length),
	    cmocka_unit_test(nothing_else_is_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
