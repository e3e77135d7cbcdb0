/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "schema/format/format.h"
#include "suite_cases.h"

static bool
has_format(const char *format, const char *text, size_t len)
{
	w_format_fn check = w_format_find(format, strlen(format));

	assert_non_null(check);

	/* Nothing after the text may be read. */
	char *exact = malloc(len > 0 ? len : 1);

	assert_non_null(exact);
	memcpy(exact, text, len);

	bool answer = check(exact, len);

	free(exact);
	return answer;
}

static bool
is_format(const char *format, const char *text)
{
	return has_format(format, text, strlen(text));
}

/* A format applies to strings only; unknown formats are ignored. */
static bool
judge(const struct suite_case *one, void *ctx)
{
	yyjson_val *name = yyjson_obj_get(one->schema, "format");
	bool valid = true;

	(void)ctx;
	assert_true(yyjson_is_str(name));
	if (w_format_find(yyjson_get_str(name), yyjson_get_len(name)) == NULL)
		assert_string_equal(yyjson_get_str(name), "unknown");
	else if (yyjson_is_str(one->data))
		valid = has_format(yyjson_get_str(name),
		    yyjson_get_str(one->data), yyjson_get_len(one->data));
	return valid == one->valid;
}

static size_t
run_files(const char *draft, const char *const *names, size_t *wrong)
{
	size_t count = 0;

	for (size_t i = 0; names[i] != NULL; i++) {
		char file[256];

		(void)snprintf(file, sizeof(file), "%s/optional/format/%s.json",
		    draft, names[i]);
		count += suite_run(file, judge, NULL, wrong);
	}
	return count;
}

static void
every_case_of_the_suite_comes_out_right(void **state)
{
	(void)state;
	static const char *const both[] = {"date", "date-time",
	    "ecmascript-regex", "email", "hostname", "idn-email",
	    "idn-hostname", "ipv4", "ipv6", "iri", "iri-reference",
	    "json-pointer", "regex", "relative-json-pointer", "time", "unknown",
	    "uri", "uri-reference", "uri-template", NULL};
	static const char *const only_new[] = {"duration", "uuid", NULL};
	size_t wrong = 0;
	size_t old_count = run_files("draft7", both, &wrong);
	size_t new_count = run_files("draft2020-12", both, &wrong) +
			   run_files("draft2020-12", only_new, &wrong);

	print_message("# formats: %zu of draft-07, %zu of 2020-12, %zu wrong\n",
	    old_count, new_count, wrong);
	assert_int_equal(wrong, 0);
	assert_int_equal(old_count, 674);
	assert_int_equal(new_count, 762);
}

static void
a_path_is_any_text_without_nul(void **state)
{
	(void)state;
	assert_true(is_format("path", ""));
	assert_true(is_format("path", "-rf /\n*"));
	assert_false(has_format("path", "a\0b", 3));
}

static void
names_of_formats_are_exact(void **state)
{
	(void)state;
	assert_null(w_format_find("", 0));
	assert_null(w_format_find("Date", 4));
	assert_null(w_format_find("dat", 3));
	assert_null(w_format_find("date\0", 5));
	assert_non_null(w_format_find("dates", 4));
}

static void
times_end_with_their_offset(void **state)
{
	(void)state;
	assert_false(is_format("time", ""));
	assert_false(is_format("time", "12:00:00."));
	assert_false(is_format("time", "12:00:00.Z"));
	assert_false(is_format("time", "12:00:00+1"));
	assert_false(is_format("date-time", "2020-01-01"));
	assert_false(is_format("date-time", "2020-01-01T"));
	assert_false(is_format("date-time", "2020-01-01 12:00:00Z"));
	assert_true(is_format("date-time", "0000-02-29t23:59:60z"));
	assert_true(is_format("date-time", "2020-01-01T00:00:00.1-23:59"));
	assert_false(is_format("duration", "P1WW"));
	assert_false(is_format("duration", "PW"));
	assert_false(has_format("duration", "P1\0", 3));
}

