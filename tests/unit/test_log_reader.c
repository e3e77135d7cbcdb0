/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "log/log_reader.h"
#include "trail.h"

static const char one[] = "trail-000001.jsonl";
static const char two[] = "trail-000002.jsonl";
static const char three[] = "trail-000003.jsonl";
static const char note[] = "\"kind\":\"note\",\"text\":\"x\"";

static struct temp temp;
static struct trail trail;
static struct w_log_reader *reader;
static writ_error err;

/* The result of the last read. */
static enum w_log_read read_parentd;
static struct w_log_line line;
static struct w_log_place place;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	trail_start(&trail);
	reader = NULL;
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_log_reader_free(reader);
	temp_close(&temp);
	return 0;
}

static void
open_reader(void)
{
	assert_int_equal(
	    w_log_reader_open(temp.path, "trail", &reader, &err), WRIT_OK);
}

static void
expect(enum w_log_read kind)
{
	assert_int_equal(
	    w_log_reader_next(reader, &read_parentd, &line, &place, &err),
	    WRIT_OK);
	assert_int_equal(read_parentd, kind);
}

static void
expect_line(uint64_t seq, uint32_t segment, uint64_t number)
{
	expect(W_LOG_LINE);
	assert_int_equal(line.seq, seq);
	assert_int_equal(place.segment, segment);
	assert_int_equal(place.line, number);
}

static void
add_text(const char *file, const char *text)
{
	trail_add(&temp, file, text, strlen(text));
}

static void
a_log_that_does_not_exist_has_no_line(void **state)
{
	(void)state;
	assert_int_equal(w_log_reader_open(
			     temp_path(&temp, "later"), "trail", &reader, &err),
	    WRIT_OK);
	expect(W_LOG_END);
	assert_int_equal(w_log_reader_first(reader), 0);
	assert_int_equal(w_log_reader_last(reader), 0);
}

static void
a_log_that_comes_into_being_is_seen(void **state)
{
	(void)state;
	assert_int_equal(w_log_reader_open(
			     temp_path(&temp, "later"), "trail", &reader, &err),
	    WRIT_OK);
	expect(W_LOG_END);
	temp_dir(&temp, "later");
	trail_append(&trail, &temp, "later/trail-000001.jsonl", note);
	expect_line(1, 1, 1);
	expect(W_LOG_END);
	assert_int_equal(w_log_reader_last(reader), 1);
}

static void
lines_come_in_the_order_of_the_files(void **state)
{
	(void)state;
	trail_append(&trail, &temp, one, note);
	trail_append(&trail, &temp, one, note);
	trail_append(&trail, &temp, two, note);
	open_reader();
	expect_line(1, 1, 1);
	assert_int_equal(place.offset, 0);
	size_t len = line.len;
	expect_line(2, 1, 2);
	assert_int_equal(place.offset, len + 1);
	expect_line(3, 2, 1);
	assert_int_equal(place.offset, 0);
	expect(W_LOG_END);
	assert_int_equal(w_log_reader_first(reader), 1);
	assert_int_equal(w_log_reader_last(reader), 2);
}

static void
what_is_written_later_is_read_later(void **state)
{
	(void)state;
	trail_append(&trail, &temp, one, note);
	open_reader();
	expect_line(1, 1, 1);
	expect(W_LOG_END);
	expect(W_LOG_END);
	trail_append(&trail, &temp, one, note);
	trail_append(&trail, &temp, two, note);
	expect_line(2, 1, 2);
	expect_line(3, 2, 1);
	expect(W_LOG_END);
}

/* A writer creates the next file before it seals the current one. */
static void
an_empty_successor_does_not_end_a_file(void **state)
{
	(void)state;
	trail_append(&trail, &temp, one, note);
	add_text(two, "");
	open_reader();
	expect_line(1, 1, 1);
	expect(W_LOG_END);
	trail_append(&trail, &temp, one, note);
	expect_line(2, 1, 2);
	trail_append(&trail, &temp, two, note);
	expect_line(3, 2, 1);
	expect(W_LOG_END);
}

static void
missing_files_are_walked_over(void **state)
{
	(void)state;
	trail_append(&trail, &temp, two, note);
	trail_append(&trail, &temp, "trail-000007.jsonl", note);
	open_reader();
	expect_line(1, 2, 1);
	expect_line(2, 7, 1);
	expect(W_LOG_END);
	assert_int_equal(w_log_reader_first(reader), 2);
}

