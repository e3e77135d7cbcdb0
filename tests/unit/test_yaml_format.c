/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "data/yaml_format.h"

static const struct w_json_limits limits = {
    .bytes_max = 65536, .depth_max = 32};

static void
becomes(const char *text, const char *wanted)
{
	W_AUTO_BUF struct w_buf out;
	writ_error err = {.status = WRIT_OK};

	w_buf_init(&out, 65536);
	if (w_yaml_format(text, strlen(text), &limits, &out, &err) != WRIT_OK)
		fail_msg("%s: %s", text, err.message);
	assert_string_equal(out.data, wanted);
}

static void
stays(const char *text)
{
	becomes(text, text);
}

static void
levels_have_two_blanks_and_lists_are_further_in(void **state)
{
	(void)state;
	becomes("a:\n    b: 1\n    c:\n    - d\n    -   e: 2\n        f: 3\n",
	    "a:\n  b: 1\n  c:\n    - d\n    - e: 2\n      f: 3\n");
	becomes("- - a\n  - b\n-\n    c: d\n", "- - a\n  - b\n-\n  c: d\n");
	becomes("a:   1\n\"b c\":  2\nd: # about d\n  e: 1\n",
	    "a: 1\n\"b c\": 2\nd: # about d\n  e: 1\n");
}

static void
texts_move_with_their_key(void **state)
{
	(void)state;
	becomes("a:\n    b: |\n        x\n          y\n\n        z\n    c: 1\n",
	    "a:\n  b: |\n      x\n        y\n\n      z\n  c: 1\n");
	becomes(
	    "a:\n    b: one\n      two\n    c: \"q\n      r # no comment\"\n",
	    "a:\n  b: one\n    two\n  c: \"q\n    r # no comment\"\n");
	becomes("a:\n    b: [1,\n        2] # two\n    c: {d: '}',\n         "
		"e: f}\n",
	    "a:\n  b: [1,\n      2] # two\n  c: {d: '}',\n       e: f}\n");
	/* What a block says with blanks at the end is a part of it. */
	stays("a: |+\n  x\n\n\nb: >-\n  y  \n");
}

static void
comments_and_empty_lines_stay(void **state)
{
	(void)state;
	becomes(
	    "\n\n# first\n\n\n\na: 1   \n\n\n  # about b\nb: 2\n\n# last\n\n",
	    "# first\n\na: 1\n\n# about b\nb: 2\n\n# last\n");
	becomes("a:\n# about c\n    c: 1\r\n    d: x#y\n",
	    "a:\n  # about c\n  c: 1\n  d: x#y\n");
	/* A comment that is deeper than what follows stays there. */
	becomes("a:\n    - b\n    # - c\nd: 1\n# e\n",
	    "a:\n  - b\n  # - c\nd: 1\n# e\n");
	becomes("a:\n    b: 1\n    # end", "a:\n  b: 1\n  # end\n");
	stays("---\na: it's\nb: http://x/y\nc: 'd: e'\n");
	stays("{\"a\": [1, 2],\n \"b\": null}\n");
}

static void
what_is_no_yaml_is_refused(void **state)
{
	W_AUTO_BUF struct w_buf out;
	writ_error err = {.status = WRIT_OK};

	(void)state;
	w_buf_init(&out, 65536);
	assert_int_equal(
	    w_yaml_format("a: [1\n", 6, &limits, &out, &err), WRIT_E_INVALID);
	assert_int_equal(err.line, 2);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(levels_have_two_blanks_and_lists_are_further_in),
	    cmocka_unit_test(texts_move_with_their_key),
	    cmocka_unit_test(comments_and_empty_lines_stay),
	    cmocka_unit_test(what_is_no_yaml_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
