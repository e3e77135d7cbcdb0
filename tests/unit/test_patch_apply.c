/* SPDX-License-Identifier: Apache-2.0 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "edit/file_diff.h"
#include "edit/patch.h"

#define CODEX(body) "*** Begin Patch\n" body "*** End Patch\n"

/* The first file of a patch, applied; NULL: refused, and why has the reason. */
static char *
patched(const char *text, size_t len, const char *patch_text, struct w_buf *why,
    size_t *out_len)
{
	struct w_patch patch;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, 1 << 20);
	if (w_patch_read(patch_text, strlen(patch_text), &patch, why) !=
	    WRIT_OK)
		return NULL;
	const writ_status status =
	    w_patch_apply(&patch, 0, text, len, &out, why);
	w_patch_done(&patch);
	return status == WRIT_OK ? w_buf_take(&out, out_len) : NULL;
}

static void
expect(const char *text, const char *patch_text, const char *wanted)
{
	W_AUTO_BUF struct w_buf why;
	size_t len = 0;

	w_buf_init(&why, 4096);
	char *got = patched(text, strlen(text), patch_text, &why, &len);
	if (got == NULL)
		fail_msg("refused: %s", why.data);
	assert_string_equal(got, wanted);
	free(got);
}

static void
expect_fault(const char *text, const char *patch_text, const char *wanted)
{
	W_AUTO_BUF struct w_buf why;
	size_t len = 0;

	w_buf_init(&why, 4096);
	char *got = patched(text, strlen(text), patch_text, &why, &len);
	assert_null(got);
	if (strstr(why.data, wanted) == NULL)
		fail_msg("'%s' is not in '%s'", wanted, why.data);
}

