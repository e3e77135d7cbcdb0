/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <errno.h>

#include "../unit/eventful.h"
#include "../unit/leftovers.h"
#include "../unit/temp.h"
#include "inject.h"

/*
 * Every call of a session fails once, at each of its occurrences. What then is
 * in the log is a prefix of what was to be written, and everything that was
 * said to be written is in it.
 */

enum {
	EVENTS = 4
};

static const char *const only[] = {"exec#a", NULL};

static writ_status
begin(struct w_manifest_session *session, writ_error *err)
{
	const struct w_manifest_session_start start = {
	    .manifest = "m.yaml", .sha256 = "12", .only = only};

	return w_manifest_session_begin(session, &start, err);
}

/* How many events were said to be written. */
static size_t
write_session(const char *dir, writ_status *out_status)
{
	const struct w_manifest_session_options options = {.dir = dir};
	struct w_manifest_session *session = NULL;
	writ_error err = {.status = WRIT_OK};
	size_t written = 0;
	writ_status status = w_manifest_session_open(&options, &session, &err);

	if (status == WRIT_OK)
		status = begin(session, &err);
	for (size_t i = 0; status == WRIT_OK && i < EVENTS; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "step %zu", i);
		writ_event event = an_event(i, name);
		event.alias = i == 1 ? "alias" : NULL;
		event.diff = i == 2 ? "\xff" : NULL;
		status = w_manifest_session_add(session, &event, false, &err);
		written += status == WRIT_OK;
	}
	if (status == WRIT_OK)
		status = w_manifest_session_finish(session, true, &err);
	if (status != WRIT_OK)
		assert_int_equal(err.status, status);
	w_manifest_session_free(session);
	*out_status = status;
	return written;
}

static void
expect_prefix(const char *dir, size_t at_least)
{
	const struct w_manifest_session_options options = {
	    .dir = dir, .is_readonly = true};
	struct w_manifest_session *session = NULL;
	size_t count = 0;

	assert_int_equal(
	    w_manifest_session_open(&options, &session, NULL), WRIT_OK);
	assert_null(w_manifest_session_note(session));
	while (w_manifest_session_has(session, count))
		count++;
	assert_in_range(count, at_least, at_least + 1);
	for (size_t i = count; i < EVENTS; i++)
		assert_false(w_manifest_session_has(session, i));
	w_manifest_session_free(session);
}

/* false: the call does not occur that often. */
static bool
fail_once(const struct temp *temp, const char *function, unsigned at, int error)
{
	char dir[300];
	writ_status status;
	int fds = count_fds();

	(void)snprintf(
	    dir, sizeof(dir), "%s/%s-%d-%u", temp->path, function, error, at);
	inject_arm(function, at, 1, error);
	size_t written = write_session(dir, &status);
	bool is_refused = inject_disarm();
	assert_int_equal(count_fds(), fds);
	if (!is_refused || error == EINTR) {
		assert_int_equal(status, WRIT_OK);
		assert_int_equal(written, EVENTS);
	}
	expect_prefix(dir, written);
	return is_refused;
}

static void
whatever_fails_what_was_written_is_there(void **state)
{
	static const struct {
		const char *function;
		int error;
		unsigned least; /* occurrences */
	} faults[] = {
	    {"allocation", ENOMEM, 10},
	    {"open", EMFILE, 2},
	    {"openat", EMFILE, 2},
	    {"mkdir", EACCES, 1},
	    {"write", ENOSPC, EVENTS + 2},
	    {"write", EINTR, EVENTS + 2},
	    {"pwrite64", EIO, 1},
	    {"fallocate64", ENOSPC, 1},
	    {"fdatasync", EIO, 1},
	    {"flock", EINTR, EVENTS},
	    {"flock", ENOLCK, EVENTS},
	};

	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		unsigned at = 1;

		while (
		    fail_once(*state, faults[i].function, at, faults[i].error))
			at++;
		if (at <= faults[i].least)
			fail_msg("%s occurs only %u times", faults[i].function,
			    at - 1);
	}
}

