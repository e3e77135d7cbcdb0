/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include "base/signal_name.h"

static void
every_signal_is_found_by_its_name(void **state)
{
	(void)state;
	for (int signal = 1; signal <= SIGRTMAX; signal++) {
		char name[W_SIGNAL_NAME_MAX];

		assert_ptr_equal(w_signal_name(signal, name), name);
		assert_int_equal(w_signal_find(name), signal);
	}
}

static void
names_are_those_of_the_system(void **state)
{
	char name[W_SIGNAL_NAME_MAX];

	(void)state;
	assert_string_equal(w_signal_name(SIGKILL, name), "SIGKILL");
	assert_string_equal(w_signal_name(SIGRTMIN, name), "SIGRTMIN");
	assert_string_equal(w_signal_name(SIGRTMIN + 3, name), "SIGRTMIN+3");
	assert_string_equal(w_signal_name(33, name), "SIG33");
	assert_string_equal(w_signal_name(4711, name), "SIG4711");
}

static void
what_is_no_signal_is_none(void **state)
{
	(void)state;
	assert_int_equal(w_signal_find("SIGRTMIN+0"), SIGRTMIN);
	assert_int_equal(w_signal_find("SIGRTMIN+99"), 0);
	assert_int_equal(w_signal_find("SIGRTMIN+"), 0);
	assert_int_equal(w_signal_find("SIG-1"), 0);
	assert_int_equal(w_signal_find("SIG0"), 0);
	assert_int_equal(w_signal_find("SIG"), 0);
	assert_int_equal(w_signal_find("KILL"), 0);
	assert_int_equal(w_signal_find(""), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_signal_is_found_by_its_name),
	    cmocka_unit_test(names_are_those_of_the_system),
	    cmocka_unit_test(what_is_no_signal_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
