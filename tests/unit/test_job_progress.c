/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the output and the state of a running job. */

#include "engine_fixture.h"

#include <yyjson.h>

static void
drive_bytes(const writ_job *job, writ_stream stream, uint64_t bytes)
{
	for (int i = 0; i < 1000 && writ_job_bytes(job, stream) < bytes; i++)
		dispatch(100);
	assert_int_equal(writ_job_bytes(job, stream), bytes);
}

static void
end(writ_job *job, struct seen *seen)
{
	writ_job_cancel(job, SIGKILL);
	drive(seen);
	writ_result_free(seen->result);
}

static yyjson_doc *
look(const writ_job *job)
{
	char *json = NULL;
	size_t len = 0;

	assert_int_equal(writ_job_json(job, &json, &len, NULL), WRIT_OK);
	yyjson_doc *doc = yyjson_read(json, len, 0);
	assert_non_null(doc);
	free(json);
	return doc;
}

static yyjson_val *
member(yyjson_doc *doc, const char *key)
{
	yyjson_val *value = yyjson_obj_get(yyjson_doc_get_root(doc), key);

	assert_non_null(value);
	return value;
}

static void
a_run_that_goes_on_is_read_at_any_offset(void **state)
{
	writ_request request =
	    shell("printf hello; printf 12345 >&2; sleep 60");
	struct seen seen = {0};
	writ_job *job = start(&request, &seen);
	char buf[16];
	size_t n = 99;

	(void)state;
	drive_bytes(job, WRIT_STDERR, 5);
	drive_bytes(job, WRIT_STDOUT, 5);
	assert_int_equal(
	    writ_job_read(job, WRIT_STDOUT, 1, buf, 3, &n), WRIT_OK);
	assert_int_equal(n, 3);
	assert_memory_equal(buf, "ell", 3);
	assert_int_equal(
	    writ_job_read(job, WRIT_STDERR, 0, buf, sizeof(buf), &n), WRIT_OK);
	assert_int_equal(n, 5);
	assert_int_equal(
	    writ_job_read(job, WRIT_STDOUT, 5, buf, sizeof(buf), &n), WRIT_OK);
	assert_int_equal(n, 0);
	assert_int_equal(
	    writ_job_read(job, WRIT_STDOUT, 500, buf, sizeof(buf), &n),
	    WRIT_OK);
	assert_int_equal(n, 0);
	end(job, &seen);
}

enum {
	NUMBERS = 48894 /* bytes that seq 1 10000 writes */
};

/* Reads all of it in pieces and checks each line against its number. */
static void
expect_numbers(const writ_job *job)
{
	static char all[NUMBERS + 1];
	char *at = all;
	size_t n, got = 0;

	while (got < NUMBERS) {
		size_t want = NUMBERS - got < 1000 ? NUMBERS - got : 1000;

		assert_int_equal(
		    writ_job_read(job, WRIT_STDOUT, got, all + got, want, &n),
		    WRIT_OK);
		assert_true(n > 0);
		got += n;
	}
	for (long number = 1; number <= 10000; number++) {
		assert_int_equal(strtol(at, &at, 10), number);
		assert_int_equal(*at++, '\n');
	}
}

static void
what_memory_no_longer_has_is_read_from_the_file(void **state)
{
	writ_request request = shell("seq 1 10000; sleep 60");
	struct seen seen = {0};

	(void)state;
	request.output_limit = 1000;
	writ_job *job = start(&request, &seen);
	drive_bytes(job, WRIT_STDOUT, NUMBERS);
	expect_numbers(job);
	end(job, &seen);
}

static void
what_is_kept_nowhere_is_not_found(void **state)
{
	writ_request request = shell("seq 1 10000; sleep 60");
	struct seen seen = {0};
	char buf[16];
	size_t n;

	(void)state;
	request.output_limit = 1000;
	request.spill_limit = WRIT_ZERO;
	writ_job *job = start(&request, &seen);
	drive_bytes(job, WRIT_STDOUT, NUMBERS);
	assert_int_equal(
	    writ_job_read(job, WRIT_STDOUT, 400, buf, 16, &n), WRIT_E_NOTFOUND);
	assert_int_equal(
	    writ_job_read(job, WRIT_STDOUT, NUMBERS - 6, buf, 16, &n), WRIT_OK);
	assert_int_equal(n, 6);
	assert_memory_equal(buf, "10000\n", 6);
	end(job, &seen);
}

