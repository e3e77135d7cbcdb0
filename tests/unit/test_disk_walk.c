/* SPDX-License-Identifier: Apache-2.0 */

#include "run/limits/disk_walk.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "temp.h"

static struct temp temp;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	temp_close(&temp);
	return 0;
}

static void
make_file(int dir, const char *name, size_t len)
{
	static char bytes[4096];
	int fd = openat(dir, name, O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	memset(bytes, 'x', sizeof(bytes));
	for (; len > 0; len -= len < sizeof(bytes) ? len : sizeof(bytes))
		assert_true(write(fd, bytes, sizeof(bytes)) > 0);
	close(fd);
}

/* Calls until a walk is whole; their number. */
static int
walk_whole(struct w_disk_walk *walk, int fd)
{
	int calls = 0;

	do {
		w_disk_walk_on(walk, fd);
		calls++;
	} while (walk->depth > 0);
	return calls;
}

static void
a_walk_counts_every_file_and_directory(void **state)
{
	struct w_disk_walk walk = {.depth = 0};
	const int fd = temp.fd;

	(void)state;
	assert_int_equal(walk_whole(&walk, fd), 1);
	assert_int_equal(w_disk_walk_files(&walk), 0);
	make_file(fd, "a", 1 << 20);
	assert_int_equal(mkdirat(fd, "d", 0700), 0);
	make_file(fd, "d/b", 2 << 20);
	assert_int_equal(symlinkat("/", fd, "d/root"), 0);
	(void)walk_whole(&walk, fd);
	assert_int_equal(w_disk_walk_files(&walk), 4);
	assert_in_range(w_disk_walk_bytes(&walk), 3 << 20, (3 << 20) + 65536);
	/* Two names of one file count once. */
	assert_int_equal(linkat(fd, "a", fd, "d/again", 0), 0);
	(void)walk_whole(&walk, fd);
	assert_in_range(w_disk_walk_bytes(&walk), 3 << 20, (3 << 20) + 65536);
	assert_int_equal(unlinkat(fd, "d/b", 0), 0);
	(void)walk_whole(&walk, fd);
	assert_in_range(w_disk_walk_bytes(&walk), 1 << 20, (1 << 20) + 65536);
	w_disk_walk_done(&walk);
}

static void
a_large_directory_takes_several_calls(void **state)
{
	struct w_disk_walk walk = {.depth = 0};
	const int fd = temp.fd;
	char name[32];

	(void)state;
	for (int i = 0; i < 5000; i++) {
		(void)snprintf(name, sizeof(name), "f%d", i);
		make_file(fd, name, 1);
	}
	w_disk_walk_on(&walk, fd);
	assert_true(walk.depth > 0);
	/* What is known so far is told. */
	assert_true(w_disk_walk_bytes(&walk) > 0);
	assert_true(walk_whole(&walk, fd) > 1);
	assert_int_equal(w_disk_walk_files(&walk), 5000);
	w_disk_walk_on(&walk, fd);
	assert_int_equal(w_disk_walk_files(&walk), 5000);
	w_disk_walk_done(&walk);
}

static void
a_deep_or_vanished_directory_ends_no_walk(void **state)
{
	struct w_disk_walk walk = {.depth = 0};
	const int fd = temp.fd;
	int at = dup(fd);

	(void)state;
	for (int i = 0; i < 3 * W_DISK_WALK_DEPTH; i++) {
		assert_int_equal(mkdirat(at, "d", 0700), 0);
		const int next = openat(at, "d", O_RDONLY | O_DIRECTORY);
		close(at);
		at = next;
	}
	close(at);
	(void)walk_whole(&walk, fd);
	assert_int_equal(w_disk_walk_files(&walk), W_DISK_WALK_DEPTH);
	w_disk_walk_on(&walk, -1);
	assert_int_equal(walk.depth, 0);
	w_disk_walk_done(&walk);
}

int
main(void)
{
#define IN_DIR(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    IN_DIR(a_walk_counts_every_file_and_directory),
	    IN_DIR(a_large_directory_takes_several_calls),
	    IN_DIR(a_deep_or_vanished_directory_ends_no_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
