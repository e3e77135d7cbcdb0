/* SPDX-License-Identifier: Apache-2.0 */
#include "engine_fixture.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <writ/config.h>

#include <yyjson.h>

#include "engine/config/config_state.h"
#include "engine/recorder/recorder.h"

#define RECORDS_MAX 64

/* The trail of this test: every test has its own. */
static struct {
	yyjson_doc *docs[RECORDS_MAX];
	size_t count;
} trail;

static writ_config *config;
static struct temp place;

static void
forget(void)
{
	while (trail.count > 0)
		yyjson_doc_free(trail.docs[--trail.count]);
}

/* Reads the trail and returns the number of records of a kind. */
static size_t
count_of(const char *kind)
{
	static char line[16384];
	size_t found = 0;
	FILE *file = fopen(temp_path(&place, "audit/trail-000001.jsonl"), "re");

	forget();
	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		yyjson_doc *doc = yyjson_read(line, strlen(line), 0);

		assert_non_null(doc);
		assert_true(trail.count < RECORDS_MAX);
		trail.docs[trail.count++] = doc;
		found +=
		    strcmp(yyjson_get_str(yyjson_doc_ptr_get(doc, "/kind")),
			kind) == 0;
	}
	if (file != NULL)
		(void)fclose(file);
	return found;
}

/* Whether the last record contains a text, after count_of(). */
static const char *
last(const char *pointer)
{
	yyjson_doc *doc = trail.docs[trail.count - 1];
	const char *text = yyjson_get_str(yyjson_doc_ptr_get(doc, pointer));

	return text == NULL ? "(no string)" : text;
}

static void
set(const char *key, const char *value)
{
	assert_int_equal(writ_config_set(config, key, value, NULL), WRIT_OK);
}

static writ_engine *
engine_with(const writ_engine_options *given)
{
	writ_engine_options options = *given;
	writ_engine *made = NULL;

	options.config = config;
	assert_int_equal(writ_engine_new(&options, &made, NULL), WRIT_OK);
	return made;
}

static int
open_place(void **state)
{
	const writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	(void)snprintf(mark, sizeof(mark), "WRIT_TEST_MARK=r%dx", getpid());
	temp_open(&place);
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	set("state_dir", place.path);
	fds_before = count_fds();
	engine = engine_with(&options);
	return 0;
}

static int
close_place(void **state)
{
	(void)state;
	writ_engine_free(engine);
	engine = NULL;
	writ_config_free(config);
	forget();
	bool is_clean = settle_marked(mark, 0) == 0 && !has_child() &&
			count_fds() == fds_before;
	temp_close(&place);
	return is_clean ? 0 : -1;
}

