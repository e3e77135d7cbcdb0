/* SPDX-License-Identifier: Apache-2.0 */

/* <writ/manifest.h>: applies that a host starts, their sessions, and what a
 * host does wrong. */

#include "manifest_host.h"

#include <sys/wait.h>
#include <unistd.h>

/* ---- a document ---- */

static void
a_document_is_applied_and_its_session_kept(void **state)
{
	static const char text[] =
	    "ccm:\n"
	    "  resources:\n"
	    "  - exec: {name: a, command: /bin/echo hello, logoutput: true}\n"
	    "  - exec: {name: b, command: /bin/false}\n"
	    "  - exec: {name: c, command: /bin/true, refreshonly: true,\n"
	    "      subscribe: ['exec#a']}\n"
	    "  - exec: {name: d, command: /bin/true, require: ['exec#b']}\n";
	writ_manifest *manifest = read_good(text);
	writ_apply_options options = standard();
	writ_apply_watch watch = watching();
	writ_apply_result result = {.size = sizeof(result)};
	writ_apply_summary summary = {.size = sizeof(summary)};
	writ_apply *apply = NULL;
	char *json = NULL;
	size_t len;

	(void)state;
	assert_int_equal(
	    writ_apply_open(manifest, &options, &apply, NULL), WRIT_OK);
	assert_int_equal(writ_apply_done(apply), 0);
	assert_non_null(strstr(writ_apply_dir(apply), temp.path));
	assert_non_null(
	    strstr(writ_apply_dir(apply), writ_apply_session(apply)));
	assert_null(writ_apply_note(apply));
	assert_int_equal(
	    writ_apply_run(apply, engine, &watch, &result, NULL), WRIT_OK);
	assert_int_equal(seen.count, 4);
	assert_int_equal(seen.begun, 4);
	assert_string_equal(seen.ids[0], "exec#a");
	assert_string_equal(seen.output, "hello\n");
	assert_int_equal(seen.verdicts[0], WRIT_VERDICT_CHANGED);
	assert_int_equal(seen.verdicts[1], WRIT_VERDICT_FAILED);
	assert_int_equal(seen.verdicts[2], WRIT_VERDICT_REFRESHED);
	assert_string_equal(seen.decided[2], "subscribe exec#a");
	assert_int_equal(seen.verdicts[3], WRIT_VERDICT_UNMET);
	assert_int_equal(result.events, 4);
	assert_int_equal(result.failed, 1);
	assert_int_equal(writ_apply_summarize(apply, &summary, NULL), WRIT_OK);
	assert_int_equal(summary.total, 4);
	assert_int_equal(summary.unmet, 1);
	assert_int_equal(writ_apply_json(apply, &json, &len, NULL), WRIT_OK);
	assert_int_equal(strlen(json), len);
	assert_non_null(strstr(json, "\"total_resources\":4"));
	free(json);
	/* Once. */
	assert_int_equal(
	    writ_apply_run(apply, engine, NULL, NULL, NULL), WRIT_E_INVALID);
	writ_apply_free(apply);
	writ_manifest_free(manifest);
	writ_apply_free(NULL);
	writ_manifest_free(NULL);
}

static bool
stop(void *ctx)
{
	(void)ctx;
	return seen.begun == 2;
}

static void
an_apply_that_was_stopped_is_resumed(void **state)
{
	char made[1024];
	writ_manifest *manifest;
	writ_apply_options options = standard();
	writ_apply_watch watch = watching();
	writ_apply_result result = {.size = sizeof(result)};
	writ_apply *apply = NULL;
	char name[64];
	writ_error err;

	(void)state;
	(void)snprintf(made, sizeof(made),
	    "ccm:\n  resources:\n"
	    "  - exec: {name: a, command: /bin/true}\n"
	    "  - exec: {name: b, command: /bin/sleep 600, creates: %s/w}\n"
	    "  - exec: {name: c, command: /bin/true}\n",
	    temp.path);
	manifest = read_good(made);
	watch.on_wake = stop;
	watch.tick_ms = 5;
	assert_int_equal(
	    writ_apply_open(manifest, &options, &apply, NULL), WRIT_OK);
	(void)snprintf(name, sizeof(name), "%s", writ_apply_session(apply));
	assert_int_equal(
	    writ_apply_run(apply, engine, &watch, &result, NULL), WRIT_OK);
	assert_true(result.interrupted);
	assert_int_equal(seen.count, 2);
	writ_apply_free(apply);

	options.resume = name;
	options.noop = true;
	refuse_apply(manifest, &options, WRIT_E_INVALID, "noop");
	options.noop = false;
	assert_int_equal(close(open(temp_path(&temp, "w"),
			     O_WRONLY | O_CREAT | O_CLOEXEC, 0600)),
	    0);
	watch = watching();
	assert_int_equal(
	    writ_apply_open(manifest, &options, &apply, &err), WRIT_OK);
	assert_int_equal(writ_apply_done(apply), 1);
	assert_int_equal(
	    writ_apply_run(apply, engine, &watch, &result, &err), WRIT_OK);
	assert_int_equal(seen.count, 2);
	assert_string_equal(seen.ids[0], "exec#b");
	assert_string_equal(seen.ids[1], "exec#c");
	writ_apply_free(apply);

	options.resume = "no-such-session";
	refuse_apply(manifest, &options, WRIT_E_NOTFOUND, "no-such-session");
	writ_manifest_free(manifest);
}

