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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_byte_comes_back),
	    cmocka_unit_test(only_lower_case_digits_are_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
