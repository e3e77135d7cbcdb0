/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/sampling.h"
#include "aftermath.h"
#include "run/streams/capture.h"

/*
 * Every allocation fails once: of an engine, of a request in JSON, of a run,
 * of its result in JSON, and of the engine's end. What leaks is found by the
 * address sanitizer, in a build that has it. WRIT_FAULT_FULL=1 takes every
 * scene.
 */

static const struct scene {
	const char *name;
	const char *tree;
	const char *sandbox;
	int runs; /* of one engine; from the second on inits stand ready */
	bool is_long;
} scenes[] = {
    {"auto", "auto", "none", 1, false},
    {"cgroup", "cgroup", "none", 1, false},
    {"pidns", "pidns", "none", 1, false},
    {"keeper", "keeper", "none", 1, false},
    {"caller", "caller", "none", 1, false},
    {"readonly", "auto", "readonly", 3, true},
    {"workspace", "auto", "workspace", 3, false},
    {"bare inits", "pidns", "none", 3, false},
};

static int own_group = -1;

static int
set_up(void **state)
{
	const struct sigaction action = {.sa_handler = on_alarm};

	(void)state;
	(void)sigaction(SIGALRM, &action, NULL);
	(void)snprintf(mark, sizeof(mark), "WRIT_TEST_MARK=a%dx", getpid());
	own_group = enter_own_group();
	temp_open(&temp);
	/* What a run may write is looked through after it. */
	assert_int_equal(chdir(temp.path), 0);
	fds_before = count_fds();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	assert_int_equal(chdir("/"), 0);
	temp_close(&temp);
	leave_own_group(own_group);
	return 0;
}

/* A request with something of everything. stdin is larger than a pipe. */
static char *
request_text(const struct scene *scene, size_t *out_len)
{
	enum {
		INPUT = 100000
	};
	char *text = malloc(INPUT + 2000);

	assert_non_null(text);
	int len = snprintf(text, 2000,
	    "{\"shell\":\"wc -c; seq 1 3000; echo err >&2; exit 7\","
	    "\"cwd\":\"%s\",\"roots\":[\"%s\",\"/\"],\"env\":{\"A\":\"1\","
	    "\"WRIT_TEST_MARK\":\"%s\"},\"env_pass\":[\"LC_*\"],"
	    "\"env_mode\":\"isolated\",\"trace_id\":\"trace\","
	    "\"output_limit\":1000,\"memory\":4000000000,"
	    "\"timeout_ms\":60000,\"tree\":\"%s\",\"sandbox\":\"%s\","
	    "\"stdin\":\"",
	    temp.path, temp.path, strchr(mark, '=') + 1, scene->tree,
	    scene->sandbox);
	memset(text + len, 'x', INPUT);
	memcpy(text + len + INPUT, "\"}", 3);
	*out_len = (size_t)len + INPUT + 2;
	return text;
}

static void
check_output(const writ_output *out)
{
	/* "100000\n" and the numbers from 1 to 3000. */
	enum {
		BYTES = 7 + 13893
	};

	if (out->bytes > BYTES || (!out->truncated && out->bytes != BYTES))
		find("the output has a wrong length");
	if (out->head_len >= 11 && memcmp(out->head, "100000\n1\n2\n", 11) != 0)
		find("the output has a wrong head");
	if (out->tail_len >= 5 && out->bytes == BYTES &&
	    memcmp(out->tail + out->tail_len - 5, "3000\n", 5) != 0)
		find("the output has a wrong tail");
	if (out->bytes < BYTES)
		find("output is missing");
}

static void
check_result(const writ_result *result)
{
	if (result->outcome != WRIT_EXITED || !result->status_known ||
	    result->exit_code != 7)
		find("the result has a wrong ending");
	check_output(&result->out[WRIT_STDOUT]);
	if (!result->out[WRIT_STDERR].truncated &&
	    strcmp(result->out[WRIT_STDERR].head, "err\n") != 0)
		find("the result has a wrong stderr");
	if (result->trace_id == NULL || strcmp(result->trace_id, "trace") != 0)
		find("the result has a wrong trace id");
}

/* From a request to the JSON of its result. */
static writ_status
run_text(writ_engine *engine, const char *text, size_t len, writ_error *err)
{
	writ_draft *draft = NULL;
	writ_result *result = NULL;
	char *json = NULL;
	size_t json_len;

	writ_status status = writ_draft_new(&draft, err);
	if (status == WRIT_OK)
		status = writ_draft_read_json(draft, text, len, err);
	if (status == WRIT_OK)
		status =
		    writ_run(engine, writ_draft_request(draft), &result, err);
	if (status == WRIT_OK) {
		check_result(result);
		status = writ_result_json(result, &json, &json_len, err);
	}
	if (status == WRIT_OK && strstr(json, "\"exit_code\":7") == NULL)
		find("the JSON is not that of the result");
	free(json);
	writ_result_free(result);
	writ_draft_free(draft);
	return status;
}

