/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "audit/record/redact.h"

/* What a text with these secrets becomes. */
static const char *
redacted(const char *text, const char *const *secrets)
{
	static char shown[512];
	struct w_redactor redactor = {0};
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	assert_int_equal(w_redactor_add(&redactor, secrets, NULL), WRIT_OK);
	w_redact_add(&redactor, &buf, text);
	assert_false(buf.failed);
	assert_int_equal(
	    redactor.has_redacted, strstr(buf.data, W_REDACTED) != NULL ||
				       strstr(buf.data, "b64") != NULL);
	(void)snprintf(shown, sizeof(shown), "%s", buf.data);
	w_redactor_done(&redactor);
	return shown;
}

#define EXPECT(text, expected, ...)                                   \
	assert_string_equal(                                          \
	    redacted(text, (const char *const[]){__VA_ARGS__, NULL}), \
	    expected)

static void
a_text_without_secrets_stays_what_it_is(void **state)
{
	(void)state;
	EXPECT("plain", "\"plain\"", "secret");
	EXPECT("", "\"\"", "secret");
	assert_string_equal(redacted(NULL, NULL), "null");
	assert_string_equal(redacted("a\"b", NULL), "\"a\\\"b\"");
}

static void
a_secret_is_replaced_wherever_it_stands(void **state)
{
	(void)state;
	EXPECT("--token=hunter2", "\"--token=[secret]\"", "hunter2");
	EXPECT("hunter2", "\"[secret]\"", "hunter2");
	EXPECT("a hunter2 b hunter2", "\"a [secret] b [secret]\"", "hunter2");
	EXPECT("x1y1", "\"x[secret]y[secret]\"", "1");
	EXPECT("anything", "\"anything\"", "");
}

static void
secrets_that_overlap_go_whole(void **state)
{
	(void)state;
	EXPECT("xabcdefy", "\"x[secret]y\"", "abcd", "cdef");
	EXPECT("xabcdefy", "\"x[secret]y\"", "cdef", "abcd");
	EXPECT("abab-ababab", "\"[secret]-[secret]\"", "abab");
	EXPECT("passwordlong", "\"[secret]\"", "password", "passwordlong");
}

static void
what_json_would_escape_hides_no_secret(void **state)
{
	(void)state;
	EXPECT("k=a\"b\\c", "\"k=[secret]\"", "a\"b\\c");
	EXPECT("one\ntwo", "\"[secret]\"", "one\ntwo");
	EXPECT("\x01\x02", "\"[secret]\"", "\x01\x02");
}

static void
bytes_that_are_not_utf8_hide_no_secret(void **state)
{
	(void)state;
	EXPECT("k=\x80\xff!", "\"k=[secret]!\"", "\x80\xff");
	EXPECT("\xfe:hunter2", "{\"b64\":\"/jpbc2VjcmV0XQ==\"}", "hunter2");
	/* Half a character of the text is a secret: the rest is not UTF-8. */
	EXPECT("\xc3\xa4", "{\"b64\":\"W3NlY3JldF2k\"}", "\xc3");
}

static void
names_of_variables_speak_of_secrets(void **state)
{
	static const char *const secret[] = {"GITHUB_TOKEN", "AWS_SECRET_ID",
	    "db_password", "PGPASSWD", "API_KEY", "SSH_AUTH_SOCK", "COOKIE",
	    "X_PRIVATE", "MyCredentials", "SESSION_ID", "AUTHORIZATION",
	    "OAUTH"};
	static const char *const plain[] = {"PATH", "HOME", "LANG", "TERM", "",
	    "TOKE", "T", "USER", "PWD", "GIT_AUTHOR_NAME", "AUTHOR",
	    "XDG_SESSION_CLASS", "DESKTOP_SESSION"};

	(void)state;
	for (size_t i = 0; i < sizeof(secret) / sizeof(*secret); i++)
		assert_true(
		    w_redact_is_secret_name(secret[i], strlen(secret[i])));
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		assert_false(
		    w_redact_is_secret_name(plain[i], strlen(plain[i])));
	/* Only the name counts, not what follows it. */
	assert_false(w_redact_is_secret_name("A=TOKEN", 1));
}

static void
values_of_such_variables_are_secrets_if_they_are_long(void **state)
{
	const char *const env[] = {"GITHUB_TOKEN=abcdefgh", "MY_KEY=short",
	    "PATH=/usr/bin:/bin", "TOKEN", "A_TOKEN=", NULL};
	struct w_redactor redactor = {0};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	assert_int_equal(w_redactor_add_env(&redactor, env, NULL), WRIT_OK);
	assert_int_equal(redactor.count, 1);
	w_redact_add(&redactor, &buf, "abcdefgh short /usr/bin:/bin");
	assert_string_equal(buf.data, "\"[secret] short /usr/bin:/bin\"");
	w_redactor_done(&redactor);
}

/* An error about a text, and what the record shows of it. */
static void
expect_message(const char *secret, const char *text, const char *expected)
{
	const char *const secrets[] = {secret, NULL};
	struct w_redactor redactor = {0};
	writ_error error;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	assert_int_equal(w_redactor_add(&redactor, secrets, NULL), WRIT_OK);
	(void)w_fail(&error, WRIT_E_INVALID, "x", 0, "cannot open %s", text);
	w_redact_add_message(&redactor, &buf, error.message);
	assert_string_equal(buf.data, expected);
	w_redactor_done(&redactor);
}

