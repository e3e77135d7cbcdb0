/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "expr/template/quoting_scan.h"

enum where {
	OUTSIDE,
	DELIMITER,
	BODY,
	LOST
};

static enum where
where_is(const char *text)
{
	struct w_quoting_scan scan;

	w_quoting_scan_init(&scan);
	w_quoting_scan_feed(&scan, text, strlen(text));
	if (scan.lost != NULL)
		return LOST;
	if (scan.is_delimiter)
		return DELIMITER;
	return scan.frames[scan.depth].kind == W_QUOTING_DOCUMENT ? BODY
								  : OUTSIDE;
}

static void
documents_begin_and_end_at_their_lines(void **state)
{
	static const struct {
		const char *text;
		enum where where;
	} cases[] = {
	    {"cat <<E", DELIMITER},
	    {"cat << E", DELIMITER},
	    {"cat <<'E F", DELIMITER},
	    {"cat <<E\n", BODY},
	    {"cat <<E\na 'b\n", BODY},
	    {"cat <<E\na\nE", BODY},
	    {"cat <<E\na\nE\n", OUTSIDE},
	    {"cat <<E\n E\n", BODY},
	    {"cat <<E\n\tE\n", BODY},
	    {"cat <<-E\n\t\tE\n", OUTSIDE},
	    {"cat <<'E'\n$(a `b\nE\n", OUTSIDE},
	    {"cat <<\"E\"\n$(a `b\nE\n", OUTSIDE},
	    {"cat <<E >x\nE\n", OUTSIDE},
	    {"cat <<E # x\nE\n", OUTSIDE},
	    {"cat <<E | cat\nE\n", OUTSIDE},
	    {"cat <<E <<F\nE\n", BODY},
	    {"cat <<E <<F\nE\nF\n", OUTSIDE},
	    {"cat <<E;'\n", LOST},
	    {"cat <<E \\\n>x\nE\n", OUTSIDE},
	    {"cat <\\\n<E\n", BODY},
	    {"cat <<<E\n", OUTSIDE},
	    {"cat '<<E'\n", OUTSIDE},
	    {"# <<E\n", OUTSIDE},
	    {"echo $((1 <<2))\n", OUTSIDE},
	    {"x=$(cat <<E\na\nE\n)", OUTSIDE},
	    {"x=$(cat <<E)", LOST},
	    {"cat <<E\n$(a)\nE\n", LOST},
	    {"cat <<E\n$x\n", LOST},
	    {"cat <<$x\n", LOST},
	    {"cat <<\\E\n", LOST},
	    {"cat <<E\\F\n", LOST},
	    {"cat <<\n", LOST},
	    {"cat <<''\n", LOST},
	    {"a <<A <<B <<C <<D <<E", LOST},
	    {"cat <<E $(a\n", LOST},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (where_is(cases[i].text) != cases[i].where)
			print_error("%s\n", cases[i].text);
		assert_int_equal(where_is(cases[i].text), cases[i].where);
	}
}

static void
long_lines_do_not_end_a_document(void **state)
{
	struct w_quoting_scan scan;

	(void)state;
	w_quoting_scan_init(&scan);
	w_quoting_scan_feed(&scan, "cat <<EE\n", 9);
	for (int i = 0; i < 200; i++)
		w_quoting_scan_feed(&scan, "E", 1);
	w_quoting_scan_feed(&scan, "\n", 1);
	assert_int_equal(scan.frames[scan.depth].kind, W_QUOTING_DOCUMENT);
	w_quoting_scan_feed(&scan, "EE\n", 3);
	assert_int_equal(scan.depth, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(documents_begin_and_end_at_their_lines),
	    cmocka_unit_test(long_lines_do_not_end_a_document),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