static writ_status
do_everything(const char *text, size_t len, int runs, writ_error *err)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	writ_engine *engine = NULL;

	options.spill_dir = temp.path;
	writ_status status = writ_engine_new(&options, &engine, err);
	while (runs-- > 0 && status == WRIT_OK)
		status = run_text(engine, text, len, err);
	writ_engine_free(engine);
	return status;
}

/* false: there is no such hold here, or no call was left to refuse. */
static bool
try_nth(const struct scene *scene, unsigned nth)
{
	writ_error err = {0};
	size_t len;
	char *text = request_text(scene, &len);

	trial.nth = nth;
	(void)alarm(60);
	inject_arm("allocation", nth, 1, ENOMEM);
	writ_status status = do_everything(text, len, scene->runs, &err);
	bool was_hit = inject_disarm();
	(void)alarm(0);
	free(text);
	if (status != WRIT_OK)
		check_error(status, &err);
	if (status != WRIT_OK && !was_hit && status != WRIT_E_SANDBOX)
		find("it failed although nothing was refused");
	if (was_hit && status != WRIT_OK && status != WRIT_E_NOMEM &&
	    status != WRIT_E_SYSTEM && status != WRIT_E_SANDBOX) {
		find("the error blames something else:");
		(void)fprintf(stderr, "    %s\n", err.message);
	}
	check_nothing_left(own_group);
	return was_hit;
}

static void
every_allocation_fails_once(void **state)
{
	(void)state;
	findings = 0;
	trial.function = "allocation";
	trial.error = ENOMEM;
	for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++) {
		unsigned nth = 1 + sample_begin();

		if (scenes[i].is_long && getenv("WRIT_FAULT_FULL") == NULL)
			continue;
		trial.scene = scenes[i].name;
		while (try_nth(&scenes[i], nth))
			nth += sample_step();
		/* An engine and a draft alone need more than these. */
		(void)fprintf(
		    stderr, "%s: %u allocations\n", trial.scene, nth - 1);
		assert_true(nth > 10);
	}
	assert_int_equal(findings, 0);
}

static void
bad_requests_without_memory_stay_errors(void **state)
{
	static const char text[] =
	    "{\"argv\":[\"true\"],\"env\":{\"A\":\"1\"},\"tiemout_ms\":5}";
	bool was_hit = true;

	(void)state;
	for (unsigned nth = 1; was_hit; nth++) {
		writ_draft *draft = NULL;
		writ_error err = {0};

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = writ_draft_new(&draft, &err);
		if (status == WRIT_OK)
			status = writ_draft_read_json(
			    draft, text, sizeof(text) - 1, &err);
		was_hit = inject_disarm();
		assert_true(status == WRIT_E_NOMEM || status == WRIT_E_INVALID);
		assert_true(err.message[0] != '\0');
		writ_draft_free(draft);
	}
}

/* ---- what is kept of a stream when memory is short ---- */

enum {
	STREAM = 20000
};

static char stream[STREAM];

static void
capture_with_failures(size_t limit, unsigned first, unsigned count)
{
	struct w_capture capture;
	writ_output out = {0};
	size_t at = 0;

	w_capture_init(&capture, limit);
	inject_arm("allocation", first, count, ENOMEM);
	while (at < STREAM) {
		size_t len = (size_t)random() % 900 + 1;

		len = len < STREAM - at ? len : STREAM - at;
		w_capture_add(&capture, stream + at, len);
		at += len;
	}
	(void)inject_disarm();
	assert_true(w_capture_take(&capture, &out));
	assert_int_equal(out.bytes, STREAM);
	assert_int_equal(out.truncated, out.head_len + out.tail_len < STREAM);
	assert_memory_equal(out.head, stream, out.head_len);
	assert_memory_equal(
	    out.tail, stream + STREAM - out.tail_len, out.tail_len);
	union {
		const char *borrowed;
		char *owned;
	} head = {out.head}, tail = {out.tail};
	free(head.owned);
	free(tail.owned);
	w_capture_done(&capture);
}

static void
what_is_kept_without_memory_is_still_head_and_tail(void **state)
{
	static const size_t limits[] = {1, 3, 100, 5000, STREAM, 3 * STREAM};

	(void)state;
	for (size_t i = 0; i < STREAM; i++)
		stream[i] = (char)random();
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		for (unsigned first = 1; first < 12; first++) {
			for (unsigned count = 1; count < 5; count++)
				capture_with_failures(limits[i], first, count);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_allocation_fails_once),
	    cmocka_unit_test(bad_requests_without_memory_stay_errors),
	    cmocka_unit_test(
		what_is_kept_without_memory_is_still_head_and_tail),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
