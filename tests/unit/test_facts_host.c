/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "factual.h"

static void
the_same_is_said_twice(void **state)
{
	const char *system = w_fact_virtualization();

	(void)state;
	assert_ptr_equal(w_fact_virtualization(), system);
	if (system != NULL)
		assert_true(strlen(system) > 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_same_is_said_twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
