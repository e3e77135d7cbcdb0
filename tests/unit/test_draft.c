/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <writ/draft.h>

static int
make_draft(void **state)
{
	writ_draft *draft;

	if (writ_draft_new(&draft, NULL) != WRIT_OK)
		return -1;
	*state = draft;
	return 0;
}

static int
drop_draft(void **state)
{
	writ_draft_free(*state);
	return 0;
}

static writ_request *
read_ok(writ_draft *draft, const char *text)
{
	writ_error err = {.message = "untouched"};
	writ_status status =
	    writ_draft_read_json(draft, text, strlen(text), &err);

	assert_string_equal(err.message, "untouched");
	assert_int_equal(status, WRIT_OK);
	return writ_draft_request(draft);
}

static writ_error
read_bad(writ_draft *draft, const char *text)
{
	const writ_request before = *writ_draft_request(draft);
	writ_error err = {0};

	assert_int_equal(writ_draft_read_json(draft, text, strlen(text), &err),
	    WRIT_E_INVALID);
	assert_int_equal(err.status, WRIT_E_INVALID);
	assert_memory_equal(&before, writ_draft_request(draft), sizeof(before));
	return err;
}

static void
set_ok(writ_draft *draft, const char *key, const char *text)
{
	writ_error err = {.message = "untouched"};
	writ_status status = writ_draft_set(draft, key, text, &err);

	assert_string_equal(err.message, "untouched");
	assert_int_equal(status, WRIT_OK);
}

static writ_error
set_bad(writ_draft *draft, const char *key, const char *text)
{
	const writ_request before = *writ_draft_request(draft);
	writ_error err = {0};

	assert_int_equal(
	    writ_draft_set(draft, key, text, &err), WRIT_E_INVALID);
	assert_memory_equal(&before, writ_draft_request(draft), sizeof(before));
	return err;
}

