/* SPDX-License-Identifier: Apache-2.0 */

/* The end of a step: recorded, then shown. */

#include "applying.h"
#include "base/auto.h"

static struct w_last_event past;
static bool was_there;

/* An event that is shown is already in the session. */
static void
on_event(void *ctx, const writ_event *event)
{
	applying_on_event(ctx, event);
	was_there = w_manifest_session_has(applying.session, event->index) &&
		    w_manifest_session_last(
			applying.session, event->type, event->name, &past);
}

static void
an_event_is_recorded_before_it_is_shown(void **state)
{
	(void)state;
	applying.watch.on_event = on_event;
	apply(RESOURCES("  - exec: {name: /bin/false}\n"));
	assert_true(was_there);
	assert_true(past.failed);
}

static void
the_session_has_what_was_shown(void **state)
{
	writ_apply_summary summary;

	(void)state;
	apply(RESOURCES("  - exec: {name: /bin/false}\n"
			"  - exec: {name: /bin/true}\n"
			"  - exec: {name: a, command: /bin/true, refreshonly: "
			"true}\n"));
	w_manifest_session_summary(applying.session, &summary);
	assert_int_equal(summary.total, 3);
	assert_int_equal(summary.failed, 1);
	assert_int_equal(summary.changed, 1);
	assert_int_equal(summary.stable, 1);
}

static void
events_of_an_apply_that_nobody_watches_are_recorded(void **state)
{
	(void)state;
	applying.watch = (struct w_apply_watch){.wake_fd = -1, .tick_ms = -1};
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, logoutput: true, command: "
	    "'echo x'}\n"));
	assert_true(w_manifest_session_has(applying.session, 0));
}

/* ---- events that are recorded together ---- */

static struct w_buf told;

static void
tell_begin(void *ctx, const char *type, const char *name)
{
	(void)ctx;
	assert_string_equal(type, "exec");
	w_buf_add_fmt(&told, "begin %s, ", name);
}

static void
tell_output(void *ctx, writ_stream stream, const char *bytes, size_t len)
{
	(void)ctx;
	(void)stream;
	w_buf_add_fmt(&told, "output %.*s, ", (int)len, bytes);
}

static void
tell_event(void *ctx, const writ_event *event)
{
	(void)ctx;
	assert_memory_equal(event->json, "{", 1);
	assert_int_equal(event->json[event->json_len - 1], '}');
	w_buf_add_fmt(&told, "end %s, ", event->name);
}

static void
resources_begin_and_end_one_after_the_other(void **state)
{
	(void)state;
	w_buf_init(&told, 1 << 20);
	applying.watch.on_begin = tell_begin;
	applying.watch.on_output = tell_output;
	applying.watch.on_event = tell_event;
	apply(RESOURCES(
	    "  - exec: {name: a, command: /bin/false, creates: /}\n"
	    "  - exec: {name: b, command: /bin/false, creates: /}\n"
	    "  - exec: {name: c, provider: shell, command: 'printf x',\n"
	    "      logoutput: true}\n"
	    "  - exec: {name: d, command: /bin/false, creates: /}\n"
	    "  - exec: {name: e, command: /bin/false}\n"
	    "  - exec: {name: f, command: /bin/false, creates: /}\n"));
	assert_string_equal(told.data,
	    "begin a, end a, begin b, end b, begin c, output x, end c, "
	    "begin d, end d, begin e, end e, begin f, end f, ");
	w_buf_done(&told);
}

static char *log_path;
static size_t shown_count;

/* It is in the file already, and so is what was shown before. */
static void
find_in_log(void *ctx, const writ_event *event)
{
	char name[32];
	char line[4096];
	bool is_there = false;
	FILE *log = fopen(log_path, "re");

	(void)ctx;
	assert_non_null(log);
	while (!is_there && fgets(line, sizeof(line), log) != NULL)
		is_there = strstr(line, event->id) != NULL;
	(void)fclose(log);
	assert_true(is_there);
	(void)snprintf(name, sizeof(name), "r%zu", shown_count++);
	assert_string_equal(event->name, name);
}

static void
events_that_wait_for_each_other_are_in_the_log_first(void **state)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_FREE char *dir = NULL;
	const struct w_manifest_session_start start = {
	    .manifest = "m.yaml", .resources = 200};
	writ_apply_summary summary;

	(void)state;
	assert_true(asprintf(&dir, "%s/s", applying.temp.path) > 0);
	assert_true(asprintf(&log_path, "%s/session-000001.jsonl", dir) > 0);
	const struct w_manifest_session_options options = {
	    .dir = dir, .is_alone = true};
	w_manifest_session_free(applying.session);
	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(
	    w_manifest_session_open(&options, &applying.session, NULL),
	    WRIT_OK);
	assert_int_equal(
	    w_manifest_session_begin(applying.session, &start, NULL), WRIT_OK);
	w_buf_init(&text, 1 << 20);
	for (unsigned i = 0; i < 200; i++)
		w_buf_add_fmt(&text,
		    "  - exec: {name: r%u, command: /bin/true, %s}\n", i,
		    i == 150 ? "refreshonly: true" : "creates: /");
	shown_count = 0;
	applying.watch.on_event = find_in_log;
	char *whole = NULL;
	assert_true(asprintf(&whole, RESOURCES("%s"), text.data) > 0);
	apply(whole);
	free(whole);
	free(log_path);
	assert_int_equal(shown_count, 200);
	w_manifest_session_summary(applying.session, &summary);
	assert_int_equal(summary.stable, 200);
	/* Whoever opens it again finds them all. */
	w_manifest_session_free(applying.session);
	assert_int_equal(
	    w_manifest_session_open(&options, &applying.session, NULL),
	    WRIT_OK);
	for (size_t i = 0; i < 200; i++)
		assert_true(w_manifest_session_has(applying.session, i));
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(an_event_is_recorded_before_it_is_shown),
	    TEST(the_session_has_what_was_shown),
	    TEST(events_of_an_apply_that_nobody_watches_are_recorded),
	    TEST(resources_begin_and_end_one_after_the_other),
	    TEST(events_that_wait_for_each_other_are_in_the_log_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