static void
a_file_that_is_deleted_meanwhile_does_not_stop_the_walk(void **state)
{
	(void)state;
	trail_append(&trail, &temp, one, note);
	trail_append(&trail, &temp, two, note);
	trail_append(&trail, &temp, three, note);
	open_reader();
	expect_line(1, 1, 1);
	assert_int_equal(unlinkat(temp.fd, one, 0), 0);
	assert_int_equal(unlinkat(temp.fd, two, 0), 0);
	expect_line(3, 3, 1);
	expect(W_LOG_END);
}

static void
a_file_that_is_cut_meanwhile_ends_there(void **state)
{
	(void)state;
	for (int i = 0; i < 2000; i++)
		trail_append(&trail, &temp, one, note);
	open_reader();
	expect_line(1, 1, 1);
	assert_int_equal(truncate(temp_path(&temp, one), 10), 0);
	do
		expect(read_parentd);
	while (read_parentd == W_LOG_LINE && line.seq < 1000);
	for (int i = 0; i < 3000 && read_parentd != W_LOG_END; i++)
		assert_int_equal(w_log_reader_next(reader, &read_parentd, &line,
				     &place, &err),
		    WRIT_OK);
	assert_int_equal(read_parentd, W_LOG_END);
}

static void
other_files_are_none_of_the_log(void **state)
{
	(void)state;
	add_text("trail-1.jsonl", "x\n");
	add_text("trail-000001.jsonl.bak", "x\n");
	add_text("trail-000001.torn-12", "x\n");
	add_text("trail-0000001.jsonl", "x\n");
	add_text("other-000001.jsonl", "x\n");
	add_text("trail-000000.jsonl", "x\n");
	open_reader();
	expect(W_LOG_END);
	assert_int_equal(w_log_reader_last(reader), 0);
}

static void
bytes_that_are_no_record_are_given_as_they_are(void **state)
{
	(void)state;
	add_text(one, "{\"seq\":1}\n\n");
	trail_append(&trail, &temp, one, note);
	open_reader();
	expect(W_LOG_OTHER);
	assert_int_equal(line.len, 9);
	assert_memory_equal(line.bytes, "{\"seq\":1}", 9);
	expect(W_LOG_OTHER);
	assert_int_equal(line.len, 0);
	assert_int_equal(place.line, 2);
	expect_line(1, 1, 3);
	assert_int_equal(place.offset, 11);
}

static void
a_part_at_the_end_is_told_once_for_each_length(void **state)
{
	(void)state;
	trail_append(&trail, &temp, one, note);
	add_text(one, "{\"se");
	open_reader();
	expect_line(1, 1, 1);
	expect(W_LOG_PART);
	assert_int_equal(line.len, 4);
	assert_int_equal(place.line, 2);
	expect(W_LOG_END);
	expect(W_LOG_END);
	add_text(one, "q");
	expect(W_LOG_PART);
	assert_int_equal(line.len, 5);
	expect(W_LOG_END);
	add_text(one, "\n");
	expect(W_LOG_OTHER);
	assert_int_equal(line.len, 5);
	expect(W_LOG_END);
}

static void
a_part_that_a_writer_set_aside_gives_way_to_the_next_line(void **state)
{
	struct stat st;

	(void)state;
	trail_append(&trail, &temp, one, note);
	assert_int_equal(fstatat(temp.fd, one, &st, 0), 0);
	add_text(one, "{\"se");
	open_reader();
	expect_line(1, 1, 1);
	expect(W_LOG_PART);
	assert_int_equal(truncate(temp_path(&temp, one), st.st_size), 0);
	trail_append(&trail, &temp, one, note);
	expect_line(2, 1, 2);
	assert_int_equal(place.offset, st.st_size);
	expect(W_LOG_END);
}

static void
a_part_in_a_file_that_has_a_successor_is_told_before_it(void **state)
{
	(void)state;
	trail_append(&trail, &temp, one, note);
	add_text(one, "half");
	trail_append(&trail, &temp, two, note);
	open_reader();
	expect_line(1, 1, 1);
	expect(W_LOG_PART);
	assert_int_equal(place.segment, 1);
	assert_int_equal(line.len, 4);
	expect_line(2, 2, 1);
	expect(W_LOG_END);
}

