/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "audit/record/trail.h"
#include "log/log_reader.h"
#include "temp.h"

static struct temp temp;

static int
set_up(void **state)
{
	return temp_begin(&temp, state);
}

static struct w_trail *
open_trail(void)
{
	const struct w_trail_options options = {
	    .state_dir = temp.path,
	    .durability = W_LOG_NONE,
	    .door = "test",
	};
	struct w_trail *trail = NULL;
	writ_error err = {0};

	if (w_trail_open(&options, &trail, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return trail;
}

static writ_status
append(struct w_trail *trail, const char *record, writ_error *err)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	w_buf_add_str(&buf, record);
	return w_trail_append(trail, &buf, W_LOG_BEGINS, NULL, err);
}

/* The payloads of all lines but the first, concatenated. */
static const char *
written(void)
{
	static char all[4096];
	struct w_log_reader *reader;
	enum w_log_read read = W_LOG_LINE;
	struct w_log_place place;
	struct w_log_line line;
	size_t used = 0;

	assert_int_equal(w_log_reader_open(temp_path(&temp, W_TRAIL_DIR),
			     W_TRAIL_NAME, &reader, NULL),
	    WRIT_OK);
	all[0] = '\0';
	while (read != W_LOG_END) {
		assert_int_equal(
		    w_log_reader_next(reader, &read, &line, &place, NULL),
		    WRIT_OK);
		if (read == W_LOG_LINE && !w_log_line_is(&line, "segment"))
			used += (size_t)snprintf(all + used, sizeof(all) - used,
			    "%.*s;", (int)line.payload_len, line.payload);
	}
	w_log_reader_free(reader);
	return all;
}

static void
a_trail_knows_who_writes(void **state)
{
	struct w_trail *trail = open_trail();
	struct stat st;

	(void)state;
	assert_int_equal(trail->who.pid, getpid());
	assert_int_equal(trail->who.uid, geteuid());
	assert_string_equal(trail->who.door, "test");
	if (stat("/proc/self/ns/pid", &st) == 0)
		assert_int_equal(trail->who.pidns, st.st_ino);
	assert_null(trail->who.agent);
	assert_true(temp_has(&temp, "audit/request.key"));
	w_trail_close(trail);
	w_trail_close(NULL);
}

static void
records_come_in_their_order(void **state)
{
	struct w_trail *trail = open_trail();

	(void)state;
	assert_int_equal(append(trail, "\"kind\":\"a\"", NULL), WRIT_OK);
	assert_int_equal(append(trail, "\"kind\":\"b\"", NULL), WRIT_OK);
	w_trail_close(trail);
	assert_string_equal(written(), "\"kind\":\"a\";\"kind\":\"b\";");
}

static void
what_was_lost_is_told_first(void **state)
{
	struct w_trail *trail = open_trail();

	(void)state;
	w_trail_count_lost(trail, 2, "first reason");
	w_trail_count_lost(trail, 1, "second reason");
	assert_int_equal(append(trail, "\"kind\":\"a\"", NULL), WRIT_OK);
	assert_int_equal(append(trail, "\"kind\":\"b\"", NULL), WRIT_OK);
	w_trail_close(trail);
	assert_string_equal(written(),
	    "\"kind\":\"lost\",\"records\":3,\"reason\":\"first reason\";"
	    "\"kind\":\"a\";\"kind\":\"b\";");
}

static void
a_record_that_failed_is_not_written(void **state)
{
	struct w_trail *trail = open_trail();
	writ_error err;
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	w_buf_init(&buf, 4);
	w_buf_add_str(&buf, "\"kind\":\"a\"");
	assert_int_equal(w_trail_append(trail, &buf, W_LOG_BEGINS, NULL, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "the record has no room"));
	w_trail_close(trail);
	assert_string_equal(written(), "");
}

static void
a_fork_writes_nothing(void **state)
{
	struct w_trail *trail = open_trail();
	int status;

	(void)state;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		writ_error err;
		writ_status got = append(trail, "\"kind\":\"child\"", &err);

		_exit(got == WRIT_E_INVALID &&
			      strstr(err.message, "is a fork") != NULL
			  ? 0
			  : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(append(trail, "\"kind\":\"parent\"", NULL), WRIT_OK);
	w_trail_close(trail);
	assert_string_equal(written(), "\"kind\":\"parent\";");
}

static void
a_keyed_trail_needs_its_key(void **state)
{
	struct w_trail_options options = {
	    .state_dir = temp.path,
	    .durability = W_LOG_NONE,
	    .door = "test",
	    .key_file = temp_path(&temp, "key"),
	};
	struct w_trail *trail = NULL;
	writ_error err;

	(void)state;
	assert_int_equal(w_trail_open(&options, &trail, &err), WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ENOENT);
	assert_null(trail);
	temp_file(&temp, "key", 0600, "0123456789abcdef");
	options.key_file = temp_path(&temp, "key");
	assert_int_equal(w_trail_open(&options, &trail, NULL), WRIT_OK);
	assert_int_equal(strlen(trail->chain_key_id), W_LOG_KEY_ID_LEN);
	assert_int_equal(append(trail, "\"kind\":\"a\"", NULL), WRIT_OK);
	w_trail_close(trail);
	assert_string_equal(written(), "\"kind\":\"a\";");
}

static void
a_place_that_cannot_be_made_is_told(void **state)
{
	const struct w_trail_options options = {
	    .state_dir = "/proc/nothing/here",
	    .durability = W_LOG_NONE,
	    .door = "test",
	};
	struct w_trail *trail = NULL;
	writ_error err;

	(void)state;
	assert_int_equal(w_trail_open(&options, &trail, &err), WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ENOENT);
	assert_null(trail);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_trail_knows_who_writes),
	    TEST(records_come_in_their_order),
	    TEST(what_was_lost_is_told_first),
	    TEST(a_record_that_failed_is_not_written),
	    TEST(a_fork_writes_nothing),
	    TEST(a_keyed_trail_needs_its_key),
	    TEST(a_place_that_cannot_be_made_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
