/* SPDX-License-Identifier: Apache-2.0 */

/* What the record keeps of a run's output: hashes and recordings. */

#include "running.h"

#include "base/hex.h"

#define EMPTY_SUM \
	"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static writ_status
on_begin(const writ_request *asked, const struct w_prepared *prepared,
    struct writ_job *job, writ_error *err)
{
	(void)asked;
	(void)prepared;
	(void)job;
	(void)err;
	return WRIT_OK;
}

static void
on_fail(const char *run_id, const writ_error *err)
{
	(void)run_id;
	(void)err;
}

/* The record is written when the hashes are known. */
static void
on_end(void *ctx, struct w_run_result *storage)
{
	(void)ctx;
	assert_non_null(storage->result.sha256[0]);
	assert_non_null(storage->result.sha256[1]);
}

static void
on_abandon(void *ctx, const char *run_id)
{
	(void)ctx;
	(void)run_id;
}

static char output_dir[300];

static int
set_up_record(void **state)
{
	(void)set_up(state);
	(void)snprintf(output_dir, sizeof(output_dir), "%s/outputs", temp.path);
	start_steps =
	    (struct start_steps){.begin = on_begin, .on_fail = on_fail};
	runner.listener =
	    (struct w_run_listener){.on_end = on_end, .on_abandon = on_abandon};
	runner.output_dir = output_dir;
	runner.keep_default = 1 << 20;
	return 0;
}

static void
expect_sum(const char *found, const void *bytes, size_t len)
{
	uint8_t sum[W_SHA256_SIZE];
	char hex[W_SHA256_HEX + 1] = "";

	w_sha256(bytes, len, sum);
	w_hex_put(hex, sum, sizeof(sum));
	assert_string_equal(found, hex);
}

/* The recorded bytes of one stream, or of both with -1. */
static size_t
played(const char *path, int which, char *buf, size_t size)
{
	struct w_recording_reader *reader = NULL;
	struct w_recording_piece piece = {0};
	bool is_cut = true;
	size_t len = 0;

	assert_int_equal(w_recording_open(path, &reader, NULL), WRIT_OK);
	do {
		assert_int_equal(
		    w_recording_next(reader, &piece, &is_cut, NULL), WRIT_OK);
		if (piece.len == 0 ||
		    (which >= 0 && piece.is_stderr != (which == WRIT_STDERR)))
			continue;
		assert_true(len + piece.len <= size);
		memcpy(buf + len, piece.bytes, piece.len);
		len += piece.len;
	} while (piece.len > 0);
	assert_false(is_cut);
	w_recording_reader_free(reader);
	return len;
}

static void
both_streams_are_summed_and_kept(void **state)
{
	writ_request request = shell("echo out; echo err >&2; echo more");
	char path[400];
	char buf[100];

	(void)state;
	writ_result *result = run(&request);
	expect_sum(result->sha256[WRIT_STDOUT], "out\nmore\n", 9);
	expect_sum(result->sha256[WRIT_STDERR], "err\n", 4);
	(void)snprintf(
	    path, sizeof(path), "%s/%s.rec", output_dir, result->run_id);
	assert_string_equal(result->recording, path);
	assert_int_equal(result->recording_bytes, 13);
	done(result);
	/* It outlives the result. */
	assert_int_equal(played(path, WRIT_STDOUT, buf, sizeof(buf)), 9);
	assert_memory_equal(buf, "out\nmore\n", 9);
	assert_int_equal(played(path, WRIT_STDERR, buf, sizeof(buf)), 4);
	assert_memory_equal(buf, "err\n", 4);
}

/* Lets the command continue some time after its output was read. */
static int
answer(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	const char name[] = {bytes[0], '\0'};

	(void)ctx;
	(void)job;
	(void)stream;
	(void)len;
	(void)usleep(20000);
	temp_file(&temp, name, 0600, "");
	return 0;
}

