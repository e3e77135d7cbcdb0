/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "eventful.h"
#include "temp.h"

#define FIRST "s/session-000001.jsonl"

static void
compare_summaries(
    const struct w_manifest_session *a, const struct w_manifest_session *b)
{
	writ_apply_summary first, second;
	struct w_buf texts[2];

	w_manifest_session_summary(a, &first);
	w_manifest_session_summary(b, &second);
	/* The log's own clock gives the start of a part. */
	second.start_us = first.start_us;
	second.duration_ns = first.duration_ns;
	w_buf_init(&texts[0], 10000);
	w_buf_init(&texts[1], 10000);
	w_event_summary_add_json(&texts[0], &first);
	w_event_summary_add_json(&texts[1], &second);
	assert_string_equal(texts[0].data, texts[1].data);
	w_buf_done(&texts[0]);
	w_buf_done(&texts[1]);
}

static struct w_manifest_session *
read_session(const char *dir)
{
	const struct w_manifest_session_options options = {
	    .dir = dir, .must_exist = true, .is_readonly = true};
	struct w_manifest_session *session = NULL;
	writ_error err = {0};

	if (w_manifest_session_open(&options, &session, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return session;
}

static void
what_is_read_is_what_was_known(void **state)
{
	static const char *const unmet[] = {"exec#a", NULL};
	static const char *const only[] = {"exec#a", "exec#b", NULL};
	static const writ_health_check health[] = {
	    {"x", WRIT_HEALTH_WARNING, 1, "w"}, {"y", WRIT_HEALTH_OK, 1, ""}};
	const struct temp *temp = *state;
	const char *dir = temp_path(temp, "s");
	const struct w_manifest_session_start start = {
	    .manifest = "\xc3\xa4.yaml",
	    .sha256 = "12",
	    .resources = 7,
	    .noop = true,
	    .only = only};
	struct w_manifest_session_start read;
	struct w_manifest_session *session = open_session(dir);

	assert_int_equal(
	    w_manifest_session_begin(session, &start, NULL), WRIT_OK);
	add_events(session, 0, 3);
	writ_event event = an_event(3, "bad");
	event.failed = event.interrupted = true;
	event.health = health;
	event.health_count = 2;
	add_event(session, &event);
	assert_int_equal(
	    w_manifest_session_finish(session, true, NULL), WRIT_OK);
	assert_int_equal(
	    w_manifest_session_begin(session, &start, NULL), WRIT_OK);
	event.interrupted = false;
	event.refreshed = event.changed = true;
	add_event(session, &event);
	event = an_event(4, "skip \"quoted\"\n");
	event.skipped = true;
	event.unmet = unmet;
	add_event(session, &event);

	struct w_manifest_session *again = read_session(dir);
	compare_summaries(session, again);
	assert_false(w_manifest_session_is_finished(again));
	w_manifest_session_free(again);
	assert_int_equal(
	    w_manifest_session_finish(session, false, NULL), WRIT_OK);
	assert_true(w_manifest_session_is_finished(session));
	again = read_session(dir);
	assert_true(w_manifest_session_is_finished(again));
	assert_true(w_manifest_session_started(again, &read));
	assert_string_equal(read.manifest, start.manifest);
	assert_true(read.noop);
	assert_int_equal(read.resources, 7);
	assert_string_equal(read.only[0], "exec#a");
	assert_string_equal(read.only[1], "exec#b");
	assert_null(read.only[2]);
	struct w_last_event past;
	assert_true(
	    w_manifest_session_last(again, "exec", "skip \"quoted\"\n", &past));
	assert_true(past.has_unmet && past.skipped);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(w_manifest_session_has(again, i), i < 5);
	assert_null(w_manifest_session_note(again));
	w_manifest_session_free(again);
	w_manifest_session_free(session);
}

struct seen {
	size_t count;
	size_t stop_at;
	char last[4096];
};

static bool
see(void *ctx, const char *json, size_t len)
{
	struct seen *seen = ctx;

	assert_true(len < sizeof(seen->last));
	memcpy(seen->last, json, len);
	seen->last[len] = '\0';
	return ++seen->count != seen->stop_at;
}

static void
expect_events(struct w_manifest_session *session)
{
	struct seen seen = {0};
	size_t len = 0;

	assert_null(w_manifest_session_json(session, &len));
	add_events(session, 0, 5);
	const char *json = w_manifest_session_json(session, &len);
	assert_int_equal(
	    w_manifest_session_events(session, see, &seen, NULL), WRIT_OK);
	assert_int_equal(seen.count, 5);
	assert_int_equal(strlen(seen.last), len);
	assert_memory_equal(seen.last, json, len);
	seen = (struct seen){.stop_at = 2};
	assert_int_equal(
	    w_manifest_session_events(session, see, &seen, NULL), WRIT_OK);
	assert_int_equal(seen.count, 2);
}

static void
events_come_back_as_they_were_written(void **state)
{
	const struct temp *temp = *state;
	struct w_manifest_session *session = open_session(temp_path(temp, "s"));

	expect_events(session);
	w_manifest_session_free(session);
	assert_int_equal(
	    w_manifest_session_new_in_memory(&session, NULL), WRIT_OK);
	expect_events(session);
	w_manifest_session_free(session);
}

/* Changes one byte of the log, after the nth occurrence of a text. */
static void
spoil(const struct temp *temp, const char *text, size_t nth)
{
	static char bytes[20000];
	int fd = openat(temp->fd, FIRST, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	ssize_t len = read(fd, bytes, sizeof(bytes) - 1);
	assert_true(len > 0);
	bytes[len] = '\0';
	char *at = bytes;
	for (size_t i = 0; i < nth; i++) {
		at = strstr(at + 1, text);
		assert_non_null(at);
	}
	assert_int_equal(pwrite(fd, "#", 1, at - bytes + 1), 1);
	assert_int_equal(close(fd), 0);
}

static void
a_damaged_line_costs_only_itself(void **state)
{
	const struct temp *temp = *state;
	struct w_manifest_session *session = open_session(temp_path(temp, "s"));
	writ_apply_summary summary;
	struct w_last_event past;
	struct seen seen = {0};

	begin_session(session, "m.yaml");
	add_events(session, 0, 5);
	w_manifest_session_free(session);
	spoil(temp, "step 2", 1);
	session = open_session(temp_path(temp, "s"));
	w_manifest_session_summary(session, &summary);
	assert_int_equal(summary.total, 4);
	assert_false(w_manifest_session_last(session, "exec", "step 2", &past));
	assert_true(w_manifest_session_last(session, "exec", "step 3", &past));
	assert_false(w_manifest_session_has(session, 2));
	assert_string_equal(w_manifest_session_note(session),
	    "1 line of the session is damaged or not ours, and left out");
	assert_int_equal(
	    w_manifest_session_events(session, see, &seen, NULL), WRIT_OK);
	assert_int_equal(seen.count, 4);
	/* It can be continued. */
	add_events(session, 2, 3);
	w_manifest_session_free(session);
	session = read_session(temp_path(temp, "s"));
	assert_true(w_manifest_session_has(session, 2));
	w_manifest_session_free(session);
}

static void
bytes_that_are_no_line_are_left_out(void **state)
{
	const struct temp *temp = *state;
	struct w_manifest_session *session = NULL;

	temp_dir(temp, "s");
	temp_file(temp, FIRST, 0600, "hello\n\n{}\n{\"seq\":1}\nhalf");
	session = read_session(temp_path(temp, "s"));
	assert_string_equal(w_manifest_session_note(session),
	    "4 lines of the session are damaged or not ours, and left out");
	w_manifest_session_free(session);
}

static void
half_a_line_is_repaired_by_the_next_writer(void **state)
{
	const struct temp *temp = *state;
	struct w_manifest_session *session = open_session(temp_path(temp, "s"));
	struct stat st;

	add_events(session, 0, 3);
	w_manifest_session_free(session);
	int fd = openat(temp->fd, FIRST, O_RDWR | O_CLOEXEC);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(ftruncate(fd, st.st_size - 10), 0);
	assert_int_equal(close(fd), 0);
	session = open_session(temp_path(temp, "s"));
	assert_null(w_manifest_session_note(session));
	assert_true(w_manifest_session_has(session, 1));
	assert_false(w_manifest_session_has(session, 2));
	add_events(session, 2, 4);
	w_manifest_session_free(session);
	session = read_session(temp_path(temp, "s"));
	assert_null(w_manifest_session_note(session));
	for (size_t i = 0; i < 4; i++)
		assert_true(w_manifest_session_has(session, i));
	w_manifest_session_free(session);
}

/* Adds events to the session and reports each, until it is killed. */
static _Noreturn void
add_for_ever(const char *dir, int fd)
{
	struct w_manifest_session *session = open_session(dir);
	size_t next = 0;

	(void)alarm(20);
	while (w_manifest_session_has(session, next))
		next++;
	for (;;) {
		add_events(session, next, next + 1);
		if (write(fd, &next, sizeof(next)) != sizeof(next))
			_exit(1);
		next++;
	}
}

static bool
count_in_order(void *ctx, const char *json, size_t len)
{
	struct seen *seen = ctx;
	char name[64];

	(void)snprintf(
	    name, sizeof(name), "\"name\":\"step %zu\",", seen->count++);
	if (memmem(json, len, name, strlen(name)) == NULL)
		fail_msg("no %s in %.*s", name, (int)len, json);
	return true;
}

/* Kills a writer some time after it reported that many events. Returns the
 * number of the last event that it reported. */
static size_t
kill_writer(const char *dir, unsigned events)
{
	size_t told = 0;
	size_t next;
	int ends[2], status;

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		add_for_ever(dir, ends[1]);
	assert_int_equal(close(ends[1]), 0);
	while (events-- > 0)
		assert_int_equal(
		    read(ends[0], &told, sizeof(told)), sizeof(told));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
	while (read(ends[0], &next, sizeof(next)) == sizeof(next))
		told = next;
	assert_int_equal(close(ends[0]), 0);
	return told;
}

static void
a_writer_that_is_killed_leaves_a_prefix(void **state)
{
	const struct temp *temp = *state;
	unsigned random = (unsigned)time(NULL);

	for (int i = 0; i < 40; i++) {
		struct seen seen = {0};
		size_t told = kill_writer(
		    temp_path(temp, "s"), 1 + (unsigned)rand_r(&random) % 50);
		struct w_manifest_session *session =
		    read_session(temp_path(temp, "s"));

		assert_null(w_manifest_session_note(session));
		assert_int_equal(w_manifest_session_events(
				     session, count_in_order, &seen, NULL),
		    WRIT_OK);
		/* No reported event is lost; there may be one more. */
		assert_in_range(seen.count, told + 1, told + 2);
		w_manifest_session_free(session);
	}
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(what_is_read_is_what_was_known),
	    IN_TEMP(events_come_back_as_they_were_written),
	    IN_TEMP(a_damaged_line_costs_only_itself),
	    IN_TEMP(bytes_that_are_no_line_are_left_out),
	    IN_TEMP(half_a_line_is_repaired_by_the_next_writer),
	    IN_TEMP(a_writer_that_is_killed_leaves_a_prefix),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
