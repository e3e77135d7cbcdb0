/* SPDX-License-Identifier: Apache-2.0 */

/* The caller's side of an isolated call, with runners that misbehave. */

#include "engine_fixture.h"

#include <time.h>

#include <yyjson.h>

#define ID "cli.some.module"

static writ_isolated_options options;
static writ_error err;

/* A runner that is a shell script. */
static void
write_runner(const char *script)
{
	const char *path = temp_path(&temp, "runner");
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fprintf(file, "#!/bin/sh\n%s\n", script) > 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

static int
isolated_set_up(void **state)
{
	static const writ_isolated_options standard =
	    WRIT_ISOLATED_OPTIONS_INIT;
	static char runner[512];

	int status = set_up(state);
	options = standard;
	err = (writ_error){0};
	(void)snprintf(
	    runner, sizeof(runner), "%s", temp_path(&temp, "runner"));
	options.runner = runner;
	assert_int_equal(
	    setenv("WRIT_CACHE_DIR", temp_path(&temp, "cache"), 1), 0);
	options.call = "{\"grace_ms\":100}";
	return status;
}

#define ISOLATED(test) \
	cmocka_unit_test_setup_teardown(test, isolated_set_up, tear_down)

static writ_result *
run_input(const char *input, size_t len)
{
	writ_result *result = NULL;
	writ_draft *draft = NULL;

	assert_int_equal(
	    writ_isolated_new(ID, input, len, &options, &draft, &err), WRIT_OK);
	assert_int_equal(writ_draft_set(draft, "env", mark, &err), WRIT_OK);
	assert_int_equal(
	    writ_run(engine, writ_draft_request(draft), &result, &err),
	    WRIT_OK);
	writ_draft_free(draft);
	return result;
}

static writ_result *
run_script(const char *script)
{
	write_runner(script);
	return run_input("{}", 2);
}

/* Decodes the output of the script, which must have this status. */
static void
expect(const char *script, writ_status wanted, const char *message)
{
	writ_result *result = run_script(script);
	char *json = NULL;
	size_t len = 0;

	assert_int_equal(
	    writ_isolated_decode(ID, result, &json, &len, &err), wanted);
	assert_null(json);
	if (strstr(err.message, message) == NULL)
		fail_msg("'%s' is not in '%s'", message, err.message);
	assert_non_null(strstr(err.message, ID));
	writ_result_free(result);
}

static void
expect_json(const char *script, const char *wanted)
{
	writ_result *result = run_script(script);
	char *json = NULL;
	size_t len = 0;

	assert_int_equal(
	    writ_isolated_decode(ID, result, &json, &len, &err), WRIT_OK);
	assert_string_equal(json, wanted);
	assert_int_equal(len, strlen(wanted));
	free(json);
	writ_result_free(result);
}

/* ---- test_decode_result_valid_json, _invalid_json, _roundtrip ---- */

static void
test_decode_result_valid_json(void **state)
{
	(void)state;
	expect_json("echo '{\"ok\":true}'", "{\"ok\":true}");
	expect_json("printf '{\"ok\":true}'", "{\"ok\":true}");
	expect_json("echo '{\"n\":1e999,\"m\":12345678901234567890123}'",
	    "{\"n\":1e999,\"m\":12345678901234567890123}");
}

static void
test_decode_result_invalid_json(void **state)
{
	(void)state;
	expect("echo not json", WRIT_E_PARSE, "not JSON");
	expect("printf ''", WRIT_E_PARSE, "no result");
	expect("echo '[1]'", WRIT_E_PARSE, "not an object");
	expect("echo '{\"a\":1}{\"forged\":1}'", WRIT_E_PARSE, "not JSON");
	expect("echo noise; echo '{\"a\":1}'", WRIT_E_PARSE, "not JSON");
}

static void
test_encode_result_roundtrip(void **state)
{
	static const char input[] = "{\"result\":42,\"text\":\"\\u00e4\\n\"}";
	char *json = NULL;
	size_t len = 0;

	(void)state;
	write_runner("cat");
	writ_result *result = run_input(input, strlen(input));
	assert_int_equal(
	    writ_isolated_decode(ID, result, &json, &len, &err), WRIT_OK);
	assert_string_equal(json, input);
	free(json);
	writ_result_free(result);
}

/* ---- how a runner can fail ---- */

static void
test_sandbox_timeout_returns_error(void **state)
{
	(void)state;
	options.timeout_ms = 1;
	expect("sleep 1000", WRIT_E_TIMEOUT, "timed out after 1ms");
}

static void
a_timeout_does_not_lose_what_the_module_had_done(void **state)
{
	char *json = NULL;
	size_t len = 0;

	(void)state;
	options.timeout_ms = 300;
	writ_result *result = run_script(
	    "trap 'echo \"{\\\"stdout\\\":\\\"partial\\\"}\"; exit 0' TERM; "
	    "while :; do sleep 0.05; done");
	assert_int_equal(writ_isolated_decode(ID, result, &json, &len, &err),
	    WRIT_E_TIMEOUT);
	assert_int_equal(
	    writ_isolated_error_json(ID, result, &err, &json, &len), WRIT_OK);
	assert_non_null(strstr(json, "\"result\":{\"stdout\":\"partial\"}"));
	free(json);
	writ_result_free(result);
}

static uint64_t
now_ms(void)
{
	struct timespec now;

	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void
the_deadline_covers_input_that_is_never_read(void **state)
{
	const size_t len = 1 << 20;
	char *input = malloc(len);
	char *json = NULL;
	size_t json_len = 0;
	uint64_t before = now_ms();

	(void)state;
	assert_non_null(input);
	memset(input, ' ', len);
	options.timeout_ms = 200;
	write_runner("sleep 1000");
	writ_result *result = run_input(input, len);
	assert_int_equal(
	    writ_isolated_decode(ID, result, &json, &json_len, &err),
	    WRIT_E_TIMEOUT);
	assert_true(now_ms() - before < 20000);
	writ_result_free(result);
	free(input);
}

static void
a_runner_that_reads_nothing_and_ends_fails_with_its_own_words(void **state)
{
	const size_t len = 1 << 20;
	char *input = malloc(len);
	char *json = NULL;
	size_t json_len = 0;

	(void)state;
	assert_non_null(input);
	memset(input, ' ', len);
	write_runner("echo 'the disk is on fire' >&2; exit 7");
	writ_result *result = run_input(input, len);
	assert_int_equal(
	    writ_isolated_decode(ID, result, &json, &json_len, &err),
	    WRIT_E_RUNNER);
	assert_non_null(
	    strstr(err.message, "exited with code 7: the disk is on fire"));
	writ_result_free(result);
	free(input);
}

static void
another_code_than_zero_is_a_failed_runner_whatever_it_wrote(void **state)
{
	(void)state;
	expect("echo '{\"forged\":true}'; exit 1", WRIT_E_RUNNER,
	    "exited with code 1");
	expect("echo one >&2; echo two >&2; exit 127", WRIT_E_RUNNER,
	    "exited with code 127: two");
	expect("printf 'a\\033[31mb\\n' >&2; exit 1", WRIT_E_RUNNER,
	    "code 1: a [31mb");
}

static void
a_signal_that_ends_the_runner_is_named(void **state)
{
	(void)state;
	expect("echo '{\"forged\":true}'; kill -SEGV $$", WRIT_E_RUNNER,
	    "ended by SIGSEGV");
	expect("kill -KILL $$", WRIT_E_RUNNER, "ended by SIGKILL");
}

static void
a_result_beyond_the_limit_is_refused_and_says_so(void **state)
{
	(void)state;
	options.output_limit = 4096;
	expect("printf '{\"a\":\"%09000d\"}' 0", WRIT_E_PARSE,
	    "longer than the limit");
}

static void
a_runner_that_is_not_there_never_starts(void **state)
{
	writ_result *result = NULL;
	writ_draft *draft = NULL;

	(void)state;
	options.runner = "/no/such/runner";
	assert_int_equal(
	    writ_isolated_new(ID, "{}", 2, &options, &draft, &err), WRIT_OK);
	assert_int_equal(
	    writ_run(engine, writ_draft_request(draft), &result, &err),
	    WRIT_E_NOTFOUND);
	writ_draft_free(draft);
}

static void
what_the_runner_says_is_the_cause(void **state)
{
	writ_result *result = run_script(
	    "echo noise >&2; echo "
	    "'{\"error\":{\"code\":\"not_found\",\"message\":\"no such "
	    "thing\",\"suggestion\":\"look elsewhere\"}}' >&2; exit 127");
	char *json = NULL;
	size_t len = 0;

	(void)state;
	assert_int_equal(
	    writ_isolated_decode(ID, result, &json, &len, &err), WRIT_E_RUNNER);
	assert_non_null(
	    strstr(err.message, "exited with code 127: no such thing"));
	assert_string_equal(err.suggestion, "look elsewhere");

	assert_int_equal(
	    writ_isolated_error_json(ID, result, &err, &json, &len), WRIT_OK);
	yyjson_doc *doc = yyjson_read(json, len, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_val *details = yyjson_ptr_get(root, "/error/details");
	assert_string_equal(yyjson_get_str(yyjson_ptr_get(root, "/error/code")),
	    "runner_failed");
	assert_string_equal(
	    yyjson_get_str(yyjson_obj_get(details, "module_id")), ID);
	assert_int_equal(
	    yyjson_get_int(yyjson_obj_get(details, "exit_code")), 127);
	assert_int_equal(
	    yyjson_get_uint(yyjson_obj_get(details, "timeout_ms")), 300000);
	assert_non_null(
	    strstr(yyjson_get_str(yyjson_obj_get(details, "stderr")), "noise"));
	assert_string_equal(
	    yyjson_get_str(yyjson_ptr_get(details, "/cause/code")),
	    "not_found");
	yyjson_doc_free(doc);
	free(json);
	writ_result_free(result);
}

static void
standard_error_of_any_bytes_makes_valid_json(void **state)
{
	writ_result *result =
	    run_script("printf '\\377\\000{\"error\":3}' >&2; exit 1");
	char *json = NULL;
	size_t len = 0;

	(void)state;
	assert_int_equal(
	    writ_isolated_decode(ID, result, &json, &len, &err), WRIT_E_RUNNER);
	assert_int_equal(
	    writ_isolated_error_json(ID, result, &err, &json, &len), WRIT_OK);
	yyjson_doc *doc = yyjson_read(json, len, 0);
	assert_non_null(doc);
	assert_null(
	    yyjson_ptr_get(yyjson_doc_get_root(doc), "/error/details/cause"));
	yyjson_doc_free(doc);
	free(json);
	writ_result_free(result);
}

/* ---- what a runner gets ---- */

static void
the_runner_is_told_what_to_run(void **state)
{
	expect_json("printf '{\"words\":\"%s %s\",\"count\":%d}' \"$@\" $#",
	    "{\"words\":\"--internal-sandbox-runner " ID "\",\"count\":2}");
	(void)state;
}

/* The value of a variable as the runner sees it; "": not set. */
static void
expect_variable(const char *name, const char *wanted)
{
	char script[256];
	char json[4096];

	(void)snprintf(
	    script, sizeof(script), "printf '{\"v\":\"%%s\"}' \"$%s\"", name);
	(void)snprintf(json, sizeof(json), "{\"v\":\"%s\"}", wanted);
	expect_json(script, json);
}

static void
the_environment_is_cleared(void **state)
{
	static const char *const kept_out[] = {"SOME_VARIABLE", "USER",
	    "APCORE_AUTH_API_KEY", "APCORE_AUTH_MODE",
	    "APCORE_CLI_CONFIG_PASSPHRASE", "APCORE_CLI_AUTO_APPROVE",
	    "WRIT_MODULE_TOKEN", "WRIT_MODULE_ARGUMENTS",
	    "WRIT_MODULE_TRACE_ID", "PYTHONPATH", "LD_PRELOAD_NOT"};

	(void)state;
	for (size_t i = 0; i < sizeof(kept_out) / sizeof(kept_out[0]); i++)
		assert_int_equal(setenv(kept_out[i], "1", 1), 0);
	assert_int_equal(setenv("APCORE_MODE", "fast", 1), 0);
	assert_int_equal(setenv("LC_ALL", "C.UTF-8", 1), 0);
	for (size_t i = 0; i < sizeof(kept_out) / sizeof(kept_out[0]); i++)
		expect_variable(kept_out[i], "");
	expect_variable("APCORE_MODE", "fast");
	expect_variable("LC_ALL", "C.UTF-8");
	for (size_t i = 0; i < sizeof(kept_out) / sizeof(kept_out[0]); i++)
		assert_int_equal(unsetenv(kept_out[i]), 0);
	assert_int_equal(unsetenv("APCORE_MODE"), 0);
	assert_int_equal(unsetenv("LC_ALL"), 0);
}

static void
home_and_tmpdir_are_one_private_directory_that_goes(void **state)
{
	writ_result *result = run_script(
	    "test \"$HOME\" = \"$TMPDIR\" && test -z \"$(ls -A $HOME)\" && "
	    "touch \"$HOME/file\" && stat -c '{\"%a\":\"%n\"}' \"$HOME\"");
	const char *text = result->out[WRIT_STDOUT].head;
	char path[512] = "";

	(void)state;
	assert_int_equal(result->exit_code, 0);
	assert_int_equal(sscanf(text, "{\"700\":\"%511[^\"]", path), 1);
	assert_int_equal(access(path, F_OK), -1);
	writ_result_free(result);
}

static void
the_places_are_passed_on_with_whole_paths(void **state)
{
	static const char *const dirs[] = {"first", "/second", NULL};
	char cwd[512];
	char wanted[2048];

	(void)state;
	assert_non_null(getcwd(cwd, sizeof(cwd)));
	assert_int_equal(setenv("WRIT_MODULES", "third::/fourth", 1), 0);
	assert_int_equal(setenv("APCORE_EXTENSIONS_ROOT", "./ext", 1), 0);
	options.dirs = dirs;
	(void)snprintf(wanted, sizeof(wanted),
	    "%s/first:/second:%s/third:/fourth", cwd, cwd);
	expect_variable("WRIT_MODULES", wanted);
	(void)snprintf(wanted, sizeof(wanted), "%s/./ext", cwd);
	expect_variable("APCORE_EXTENSIONS_ROOT", wanted);
	expect_variable("WRIT_STATE_DIR", own_state);
	assert_int_equal(unsetenv("WRIT_MODULES"), 0);
	assert_int_equal(unsetenv("APCORE_EXTENSIONS_ROOT"), 0);
}

/* What precedes the path is tested with real runners, on the command line. */
static void
the_file_of_the_module_is_passed_on(void **state)
{
	const char *dirs[] = {NULL, NULL};
	char wanted[512];
	struct stat st;

	(void)state;
	temp_dir(&temp, "mods");
	(void)snprintf(wanted, sizeof(wanted), "%s", temp_path(&temp, "mods"));
	dirs[0] = wanted;
	options.dirs = dirs;
	expect_variable("WRIT_MODULE_FILE", "");

	int fd = openat(temp.fd, "mods/a.binding.yaml",
	    O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_true(dprintf(fd, "spec_version: \"1.0\"\n"
				"bindings:\n"
				"- module_id: " ID "\n"
				"  target: exec:///bin/true\n"
				"  description: Does nothing\n"
				"  input_schema: {type: object}\n") > 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(close(fd), 0);
	char script[1024];
	(void)snprintf(script, sizeof(script),
	    "case $WRIT_MODULE_FILE in %lx,%lx,%lx,*,%x,%s/a.binding.yaml) "
	    "echo '{}';; *) echo \"$WRIT_MODULE_FILE\" >&2; exit 1;; esac",
	    (unsigned long)st.st_dev, (unsigned long)st.st_ino,
	    (unsigned long)st.st_size, st.st_mode, wanted);
	expect_json(script, "{}");
}

static void
a_directory_with_a_colon_is_refused(void **state)
{
	static const char *const dirs[] = {"/a:b", NULL};
	writ_draft *draft = NULL;

	(void)state;
	options.dirs = dirs;
	assert_int_equal(writ_isolated_new(ID, "{}", 2, &options, &draft, &err),
	    WRIT_E_INVALID);
	assert_null(draft);
	assert_non_null(strstr(err.message, "'/a:b'"));
}

static void
settings_of_the_caller_are_those_of_the_runner(void **state)
{
	writ_config *config = NULL;

	(void)state;
	assert_int_equal(writ_config_new(&config, &err), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "cache_dir", "/some/cache", &err), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "audit_failure", "run", &err), WRIT_OK);
	options.config = config;
	expect_variable("WRIT_CACHE_DIR", "/some/cache");
	expect_variable("WRIT_AUDIT_FAILURE", "run");
	expect_variable("WRIT_AUDIT_DURABILITY", "");
	writ_config_free(config);
}

/* ---- mistakes of the caller ---- */

static void
expect_refusal(const char *id, const char *message)
{
	writ_draft *draft = NULL;

	assert_int_equal(writ_isolated_new(id, "{}", 2, &options, &draft, &err),
	    WRIT_E_INVALID);
	assert_null(draft);
	if (strstr(err.message, message) == NULL)
		fail_msg("'%s' is not in '%s'", message, err.message);
}

static void
a_mistake_in_the_options_is_found_before_anything_runs(void **state)
{
	(void)state;
	options.call = "{\"timeot_ms\":1}";
	expect_refusal(ID, "timeot_ms");
	options.call = "{\"argv\":[\"id\"]}";
	expect_refusal(ID, "'argv'");
	options.call = "{\"shell\":\"id\"}";
	expect_refusal(ID, "'shell'");
	options.call = NULL;
	options.arguments = (writ_arguments)77;
	expect_refusal(ID, "77");
	options.arguments = WRIT_ARGUMENTS_LITERAL;
	expect_refusal("Not An Id", "Not An Id");
	expect_refusal("--help", "--help");
}

static void
options_that_are_too_long_for_a_variable_are_refused(void **state)
{
	const size_t len = 200000;
	char *call = malloc(len + 32);

	(void)state;
	assert_non_null(call);
	memcpy(call, "{\"stdin\":\"", 10);
	memset(call + 10, 'x', len);
	memcpy(call + 10 + len, "\"}", 3);
	options.call = call;
	expect_refusal(ID, "too long");
	assert_non_null(strstr(err.suggestion, "stdin_file"));
	free(call);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    ISOLATED(test_decode_result_valid_json),
	    ISOLATED(test_decode_result_invalid_json),
	    ISOLATED(test_encode_result_roundtrip),
	    ISOLATED(test_sandbox_timeout_returns_error),
	    ISOLATED(a_timeout_does_not_lose_what_the_module_had_done),
	    ISOLATED(the_deadline_covers_input_that_is_never_read),
	    ISOLATED(
		a_runner_that_reads_nothing_and_ends_fails_with_its_own_words),
	    ISOLATED(
		another_code_than_zero_is_a_failed_runner_whatever_it_wrote),
	    ISOLATED(a_signal_that_ends_the_runner_is_named),
	    ISOLATED(a_result_beyond_the_limit_is_refused_and_says_so),
	    ISOLATED(a_runner_that_is_not_there_never_starts),
	    ISOLATED(what_the_runner_says_is_the_cause),
	    ISOLATED(standard_error_of_any_bytes_makes_valid_json),
	    ISOLATED(the_runner_is_told_what_to_run),
	    ISOLATED(the_environment_is_cleared),
	    ISOLATED(home_and_tmpdir_are_one_private_directory_that_goes),
	    ISOLATED(the_places_are_passed_on_with_whole_paths),
	    ISOLATED(the_file_of_the_module_is_passed_on),
	    ISOLATED(a_directory_with_a_colon_is_refused),
	    ISOLATED(settings_of_the_caller_are_those_of_the_runner),
	    ISOLATED(a_mistake_in_the_options_is_found_before_anything_runs),
	    ISOLATED(options_that_are_too_long_for_a_variable_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