static size_t debts;

static void
count_debt(void *ctx, const writ_apply_debt *debt)
{
	(void)ctx;
	assert_string_equal(debt->subject, "exec#a");
	assert_string_equal(debt->subscriber, "exec#b");
	debts++;
}

static void
a_refresh_stays_owed_until_it_has_succeeded(void **state)
{
	char text[1024];
	writ_manifest_options reading = WRIT_MANIFEST_OPTIONS_INIT;
	writ_apply_options options = standard();
	writ_manifest *manifest = NULL;
	writ_apply *apply = NULL;

	(void)state;
	(void)snprintf(text, sizeof(text),
	    "ccm:\n  resources:\n"
	    "  - exec: {name: a, command: /bin/true, creates: %s/c}\n"
	    "  - exec: {name: b, command: /usr/bin/test -e %s/c,\n"
	    "      refreshonly: true, subscribe: ['exec#a']}\n",
	    temp.path, temp.path);
	reading.file = "site.yaml";
	reading.dir = temp.path;
	assert_int_equal(
	    writ_manifest_read(text, strlen(text), &reading, &manifest, NULL),
	    WRIT_OK);
	for (int i = 0; i < 2; i++) {
		debts = 0;
		assert_int_equal(
		    writ_apply_open(manifest, &options, &apply, NULL), WRIT_OK);
		assert_int_equal(
		    writ_apply_run(apply, engine, NULL, NULL, NULL), WRIT_OK);
		writ_apply_debts(apply, count_debt, NULL);
		assert_int_equal(debts, i == 0);
		writ_apply_free(apply);
		assert_int_equal(close(open(temp_path(&temp, "c"),
				     O_WRONLY | O_CREAT | O_CLOEXEC, 0600)),
		    0);
	}
	writ_manifest_free(manifest);
}

/* ---- what a host does wrong ---- */

static void
options_that_exclude_each_other_are_told(void **state)
{
	writ_manifest *manifest =
	    read_good("ccm: {resources: [{exec: {name: /bin/true}}]}\n");
	writ_apply_options options = standard();
	static const char *const only[] = {"exec#nothing", NULL};
	writ_error err;

	(void)state;
	options.noop = options.health_only = true;
	refuse_apply(manifest, &options, WRIT_E_INVALID, "exclude");
	options.noop = options.health_only = false;
	options.session = "a";
	options.resume = "b";
	refuse_apply(manifest, &options, WRIT_E_INVALID, "exclude");
	options.resume = NULL;
	options.in_memory = true;
	refuse_apply(manifest, &options, WRIT_E_INVALID, "session");
	options.in_memory = false;
	options.session = "";
	refuse_apply(manifest, &options, WRIT_E_INVALID, "directory");
	options.session = NULL;
	options.caller = (writ_caller)7;
	refuse_apply(manifest, &options, WRIT_E_INVALID, "trusted");
	options = standard();
	options.only = only;
	assert_int_equal(
	    writ_manifest_apply(engine, manifest, &options, NULL, NULL, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "exec#nothing"));
	writ_manifest_free(manifest);
}

struct nested {
	writ_manifest *manifest;
	size_t runs;
};

static void
start_others(void *ctx, const writ_event *event)
{
	static const char *const argv[] = {"/bin/true", NULL};
	struct nested *nested = ctx;
	writ_request request = WRIT_REQUEST_INIT;
	writ_apply_options options = standard();
	writ_result *result = NULL;
	writ_error err = {.status = WRIT_OK};

	(void)event;
	request.argv = argv;
	assert_int_equal(writ_run(engine, &request, &result, &err), WRIT_OK);
	assert_int_equal(result->exit_code, 0);
	writ_result_free(result);
	/* One that changes the same state waits for this one, or fails. */
	assert_int_equal(writ_manifest_apply(engine, nested->manifest, &options,
			     NULL, NULL, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "another apply"));
	options.in_memory = true;
	apply_good(nested->manifest, &options, NULL, NULL);
	nested->runs++;
}

static void
callbacks_may_run_commands_and_other_applies(void **state)
{
	writ_manifest *manifest =
	    read_good("ccm: {resources: [{exec: [{a: {command: /bin/true}}, "
		      "{b: {command: /bin/true}}]}]}\n");
	struct nested nested = {
	    .manifest =
		read_good("ccm: {resources: [{exec: {name: /bin/true}}]}\n")};
	writ_apply_options options = standard();
	writ_apply_watch watch = WRIT_APPLY_WATCH_INIT;
	writ_apply_result result = {.size = sizeof(result)};

	(void)state;
	watch.on_event = start_others;
	watch.ctx = &nested;
	apply_good(manifest, &options, &watch, &result);
	assert_int_equal(nested.runs, 2);
	assert_int_equal(result.changed, 2);
	writ_manifest_free(manifest);
	writ_manifest_free(nested.manifest);
}