static void
a_message_shows_no_part_of_a_secret(void **state)
{
	(void)state;
	expect_message("hunter2", "'file'", "\"cannot open 'file'\"");
	expect_message("hunter2", "'hunter2'", "\"cannot open '[secret]'\"");
	expect_message(
	    "a-long-secret", "'a-long-se'", "\"cannot open '[secret]'\"");
	expect_message("a\nb\x80", "'a\nb\x80'", "\"cannot open '[secret]'\"");
	expect_message("pin", "'pin'", "\"cannot open '[secret]'\"");
	expect_message("pin", "'pi'", "\"cannot open 'pi'\"");
}

static void
a_buffer_that_is_full_shows_nothing_of_the_rest(void **state)
{
	const char *const secrets[] = {"hunter2", NULL};
	struct w_redactor redactor = {0};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4);
	assert_int_equal(w_redactor_add(&redactor, secrets, NULL), WRIT_OK);
	w_redact_add(&redactor, &buf, "say hunter2");
	assert_true(buf.failed);
	assert_null(strstr(buf.data, "hun"));
	w_redactor_done(&redactor);
}

static void
many_secrets_are_all_found(void **state)
{
	static char names[40][16];
	const char *secrets[41] = {NULL};
	struct w_redactor redactor = {0};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	for (int i = 0; i < 40; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "<secret%d>", i);
		secrets[i] = names[i];
	}
	w_buf_init(&buf, 4096);
	assert_int_equal(w_redactor_add(&redactor, secrets, NULL), WRIT_OK);
	assert_int_equal(redactor.count, 40);
	w_redact_add(&redactor, &buf, "a<secret0>b<secret39>c");
	assert_string_equal(buf.data, "\"a[secret]b[secret]c\"");
	w_redactor_done(&redactor);
	w_redactor_done(&redactor);
}

static void
text_and_errors_lose_their_secrets_too(void **state)
{
	static const char *const secrets[] = {"hunter2", NULL};
	struct w_redactor redactor = {0};
	writ_error error;
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	assert_int_equal(w_redactor_add(&redactor, secrets, NULL), WRIT_OK);
	w_buf_init(&buf, 100);
	w_redact_text(&redactor, &buf, "a 'b'", 5);
	assert_false(redactor.has_redacted);
	w_redact_text(&redactor, &buf, " hunter2!", 9);
	assert_string_equal(buf.data, "a 'b' [secret]!");
	assert_true(redactor.has_redacted);

	(void)w_fail(&error, WRIT_E_INVALID, "x", 0, "no '%s'", "hunter2");
	w_suggest(&error, "not hunter2");
	w_redact_error(&redactor, &error);
	assert_string_equal(error.message, "no '[secret]'");
	assert_string_equal(error.suggestion, "not [secret]");
	w_redact_error(&redactor, NULL);
	w_redactor_done(&redactor);
}

static void
a_place_of_a_word_goes_there_and_nowhere_else(void **state)
{
	static const char *const secrets[] = {"cdef", NULL};
	static const struct w_redact_span spans[] = {{0, 1, 1}, {2, 1, 2},
	    {2, 2, 2}, {2, 9, 4}, {W_REDACT_SHELL, 0, 99}};
	struct w_redactor redactor = {
	    .spans = spans, .span_count = sizeof(spans) / sizeof(*spans)};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 1000);
	w_redact_add_word(&redactor, &buf, "abc", 1);
	w_redact_add(&redactor, &buf, "abc");
	assert_false(redactor.has_redacted);
	w_redact_add_word(&redactor, &buf, "abc", 0);
	w_redact_add_word(&redactor, &buf, "abcdefg", 2);
	assert_int_equal(w_redactor_add(&redactor, secrets, NULL), WRIT_OK);
	w_redact_add_word(&redactor, &buf, "abcdefg", 2);
	w_redact_add_word(&redactor, &buf, "ls", W_REDACT_SHELL);
	w_redact_add_word(&redactor, &buf, "", 2);
	assert_true(redactor.has_redacted);
	assert_string_equal(buf.data,
	    "\"abc\"\"abc\"\"a[secret]c\"\"a[secret]efg\"\"a[secret]g\""
	    "\"[secret]\"\"\"");
	w_redactor_done(&redactor);
}

static void
a_short_secret_leaves_names_whole(void **state)
{
	const char *const secrets[] = {"a", "fest", "hunter2", NULL};
	struct w_redactor redactor = {0};
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4096);
	assert_int_equal(w_redactor_add(&redactor, secrets, NULL), WRIT_OK);
	w_redact_add_name(&redactor, &buf, NULL);
	w_redact_add_name(&redactor, &buf, "manifest");
	assert_false(redactor.has_redacted);
	w_redact_add_name(&redactor, &buf, "a-hunter2");
	assert_true(redactor.has_redacted);
	assert_string_equal(buf.data, "null\"manifest\"\"a-[secret]\"");
	w_redactor_done(&redactor);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_text_without_secrets_stays_what_it_is),
	    cmocka_unit_test(a_secret_is_replaced_wherever_it_stands),
	    cmocka_unit_test(secrets_that_overlap_go_whole),
	    cmocka_unit_test(what_json_would_escape_hides_no_secret),
	    cmocka_unit_test(bytes_that_are_not_utf8_hide_no_secret),
	    cmocka_unit_test(names_of_variables_speak_of_secrets),
	    cmocka_unit_test(
		values_of_such_variables_are_secrets_if_they_are_long),
	    cmocka_unit_test(a_message_shows_no_part_of_a_secret),
	    cmocka_unit_test(a_buffer_that_is_full_shows_nothing_of_the_rest),
	    cmocka_unit_test(many_secrets_are_all_found),
	    cmocka_unit_test(text_and_errors_lose_their_secrets_too),
	    cmocka_unit_test(a_place_of_a_word_goes_there_and_nowhere_else),
	    cmocka_unit_test(a_short_secret_leaves_names_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
