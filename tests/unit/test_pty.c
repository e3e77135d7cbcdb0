/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "leftovers.h"
#include "os/file.h"
#include "run/streams/pty.h"

static int fds_before;

static int
set_up(void **state)
{
	(void)state;
	fds_before = count_fds();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	return count_fds() == fds_before ? 0 : -1;
}

static struct w_pty
open_one(void)
{
	struct w_pty pty = {
	    .master = -1, .slave = -1, .rows = 12, .columns = 34};

	assert_int_equal(w_pty_open(&pty), 0);
	return pty;
}

static void
both_sides_are_out_of_the_way_and_stay_with_us(void **state)
{
	struct w_pty pty = open_one();
	const int sides[] = {pty.master, pty.slave};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_true(sides[i] >= W_FD_SAFE);
		assert_true(isatty(sides[i]));
		assert_int_equal(
		    fcntl(sides[i], F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	}
	assert_true(fcntl(pty.master, F_GETFL) & O_NONBLOCK);
	assert_false(fcntl(pty.slave, F_GETFL) & O_NONBLOCK);
	w_pty_close(&pty);
	assert_int_equal(pty.master, -1);
	assert_int_equal(pty.slave, -1);
	w_pty_close(&pty);
}

static void
the_command_sees_the_size_that_was_set(void **state)
{
	struct w_pty pty = open_one();
	struct winsize size;

	(void)state;
	assert_int_equal(ioctl(pty.slave, TIOCGWINSZ, &size), 0);
	assert_int_equal(size.ws_row, 12);
	assert_int_equal(size.ws_col, 34);
	w_pty_resize(&pty, 56, 78);
	assert_int_equal(ioctl(pty.slave, TIOCGWINSZ, &size), 0);
	assert_int_equal(size.ws_row, 56);
	assert_int_equal(size.ws_col, 78);
	w_pty_close(&pty);
	/* A closed one has no size. */
	w_pty_resize(&pty, 1, 1);
}

static void
the_end_is_whatever_character_the_terminal_has_for_it(void **state)
{
	struct w_pty pty = open_one();
	struct termios now;

	(void)state;
	assert_int_equal(w_pty_end_char(pty.slave), 4);
	assert_int_equal(tcgetattr(pty.slave, &now), 0);
	now.c_cc[VEOF] = 2;
	assert_int_equal(tcsetattr(pty.slave, TCSANOW, &now), 0);
	assert_int_equal(w_pty_end_char(pty.slave), 2);
	assert_int_equal(w_pty_end_char(pty.master), 2);
	now.c_cc[VEOF] = _POSIX_VDISABLE;
	assert_int_equal(tcsetattr(pty.slave, TCSANOW, &now), 0);
	assert_int_equal(w_pty_end_char(pty.slave), 4);
	w_pty_close(&pty);
	assert_int_equal(w_pty_end_char(pty.slave), 4);
}

static void
it_is_known_whether_what_was_typed_was_read(void **state)
{
	struct w_pty pty = open_one();
	char line[8];

	(void)state;
	assert_false(w_pty_is_unread(pty.slave));
	assert_int_equal(write(pty.master, "a\n", 2), 2);
	assert_true(w_pty_is_unread(pty.slave));
	assert_int_equal(read(pty.slave, line, sizeof(line)), 2);
	assert_false(w_pty_is_unread(pty.slave));
	/* An unread end of file is unread input, too. */
	assert_int_equal(write(pty.master, "\004", 1), 1);
	assert_true(w_pty_is_unread(pty.slave));
	assert_int_equal(read(pty.slave, line, sizeof(line)), 0);
	assert_false(w_pty_is_unread(pty.slave));
	w_pty_close(&pty);
}

static void
a_pair_that_cannot_be_held_is_closed(void **state)
{
	struct w_pty pty = {.master = -1, .slave = -1};
	struct w_pty other = open_one();
	int master = other.master;

	(void)state;
	assert_int_not_equal(w_pty_adopt(&pty, master, -1), 0);
	assert_int_equal(pty.master, -1);
	other.master = -1;
	w_pty_close(&other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		both_sides_are_out_of_the_way_and_stay_with_us, set_up,
		tear_down),
	    cmocka_unit_test_setup_teardown(
		the_command_sees_the_size_that_was_set, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		the_end_is_whatever_character_the_terminal_has_for_it, set_up,
		tear_down),
	    cmocka_unit_test_setup_teardown(
		it_is_known_whether_what_was_typed_was_read, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		a_pair_that_cannot_be_held_is_closed, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