static bool
count_event(void *ctx, const char *json, size_t len)
{
	(void)json;
	(void)len;
	++*(size_t *)ctx;
	return true;
}

static void
reading_again_fails_whole_or_works(void **state)
{
	static const struct {
		const char *function;
		int error;
	} faults[] = {
	    {"allocation", ENOMEM},
	    {"yyjson_read_opts", ENOMEM},
	    {"open", EACCES},
	    {"openat", EACCES},
	    {"pread64", EIO},
	};
	const struct temp *temp = *state;
	const char *dir = temp_path(temp, "s");
	const struct w_manifest_session_options options = {
	    .dir = dir, .must_exist = true, .is_readonly = true};
	writ_status status;

	assert_int_equal(write_session(dir, &status), EVENTS);
	int fds = count_fds();
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		bool is_refused = true;

		for (unsigned at = 1; is_refused; at++) {
			struct w_manifest_session *session = NULL;
			size_t count = 0;

			inject_arm(faults[i].function, at, 1, faults[i].error);
			status =
			    w_manifest_session_open(&options, &session, NULL);
			if (status == WRIT_OK)
				status = w_manifest_session_events(
				    session, count_event, &count, NULL);
			is_refused = inject_disarm();
			if (status == WRIT_OK)
				assert_int_equal(count, EVENTS);
			w_manifest_session_free(session);
			assert_int_equal(count_fds(), fds);
		}
		assert_int_equal(status, WRIT_OK);
	}
}

static void
places_fail_with_words(void **state)
{
	const struct temp *temp = *state;
	char *dir = NULL;

	for (unsigned at = 1;; at++) {
		inject_arm("allocation", at, 1, ENOMEM);
		writ_status status =
		    w_manifest_session_make(temp_path(temp, "p"), &dir, NULL);
		if (!inject_disarm())
			break;
		assert_int_equal(status, WRIT_E_NOMEM);
		assert_null(dir);
	}
	free(dir);
	inject_arm("mkdir", 1, 1, ENOSPC);
	assert_int_equal(
	    w_manifest_session_make(temp_path(temp, "q"), &dir, NULL),
	    WRIT_E_SYSTEM);
	assert_true(inject_disarm());
	for (unsigned at = 1;; at++) {
		struct w_manifest_session *session = NULL;

		inject_arm("allocation", at, 1, ENOMEM);
		writ_status status =
		    w_manifest_session_new_in_memory(&session, NULL);
		if (status == WRIT_OK)
			status = begin(session, NULL);
		const writ_event event = an_event(0, "a");
		if (status == WRIT_OK)
			status = w_manifest_session_add(
			    session, &event, false, NULL);
		w_manifest_session_free(session);
		if (!inject_disarm())
			break;
		if (status != WRIT_OK)
			assert_int_equal(status, WRIT_E_NOMEM);
	}
}

static void
tidying_gives_up_and_tries_again(void **state)
{
	static const struct w_manifest_session_keep none = {.count = 0};
	static const struct {
		const char *function;
		unsigned at;
	} faults[] = {
	    {"allocation", 1}, {"allocation", 2}, {"openat", 1}, {"flock", 1}};
	const struct temp *temp = *state;
	char *dir = NULL;
	int fds = count_fds();

	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		assert_int_equal(
		    w_manifest_session_make(temp->path, &dir, NULL), WRIT_OK);
		inject_arm(faults[i].function, faults[i].at, 1, ENOMEM);
		w_manifest_session_prune(temp->path, &none);
		assert_true(inject_disarm());
		assert_int_equal(access(dir, F_OK), 0);
		w_manifest_session_prune(temp->path, &none);
		assert_int_not_equal(access(dir, F_OK), 0);
		free(dir);
	}
	assert_int_equal(count_fds(), fds);
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(whatever_fails_what_was_written_is_there),
	    IN_TEMP(reading_again_fails_whole_or_works),
	    IN_TEMP(places_fail_with_words),
	    IN_TEMP(tidying_gives_up_and_tries_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
