/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/output/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
expect(const char *text, const char *cell)
{
	W_AUTO_BUF struct w_buf out;
	struct w_csv csv = {.out = &out};

	w_buf_init(&out, 4096);
	w_csv_text(&csv, text);
	assert_string_equal(out.data, cell);
}

static void
plain_text_is_not_quoted(void **state)
{
	(void)state;
	expect("make test", "make test");
	expect("it's", "it's");
	expect("", "");
	expect(NULL, "");
}

static void
separators_quotes_and_line_ends_are_quoted(void **state)
{
	(void)state;
	expect("a,b", "\"a,b\"");
	expect("say \"no\"", "\"say \"\"no\"\"\"");
	expect("a\nb", "\"a\nb\"");
	expect("a\rb", "\"a\rb\"");
}

static void
what_a_spreadsheet_would_run_is_text(void **state)
{
	(void)state;
	expect("=1+1", "'=1+1");
	expect("+1", "'+1");
	expect("-rf", "'-rf");
	expect("@SUM(A1)", "'@SUM(A1)");
	expect("\t=1", "'\t=1");
	expect("\r=1", "\"'\r=1\"");
	expect(
	    "=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
	expect("a=b", "a=b");
}

static void
a_row_has_commas_between_and_ends_with_cr_lf(void **state)
{
	W_AUTO_BUF struct w_buf out;
	struct w_csv csv = {.out = &out};

	(void)state;
	w_buf_init(&out, 4096);
	w_csv_number(&csv, 812);
	w_csv_text(&csv, NULL);
	w_csv_text(&csv, "x");
	w_csv_end_row(&csv);
	w_csv_text(&csv, NULL);
	w_csv_number(&csv, UINT64_MAX);
	w_csv_end_row(&csv);
	assert_string_equal(out.data, "812,,x\r\n,18446744073709551615\r\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(plain_text_is_not_quoted),
	    cmocka_unit_test(separators_quotes_and_line_ends_are_quoted),
	    cmocka_unit_test(what_a_spreadsheet_would_run_is_text),
	    cmocka_unit_test(a_row_has_commas_between_and_ends_with_cr_lf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
