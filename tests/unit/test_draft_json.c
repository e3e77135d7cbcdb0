/* SPDX-License-Identifier: Apache-2.0 */
#include "draft_check.h"

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

/* A second document cannot uncover what the first one has hidden. */
static void
secrets_are_added_never_replaced(void **state)
{
	set_ok(*state, "secrets", "one");
	read_ok(*state, "{\"secrets\":[\"two\",\"three\"]}");
	read_ok(*state, "{\"secrets\":[]}");
	set_ok(*state, "secrets", "four");
	const char *const *secrets = writ_draft_request(*state)->secrets;
	assert_string_equal(secrets[0], "one");
	assert_string_equal(secrets[1], "two");
	assert_string_equal(secrets[2], "three");
	assert_string_equal(secrets[3], "four");
	assert_null(secrets[4]);
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
	assert_string_equal(
	    err.suggestion, "'argv' (a list) or 'shell' (a string)");
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
	err = set_bad(*state, "network", "loopbak");
	assert_string_equal(err.message, "unknown network mode 'loopbak'");
	assert_string_equal(err.suggestion, "did you mean 'loopback'?");
	err = set_bad(*state, "background", "");
	assert_string_equal(err.suggestion, "kill|keep|wait");
	assert_int_equal(
	    writ_draft_request(*state)->size, sizeof(writ_request));
}

static void
hosts_are_checked_where_they_stand(void **state)
{
	writ_error err = read_bad(*state,
	    "{\"hosts\":[\"a.example\",\n\"https://b.example:8443/x\"]}");

	assert_non_null(strstr(err.message,
	    "hosts[1]: host 'https://b.example:8443/x': a host has no scheme "
	    "and no path"));
	assert_string_equal(err.suggestion, "did you mean 'b.example:8443'?");
	assert_int_equal(err.line, 2);
	err = set_bad(*state, "hosts", "");
	assert_non_null(strstr(err.message, "it is empty"));
	err = set_bad(*state, "hosts", "@nmp");
	assert_string_equal(err.suggestion, "did you mean '@npm'?");
}

static void
paths_of_a_sandbox_are_checked_where_they_stand(void **state)
{
	static const char *const lists[] = {"read", "write", "hide"};

	for (size_t i = 0; i < 3; i++) {
		char text[64];

		(void)snprintf(
		    text, sizeof(text), "{\"%s\":[\"a\",\"\"]}", lists[i]);
		writ_error err = read_bad(*state, text);
		assert_non_null(strstr(err.message, "[1] must not be empty"));
		(void)snprintf(
		    text, sizeof(text), "{\"%s\":[\"a\\nb\"]}", lists[i]);
		err = read_bad(*state, text);
		assert_non_null(strstr(err.message, "[0] has a newline in it"));
		assert_int_equal(err.line, 1);
		assert_true(err.column > 5);
		err = set_bad(*state, lists[i], "a\nb");
		assert_non_null(strstr(err.message, "newline"));
		(void)set_bad(*state, lists[i], "");
	}
	(void)read_bad(*state, "{\"read\":\"a\"}");
	(void)read_bad(*state, "{\"sandbox\":\"\"}");
	(void)read_bad(*state, "{\"tmp_size\":0}");
}

static void
a_switch_is_true_or_false_and_nothing_else(void **state)
{
	writ_error err = read_bad(*state, "{\"best_effort\":1}");

	assert_string_equal(
	    err.message, "best_effort: expected true or false, got a number");
	(void)read_bad(*state, "{\"best_effort\":\"true\"}");
	(void)read_bad(*state, "{\"best_effort\":null}");
	err = set_bad(*state, "best_effort", "yes");
	assert_string_equal(
	    err.message, "best_effort: expected true or false, got 'yes'");
	assert_true(read_ok(*state, "{\"best_effort\":true}")->best_effort);
	assert_false(read_ok(*state, "{\"best_effort\":false}")->best_effort);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_limit_of_zero_is_refused),
	    TEST(secrets_are_added_never_replaced),
	    TEST(stdin_that_is_not_base64_is_refused),
	    TEST(two_forms_of_stdin_in_one_document_are_refused),
	    TEST(argv_and_shell_are_refused_together),
	    TEST(an_unknown_key_is_refused_with_place_and_suggestion),
	    TEST(a_refused_document_changes_nothing),
	    TEST(variables_with_bad_names_are_refused),
	    TEST(a_list_with_a_wrong_element_names_its_index),
	    TEST(an_empty_argv_is_refused),
	    TEST(wrong_types_are_named),
	    TEST(numbers_out_of_range_are_refused_with_the_range),
	    TEST(texts_that_are_no_numbers_are_refused),
	    TEST(unknown_words_are_refused_with_a_suggestion),
	    TEST(hosts_are_checked_where_they_stand),
	    TEST(paths_of_a_sandbox_are_checked_where_they_stand),
	    TEST(a_switch_is_true_or_false_and_nothing_else),
	    TEST(a_trace_id_is_short_and_printable),
	    TEST(malformed_documents_are_refused),
	    TEST(a_deep_document_is_refused),
	    TEST(an_oversized_document_is_refused),
	    TEST(errors_need_not_be_wanted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
