/* SPDX-License-Identifier: Apache-2.0 */

/* Recordings, written and read back. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "leftovers.h"
#include "log/recording/recording.h"
#include "temp.h"

enum {
	TEXT_MAX = 300000
};

static struct temp temp;
static char text[TEXT_MAX];
static char back[TEXT_MAX];
static int fds_before;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	for (size_t i = 0; i < TEXT_MAX; i++)
		text[i] = (char)random();
	fds_before = count_fds();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	bool is_clean = count_fds() == fds_before;
	temp_close(&temp);
	return is_clean ? 0 : -1;
}

static struct w_recording
recording_of(uint64_t limit)
{
	return (struct w_recording){
	    .dir = temp.path,
	    .run_id = "id",
	    .limit = limit,
	    .fd = -1,
	    .start_ns = 5000000000,
	};
}

static uint64_t
after_us(uint64_t us)
{
	return 5000000000 + us * 1000;
}

static struct w_recording_reader *
open_reader(void)
{
	struct w_recording_reader *reader = NULL;

	assert_int_equal(
	    w_recording_open(temp_path(&temp, "id.rec"), &reader, NULL),
	    WRIT_OK);
	return reader;
}

static struct w_recording_piece
next(struct w_recording_reader *reader, bool *out_is_cut)
{
	struct w_recording_piece piece;

	assert_int_equal(
	    w_recording_next(reader, &piece, out_is_cut, NULL), WRIT_OK);
	return piece;
}

static void
expect_piece(struct w_recording_reader *reader, bool is_stderr, uint64_t at_us,
    const char *bytes)
{
	bool is_cut = true;
	struct w_recording_piece piece = next(reader, &is_cut);

	assert_false(is_cut);
	assert_int_equal(piece.len, strlen(bytes));
	assert_memory_equal(piece.bytes, bytes, piece.len);
	assert_int_equal(piece.is_stderr, is_stderr);
	assert_int_equal(piece.at_us, at_us);
}

static void
expect_end(struct w_recording_reader *reader, bool is_cut_expected)
{
	bool is_cut = !is_cut_expected;

	assert_int_equal(next(reader, &is_cut).len, 0);
	assert_int_equal(is_cut, is_cut_expected);
}

/* All of the output, both streams together; returns its length. */
static size_t
read_all(bool *out_is_cut)
{
	struct w_recording_reader *reader = open_reader();
	size_t len = 0;

	for (;;) {
		struct w_recording_piece piece = next(reader, out_is_cut);

		if (piece.len == 0)
			break;
		assert_true(len + piece.len <= sizeof(back));
		memcpy(back + len, piece.bytes, piece.len);
		len += piece.len;
	}
	w_recording_reader_free(reader);
	return len;
}

static void
pieces_come_back_with_their_stream_and_time(void **state)
{
	struct w_recording recording = recording_of(1000);

	(void)state;
	w_recording_add(&recording, false, "one", 3, after_us(0));
	w_recording_add(&recording, true, "two!", 4, after_us(1500));
	w_recording_add(&recording, false, "", 0, after_us(1600));
	w_recording_add(&recording, false, "\n", 1, after_us(1000000));
	assert_int_equal(recording.bytes, 8);
	assert_int_equal(recording.error, 0);
	w_recording_end(&recording);
	assert_string_equal(recording.path, temp_path(&temp, "id.rec"));
	struct w_recording_reader *reader = open_reader();
	expect_piece(reader, false, 0, "one");
	expect_piece(reader, true, 1500, "two!");
	expect_piece(reader, false, 1000000, "\n");
	expect_end(reader, false);
	w_recording_reader_free(reader);
	w_recording_free(&recording, false);
	assert_true(temp_has(&temp, "id.rec"));
}