static writ_result *
run_one(writ_engine *with, const char *text)
{
	const writ_request request = shell(text);
	writ_result *result = NULL;
	writ_error err = {0};

	if (writ_run(with, &request, &result, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return result;
}

static void
a_run_has_a_begin_and_an_end(void **state)
{
	writ_result *result = run_one(engine, "echo hi");

	(void)state;
	assert_int_equal(result->begin_seq, 2);
	assert_int_equal(result->end_seq, 3);
	assert_null(result->unrecorded);
	assert_int_equal(count_of("begin"), 1);
	assert_int_equal(count_of("end"), 1);
	assert_string_equal(last("/run"), result->run_id);
	assert_string_equal(last("/outcome"), "exited");
	writ_result_free(result);
}

static void
nothing_is_made_before_the_first_run(void **state)
{
	(void)state;
	assert_false(temp_has(&place, "audit"));
	assert_int_equal(writ_engine_dispatch(engine, 0, NULL), WRIT_OK);
	assert_false(temp_has(&place, "audit"));
}

static void
the_door_is_the_library_unless_said(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	char door[] = "mcp";

	(void)state;
	writ_result_free(run_one(engine, "true"));
	(void)count_of("begin");
	trail.count--;
	assert_string_equal(last("/who/door"), "library");
	trail.count++;
	options.door = door;
	writ_engine *other = engine_with(&options);
	door[0] = 'x';
	writ_result_free(run_one(other, "true"));
	writ_engine_free(other);
	(void)count_of("begin");
	yyjson_doc_free(trail.docs[--trail.count]);
	assert_string_equal(last("/who/door"), "mcp");
}

static void
options_of_an_older_caller_still_count(void **state)
{
	struct {
		size_t size;
		const char *spill_dir;
	} old = {sizeof(old), place.path};
	writ_engine *other = NULL;
	writ_request request = shell("head -c 5000 /dev/zero");
	writ_result *result = NULL;

	(void)state;
	assert_int_equal(
	    writ_engine_new(
		(const writ_engine_options *)(const void *)&old, &other, NULL),
	    WRIT_OK);
	request.output_limit = 100;
	assert_int_equal(writ_run(other, &request, &result, NULL), WRIT_OK);
	assert_int_equal(
	    strncmp(result->out[0].spill_path, place.path, strlen(place.path)),
	    0);
	assert_true(result->end_seq > 0);
	writ_result_free(result);
	writ_engine_free(other);
}

static void
an_engine_without_audit_leaves_no_record(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	options.no_audit = true;
	writ_engine *other = engine_with(&options);
	writ_result *result = run_one(other, "true");
	assert_int_equal(result->begin_seq, 0);
	assert_null(result->unrecorded);
	assert_null(result->recording);
	writ_result_free(result);
	writ_engine_free(other);
	assert_false(temp_has(&place, "audit"));
}

static void
a_failed_start_is_recorded_once(void **state)
{
	const char *const argv[] = {"/no/such/program", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;

	(void)state;
	request.argv = argv;
	assert_int_equal(
	    writ_run(engine, &request, &result, NULL), WRIT_E_NOTFOUND);
	assert_int_equal(count_of("refused"), 1);
	assert_int_equal(trail.count, 2);
	assert_string_equal(last("/error/code"), "not_found");
	request.nice = 99;
	assert_int_equal(
	    writ_run(engine, &request, &result, NULL), WRIT_E_INVALID);
	assert_int_equal(count_of("refused"), 2);
	assert_string_equal(last("/error/stage"), "request");
}

static void
bad_requests_are_recorded_and_crash_nothing(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;

	(void)state;
	request.stdin_kind = WRIT_STDIN_DATA;
	request.stdin_len = 100;
	assert_int_equal(
	    writ_run(engine, &request, &result, NULL), WRIT_E_INVALID);
	request.size = 0;
	assert_int_equal(
	    writ_run(engine, &request, &result, NULL), WRIT_E_INVALID);
	request.size = 100000;
	assert_int_equal(
	    writ_run(engine, &request, &result, NULL), WRIT_E_INVALID);
	assert_int_equal(count_of("refused"), 3);
}

static void
a_run_that_the_engine_takes_along_ends_in_the_record(void **state)
{
	const writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	const writ_request request = shell("sleep 60");
	writ_engine *other = engine_with(&options);

	(void)state;
	assert_int_equal(
	    writ_start(other, &request, on_done, NULL, NULL, NULL), WRIT_OK);
	assert_int_equal(count_of("end"), 0);
	writ_engine_free(other);
	assert_int_equal(count_of("end"), 1);
	assert_string_equal(last("/outcome"), "cancelled");
	assert_string_equal(last("/by"), "engine");
}

static void
a_fork_of_the_host_cannot_write(void **state)
{
	const writ_request request = shell("true");
	int status;

	(void)state;
	writ_result_free(run_one(engine, "true"));
	size_t before = count_of("begin");
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		writ_result *result = NULL;
		writ_error err = {0};
		writ_status got = writ_run(engine, &request, &result, &err);

		_exit(got == WRIT_E_SYSTEM && strcmp(err.stage, "audit") == 0 &&
			      strstr(err.message, "is a fork") != NULL
			  ? 0
			  : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(count_of("begin"), before);
}

/* Puts a regular file where a directory has to be. */
static void
spoil_place(void)
{
	temp_file(&place, "audit", 0600, "in the way");
}

static void
without_a_trail_nothing_runs(void **state)
{
	const writ_request request = shell("true");
	writ_result *result = NULL;
	writ_error err;

	(void)state;
	spoil_place();
	assert_int_equal(
	    writ_run(engine, &request, &result, &err), WRIT_E_SYSTEM);
	assert_string_equal(err.stage, "audit");
	assert_int_equal(
	    strncmp(err.message, "cannot record the run: ", 23), 0);
	assert_non_null(strstr(err.suggestion, "audit_failure=run"));
	assert_null(result);
	/* It is opened as soon as that is possible. */
	assert_int_equal(unlinkat(place.fd, "audit", 0), 0);
	writ_result_free(run_one(engine, "true"));
	assert_int_equal(count_of("end"), 1);
}

static void
without_a_trail_a_run_may_be_allowed(void **state)
{
	const writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	spoil_place();
	set("audit_failure", "run");
	writ_engine *other = engine_with(&options);
	writ_result *result = run_one(other, "echo hi");
	assert_int_equal(result->begin_seq, 0);
	assert_int_equal(result->end_seq, 0);
	assert_non_null(result->unrecorded);
	assert_non_null(strstr(result->unrecorded, "/audit"));
	writ_result_free(result);
	assert_int_equal(unlinkat(place.fd, "audit", 0), 0);
	result = run_one(other, "true");
	assert_null(result->unrecorded);
	assert_true(result->end_seq > 0);
	writ_result_free(result);
	writ_engine_free(other);
}

/* The last record that the head knows to be on disk. */
static uint64_t
synced_now(void)
{
	char text[256] = "";
	struct w_log_head head;
	int fd = openat(place.fd, "audit/head", O_RDONLY | O_CLOEXEC);
	ssize_t len = read(fd, text, sizeof(text) - 1);

	(void)close(fd);
	assert_true(len > 0);
	assert_true(w_log_head_parse(text, (size_t)len, &head));
	return head.synced;
}

/* Dispatches until there is nothing left to do. false: never. */
static bool
comes_to_rest(void)
{
	struct pollfd waits = {.fd = writ_engine_fd(engine), .events = POLLIN};

	for (int i = 0; i < 200; i++) {
		if (poll(&waits, 1, 60) == 0)
			return true;
		dispatch(0);
	}
	return false;
}

static uint64_t
run_to_rest(void)
{
	writ_result *result = run_one(engine, "true");
	const uint64_t seq = result->end_seq;

	writ_result_free(result);
	assert_true(comes_to_rest());
	return seq;
}

static void
a_batch_reaches_the_disk_while_the_loop_turns(void **state)
{
	(void)state;
	uint64_t seq = run_to_rest();
	assert_true(synced_now() >= seq);
	/* From the second run on it is synced in the background, and noticed
	 * with the next record. */
	for (int i = 0; i < 3; i++) {
		uint64_t next = run_to_rest();

		assert_true(synced_now() >= seq);
		seq = next;
	}
}

static void
with_durability_none_nothing_is_synced(void **state)
{
	const writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	set("audit_durability", "none");
	writ_engine_free(engine);
	engine = engine_with(&options);
	for (int i = 0; i < 3; i++)
		(void)run_to_rest();
	assert_int_equal(synced_now(), 0);
}

static void
secrets_stay_out_of_what_a_library_records(void **state)
{
	const char *const argv[] = {
	    "echo", "s3cret-value", "t0ken-value", NULL};
	const char *const secrets[] = {"s3cret-value", NULL};
	const char *const env[] = {"MY_TOKEN=t0ken-value", NULL};
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;

	(void)state;
	request.argv = argv;
	request.secrets = secrets;
	request.env = env;
	assert_int_equal(writ_run(engine, &request, &result, NULL), WRIT_OK);
	writ_result_free(result);
	assert_int_equal(count_of("begin"), 1);
	yyjson_doc_free(trail.docs[--trail.count]);
	assert_string_equal(last("/argv/0"), "echo");
	assert_string_equal(last("/argv/1"), W_REDACTED);
	assert_string_equal(last("/argv/2"), W_REDACTED);
}

static size_t
count_outputs(void)
{
	size_t count = 0;
	DIR *dir = opendir(temp_path(&place, "outputs"));

	for (struct dirent *entry;
	     dir != NULL && (entry = readdir(dir)) != NULL;)
		count += entry->d_name[0] != '.';
	if (dir != NULL)
		(void)closedir(dir);
	return count;
}

/* As if it had been done two hours ago. */
static void
age_stamp(void)
{
	const struct timespec times[2] = {
	    {.tv_sec = time(NULL) - 7200}, {.tv_sec = time(NULL) - 7200}};

	assert_int_equal(utimensat(place.fd, "audit/pruned", times, 0), 0);
}

static void
outputs_beyond_their_size_go_when_an_engine_ends(void **state)
{
	const writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	set("outputs_size", "1B");
	writ_engine *other = engine_with(&options);
	writ_result_free(run_one(other, "echo one"));
	writ_engine_free(other);
	other = engine_with(&options);
	writ_result_free(run_one(other, "echo two"));
	assert_true(count_outputs() >= 1);
	age_stamp();
	writ_engine_free(other);
	assert_int_equal(count_outputs(), 0);
	assert_int_equal(count_of("prune"), 2);
}

static void
many_runs_at_once_have_their_own_records(void **state)
{
	const writ_request request = shell("true");
	struct seen seen[8] = {0};

	(void)state;
	for (int i = 0; i < 8; i++)
		(void)start(&request, &seen[i]);
	for (int i = 0; i < 8; i++) {
		drive(&seen[i]);
		assert_true(seen[i].result->begin_seq > 0);
		assert_true(
		    seen[i].result->end_seq > seen[i].result->begin_seq);
		writ_result_free(seen[i].result);
	}
	assert_int_equal(count_of("begin"), 8);
	assert_int_equal(count_of("end"), 8);
}

#define TEST(test) \
	cmocka_unit_test_setup_teardown(test, open_place, close_place)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_run_has_a_begin_and_an_end),
	    TEST(nothing_is_made_before_the_first_run),
	    TEST(the_door_is_the_library_unless_said),
	    TEST(options_of_an_older_caller_still_count),
	    TEST(an_engine_without_audit_leaves_no_record),
	    TEST(a_failed_start_is_recorded_once),
	    TEST(bad_requests_are_recorded_and_crash_nothing),
	    TEST(a_run_that_the_engine_takes_along_ends_in_the_record),
	    TEST(a_fork_of_the_host_cannot_write),
	    TEST(without_a_trail_nothing_runs),
	    TEST(without_a_trail_a_run_may_be_allowed),
	    TEST(a_batch_reaches_the_disk_while_the_loop_turns),
	    TEST(with_durability_none_nothing_is_synced),
	    TEST(secrets_stay_out_of_what_a_library_records),
	    TEST(outputs_beyond_their_size_go_when_an_engine_ends),
	    TEST(many_runs_at_once_have_their_own_records),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
