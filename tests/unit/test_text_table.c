/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/output/text_table.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"

#define OUTPUT_MAX 4096

static const char *const headings[] = {"RUN", ">COUNT", "COMMAND", NULL};

static struct w_text_table table;
static char output[OUTPUT_MAX];

static int
set_up(void **state)
{
	(void)state;
	w_text_table_init(&table, headings);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_text_table_done(&table);
	return 0;
}

static void
add_row(const char *run, const char *count, const char *command)
{
	w_text_table_add(&table, run);
	w_text_table_add(&table, count);
	w_text_table_add(&table, command);
}

/* Prints with this descriptor as standard output. */
static void
print_to(int fd)
{
	W_AUTO_FD int saved = dup(STDOUT_FILENO);

	assert_true(saved >= 0);
	assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	int status = w_text_table_print(&table);
	assert_int_equal(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
	assert_int_equal(status, 0);
}

static void
print_to_file(void)
{
	W_AUTO_FD int fd = memfd_create("output", MFD_CLOEXEC);

	assert_true(fd >= 0);
	print_to(fd);
	ssize_t len = pread(fd, output, OUTPUT_MAX - 1, 0);
	assert_true(len >= 0);
	output[len] = '\0';
}

/* Prints to a terminal with so many columns. */
static void
print_to_terminal(unsigned short columns)
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
	print_to(terminal);
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
columns_are_as_wide_as_what_is_in_them(void **state)
{
	(void)state;
	add_row("a", "1", "ls");
	add_row("longer", "1000000", "make test");
	print_to_file();
	assert_string_equal(output, "RUN       COUNT  COMMAND\n"
				    "a             1  ls\n"
				    "longer  1000000  make test\n");
}

static void
wide_characters_count_as_two(void **state)
{
	(void)state;
	add_row("\xe6\x97\xa5\xe6\x9c\xac", "1", "x");
	add_row("abcde", "2", "y");
	print_to_file();
	assert_string_equal(output, "RUN    COUNT  COMMAND\n"
				    "\xe6\x97\xa5\xe6\x9c\xac       1  x\n"
				    "abcde      2  y\n");
}

static void
nothing_a_terminal_obeys_is_left(void **state)
{
	(void)state;
	add_row("a", "1", "echo \033[2J\n");
	print_to_file();
	assert_non_null(strstr(output, "echo \\x1b[2J\\n\n"));
	assert_null(strchr(output, '\033'));
}

static void
an_empty_cell_is_a_dash(void **state)
{
	(void)state;
	add_row("a", NULL, "");
	print_to_file();
	assert_non_null(strstr(output, "a        -  -\n"));
}

static void
a_pipe_gets_everything_whole_and_plain(void **state)
{
	char command[301];

	(void)state;
	memset(command, 'x', 300);
	command[300] = '\0';
	add_row("a", "1", command);
	w_text_table_tint(&table, "31");
	print_to_file();
	assert_non_null(strstr(output, command));
	assert_null(strchr(output, '\033'));
}

static void
a_terminal_gets_lines_that_do_not_wrap(void **state)
{
	(void)state;
	setenv("NO_COLOR", "1", 1);
	add_row("abc", "1", "0123456789012345678901234567890123456789");
	print_to_terminal(30);
	unsetenv("NO_COLOR");
	assert_string_equal(output, "RUN  COUNT  COMMAND\r\n"
				    "abc      1  01234567890123456"
				    "\xe2\x80\xa6\r\n");
}

static void
a_wide_column_makes_room_for_the_last(void **state)
{
	static const char *const names[] = {"RUN", "OUTCOME", "COMMAND", NULL};

	(void)state;
	setenv("NO_COLOR", "1", 1);
	w_text_table_done(&table);
	w_text_table_init(&table, names);
	add_row("0123456789", "refused approval", "git push origin");
	add_row("0123456789", "exited", "ls");
	print_to_terminal(36);
	assert_string_equal(output, "RUN         OUTCOME   COMMAND\r\n"
				    "0123456789  refused\xe2\x80\xa6  "
				    "git push orig\xe2\x80\xa6\r\n"
				    "0123456789  exited    ls\r\n");
	add_row("0123456789", "refused approval", "git push origin");
	print_to_file();
	assert_string_equal(
	    output, "0123456789  refused approval  git push origin\n");
	unsetenv("NO_COLOR");
}

static void
a_terminal_gets_the_colours(void **state)
{
	(void)state;
	unsetenv("NO_COLOR");
	setenv("TERM", "xterm", 1);
	w_text_table_add(&table, "abc");
	w_text_table_add(&table, "1");
	w_text_table_tint(&table, "31");
	w_text_table_add(&table, "ls");
	print_to_terminal(80);
	assert_string_equal(output, "\033[1mRUN  COUNT  COMMAND\033[0m\r\n"
				    "abc      \033[31m1\033[0m  ls\r\n");
}

static void
the_first_column_can_be_cut(void **state)
{
	(void)state;
	add_row("01M7HBJ8278STX9D9ENAKXR8FF", "1", "ls");
	table.first_max = 12;
	print_to_file();
	assert_string_equal(output, "RUN           COUNT  COMMAND\n"
				    "01M7HBJ8278S      1  ls\n");
}

static void
a_second_page_has_no_headings(void **state)
{
	(void)state;
	add_row("a", "1", "ls");
	print_to_file();
	add_row("b", "2", "ps");
	print_to_file();
	assert_string_equal(output, "b        2  ps\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(columns_are_as_wide_as_what_is_in_them),
	    CASE(wide_characters_count_as_two),
	    CASE(nothing_a_terminal_obeys_is_left),
	    CASE(an_empty_cell_is_a_dash),
	    CASE(a_pipe_gets_everything_whole_and_plain),
	    CASE(a_terminal_gets_lines_that_do_not_wrap),
	    CASE(a_wide_column_makes_room_for_the_last),
	    CASE(a_terminal_gets_the_colours),
	    CASE(the_first_column_can_be_cut),
	    CASE(a_second_page_has_no_headings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
