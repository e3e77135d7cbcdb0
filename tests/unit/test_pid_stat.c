/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "base/pid_stat.h"

#define TAIL                                                                  \
	" 1 2 3 4 5 4194304 7 8 9 10 100 20 3 1 20 0 1 0 987654 2605056 211 " \
	"18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n"

static void
a_name_can_have_anything_in_it(void **state)
{
	static const char *const texts[] = {"12 (sh) S" TAIL, "12 (a b) S" TAIL,
	    "12 (x) Z 99 1) S" TAIL, "12 () ) (S) S" TAIL, "12 (a\nb) S" TAIL};
	struct w_pid_stat stat;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_true(w_pid_stat_parse(texts[i], &stat));
		assert_int_equal(stat.state, 'S');
		assert_int_equal(stat.parent, 1);
		assert_int_equal(stat.cpu_ticks, 124);
		assert_int_equal(stat.start_ticks, 987654);
		assert_false(w_pid_stat_is_zombie(&stat));
	}
	assert_true(w_pid_stat_parse("12 (sh) Z" TAIL, &stat));
	assert_true(w_pid_stat_is_zombie(&stat));
}

static void
another_text_is_refused(void **state)
{
	static const char *const texts[] = {"", "12", "12 (sh", "12 (sh)",
	    "12 (sh) S 1 2 3", "12 (sh) S 1 2 3 4 5 6 7 8 9 10 100 20 3 1 20 0",
	    "12 (sh) S x 2 3 4 5 6 7 8 9 10 100 20 3 1 20 0 1 0 5"};
	struct w_pid_stat stat = {.parent = 77};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(w_pid_stat_parse(texts[i], &stat));
	assert_int_equal(stat.parent, 77);
}

static void
the_kernel_says_who_started_this_test(void **state)
{
	char text[1024];
	struct w_pid_stat stat;
	FILE *file = fopen("/proc/self/stat", "re");

	(void)state;
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	(void)fclose(file);
	assert_true(w_pid_stat_parse(text, &stat));
	assert_int_equal(stat.parent, getppid());
	assert_int_equal(stat.state, 'R');
	assert_true(stat.start_ticks > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_name_can_have_anything_in_it),
	    cmocka_unit_test(another_text_is_refused),
	    cmocka_unit_test(the_kernel_says_who_started_this_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