static void
assert_list(const char *const *list, size_t count, ...)
{
	va_list args;

	assert_non_null(list);
	va_start(args, count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(list[i], va_arg(args, const char *));
	va_end(args);
	assert_null(list[count]);
}

static void
a_new_draft_is_the_empty_request(void **state)
{
	const writ_request empty = WRIT_REQUEST_INIT;

	assert_memory_equal(writ_draft_request(*state), &empty, sizeof(empty));
}

static void
every_key_can_be_read_from_json(void **state)
{
	const writ_request *request = read_ok(*state,
	    "{\"argv\":[\"git\",\"\",\"log\"],\"cwd\":\"/srv\","
	    "\"roots\":[\"/srv\",\"/tmp\"],\"env\":{\"A\":\"1\",\"B\":\"\"},"
	    "\"env_mode\":\"clean\",\"env_pass\":[\"LC_*\"],"
	    "\"env_drop\":[\"LC_ALL\"],\"stdin\":\"a\\u0000b\","
	    "\"timeout_ms\":30000,\"idle_timeout_ms\":\"1h30m\","
	    "\"grace_ms\":250,\"output_limit\":\"64KiB\","
	    "\"spill_limit\":4096,\"max_output\":\"1GiB\","
	    "\"cpu_ms\":\"10s\",\"memory\":\"64MiB\",\"processes\":7,"
	    "\"open_files\":64,\"file_size\":1,\"umask\":\"027\","
	    "\"nice\":-3,\"user\":\"nobody\",\"group\":65534,"
	    "\"background\":\"keep\",\"tree\":\"keeper\","
	    "\"trace_id\":\"t-1 ~\",\"sandbox\":\"none\"}");

	assert_list(request->argv, 3, "git", "", "log");
	assert_null(request->shell);
	assert_string_equal(request->cwd, "/srv");
	assert_list(request->roots, 2, "/srv", "/tmp");
	assert_list(request->env, 2, "A=1", "B=");
	assert_int_equal(request->env_mode, WRIT_ENV_CLEAN);
	assert_list(request->env_pass, 1, "LC_*");
	assert_list(request->env_drop, 1, "LC_ALL");
	assert_int_equal(request->stdin_kind, WRIT_STDIN_DATA);
	assert_int_equal(request->stdin_len, 3);
	assert_memory_equal(request->stdin_data, "a\0b", 3);
	assert_int_equal(request->timeout_ms, 30000);
	assert_int_equal(request->idle_timeout_ms, 5400000);
	assert_int_equal(request->grace_ms, 250);
	assert_int_equal(request->output_limit, 65536);
	assert_int_equal(request->spill_limit, 4096);
	assert_int_equal(request->max_output, 1 << 30);
	assert_int_equal(request->cpu_ms, 10000);
	assert_int_equal(request->memory, 64 << 20);
	assert_int_equal(request->processes, 7);
	assert_int_equal(request->open_files, 64);
	assert_int_equal(request->file_size, 1);
	assert_int_equal(request->umask, WRIT_UMASK(027));
	assert_int_equal(request->nice, -3);
	assert_string_equal(request->user, "nobody");
	assert_string_equal(request->group, "65534");
	assert_int_equal(request->background, WRIT_BACKGROUND_KEEP);
	assert_int_equal(request->hold, WRIT_HOLD_KEEPER);
	assert_string_equal(request->trace_id, "t-1 ~");
	assert_int_equal(request->size, sizeof(*request));
}

static void
every_key_can_be_set_from_text(void **state)
{
	static const char *const pairs[][2] = {{"argv", "ls"}, {"argv", ""},
	    {"cwd", "/srv"}, {"roots", "/srv"}, {"env", "A=1=2"}, {"env", "B="},
	    {"env_mode", "isolated"}, {"env_pass", "LC_*"}, {"env_drop", "X"},
	    {"stdin", "text"}, {"timeout_ms", "1h30m"},
	    {"idle_timeout_ms", "1.5s"}, {"grace_ms", "0"},
	    {"output_limit", "0"}, {"spill_limit", "0B"}, {"max_output", "10M"},
	    {"cpu_ms", "250ms"}, {"memory", "1GiB"}, {"processes", "64"},
	    {"open_files", "1024"}, {"file_size", "100"}, {"umask", "0"},
	    {"nice", "-20"}, {"user", "0"}, {"group", "daemon"},
	    {"background", "kill"}, {"tree", "pidns"}, {"trace_id", "x"},
	    {"sandbox", "none"}};
	const writ_request *request = writ_draft_request(*state);

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		set_ok(*state, pairs[i][0], pairs[i][1]);
	assert_list(request->argv, 2, "ls", "");
	assert_string_equal(request->cwd, "/srv");
	assert_list(request->roots, 1, "/srv");
	assert_list(request->env, 2, "A=1=2", "B=");
	assert_int_equal(request->env_mode, WRIT_ENV_ISOLATED);
	assert_list(request->env_pass, 1, "LC_*");
	assert_list(request->env_drop, 1, "X");
	assert_int_equal(request->stdin_kind, WRIT_STDIN_DATA);
	assert_memory_equal(request->stdin_data, "text", 4);
	assert_int_equal(request->stdin_len, 4);
	assert_int_equal(request->timeout_ms, 5400000);
	assert_int_equal(request->idle_timeout_ms, 1500);
	assert_true(request->grace_ms == WRIT_ZERO);
	assert_true(request->output_limit == WRIT_ZERO);
	assert_true(request->spill_limit == WRIT_ZERO);
	assert_int_equal(request->max_output, 10 << 20);
	assert_int_equal(request->cpu_ms, 250);
	assert_int_equal(request->memory, 1 << 30);
	assert_int_equal(request->processes, 64);
	assert_int_equal(request->open_files, 1024);
	assert_int_equal(request->file_size, 100);
	assert_int_equal(request->umask, WRIT_UMASK(0));
	assert_int_equal(request->nice, -20);
	assert_string_equal(request->user, "0");
	assert_string_equal(request->group, "daemon");
	assert_int_equal(request->background, WRIT_BACKGROUND_KILL);
	assert_int_equal(request->hold, WRIT_HOLD_PIDNS);
	assert_string_equal(request->trace_id, "x");
}

static void
the_table_lists_each_key_once_with_its_help(void **state)
{
	size_t count;
	const writ_key *keys = writ_draft_keys(&count);

	(void)state;
	assert_int_equal(count, 29);
	for (size_t i = 0; i < count; i++) {
		assert_true(strlen(keys[i].name) > 0);
		assert_true(strlen(keys[i].type) > 0);
		assert_true(strlen(keys[i].help) > 0);
		assert_int_equal(
		    keys[i].words != NULL, strcmp(keys[i].type, "word") == 0);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(keys[i].name, keys[j].name);
	}
	assert_string_equal(keys[5].words, "minimal|clean|isolated|inherit");
}

static void
a_zero_is_kept_where_it_means_something(void **state)
{
	const writ_request *request = read_ok(*state,
	    "{\"timeout_ms\":0,\"idle_timeout_ms\":\"0\",\"grace_ms\":0,"
	    "\"output_limit\":0,\"spill_limit\":\"0\"}");

	assert_int_equal(request->timeout_ms, 0);
	assert_int_equal(request->idle_timeout_ms, 0);
	assert_true(request->grace_ms == WRIT_ZERO);
	assert_true(request->output_limit == WRIT_ZERO);
	assert_true(request->spill_limit == WRIT_ZERO);
}

static void
a_limit_of_zero_is_refused(void **state)
{
	static const char *const keys[] = {"max_output", "cpu_ms", "memory",
	    "processes", "open_files", "file_size"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char text[64];
		char message[96];
		(void)snprintf(text, sizeof(text), "{\"%s\":0}", keys[i]);
		(void)snprintf(message, sizeof(message),
		    "%s must be at least 1; leave it out for no limit",
		    keys[i]);

		writ_error err = read_bad(*state, text);
		assert_string_equal(err.message, message);
		err = set_bad(*state, keys[i], "0");
		assert_string_equal(err.message, message);
	}
}

static void
stdin_can_be_bytes_in_base64(void **state)
{
	const writ_request *request =
	    read_ok(*state, "{\"stdin\":{\"b64\":\"/wD+\"}}");

	assert_int_equal(request->stdin_kind, WRIT_STDIN_DATA);
	assert_int_equal(request->stdin_len, 3);
	assert_memory_equal(request->stdin_data, "\xff\0\xfe", 3);
	request = read_ok(*state, "{\"stdin\":{\"b64\":\"\"}}");
	assert_int_equal(request->stdin_len, 0);
	assert_int_equal(request->stdin_kind, WRIT_STDIN_DATA);
}

static void
stdin_that_is_not_base64_is_refused(void **state)
{
	writ_error err = read_bad(*state, "{\n\"stdin\":{\"b64\":\"/w\"}}");

	assert_string_equal(err.message,
	    "stdin.b64 is not base64 with padding and without blanks");
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 16);
	err = read_bad(*state, "{\"stdin\":{\"b64\":\"\",\"x\":1}}");
	assert_string_equal(err.message,
	    "stdin: expected a string or {\"b64\":\"...\"}, got an object");
	err = read_bad(*state, "{\"stdin\":{\"b64\":7}}");
	assert_string_equal(
	    err.message, "stdin.b64: expected a string, got a number");
	(void)read_bad(*state, "{\"stdin\":{}}");
}

