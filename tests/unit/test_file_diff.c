/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit/file_diff.h"
#include "temp.h"

static char *
diff_of(const char *old, const char *new)
{
	const struct w_diff_side left = {
	    .label = "old", .text = old, .len = strlen(old)};
	const struct w_diff_side right = {
	    .label = "new", .text = new, .len = strlen(new)};
	char *diff = NULL;

	assert_int_equal(w_diff_unified(&left, &right, &diff, NULL), WRIT_OK);
	return diff;
}

static void
changes_are_shown_as_diff_shows_them(void **state)
{
	static const struct {
		const char *old;
		const char *new;
		const char *diff; /* without the labels */
	} rows[] = {
	    {"a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"},
	    {"", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
	    {"a\n", "", "@@ -1 +0,0 @@\n-a\n"},
	    {"a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
	    {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
		"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *diff = diff_of(rows[i].old, rows[i].new);

		assert_non_null(diff);
		assert_memory_equal(diff, "--- old\n+++ new\n", 16);
		assert_string_equal(diff + 16, rows[i].diff);
		free(diff);
	}
}

static void
equal_large_and_binary_texts_have_none(void **state)
{
	const struct w_diff_side binary = {
	    .label = "b", .text = "a\0b", .len = 3};
	const struct w_diff_side text = {.label = "t", .text = "x", .len = 1};
	char *large = malloc(W_DIFF_BYTES_MAX + 2);
	char *diff;

	(void)state;
	assert_null(diff_of("a\n", "a\n"));
	assert_null(diff_of("", ""));
	assert_null(diff_of("\xff\xfe", "a\n"));
	assert_int_equal(w_diff_unified(&binary, &text, &diff, NULL), WRIT_OK);
	assert_null(diff);
	assert_non_null(large);
	memset(large, 'a', W_DIFF_BYTES_MAX + 1);
	large[W_DIFF_BYTES_MAX + 1] = '\0';
	assert_null(diff_of(large, "a"));
	memset(large, '\n', W_DIFF_LINES_MAX + 1);
	large[W_DIFF_LINES_MAX + 1] = '\0';
	assert_null(diff_of(large, "a"));
	free(large);
}

static void
make_text(char *out, unsigned round, unsigned which)
{
	const unsigned lines = (round * 7 + 3) % 25;
	size_t len = 0;

	for (unsigned i = 0; i < lines; i++) {
		out[len++] =
		    (char)('a' + (i * 3 + round * which * (i % 4)) % 5);
		out[len++] = '\n';
	}
	/* Some do not end with a newline. */
	if (round % 3 == 0 && len > 0)
		len -= which - 1;
	out[len] = '\0';
}

/* patch(1) turns the old text into the new one. */
static void
patch_agrees(void **state)
{
	const struct temp *temp = *state;
	char old[256], new[256], command[1200];

	if (system("command -v patch >/dev/null 2>&1") != 0)
		skip();
	for (unsigned round = 0; round < 60; round++) {
		make_text(old, round, 1);
		make_text(new, round, 2);
		char *diff = diff_of(old, new);
		if (diff == NULL) {
			assert_string_equal(old, new);
			continue;
		}
		(void)unlinkat(temp->fd, "old", 0);
		(void)unlinkat(temp->fd, "new", 0);
		(void)unlinkat(temp->fd, "diff", 0);
		temp_file(temp, "old", 0600, old);
		temp_file(temp, "new", 0600, new);
		temp_file(temp, "diff", 0600, diff);
		free(diff);
		(void)snprintf(command, sizeof(command),
		    "cd %s && patch -s old diff && test -e old && cmp old new",
		    temp->path);
		/* patch removes an empty file. */
		if (new[0] != '\0')
			assert_int_equal(system(command), 0);
	}
}

static void
long_texts_are_cut_around_their_difference(void **state)
{
	const size_t len = (size_t)4 << 20;
	char *old_text = malloc(len);
	char *new_text = malloc(len);
	W_AUTO_BUF struct w_buf diff;

	(void)state;
	assert_non_null(old_text);
	assert_non_null(new_text);
	for (size_t i = 0; i < len; i++)
		old_text[i] = i % 2 == 0 ? 'a' : '\n';
	memcpy(new_text, old_text, len);
	new_text[2000000] = 'b';
	const struct w_diff_side sides[2] = {
	    {"f", old_text, len}, {"f", new_text, len}};
	w_buf_init(&diff, 4096);
	assert_int_equal(
	    w_diff_add_bounded(&diff, &sides[0], &sides[1], 2048, NULL),
	    WRIT_OK);
	assert_string_equal(diff.data,
	    "--- f\n+++ f\n@@ -999998,7 +999998,7 @@\n a\n a\n a\n-a\n+b\n a\n"
	    " a\n a\n");
	memset(new_text, 'c', len);
	diff.len = 0;
	assert_int_equal(
	    w_diff_add_bounded(&diff, &sides[0], &sides[1], 100, NULL),
	    WRIT_OK);
	assert_true(diff.len < 200);
	assert_non_null(strstr(diff.data, "[the difference is longer]"));
	free(old_text);
	free(new_text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(changes_are_shown_as_diff_shows_them),
	    cmocka_unit_test(equal_large_and_binary_texts_have_none),
	    cmocka_unit_test(long_texts_are_cut_around_their_difference),
	    cmocka_unit_test_setup_teardown(
		patch_agrees, temp_set_up, temp_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
