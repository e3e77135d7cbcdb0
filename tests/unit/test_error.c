/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/encode.h"
#include "base/error.h"

static void
status_table_answers_for_every_row(void **state)
{
	(void)state;
#define X(name, value, word, exit_status, text)                     \
	assert_int_equal(WRIT_##name, (value));                     \
	assert_string_equal(writ_status_word(WRIT_##name), (word)); \
	assert_string_equal(writ_status_text(WRIT_##name), (text)); \
	assert_int_equal(writ_status_exit(WRIT_##name), (exit_status));
	WRIT_STATUS_MAP(X)
#undef X
	assert_string_equal(writ_status_word(WRIT_E_NOTFOUND), "not_found");
	assert_int_equal(writ_status_exit(WRIT_E_NOTFOUND), 127);
}

static void
unknown_status_has_words_too(void **state)
{
	(void)state;
	/* Numbers from newer versions come through a shared library. */
	int raw = -99;
	writ_status odd = (writ_status)raw;
	assert_string_equal(writ_status_word(odd), "unknown");
	assert_non_null(writ_status_text(odd));
	assert_int_equal(writ_status_exit(odd), 125);
}

static void
fail_fills_every_field(void **state)
{
	(void)state;
	writ_error err;
	memset(&err, 0x5a, sizeof(err));
	writ_status status = w_fail(
	    &err, WRIT_E_SYSTEM, "cwd", ENOENT, "cannot open '%s'", "/x");
	assert_int_equal(status, WRIT_E_SYSTEM);
	assert_int_equal(err.status, WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ENOENT);
	assert_int_equal(err.line, 0);
	assert_int_equal(err.column, 0);
	assert_string_equal(err.stage, "cwd");
	assert_string_equal(
	    err.message, "cannot open '/x': No such file or directory");
	assert_string_equal(err.suggestion, "");
}

static void
fail_without_error_object_returns_the_status(void **state)
{
	(void)state;
	assert_int_equal(
	    w_fail(NULL, WRIT_E_INVALID, "x", 0, "y"), WRIT_E_INVALID);
	assert_int_equal(w_fail_nomem(NULL, "x"), WRIT_E_NOMEM);
	w_suggest(NULL, "z");
	w_locate(NULL, 1, 2);
}

static void
out_of_memory_has_one_message(void **state)
{
	(void)state;
	writ_error err;
	assert_int_equal(w_fail_nomem(&err, "words"), WRIT_E_NOMEM);
	assert_string_equal(err.message, "out of memory");
	assert_string_equal(err.stage, "words");
	assert_int_equal(err.sys_errno, 0);
}

static void
unknown_errno_still_has_a_text(void **state)
{
	(void)state;
	writ_error err;
	(void)w_fail(&err, WRIT_E_SYSTEM, "x", 99999, "odd");
	assert_string_equal(err.message, "odd: unknown error");
}

static void
errno_is_kept(void **state)
{
	(void)state;
	writ_error err;
	errno = EBADF;
	(void)w_fail(&err, WRIT_E_SYSTEM, "x", ENOENT, "a %d", 1);
	assert_int_equal(errno, EBADF);
	w_suggest(&err, "b %d", 2);
	assert_int_equal(errno, EBADF);
}

static void
suggestion_and_place_are_added_to_a_failure(void **state)
{
	(void)state;
	writ_error err;
	(void)w_fail(&err, WRIT_E_INVALID, "request", 0, "unknown key 'alow'");
	w_suggest(&err, "did you mean '%s'?", "allow");
	w_locate(&err, 12, 7);
	assert_string_equal(err.suggestion, "did you mean 'allow'?");
	assert_int_equal(err.line, 12);
	assert_int_equal(err.column, 7);
	assert_string_equal(err.message, "unknown key 'alow'");

	(void)w_fail(&err, WRIT_E_INVALID, "request", 0, "another");
	assert_string_equal(err.suggestion, "");
	assert_int_equal(err.line, 0);
}

static void
message_at_its_limit_is_whole_and_beyond_it_is_cut(void **state)
{
	(void)state;
	writ_error err;
	char text[400];
	memset(text, 'a', sizeof(text));

	text[sizeof(err.message) - 1] = '\0';
	(void)w_fail(&err, WRIT_E_INVALID, "x", 0, "%s", text);
	assert_string_equal(err.message, text);

	text[sizeof(err.message) - 1] = 'a';
	text[sizeof(err.message)] = '\0';
	(void)w_fail(&err, WRIT_E_INVALID, "x", 0, "%s", text);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
	assert_string_equal(err.message + sizeof(err.message) - 5, "a...");
}

static void
long_name_does_not_push_the_cause_out(void **state)
{
	(void)state;
	writ_error err;
	char text[5000];
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	(void)w_fail(&err, WRIT_E_SYSTEM, text, EACCES, "open '%s'", text);
	const char *tail = "aaa...: Permission denied";
	assert_string_equal(
	    err.message + strlen(err.message) - strlen(tail), tail);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
	assert_int_equal(strlen(err.stage), sizeof(err.stage) - 1);

	w_suggest(&err, "%s", text);
	assert_int_equal(strlen(err.suggestion), sizeof(err.suggestion) - 1);
}

static void
cut_never_splits_a_character(void **state)
{
	(void)state;
	for (size_t lead = 0; lead < 8; lead++) {
		char text[2000];
		writ_error err;
		memset(text, 'a', lead);
		for (size_t i = lead; i + 4 < sizeof(text); i += 4)
			memcpy(text + i, "\xf0\x9f\x98\x80", 5);
		(void)w_fail(&err, WRIT_E_INVALID, "x", EPERM, "%s", text);
		assert_true(w_utf8_valid(err.message, strlen(err.message)));
		assert_null(strstr(err.message, "\\x"));
		assert_non_null(strstr(err.message, "...: Operation not"));
	}
}

static void
control_characters_are_made_harmless(void **state)
{
	(void)state;
	writ_error err;
	(void)w_fail(&err, WRIT_E_INVALID, "a\nb", 0, "'%s'",
	    "one\ntwo\r\x1b[31m\x7f\x01\t");
	assert_string_equal(
	    err.message, "'one\\x0atwo\\x0d\\x1b[31m\\x7f\\x01\\x09'");
	assert_string_equal(err.stage, "a\\x0ab");

	w_suggest(&err, "%s", "\x1b]0;x\x07");
	assert_string_equal(err.suggestion, "\\x1b]0;x\\x07");
}

static void
controls_above_ascii_are_made_harmless(void **state)
{
	(void)state;
	static const char *const harmful[] = {"\xc2\x80", "\xc2\x9b",
	    "\xc2\x9f",                                     /* C1 */
	    "\xe2\x80\xa8", "\xe2\x80\xa9",                 /* line ends */
	    "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x80\x8f", /* direction */
	    "\xe2\x81\xa6", "\xe2\x81\xa9", "\xd8\x9c"};
	for (size_t i = 0; i < sizeof(harmful) / sizeof(harmful[0]); i++) {
		writ_error err;
		(void)w_fail(&err, WRIT_E_INVALID, "x", 0, "<%s>", harmful[i]);
		assert_null(strstr(err.message, harmful[i]));
		assert_int_equal(
		    strlen(err.message), 2 + 4 * strlen(harmful[i]));
	}
}

static void
ordinary_text_of_any_script_is_kept(void **state)
{
	(void)state;
	writ_error err;
	const char *text = "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80 "
			   "\xc2\xa0 \xe2\x80\xa7 \xe2\x80\xaf \\x41";
	(void)w_fail(&err, WRIT_E_INVALID, "x", 0, "%s", text);
	assert_string_equal(err.message, text);
}

static void
bytes_that_are_no_character_are_spelled_out(void **state)
{
	(void)state;
	writ_error err;
	(void)w_fail(&err, WRIT_E_INVALID, "x", 0, "%s|%s|%s|%s", "\xff",
	    "\xc3(", "\xed\xa0\x80", "\xe2\x82");
	assert_string_equal(
	    err.message, "\\xff|\\xc3(|\\xed\\xa0\\x80|\\xe2\\x82");
}

static void
message_may_be_wrapped_in_itself(void **state)
{
	(void)state;
	writ_error err;
	(void)w_fail(&err, WRIT_E_INVALID, "inner", 0, "bad '\n'");
	(void)w_fail(
	    &err, WRIT_E_INVALID, err.stage, 0, "outer: %s", err.message);
	assert_string_equal(err.message, "outer: bad '\\x0a'");
	assert_string_equal(err.stage, "inner");

	w_suggest(&err, "try");
	w_suggest(&err, "%s harder", err.suggestion);
	assert_string_equal(err.suggestion, "try harder");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(status_table_answers_for_every_row),
	    cmocka_unit_test(unknown_status_has_words_too),
	    cmocka_unit_test(fail_fills_every_field),
	    cmocka_unit_test(fail_without_error_object_returns_the_status),
	    cmocka_unit_test(out_of_memory_has_one_message),
	    cmocka_unit_test(unknown_errno_still_has_a_text),
	    cmocka_unit_test(errno_is_kept),
	    cmocka_unit_test(suggestion_and_place_are_added_to_a_failure),
	    cmocka_unit_test(
		message_at_its_limit_is_whole_and_beyond_it_is_cut),
	    cmocka_unit_test(long_name_does_not_push_the_cause_out),
	    cmocka_unit_test(cut_never_splits_a_character),
	    cmocka_unit_test(control_characters_are_made_harmless),
	    cmocka_unit_test(controls_above_ascii_are_made_harmless),
	    cmocka_unit_test(ordinary_text_of_any_script_is_kept),
	    cmocka_unit_test(bytes_that_are_no_character_are_spelled_out),
	    cmocka_unit_test(message_may_be_wrapped_in_itself),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
