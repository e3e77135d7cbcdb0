/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/limits/disk.h"
#include "temp.h"

static struct temp temp;
static int dir_fd;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	dir_fd = open(temp.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(dir_fd >= 0);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	(void)close(dir_fd);
	temp_close(&temp);
	return 0;
}

static void
fill(const char *name, size_t kib)
{
	static const char block[1024] = {'x'};
	int fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	for (size_t i = 0; i < kib; i++)
		assert_int_equal(write(fd, block, sizeof(block)), 1024);
	/* Some file systems give blocks to a file only then. */
	assert_int_equal(fsync(fd), 0);
	(void)close(fd);
}

static void
files_at_every_depth_count(void **state)
{
	(void)state;
	uint64_t empty = w_disk_used(dir_fd, UINT64_MAX);
	fill("a", 100);
	assert_int_equal(mkdirat(dir_fd, "d", 0700), 0);
	assert_int_equal(mkdirat(dir_fd, "d/e", 0700), 0);
	fill("d/e/b", 200);
	assert_in_range(w_disk_used(dir_fd, UINT64_MAX) - empty, 300 << 10,
	    (300 << 10) + 32768);
}

static void
a_hole_takes_no_room(void **state)
{
	(void)state;
	uint64_t empty = w_disk_used(dir_fd, UINT64_MAX);
	fill("a", 4);
	int fd = openat(dir_fd, "a", O_WRONLY | O_CLOEXEC);
	assert_int_equal(ftruncate(fd, 1 << 30), 0);
	(void)close(fd);
	assert_true(w_disk_used(dir_fd, UINT64_MAX) - empty < 65536);
}

static void
a_file_with_two_names_counts_once(void **state)
{
	(void)state;
	fill("a", 256);
	uint64_t once = w_disk_used(dir_fd, UINT64_MAX);
	assert_int_equal(linkat(dir_fd, "a", dir_fd, "b", 0), 0);
	assert_int_equal(w_disk_used(dir_fd, UINT64_MAX), once);
}

static void
links_are_not_followed(void **state)
{
	(void)state;
	fill("a", 64);
	uint64_t before = w_disk_used(dir_fd, UINT64_MAX);
	assert_int_equal(symlinkat("/usr", dir_fd, "away"), 0);
	assert_int_equal(symlinkat(".", dir_fd, "round"), 0);
	assert_true(w_disk_used(dir_fd, UINT64_MAX) - before < 16384);
}

static void
the_look_stops_when_it_has_seen_enough(void **state)
{
	char name[16];

	(void)state;
	for (int i = 0; i < 50; i++) {
		(void)snprintf(name, sizeof(name), "f%d", i);
		fill(name, 16);
	}
	uint64_t all = w_disk_used(dir_fd, UINT64_MAX);
	uint64_t some = w_disk_used(dir_fd, 100 << 10);
	assert_true(some > 100 << 10);
	assert_true(some < all);
}

static void
nothing_can_be_said_of_what_is_no_directory(void **state)
{
	(void)state;
	assert_int_equal(w_disk_used(-1, UINT64_MAX), 0);
	assert_false(w_disk_is_full(-1));
	assert_false(w_disk_is_full(dir_fd));
}

#define DISK(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    DISK(files_at_every_depth_count),
	    DISK(a_hole_takes_no_room),
	    DISK(a_file_with_two_names_counts_once),
	    DISK(links_are_not_followed),
	    DISK(the_look_stops_when_it_has_seen_enough),
	    DISK(nothing_can_be_said_of_what_is_no_directory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
