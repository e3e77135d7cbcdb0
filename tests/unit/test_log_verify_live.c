/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "log/log.h"
#include "log/verify/log_verify.h"
#include "tampering.h"

/* Verification of logs that the writer makes, also while it does. */

static const char payload[] =
    "\"kind\":\"note\",\"text\":\"something to be written down\"";

static struct w_log *
open_log(uint64_t segment_max)
{
	struct w_log_options options = {
	    .name = "trail",
	    .durability = W_LOG_NONE,
	    .segment_max = segment_max,
	};
	struct w_log *log = NULL;
	writ_error err = {0};

	if (w_log_open(temp.path, &options, &log, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return log;
}

static void
append(struct w_log *log, unsigned count)
{
	writ_error err = {0};

	for (unsigned i = 0; i < count; i++)
		if (w_log_append(log, payload, sizeof(payload) - 1,
			W_LOG_BEGINS, NULL, &err) != WRIT_OK)
			fail_msg("%s", err.message);
}

static void
write_some(unsigned count, uint64_t segment_max)
{
	struct w_log *log = open_log(segment_max);

	append(log, count);
	w_log_close(log);
}

/* A process that writes and ends; count 0: until it is killed. */
static pid_t
start_writer(unsigned count, uint64_t segment_max)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	struct w_log *log = open_log(segment_max);
	for (unsigned i = 0; count == 0 || i < count; i++)
		if (w_log_append(log, payload, sizeof(payload) - 1,
			W_LOG_BEGINS, NULL, NULL) != WRIT_OK)
			_exit(1);
	w_log_close(log);
	_exit(0);
}

static void
what_the_writer_makes_is_sound(void **state)
{
	(void)state;
	write_some(100, 0);
	verify_again();
	expect_no_fault();
	assert_int_equal(proof.records, 101);
}

static void
files_that_the_writer_seals_are_sound(void **state)
{
	(void)state;
	write_some(1000, 20000);
	verify_again();
	expect_no_fault();
	assert_true(proof.files > 5);
}

static bool
has_ended(pid_t pid)
{
	int status;
	pid_t ended = waitpid(pid, &status, WNOHANG);

	assert_true(ended >= 0);
	if (ended == pid)
		assert_int_equal(status, 0);
	return ended == pid;
}

/* How often the log was verified while four wrote to it. */
static unsigned
verify_beside_writers(unsigned records)
{
	pid_t writers[4];
	size_t running = 4;
	unsigned rounds = 0;

	for (size_t i = 0; i < 4; i++)
		writers[i] = start_writer(records, 100000);
	while (running > 0) {
		verify_again();
		expect_no_fault();
		rounds++;
		for (size_t i = 0; i < running; i++)
			if (has_ended(writers[i]))
				writers[i--] = writers[--running];
	}
	return rounds;
}

static void
nothing_is_found_while_others_write(void **state)
{
	unsigned rounds = 0;

	(void)state;
	/* On a busy machine they may be done before we had a turn: then they
	 * write more. */
	for (unsigned records = 1500; records <= 96000 && rounds <= 1;
	     records *= 2)
		rounds = verify_beside_writers(records);
	verify_again();
	expect_no_fault();
	assert_true(proof.records > 6000);
	assert_true(rounds > 1);
}

static void
nothing_is_found_while_old_files_are_pruned(void **state)
{
	(void)state;
	write_some(3000, 30000);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		for (unsigned file = 1; file < 20; file++) {
			char name[W_LOG_NAME_MAX];

			w_log_segment_name("trail", file, name);
			(void)unlinkat(temp.fd, name, 0);
			(void)usleep(200);
		}
		_exit(0);
	}
	bool is_over;
	do {
		is_over = has_ended(pid);
		verify_again();
		assert_int_equal(fault_count, proof.faults[W_LOG_FAULT_PRUNED]);
		assert_true(fault_count <= 1);
	} while (!is_over);
	expect_one(W_LOG_FAULT_PRUNED, proof.first_seq);
}