static void
its_object_is_that_of_a_result_as_far_as_it_is_known(void **state)
{
	writ_request request = shell("echo out; echo err >&2; sleep 60");
	struct seen seen = {0};

	(void)state;
	request.trace_id = "t1";
	request.timeout_ms = 50000;
	writ_job *job = start(&request, &seen);
	drive_bytes(job, WRIT_STDOUT, 4);
	drive_bytes(job, WRIT_STDERR, 4);
	yyjson_doc *doc = look(job);
	assert_string_equal(yyjson_get_str(member(doc, "outcome")), "running");
	assert_int_equal(yyjson_get_int(member(doc, "exit_code")), -1);
	assert_true(yyjson_is_null(member(doc, "signal")));
	assert_true(yyjson_is_null(member(doc, "usage")));
	assert_true(yyjson_is_null(member(doc, "stdout_sha256")));
	assert_string_equal(yyjson_get_str(member(doc, "stdout")), "out\n");
	assert_string_equal(yyjson_get_str(member(doc, "stderr")), "err\n");
	assert_string_equal(yyjson_get_str(member(doc, "trace_id")), "t1");
	assert_int_equal(yyjson_get_int(member(doc, "timeout_ms")), 50000);
	assert_string_equal(
	    yyjson_get_str(member(doc, "run_id")), writ_job_id(job));
	yyjson_doc_free(doc);
	end(job, &seen);
}

static void
its_object_has_the_keys_of_the_result_to_come(void **state)
{
	writ_request request = shell("seq 1 10000; sleep 60");
	struct seen seen = {0};
	char *json = NULL;
	size_t len = 0, i, count;
	yyjson_val *key, *value;

	(void)state;
	request.output_limit = 1000;
	writ_job *job = start(&request, &seen);
	drive_bytes(job, WRIT_STDOUT, NUMBERS);
	yyjson_doc *before = look(job);
	writ_job_cancel(job, SIGKILL);
	drive(&seen);
	assert_int_equal(
	    writ_result_json(seen.result, &json, &len, NULL), WRIT_OK);
	yyjson_doc *after = yyjson_read(json, len, 0);
	yyjson_obj_foreach(yyjson_doc_get_root(after), i, count, key, value)(
	    void) member(before, yyjson_get_str(key));
	assert_int_equal(yyjson_obj_size(yyjson_doc_get_root(before)), count);
	assert_string_equal(yyjson_get_str(member(before, "stdout")),
	    yyjson_get_str(member(after, "stdout")));
	assert_string_equal(yyjson_get_str(member(before, "stdout_spill")),
	    yyjson_get_str(member(after, "stdout_spill")));
	yyjson_doc_free(before);
	yyjson_doc_free(after);
	free(json);
	writ_result_free(seen.result);
}

static void
look_at_the_end(void *ctx, writ_job *job, writ_result *result)
{
	char *json = NULL;
	size_t len, n = 99;
	char buf[4];

	assert_int_equal(writ_job_json(job, &json, &len, NULL), WRIT_E_INVALID);
	assert_int_equal(
	    writ_job_read(job, WRIT_STDOUT, 0, buf, sizeof(buf), &n), WRIT_OK);
	assert_int_equal(n, 0);
	*(writ_result **)ctx = result;
}

static void
a_run_that_has_ended_is_looked_at_by_its_result(void **state)
{
	writ_request request = shell("echo out");
	writ_result *result = NULL;

	(void)state;
	assert_int_equal(
	    writ_start(engine, &request, look_at_the_end, &result, NULL, NULL),
	    WRIT_OK);
	while (result == NULL)
		dispatch(-1);
	assert_string_equal(result->out[WRIT_STDOUT].head, "out\n");
	writ_result_free(result);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    ENGINE(a_run_that_goes_on_is_read_at_any_offset),
	    ENGINE(what_memory_no_longer_has_is_read_from_the_file),
	    ENGINE(what_is_kept_nowhere_is_not_found),
	    ENGINE(its_object_is_that_of_a_result_as_far_as_it_is_known),
	    ENGINE(its_object_has_the_keys_of_the_result_to_come),
	    ENGINE(a_run_that_has_ended_is_looked_at_by_its_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
