/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/execs/execve_words.h"

#define PAGE 4096

static struct w_execve_words words;

/* Of this process itself. */
static void
read_own(const void *argv)
{
	w_execve_words_read(&words, getpid(), (uint64_t)(uintptr_t)argv);
	assert_null(words.items[words.count]);
}

static void
words_are_read_as_they_are(void **state)
{
	char *long_word = malloc(10001);
	const char *argv[200] = {"a", "", "b c", long_word};

	(void)state;
	assert_non_null(long_word);
	memset(long_word, 'x', 10000);
	long_word[10000] = '\0';
	for (size_t i = 4; i < 199; i++)
		argv[i] = "word";
	read_own(argv);
	assert_int_equal(words.count, 199);
	assert_false(words.is_truncated);
	for (size_t i = 0; i < words.count; i++)
		assert_string_equal(words.items[i], argv[i]);
	read_own(NULL);
	assert_int_equal(words.count, 0);
	assert_false(words.is_truncated);
	free(long_word);
}

static void
what_is_too_long_is_cut_between_words(void **state)
{
	const size_t count = 1000000;
	const char **argv = calloc(count + 1, sizeof(*argv));
	char *text = calloc(1, W_EXECVE_WORDS_BYTES + 1);
	const char *one[] = {"a", text, "b", NULL};

	(void)state;
	assert_non_null(argv);
	assert_non_null(text);
	for (size_t i = 0; i < count; i++)
		argv[i] = "";
	read_own(argv);
	assert_true(words.is_truncated);
	assert_in_range(words.count, 10000, W_EXECVE_WORDS_BYTES / 9);
	memset(text, 'x', W_EXECVE_WORDS_BYTES);
	read_own(one);
	assert_true(words.is_truncated);
	assert_int_equal(words.count, 1);
	free(argv);
	free(text);
}

static void
unreadable_memory_ends_it(void **state)
{
	char *page = mmap(NULL, (size_t)PAGE * 2, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *broken[] = {"a", (const char *)16, "b", NULL};

	(void)state;
	assert_true(page != MAP_FAILED);
	assert_int_equal(munmap(page + PAGE, PAGE), 0);
	read_own((const void *)16);
	assert_int_equal(words.count, 0);
	assert_true(words.is_truncated);
	read_own(broken);
	assert_int_equal(words.count, 1);
	assert_true(words.is_truncated);
	/* A list, and a word, that end right before unmapped memory. */
	const char **list =
	    (const char **)(void *)(page + PAGE - 3 * sizeof(*list));
	char *word = page + PAGE - 3 * sizeof(*list) - 3;
	memcpy(word, "xy", 3);
	list[0] = word;
	list[1] = NULL;
	read_own(list);
	assert_int_equal(words.count, 1);
	assert_false(words.is_truncated);
	assert_string_equal(words.items[0], "xy");
	list[1] = "z";
	list[2] = "last";
	read_own(list);
	assert_int_equal(words.count, 3);
	assert_true(words.is_truncated);
	(void)munmap(page, PAGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_are_read_as_they_are),
	    cmocka_unit_test(what_is_too_long_is_cut_between_words),
	    cmocka_unit_test(unreadable_memory_ends_it),
	};

	if (!w_execve_words_init(&words))
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	w_execve_words_done(&words);
	return failed;
}