static void
a_later_stdin_replaces_the_earlier_one(void **state)
{
	const writ_request *request = read_ok(*state, "{\"stdin\":\"text\"}");

	set_ok(*state, "stdin_file", "input");
	assert_int_equal(request->stdin_kind, WRIT_STDIN_FILE);
	assert_string_equal(request->stdin_path, "input");
	assert_null(request->stdin_data);
	assert_int_equal(request->stdin_len, 0);
	set_ok(*state, "stdin", "");
	assert_int_equal(request->stdin_kind, WRIT_STDIN_DATA);
	assert_null(request->stdin_path);
}

static void
two_forms_of_stdin_in_one_document_are_refused(void **state)
{
	writ_error err =
	    read_bad(*state, "{\"stdin_file\":\"f\",\n \"stdin\":\"t\"}");

	assert_string_equal(
	    err.message, "'stdin_file' and 'stdin' cannot be given together");
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 2);
}

static void
argv_and_shell_are_refused_together(void **state)
{
	writ_error err =
	    read_bad(*state, "{\"argv\":[\"a\"],\n\"shell\":\"b\"}");

	assert_string_equal(
	    err.message, "'argv' and 'shell' cannot be given together");
	assert_int_equal(err.line, 2);
	(void)read_bad(*state, "{\"shell\":\"b\",\"argv\":[\"a\"]}");

	set_ok(*state, "shell", "ls | wc");
	err = set_bad(*state, "argv", "ls");
	assert_string_equal(
	    err.message, "'argv' and 'shell' cannot be given together");
	(void)read_bad(*state, "{\"argv\":[\"a\"]}");
	set_ok(*state, "shell", "ls");
	assert_string_equal(writ_draft_request(*state)->shell, "ls");
}

