/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <string.h>

#include "base/size.h"

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)

struct good {
	const char *text;
	uint64_t bytes;
};

static void
sizes_are_read_exactly(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {"0", 0},
	    {"0TiB", 0},
	    {"0.0", 0},
	    {"1", 1},
	    {"1B", 1},
	    {"1b", 1},
	    {"1000", 1000},
	    {"1K", KIB},
	    {"1k", KIB},
	    {"1KiB", KIB},
	    {"1kib", KIB},
	    {"1KIB", KIB},
	    {"1kB", 1000},
	    {"1KB", 1000},
	    {"64MiB", 64 * MIB},
	    {"64m", 64 * MIB},
	    {"64MB", 64000000},
	    {"2G", 2 * GIB},
	    {"2GiB", 2 * GIB},
	    {"2GB", UINT64_C(2000000000)},
	    {"3T", 3 * TIB},
	    {"3TiB", 3 * TIB},
	    {"3tb", UINT64_C(3000000000000)},
	    {"1.5GiB", GIB + GIB / 2},
	    {"0.5k", 512},
	    {"0.001kB", 1},
	    {"0.9999999999999999999999TiB", TIB - 1},
	    {"1152921504606846976", W_SIZE_MAX},
	    {"1048576TiB", W_SIZE_MAX},
	    {"1152921504606846975", W_SIZE_MAX - 1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t bytes = 77;
		assert_int_equal(
		    w_size_parse(cases[i].text, &bytes, NULL), WRIT_OK);
		assert_int_equal(bytes, cases[i].bytes);
	}
}

static void
fractions_of_bytes_are_dropped_but_never_to_zero(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {"0.1KiB", 102},
	    {"1.9B", 1},
	    {"1.9", 1},
	    {"0.9B", 1},
	    {"0.00000000000000000000000000001TiB", 1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t bytes = 77;
		assert_int_equal(
		    w_size_parse(cases[i].text, &bytes, NULL), WRIT_OK);
		assert_int_equal(bytes, cases[i].bytes);
	}
}

static void
bad_sizes_are_refused_with_the_reason(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *why;
	} cases[] = {
	    {"", "it is empty"},
	    {"-1", "it is negative"},
	    {"+1", "it does not start with a digit"},
	    {"MiB", "it does not start with a digit"},
	    {".5G", "it does not start with a digit"},
	    {" 1", "it does not start with a digit"},
	    {"1 M", "blanks are not allowed"},
	    {"1M\n", "blanks are not allowed"},
	    {"1.", "the point needs digits around it"},
	    {"1.G", "the point needs digits around it"},
	    {"1.2.3", "the point needs digits around it"},
	    {"1Mi", "unknown unit"},
	    {"1MiBs", "unknown unit"},
	    {"1E", "unknown unit"},
	    {"1e3", "unknown unit"},
	    {"0x10", "unknown unit"},
	    {"1,5G", "unknown unit"},
	    {"1M1K", "unknown unit"},
	    {"1152921504606846977", "it is more than 1048576TiB"},
	    {"1152921504606846976.1", "it is more than 1048576TiB"},
	    {"1048577TiB", "it is more than 1048576TiB"},
	    {"1048576.00000000000000001TiB", "it is more than 1048576TiB"},
	    {"16777216TiB", "it is more than 1048576TiB"},
	    {"18446744073709551615", "it is more than 1048576TiB"},
	    {"18446744073709551616", "it is more than 1048576TiB"},
	    {"99999999999999999999999999T", "it is more than 1048576TiB"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t bytes = 77;
		writ_error err;
		assert_int_equal(
		    w_size_parse(cases[i].text, &bytes, &err), WRIT_E_INVALID);
		assert_int_equal(bytes, 77);
		assert_string_equal(err.stage, "size");
		assert_string_equal(
		    strrchr(err.message, ':') + 2, cases[i].why);
		assert_true(err.suggestion[0] != '\0');
	}
}

static void
locale_has_no_say(void **state)
{
	(void)state;
	/* Where the locale is not installed, this repeats the test in "C". */
	(void)setlocale(LC_ALL, "tr_TR.UTF-8");
	uint64_t bytes;
	assert_int_equal(w_size_parse("1.5MIB", &bytes, NULL), WRIT_OK);
	assert_int_equal(bytes, MIB + MIB / 2);
	assert_int_equal(w_size_parse("1,5MIB", &bytes, NULL), WRIT_E_INVALID);
	(void)setlocale(LC_ALL, "C");
}

static void
sizes_are_written_in_the_shortest_exact_form(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {"0B", 0},
	    {"1B", 1},
	    {"1000B", 1000},
	    {"1023B", 1023},
	    {"1KiB", KIB},
	    {"1025B", KIB + 1},
	    {"1536B", KIB + KIB / 2},
	    {"64MiB", 64 * MIB},
	    {"1.5MiB", MIB + MIB / 2},
	    {"1.5GiB", GIB + GIB / 2},
	    {"1048577B", MIB + 1},
	    {"1000000B", 1000000},
	    {"2TiB", 2 * TIB},
	    {"1048576TiB", W_SIZE_MAX},
	    {"1152921504606846975B", W_SIZE_MAX - 1},
	    {"18446744073709551615B", UINT64_MAX},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[W_SIZE_TEXT_MAX];
		w_size_format(cases[i].bytes, text);
		assert_string_equal(text, cases[i].text);
	}
}

static void
what_is_written_reads_back(void **state)
{
	(void)state;
	for (unsigned shift = 0; shift <= 60; shift++) {
		for (uint64_t odd = 1; odd < 64; odd += 2) {
			uint64_t bytes = (W_SIZE_MAX >> shift) / odd;
			uint64_t back = 77;
			char text[W_SIZE_TEXT_MAX];
			w_size_format(bytes, text);
			assert_int_equal(
			    w_size_parse(text, &back, NULL), WRIT_OK);
			assert_int_equal(back, bytes);
		}
	}
}

static void
checked_arithmetic_says_when_it_does_not_fit(void **state)
{
	(void)state;
	size_t out = 0;
	assert_true(w_size_add(SIZE_MAX - 1, 1, &out));
	assert_true(out == SIZE_MAX);
	assert_false(w_size_add(SIZE_MAX, 1, &out));
	assert_true(w_size_mul(SIZE_MAX / 2, 2, &out));
	assert_true(out == SIZE_MAX - 1);
	assert_false(w_size_mul(SIZE_MAX / 2 + 1, 2, &out));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sizes_are_read_exactly),
	    cmocka_unit_test(fractions_of_bytes_are_dropped_but_never_to_zero),
	    cmocka_unit_test(bad_sizes_are_refused_with_the_reason),
	    cmocka_unit_test(locale_has_no_say),
	    cmocka_unit_test(sizes_are_written_in_the_shortest_exact_form),
	    cmocka_unit_test(what_is_written_reads_back),
	    cmocka_unit_test(checked_arithmetic_says_when_it_does_not_fit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
