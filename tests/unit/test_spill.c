/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "leftovers.h"
#include "run/streams/spill.h"
#include "temp.h"

enum {
	STREAM_MAX = 30000
};

static struct temp temp;
static char stream[STREAM_MAX];
static char content[STREAM_MAX + 1];

static int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	for (size_t i = 0; i < STREAM_MAX; i++)
		stream[i] = (char)random();
	return 0;
}

/* A stream with its capture and its spill, as in the engine. */
struct pair {
	struct w_capture capture;
	struct w_spill spill;
};

static void
begin(struct pair *pair, size_t output_limit, uint64_t spill_limit)
{
	w_capture_init(&pair->capture, output_limit);
	pair->spill = (struct w_spill){
	    .dir = temp.path,
	    .run_id = "id",
	    .suffix = "stdout",
	    .limit = spill_limit,
	    .fd = -1,
	};
}

static void
feed(struct pair *pair, const char *bytes, size_t len)
{
	w_spill_add(&pair->spill, &pair->capture, bytes, len);
	w_capture_add(&pair->capture, bytes, len);
}

static void
finish(struct pair *pair, writ_output *out)
{
	w_spill_take(&pair->spill, out);
	w_capture_done(&pair->capture);
	assert_int_equal(pair->spill.fd, -1);
}

static void
release_path(const writ_output *out)
{
	union {
		const char *borrowed;
		char *owned;
	} path = {out->spill_path};

	(void)unlink(path.owned);
	free(path.owned);
}

static size_t
read_back(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	ssize_t len = read(fd, content, sizeof(content));
	assert_true(len >= 0);
	(void)close(fd);
	return (size_t)len;
}

static void
output_that_fits_makes_no_file(void **state)
{
	writ_output out = {0};
	struct pair pair;

	(void)state;
	begin(&pair, 100, 1000);
	feed(&pair, stream, 60);
	feed(&pair, stream, 40);
	feed(&pair, stream, 0);
	finish(&pair, &out);
	assert_null(out.spill_path);
	assert_int_equal(out.spill_errno, 0);
	assert_int_equal(out.spill_bytes, 0);
	assert_false(temp_has(&temp, "id.stdout"));
}

static void
one_byte_more_puts_the_whole_into_a_private_file(void **state)
{
	writ_output out = {0};
	struct pair pair;
	struct stat st;

	(void)state;
	begin(&pair, 100, 1000);
	feed(&pair, stream, 100);
	feed(&pair, stream + 100, 1);
	finish(&pair, &out);
	assert_string_equal(out.spill_path, temp_path(&temp, "id.stdout"));
	assert_int_equal(out.spill_bytes, 101);
	assert_int_equal(out.spill_errno, 0);
	assert_int_equal(read_back(out.spill_path), 101);
	assert_memory_equal(content, stream, 101);
	assert_int_equal(stat(out.spill_path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	release_path(&out);
}

static void
spill_randomly(size_t bytes, size_t output_limit, uint64_t spill_limit)
{
	writ_output out = {0};
	struct pair pair;
	size_t kept = bytes < spill_limit ? bytes : (size_t)spill_limit;

	begin(&pair, output_limit, spill_limit);
	for (size_t at = 0; at < bytes;) {
		size_t len = (size_t)random() % 900;

		if (len > bytes - at)
			len = bytes - at;
		feed(&pair, stream + at, len);
		at += len;
	}
	finish(&pair, &out);
	if (bytes <= output_limit) {
		assert_null(out.spill_path);
		return;
	}
	assert_non_null(out.spill_path);
	assert_int_equal(out.spill_bytes, kept);
	assert_int_equal(read_back(out.spill_path), kept);
	assert_memory_equal(content, stream, kept);
	assert_int_equal(out.spill_errno, kept < bytes ? EFBIG : 0);
	release_path(&out);
}

static void
the_file_is_always_the_first_bytes_of_the_stream(void **state)
{
	static const size_t limits[] = {0, 1, 2, 3, 100, 5000};

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		for (int round = 0; round < 30; round++)
			spill_randomly((size_t)random() % STREAM_MAX, limits[i],
			    1 + (uint64_t)(random() % 20000));
	}
}

static void
a_limit_of_zero_and_no_directory_mean_no_file(void **state)
{
	writ_output out = {0};
	struct pair pair;

	(void)state;
	begin(&pair, 10, 0);
	feed(&pair, stream, 100);
	finish(&pair, &out);
	assert_null(out.spill_path);
	begin(&pair, 10, 1000);
	pair.spill.dir = NULL;
	feed(&pair, stream, 100);
	finish(&pair, &out);
	assert_null(out.spill_path);
	assert_int_equal(out.spill_errno, 0);
}

static void
a_missing_directory_is_made(void **state)
{
	writ_output out = {0};
	struct pair pair;
	struct stat st;

	(void)state;
	begin(&pair, 10, 1000);
	pair.spill.dir = temp_path(&temp, "a/b");
	feed(&pair, stream, 100);
	finish(&pair, &out);
	assert_non_null(out.spill_path);
	assert_int_equal(fstatat(temp.fd, "a/b", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	release_path(&out);
}

static void
what_cannot_be_written_is_remembered_and_not_tried_again(void **state)
{
	writ_output out = {0};
	struct pair pair;

	(void)state;
	temp_file(&temp, "f", 0600, "");
	begin(&pair, 10, 1000);
	pair.spill.dir = temp_path(&temp, "f/g");
	feed(&pair, stream, 100);
	feed(&pair, stream + 100, 100);
	assert_int_equal(pair.capture.bytes, 200);
	finish(&pair, &out);
	assert_null(out.spill_path);
	assert_int_equal(out.spill_errno, ENOTDIR);
	assert_int_equal(out.spill_bytes, 0);
}

static void
a_file_of_the_same_name_is_not_touched(void **state)
{
	writ_output out = {0};
	struct pair pair;

	(void)state;
	temp_file(&temp, "id.stdout", 0600, "mine");
	begin(&pair, 10, 1000);
	feed(&pair, stream, 100);
	finish(&pair, &out);
	assert_null(out.spill_path);
	assert_int_equal(out.spill_errno, EEXIST);
	assert_int_equal(read_back(temp_path(&temp, "id.stdout")), 4);
}

static void
discarding_deletes_the_file(void **state)
{
	struct pair pair;
	int before = count_fds();

	(void)state;
	begin(&pair, 10, 1000);
	feed(&pair, stream, 100);
	assert_true(temp_has(&temp, "id.stdout"));
	w_spill_discard(&pair.spill);
	assert_false(temp_has(&temp, "id.stdout"));
	w_spill_discard(&pair.spill);
	w_capture_done(&pair.capture);
	assert_int_equal(count_fds(), before);
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(output_that_fits_makes_no_file),
	    IN_TEMP(one_byte_more_puts_the_whole_into_a_private_file),
	    IN_TEMP(the_file_is_always_the_first_bytes_of_the_stream),
	    IN_TEMP(a_limit_of_zero_and_no_directory_mean_no_file),
	    IN_TEMP(a_missing_directory_is_made),
	    IN_TEMP(what_cannot_be_written_is_remembered_and_not_tried_again),
	    IN_TEMP(a_file_of_the_same_name_is_not_touched),
	    IN_TEMP(discarding_deletes_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
