/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/words.h"
#include "engine/request/shell_stdin.h"

static bool
reads(const char *line)
{
	struct w_words words = {.items = NULL};

	assert_int_equal(
	    w_words_split(line, strlen(line), &words, NULL), WRIT_OK);
	const bool does = w_stdin_is_script_of(
	    (const char *const *)words.items, words.count, NULL);
	w_words_done(&words);
	return does;
}

static void
a_shell_without_a_script_reads_its_input(void **state)
{
	static const char *const lines[] = {"sh", "bash -i", "/bin/dash",
	    "-zsh", "bash --norc --noprofile", "bash -o pipefail", "sh -eu",
	    "sh -s a b", "bash --rcfile f", "sh -", "sh --", "sh /dev/stdin",
	    "busybox sh", "zsh -o extendedglob -i", "sh +x"};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (!reads(lines[i]))
			fail_msg("'%s' is not seen", lines[i]);
}

static void
a_shell_with_a_script_or_a_text_does_not(void **state)
{
	static const char *const lines[] = {"sh script", "bash -c text",
	    "bash -ec text", "sh -- script", "bash --norc script",
	    "bash -o pipefail script", "cat", "busybox cat", "rsh host",
	    "shred", ""};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (reads(lines[i]))
			fail_msg("'%s' is taken for one", lines[i]);
}

static void
its_file_counts_whatever_it_is_called(void **state)
{
	static const char *const argv[] = {"/tmp/harmless", NULL};
	static const char *const names[] = {"harmless", "dash", NULL};

	(void)state;
	assert_true(w_stdin_is_script_of(argv, 1, names));
	assert_false(w_stdin_is_script_of(argv, 1, NULL));
	assert_false(w_stdin_is_script_of(argv, 0, names));
}

static void
words_behind_its_own_are_not_its_own(void **state)
{
	static const char *const argv[] = {"sh", "script", NULL};

	(void)state;
	assert_true(w_stdin_is_script_of(argv, 1, NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_shell_without_a_script_reads_its_input),
	    cmocka_unit_test(a_shell_with_a_script_or_a_text_does_not),
	    cmocka_unit_test(its_file_counts_whatever_it_is_called),
	    cmocka_unit_test(words_behind_its_own_are_not_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
