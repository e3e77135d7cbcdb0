/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include <writ/writ.h>

#include "../unit/own_state.h"
#include "../unit/temp.h"
#include "inject.h"

/*
 * Every allocation fails once on the way from a file of bindings to the result
 * of a call. Then there is an error that says so and nothing half-made; what
 * leaks is found by the address sanitizer, in a build that has it.
 */

static const char bindings[] =
    "spec_version: \"1.0\"\n"
    "bindings:\n"
    "- module_id: cli.one\n"
    "  target: exec:///bin/echo\n"
    "  description: Says it\n"
    "  tags: [a, b]\n"
    "  json_flag: [--json]\n"
    "  env: {NAME: \"{{args.name}}\"}\n"
    "  stdin: \"{{args.name}}\"\n"
    "  cwd: /\n"
    "  env_pass: [LC_*]\n"
    "  input_schema:\n"
    "    type: object\n"
    "    additionalProperties: false\n"
    "    properties:\n"
    "      name: {type: string, maxLength: 3, default: me}\n"
    "      count: {type: integer, enum: [1, 2]}\n"
    "      key: {type: [string, array], x-sensitive: true}\n"
    "      steps: {type: array, x-writ-sequence: true}\n"
    "  output_schema: {type: object, required: [a]}\n"
    "- module_id: cli.two\n"
    "  command: [/bin/echo, \"{{args.name}}\"]\n"
    "  input_schema: {type: object, properties: {name: {type: string}}}\n";

static struct temp place;
static writ_config *config;
static writ_engine *engine;

static int
open_all(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	temp_open(&place);
	FILE *file = fopen(temp_path(&place, "x.binding.yaml"), "we");
	assert_non_null(file);
	assert_true(fputs(bindings, file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(temp_path(&place, "x.binding.yaml"), 0600), 0);
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	assert_int_equal(writ_config_set(config, "cache_dir",
			     temp_path(&place, "cache"), NULL),
	    WRIT_OK);
	assert_int_equal(writ_config_set(config, "config_dir",
			     temp_path(&place, "config"), NULL),
	    WRIT_OK);
	options.config = config;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	return 0;
}

static int
close_all(void **state)
{
	(void)state;
	writ_engine_free(engine);
	writ_config_free(config);
	temp_close(&place);
	return 0;
}

/* Does something whose allocations fail one after the other. It says WRIT_OK
 * when it was whole. */
typedef writ_status (*scene_fn)(void *ctx, writ_error *err);

static void
fail_each(scene_fn scene, void *ctx)
{
	bool was_refused = true;

	for (unsigned i = 1; was_refused; i++) {
		writ_error err = {0};

		inject_arm("allocation", i, 1, ENOMEM);
		writ_status status = scene(ctx, &err);
		was_refused = inject_disarm();
		if (status == WRIT_OK)
			continue;
		assert_true(was_refused);
		if (status != WRIT_E_NOMEM && err.sys_errno != ENOMEM)
			fail_msg("%u: %s", i, err.message);
		assert_int_equal(err.status, status);
		assert_true(i < 100000);
	}
}

/* A file that could not be read for want of memory is a problem of that file,
 * and does not keep the others away. */
static bool
has_problems(const writ_modules *modules, writ_error *err)
{
	size_t count;
	const writ_module_problem *problems =
	    writ_modules_problems(modules, &count);

	if (count > 0)
		*err = problems[0].error;
	return count > 0;
}

static writ_status
load(writ_modules **out_modules, bool no_cache, writ_error *err)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	const char *const dirs[] = {place.path, NULL};

	options.config = config;
	options.dirs = dirs;
	options.only_dirs = true;
	options.no_cache = no_cache;
	return writ_modules_new(&options, out_modules, err);
}

static writ_modules *
load_ok(void)
{
	writ_modules *modules = NULL;

	assert_int_equal(load(&modules, false, NULL), WRIT_OK);
	return modules;
}

/* ---- loading ---- */

static writ_status
load_once(void *ctx, writ_error *err)
{
	writ_modules *modules = NULL;
	writ_status status = load(&modules, *(bool *)ctx, err);

	if (status != WRIT_OK) {
		assert_null(modules);
		return status;
	}
	if (has_problems(modules, err))
		status = err->status;
	else
		assert_int_equal(writ_modules_count(modules), 2);
	writ_modules_free(modules);
	return status;
}

static void
modules_are_all_there_or_none(void **state)
{
	bool no_cache = true;

	(void)state;
	fail_each(load_once, &no_cache);
	no_cache = false;
	fail_each(load_once, &no_cache);
	/* Now from the cache. */
	fail_each(load_once, &no_cache);
}

/* ---- looking ---- */

static writ_status
look_once(void *ctx, writ_error *err)
{
	const writ_module **found = NULL;
	writ_modules *modules = ctx;
	size_t count;
	char *json = NULL;
	writ_status status =
	    writ_modules_search(modules, "says", &found, &count, err);

	if (status != WRIT_OK)
		return status;
	free(found);
	status = writ_modules_json(modules, "cli.one", &json, &count, err);
	if (status == WRIT_OK)
		assert_non_null(strstr(json, "\"default\":\"me\""));
	free(json);
	return status;
}

/* What is made once must be able to fail the first time. */
static writ_status
look_fresh(void *ctx, writ_error *err)
{
	writ_modules *modules = NULL;

	(void)ctx;
	writ_status status = load(&modules, false, err);
	if (status == WRIT_OK && has_problems(modules, err))
		status = err->status;
	if (status == WRIT_OK)
		status = look_once(modules, err);
	writ_modules_free(modules);
	return status;
}

