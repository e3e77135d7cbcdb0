/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every allocation fails once: of reading the words of a call and of making
 * its input. What leaks is found by the address sanitizer, in a build that has
 * it.
 */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/call_case.h"
#include "inject.h"

/* More than a buffer has at first, so that it must grow too. */
#define LONG_LEN 5000

static writ_status
make_input(const char *message, writ_error *err)
{
	static const char text[] = "{\"x\":[1,{\"a\":\"b\"}],\"max_count\":1}";
	const char *const argv[] = {"--max-count", "7", "--where",
	    "{\"a\":[1]}", "-m", message, "a", "b", "c", NULL};
	struct calling it;

	writ_status status = calling_read(&it, argv);
	if (status == WRIT_OK)
		status = w_call_input(&it.words, text, sizeof(text) - 1,
		    &it.input, &it.is_verbatim, &it.err);
	if (status == WRIT_OK) {
		assert_non_null(strstr(it.input.data, "\"max_count\":7"));
		assert_non_null(strstr(it.input.data, message));
	}
	*err = it.err;
	w_buf_done(&it.input);
	return status;
}

static void
words_survive_each_failed_allocation(void **state)
{
	char message[LONG_LEN + 1];
	unsigned refused = 0;

	(void)state;
	memset(message, 'x', LONG_LEN);
	message[LONG_LEN] = '\0';
	for (unsigned nth = 1;; nth++) {
		writ_error err = {.status = WRIT_OK};

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = make_input(message, &err);
		if (!inject_disarm()) {
			assert_int_equal(status, WRIT_OK);
			break;
		}
		assert_int_equal(status, WRIT_E_NOMEM);
		assert_int_equal(err.status, WRIT_E_NOMEM);
		refused++;
	}
	assert_true(refused > 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_survive_each_failed_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
