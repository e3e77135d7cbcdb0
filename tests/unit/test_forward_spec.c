/* SPDX-License-Identifier: Apache-2.0 */

/* What people write for --publish and --connect. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "run/held/forward_spec.h"

static void
ports_are_published(void **state)
{
	static const char *const wrong[] = {"", "0", "x", "65536",
	    "99999999999", "1:", ":1", "1:0", "0:1", "1:2:3", "1 ", "-1",
	    "80/udp", "0.0.0.0:80:80", NULL};
	struct w_publish_spec spec;
	writ_error err;

	(void)state;
	assert_int_equal(w_publish_spec_parse("3000", &spec, &err), WRIT_OK);
	assert_int_equal(spec.port, 3000);
	assert_int_equal(spec.host_port, 3000);
	assert_int_equal(
	    w_publish_spec_parse("8080:65535", &spec, &err), WRIT_OK);
	assert_int_equal(spec.port, 65535);
	assert_int_equal(spec.host_port, 8080);
	for (int i = 0; wrong[i] != NULL; i++)
		assert_int_equal(w_publish_spec_parse(wrong[i], &spec, &err),
		    WRIT_E_INVALID);
}

static void
ports_of_the_machine_are_let_in(void **state)
{
	static const char *const wrong[] = {"", "5432", "127.0.0.1",
	    "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.2:80",
	    "10.0.0.1:80", "example.org:80", "0.0.0.0:80", "127.0.0.1:80x",
	    NULL};
	static const char *const never[] = {"127.0.0.1:2375", "localhost:2376",
	    "[::1]:6000", "127.0.0.1:6063", NULL};
	static const char *const right[] = {
	    "127.0.0.1:5432", "localhost:5432", "[::1]:5432", NULL};
	struct w_connect_spec spec;
	writ_error err;

	(void)state;
	for (int i = 0; right[i] != NULL; i++) {
		assert_int_equal(
		    w_connect_spec_parse(right[i], &spec, &err), WRIT_OK);
		assert_int_equal(spec.port, 5432);
		assert_string_equal(spec.path, "");
	}
	for (int i = 0; wrong[i] != NULL; i++)
		assert_int_equal(w_connect_spec_parse(wrong[i], &spec, &err),
		    WRIT_E_INVALID);
	for (int i = 0; never[i] != NULL; i++)
		assert_int_equal(
		    w_connect_spec_parse(never[i], &spec, &err), WRIT_E_DENIED);
}

static void
local_sockets_below_run_are_let_in(void **state)
{
	static const char *const wrong[] = {"/", "/run", "/run/", "/tmp/a",
	    "/run/../etc/a", "/run/a/..", "/run//a", "/runs/a", "run/a",
	    "/run/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	    NULL};
	struct w_connect_spec spec;
	writ_error err;

	(void)state;
	assert_int_equal(
	    w_connect_spec_parse("/var/run/mysqld/mysqld.sock", &spec, &err),
	    WRIT_OK);
	assert_int_equal(spec.port, 0);
	assert_string_equal(spec.path, "/run/mysqld/mysqld.sock");
	for (int i = 0; wrong[i] != NULL; i++)
		assert_int_equal(w_connect_spec_parse(wrong[i], &spec, &err),
		    WRIT_E_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ports_are_published),
	    cmocka_unit_test(ports_of_the_machine_are_let_in),
	    cmocka_unit_test(local_sockets_below_run_are_let_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
