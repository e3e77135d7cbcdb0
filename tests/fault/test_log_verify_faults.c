/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "../unit/leftovers.h"
#include "../unit/tampering.h"
#include "inject.h"

/*
 * Every call of a verification fails once, at each of its occurrences. It may
 * fail then; it must never find less, and call something sound that is not.
 */

static uint64_t
count_bad(void)
{
	uint64_t bad = 0;

	for (size_t i = 0; i < W_LOG_FAULT_COUNT; i++)
		if (w_log_fault_severity((enum w_log_fault_kind)i) == W_LOG_BAD)
			bad += proof.faults[i];
	return bad;
}

/* A log with a changed line, a gap, and something set aside that is not what
 * it was. */
static void
make_bad_log(void)
{
	make_log(4, 3);
	add_line("\"kind\":\"recovery\",\"found\":\"torn\",\"file\":"
		 "\"trail-000001.jsonl\",\"offset\":10,\"bytes\":4,\"saved\":"
		 "\"trail-000001.torn-10\",\"sha256\":\"00\"",
	    3);
	*strstr(made.line[1].bytes, "note") = 'm';
	take_out(6, 1);
	extra_name = "trail-000001.torn-10";
	extra_text = "abcd";
	verify_log();
	assert_int_equal(count_bad(), 3);
}

/* false: the call does not occur that often. */
static bool
fail_once(const char *function, unsigned at, int error, uint64_t least)
{
	writ_error err = {0};
	int fds = count_fds();

	fault_count = 0;
	inject_arm(function, at, 1, error);
	writ_status status = w_log_verify_run(&ask, &proof, &err);
	bool is_refused = inject_disarm();
	assert_int_equal(count_fds(), fds);
	if (status == WRIT_OK) {
		assert_true(count_bad() >= least);
	} else {
		assert_true(is_refused);
		assert_int_equal(status, err.status);
		assert_true(err.message[0] != '\0');
	}
	return is_refused;
}

static const struct {
	const char *function;
	int error;
	unsigned least; /* occurrences */
} calls[] = {
    {"allocation", ENOMEM, 20},
    {"open", EMFILE, 1},
    {"openat", EMFILE, 8},
    {"pread64", EIO, 8},
    {"read", EIO, 2},
    {"flock", ENOLCK, 0},
};

static void
fail_all(uint64_t least)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		unsigned at = 1;

		while (fail_once(calls[i].function, at, calls[i].error, least))
			at++;
	}
}

static void
whatever_fails_nothing_bad_is_called_sound(void **state)
{
	(void)state;
	make_bad_log();
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		unsigned at = 1;

		while (fail_once(calls[i].function, at, calls[i].error, 3))
			at++;
		assert_true(at > calls[i].least);
	}
}

static void
whatever_fails_nothing_sound_is_called_bad(void **state)
{
	(void)state;
	make_log(4, 3);
	verify_log();
	expect_no_fault();
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		unsigned at = 1;
		bool is_refused;

		do {
			proof = (struct w_log_proof){0};
			is_refused = fail_once(
			    calls[i].function, at++, calls[i].error, 0);
			assert_int_equal(count_bad(), 0);
		} while (is_refused);
	}
}

static void
whatever_fails_exchanged_files_are_found(void **state)
{
	(void)state;
	make_log(4, 3);
	for (size_t i = 4; i < 12; i++)
		made.line[i].file = i < 8 ? 3 : 2;
	verify_log();
	assert_int_equal(count_bad(), 2);
	fail_all(1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(whatever_fails_nothing_bad_is_called_sound),
	    TEST(whatever_fails_nothing_sound_is_called_bad),
	    TEST(whatever_fails_exchanged_files_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
