/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "../unit/approving.h"
#include "inject.h"

/*
 * Every allocation and every call to the system fails once while people are
 * asked and answer. Whatever fails says so; nothing is approved that nobody
 * approved, and nothing is used twice.
 */

static const struct {
	const char *name;
	int error;
} calls[] = {
    {"allocation", ENOMEM},
    {"open", EMFILE},
    {"openat", EMFILE},
    {"read", EIO},
    {"write", ENOSPC},
    {"fsync", EIO},
    {"fdatasync", EIO},
    {"fchmod", EPERM},
    {"renameat2", ENOSPC},
    {"mkdir", ENOSPC},
    {"getrandom", EINTR},
    {"flock", EINTR},
    {"short write", ENOSPC},
    {"epoll_create1", EMFILE},
    {"timerfd_create", EMFILE},
};

enum {
	CALL_COUNT = sizeof(calls) / sizeof(calls[0])
};

static struct w_grant_cache store;

/* Does it with each call failing in turn, until none was left to fail. */
static void
fail_each(void (*step)(unsigned which, unsigned nth, bool *out_has_failed))
{
	for (unsigned which = 0; which < CALL_COUNT; which++) {
		bool has_failed = true;

		for (unsigned nth = 1; has_failed; nth++)
			step(which, nth, &has_failed);
	}
}

static void
arm(unsigned which, unsigned nth)
{
	err = (writ_error){0};
	inject_arm(calls[which].name, nth, 1, calls[which].error);
}

static void
check(writ_status status, bool has_failed)
{
	if (status != WRIT_OK)
		assert_true(err.message[0] != '\0');
	assert_true(has_failed || status == WRIT_OK);
}

static void
try_ask(unsigned which, unsigned nth, bool *out_has_failed)
{
	char id[WRIT_APPROVAL_ID_LEN + 1] = {0};

	arm(which, nth);
	writ_status status =
	    w_approval_submit(temp.path, &plain_question, id, &err);
	*out_has_failed = inject_disarm();
	check(status, *out_has_failed);
	if (status == WRIT_OK)
		assert_int_equal(state_of(id), WRIT_APPROVAL_PENDING);
	else
		assert_int_equal(id[0], '\0');
}

static void
asking_fails_with_words_or_not_at_all(void **state)
{
	(void)state;
	fail_each(try_ask);
}

static void
try_answer(unsigned which, unsigned nth, bool *out_has_failed)
{
	const writ_scope scope =
	    nth % 2 == 0 ? WRIT_SCOPE_ONCE : WRIT_SCOPE_SHAPE;
	char id[WRIT_APPROVAL_ID_LEN + 1];

	ask(id);
	arm(which, nth);
	writ_status status = answer(id, false, scope);
	*out_has_failed = inject_disarm();
	check(status, *out_has_failed);
	/* Asked to deny: whatever happened, it is not approved. */
	assert_int_equal(use(id, HASH_A),
	    status == WRIT_OK                       ? WRIT_E_REFUSED
	    : state_of(id) == WRIT_APPROVAL_PENDING ? WRIT_E_APPROVAL
						    : WRIT_E_REFUSED);
	ask(id);
	arm(which, nth);
	status = answer(id, true, scope);
	*out_has_failed |= inject_disarm();
	check(status, *out_has_failed);
	/* Who was told that it counts can count on it. */
	if (status == WRIT_OK)
		assert_int_equal(use(id, HASH_A), WRIT_OK);
}

static void
answering_fails_with_words_or_counts(void **state)
{
	(void)state;
	fail_each(try_answer);
}

static void
try_use(unsigned which, unsigned nth, bool *out_has_failed)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];
	unsigned times = 0;

	ask(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_ONCE), WRIT_OK);
	arm(which, nth);
	writ_status status = use(id, HASH_A);
	*out_has_failed = inject_disarm();
	check(status, *out_has_failed);
	times += status == WRIT_OK;
	for (int i = 0; i < 3; i++)
		times += use(id, HASH_A) == WRIT_OK;
	assert_true(times <= 1);
}

static void
an_approval_is_used_once_whatever_fails(void **state)
{
	(void)state;
	fail_each(try_use);
}

static void
try_look(unsigned which, unsigned nth, bool *out_has_failed)
{
	const struct w_grant_query query = query_of(HASH_A);
	const struct w_grant *found;
	const char *trouble = NULL;
	char *json = NULL;
	size_t count = 0;

	arm(which, nth);
	writ_approvals *other = NULL;
	writ_status status = writ_approvals_open(NULL, &other, &err);
	if (status == WRIT_OK)
		status = writ_approvals_list(other, &json, NULL, &err);
	free(json);
	json = NULL;
	if (status == WRIT_OK)
		status = writ_grants_list(other, &json, NULL, &err);
	free(json);
	if (status == WRIT_OK)
		(void)writ_approvals_fd(other, NULL);
	writ_approvals_free(other);
	if (status == WRIT_OK)
		status = w_grants_find(
		    &store, temp.path, &query, &found, &count, &trouble, &err);
	*out_has_failed = inject_disarm();
	check(status, *out_has_failed);
	/* One that was not read is told, or there. */
	if (status == WRIT_OK && count == 0)
		assert_non_null(trouble);
	w_grant_cache_done(&store);
}

static void
looking_fails_with_words_or_sees_everything(void **state)
{
	char id[WRIT_APPROVAL_ID_LEN + 1];

	(void)state;
	assert_int_equal(setenv("WRIT_STATE_DIR", temp.path, 1), 0);
	ask(id);
	assert_int_equal(answer(id, true, WRIT_SCOPE_SHAPE), WRIT_OK);
	fail_each(try_look);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(asking_fails_with_words_or_not_at_all),
	    CASE(answering_fails_with_words_or_counts),
	    CASE(an_approval_is_used_once_whatever_fails),
	    CASE(looking_fails_with_words_or_sees_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
