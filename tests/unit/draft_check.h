/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TESTS_DRAFT_CHECK_H
#define W_TESTS_DRAFT_CHECK_H

/* What the tests of drafts share: a draft for each test, and calls that must
 * succeed without touching the error or fail without touching the request. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/draft.h>

static inline int
make_draft(void **state)
{
	writ_draft *draft;

	if (writ_draft_new(&draft, NULL) != WRIT_OK)
		return -1;
	*state = draft;
	return 0;
}

static inline int
drop_draft(void **state)
{
	writ_draft_free(*state);
	return 0;
}

static inline writ_request *
read_ok(writ_draft *draft, const char *text)
{
	writ_error err = {.message = "untouched"};
	writ_status status =
	    writ_draft_read_json(draft, text, strlen(text), &err);

	assert_string_equal(err.message, "untouched");
	assert_int_equal(status, WRIT_OK);
	return writ_draft_request(draft);
}

static inline writ_error
read_bad(writ_draft *draft, const char *text)
{
	const writ_request before = *writ_draft_request(draft);
	writ_error err = {0};

	assert_int_equal(writ_draft_read_json(draft, text, strlen(text), &err),
	    WRIT_E_INVALID);
	assert_int_equal(err.status, WRIT_E_INVALID);
	assert_memory_equal(&before, writ_draft_request(draft), sizeof(before));
	return err;
}

static inline void
set_ok(writ_draft *draft, const char *key, const char *text)
{
	writ_error err = {.message = "untouched"};
	writ_status status = writ_draft_set(draft, key, text, &err);

	assert_string_equal(err.message, "untouched");
	assert_int_equal(status, WRIT_OK);
}

static inline writ_error
set_bad(writ_draft *draft, const char *key, const char *text)
{
	const writ_request before = *writ_draft_request(draft);
	writ_error err = {0};

	assert_int_equal(
	    writ_draft_set(draft, key, text, &err), WRIT_E_INVALID);
	assert_memory_equal(&before, writ_draft_request(draft), sizeof(before));
	return err;
}

static inline void
assert_list(const char *const *list, size_t count, ...)
{
	va_list args;

	assert_non_null(list);
	va_start(args, count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(list[i], va_arg(args, const char *));
	va_end(args);
	assert_null(list[count]);
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, make_draft, drop_draft)

#endif /* W_TESTS_DRAFT_CHECK_H */
