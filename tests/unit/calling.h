/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CALLING_H
#define TESTS_CALLING_H

/* Modules in a directory of their own, and calls of them that really run. */

#include "engine_fixture.h"

#include <yyjson.h>

static struct temp home;
static writ_config *settings;
static writ_modules *modules;

static inline const char *
in_home(const char *name)
{
	return temp_path(&home, name);
}

static inline void
put_file(const char *path, const char *head, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(head, file) >= 0 && fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0600), 0);
}

/* Writes a file of the user's modules: bindings is the list in YAML. */
static inline void
put_modules(const char *name, const char *bindings)
{
	char path[64];

	(void)snprintf(
	    path, sizeof(path), "config/modules/%s.binding.yaml", name);
	put_file(in_home(path), "spec_version: \"1.0\"\nbindings:\n", bindings);
}

static inline void
set_dir(const char *key, const char *name)
{
	assert_int_equal(mkdir(in_home(name), 0700), 0);
	assert_int_equal(
	    writ_config_set(settings, key, in_home(name), NULL), WRIT_OK);
}

static inline int
open_home(void **state)
{
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;

	(void)state;
	(void)unsetenv("WRIT_MODULES");
	(void)unsetenv("APCORE_EXTENSIONS_ROOT");
	(void)snprintf(mark, sizeof(mark), "WRIT_TEST_MARK=m%dx", getpid());
	temp_open(&home);
	assert_int_equal(writ_config_new(&settings, NULL), WRIT_OK);
	set_dir("config_dir", "config");
	set_dir("system_dir", "system");
	set_dir("state_dir", "state");
	set_dir("cache_dir", "cache");
	assert_int_equal(mkdir(in_home("config/modules"), 0700), 0);
	fds_before = count_fds();
	options.config = settings;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	return 0;
}

static inline int
close_home(void **state)
{
	(void)state;
	writ_modules_free(modules);
	modules = NULL;
	writ_engine_free(engine);
	writ_config_free(settings);
	bool is_clean = settle_marked(mark, 0) == 0 && !has_child() &&
			count_fds() == fds_before;
	temp_close(&home);
	return is_clean ? 0 : -1;
}

#define CALLING(test) \
	cmocka_unit_test_setup_teardown(test, open_home, close_home)

static inline writ_modules_options
plain_options(void)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;

	options.config = settings;
	options.no_project = true;
	options.no_builtin = true;
	return options;
}

/* Finds the modules anew. */
static inline void
load_modules(void)
{
	const writ_modules_options options = plain_options();
	writ_error err = {0};

	writ_modules_free(modules);
	modules = NULL;
	if (writ_modules_new(&options, &modules, &err) != WRIT_OK)
		fail_msg("%s", err.message);
}

/* A file with these bindings and nothing else, all of them in order. */
static inline void
use_modules(const char *bindings)
{
	size_t count;

	put_modules("test", bindings);
	load_modules();
	const writ_module_problem *problems =
	    writ_modules_problems(modules, &count);
	if (count > 0)
		fail_msg("%s:%u:%u: %s", problems[0].file,
		    problems[0].error.line, problems[0].error.column,
		    problems[0].error.message);
}

static inline writ_call *
call_with(const char *id, const char *input, writ_arguments arguments)
{
	writ_call_options options = WRIT_CALL_OPTIONS_INIT;
	writ_call *call = NULL;
	writ_error err = {0};

	options.arguments = arguments;
	if (writ_call_new(modules, id, input, strlen(input), &options, &call,
		&err) != WRIT_OK)
		fail_msg("%s: %s (%s)", id, err.message, err.suggestion);
	assert_non_null(call);
	return call;
}

static inline writ_call *
call_ok(const char *id, const char *input)
{
	return call_with(id, input, WRIT_ARGUMENTS_LITERAL);
}

/* What is wrong with a call that must not come to be. */
static inline writ_error
call_bad(const char *id, const char *input, writ_arguments arguments)
{
	writ_call_options options = WRIT_CALL_OPTIONS_INIT;
	writ_call *call = NULL;
	writ_error err = {0};

	options.arguments = arguments;
	writ_status status = writ_call_new(
	    modules, id, input, strlen(input), &options, &call, &err);
	assert_int_not_equal(status, WRIT_OK);
	assert_int_equal(status, err.status);
	assert_true(err.message[0] != '\0');
	writ_call_free(call);
	return err;
}

static inline writ_result *
run_call(writ_call *call)
{
	writ_result *result = NULL;
	writ_error err = {0};

	if (writ_run(engine, writ_call_request(call), &result, &err) != WRIT_OK)
		fail_msg("%s (%s)", err.message, err.suggestion);
	return result;
}

/* The argv of a call, with '|' between its words. */
static inline const char *
argv_text(writ_call *call)
{
	static char text[8192];
	const char *const *argv = writ_call_request(call)->argv;
	size_t len = 0;

	for (size_t i = 0; argv[i] != NULL; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
		    i == 0 ? "" : "|", argv[i]);
	return text;
}

static inline void
expect_argv(const char *id, const char *input, const char *expected)
{
	writ_call *call = call_ok(id, input);

	assert_string_equal(argv_text(call), expected);
	writ_call_free(call);
}

/* What a call wrote to stdout; good until the next one. */
static inline const char *
output_of_call(const char *id, const char *input)
{
	static char text[65536];
	writ_call *call = call_ok(id, input);
	writ_result *result = run_call(call);

	assert_false(result->out[WRIT_STDOUT].truncated);
	(void)snprintf(text, sizeof(text), "%s", result->out[WRIT_STDOUT].head);
	writ_result_free(result);
	writ_call_free(call);
	return text;
}

/* The result of a call as JSON; release it with yyjson_doc_free(). */
static inline yyjson_doc *
json_of_call(const char *id, const char *input)
{
	writ_call *call = call_ok(id, input);
	writ_result *result = run_call(call);
	char *json = NULL;
	size_t len;

	assert_int_equal(
	    writ_call_result_json(call, result, &json, &len, NULL), WRIT_OK);
	assert_int_equal(strlen(json), len);
	assert_null(strchr(json, '\n'));
	yyjson_doc *doc = yyjson_read(json, len, YYJSON_READ_NOFLAG);
	assert_non_null(doc);
	free(json);
	writ_result_free(result);
	writ_call_free(call);
	return doc;
}

static inline const char *
text_in(yyjson_doc *doc, const char *pointer)
{
	const char *text = yyjson_get_str(yyjson_doc_ptr_get(doc, pointer));

	return text == NULL ? "(no string)" : text;
}

static inline bool
is_in(const char *needle, const char *text)
{
	return strstr(text, needle) != NULL;
}

#endif /* TESTS_CALLING_H */
