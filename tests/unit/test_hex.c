/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/hex.h"

static void
every_byte_comes_back(void **state)
{
	uint8_t bytes[256];
	uint8_t back[256];
	char digits[512];

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)i;
	w_hex_put(digits, bytes, sizeof(bytes));
	assert_memory_equal(digits, "000102", 6);
	assert_memory_equal(digits + 506, "fdfeff", 6);
	assert_true(w_hex_get(back, digits, sizeof(back)));
	assert_memory_equal(back, bytes, sizeof(bytes));
}

static void
only_lower_case_digits_are_taken(void **state)
{
	(void)state;
	for (int c = 0; c < 256; c++) {
		char digits[2] = {'0', (char)c};
		uint8_t byte;
		bool is_digit = c != 0 && strchr("0123456789abcdef", c) != NULL;

		assert_int_equal(w_hex_get(&byte, digits, 1), is_digit);
		digits[0] = (char)c;
		digits[1] = '0';
		assert_int_equal(w_hex_get(&byte, digits, 1), is_digit);
	}
}

static void
single_digits_may_have_either_case(void **state)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	(void)state;
	for (int c = 0; c < 256; c++) {
		const char *at = c == 0 ? NULL : strchr(digits, c);
		long value = at == NULL ? -1 : at - digits;

		assert_int_equal(
		    w_hex_digit((char)c), value < 16 ? value : value - 6);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_byte_comes_back),
	    cmocka_unit_test(only_lower_case_digits_are_taken),
	    cmocka_unit_test(single_digits_may_have_either_case),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