static void
go_elsewhere(void *ctx, const writ_event *event)
{
	(void)event;
	assert_int_equal(chdir(ctx), 0);
}

static void
the_host_may_change_its_directory(void **state)
{
	static const char text[] =
	    "ccm:\n  resources:\n"
	    "  - exec: {name: a, command: /bin/true}\n"
	    "  - file: {name: %s/b, ensure: present, source: src}\n";
	writ_manifest_options reading = WRIT_MANIFEST_OPTIONS_INIT;
	writ_apply_options options = standard();
	writ_apply_watch watch = WRIT_APPLY_WATCH_INIT;
	writ_apply_result result = {.size = sizeof(result)};
	writ_manifest *manifest = NULL;
	const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char filled[1024];
	char elsewhere[] = "/";

	(void)state;
	(void)snprintf(filled, sizeof(filled), text, temp.path);
	FILE *file = fopen(temp_path(&temp, "src"), "w");
	assert_non_null(file);
	assert_true(fputs("x", file) >= 0 && fclose(file) == 0);
	assert_int_equal(chdir(temp.path), 0);
	reading.dir = ".";
	assert_int_equal(writ_manifest_read(
			     filled, strlen(filled), &reading, &manifest, NULL),
	    WRIT_OK);
	assert_string_equal(writ_manifest_dir(manifest), temp.path);
	options.session = "session";
	watch.on_event = go_elsewhere;
	watch.ctx = elsewhere;
	apply_good(manifest, &options, &watch, &result);
	assert_int_equal(result.failed, 0);
	assert_int_equal(access(temp_path(&temp, "b"), F_OK), 0);
	assert_int_equal(access(temp_path(&temp, "session"), F_OK), 0);
	writ_manifest_free(manifest);
	assert_int_equal(fchdir(here), 0);
	assert_int_equal(close(here), 0);
}

/* In a child, whose exit status says what happened: 0 is an error in words. */
static int
run_in_child(void (*before)(void))
{
	const pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		writ_engine_options with = WRIT_ENGINE_OPTIONS_INIT;
		writ_apply_options options = standard();
		writ_manifest *manifest = NULL;
		writ_engine *own = NULL;
		writ_apply *apply = NULL;
		writ_error err = {.status = WRIT_OK};
		static const char text[] =
		    "ccm: {resources: [{exec: {name: /bin/true}}]}\n";

		with.config = config;
		with.policy = POLICY;
		with.policy_len = strlen(POLICY);
		if (writ_engine_new(&with, &own, &err) != WRIT_OK ||
		    writ_manifest_read(
			text, strlen(text), NULL, &manifest, &err) != WRIT_OK ||
		    writ_apply_open(manifest, &options, &apply, &err) !=
			WRIT_OK)
			_exit(2);
		before();
		const writ_status status =
		    writ_apply_run(apply, own, NULL, NULL, &err);
		_exit(status < 0 && err.message[0] != '\0' ? 0 : 3);
	}
	int ended;
	assert_int_equal(waitpid(pid, &ended, 0), pid);
	return ended;
}

static void
close_all(void)
{
	(void)close_range(3, ~0U, 0);
}

static void
descriptors_that_the_host_closed_are_an_error(void **state)
{
	(void)state;
	assert_int_equal(run_in_child(close_all), 0);
}

static void
a_fork_does_not_apply_what_its_parent_opened(void **state)
{
	writ_manifest *manifest =
	    read_good("ccm: {resources: [{exec: {name: /bin/true}}]}\n");
	writ_apply_options options = standard();
	writ_apply_result result = {.size = sizeof(result)};
	writ_apply *apply = NULL;
	int ended;

	(void)state;
	assert_int_equal(
	    writ_apply_open(manifest, &options, &apply, NULL), WRIT_OK);
	const pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		writ_error err = {.status = WRIT_OK};

		if (writ_apply_run(apply, engine, NULL, NULL, &err) !=
			WRIT_E_INVALID ||
		    strstr(err.message, "fork") == NULL)
			_exit(1);
		writ_apply_free(apply);
		writ_manifest_free(manifest);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &ended, 0), pid);
	assert_int_equal(ended, 0);
	assert_int_equal(
	    writ_apply_run(apply, engine, NULL, &result, NULL), WRIT_OK);
	assert_int_equal(result.changed, 1);
	writ_apply_free(apply);
	writ_manifest_free(manifest);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    LIBRARY(a_document_is_applied_and_its_session_kept),
	    LIBRARY(an_apply_that_was_stopped_is_resumed),
	    LIBRARY(a_refresh_stays_owed_until_it_has_succeeded),
	    LIBRARY(options_that_exclude_each_other_are_told),
	    LIBRARY(callbacks_may_run_commands_and_other_applies),
	    LIBRARY(the_host_may_change_its_directory),
	    LIBRARY(descriptors_that_the_host_closed_are_an_error),
	    LIBRARY(a_fork_does_not_apply_what_its_parent_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
