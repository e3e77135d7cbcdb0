/* SPDX-License-Identifier: Apache-2.0 */

/* The id of a message that is not parsed. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "mcp/transport/rpc_id_scanner.h"

/* In pieces of every size. */
static void
expect(const char *text, const char *id)
{
	const size_t len = strlen(text);

	for (size_t step = 1; step <= len; step++) {
		struct w_rpc_id_scanner scanner;

		w_rpc_id_scanner_init(&scanner);
		for (size_t at = 0; at < len; at += step)
			w_rpc_id_scanner_feed(&scanner, text + at,
			    len - at < step ? len - at : step);
		char *found = w_rpc_id_scanner_take(&scanner);
		if (id == NULL)
			assert_null(found);
		else
			assert_string_equal(found, id);
		free(found);
	}
}

static void
an_id_of_the_outermost_object_is_found(void **state)
{
	(void)state;
	expect("{\"id\":1,\"method\":\"x\"}", "1");
	expect(" { \"method\" : \"x\" , \"id\" : -5 } ", "-5");
	expect("{\"method\":\"x\",\"params\":{\"id\":2},\"id\":\"a\\\"}\"}",
	    "\"a\\\"}\"");
	expect("{\"a\":\"\\\\\",\"b\":[{\"id\":3}],\"id\":4,\"method\":\"x\"}",
	    "4");
	/* As far as it goes: the message was cut. */
	expect("{\"id\":1,\"method\":\"x\",\"params\":{\"a\":[\"b", "1");
}

static void
no_other_id_is_taken_for_it(void **state)
{
	(void)state;
	expect("", NULL);
	expect("{\"id\":1}", NULL);
	expect("{\"id\":1,\"result\":{}}", NULL);
	expect("{\"method\":\"x\"}", NULL);
	expect("{\"id\":1,\"id\":2,\"method\":\"x\"}", NULL);
	expect("{\"id\":1.5,\"method\":\"x\"}", NULL);
	expect("{\"id\":null,\"method\":\"x\"}", NULL);
	expect("{\"id\":{\"id\":1},\"method\":\"x\"}", NULL);
	expect("{\"id\":[1],\"method\":\"x\"}", NULL);
	expect("{\"params\":{\"id\":1},\"method\":\"x\"}", NULL);
	expect("{\"params\":\"\\\"id\\\":1\",\"method\":\"x\"}", NULL);
	expect("[{\"id\":1,\"method\":\"x\"}]", NULL);
	expect("{\"idx\":1,\"method\":\"x\"}", NULL);
	expect("\"id\":1,\"method\":\"x\"", NULL);
}

static void
a_long_id_is_none(void **state)
{
	struct w_rpc_id_scanner scanner;

	(void)state;
	w_rpc_id_scanner_init(&scanner);
	w_rpc_id_scanner_feed(&scanner, "{\"method\":\"x\",\"id\":\"", 20);
	for (size_t i = 0; i < 2 * (size_t)W_RPC_ID_SCANNER_MAX; i++)
		w_rpc_id_scanner_feed(&scanner, "a", 1);
	w_rpc_id_scanner_feed(&scanner, "\"}", 2);
	assert_null(w_rpc_id_scanner_take(&scanner));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_id_of_the_outermost_object_is_found),
	    cmocka_unit_test(no_other_id_is_taken_for_it),
	    cmocka_unit_test(a_long_id_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