static void
an_unknown_key_is_refused_with_place_and_suggestion(void **state)
{
	writ_error err =
	    read_bad(*state, "{\"argv\":[\"a\"],\n  \"tiemout_ms\":1}");

	assert_string_equal(err.message, "unknown key 'tiemout_ms'");
	assert_string_equal(err.suggestion, "did you mean 'timeout_ms'?");
	assert_string_equal(err.stage, "request");
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 3);
	err = read_bad(*state, "{\"timeout\":1}");
	assert_string_equal(err.suggestion, "did you mean 'timeout_ms'?");
	err = read_bad(*state, "{\"command\":\"ls\"}");
	assert_string_equal(err.suggestion, "use 'argv' (a list) or 'shell'");
	err = read_bad(*state, "{\"zzzzzz\":1}");
	assert_string_equal(err.suggestion, "");
	err = read_bad(*state, "{\"argv\\u0000\":[\"a\"]}");
	assert_int_equal(err.line, 1);
	err = set_bad(*state, "env_mod", "clean");
	assert_string_equal(err.message, "unknown key 'env_mod'");
	assert_string_equal(err.suggestion, "did you mean 'env_mode'?");
	err = read_bad(*state, "{\"\":1}");
	assert_string_equal(err.message, "unknown key ''");
}

static void
a_refused_document_changes_nothing(void **state)
{
	const writ_request *request = read_ok(*state,
	    "{\"argv\":[\"a\",\"b\"],\"env\":{\"A\":\"1\"},\"cwd\":\"/\"}");
	const char *const *argv = request->argv;

	(void)read_bad(*state, "{\"argv\":[\"c\"],\"env\":{},\"cwd\":\"/tmp\","
			       "\"stdin\":\"x\",\"timeout_ms\":-1}");
	assert_ptr_equal(request->argv, argv);
	assert_list(request->argv, 2, "a", "b");
	assert_list(request->env, 1, "A=1");
	assert_string_equal(request->cwd, "/");
	assert_int_equal(request->stdin_kind, WRIT_STDIN_NULL);
}

static void
a_later_document_overrides_keys_and_replaces_lists(void **state)
{
	const writ_request *request = read_ok(*state,
	    "{\"argv\":[\"a\",\"b\"],\"env\":{\"A\":\"1\"},\"nice\":3}");

	request = read_ok(*state, "{\"argv\":[\"c\"],\"cwd\":\"/\"}");
	assert_list(request->argv, 1, "c");
	assert_list(request->env, 1, "A=1");
	assert_int_equal(request->nice, 3);
	request = read_ok(*state, "{\"env\":{}}");
	assert_list(request->env, 0);
	assert_list(request->argv, 1, "c");
	set_ok(*state, "argv", "d");
	assert_list(request->argv, 2, "c", "d");
}

static void
members_without_a_key_survive(void **state)
{
	writ_request *request = writ_draft_request(*state);

	request->stdin_kind = WRIT_STDIN_FD;
	request->stdin_fd = 7;
	request->output_ctx = state;
	request = read_ok(*state, "{\"argv\":[\"a\"],\"timeout_ms\":5}");
	set_ok(*state, "memory", "1G");
	assert_int_equal(request->stdin_kind, WRIT_STDIN_FD);
	assert_int_equal(request->stdin_fd, 7);
	assert_ptr_equal(request->output_ctx, state);
}

static void
many_words_make_one_list(void **state)
{
	const writ_request *request = writ_draft_request(*state);
	char word[16];

	for (unsigned i = 0; i < 5000; i++) {
		(void)snprintf(word, sizeof(word), "w%u", i);
		set_ok(*state, "argv", word);
	}
	for (unsigned i = 0; i < 5000; i++) {
		(void)snprintf(word, sizeof(word), "w%u", i);
		assert_string_equal(request->argv[i], word);
	}
	assert_null(request->argv[5000]);
}

