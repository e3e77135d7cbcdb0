/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "leftovers.h"
#include "os/file.h"
#include "temp.h"

static struct temp temp;

static int
set_up(void **state)
{
	return temp_begin(&temp, state);
}

static int
lowest_free_fd(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	(void)close(fd);
	return fd;
}

static void
limit_fds(rlim_t count, struct rlimit *saved)
{
	assert_int_equal(getrlimit(RLIMIT_NOFILE, saved), 0);
	struct rlimit tight = {count, saved->rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
}

static void
expect_safe(int fd)
{
	assert_true(fd >= W_FD_SAFE);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
}

/* ---- descriptors ---- */

static void
a_low_descriptor_is_raised_and_the_old_one_closed(void **state)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int old = fd;

	(void)state;
	assert_true(fd < W_FD_SAFE);
	assert_int_equal(w_fd_raise(&fd), 0);
	expect_safe(fd);
	assert_int_equal(fcntl(old, F_GETFD), -1);
	(void)close(fd);
}

static void
a_high_descriptor_stays(void **state)
{
	int fd = fcntl(temp.fd, F_DUPFD_CLOEXEC, W_FD_SAFE);
	int same = fd;

	(void)state;
	assert_int_equal(w_fd_raise(&fd), 0);
	assert_int_equal(fd, same);
	(void)close(fd);
}

static void
a_closed_descriptor_cannot_be_raised(void **state)
{
	int fd = lowest_free_fd();
	int same = fd;

	(void)state;
	assert_int_equal(w_fd_raise(&fd), EBADF);
	assert_int_equal(fd, same);
}

static void
pipe_ends_are_safe_and_connected(void **state)
{
	int read_end, write_end;
	char got = 0;

	(void)state;
	assert_int_equal(w_fd_pipe(&read_end, &write_end, 0), 0);
	expect_safe(read_end);
	expect_safe(write_end);
	assert_int_equal(write(write_end, "x", 1), 1);
	assert_int_equal(read(read_end, &got, 1), 1);
	assert_int_equal(got, 'x');
	(void)close(read_end);
	(void)close(write_end);
}

static void
pair_is_safe_and_keeps_packets_apart(void **state)
{
	int ours, theirs;
	char got[8];

	(void)state;
	assert_int_equal(w_fd_pair(&ours, &theirs), 0);
	expect_safe(ours);
	expect_safe(theirs);
	assert_int_equal(send(ours, "ab", 2, 0), 2);
	assert_int_equal(send(ours, "c", 1, 0), 1);
	assert_int_equal(recv(theirs, got, sizeof(got), 0), 2);
	assert_int_equal(recv(theirs, got, sizeof(got), 0), 1);
	(void)close(ours);
	(void)close(theirs);
}

static void
without_descriptors_both_ends_are_minus_one_and_nothing_leaks(void **state)
{
	struct rlimit saved;
	int before = count_fds();
	int free_fd = lowest_free_fd();

	(void)state;
	/* Enough for the pipe itself but not for moving it up, and less. */
	for (int spare = 0; spare < 4; spare++) {
		int a = 7, b = 7, c = 7, d = 7;

		limit_fds((rlim_t)(free_fd + spare), &saved);
		int pipe_error = w_fd_pipe(&a, &b, 0);
		int pair_error = w_fd_pair(&c, &d);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &saved), 0);

		/* fcntl() fails with EINVAL beyond the limit. */
		assert_true(pipe_error == EMFILE || pipe_error == EINVAL);
		assert_true(pair_error == EMFILE || pair_error == EINVAL);
		assert_int_equal(a, -1);
		assert_int_equal(b, -1);
		assert_int_equal(c, -1);
		assert_int_equal(d, -1);
		assert_int_equal(count_fds(), before);
	}
}

/* ---- small files ---- */

