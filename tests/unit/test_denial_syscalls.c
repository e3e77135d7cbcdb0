/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <string.h>

#include "run/denials/denial_syscalls.h"
#include "sandbox/seccomp/syscall_table.h"

static bool
is_watched(unsigned class)
{
	static const unsigned classes[] = {W_SECCOMP_WATCH, W_SECCOMP_METADATA,
	    W_SECCOMP_MODES, W_SECCOMP_EXECVEAT, W_SECCOMP_CHMOD,
	    W_SECCOMP_CHMODAT, W_SECCOMP_CREATE, W_SECCOMP_CREATEAT,
	    W_SECCOMP_OPEN, W_SECCOMP_OPENAT};

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (classes[i] == class)
			return true;
	}
	return false;
}

static void
every_call_that_is_watched_is_understood(void **state)
{
	(void)state;
	for (size_t i = 0; i < w_seccomp_call_count; i++) {
		const struct w_seccomp_call *call = &w_seccomp_calls[i];

		if (!is_watched(call->class))
			continue;
		if (w_syscall_next(call->name, NULL) == NULL)
			fail_msg("%s is watched for nothing", call->name);
	}
}

static void
a_rename_is_two_deeds(void **state)
{
	const struct w_syscall_use *from = w_syscall_next("renameat2", NULL);

	(void)state;
	assert_non_null(from);
	assert_int_equal(from->operation, W_OPERATION_RENAME);
	const struct w_syscall_use *to = w_syscall_next("renameat2", from);
	assert_non_null(to);
	assert_int_equal(to->operation, W_OPERATION_RENAME_TO);
	assert_int_equal(to->dir, 2);
	assert_int_equal(to->path, 3);
	assert_null(w_syscall_next("renameat2", to));
	assert_null(w_syscall_next("getpid", NULL));
}

static void
the_flags_of_an_open_say_what_it_does(void **state)
{
	(void)state;
	assert_int_equal(
	    w_syscall_open_operation(O_RDONLY | O_CLOEXEC), W_OPERATION_READ);
	assert_int_equal(
	    w_syscall_open_operation(O_RDONLY | O_CREAT), W_OPERATION_READ);
	assert_int_equal(w_syscall_open_operation(O_WRONLY), W_OPERATION_WRITE);
	assert_int_equal(w_syscall_open_operation(O_RDWR), W_OPERATION_WRITE);
	assert_int_equal(
	    w_syscall_open_operation(O_RDONLY | O_TRUNC), W_OPERATION_WRITE);
	assert_int_equal(
	    w_syscall_open_operation(O_PATH | O_RDWR), W_OPERATION_READ);
	assert_int_equal(
	    w_syscall_open_operation(O_TMPFILE | O_RDWR), W_OPERATION_WRITE);
	assert_int_equal(
	    w_syscall_open_operation(O_RDONLY | O_DIRECTORY), W_OPERATION_READ);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_call_that_is_watched_is_understood),
	    cmocka_unit_test(a_rename_is_two_deeds),
	    cmocka_unit_test(the_flags_of_an_open_say_what_it_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
