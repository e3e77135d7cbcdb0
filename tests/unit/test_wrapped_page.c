/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/output/wrapped_page.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"

#define OUTPUT_MAX 4096

static char output[OUTPUT_MAX];

static void
print_to(int fd, const char *text)
{
	W_AUTO_FD int saved = dup(STDOUT_FILENO);
	W_AUTO_BUF struct w_buf page;

	w_buf_init(&page, OUTPUT_MAX);
	w_buf_add_str(&page, text);
	assert_true(saved >= 0);
	assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	int status = w_wrapped_page_print(&page);
	assert_int_equal(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
	assert_int_equal(status, 0);
}

/* Prints to a terminal of that width. Its line ends are "\r\n". */
static void
print_to_terminal(unsigned short columns, const char *text)
{
	const struct winsize size = {.ws_row = 24, .ws_col = columns};
	W_AUTO_FD int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	assert_true(master >= 0);
	assert_int_equal(grantpt(master), 0);
	assert_int_equal(unlockpt(master), 0);
	assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
	W_AUTO_FD int terminal =
	    open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(terminal >= 0);
	print_to(terminal, text);
	(void)close(terminal);
	terminal = -1;

	/* A read may return a part. After the terminal was closed it fails. */
	size_t len = 0;
	ssize_t got = 1;
	for (; got > 0; len += got > 0 ? (size_t)got : 0)
		got = read(master, output + len, OUTPUT_MAX - 1 - len);
	output[len] = '\0';
}

static void
a_label_keeps_its_column(void **state)
{
	(void)state;
	print_to_terminal(50,
	    "  error         one two three four five six seven eight\n"
	    "  next          x\n");
	assert_string_equal(output,
	    "  error         one two three four five six seven\r\n"
	    "                eight\r\n"
	    "  next          x\r\n");
}

static void
other_lines_hang_by_two(void **state)
{
	(void)state;
	print_to_terminal(
	    44, "deny: one two three four five six seven eight nine\n");
	assert_string_equal(output,
	    "deny: one two three four five six seven\r\n"
	    "  eight nine\r\n");
	print_to_terminal(
	    44, "    try: one two three four five six seven eight\n");
	assert_string_equal(output,
	    "    try: one two three four five six seven\r\n"
	    "      eight\r\n");
}

static void
colours_take_no_columns(void **state)
{
	(void)state;
	print_to_terminal(
	    44, "  \033[32mok\033[0m  one two three four five six seven eig\n");
	assert_string_equal(output, "  \033[32mok\033[0m  one two three four "
				    "five six seven eig\r\n");
	print_to_terminal(44,
	    "  \033[32mok\033[0m  one two three four five six seven e nine\n");
	assert_string_equal(output, "  \033[32mok\033[0m  one two three four "
				    "five six seven e\r\n      nine\r\n");
}

static void
wide_characters_count_as_two(void **state)
{
	(void)state;
#define TEN "\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5"
	print_to_terminal(44, TEN " " TEN " " TEN " " TEN " x\n");
	assert_string_equal(output, TEN " " TEN " " TEN " " TEN "\r\n  x\r\n");
}

static void
quoted_lines_and_long_words_are_not_broken(void **state)
{
	static const char quote[] =
	    "   12 |   - allow: { write: [one, two], delete: [three, four] }";
	char word[101];
	char text[256];

	(void)state;
	(void)snprintf(text, sizeof(text), "%s\n", quote);
	print_to_terminal(44, text);
	(void)snprintf(text, sizeof(text), "%s\r\n", quote);
	assert_string_equal(output, text);

	memset(word, 'x', 100);
	word[100] = '\0';
	(void)snprintf(text, sizeof(text), "  %s\n", word);
	print_to_terminal(44, text);
	assert_non_null(strstr(output, word));
}

static void
a_pipe_gets_the_page_as_it_is(void **state)
{
	static const char text[] =
	    "  label         one two three four five six seven eight nine ten "
	    "eleven twelve thirteen fourteen fifteen\nno end";
	W_AUTO_FD int fd = memfd_create("output", MFD_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	print_to(fd, text);
	ssize_t len = pread(fd, output, OUTPUT_MAX - 1, 0);
	assert_true(len >= 0);
	output[len] = '\0';
	assert_string_equal(output, text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_label_keeps_its_column),
	    cmocka_unit_test(other_lines_hang_by_two),
	    cmocka_unit_test(colours_take_no_columns),
	    cmocka_unit_test(wide_characters_count_as_two),
	    cmocka_unit_test(quoted_lines_and_long_words_are_not_broken),
	    cmocka_unit_test(a_pipe_gets_the_page_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
