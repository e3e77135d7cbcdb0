/* SPDX-License-Identifier: Apache-2.0 */

/* <writ/manifest.h>: manifests that a host reads, and single resources. What
 * manifests mean is tested elsewhere. */

#include "manifest_host.h"

/* ---- one resource ---- */

static void
seed_004_a_resource_has_a_state_a_decision_and_an_apply(void **state)
{
	char json[1024];
	writ_manifest *manifest = NULL;
	writ_apply_options options = standard();
	writ_apply_watch watch = watching();
	writ_apply_result result = {.size = sizeof(result)};

	(void)state;
	(void)snprintf(json, sizeof(json),
	    "{\"name\": \"/bin/mkdir %s/made\", \"creates\": \"%s/made\"}",
	    temp.path, temp.path);
	assert_int_equal(writ_manifest_read_resource(
			     "exec", json, strlen(json), NULL, &manifest, NULL),
	    WRIT_OK);
	assert_int_equal(writ_manifest_count(manifest), 1);
	options.in_memory = true;

	options.noop = true;
	apply_good(manifest, &options, &watch, &result);
	assert_true(seen.noop);
	assert_int_equal(seen.verdicts[0], WRIT_VERDICT_CHANGED);
	assert_non_null(strstr(seen.status, "\"stable\":false"));
	assert_int_equal(access(temp_path(&temp, "made"), F_OK), -1);

	options.noop = false;
	watch = watching();
	apply_good(manifest, &options, &watch, &result);
	assert_int_equal(result.changed, 1);
	assert_int_equal(access(temp_path(&temp, "made"), F_OK), 0);

	watch = watching();
	apply_good(manifest, &options, &watch, &result);
	assert_int_equal(result.changed, 0);
	assert_int_equal(seen.verdicts[0], WRIT_VERDICT_STABLE);
	assert_non_null(strstr(seen.decided[0], "creates '"));
	assert_non_null(strstr(seen.status, "\"creates_satisfied\":true"));
	/* Nothing is kept of it. */
	assert_int_equal(access(temp_path(&temp, "state/sessions"), F_OK), -1);
	writ_manifest_free(manifest);
}

static void
a_file_is_a_resource_too(void **state)
{
	char json[1024];
	writ_manifest *manifest = NULL;
	writ_apply_options options = standard();
	writ_apply_watch watch = watching();
	writ_manifest_resource found = {.size = sizeof(found)};

	(void)state;
	(void)snprintf(json, sizeof(json),
	    "{\"name\": \"%s/a.conf\", \"ensure\": \"present\", "
	    "\"content\": \"x\\n\", \"mode\": \"0600\"}",
	    temp.path);
	options.in_memory = true;
	assert_int_equal(writ_manifest_read_resource(
			     "file", json, strlen(json), NULL, &manifest, NULL),
	    WRIT_OK);
	assert_int_equal(
	    writ_manifest_look(manifest, 0, &found, NULL), WRIT_OK);
	assert_string_equal(found.type, "file");
	assert_string_equal(found.ensure, "present");
	assert_int_equal(
	    writ_manifest_look(manifest, 1, &found, NULL), WRIT_E_INVALID);
	apply_good(manifest, &options, &watch, NULL);
	assert_int_equal(access(temp_path(&temp, "a.conf"), R_OK), 0);
	apply_good(manifest, &options, &watch, NULL);
	assert_int_equal(seen.verdicts[0], WRIT_VERDICT_CHANGED);
	assert_int_equal(seen.verdicts[1], WRIT_VERDICT_STABLE);
	writ_manifest_free(manifest);
}

static unsigned fault_line;
static size_t fault_count;

static void
keep_faults(void *ctx, const writ_manifest_faults *faults)
{
	assert_ptr_equal(ctx, &fault_line);
	fault_count = faults->count;
	fault_line = faults->count > 0 ? faults->items[0].line : 0;
}

static void
properties_are_one_resource_whatever_they_are(void **state)
{
	static const struct {
		const char *type, *text, *words;
		unsigned line;
	} bad[] = {
	    {"exec", "{\"name\": \"a\"}}, {\"exec\": {\"name\": \"b\"}", "", 0},
	    {"exec", "[]", "JSON object", 0},
	    {"exec", "", "", 0},
	    {"exec", "{\"name\": \"a\"", "", 0},
	    {"exec\": {}, \"file", "{}", "no type of resource", 0},
	    {"nothing", "{}", "no type of resource 'nothing'", 0},
	    {"exec", "{\"name\":\n\"a\",\n\"comand\": \"b\"}", "comand", 3},
	    {"exec", "{}", "", 0},
	};
	writ_manifest_options options = WRIT_MANIFEST_OPTIONS_INIT;

	(void)state;
	options.on_faults = keep_faults;
	options.faults_ctx = &fault_line;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		writ_manifest *manifest = NULL;
		writ_error err = {.status = WRIT_OK};

		fault_line = 0;
		assert_int_equal(
		    writ_manifest_read_resource(bad[i].type, bad[i].text,
			strlen(bad[i].text), &options, &manifest, &err),
		    WRIT_E_INVALID);
		assert_null(manifest);
		assert_int_equal(err.status, WRIT_E_INVALID);
		if (strstr(err.message, bad[i].words) == NULL ||
		    (bad[i].line > 0 &&
			(err.line != bad[i].line || fault_line != err.line)))
			fail_msg("%u: %s", err.line, err.message);
	}
}