static void
addresses_are_whole(void **state)
{
	(void)state;
	assert_true(is_format("ipv6", "1:2:3:4:5:6:7::"));
	assert_true(is_format("ipv6", "::2:3:4:5:6:7:8"));
	assert_false(is_format("ipv6", "1:2:3:4::5:6:7:8"));
	assert_false(is_format("ipv6", "1.2.3.4::"));
	assert_false(is_format("ipv6", "::1.2.3.4:5"));
	assert_false(is_format("ipv6", ":"));
	assert_false(is_format("ipv6", ":::"));
	assert_false(is_format("ipv6", ""));
	assert_false(is_format("ipv4", "1.2.3."));
	assert_false(has_format("ipv4", "1.2.3.4\0", 8));
}

static void
mailboxes_have_two_halves(void **state)
{
	(void)state;
	assert_false(is_format("email", ""));
	assert_false(is_format("email", "@"));
	assert_false(is_format("email", "a@b@c"));
	assert_false(is_format("email", "\"a\\\"@example.com"));
	assert_true(is_format("email", "\"a\\\"\"@example.com"));
	assert_false(is_format("email", "\"\n\"@example.com"));
	assert_false(is_format("email", "\"@example.com"));
	assert_false(is_format("email", "a@[]"));
	assert_false(is_format("email", "a@[IPv6:]"));
	assert_false(is_format("email", "\u00e9@example.com"));
	assert_false(has_format("email", "a\0b@example.com", 15));
}

static void
names_of_hosts_keep_their_lengths(void **state)
{
	(void)state;
	static const char label[] =
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.";
	char name[260] = "";

	for (size_t i = 0; i < 4; i++)
		(void)strcat(name, label);
	(void)strcat(name, "aaaaa"); /* 4 * 62 + 5 = 253 */
	assert_true(is_format("hostname", name));
	assert_true(is_format("idn-hostname", name));
	(void)strcat(name, "a");
	assert_false(is_format("hostname", name));
	assert_false(is_format("idn-hostname", name));
	assert_false(is_format("idn-hostname", "ab--cd"));
	assert_false(is_format("hostname", "xn--"));
	assert_false(is_format("hostname", "xn---"));
	assert_false(is_format("hostname", "xn--99999999999999999999"));
	assert_true(is_format("idn-hostname", "b\u00fccher.example"));
	assert_false(is_format("idn-hostname", "B\u00fccher.example"));
	assert_true(is_format("hostname", "xn--bcher-kva.example"));
}

static void
links_stay_within_their_alphabet(void **state)
{
	(void)state;
	assert_true(is_format("uri", "a:"));
	assert_true(is_format("uri", "http://"));
	assert_true(is_format("uri", "http://host:"));
	assert_true(is_format("uri", "http://u:p@[::1]:80/a/b?c=d/?#e/?"));
	assert_false(is_format("uri", "http://[::1"));
	assert_false(is_format("uri", "http://[::1]x"));
	assert_false(is_format("uri", "http://[v1.]"));
	assert_false(is_format("uri", "http://a/#b#c"));
	assert_false(is_format("uri", ":a"));
	assert_false(is_format("uri", ""));
	assert_false(has_format("uri", "a:\0", 3));
	assert_false(is_format("uri-reference", "a\nb"));
	assert_false(is_format("iri", "http://a/\ue000"));
	assert_true(is_format("iri", "http://a/?\ue000"));
	assert_false(is_format("uri-template", "{a:}"));
	assert_false(is_format("uri-template", "{a*b}"));
	assert_false(is_format("uri-template", "{.}"));
	assert_false(is_format("uri-template", "{a.}"));
	assert_false(is_format("uri-template", "{%4}"));
}

static void
a_regex_may_be_one_that_cannot_be_matched(void **state)
{
	(void)state;
	assert_true(is_format("regex", "(?<=a+)b"));
	assert_false(is_format("regex", "(*LIMIT_MATCH=1)a"));
	assert_false(is_format("regex", "a++"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_case_of_the_suite_comes_out_right),
	    cmocka_unit_test(a_path_is_any_text_without_nul),
	    cmocka_unit_test(names_of_formats_are_exact),
	    cmocka_unit_test(times_end_with_their_offset),
	    cmocka_unit_test(addresses_are_whole),
	    cmocka_unit_test(mailboxes_have_two_halves),
	    cmocka_unit_test(names_of_hosts_keep_their_lengths),
	    cmocka_unit_test(links_stay_within_their_alphabet),
	    cmocka_unit_test(a_regex_may_be_one_that_cannot_be_matched),
	};
	return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
