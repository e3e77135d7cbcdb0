/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every allocation fails once while a shell string is taken apart and a script
 * is read. What leaks is found by the address sanitizer, in a build that has
 * it.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "command/script/script.h"
#include "command/shell/shell.h"
#include "surviving.h"

static writ_status
take_apart(writ_error *err)
{
	static const char text[] =
	    "k if then 2 3 4 5 6 7 8 9 10 11 >o1 2>o2 | A=1 B=2 q\n"
	    ">a >b >c >d && q a b c d || C=3; k 1 2 3\n"
	    "for x in a b; do (q \"$x\" *.c); done <<'E'\nlong\nE\n"
	    "f() { if k $(q); then q; fi; }; case a in b) k;; esac";
	const struct w_shell_input input = {
	    .text = text, .len = sizeof(text) - 1};
	struct w_shell shell = {.command_count = 77};
	writ_status status = w_shell_parse(&input, &shell, err);

	if (status == WRIT_OK) {
		assert_int_equal(shell.command_count, 12);
		w_shell_done(&shell);
	} else {
		assert_int_equal(shell.command_count, 77);
	}
	return status;
}

static bool
touch(void *ctx, unsigned effect, const char *path, size_t len)
{
	(void)ctx;
	(void)effect;
	(void)path;
	(void)len;
	return true;
}

static bool
run(void *ctx, const char *command, size_t len)
{
	(void)ctx;
	(void)command;
	(void)len;
	return true;
}

static writ_status
read_script(writ_error *err)
{
	static const char text[] = "{print $1 > \"x\"; system(\"y\" $2)}";
	const struct w_script_sink sink = {NULL, touch, run};

	return w_script_read(
	    W_SCRIPT_AWK, text, sizeof(text) - 1, &sink, NULL, err);
}

static void
taking_apart_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(take_apart, 2, 100);
}

static void
reading_a_script_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(read_script, 2, 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(taking_apart_survives_each_failed_allocation),
	    cmocka_unit_test(reading_a_script_survives_each_failed_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