static void
a_variable_set_twice_has_its_last_value(void **state)
{
	const writ_request *request =
	    read_ok(*state, "{\"env\":{\"A\":\"1\",\"AB\":\"2\"}}");

	set_ok(*state, "env", "A=3");
	set_ok(*state, "env", "B=4");
	assert_list(request->env, 3, "A=3", "AB=2", "B=4");
}

static void
variables_with_bad_names_are_refused(void **state)
{
	writ_error err = read_bad(*state, "{\"env\":{\"A=B\":\"1\"}}");

	assert_string_equal(err.message, "the name 'A=B' in env contains '='");
	assert_int_equal(err.column, 9);
	err = read_bad(*state, "{\"env\":{\"\":\"1\"}}");
	assert_string_equal(err.message, "a name in env is empty");
	err = read_bad(*state, "{\"env\":{\"A\\u0000\":\"1\"}}");
	assert_string_equal(err.message, "a name in env contains a NUL byte");
	err = read_bad(*state, "{\"env\":{\"A\":\"1\\u0000\"}}");
	assert_string_equal(err.message, "env.A contains a NUL byte");
	err = read_bad(*state, "{\"env\":{\"A\":1}}");
	assert_string_equal(
	    err.message, "env.A: expected a string, got a number");
	err = read_bad(*state, "{\"env\":[\"A=1\"]}");
	assert_string_equal(err.message,
	    "env: expected an object of names and strings, got a list");
	err = set_bad(*state, "env", "A");
	assert_string_equal(err.message, "env: expected NAME=VALUE, got 'A'");
	err = set_bad(*state, "env", "=1");
	assert_string_equal(
	    err.message, "env: the name before '=' is empty in '=1'");
}

static void
a_list_with_a_wrong_element_names_its_index(void **state)
{
	writ_error err = read_bad(*state, "{\"argv\":[\"a\",\"b\",3]}");

	assert_string_equal(
	    err.message, "argv[2]: expected a string, got a number");
	assert_int_equal(err.line, 1);
	assert_int_equal(err.column, 2);
	err = read_bad(*state, "{\"argv\":[\"a\",\n\"b\\u0000c\"]}");
	assert_string_equal(err.message, "argv[1] contains a NUL byte");
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 1);
	err = read_bad(*state, "{\"argv\":[\"\",\"b\"]}");
	assert_string_equal(err.message, "argv[0] must not be empty");
	err = read_bad(*state, "{\"roots\":[\"/a\",\"\"]}");
	assert_string_equal(err.message, "roots[1] must not be empty");
	err = set_bad(*state, "argv", "");
	assert_string_equal(err.message, "argv[0] must not be empty");
	err = set_bad(*state, "env_pass", "");
	assert_string_equal(err.message, "env_pass[0] must not be empty");
}

static void
an_empty_argv_is_refused(void **state)
{
	writ_error err = read_bad(*state, "{\"argv\":[]}");

	assert_string_equal(err.message, "argv must not be empty");
	err = read_bad(*state, "{\"roots\":[]}");
	assert_string_equal(err.message, "roots must not be empty");
	(void)read_ok(*state, "{\"env_pass\":[]}");
	assert_list(writ_draft_request(*state)->env_pass, 0);
}

