/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "../unit/leftovers.h"
#include "../unit/temp.h"
#include "inject.h"
#include "log/recording/recording.h"

/*
 * Every call of a recording fails once, at each of its occurrences. What then
 * stands in the file is whole, and is what came first.
 */

static struct temp temp;
static char dir[300];

static int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	(void)snprintf(dir, sizeof(dir), "%s/a/b", temp.path);
	return 0;
}

static const char text[] = "0123456789";

/* Ten pieces of a byte each, after a directory was made. */
static struct w_recording
record(void)
{
	struct w_recording recording = {
	    .dir = dir, .run_id = "id", .limit = 100, .fd = -1};

	for (uint64_t i = 0; i < 10; i++)
		w_recording_add(&recording, i % 2 == 1, text + i, 1,
		    i * (UINT64_C(1000) << 33));
	w_recording_end(&recording);
	return recording;
}

static void
expect_first_bytes(const char *path, uint64_t count)
{
	struct w_recording_reader *reader = NULL;
	struct w_recording_piece piece;
	bool is_cut = true;

	assert_int_equal(w_recording_open(path, &reader, NULL), WRIT_OK);
	for (uint64_t i = 0; i < count; i++) {
		assert_int_equal(
		    w_recording_next(reader, &piece, NULL, NULL), WRIT_OK);
		assert_int_equal(piece.len, 1);
		assert_int_equal(piece.bytes[0], text[i]);
		assert_int_equal(piece.at_us, i << 33);
	}
	assert_int_equal(
	    w_recording_next(reader, &piece, &is_cut, NULL), WRIT_OK);
	assert_int_equal(piece.len, 0);
	assert_false(is_cut);
	w_recording_reader_free(reader);
}

/* false: the call does not occur that often. */
static bool
fail_once(const char *function, unsigned at, int error)
{
	int fds = count_fds();

	inject_arm(function, at, 1, error);
	struct w_recording recording = record();
	bool is_refused = inject_disarm();
	if (!is_refused || error == EINTR)
		assert_int_equal(recording.error, 0);
	else
		assert_int_equal(recording.error, error);
	assert_int_equal(recording.path != NULL, recording.bytes > 0);
	if (recording.error == 0)
		assert_int_equal(recording.bytes, 10);
	if (recording.path != NULL)
		expect_first_bytes(recording.path, recording.bytes);
	w_recording_free(&recording, true);
	assert_false(temp_has(&temp, "a/b/id.rec"));
	(void)unlinkat(temp.fd, "a/b", AT_REMOVEDIR);
	(void)unlinkat(temp.fd, "a", AT_REMOVEDIR);
	assert_int_equal(count_fds(), fds);
	return is_refused;
}

static void
whatever_fails_the_file_holds_whole_pieces(void **state)
{
	static const struct {
		const char *function;
		int error;
		unsigned least; /* occurrences */
	} faults[] = {
	    {"allocation", ENOMEM, 2},
	    {"open", EMFILE, 2},
	    {"openat", ENOSPC, 1},
	    {"mkdir", EACCES, 1},
	    {"pwritev64", ENOSPC, 19},
	    {"pwritev64", EINTR, 19},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		unsigned at = 1;

		while (fail_once(faults[i].function, at, faults[i].error))
			at++;
		assert_true(at > faults[i].least);
	}
}

static void
a_reader_that_cannot_be_made_leaves_nothing(void **state)
{
	struct w_recording recording = record();
	struct w_recording_reader *reader = NULL;
	writ_error err = {0};
	unsigned at = 1;

	(void)state;
	int fds = count_fds();
	for (;; at++) {
		inject_arm("allocation", at, 1, ENOMEM);
		writ_status status =
		    w_recording_open(recording.path, &reader, &err);
		if (!inject_disarm())
			break;
		assert_int_equal(status, WRIT_E_NOMEM);
		assert_null(reader);
		assert_int_equal(count_fds(), fds);
	}
	assert_true(at > 2);
	w_recording_reader_free(reader);
	w_recording_free(&recording, true);
}

static void
a_read_that_fails_can_be_tried_again(void **state)
{
	struct w_recording recording = record();
	struct w_recording_reader *reader = NULL;
	struct w_recording_piece piece = {0};
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    w_recording_open(recording.path, &reader, NULL), WRIT_OK);
	inject_arm("pread64", 1, 1, EIO);
	assert_int_equal(
	    w_recording_next(reader, &piece, NULL, &err), WRIT_E_SYSTEM);
	assert_true(inject_disarm());
	assert_int_equal(err.sys_errno, EIO);
	inject_arm("pread64", 1, 1, EINTR);
	assert_int_equal(w_recording_next(reader, &piece, NULL, &err), WRIT_OK);
	assert_true(inject_disarm());
	assert_int_equal(piece.bytes[0], '0');
	w_recording_reader_free(reader);
	w_recording_free(&recording, true);
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(whatever_fails_the_file_holds_whole_pieces),
	    IN_TEMP(a_reader_that_cannot_be_made_leaves_nothing),
	    IN_TEMP(a_read_that_fails_can_be_tried_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
