/* SPDX-License-Identifier: Apache-2.0 */

/* Recordings that are truncated, invalid or still growing. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "leftovers.h"
#include "log/recording/recording.h"
#include "temp.h"

static struct temp temp;
static int fds_before;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
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

/* Three pieces, the second a pause, end at these bytes. */
static const char whole[] = "writrec1"
			    "\3\0\0\0\5\0\0\0one"
			    "\0\0\0\0\377\377\377\377"
			    "\2\0\0\200\1\0\0\0no";
static const size_t ends[] = {8, 19, 27, 37};

static writ_status
open_bytes(
    const char *bytes, size_t len, struct w_recording_reader **out_reader)
{
	(void)unlinkat(temp.fd, "r", 0);
	temp_bytes(&temp, "r", 0600, bytes, len);
	return w_recording_open(temp_path(&temp, "r"), out_reader, NULL);
}

static bool
is_end(size_t at)
{
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (ends[i] == at)
			return true;
	}
	return false;
}

static void
a_file_cut_anywhere_gives_what_is_whole(void **state)
{
	(void)state;
	assert_int_equal(sizeof(whole) - 1, 37);
	for (size_t len = 0; len < sizeof(whole); len++) {
		struct w_recording_reader *reader = NULL;
		struct w_recording_piece piece;
		bool is_cut = true;
		int count = 0;

		assert_int_equal(open_bytes(whole, len, &reader), WRIT_OK);
		do {
			assert_int_equal(
			    w_recording_next(reader, &piece, &is_cut, NULL),
			    WRIT_OK);
			count += piece.len > 0;
		} while (piece.len > 0);
		assert_int_equal(count, (len >= 19) + (len >= 37));
		assert_int_equal(is_cut, len > 0 && !is_end(len));
		w_recording_reader_free(reader);
	}
}

static void
a_growing_file_is_followed(void **state)
{
	struct w_recording_reader *reader = NULL;
	struct w_recording_piece piece;
	size_t got = 0;

	(void)state;
	assert_int_equal(open_bytes("", 0, &reader), WRIT_OK);
	int fd = openat(temp.fd, "r", O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_true(fd >= 0);
	for (size_t at = 0; at < sizeof(whole) - 1; at++) {
		assert_int_equal(write(fd, whole + at, 1), 1);
		assert_int_equal(
		    w_recording_next(reader, &piece, NULL, NULL), WRIT_OK);
		if (piece.len == 0)
			continue;
		assert_true(is_end(at + 1));
		assert_memory_equal(
		    piece.bytes, got == 0 ? "one" : "no", piece.len);
		assert_int_equal(
		    piece.at_us, got == 0 ? 5 : UINT64_C(6) + UINT32_MAX);
		got += piece.len;
	}
	assert_int_equal(got, 5);
	(void)close(fd);
	w_recording_reader_free(reader);
}

/* A piece that its writer undid was never there. */
static void
a_piece_that_is_taken_back_is_not_seen(void **state)
{
	struct w_recording_reader *reader = NULL;
	struct w_recording_piece piece;

	(void)state;
	assert_int_equal(open_bytes(whole, 15, &reader), WRIT_OK);
	assert_int_equal(w_recording_next(reader, &piece, NULL, NULL), WRIT_OK);
	assert_int_equal(piece.len, 0);
	int fd = openat(temp.fd, "r", O_RDWR | O_CLOEXEC);
	assert_int_equal(ftruncate(fd, 8), 0);
	assert_int_equal(pwrite(fd, "\1\0\0\0\0\0\0\0x", 9, 8), 9);
	assert_int_equal(w_recording_next(reader, &piece, NULL, NULL), WRIT_OK);
	assert_int_equal(piece.len, 1);
	assert_int_equal(piece.bytes[0], 'x');
	(void)close(fd);
	w_recording_reader_free(reader);
}

static void
expect_invalid(const char *bytes, size_t len, int good, const char *where)
{
	struct w_recording_reader *reader = NULL;
	struct w_recording_piece piece;
	writ_error err = {0};

	assert_int_equal(open_bytes(bytes, len, &reader), WRIT_OK);
	for (int i = 0; i < good; i++) {
		assert_int_equal(
		    w_recording_next(reader, &piece, NULL, &err), WRIT_OK);
		assert_true(piece.len > 0);
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(w_recording_next(reader, &piece, NULL, &err),
		    WRIT_E_INVALID);
		assert_non_null(strstr(err.message, where));
	}
	w_recording_reader_free(reader);
}

static void
what_is_no_recording_is_said_with_its_place(void **state)
{
	static const char other[] = "writrec2\1\0\0\0\0\0\0\0x";
	static const char text[] = "x";
	static const char long_piece[] = "writrec1\1\0\0\0\0\0\0\0x"
					 "\1\0\1\0\0\0\0\0yyyy";
	static const char huge[] = "writrec1\377\377\377\177\0\0\0\0";

	(void)state;
	expect_invalid(other, sizeof(other) - 1, 0, "at byte 0");
	expect_invalid(text, sizeof(text) - 1, 0, "at byte 0");
	expect_invalid(long_piece, sizeof(long_piece) - 1, 1, "at byte 17");
	expect_invalid(huge, sizeof(huge) - 1, 0, "at byte 8");
}

static void
what_is_not_there_or_not_a_file_is_refused(void **state)
{
	struct w_recording_reader *reader = NULL;
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    w_recording_open(temp_path(&temp, "none"), &reader, &err),
	    WRIT_E_NOTFOUND);
	assert_non_null(strstr(err.message, "none"));
	assert_int_equal(
	    w_recording_open(temp.path, &reader, &err), WRIT_E_INVALID);
	assert_int_equal(mkfifoat(temp.fd, "fifo", 0600), 0);
	assert_int_equal(
	    w_recording_open(temp_path(&temp, "fifo"), &reader, &err),
	    WRIT_E_INVALID);
	assert_null(reader);
	w_recording_reader_free(NULL);
}

#define IN_TEMP(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(a_file_cut_anywhere_gives_what_is_whole),
	    IN_TEMP(a_growing_file_is_followed),
	    IN_TEMP(a_piece_that_is_taken_back_is_not_seen),
	    IN_TEMP(what_is_no_recording_is_said_with_its_place),
	    IN_TEMP(what_is_not_there_or_not_a_file_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
