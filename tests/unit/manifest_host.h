/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_MANIFEST_HOST_H
#define TESTS_MANIFEST_HOST_H

/* A host of <writ/manifest.h>: an engine and a state directory for each test,
 * and what its callbacks were told. */

#include "engine_fixture.h"

#include <writ/manifest.h>

#define POLICY                                                \
	"version: 1\nsandbox: none\nagents: {manifest: {}}\n" \
	"rules: [{allow: {}}]\n"

static struct shown {
	size_t count;
	char ids[16][160];
	char decided[16][160];
	writ_verdict verdicts[16];
	bool noop;
	char status[512];
	char output[512];
	size_t begun;
} seen;

static inline void
keep_event(void *ctx, const writ_event *event)
{
	(void)ctx;
	assert_int_equal(event->size, sizeof(*event));
	assert_true(seen.count < 16);
	(void)snprintf(seen.ids[seen.count], sizeof(seen.ids[0]), "%s#%s",
	    event->type, event->name);
	(void)snprintf(seen.decided[seen.count], sizeof(seen.decided[0]), "%s",
	    event->decided_by == NULL ? "" : event->decided_by);
	(void)snprintf(seen.status, sizeof(seen.status), "%s",
	    event->status == NULL ? "" : event->status);
	seen.verdicts[seen.count++] = writ_event_verdict(event);
	seen.noop = event->noop;
	assert_int_equal(strlen(event->json), event->json_len);
	assert_non_null(strstr(event->json, "transaction.event"));
}

static inline void
keep_begin(void *ctx, const char *type, const char *name)
{
	(void)ctx;
	assert_non_null(type);
	assert_non_null(name);
	seen.begun++;
}

static inline void
keep_output(void *ctx, writ_stream stream, const char *bytes, size_t len)
{
	const size_t at = strlen(seen.output);

	(void)ctx;
	assert_int_equal(stream, WRIT_STDOUT);
	assert_true(at + len < sizeof(seen.output));
	memcpy(seen.output + at, bytes, len);
}

static inline writ_apply_watch
watching(void)
{
	writ_apply_watch watch = WRIT_APPLY_WATCH_INIT;

	seen = (struct shown){.count = 0};
	watch.on_begin = keep_begin;
	watch.on_output = keep_output;
	watch.on_event = keep_event;
	return watch;
}

/* Each test has a state directory and an engine of its own. */
static writ_config *config;

static inline int
library_set_up(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	if (set_up(state) != 0 || writ_config_new(&config, NULL) != WRIT_OK ||
	    writ_config_set(config, "state_dir", temp_path(&temp, "state"),
		NULL) != WRIT_OK)
		return -1;
	writ_engine_free(engine);
	options.config = config;
	options.policy = POLICY;
	options.policy_len = strlen(POLICY);
	return writ_engine_new(&options, &engine, NULL) == WRIT_OK ? 0 : -1;
}

static inline int
library_tear_down(void **state)
{
	writ_config_free(config);
	return tear_down(state);
}

static inline writ_apply_options
standard(void)
{
	writ_apply_options options = WRIT_APPLY_OPTIONS_INIT;

	options.config = config;
	options.caller = WRIT_CALLER_TRUSTED;
	return options;
}

static inline writ_manifest *
read_good(const char *text)
{
	writ_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};

	if (writ_manifest_read(text, strlen(text), NULL, &manifest, &err) !=
	    WRIT_OK)
		fail_msg("%u:%u: %s", err.line, err.column, err.message);
	return manifest;
}

static inline void
apply_good(writ_manifest *manifest, const writ_apply_options *options,
    const writ_apply_watch *watch, writ_apply_result *out_result)
{
	writ_error err = {.status = WRIT_OK};

	if (writ_manifest_apply(
		engine, manifest, options, watch, out_result, &err) != WRIT_OK)
		fail_msg("%s", err.message);
}

static inline void
refuse_apply(writ_manifest *manifest, const writ_apply_options *options,
    writ_status status, const char *words)
{
	writ_apply *apply = NULL;
	writ_error err = {.status = WRIT_OK};

	assert_int_equal(
	    writ_apply_open(manifest, options, &apply, &err), status);
	assert_null(apply);
	if (strstr(err.message, words) == NULL)
		fail_msg("%s", err.message);
}

#define LIBRARY(test) \
	cmocka_unit_test_setup_teardown(test, library_set_up, library_tear_down)

#endif /* TESTS_MANIFEST_HOST_H */