static void
pieces_stand_in_the_order_and_at_the_time_of_reading(void **state)
{
	writ_request request =
	    shell("await() { until [ -e $1 ]; do sleep 0.01; done; }; "
		  "echo a; await a; echo b >&2; await b; echo c; await c");
	struct w_recording_reader *reader = NULL;
	struct w_recording_piece piece;
	uint64_t last_us = 0;

	(void)state;
	request.cwd = temp.path;
	request.on_output = answer;
	writ_result *result = run(&request);
	assert_int_equal(
	    w_recording_open(result->recording, &reader, NULL), WRIT_OK);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(
		    w_recording_next(reader, &piece, NULL, NULL), WRIT_OK);
		assert_int_equal(piece.len, 2);
		assert_int_equal(piece.bytes[0], "abc"[i]);
		assert_int_equal(piece.is_stderr, i == 1);
		if (i > 0)
			assert_true(piece.at_us - last_us >= 20000);
		last_us = piece.at_us;
	}
	assert_true(last_us / 1000 <= result->duration_ms);
	w_recording_reader_free(reader);
	done(result);
}

static void
silent_runs_have_the_sums_of_nothing_and_no_file(void **state)
{
	writ_request request = shell("exit 0");

	(void)state;
	writ_result *result = run(&request);
	assert_string_equal(result->sha256[0], EMPTY_SUM);
	assert_string_equal(result->sha256[1], EMPTY_SUM);
	assert_null(result->recording);
	assert_int_equal(result->recording_bytes, 0);
	assert_false(temp_has(&temp, "outputs"));
	done(result);
}

enum {
	FLOOD = 5000000
};

/* Bytes that are neither captured nor recorded are hashed, too, with and
 * without the ring. */
static void
every_byte_of_a_flood_is_summed(void **state)
{
	static const uint64_t limits[] = {WRIT_ZERO, 1000, 200000, 1 << 20};
	static char expected[FLOOD];
	static char kept[(1 << 20) + 1];

	(void)state;
	for (size_t i = 0; i < FLOOD; i++)
		expected[i] = "some line\n"[i % 10];
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		writ_request request =
		    shell("yes 'some line' | head -c 5000000");

		request.output_limit = limits[i];
		request.spill_limit = WRIT_ZERO;
		writ_result *result = run(&request);
		assert_int_equal(result->out[0].bytes, FLOOD);
		expect_sum(result->sha256[0], expected, FLOOD);
		assert_string_equal(result->sha256[1], EMPTY_SUM);
		assert_int_equal(result->recording_bytes, 1 << 20);
		assert_int_equal(
		    played(result->recording, -1, kept, sizeof(kept)), 1 << 20);
		assert_memory_equal(kept, expected, 1 << 20);
		done(result);
	}
}

static void
expect_kept(uint64_t asked, uint64_t standard, size_t kept)
{
	writ_request request = shell("printf 1234567890");
	char buf[20];

	runner.keep_default = standard;
	request.keep = asked;
	writ_result *result = run(&request);
	expect_sum(result->sha256[0], "1234567890", 10);
	assert_int_equal(result->recording_bytes, kept);
	if (kept == 0)
		assert_null(result->recording);
	else
		assert_int_equal(
		    played(result->recording, -1, buf, sizeof(buf)), kept);
	done(result);
}

static void
how_much_is_kept_is_the_requests_word_or_the_standard(void **state)
{
	(void)state;
	expect_kept(0, 7, 7);
	expect_kept(0, 0, 0);
	expect_kept(3, 7, 3);
	expect_kept(100, 7, 10);
	expect_kept(10, 0, 10);
	expect_kept(WRIT_ZERO, 7, 0);
}

static void
without_a_directory_there_are_only_sums(void **state)
{
	writ_request request = shell("printf 1234567890");

	(void)state;
	runner.output_dir = NULL;
	writ_result *result = run(&request);
	expect_sum(result->sha256[0], "1234567890", 10);
	assert_null(result->recording);
	done(result);
}

