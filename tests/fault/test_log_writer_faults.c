/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "../unit/log_check.h"
#include "inject.h"

/*
 * Every call that a writer of a log makes fails once, at each of its
 * occurrences: while it opens the log, sets half a line aside, appends,
 * changes files and syncs. What was acknowledged must be there afterwards,
 * in one chain; and a fault costs at most one append.
 */

#define APPENDS 16

static const struct fault {
	const char *function;
	unsigned count;
	int error;
} faults[] = {
    {"allocation", 1, ENOMEM},
    {"open", 1, EMFILE},
    {"openat", 1, EMFILE},
    {"openat", 1, ENOSPC},
    {"fcntl", 1, EMFILE},
    {"pread64", 1, EINTR},
    {"pread64", 1, EIO},
    {"write", 1, EINTR},
    {"write", 1, EIO},
    {"write", 1, ENOSPC},
    {"write", 1, EDQUOT},
    {"short write", 1, ENOSPC},
    {"short write", 2, ENOSPC},
    {"short write", 2, EIO},
    {"pwrite64", 1, EINTR},
    {"pwrite64", 1, ENOSPC},
    {"ftruncate64", 1, EIO},
    {"fallocate64", 1, EINTR},
    {"fallocate64", 1, EOPNOTSUPP},
    {"fallocate64", 1, ENOSPC},
    {"fallocate64", 2, ENOSPC},
    {"fallocate64", 2, EDQUOT},
    {"flock", 1, EINTR},
    {"flock", 1, ENOLCK},
    {"flock", 3, EWOULDBLOCK},
    {"fdatasync", 1, EINTR},
    {"fdatasync", 1, EIO},
    {"fsync", 1, EIO},
    {"fchmod", 1, EPERM},
    {"statx", 1, EIO},
};

/* Hashes of the lines that were acknowledged. */
struct acked {
	char hash[APPENDS][W_SHA256_HEX + 1];
	unsigned count;
	unsigned found;
};

static void
find_acked(void *ctx, const char *line, size_t len)
{
	struct acked *acked = ctx;

	for (unsigned i = 0; i < acked->count; i++)
		if (memcmp(line + len - 2 - W_SHA256_HEX, acked->hash[i],
			W_SHA256_HEX) == 0)
			acked->found++;
}

static const struct w_log_options options = {
    .name = "trail", .durability = W_LOG_SYNC, .segment_max = 2000};

/* Appends; counts what failed. */
static unsigned
append_all(const struct temp *temp, struct acked *acked)
{
	struct w_log *log;
	unsigned failures = 0;
	writ_error err = {0};

	if (w_log_open(temp->path, &options, &log, &err) != WRIT_OK) {
		assert_true(err.message[0] != '\0');
		return 1;
	}
	for (unsigned i = 0; i < APPENDS; i++) {
		struct w_log_mark mark;

		err = (writ_error){0};
		if (w_log_append(log, LOG_PAYLOAD, strlen(LOG_PAYLOAD),
			W_LOG_BEGINS, &mark, &err) == WRIT_OK) {
			memcpy(acked->hash[acked->count++], mark.hash,
			    sizeof(mark.hash));
			continue;
		}
		failures++;
		assert_true(err.message[0] != '\0');
	}
	w_log_close(log);
	return failures;
}

/* One scene: three records and half of one; then the writer with the fault.
 * false: there were fewer calls than that. */
static bool
play(const struct fault *fault, unsigned nth)
{
	struct temp temp;
	struct acked acked = {0};
	struct log_seen seen = {
	    .on_line = find_acked, .ctx = &acked, .allows_torn = true};

	temp_open(&temp);
	struct w_log *log = log_open(&temp, NULL);
	log_add(log, 3);
	w_log_close(log);
	int fd = openat(temp.fd, "trail-000001.jsonl", O_WRONLY | O_APPEND);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "{\"seq\":5", 8), 8);
	(void)close(fd);

	inject_arm(fault->function, nth, fault->count, fault->error);
	const unsigned failures = append_all(&temp, &acked);
	const bool is_hit = inject_disarm();
	assert_true(failures <= fault->count);
	if (fault->error == EINTR)
		assert_int_equal(failures, 0);

	/* Who comes next has no trouble. */
	log = log_open(&temp, &options);
	log_add(log, 3);
	w_log_close(log);
	log_check(&temp, &seen);
	assert_int_equal(acked.found, acked.count);
	temp_close(&temp);
	return is_hit;
}

static void
one_fault_loses_nothing_acknowledged(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		unsigned nth = 1;

		while (play(&faults[i], nth))
			nth++;
		print_message("# %s, %s: %u times\n", faults[i].function,
		    strerrorname_np(faults[i].error), nth - 1);
		/* The fault was one at all. */
		assert_true(nth > 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_fault_loses_nothing_acknowledged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
