/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "manifest/session/event.h"

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "abcdefghijklmnopqrstuvwxyz";

/* The seconds in an id: its first 32 of 160 bits. */
static uint64_t
seconds_of(const char *id)
{
	uint32_t words[5] = {0};

	for (const char *at = id; *at != '\0'; at++) {
		uint64_t carry = (uint64_t)(strchr(digits, *at) - digits);

		for (int i = 4; i >= 0; i--) {
			carry += (uint64_t)words[i] * 62;
			words[i] = (uint32_t)carry;
			carry >>= 32;
		}
		assert_int_equal(carry, 0);
	}
	return words[0] + UINT64_C(1400000000);
}

static void
an_id_has_27_digits_and_the_time(void **state)
{
	char id[W_EVENT_ID_LEN + 1];
	time_t before = time(NULL);

	(void)state;
	w_event_new_id(id);
	assert_int_equal(strlen(id), 27);
	assert_int_equal(strspn(id, digits), 27);
	assert_in_range(
	    seconds_of(id), (uint64_t)before, (uint64_t)before + 60);
}

static void
later_ids_sort_behind(void **state)
{
	char last[W_EVENT_ID_LEN + 1], id[W_EVENT_ID_LEN + 1];

	(void)state;
	w_event_new_id(last);
	for (int i = 0; i < 100000; i++) {
		w_event_new_id(id);
		if (strcmp(last, id) >= 0)
			fail_msg("%s is not behind %s", id, last);
		memcpy(last, id, sizeof(id));
	}
}

static void
a_forked_child_has_ids_of_its_own(void **state)
{
	char id[W_EVENT_ID_LEN + 1], other[W_EVENT_ID_LEN + 1];
	int ends[2], status;

	(void)state;
	w_event_new_id(id);
	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		w_event_new_id(id);
		_exit(write(ends[1], id, sizeof(id)) != sizeof(id));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(ends[0], other, sizeof(other)), sizeof(other));
	(void)close(ends[0]);
	(void)close(ends[1]);
	w_event_new_id(id);
	/* Different random bytes, not just the next number. */
	assert_memory_not_equal(id + 7, other + 7, 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_id_has_27_digits_and_the_time),
	    cmocka_unit_test(later_ids_sort_behind),
	    cmocka_unit_test(a_forked_child_has_ids_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