static void
the_bytes_of_the_file_are_those_of_its_description(void **state)
{
	static const char expected[] = "writrec1"
				       "\3\0\0\0\0\0\0\0one"
				       "\2\0\0\200\4\3\2\1no";
	struct w_recording recording = recording_of(1000);
	char content[100];

	(void)state;
	w_recording_add(&recording, false, "one", 3, after_us(0));
	w_recording_add(&recording, true, "no", 2, after_us(0x01020304));
	w_recording_end(&recording);
	int fd = open(recording.path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(
	    read(fd, content, sizeof(content)), sizeof(expected) - 1);
	(void)close(fd);
	assert_memory_equal(content, expected, sizeof(expected) - 1);
	w_recording_free(&recording, false);
}

static void
a_clock_that_stands_or_precedes_the_start_is_no_trouble(void **state)
{
	struct w_recording recording = recording_of(1000);

	(void)state;
	w_recording_add(&recording, false, "a", 1, 1);
	w_recording_add(&recording, false, "b", 1, after_us(70));
	w_recording_add(&recording, false, "c", 1, after_us(60));
	w_recording_add(&recording, false, "d", 1, after_us(80));
	w_recording_end(&recording);
	struct w_recording_reader *reader = open_reader();
	expect_piece(reader, false, 0, "a");
	expect_piece(reader, false, 70, "b");
	expect_piece(reader, false, 70, "c");
	expect_piece(reader, false, 80, "d");
	w_recording_reader_free(reader);
	w_recording_free(&recording, true);
}

static void
a_pause_of_days_comes_back(void **state)
{
	const uint64_t days_us = UINT64_C(3) * 86400 * 1000000;
	struct w_recording recording = recording_of(1000);

	(void)state;
	w_recording_add(&recording, false, "a", 1, after_us(days_us));
	w_recording_add(&recording, true, "b", 1, after_us(2 * days_us + 7));
	w_recording_add(
	    &recording, true, "c", 1, after_us(2 * days_us + 7 + UINT32_MAX));
	w_recording_end(&recording);
	assert_int_equal(recording.bytes, 3);
	struct w_recording_reader *reader = open_reader();
	expect_piece(reader, false, days_us, "a");
	expect_piece(reader, true, 2 * days_us + 7, "b");
	expect_piece(reader, true, 2 * days_us + 7 + UINT32_MAX, "c");
	expect_end(reader, false);
	w_recording_reader_free(reader);
	w_recording_free(&recording, true);
}

static void
a_run_without_output_has_no_file(void **state)
{
	struct w_recording recording = recording_of(1000);

	(void)state;
	w_recording_add(&recording, false, text, 0, after_us(1));
	w_recording_end(&recording);
	assert_null(recording.path);
	assert_int_equal(recording.error, 0);
	assert_false(temp_has(&temp, "id.rec"));
	w_recording_free(&recording, true);
}

static void
without_a_directory_or_a_limit_nothing_is_kept(void **state)
{
	struct w_recording recording = recording_of(0);

	(void)state;
	w_recording_add(&recording, false, "a", 1, after_us(1));
	assert_null(recording.path);
	recording = recording_of(10);
	recording.dir = NULL;
	w_recording_add(&recording, false, "a", 1, after_us(1));
	assert_null(recording.path);
	assert_int_equal(recording.error, 0);
}

/* Random pieces up to a limit; some larger than a piece may be. */
static void
expect_first_bytes(size_t len, uint64_t limit)
{
	struct w_recording recording = recording_of(limit);
	size_t kept = len < limit ? len : (size_t)limit;
	bool is_cut = true;

	for (size_t at = 0; at < len;) {
		size_t take = (size_t)random() % (at % 2 == 0 ? 300 : 150000);

		if (take > len - at)
			take = len - at;
		w_recording_add(
		    &recording, at % 3 == 0, text + at, take, after_us(at));
		at += take;
	}
	assert_int_equal(recording.bytes, kept);
	assert_int_equal(recording.error, kept < len ? EFBIG : 0);
	w_recording_end(&recording);
	assert_int_equal(read_all(&is_cut), kept);
	assert_memory_equal(back, text, kept);
	assert_false(is_cut);
	w_recording_free(&recording, true);
	assert_false(temp_has(&temp, "id.rec"));
}

static void
the_limit_keeps_exactly_that_many_bytes(void **state)
{
	(void)state;
	for (int round = 0; round < 40; round++)
		expect_first_bytes(1 + (size_t)random() % TEXT_MAX,
		    1 + (uint64_t)random() % TEXT_MAX);
	expect_first_bytes(70000, 70000);
	expect_first_bytes(70000, 69999);
	expect_first_bytes(70000, 65536);
	expect_first_bytes(1, 1);
	expect_first_bytes(TEXT_MAX, UINT64_MAX);
}

static void
the_file_is_private_and_its_directory_is_made(void **state)
{
	struct w_recording recording = recording_of(100);
	struct stat st;

	(void)state;
	recording.dir = temp_path(&temp, "a/b");
	w_recording_add(&recording, false, "x", 1, after_us(1));
	assert_int_equal(recording.error, 0);
	assert_int_equal(stat(recording.path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(fstatat(temp.fd, "a/b", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_true(fcntl(recording.fd, F_GETFD) & FD_CLOEXEC);
	w_recording_free(&recording, true);
}

static void
no_umask_keeps_its_owner_out(void **state)
{
	struct w_recording recording = recording_of(100);
	struct stat st;

	(void)state;
	mode_t before = umask(0777);
	w_recording_add(&recording, false, "x", 1, after_us(0));
	(void)umask(before);
	w_recording_end(&recording);
	assert_int_equal(recording.error, 0);
	assert_int_equal(stat(recording.path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	w_recording_free(&recording, false);
}

static void
expect_error(struct w_recording *recording, int error)
{
	w_recording_add(recording, false, "x", 1, after_us(1));
	w_recording_add(recording, false, "y", 1, after_us(2));
	assert_int_equal(recording->error, error);
	assert_int_equal(recording->bytes, 0);
	assert_null(recording->path);
	w_recording_end(recording);
	w_recording_free(recording, true);
}

static void
what_cannot_be_started_is_remembered(void **state)
{
	struct w_recording recording = recording_of(100);

	(void)state;
	temp_file(&temp, "f", 0600, "");
	recording.dir = temp_path(&temp, "f/g");
	expect_error(&recording, ENOTDIR);
	temp_file(&temp, "id.rec", 0600, "mine");
	recording = recording_of(100);
	expect_error(&recording, EEXIST);
	assert_true(temp_has(&temp, "id.rec"));
	temp_dir(&temp, "links");
	temp_link(&temp, "../elsewhere", "links/id.rec");
	recording = recording_of(100);
	recording.dir = temp_path(&temp, "links");
	expect_error(&recording, EEXIST);
	assert_false(temp_has(&temp, "elsewhere"));
}

static void
a_directory_where_others_may_write_is_not_used(void **state)
{
	struct w_recording recording = recording_of(100);

	(void)state;
	temp_dir(&temp, "open");
	assert_int_equal(fchmodat(temp.fd, "open", 0770, 0), 0);
	recording.dir = temp_path(&temp, "open");
	expect_error(&recording, EPERM);
	assert_false(temp_has(&temp, "open/id.rec"));
}

static void
a_limit_on_the_size_of_files_does_not_end_the_host(void **state)
{
	struct w_recording recording = recording_of(1000);
	struct rlimit before;
	bool is_cut = true;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	struct rlimit low = {.rlim_cur = 100, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
	/* The signal's default action would end this test. */
	assert_true(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
	w_recording_add(&recording, false, text, 40, after_us(1));
	w_recording_add(&recording, false, text + 40, 40, after_us(2));
	w_recording_add(&recording, false, text + 80, 1, after_us(3));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(recording.error, EFBIG);
	assert_int_equal(recording.bytes, 40);
	w_recording_end(&recording);
	assert_int_equal(read_all(&is_cut), 40);
	assert_false(is_cut);
	w_recording_free(&recording, true);
}

/* A file that never got a complete piece is removed. */
static void
a_file_without_a_piece_is_not_left(void **state)
{
	struct w_recording recording = recording_of(1000);
	struct rlimit before;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	struct rlimit low = {.rlim_cur = 10, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
	w_recording_add(&recording, false, text, 40, after_us(1));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(recording.error, EFBIG);
	w_recording_end(&recording);
	assert_null(recording.path);
	assert_false(temp_has(&temp, "id.rec"));
	w_recording_free(&recording, true);
}

static bool
write_line(const char *path, const char *line)
{
	size_t len = strlen(line);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool is_written = fd >= 0 && write(fd, line, len) == (ssize_t)len;

	(void)close(fd);
	return is_written;
}

/* Mounts a file system of 64 KiB that only this process sees. */
static bool
mount_small(void)
{
	unsigned uid = geteuid();
	char uids[32];
	char gids[32];

	(void)snprintf(uids, sizeof(uids), "%u %u 1", uid, uid);
	(void)snprintf(gids, sizeof(gids), "%u %u 1", getegid(), getegid());
	if (unshare(CLONE_NEWNS | (uid == 0 ? 0 : CLONE_NEWUSER)) < 0)
		return false;
	if (uid != 0 && (!write_line("/proc/self/setgroups", "deny") ||
			    !write_line("/proc/self/uid_map", uids) ||
			    !write_line("/proc/self/gid_map", gids)))
		return false;
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("tmpfs", temp.path, "tmpfs", 0, "size=64k,mode=0700") == 0;
}

enum {
	CANNOT = 77
};

/* In a child; its exit status says what went wrong. */
static int
fill_small_disk(void)
{
	struct w_recording recording = recording_of(1 << 20);
	bool is_cut = true;

	if (!mount_small())
		return CANNOT;
	for (size_t at = 0; at < 200000; at += 10000)
		w_recording_add(
		    &recording, false, text + at, 10000, after_us(at));
	if (recording.error != ENOSPC)
		return 1;
	w_recording_end(&recording);
	if (recording.bytes == 0 || recording.bytes % 10000 != 0)
		return 2;
	if (read_all(&is_cut) != recording.bytes || is_cut)
		return 3;
	if (memcmp(back, text, recording.bytes) != 0)
		return 4;
	w_recording_free(&recording, true);
	return 0;
}

static void
a_full_disk_leaves_whole_pieces(void **state)
{
	int status;

	(void)state;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(fill_small_disk());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == CANNOT) {
		print_message("# no file system of our own can be mounted\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- spare files ---- */

static void
a_spare_file_becomes_the_recording(void **state)
{
	struct w_recording recording = recording_of(100);
	int spare = w_recording_make_spare(temp.path);
	struct stat st;
	struct stat named;

	(void)state;
	if (spare < 0) {
		print_message("# no file without a name can be made here\n");
		skip();
	}
	assert_int_equal(fstat(spare, &st), 0);
	assert_false(temp_has(&temp, "id.rec"));
	recording.spare = &spare;
	w_recording_add(&recording, false, "0123456789", 10, after_us(1));
	assert_int_equal(recording.error, 0);
	assert_int_equal(spare, -1);
	assert_int_equal(fstatat(temp.fd, "id.rec", &named, 0), 0);
	assert_int_equal(named.st_ino, st.st_ino);
	assert_int_equal(named.st_mode & 07777, 0600);
	w_recording_end(&recording);
	w_recording_free(&recording, false);
	struct w_recording_reader *reader = open_reader();
	expect_piece(reader, false, 1, "0123456789");
	w_recording_reader_free(reader);
}

static void
a_spare_file_that_is_of_no_use_is_done_without(void **state)
{
	struct w_recording recording = recording_of(100);
	int spare = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)state;
	recording.spare = &spare;
	w_recording_add(&recording, true, "0123456789", 10, after_us(1));
	assert_int_equal(recording.error, 0);
	assert_int_equal(spare, -1);
	w_recording_end(&recording);
	w_recording_free(&recording, false);
	struct w_recording_reader *reader = open_reader();
	expect_piece(reader, true, 1, "0123456789");
	w_recording_reader_free(reader);
	assert_int_equal(w_recording_make_spare("/no/such/directory"), -1);
}

#define IN_TEMP(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(no_umask_keeps_its_owner_out),
	    IN_TEMP(pieces_come_back_with_their_stream_and_time),
	    IN_TEMP(the_bytes_of_the_file_are_those_of_its_description),
	    IN_TEMP(a_clock_that_stands_or_precedes_the_start_is_no_trouble),
	    IN_TEMP(a_pause_of_days_comes_back),
	    IN_TEMP(a_run_without_output_has_no_file),
	    IN_TEMP(without_a_directory_or_a_limit_nothing_is_kept),
	    IN_TEMP(the_limit_keeps_exactly_that_many_bytes),
	    IN_TEMP(the_file_is_private_and_its_directory_is_made),
	    IN_TEMP(what_cannot_be_started_is_remembered),
	    IN_TEMP(a_directory_where_others_may_write_is_not_used),
	    IN_TEMP(a_limit_on_the_size_of_files_does_not_end_the_host),
	    IN_TEMP(a_file_without_a_piece_is_not_left),
	    IN_TEMP(a_full_disk_leaves_whole_pieces),
	    IN_TEMP(a_spare_file_becomes_the_recording),
	    IN_TEMP(a_spare_file_that_is_of_no_use_is_done_without),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