static void
a_file_is_read_whole_or_as_far_as_there_is_room(void **state)
{
	char buf[16];

	(void)state;
	temp_file(&temp, "f", 0600, "0123456789");
	assert_int_equal(w_file_read_at(temp.fd, "f", buf, sizeof(buf)), 10);
	assert_string_equal(buf, "0123456789");
	assert_int_equal(w_file_read_at(temp.fd, "f", buf, 11), 10);
	assert_int_equal(w_file_read_at(temp.fd, "f", buf, 5), 4);
	assert_string_equal(buf, "0123");
	assert_int_equal(w_file_read_at(temp.fd, "f", buf, 1), 0);
	assert_string_equal(buf, "");
}

static void
what_cannot_be_read_is_a_negative_errno(void **state)
{
	char buf[4];

	(void)state;
	assert_int_equal(
	    w_file_read_at(temp.fd, "none", buf, sizeof(buf)), -ENOENT);
	assert_int_equal(
	    w_file_read_at(temp.fd, ".", buf, sizeof(buf)), -EISDIR);
}

static void
text_is_written_to_a_file_that_exists(void **state)
{
	char buf[8];

	(void)state;
	temp_file(&temp, "f", 0600, "");
	assert_int_equal(w_file_write_at(temp.fd, "f", "text"), 0);
	assert_int_equal(w_file_read_at(temp.fd, "f", buf, sizeof(buf)), 4);
	assert_string_equal(buf, "text");
	assert_int_equal(w_file_write_at(temp.fd, "none", "x"), ENOENT);
	assert_false(temp_has(&temp, "none"));
}

static void
writing_all_bytes_stops_at_the_first_error(void **state)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	int read_only = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_true(full >= 0);
	assert_int_equal(w_file_write_all(full, "x", 1), ENOSPC);
	assert_int_equal(w_file_write_all(full, "x", 0), 0);
	assert_int_equal(w_file_write_all(read_only, "x", 1), EBADF);
	(void)close(full);
	(void)close(read_only);
}

/* ---- directories ---- */