static void
wrong_types_are_named(void **state)
{
	static const char *const cases[][2] = {
	    {"{\"argv\":\"ls\"}",
		"argv: expected a list of strings, got a string"},
	    {"{\"shell\":[\"ls\"]}", "shell: expected a string, got a list"},
	    {"{\"cwd\":null}", "cwd: expected a string, got null"},
	    {"{\"cwd\":\"\"}", "cwd must not be empty"},
	    {"{\"cwd\":\"/a\\u0000\"}", "cwd contains a NUL byte"},
	    {"{\"timeout_ms\":true}",
		"timeout_ms: expected milliseconds or a text like "
		"\"1h30m\", got true"},
	    {"{\"memory\":{}}",
		"memory: expected bytes or a text like \"64MiB\", "
		"got an object"},
	    {"{\"processes\":\"5\"}",
		"processes: expected a whole number, got a string"},
	    {"{\"umask\":22}", "umask: expected a string, got a number"},
	    {"{\"nice\":\"5\"}", "nice: expected a whole number, got a string"},
	    {"{\"tree\":1}", "tree: expected a string, got a number"},
	    {"{\"stdin\":5}", "stdin: expected a string or {\"b64\":\"...\"}, "
			      "got a number"},
	    {"{\"user\":-1}",
		"user: expected a name or a whole number from 0 to "
		"4294967294"},
	    {"[]", "the request: expected a JSON object, got a list"},
	    {"null", "the request: expected a JSON object, got null"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		writ_error err = read_bad(*state, cases[i][0]);
		assert_string_equal(err.message, cases[i][1]);
	}
}

static void
numbers_out_of_range_are_refused_with_the_range(void **state)
{
	static const char *const cases[][2] = {
	    {"{\"timeout_ms\":-5}",
		"timeout_ms: expected a whole number from 0 to "
		"315360000000, got -5"},
	    {"{\"timeout_ms\":1.5}",
		"timeout_ms: expected a whole number from 0 to "
		"315360000000, got 1.5"},
	    {"{\"timeout_ms\":315360000001}",
		"timeout_ms: expected a whole number from 0 to "
		"315360000000, got 315360000001"},
	    {"{\"memory\":18446744073709551615}",
		"memory: expected a whole number from 1 to "
		"1152921504606846976, got 18446744073709551615"},
	    {"{\"processes\":4194305}",
		"processes: expected a whole number from 1 to 4194304, "
		"got 4194305"},
	    {"{\"nice\":-21}",
		"nice: expected a whole number from -20 to 19, got -21"},
	    {"{\"nice\":20}",
		"nice: expected a whole number from -20 to 19, got 20"},
	    {"{\"nice\":1.0}",
		"nice: expected a whole number from -20 to 19, got 1.0"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		writ_error err = read_bad(*state, cases[i][0]);
		assert_string_equal(err.message, cases[i][1]);
		assert_int_equal(err.line, 1);
		assert_int_equal(err.column, 2);
	}
	(void)read_bad(*state, "{\"memory\":123456789012345678901234567890}");
}

static void
texts_that_are_no_numbers_are_refused(void **state)
{
	static const char *const pairs[][2] = {{"processes", ""},
	    {"processes", "-1"}, {"processes", "5x"}, {"processes", " 5"},
	    {"processes", "99999999999999999999"}, {"nice", "+1"},
	    {"nice", "-"}, {"nice", "20"}, {"umask", ""}, {"umask", "8"},
	    {"umask", "1000"}, {"umask", "00022"}, {"umask", "-1"},
	    {"timeout_ms", "30"}, {"timeout_ms", "soon"}, {"memory", "x"},
	    {"memory", "-1"}, {"memory", "2000000T"}, {"user", ""}};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		writ_error err = set_bad(*state, pairs[i][0], pairs[i][1]);
		assert_non_null(strstr(err.message, pairs[i][0]));
	}
	writ_error err = set_bad(*state, "processes", "5x");
	assert_string_equal(err.message,
	    "processes: expected a whole number from 1 to 4194304, got '5x'");
	err = set_bad(*state, "timeout_ms", "30");
	assert_true(err.suggestion[0] != '\0');
	err = set_bad(*state, "umask", "888");
	assert_string_equal(err.message,
	    "umask: expected octal digits from 000 to 777, got '888'");
}

static void
unknown_words_are_refused_with_a_suggestion(void **state)
{
	writ_error err = read_bad(*state, "{\"env_mode\":\"minmal\"}");

	assert_string_equal(err.message, "unknown environment mode 'minmal'");
	assert_string_equal(err.suggestion, "did you mean 'minimal'?");
	assert_int_equal(err.column, 13);
	err = set_bad(*state, "sandbox", "workspace");
	assert_string_equal(err.message, "unknown sandbox profile 'workspace'");
	assert_string_equal(err.suggestion, "'sandbox' can be none");
	err = set_bad(*state, "background", "");
	assert_string_equal(err.suggestion, "'background' can be kill|keep");
	assert_int_equal(
	    writ_draft_request(*state)->size, sizeof(writ_request));
}

static void
a_trace_id_is_short_and_printable(void **state)
{
	char id[130];

	memset(id, 'x', sizeof(id));
	id[128] = '\0';
	set_ok(*state, "trace_id", id);
	id[128] = 'x';
	id[129] = '\0';
	writ_error err = set_bad(*state, "trace_id", id);
	assert_string_equal(err.message,
	    "trace_id must be 1 to 128 printable ASCII characters");
	(void)set_bad(*state, "trace_id", "a\nb");
	(void)set_bad(*state, "trace_id", "\x7f");
	(void)set_bad(*state, "trace_id", "\xc3\xa4");
	(void)set_bad(*state, "trace_id", "");
}

static void
malformed_documents_are_refused(void **state)
{
	static const char *const texts[] = {"", " ", "{", "{\"argv\":[\"a\"],}",
	    "{\"argv\":[\"a\"]} x", "{'argv':[]}", "// x\n{}",
	    "{\"cwd\":\"\xff\"}", "{\"cwd\":\"/\",\"cwd\":\"/\"}",
	    "{\"env\":{\"A\":\"1\",\"A\":\"2\"}}", "{\"cwd\":\"\\ud800\"}"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		(void)read_bad(*state, texts[i]);
}

static void
a_deep_document_is_refused(void **state)
{
	char text[256] = "{\"argv\":";

	memset(text + strlen(text), '[', 200);
	writ_error err = read_bad(*state, text);
	assert_non_null(strstr(err.message, "deep"));
}

static void
an_oversized_document_is_refused(void **state)
{
	const size_t len = WRIT_REQUEST_MAX + 1;
	char *text = malloc(len);
	writ_error err;

	assert_non_null(text);
	memset(text, ' ', len);
	assert_int_equal(
	    writ_draft_read_json(*state, text, len, &err), WRIT_E_INVALID);
	assert_true(err.message[0] != '\0');
	free(text);
}

static void
errors_need_not_be_wanted(void **state)
{
	assert_int_equal(
	    writ_draft_read_json(*state, "{\"x\":1}", 7, NULL), WRIT_E_INVALID);
	assert_int_equal(
	    writ_draft_read_json(*state, "{\"nice\":-99}", 12, NULL),
	    WRIT_E_INVALID);
	assert_int_equal(
	    writ_draft_set(*state, "memory", "x", NULL), WRIT_E_INVALID);
	assert_int_equal(
	    writ_draft_set(*state, "tree", "x", NULL), WRIT_E_INVALID);
	writ_draft_free(NULL);
}

#define TEST(function) \
	cmocka_unit_test_setup_teardown(function, make_draft, drop_draft)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_new_draft_is_the_empty_request),
	    TEST(every_key_can_be_read_from_json),
	    TEST(every_key_can_be_set_from_text),
	    TEST(the_table_lists_each_key_once_with_its_help),
	    TEST(a_zero_is_kept_where_it_means_something),
	    TEST(a_limit_of_zero_is_refused),
	    TEST(stdin_can_be_bytes_in_base64),
	    TEST(stdin_that_is_not_base64_is_refused),
	    TEST(a_later_stdin_replaces_the_earlier_one),
	    TEST(two_forms_of_stdin_in_one_document_are_refused),
	    TEST(argv_and_shell_are_refused_together),
	    TEST(an_unknown_key_is_refused_with_place_and_suggestion),
	    TEST(a_refused_document_changes_nothing),
	    TEST(a_later_document_overrides_keys_and_replaces_lists),
	    TEST(members_without_a_key_survive),
	    TEST(many_words_make_one_list),
	    TEST(a_variable_set_twice_has_its_last_value),
	    TEST(variables_with_bad_names_are_refused),
	    TEST(a_list_with_a_wrong_element_names_its_index),
	    TEST(an_empty_argv_is_refused),
	    TEST(wrong_types_are_named),
	    TEST(numbers_out_of_range_are_refused_with_the_range),
	    TEST(texts_that_are_no_numbers_are_refused),
	    TEST(unknown_words_are_refused_with_a_suggestion),
	    TEST(a_trace_id_is_short_and_printable),
	    TEST(malformed_documents_are_refused),
	    TEST(a_deep_document_is_refused),
	    TEST(an_oversized_document_is_refused),
	    TEST(errors_need_not_be_wanted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
