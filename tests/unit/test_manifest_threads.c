/* SPDX-License-Identifier: Apache-2.0 */

/* Two threads of a host, each with an engine and a manifest of its own. */

#include "engine_fixture.h"

#include <pthread.h>

#include <writ/manifest.h>

#define POLICY                                                \
	"version: 1\nsandbox: none\nagents: {manifest: {}}\n" \
	"rules: [{allow: {}}]\n"

enum {
	THREADS = 2,
	ROUNDS = 4,
	RESOURCES = 3
};

struct worker {
	pthread_t thread;
	const char *name;
	size_t changed;
	size_t events;
	char message[320];
};

static void
count_events(void *ctx, const writ_event *event)
{
	struct worker *worker = ctx;

	worker->events += event->changed;
}

static writ_status
apply_once(struct worker *worker, writ_error *err)
{
	static const char text[] =
	    "ccm:\n  resources:\n"
	    "  - exec: {name: '/bin/echo {{ Facts.role }} {{ Facts.os.id }}'}\n"
	    "  - exec: {name: a, command: /bin/true}\n"
	    "  - exec: {name: b, command: /bin/true, refreshonly: true,\n"
	    "      subscribe: ['exec#a']}\n";
	char role[64];
	const char *const facts[] = {role, NULL};
	writ_engine_options with = WRIT_ENGINE_OPTIONS_INIT;
	writ_manifest_options reading = WRIT_MANIFEST_OPTIONS_INIT;
	writ_apply_options options = WRIT_APPLY_OPTIONS_INIT;
	writ_apply_watch watch = WRIT_APPLY_WATCH_INIT;
	writ_apply_result result = {.size = sizeof(result)};
	writ_engine *own = NULL;
	writ_manifest *manifest = NULL;

	(void)snprintf(role, sizeof(role), "role=%s", worker->name);
	with.policy = POLICY;
	with.policy_len = strlen(POLICY);
	reading.facts = facts;
	options.wait_ms = 60000; /* for the other one */
	watch.on_event = count_events;
	watch.ctx = worker;
	writ_status status = writ_engine_new(&with, &own, err);
	if (status == WRIT_OK)
		status = writ_manifest_read(
		    text, sizeof(text) - 1, &reading, &manifest, err);
	if (status == WRIT_OK)
		status = writ_manifest_apply(
		    own, manifest, &options, &watch, &result, err);
	worker->changed += result.changed;
	writ_manifest_free(manifest);
	writ_engine_free(own);
	return status;
}

static void *
work(void *ctx)
{
	struct worker *worker = ctx;

	for (int i = 0; i < ROUNDS; i++) {
		writ_error err = {.status = WRIT_OK};

		if (apply_once(worker, &err) != WRIT_OK) {
			(void)snprintf(worker->message, sizeof(worker->message),
			    "%s", err.message);
			break;
		}
	}
	return NULL;
}

static void
each_thread_applies_with_an_engine_of_its_own(void **state)
{
	struct worker workers[THREADS] = {{.name = "web"}, {.name = "db"}};

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(
		    pthread_create(&workers[i].thread, NULL, work, &workers[i]),
		    0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
		assert_string_equal(workers[i].message, "");
		assert_int_equal(workers[i].changed, ROUNDS * RESOURCES);
		assert_int_equal(workers[i].events, ROUNDS * RESOURCES);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		each_thread_applies_with_an_engine_of_its_own, set_up,
		tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