static void
directories_are_made_with_their_parents(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(
	    w_file_make_dirs(temp_path(&temp, "a/b/c"), 0700, NULL), WRIT_OK);
	assert_int_equal(
	    w_file_make_dirs(temp_path(&temp, "a/b/c"), 0700, NULL), WRIT_OK);
	assert_int_equal(
	    w_file_make_dirs(temp_path(&temp, "d/e/"), 0700, NULL), WRIT_OK);
	assert_int_equal(fstatat(temp.fd, "a/b", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(fstatat(temp.fd, "d/e", &st, 0), 0);
}

static void
a_file_in_the_way_of_a_directory_is_named(void **state)
{
	writ_error err = {0};

	(void)state;
	temp_file(&temp, "f", 0600, "");
	assert_int_equal(w_file_make_dirs(temp_path(&temp, "f/g"), 0700, &err),
	    WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ENOTDIR);
	assert_non_null(strstr(err.message, "f/g"));
}

static void
a_file_in_the_place_of_the_directory_is_an_error(void **state)
{
	(void)state;
	temp_file(&temp, "f", 0600, "");
	assert_int_not_equal(
	    w_file_make_dirs(temp_path(&temp, "f"), 0700, NULL), WRIT_OK);
}

static void
a_tree_is_removed_with_all_that_is_in_it(void **state)
{
	char name[32];

	(void)state;
	temp_dir(&temp, "t");
	temp_dir(&temp, "t/a");
	temp_dir(&temp, "t/a/b");
	temp_dir(&temp, "t/empty");
	temp_file(&temp, "t/a/b/f", 0000, "x");
	for (int i = 0; i < 1000; i++) {
		(void)snprintf(name, sizeof(name), "t/a/%d", i);
		temp_file(&temp, name, 0600, "");
	}
	assert_true(w_file_remove_tree(temp_path(&temp, "t")));
	assert_false(temp_has(&temp, "t"));
}

static void
symbolic_links_are_removed_not_followed(void **state)
{
	(void)state;
	temp_dir(&temp, "keep");
	temp_file(&temp, "keep/f", 0600, "x");
	temp_dir(&temp, "t");
	temp_dir(&temp, "t/a");
	temp_link(&temp, temp_path(&temp, "keep"), "t/a/link");
	temp_link(&temp, "../keep", "t/up");
	assert_true(w_file_remove_tree(temp_path(&temp, "t")));
	assert_true(temp_has(&temp, "keep/f"));
}

static void
a_link_given_as_the_tree_is_not_followed(void **state)
{
	(void)state;
	temp_dir(&temp, "keep");
	temp_file(&temp, "keep/f", 0600, "x");
	temp_link(&temp, "keep", "t");
	assert_false(w_file_remove_tree(temp_path(&temp, "t")));
	assert_true(temp_has(&temp, "keep/f"));
}

static void
directories_without_any_rights_are_removed_too(void **state)
{
	(void)state;
	temp_dir(&temp, "t");
	temp_dir(&temp, "t/closed");
	temp_file(&temp, "t/closed/f", 0600, "x");
	assert_int_equal(fchmodat(temp.fd, "t/closed", 0000, 0), 0);
	assert_int_equal(fchmodat(temp.fd, "t", 0500, 0), 0);
	assert_true(w_file_remove_tree(temp_path(&temp, "t")));
	assert_false(temp_has(&temp, "t"));
}

static void
a_tree_of_any_depth_is_removed(void **state)
{
	int before = count_fds();
	int at = openat(temp.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	for (int i = 0; i < 200; i++) {
		assert_int_equal(mkdirat(at, "d", 0700), 0);
		int next = openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(next >= 0);
		(void)close(at);
		at = next;
	}
	(void)close(at);
	assert_true(w_file_remove_tree(temp_path(&temp, "d")));
	assert_false(temp_has(&temp, "d"));
	assert_int_equal(count_fds(), before);
}

static void
removing_what_is_not_there_is_false(void **state)
{
	(void)state;
	assert_false(w_file_remove_tree(temp_path(&temp, "none")));
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

static void
the_limit_on_file_sizes_is_that_of_the_process(void **state)
{
	struct rlimit before;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	struct rlimit lower = {.rlim_cur = 4096, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &lower), 0);
	uint64_t limit = w_file_size_limit();
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(limit, 4096);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(the_limit_on_file_sizes_is_that_of_the_process),
	    IN_TEMP(a_low_descriptor_is_raised_and_the_old_one_closed),
	    IN_TEMP(a_high_descriptor_stays),
	    IN_TEMP(a_closed_descriptor_cannot_be_raised),
	    IN_TEMP(pipe_ends_are_safe_and_connected),
	    IN_TEMP(pair_is_safe_and_keeps_packets_apart),
	    IN_TEMP(
		without_descriptors_both_ends_are_minus_one_and_nothing_leaks),
	    IN_TEMP(a_file_is_read_whole_or_as_far_as_there_is_room),
	    IN_TEMP(what_cannot_be_read_is_a_negative_errno),
	    IN_TEMP(text_is_written_to_a_file_that_exists),
	    IN_TEMP(writing_all_bytes_stops_at_the_first_error),
	    IN_TEMP(directories_are_made_with_their_parents),
	    IN_TEMP(a_file_in_the_way_of_a_directory_is_named),
	    IN_TEMP(a_file_in_the_place_of_the_directory_is_an_error),
	    IN_TEMP(a_tree_is_removed_with_all_that_is_in_it),
	    IN_TEMP(symbolic_links_are_removed_not_followed),
	    IN_TEMP(a_link_given_as_the_tree_is_not_followed),
	    IN_TEMP(directories_without_any_rights_are_removed_too),
	    IN_TEMP(a_tree_of_any_depth_is_removed),
	    IN_TEMP(removing_what_is_not_there_is_false),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
