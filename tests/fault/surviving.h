/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_SURVIVING_H
#define W_TEST_SURVIVING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "base/error.h"
#include "inject.h"

/* Does it again and again, each time with the next allocation refused, until
 * there are no more. How many there are is within these bounds. */
static inline void
survive_each_allocation(
    writ_status (*act)(writ_error *err), unsigned at_least, unsigned at_most)
{
	unsigned refused = 0;

	for (unsigned nth = 1;; nth++) {
		writ_error err = {.status = WRIT_OK};

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = act(&err);
		if (!inject_disarm()) {
			assert_int_equal(status, WRIT_OK);
			break;
		}
		assert_int_equal(status, WRIT_E_NOMEM);
		assert_int_equal(err.status, WRIT_E_NOMEM);
		refused++;
	}
	assert_in_range(refused, at_least, at_most);
}

#endif /* W_TEST_SURVIVING_H */