/* Holds a writer's lock, reports that, and finishes its line after a while. */
static void
write_slowly(int ready, const char *bytes, size_t len)
{
	int fd = openat(temp.fd, one, O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd < 0 || flock(fd, LOCK_EX) != 0 || write(fd, bytes, 10) != 10 ||
	    write(ready, "x", 1) != 1)
		_exit(1);
	(void)usleep(50000);
	_exit(write(fd, bytes + 10, len - 10) == (ssize_t)(len - 10) ? 0 : 1);
}

static void
a_line_that_is_being_written_is_not_called_torn(void **state)
{
	char bytes[TRAIL_LINE_MAX];
	int pipes[2];
	char byte;
	int status;

	(void)state;
	trail_append(&trail, &temp, one, note);
	size_t len = trail_line(&trail, bytes, note);
	assert_int_equal(pipe(pipes), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		write_slowly(pipes[1], bytes, len);
	assert_int_equal(read(pipes[0], &byte, 1), 1);
	open_reader();
	expect_line(1, 1, 1);
	expect_line(2, 1, 2);
	expect(W_LOG_END);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	(void)close(pipes[0]);
	(void)close(pipes[1]);
}

static void
no_lock_is_kept(void **state)
{
	(void)state;
	add_text(one, "half");
	open_reader();
	expect(W_LOG_PART);
	int fd = openat(temp.fd, one, O_WRONLY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	(void)close(fd);
}

static void
a_line_longer_than_the_buffer_is_one_line(void **state)
{
	size_t len = 3000000;
	char *payload = malloc(len + 64);
	char *bytes = malloc(len + 512);

	(void)state;
	assert_non_null(payload);
	assert_non_null(bytes);
	int at = sprintf(payload, "\"kind\":\"note\",\"text\":\"");
	memset(payload + at, 'y', len);
	(void)strcpy(payload + (size_t)at + len, "\"");
	int used = sprintf(bytes,
	    "{\"seq\":1,\"time\":\"2026-11-16T04:20:00.000000Z\",\"prev\":"
	    "\"%s\",%s",
	    trail.hash, payload);
	trail_hash(NULL, bytes, (size_t)used, trail.hash);
	used += sprintf(bytes + used, ",\"hash\":\"%s\"}\n", trail.hash);
	trail_add(&temp, one, bytes, (size_t)used);
	trail.seq = 1;
	trail_append(&trail, &temp, one, note);
	open_reader();
	expect_line(1, 1, 1);
	assert_int_equal(line.len, used - 1);
	assert_true(
	    w_log_line_is_sound(&line, &(const struct w_log_chain){NULL}));
	expect_line(2, 1, 2);
	expect(W_LOG_END);
	free(payload);
	free(bytes);
}

static void
bytes_without_end_come_in_pieces(void **state)
{
	size_t len = W_LOG_LINE_MAX + W_LOG_LINE_MAX / 2;
	char *bytes = malloc(len);
	uint64_t seen = 0;

	(void)state;
	assert_non_null(bytes);
	memset(bytes, 'z', len);
	for (int i = 0; i < 3; i++)
		trail_add(&temp, one, bytes, len);
	add_text(one, "\n");
	trail_append(&trail, &temp, one, note);
	free(bytes);
	open_reader();
	do {
		assert_int_equal(w_log_reader_next(reader, &read_parentd, &line,
				     &place, &err),
		    WRIT_OK);
		if (read_parentd == W_LOG_OTHER)
			seen += line.len;
	} while (read_parentd == W_LOG_OTHER);
	assert_int_equal(read_parentd, W_LOG_LINE);
	assert_int_equal(seen, 3 * len);
	assert_int_equal(place.line, 2);
}

static void
seeking_goes_on_at_that_line(void **state)
{
	(void)state;
	trail_append(&trail, &temp, one, note);
	trail_append(&trail, &temp, one, note);
	trail_append(&trail, &temp, two, note);
	open_reader();
	expect_line(1, 1, 1);
	expect_line(2, 1, 2);
	uint64_t offset = place.offset;
	expect_line(3, 2, 1);
	assert_int_equal(w_log_reader_seek(reader, 1, offset, &err), WRIT_OK);
	expect_line(2, 1, 0);
	assert_int_equal(place.offset, offset);
	expect_line(3, 2, 1);
	assert_int_equal(w_log_reader_seek(reader, 0, 0, &err), WRIT_OK);
	expect_line(1, 1, 1);
}

static void
seeking_to_where_no_line_begins_is_refused(void **state)
{
	(void)state;
	trail_append(&trail, &temp, one, note);
	open_reader();
	assert_int_equal(w_log_reader_seek(reader, 1, 5, &err), WRIT_E_INVALID);
	assert_int_equal(
	    w_log_reader_seek(reader, 1, 100000, &err), WRIT_E_INVALID);
	assert_int_equal(
	    w_log_reader_seek(reader, 4, 0, &err), WRIT_E_NOTFOUND);
	expect_line(1, 1, 1);
}

static void
files_of_others_are_refused(void **state)
{
	(void)state;
	trail_append(&trail, &temp, one, note);
	assert_int_equal(fchmodat(temp.fd, one, 0620, 0), 0);
	open_reader();
	assert_int_equal(
	    w_log_reader_next(reader, &read_parentd, &line, &place, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "can be written by others"));
	assert_true(err.suggestion[0] != '\0');
	assert_int_equal(fchmodat(temp.fd, one, 0600, 0), 0);
	expect_line(1, 1, 1);
}

static void
a_directory_that_others_can_write_is_refused(void **state)
{
	(void)state;
	assert_int_equal(fchmod(temp.fd, 0777), 0);
	assert_int_equal(w_log_reader_open(temp.path, "trail", &reader, &err),
	    WRIT_E_INVALID);
	assert_null(reader);
}

static void
a_file_of_somebody_else_is_refused(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	trail_append(&trail, &temp, one, note);
	assert_int_equal(fchownat(temp.fd, one, 12345, 12345, 0), 0);
	open_reader();
	assert_int_equal(
	    w_log_reader_next(reader, &read_parentd, &line, &place, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "belongs to user 12345"));
}

static void
what_is_no_plain_file_is_refused(void **state)
{
	(void)state;
	assert_int_equal(mkfifoat(temp.fd, one, 0600), 0);
	open_reader();
	assert_int_equal(
	    w_log_reader_next(reader, &read_parentd, &line, &place, &err),
	    WRIT_E_INVALID);
	assert_int_equal(unlinkat(temp.fd, one, 0), 0);
	temp_link(&temp, "/etc/passwd", one);
	assert_int_equal(
	    w_log_reader_next(reader, &read_parentd, &line, &place, &err),
	    WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ELOOP);
}

static void
the_head_is_read_as_it_is_now(void **state)
{
	struct w_log_head head;

	(void)state;
	open_reader();
	assert_false(w_log_reader_head(reader, &head));
	trail_append(&trail, &temp, one, note);
	trail_write_head(&temp, 1, &trail);
	assert_true(w_log_reader_head(reader, &head));
	assert_int_equal(head.seq, 1);
	assert_string_equal(head.hash, trail.hash);
	add_text("head", "x");
	assert_false(w_log_reader_head(reader, &head));
	assert_int_equal(unlinkat(temp.fd, "head", 0), 0);
	assert_int_equal(mkfifoat(temp.fd, "head", 0600), 0);
	assert_false(w_log_reader_head(reader, &head));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_log_that_does_not_exist_has_no_line),
	    TEST(a_log_that_comes_into_being_is_seen),
	    TEST(lines_come_in_the_order_of_the_files),
	    TEST(what_is_written_later_is_read_later),
	    TEST(an_empty_successor_does_not_end_a_file),
	    TEST(missing_files_are_walked_over),
	    TEST(a_file_that_is_deleted_meanwhile_does_not_stop_the_walk),
	    TEST(a_file_that_is_cut_meanwhile_ends_there),
	    TEST(other_files_are_none_of_the_log),
	    TEST(bytes_that_are_no_record_are_given_as_they_are),
	    TEST(a_part_at_the_end_is_told_once_for_each_length),
	    TEST(a_part_that_a_writer_set_aside_gives_way_to_the_next_line),
	    TEST(a_part_in_a_file_that_has_a_successor_is_told_before_it),
	    TEST(a_line_that_is_being_written_is_not_called_torn),
	    TEST(no_lock_is_kept),
	    TEST(a_line_longer_than_the_buffer_is_one_line),
	    TEST(bytes_without_end_come_in_pieces),
	    TEST(seeking_goes_on_at_that_line),
	    TEST(seeking_to_where_no_line_begins_is_refused),
	    TEST(files_of_others_are_refused),
	    TEST(a_directory_that_others_can_write_is_refused),
	    TEST(a_file_of_somebody_else_is_refused),
	    TEST(what_is_no_plain_file_is_refused),
	    TEST(the_head_is_read_as_it_is_now),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