static void
a_directory_that_cannot_be_used_does_not_end_the_run(void **state)
{
	writ_request request = shell("printf 12345; exit 3");

	(void)state;
	temp_file(&temp, "outputs", 0600, "");
	writ_result *result = run(&request);
	assert_int_equal(result->exit_code, 3);
	expect_text(&result->out[0], "12345");
	expect_sum(result->sha256[0], "12345", 5);
	assert_null(result->recording);
	done(result);
}

static void
without_a_keeper_nothing_is_summed_or_kept(void **state)
{
	writ_request request = shell("printf 1234567890");

	(void)state;
	start_steps.begin = NULL;
	writ_result *result = run(&request);
	assert_null(result->sha256[0]);
	assert_null(result->sha256[1]);
	assert_null(result->recording);
	assert_false(temp_has(&temp, "outputs"));
	done(result);
}

static int
on_output(
    void *ctx, writ_job *job, writ_stream stream, const char *bytes, size_t len)
{
	(void)job;
	(void)stream;
	(void)bytes;
	*(size_t *)ctx += len;
	return 0;
}

/* Its record says that it was abandoned; its output until then is kept. */
static void
the_output_of_an_abandoned_run_stays(void **state)
{
	writ_request request = shell("echo partial; exec sleep 300");
	writ_result *result = NULL;
	struct writ_job *job;
	size_t heard = 0;
	char path[400];
	char buf[20];

	(void)state;
	request.on_output = on_output;
	request.output_ctx = &heard;
	assert_int_equal(
	    start_run(&runner, &request, take, &result, &job, NULL), WRIT_OK);
	(void)snprintf(
	    path, sizeof(path), "%s/%s.rec", output_dir, job->storage->run_id);
	while (heard < 8)
		assert_int_equal(w_runner_dispatch(&runner, -1, NULL), WRIT_OK);
	/* It can be read during the run. */
	assert_int_equal(played(path, -1, buf, sizeof(buf)), 8);
	w_run_abandon(job);
	assert_int_equal(played(path, -1, buf, sizeof(buf)), 8);
	assert_memory_equal(buf, "partial\n", 8);
}

enum {
	MANY = 20
};

static void
many_runs_at_once_keep_their_output_apart(void **state)
{
	writ_result *results[MANY] = {NULL};
	struct writ_job *job;
	char text[MANY][32];
	char buf[32];

	(void)state;
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(
		    text[i], sizeof(text[i]), "sleep 0.3; printf %d", i);
		writ_request request = shell(text[i]);

		assert_int_equal(
		    start_run(&runner, &request, take, &results[i], &job, NULL),
		    WRIT_OK);
	}
	for (int i = 0; i < MANY; i++) {
		const char *number = strrchr(text[i], ' ') + 1;

		drive(&results[i]);
		expect_sum(results[i]->sha256[0], number, strlen(number));
		assert_int_equal(
		    played(results[i]->recording, -1, buf, sizeof(buf)),
		    strlen(number));
		assert_memory_equal(buf, number, strlen(number));
		done(results[i]);
	}
}

#define RECORDED(test) \
	cmocka_unit_test_setup_teardown(test, set_up_record, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    RECORDED(both_streams_are_summed_and_kept),
	    RECORDED(pieces_stand_in_the_order_and_at_the_time_of_reading),
	    RECORDED(silent_runs_have_the_sums_of_nothing_and_no_file),
	    RECORDED(every_byte_of_a_flood_is_summed),
	    RECORDED(how_much_is_kept_is_the_requests_word_or_the_standard),
	    RECORDED(without_a_directory_there_are_only_sums),
	    RECORDED(a_directory_that_cannot_be_used_does_not_end_the_run),
	    RECORDED(without_a_keeper_nothing_is_summed_or_kept),
	    RECORDED(the_output_of_an_abandoned_run_stays),
	    RECORDED(many_runs_at_once_keep_their_output_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
