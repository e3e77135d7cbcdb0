/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "module/binding/binding_target.h"

static void
splits(const char *target, const char *const *expected)
{
	W_AUTO_WORDS struct w_words words = {0};
	writ_error err = {.message = ""};
	size_t i = 0;

	assert_int_equal(w_binding_target_parse(target, &words, &err), WRIT_OK);
	assert_string_equal(err.message, "");
	for (; expected[i] != NULL; i++)
		assert_string_equal(words.items[i], expected[i]);
	assert_int_equal(words.count, i);
}

static void
refused(const char *target, const char *message)
{
	struct w_words words = {0};
	writ_error err = {.message = ""};

	assert_int_equal(
	    w_binding_target_parse(target, &words, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, message);
	assert_null(words.items);
	assert_true(err.suggestion[0] != '\0');
	assert_int_equal(
	    w_binding_target_parse(target, &words, NULL), WRIT_E_INVALID);
}

static void
a_target_is_a_program_and_its_words(void **state)
{
	(void)state;
	splits("exec:///usr/bin/git commit",
	    (const char *[]){"/usr/bin/git", "commit", NULL});
	splits("exec://git", (const char *[]){"git", NULL});
	splits("exec://docker  container   ls ",
	    (const char *[]){"docker", "container", "ls", NULL});
	/* Nothing is quoted, expanded or decoded. */
	splits("exec://echo '$HOME' %20 \\n",
	    (const char *[]){"echo", "'$HOME'", "%20", "\\n", NULL});
}

static void
what_is_no_target_is_refused(void **state)
{
	(void)state;
	refused("invalid", "Invalid target format: invalid");
	refused("", "Invalid target format: ");
	refused("EXEC://git", "Invalid target format: EXEC://git");
	refused("exec:/git", "Invalid target format: exec:/git");
	refused("exec://", "Invalid target format: exec://");
	refused("exec:// git", "Invalid target format: exec:// git");
	refused("exec://git\tlog", "Invalid target format: exec://git\\x09log");
	refused(
	    "exec://git log\n", "Invalid target format: exec://git log\\x0a");
	refused("exec://git\x7f", "Invalid target format: exec://git\\x7f");
}

static void
a_program_does_not_depend_on_the_working_directory(void **state)
{
	(void)state;
	refused("exec://bin/git log",
	    "the program 'bin/git' would depend on the working directory");
	refused("exec://./git",
	    "the program './git' would depend on the working directory");
	refused("exec://~/bin/git",
	    "the program '~/bin/git' would depend on the working directory");
	assert_int_equal(w_binding_target_program("/a b/c", NULL), WRIT_OK);
	assert_int_equal(w_binding_target_program("", NULL), WRIT_E_INVALID);
	assert_int_equal(
	    w_binding_target_program("a\nb", NULL), WRIT_E_INVALID);
}

static void
adds(const char *const *words, const char *expected)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 1000);
	assert_int_equal(w_binding_target_add(&buf, words), expected != NULL);
	assert_string_equal(buf.data, expected != NULL ? expected : "");
	if (expected != NULL)
		splits(buf.data, words);
}

static void
words_become_a_target_where_they_can(void **state)
{
	(void)state;
	adds((const char *[]){"/usr/bin/git", "commit", NULL},
	    "exec:///usr/bin/git commit");
	adds((const char *[]){"git", NULL}, "exec://git");
	adds((const char *[]){"/opt/my tool/x", NULL}, NULL);
	adds((const char *[]){"git", "", NULL}, NULL);
	adds((const char *[]){"sh", "-c", "a\nb", NULL}, NULL);
	adds((const char *[]){NULL}, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_target_is_a_program_and_its_words),
	    cmocka_unit_test(what_is_no_target_is_refused),
	    cmocka_unit_test(
		a_program_does_not_depend_on_the_working_directory),
	    cmocka_unit_test(words_become_a_target_where_they_can),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
