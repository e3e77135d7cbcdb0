/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <sys/mount.h>

#include "log_check.h"

/* A log on a small file system of its own that gets full. */

#define DISK_KIB 1024
#define RESERVE  ((uint64_t)64 << 10)

static const struct w_log_options options = {.name = "trail",
    .durability = W_LOG_BATCH,
    .reserve = RESERVE,
    .segment_max = 300000};

static void
write_proc(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, text, strlen(text)) < 0)
		print_message("# %s: %s\n", name, strerror(errno));
	if (fd >= 0)
		(void)close(fd);
}

/* A mount namespace of our own; an ordinary user needs a user namespace for
 * that. */
static bool
enter_namespace(void)
{
	char map[64];
	const uid_t uid = geteuid();
	const gid_t gid = getegid();

	if (uid == 0) {
		if (unshare(CLONE_NEWNS) < 0)
			return false;
	} else {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
			return false;
		write_proc("/proc/self/setgroups", "deny");
		(void)snprintf(map, sizeof(map), "%u %u 1", uid, uid);
		write_proc("/proc/self/uid_map", map);
		(void)snprintf(map, sizeof(map), "%u %u 1", gid, gid);
		write_proc("/proc/self/gid_map", map);
	}
	return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static bool is_inside;

static int
enter(void **state)
{
	(void)state;
	is_inside = enter_namespace();
	return 0;
}

struct disk {
	struct temp outer;
	struct temp temp; /* on the small file system */
};

static int
setup(void **state)
{
	static struct disk disk;
	char size[64];

	*state = &disk;
	temp_open(&disk.outer);
	disk.temp = disk.outer;
	disk.temp.fd = -1;
	if (!is_inside)
		return 0;
	(void)snprintf(size, sizeof(size), "size=%dk,mode=700", DISK_KIB);
	if (mount("none", disk.outer.path, "tmpfs", 0, size) < 0) {
		is_inside = false;
		return 0;
	}
	disk.temp.fd = open(disk.temp.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return disk.temp.fd >= 0 ? 0 : -1;
}

static int
teardown(void **state)
{
	struct disk *disk = *state;

	if (disk->temp.fd >= 0) {
		(void)close(disk->temp.fd);
		(void)umount2(disk->outer.path, MNT_DETACH);
	}
	temp_close(&disk->outer);
	return 0;
}

/* Takes all the room that is left. */
static void
fill(const struct temp *temp)
{
	static const char block[4096] = "full";
	int fd = openat(temp->fd, "filler",
	    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	while (write(fd, block, sizeof(block)) > 0)
		continue;
	(void)close(fd);
}

static void
make_room(const struct temp *temp)
{
	assert_int_equal(unlinkat(temp->fd, "filler", 0), 0);
}

/* So many records, until one is refused for want of room. */
static unsigned
add_until_full(struct w_log *log, enum w_log_urgency urgency)
{
	writ_error err = {0};
	unsigned count = 0;

	while (log_try(log, urgency, &err) == WRIT_OK)
		assert_true(++count < 100000);
	assert_int_equal(err.status, WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ENOSPC);
	assert_non_null(strstr(err.suggestion, "make room"));
	return count;
}

static void
what_began_can_end_on_a_full_disk(void **state)
{
	struct disk *disk = *state;
	struct log_seen seen = {0};
	writ_error err = {0};

	if (!is_inside)
		skip();
	struct w_log *log = log_open(&disk->temp, &options);
	log_add(log, 1);
	fill(&disk->temp);
	assert_true(add_until_full(log, W_LOG_BEGINS) > 0);
	/* Also for who comes now. */
	struct w_log *other = log_open(&disk->temp, &options);
	assert_int_equal(log_try(other, W_LOG_BEGINS, &err), WRIT_E_SYSTEM);
	const unsigned ended = add_until_full(log, W_LOG_ENDS);
	assert_true(ended * 250 > RESERVE - 8192);
	assert_int_equal(log_try(log, W_LOG_BEGINS, &err), WRIT_E_SYSTEM);
	assert_int_equal(log_try(other, W_LOG_ENDS, &err), WRIT_E_SYSTEM);
	log_check(&disk->temp, &seen);
	const uint64_t lines = seen.lines - 2 * seen.files;

	make_room(&disk->temp);
	log_add(log, 10);
	log_add(other, 10);
	w_log_close(log);
	w_log_close(other);
	seen = (struct log_seen){0};
	log_check(&disk->temp, &seen);
	assert_int_equal(seen.lines - 2 * seen.files, lines + 20);
	assert_int_equal(seen.recoveries, 0);
}

static void
a_log_fills_the_disk_by_itself(void **state)
{
	struct disk *disk = *state;
	struct log_seen seen = {0};

	if (!is_inside)
		skip();
	struct w_log *log = log_open(&disk->temp, &options);
	const unsigned begun = add_until_full(log, W_LOG_BEGINS);
	const unsigned ended = add_until_full(log, W_LOG_ENDS);
	assert_true(begun > 1000);
	assert_true(ended > 100);
	w_log_close(log);
	log_check(&disk->temp, &seen);
	assert_int_equal(seen.lines, begun + ended + 2 * seen.files - 1);
	assert_int_equal(seen.recoveries, 0);
}

static void
an_end_goes_to_a_file_that_is_too_long_rather_than_nowhere(void **state)
{
	const struct w_log_options small = {
	    .name = "trail", .reserve = RESERVE, .segment_max = 20000};
	struct disk *disk = *state;
	struct log_seen seen = {0};
	writ_error err = {0};

	if (!is_inside)
		skip();
	struct w_log *log = log_open(&disk->temp, &small);
	log_add(log, 60);
	fill(&disk->temp);
	/* The file is full before the reserve is used up. */
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(log_try(log, W_LOG_ENDS, &err), WRIT_OK);
	make_room(&disk->temp);
	log_add(log, 1);
	w_log_close(log);
	log_check(&disk->temp, &seen);
	assert_int_equal(seen.files, 2);
	assert_int_equal(seen.lines, 161 + 3);
	assert_int_equal(seen.recoveries, 0);
}

static void
no_log_is_begun_on_a_full_disk(void **state)
{
	struct disk *disk = *state;
	struct log_seen seen = {0};
	writ_error err = {0};

	if (!is_inside)
		skip();
	fill(&disk->temp);
	struct w_log *log = log_open(&disk->temp, &options);
	assert_int_equal(log_try(log, W_LOG_BEGINS, &err), WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ENOSPC);
	make_room(&disk->temp);
	log_add(log, 1);
	w_log_close(log);
	log_check(&disk->temp, &seen);
	assert_int_equal(seen.lines, 2);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
	    CASE(what_began_can_end_on_a_full_disk),
	    CASE(a_log_fills_the_disk_by_itself),
	    CASE(an_end_goes_to_a_file_that_is_too_long_rather_than_nowhere),
	    CASE(no_log_is_begun_on_a_full_disk),
	};

	return cmocka_run_group_tests(tests, enter, NULL);
}
