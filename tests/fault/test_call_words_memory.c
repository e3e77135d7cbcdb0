/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every allocation fails once: of reading the words of a call and of making
 * its input. What leaks is found by the address sanitizer, in a build that has
 * it.
 */

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/call_case.h"
#include "surviving.h"

/* More than a buffer has at first, so that it must grow too. */
#define LONG_LEN 5000

static char message[LONG_LEN + 1];

static writ_status
make_input(writ_error *err)
{
	static const char text[] = "{\"x\":[1,{\"a\":\"b\"}],\"max_count\":1}";
	const char *const argv[] = {"--max-count", "7", "--where",
	    "{\"a\":[1]}", "-m", message, "a", "b", "c", NULL};
	struct calling it;

	writ_status status = calling_read(&it, argv);
	if (status == WRIT_OK)
		status = w_cli_call_input(&it.words, text, sizeof(text) - 1,
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
	(void)state;
	memset(message, 'x', LONG_LEN);
	survive_each_allocation(make_input, 6, UINT_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_survive_each_failed_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
