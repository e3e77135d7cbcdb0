/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/file.h>

#include "log_check.h"

static uint64_t
synced_by_head(const struct temp *temp)
{
	struct w_log_head head;
	size_t len;
	char *text = log_slurp(temp, "head", &len);

	assert_non_null(text);
	assert_true(w_log_head_parse(text, len, &head));
	free(text);
	return head.synced;
}

static void
a_sync_covers_every_line_so_far(void **state)
{
	struct w_log *log = log_open(*state, NULL);

	assert_int_equal(w_log_sync(log), 0);
	log_add(log, 3);
	assert_int_equal(synced_by_head(*state), 0);
	assert_int_equal(w_log_sync(log), 0);
	assert_int_equal(synced_by_head(*state), 4);
	log_add(log, 1);
	assert_int_equal(synced_by_head(*state), 4);
	w_log_close(log);
}

/* Its head is put on the disk later, by each writer's first sync. */
static void
a_brief_log_is_synced_and_verified_like_any_other(void **state)
{
	const struct w_log_options brief = {
	    .name = "trail", .durability = W_LOG_BATCH, .is_brief = true};
	struct log_seen seen = {0};
	struct w_log *first = log_open(*state, &brief);
	struct w_log *second = log_open(*state, &brief);
	struct w_log_mark covers;

	log_add(first, 2);
	assert_int_equal(synced_by_head(*state), 0);
	assert_int_equal(w_log_sync(first), 0);
	assert_int_equal(synced_by_head(*state), 3);
	log_add(second, 1);
	assert_true(w_log_sync_fd(second, &covers) >= 0);
	w_log_synced(second, &covers);
	w_log_close(second);
	log_add(first, 1);
	assert_int_equal(w_log_sync(first), 0);
	w_log_close(first);
	assert_int_equal(synced_by_head(*state), 5);
	log_check(*state, &seen);
}

static void
a_sync_in_the_background_is_noted_with_the_next_line(void **state)
{
	struct w_log *log = log_open(*state, NULL);
	struct w_log_mark covers;

	assert_int_equal(w_log_sync_fd(log, &covers), -1);
	log_add(log, 3);
	assert_true(w_log_sync_fd(log, &covers) >= 0);
	assert_int_equal(covers.seq, 4);
	/* A later line is not covered. */
	log_add(log, 1);
	w_log_synced(log, &covers);
	assert_true(w_log_sync_fd(log, &covers) >= 0);
	assert_int_equal(covers.seq, 5);
	w_log_synced(log, &covers);
	assert_int_equal(w_log_sync_fd(log, &covers), -1);
	log_add(log, 1);
	assert_int_equal(synced_by_head(*state), 5);
	w_log_close(log);
}

static void
the_last_sync_is_noted_at_the_end(void **state)
{
	struct log_seen seen = {0};
	struct w_log *log = log_open(*state, NULL);
	struct w_log_mark covers;

	log_add(log, 3);
	assert_true(w_log_sync_fd(log, &covers) >= 0);
	w_log_synced(log, &covers);
	w_log_close(log);
	assert_int_equal(synced_by_head(*state), 4);
	log_check(*state, &seen);
}

static void
who_was_covered_by_another_need_not_sync(void **state)
{
	struct w_log *first = log_open(*state, NULL);
	struct w_log *second = log_open(*state, NULL);
	struct w_log_mark covers;

	log_add(first, 2);
	log_add(second, 2);
	assert_int_equal(w_log_sync(second), 0);
	assert_int_equal(w_log_sync_fd(first, &covers), -1);
	/* It covers all lines, also those of others. */
	log_add(first, 1);
	log_add(second, 1);
	assert_true(w_log_sync_fd(first, &covers) >= 0);
	assert_int_equal(covers.seq, 7);
	w_log_close(first);
	w_log_close(second);
}

static void
a_note_is_never_less_than_another_told(void **state)
{
	struct w_log *first = log_open(*state, NULL);
	struct w_log *second = log_open(*state, NULL);
	struct w_log_mark covers;

	log_add(first, 2);
	assert_true(w_log_sync_fd(first, &covers) >= 0);
	log_add(second, 2);
	assert_int_equal(w_log_sync(second), 0);
	assert_int_equal(synced_by_head(*state), 5);
	w_log_synced(first, &covers);
	log_add(first, 1);
	assert_int_equal(synced_by_head(*state), 5);
	w_log_close(first);
	assert_int_equal(synced_by_head(*state), 5);
	w_log_close(second);
}

static void
a_sync_that_is_held_up_is_an_error_in_time(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .durability = W_LOG_BATCH, .lock_ms = 30};
	struct w_log *log = log_open(*state, &options);
	int fd = open(temp_path(*state, "head"), O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	log_add(log, 1);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(w_log_sync(log), EWOULDBLOCK);
	(void)close(fd);
	assert_int_equal(w_log_sync(log), 0);
	w_log_close(log);
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, temp_set_up, temp_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(a_sync_covers_every_line_so_far),
	    CASE(a_brief_log_is_synced_and_verified_like_any_other),
	    CASE(a_sync_in_the_background_is_noted_with_the_next_line),
	    CASE(the_last_sync_is_noted_at_the_end),
	    CASE(who_was_covered_by_another_need_not_sync),
	    CASE(a_note_is_never_less_than_another_told),
	    CASE(a_sync_that_is_held_up_is_an_error_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