static void
a_unified_diff_is_applied(void **state)
{
	(void)state;
	expect("one\ntwo\nthree\n",
	    "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n"
	    "@@ -1,3 +1,3 @@ somewhere\n one\n-two\n+2\n three\n",
	    "one\n2\nthree\n");
	expect("a\nb\n", "--- f\n+++ f\n@@ -1,0 +2 @@\n+x\n", "a\nx\nb\n");
	expect(
	    "", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n");
}

static void
line_numbers_are_only_hints(void **state)
{
	(void)state;
	expect("x\nx\nx\none\ntwo\nx\nz\n",
	    "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
	    "@@ -4 +4 @@\n-z\n+y\n",
	    "x\nx\nx\none\n2\nx\ny\n");
	/* The nearest of several. */
	expect("a\nb\nb\nb\n", "--- f\n+++ f\n@@ -4 +4 @@\n-b\n+c\n",
	    "a\nb\nb\nc\n");
}

static void
counts_may_be_wrong(void **state)
{
	(void)state;
	expect("one\ntwo\nthree\n",
	    "--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n one\n-two\n+2\n three\n\n",
	    "one\n2\nthree\n");
	expect("one\ntwo\nthree\n",
	    "--- a/f\n+++ b/f\n@@ -1 +1 @@\n one\n-two\n+2\n three\n",
	    "one\n2\nthree\n");
	expect("one\n", "--- a/f\n+++ b/f\n@@\n-one\n+1\n\n", "1\n");
	/* Lines that look like a header, and are announced. */
	expect("-- a\nb\n", "--- f\n+++ f\n@@ -1,2 +1,2 @@\n--- a\n+++ b\n b\n",
	    "++ b\nb\n");
}

static void
the_text_of_codex_is_applied(void **state)
{
	(void)state;
	expect("one\ntwo\nthree\n",
	    CODEX("*** Update File: f\n@@\n one\n-two\n+2\n"),
	    "one\n2\nthree\n");
	expect("def a():\n  x\ndef b():\n  x\n",
	    CODEX("*** Update File: f\n@@ def b():\n-  x\n+  y\n"),
	    "def a():\n  x\ndef b():\n  y\n");
	expect("x\ny\nx\n",
	    CODEX("*** Update File: f\n@@\n-x\n+z\n*** End of File\n"),
	    "x\ny\nz\n");
	expect("a\n", CODEX("*** Update File: f\n@@\n+b\n"), "a\nb\n");
	expect("", CODEX("*** Add File: f\n+a\n+\n"), "a\n\n");
	expect("a\n\nb\n", CODEX("*** Update File: f\n a\n\n-b\n+c\n"),
	    "a\n\nc\n");
}

static void
white_space_may_differ_and_stays_as_it_is(void **state)
{
	(void)state;
	expect("\tone \n\ttwo\n",
	    CODEX("*** Update File: f\n  one\n-  two\n+\tthree\n"),
	    "\tone \n\tthree\n");
}

static void
the_end_of_the_file_is_kept(void **state)
{
	(void)state;
	expect("a\nb", CODEX("*** Update File: f\n-b\n+c\n"), "a\nc");
	expect("a\nb",
	    "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n"
	    "\\ No newline at end of file\n+c\n",
	    "a\nc\n");
	expect("a\nb\n",
	    "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
	    "\\ No newline at end of file\n",
	    "a\nc");
	expect("a", "--- f\n+++ f\n@@ -1 +1,2 @@\n a\n+b\n", "a\nb");
}

static void
crlf_is_kept(void **state)
{
	(void)state;
	expect("a\r\nb\r\n", CODEX("*** Update File: f\n a\n-b\n+c\n+d\n"),
	    "a\r\nc\r\nd\r\n");
	expect("a\r\nb\r\n",
	    "--- f\r\n+++ f\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n",
	    "a\r\nc\r\n");
}

static void
lines_that_are_missing_are_told(void **state)
{
	(void)state;
	expect_fault("one\n two\n", CODEX("*** Update File: f\n-one\n-2\n"),
	    "'f': the lines of hunk 1 are not in the file; nearest, from line "
	    "1:\n1\tone");
	expect_fault("a\nb\n",
	    "--- f\n+++ f\n@@ -2 +2 @@\n-b\n+c\n@@ -1 +1 @@\n"
	    "-a\n+d\n",
	    "hunk 2 are not in the file behind those of the hunk before");
}

static void
what_is_no_patch_is_refused(void **state)
{
	static const struct {
		const char *patch;
		const char *wanted;
	} cases[] = {
	    {"", "no file is named"},
	    {"hello\n", "no file is named"},
	    {"--- a/f\n@@ -1 +1 @@\n", "expected '+++ FILE'"},
	    {"@@ -1 +1 @@\n-a\n", "a hunk before"},
	    {"--- a/f\n+++ b/f\n", "'f' has no hunks"},
	    {"--- a/f\n+++ b/f\n+x\n", "it is in no hunk"},
	    {"Binary files a and b differ\n", "use write"},
	    {"*** Begin Patch\n*** Update File: f\n-a\n", "was the patch cut?"},
	    {"*** Add File: f\n", "expected '*** Begin Patch'"},
	    {CODEX("*** Update File: f\nx\n"), "begins with"},
	    {CODEX("*** Add File: f\n-x\n"), "begins with '+'"},
	    {CODEX("*** Delete File: f\n-x\n"), "has no lines"},
	    {CODEX("*** Add File: f\n*** Add File: f\n"), "named before"},
	    {CODEX("*** Add File: \n"), "no name of a file"},
	    {CODEX("*** Add File: a\x01z\n"), "no name of a file"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_fault("a\n", cases[i].patch, cases[i].wanted);
}

static void
files_are_listed_with_what_becomes_of_them(void **state)
{
	static const char text[] =
	    "--- a/x y\t2026-01-01\n+++ b/x y\t2026-01-01\n@@ -1 +1 "
	    "@@\n-a\n+b\n"
	    "--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+a\n"
	    "--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
	    "diff --git a/p b/q\nsimilarity index 90%\nrename from p\n"
	    "rename to q\n--- a/p\n+++ b/q\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39\n";
	struct w_patch patch;
	W_AUTO_BUF struct w_buf why;

	(void)state;
	w_buf_init(&why, 4096);
	assert_int_equal(
	    w_patch_read(text, sizeof(text) - 1, &patch, &why), WRIT_OK);
	assert_int_equal(patch.file_count, 4);
	assert_string_equal(patch.files[0].path, "x y");
	assert_int_equal(patch.files[0].action, W_PATCH_CHANGE);
	assert_string_equal(patch.files[1].path, "new");
	assert_int_equal(patch.files[1].action, W_PATCH_ADD);
	assert_string_equal(patch.files[2].path, "old");
	assert_int_equal(patch.files[2].action, W_PATCH_REMOVE);
	assert_string_equal(patch.files[3].path, "p");
	assert_string_equal(patch.files[3].moved_to, "q");
	assert_int_equal(patch.files[3].count, 1);
	w_patch_done(&patch);
}

/* ---- what is made as a difference is understood as a patch ---- */

static size_t
make_text(char *text, unsigned *seed, size_t lines)
{
	size_t len = 0;

	for (size_t i = 0; i < lines; i++) {
		*seed = *seed * 1103515245U + 12345U;
		len += (size_t)sprintf(text + len, "%c%s",
		    'a' + (int)((*seed >> 20) % 4),
		    i + 1 == lines && (*seed >> 18) % 3 == 0 ? "" : "\n");
	}
	return len;
}

static void
differences_are_patches(void **state)
{
	char old_text[200], new_text[200];
	unsigned seed = 1;

	(void)state;
	for (size_t round = 0; round < 3000; round++) {
		const size_t old_len = make_text(old_text, &seed, round % 19);
		const size_t new_len = make_text(new_text, &seed, round % 13);
		const struct w_diff_side sides[2] = {
		    {"f", old_text, old_len}, {"f", new_text, new_len}};
		W_AUTO_BUF struct w_buf diff;
		W_AUTO_BUF struct w_buf why;
		size_t len = 0;

		w_buf_init(&diff, 8192);
		w_buf_init(&why, 4096);
		assert_int_equal(
		    w_diff_add_bounded(&diff, &sides[0], &sides[1], 4096, NULL),
		    WRIT_OK);
		if (diff.len == 0)
			continue;
		char *got = patched(old_text, old_len, diff.data, &why, &len);
		if (got == NULL || len != new_len ||
		    memcmp(got, new_text, len) != 0)
			fail_msg("old '%.*s', new '%.*s', got '%s' %s:\n%s",
			    (int)old_len, old_text, (int)new_len, new_text,
			    got == NULL ? "none" : got, why.data, diff.data);
		free(got);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_unified_diff_is_applied),
	    cmocka_unit_test(line_numbers_are_only_hints),
	    cmocka_unit_test(counts_may_be_wrong),
	    cmocka_unit_test(the_text_of_codex_is_applied),
	    cmocka_unit_test(white_space_may_differ_and_stays_as_it_is),
	    cmocka_unit_test(the_end_of_the_file_is_kept),
	    cmocka_unit_test(crlf_is_kept),
	    cmocka_unit_test(lines_that_are_missing_are_told),
	    cmocka_unit_test(what_is_no_patch_is_refused),
	    cmocka_unit_test(files_are_listed_with_what_becomes_of_them),
	    cmocka_unit_test(differences_are_patches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