/* What a killed writer leaves: nothing that is called bad. */
static void
expect_nothing_bad(void)
{
	for (size_t i = 0; i < fault_count && i < FAULTS_MAX; i++)
		if (w_log_fault_severity(faults[i].kind) == W_LOG_BAD)
			fail_msg("%s: %s", w_log_fault_word(faults[i].kind),
			    faults[i].text);
}

static void
writers_that_are_killed_leave_nothing_bad(void **state)
{
	unsigned seed = 4711;

	(void)state;
	for (unsigned round = 0; round < 40; round++) {
		pid_t writers[2] = {
		    start_writer(0, 50000), start_writer(0, 50000)};

		seed = seed * 1103515245 + 12345;
		(void)usleep(500 + (seed >> 16) % 4000);
		for (size_t i = 0; i < 2; i++) {
			assert_int_equal(kill(writers[i], SIGKILL), 0);
			assert_int_equal(
			    waitpid(writers[i], NULL, 0), writers[i]);
		}
		verify_again();
		expect_nothing_bad();
	}
	write_some(1, 50000);
	verify_again();
	expect_nothing_bad();
	assert_int_equal(proof.faults[W_LOG_FAULT_UNWITNESSED], 0);
}

static void
half_a_line_is_torn_and_then_recovered(void **state)
{
	(void)state;
	write_some(5, 0);
	trail_add(&temp, "trail-000001.jsonl", "{\"seq\":7,\"ti", 12);
	verify_again();
	expect_one(W_LOG_FAULT_TORN, 0);
	write_some(1, 0);
	verify_again();
	expect_one(W_LOG_FAULT_RECOVERED, 7);
	expect_text("12 bytes");
}

/* The next writer goes on with the numbers of the lost records; that does not
 * make it good. */
static void
a_cut_stays_a_cut_when_the_log_goes_on(void **state)
{
	struct w_log_head head;
	struct w_log *log = open_log(0);

	(void)state;
	append(log, 9);
	assert_int_equal(w_log_sync(log), 0);
	w_log_close(log);
	struct w_log_reader *reader = NULL;
	assert_int_equal(
	    w_log_reader_open(temp.path, "trail", &reader, NULL), WRIT_OK);
	assert_true(w_log_reader_head(reader, &head));
	assert_int_equal(head.synced, 10);
	enum w_log_read read;
	struct w_log_line line;
	struct w_log_place place;
	do
		assert_int_equal(
		    w_log_reader_next(reader, &read, &line, &place, NULL),
		    WRIT_OK);
	while (line.seq < 7);
	w_log_reader_free(reader);
	assert_int_equal(truncate(temp_path(&temp, "trail-000001.jsonl"),
			     (off_t)place.offset),
	    0);
	verify_again();
	expect_one(W_LOG_FAULT_TAIL_CUT, 7);
	expect_text("records 7 to 10");
	write_some(3, 0);
	verify_again();
	expect_one(W_LOG_FAULT_TAIL_CUT, 7);
	expect_text("4 of them are gone");
}

/* Nothing was synced, but the machine has not been without power since. */
static void
a_power_cut_is_no_excuse_for_what_was_written_since_the_start(void **state)
{
	struct timespec up;
	struct stat st;

	(void)state;
	assert_int_equal(clock_gettime(CLOCK_BOOTTIME, &up), 0);
	if (up.tv_sec < 330)
		skip();
	write_some(5, 0);
	assert_int_equal(fstatat(temp.fd, "trail-000001.jsonl", &st, 0), 0);
	write_some(1, 0);
	assert_int_equal(
	    truncate(temp_path(&temp, "trail-000001.jsonl"), st.st_size), 0);
	verify_again();
	expect_one(W_LOG_FAULT_TAIL_CUT, 7);
	expect_text("no power cut explains it");
}

