/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "log_check.h"

/* Many writers at once, and writers that are killed. */

#define WRITERS   8
#define LINES     2000
#define KILLS     200
#define ACKED_MAX 400000

/* Appends lines in a process of its own, each with who and which it is. */
static void
write_lines(const struct temp *temp, const struct w_log_options *options,
    unsigned writer, unsigned count)
{
	struct w_log *log;
	writ_error err = {0};

	if (w_log_open(temp->path, options, &log, &err) != WRIT_OK)
		_exit(1);
	for (unsigned i = 0; i < count; i++) {
		char payload[128];
		int len = snprintf(payload, sizeof(payload),
		    "\"kind\":\"x\",\"writer\":%u,\"line\":%u,", writer, i);

		(void)strcpy(payload + len, "\"end\":1");
		if (w_log_append(log, payload, strlen(payload), W_LOG_BEGINS,
			NULL, &err) != WRIT_OK ||
		    w_log_repair_note(log) != NULL)
			_exit(2);
	}
	w_log_close(log);
	_exit(0);
}

static unsigned next_line[WRITERS];

/* The lines of one writer are in the order in which it wrote them. */
static void
count_line(void *ctx, const char *line, size_t len)
{
	const char *at = strstr(line, "\"writer\":");
	unsigned writer, number;

	(void)ctx;
	(void)len;
	if (at == NULL)
		return;
	assert_int_equal(
	    sscanf(at, "\"writer\":%u,\"line\":%u,", &writer, &number), 2);
	assert_int_equal(number, next_line[writer]++);
}

static void
check_crowd(const struct temp *temp, const struct w_log_options *options,
    unsigned count)
{
	struct log_seen seen = {.on_line = count_line};

	memset(next_line, 0, sizeof(next_line));
	for (unsigned i = 0; i < WRITERS; i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0)
			write_lines(temp, options, i, count);
	}
	for (unsigned i = 0; i < WRITERS; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	log_check(temp, &seen);
	for (unsigned i = 0; i < WRITERS; i++)
		assert_int_equal(next_line[i], count);
	assert_int_equal(seen.recoveries, 0);
	assert_int_equal(seen.lines, WRITERS * count + 2 * seen.files - 1);
}

static void
many_writers_make_one_chain(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_BATCH};

	check_crowd(*state, &options, LINES);
}

static void
many_writers_change_files_together(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_NONE, .segment_max = 20000};

	check_crowd(*state, &options, LINES / 4);
}

static void
many_writers_share_their_syncs(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_SYNC, .segment_max = 100000};
	char expected[64];
	size_t len;

	check_crowd(*state, &options, 50);
	char *head = log_slurp(*state, "head", &len);
	struct w_log_head parsed;
	assert_true(w_log_head_parse(head, len, &parsed));
	(void)snprintf(
	    expected, sizeof(expected), "\"synced\":\"%020" PRIu64, parsed.seq);
	assert_non_null(strstr(head, expected));
	free(head);
}

/* What was acknowledged, in memory that outlives who wrote it: the hash of
 * each line by its number; "": not acknowledged. */
typedef char acked_hash[W_SHA256_HEX + 1];
static acked_hash *acked;

static unsigned
random_below(unsigned *seed, unsigned limit)
{
	*seed = *seed * 1103515245U + 12345U;
	return (*seed >> 8) % limit;
}

/* Nobody but the one who kills ends a writer. */
_Noreturn static void
stop_writing(const writ_error *err)
{
	print_error(
	    "a writer stopped: %s (errno %d)\n", err->message, err->sys_errno);
	_exit(2);
}

static void
write_until_killed(const struct temp *temp, unsigned seed)
{
	/* Full files are synced, for which a busy disk may take long: this is
	 * about what is lost, not about who has to wait. */
	const struct w_log_options options = {.name = "trail",
	    .durability = W_LOG_NONE,
	    .segment_max = 400000,
	    .lock_ms = 600000};
	static char payload[40000] = "\"kind\":\"x\",\"text\":\"";
	const size_t start = strlen(payload);
	struct w_log *log;
	writ_error err = {0};

	memset(payload + start, 'x', sizeof(payload) - start);
	if (w_log_open(temp->path, &options, &log, &err) != WRIT_OK)
		stop_writing(&err);
	for (;;) {
		/* Long ones are those that can be torn. */
		size_t len = start + 1 + random_below(&seed, 30000);
		struct w_log_mark mark;

		payload[len - 1] = '"';
		if (w_log_append(log, payload, len, W_LOG_BEGINS, &mark,
			&err) != WRIT_OK)
			stop_writing(&err);
		payload[len - 1] = 'x';
		if (mark.seq >= ACKED_MAX)
			_exit(3);
		memcpy(acked[mark.seq] + 1, mark.hash + 1, W_SHA256_HEX - 1);
		acked[mark.seq][0] = mark.hash[0];
	}
}