/* ---- reading ---- */

static void
facts_data_and_files_of_the_host_are_used(void **state)
{
	static const char *const facts[] = {"role=web", NULL};
	static const writ_manifest_text fact_files[] = {
	    {"f.json", "{\"role\": \"db\", \"size\": 3}", 25}};
	static const writ_manifest_text data[] = {
	    {"d.yaml", "data: {greeting: hi}\n", 21}};
	static const char text[] =
	    "data: {greeting: bye}\n"
	    "ccm: {resources: [{exec: {name: "
	    "'{{ Facts.role }}-{{ Facts.size }}-{{ Data.greeting }}'}}]}\n";
	writ_manifest_options options = WRIT_MANIFEST_OPTIONS_INIT;
	writ_manifest_resource found = {.size = sizeof(found)};
	writ_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};
	char *rendered = NULL;
	size_t len;

	(void)state;
	options.facts = facts;
	options.fact_files = fact_files;
	options.fact_file_count = 1;
	options.data = data;
	options.data_count = 1;
	if (writ_manifest_read(text, strlen(text), &options, &manifest, &err) !=
	    WRIT_OK)
		fail_msg("%s", err.message);
	assert_int_equal(
	    writ_manifest_look(manifest, 0, &found, NULL), WRIT_OK);
	assert_string_equal(found.id, "exec#web-3-hi");
	assert_null(found.alias);
	assert_int_equal(found.line, 2);
	assert_int_equal(
	    writ_manifest_render(manifest, true, &rendered, &len, NULL),
	    WRIT_OK);
	assert_non_null(strstr(rendered, "web-3-hi"));
	assert_int_equal(strlen(rendered), len);
	free(rendered);
	writ_manifest_free(manifest);
	assert_non_null(strstr(writ_manifest_schema(&len), "\"$schema\""));
}

static void
all_faults_are_told_at_once(void **state)
{
	static const char text[] = "ccm:\n  resources:\n"
				   "  - exec: {name: a, comand: b}\n"
				   "  - exec: {name: c, timeout: x}\n";
	writ_manifest_options options = WRIT_MANIFEST_OPTIONS_INIT;
	writ_manifest *manifest = NULL;
	writ_error err = {.status = WRIT_OK};

	(void)state;
	options.on_faults = keep_faults;
	options.faults_ctx = &fault_line;
	assert_int_equal(
	    writ_manifest_read(text, strlen(text), &options, &manifest, &err),
	    WRIT_E_INVALID);
	assert_null(manifest);
	assert_int_equal(fault_count, 2);
	assert_int_equal(fault_line, 3);
	assert_int_equal(err.line, 3);
	assert_int_equal(
	    writ_manifest_open(temp_path(&temp, "none"), NULL, &manifest, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "none"));
	options.dir = temp_path(&temp, "nowhere");
	assert_int_equal(
	    writ_manifest_read(text, strlen(text), &options, &manifest, &err),
	    WRIT_E_SYSTEM);
	options.dir = NULL;
	options.session = temp_path(&temp, "nowhere");
	assert_int_equal(
	    writ_manifest_read(text, strlen(text), &options, &manifest, &err),
	    WRIT_E_NOTFOUND);
	assert_int_equal(
	    writ_manifest_read(NULL, 0, NULL, &manifest, &err), WRIT_E_INVALID);
}

static void
options_of_an_older_caller_are_shorter(void **state)
{
	writ_manifest *manifest =
	    read_good("ccm: {resources: [{exec: {name: /bin/true}}]}\n");
	writ_apply_options options = standard();
	struct {
		writ_apply_result result;
		char after[16];
	} old = {.after = "untouched"};
	writ_manifest_resource found;

	(void)state;
	options.in_memory = true;
	/* They end before `session`, and have no rubbish behind. */
	options.resume = options.session = (const char *)1;
	options.wait_ms = UINT64_MAX;
	options.size = offsetof(writ_apply_options, session);
	old.result.size = offsetof(writ_apply_result, events);
	old.result.events = 4711;
	apply_good(manifest, &options, NULL, &old.result);
	assert_int_equal(old.result.changed, 1);
	assert_int_equal(old.result.events, 4711);
	assert_string_equal(old.after, "untouched");
	found.size = 0;
	assert_int_equal(
	    writ_manifest_look(manifest, 0, &found, NULL), WRIT_E_INVALID);
	writ_manifest_free(manifest);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    LIBRARY(seed_004_a_resource_has_a_state_a_decision_and_an_apply),
	    LIBRARY(a_file_is_a_resource_too),
	    LIBRARY(properties_are_one_resource_whatever_they_are),
	    LIBRARY(facts_data_and_files_of_the_host_are_used),
	    LIBRARY(all_faults_are_told_at_once),
	    LIBRARY(options_of_an_older_caller_are_shorter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