static void
a_changed_last_record_does_not_vanish_with_the_next_one(void **state)
{
	struct w_log *log = open_log(0);
	struct w_log_mark mark;
	char byte = 'X';

	(void)state;
	append(log, 4);
	assert_int_equal(w_log_append(log, payload, sizeof(payload) - 1,
			     W_LOG_BEGINS, &mark, NULL),
	    WRIT_OK);
	assert_int_equal(w_log_sync(log), 0);
	w_log_close(log);
	int fd = openat(temp.fd, "trail-000001.jsonl", O_WRONLY | O_CLOEXEC);
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)mark.offset + 150), 1);
	(void)close(fd);
	verify_again();
	expect_one(W_LOG_FAULT_CHANGED, 6);
	write_some(1, 0);
	verify_again();
	bool is_bad = false;
	for (size_t i = 0; i < fault_count; i++)
		is_bad |= w_log_fault_severity(faults[i].kind) == W_LOG_BAD;
	assert_true(is_bad);
}

static void
a_deleted_head_is_told_also_later(void **state)
{
	(void)state;
	write_some(5, 0);
	assert_int_equal(unlinkat(temp.fd, "head", 0), 0);
	verify_again();
	expect_one(W_LOG_FAULT_HEAD_MISSING, 0);
	write_some(5, 0);
	verify_again();
	expect_one(W_LOG_FAULT_HEAD_MISSING, 7);
}

/* What tools/verify-trail says: it shares no line with what it checks. */
static bool
other_check_accepts(void)
{
	const char *source = getenv("WRIT_SOURCE");
	char command[1024];

	(void)snprintf(command, sizeof(command),
	    "python3 '%s/tools/verify-trail' '%s' >/dev/null 2>&1",
	    source != NULL ? source : ".", temp.path);
	int status = system(command);
	assert_true(WIFEXITED(status));
	assert_true(WEXITSTATUS(status) <= 1);
	return WEXITSTATUS(status) == 0;
}

static void
a_check_that_knows_nothing_of_us_agrees(void **state)
{
	struct stat st;

	(void)state;
	if (getenv("WRIT_SOURCE") == NULL ||
	    system("python3 -c pass 2>/dev/null") != 0)
		skip();
	write_some(12, 1500);
	verify_again();
	expect_no_fault();
	assert_true(other_check_accepts());
	int fd = openat(temp.fd, "trail-000002.jsonl", O_RDONLY | O_CLOEXEC);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(fchmod(fd, 0600), 0);
	(void)close(fd);
	fd = openat(temp.fd, "trail-000002.jsonl", O_RDWR | O_CLOEXEC);
	for (off_t at = 0; at < st.st_size; at += 97) {
		char was;

		assert_int_equal(pread(fd, &was, 1, at), 1);
		char is = (char)(was ^ 4);
		assert_int_equal(pwrite(fd, &is, 1, at), 1);
		verify_again();
		assert_int_equal(fault_count, 1);
		assert_false(other_check_accepts());
		assert_int_equal(pwrite(fd, &was, 1, at), 1);
	}
	(void)close(fd);
	assert_true(other_check_accepts());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(what_the_writer_makes_is_sound),
	    TEST(files_that_the_writer_seals_are_sound),
	    TEST(nothing_is_found_while_others_write),
	    TEST(nothing_is_found_while_old_files_are_pruned),
	    TEST(writers_that_are_killed_leave_nothing_bad),
	    TEST(half_a_line_is_torn_and_then_recovered),
	    TEST(a_cut_stays_a_cut_when_the_log_goes_on),
	    TEST(a_power_cut_is_no_excuse_for_what_was_written_since_the_start),
	    TEST(a_changed_last_record_does_not_vanish_with_the_next_one),
	    TEST(a_deleted_head_is_told_also_later),
	    TEST(a_check_that_knows_nothing_of_us_agrees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