static void
looking_at_a_module_fails_with_words(void **state)
{
	(void)state;
	writ_modules_free(load_ok());
	fail_each(look_fresh, NULL);
}

/* ---- calling ---- */

static writ_status
call_once(
    writ_modules *modules, const char *id, const char *input, writ_error *err)
{
	writ_call *call = NULL;
	char *json = NULL;
	size_t len;
	writ_status status =
	    writ_call_new(modules, id, input, strlen(input), NULL, &call, err);

	if (status != WRIT_OK) {
		assert_null(call);
		return status;
	}
	status = writ_draft_set(writ_call_draft(call), "trace_id", "t", err);
	if (status == WRIT_OK)
		status = writ_call_preview(call, &json, &len, err);
	if (status == WRIT_OK)
		assert_null(strstr(json, "hunter2"));
	free(json);
	writ_call_free(call);
	return status;
}

static writ_status
call_fresh(void *ctx, writ_error *err)
{
	writ_modules *modules = NULL;
	writ_status status = load(&modules, false, err);

	(void)ctx;
	if (status == WRIT_OK && has_problems(modules, err))
		status = err->status;
	if (status == WRIT_OK)
		status = call_once(modules, "cli.one",
		    "{\"name\":\"abc\",\"count\":1,\"key\":[\"hunter2\"],"
		    "\"steps\":[{\"count\":2}]}",
		    err);
	if (status == WRIT_OK)
		status =
		    call_once(modules, "cli.two", "{\"name\":\"abc\"}", err);
	writ_modules_free(modules);
	return status;
}

static void
a_call_is_whole_or_there_is_none(void **state)
{
	(void)state;
	writ_modules_free(load_ok());
	fail_each(call_fresh, NULL);
}

/* A call that is refused is refused, also without memory for the reasons. */
static writ_status
refuse(
    writ_modules *modules, const char *input, size_t reasons, writ_error *err)
{
	writ_call *call = NULL;
	size_t count = 0;
	writ_status status = writ_call_new(
	    modules, "cli.one", input, strlen(input), NULL, &call, err);

	assert_int_not_equal(status, WRIT_OK);
	if (call != NULL)
		(void)writ_call_problems(call, &count);
	assert_true(status != WRIT_E_INVALID || count == reasons);
	writ_call_free(call);
	return status == WRIT_E_INVALID ? WRIT_OK : status;
}

static writ_status
refuse_once(void *ctx, writ_error *err)
{
	writ_status status = refuse(ctx,
	    "{\"name\":\"A B C\",\"count\":\"x\",\"more\":1,\"key\":5}", 4,
	    err);

	if (status != WRIT_OK)
		return status;
	return refuse(ctx, "{\"steps\":[{\"count\":\"x\"}]}", 1, err);
}

static void
a_refusal_has_all_its_reasons_or_says_why_not(void **state)
{
	writ_modules *modules = load_ok();

	(void)state;
	fail_each(refuse_once, modules);
	writ_modules_free(modules);
}

/* ---- results ---- */

struct ended {
	writ_call *call;
	writ_result *result;
};

static writ_status
show_once(void *ctx, writ_error *err)
{
	const struct ended *ended = ctx;
	char *json = NULL;
	size_t len;
	writ_status status =
	    writ_call_result_json(ended->call, ended->result, &json, &len, err);

	if (status == WRIT_OK)
		assert_non_null(strstr(json, "\"success\":true"));
	free(json);
	return status;
}

static void
the_result_of_a_call_is_whole(void **state)
{
	writ_modules *modules = load_ok();
	struct ended ended = {NULL, NULL};

	(void)state;
	assert_int_equal(
	    writ_call_new(modules, "cli.one", "{}", 2, NULL, &ended.call, NULL),
	    WRIT_OK);
	assert_int_equal(writ_run(engine, writ_call_request(ended.call),
			     &ended.result, NULL),
	    WRIT_OK);
	fail_each(show_once, &ended);
	writ_result_free(ended.result);
	writ_call_free(ended.call);
	writ_modules_free(modules);
}

/* ---- files ---- */

static void
hear(void *ctx, const writ_module_problem *problem)
{
	(void)problem;
	(*(size_t *)ctx)++;
}

static writ_status
check_once(void *ctx, writ_error *err)
{
	size_t problems = 0;
	size_t count = 0;
	char path[400];

	(void)ctx;
	(void)snprintf(path, sizeof(path), "%s/x.binding.yaml", place.path);
	writ_status status =
	    writ_modules_check(path, hear, &problems, &count, err);
	if (status == WRIT_OK)
		assert_true(count == 2 || problems > 0);
	return status;
}

static writ_status
add_once(void *ctx, writ_error *err)
{
	size_t count = 0;
	char path[400];

	(void)ctx;
	(void)snprintf(path, sizeof(path), "%s/x.binding.yaml", place.path);
	return writ_modules_add(config, path, NULL, true, &count, err);
}

static void
files_are_looked_through_and_taken_in(void **state)
{
	(void)state;
	fail_each(check_once, NULL);
	fail_each(add_once, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(modules_are_all_there_or_none),
	    cmocka_unit_test(looking_at_a_module_fails_with_words),
	    cmocka_unit_test(a_call_is_whole_or_there_is_none),
	    cmocka_unit_test(a_refusal_has_all_its_reasons_or_says_why_not),
	    cmocka_unit_test(the_result_of_a_call_is_whole),
	    cmocka_unit_test(files_are_looked_through_and_taken_in),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