static void
check_acked(void *ctx, const char *line, size_t len)
{
	uint64_t *found = ctx;
	const uint64_t seq = strtoull(line + 7, NULL, 10);

	assert_true(seq < ACKED_MAX);
	if (acked[seq][0] == '\0')
		return;
	assert_memory_equal(
	    line + len - 2 - W_SHA256_HEX, acked[seq], W_SHA256_HEX);
	acked[seq][0] = '\0';
	(*found)++;
}

static pid_t
start_writer(const struct temp *temp, unsigned seed)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		write_until_killed(temp, seed);
	return pid;
}

static void
kill_writers(const struct temp *temp)
{
	pid_t pids[WRITERS];
	unsigned seed = (unsigned)time(NULL);
	int status;

	print_message("# seed %u\n", seed);
	for (unsigned i = 0; i < WRITERS; i++)
		pids[i] = start_writer(temp, seed + i);
	for (unsigned i = 0; i < KILLS; i++) {
		const unsigned chosen = random_below(&seed, WRITERS);
		const struct timespec moment = {
		    .tv_nsec = random_below(&seed, 3000) * 1000L};

		(void)nanosleep(&moment, NULL);
		assert_int_equal(kill(pids[chosen], SIGKILL), 0);
		assert_int_equal(
		    waitpid(pids[chosen], &status, 0), pids[chosen]);
		assert_true(WIFSIGNALED(status));
		pids[chosen] = start_writer(temp, seed + i);
	}
	for (unsigned i = 0; i < WRITERS; i++) {
		assert_int_equal(kill(pids[i], SIGKILL), 0);
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_true(WIFSIGNALED(status));
	}
}

static void
nothing_acknowledged_is_lost_when_writers_are_killed(void **state)
{
	uint64_t found = 0;
	struct log_seen seen = {.on_line = check_acked, .ctx = &found};
	struct w_log_proof proof;

	acked = mmap(NULL, sizeof(acked_hash) * ACKED_MAX,
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(acked != MAP_FAILED);
	kill_writers(*state);
	/* The last ones may have left half a line as well. */
	struct w_log *log = log_open(*state, NULL);
	log_add(log, 1);
	w_log_close(log);
	log_check(*state, &seen);
	log_prove(*state, &proof);
	assert_int_equal(proof.records, seen.lines);
	assert_true(found > KILLS);
	for (size_t i = 0; i < ACKED_MAX; i++)
		assert_int_equal(acked[i][0], '\0');
	print_message("# %" PRIu64 " acknowledged, %u or more recoveries\n",
	    found, seen.recoveries);
	(void)munmap(acked, sizeof(acked_hash) * ACKED_MAX);
}

/* On a slow disk, others may be served before us for longer than that. */
static void
writers_who_go_on_are_waited_for(void **state)
{
	const struct w_log_options options = {.name = "trail", .lock_ms = 300};
	const struct timespec nap = {.tv_nsec = 100000000};
	int ready[2];
	char byte;

	struct w_log *log = log_open(*state, &options);
	log_add(log, 1);
	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int fd = open(temp_path(*state, "trail-000001.jsonl"),
		    O_WRONLY | O_APPEND | O_CLOEXEC);
		if (flock(fd, LOCK_EX) != 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		for (int i = 0; i < 12; i++)
			if (nanosleep(&nap, NULL) != 0 ||
			    write(fd, "x", 1) != 1)
				_exit(1);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	log_add(log, 1);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	w_log_close(log);
	(void)close(ready[0]);
	(void)close(ready[1]);
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, temp_set_up, temp_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(many_writers_make_one_chain),
	    CASE(many_writers_change_files_together),
	    CASE(many_writers_share_their_syncs),
	    CASE(writers_who_go_on_are_waited_for),
	    CASE(nothing_acknowledged_is_lost_when_writers_are_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
