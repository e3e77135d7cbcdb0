/* SPDX-License-Identifier: Apache-2.0 */
#include "draft_check.h"

#include "engine/request/draft_fields.h"

static void
a_new_draft_is_the_empty_request(void **state)
{
	const writ_request empty = WRIT_REQUEST_INIT;

	assert_memory_equal(writ_draft_request(*state), &empty, sizeof(empty));
}

static void
every_key_can_be_read_from_json(void **state)
{
	static const char text[] =
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
	    "\"trace_id\":\"t-1 ~\",\"sandbox\":\"strict\","
	    "\"read\":[\"a\"],\"write\":[\"b\",\"c\"],\"hide\":[\"~/d\"],"
	    "\"network\":\"loopback\",\"hosts\":[\"a.example:443\"],"
	    "\"tmp\":\"disk\",\"tmp_size\":\"5MiB\","
	    "\"undo\":\"trial\",\"stays\":true,"
	    "\"best_effort\":true,\"explain_denials\":true,"
	    "\"agent\":\"me 2\",\"secrets\":[\"s1\",\"\\n\"],"
	    "\"keep\":\"2MiB\",\"approval\":\"0123456789abcdef\","
	    "\"session\":\"s 1\",\"pty\":true,\"rows\":50,"
	    "\"columns\":132,\"description\":\"why\"}";
	const writ_request *request = read_ok(*state, text);
	size_t count;
	const struct w_draft_field *fields = w_draft_fields(&count);

	/* Of two keys that exclude each other one is enough. */
	for (size_t i = 0; i < count; i++) {
		char key[64];

		(void)snprintf(key, sizeof(key), "\"%s\":", fields[i].name);
		if (strstr(text, key) == NULL && fields[i].excludes == NULL)
			fail_msg("the key '%s' is not tried", fields[i].name);
	}
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
	assert_string_equal(request->sandbox, "strict");
	assert_list(request->read, 1, "a");
	assert_list(request->write, 2, "b", "c");
	assert_list(request->hide, 1, "~/d");
	assert_list(request->hosts, 1, "a.example:443");
	assert_int_equal(request->network, WRIT_NETWORK_LOOPBACK);
	assert_int_equal(request->tmp, WRIT_TMP_DISK);
	assert_int_equal(request->undo, WRIT_UNDO_TRIAL);
	assert_true(request->stays);
	assert_int_equal(request->tmp_size, 5 << 20);
	assert_true(request->best_effort);
	assert_true(request->explain_denials);
	assert_string_equal(request->agent, "me 2");
	assert_list(request->secrets, 2, "s1", "\n");
	assert_int_equal(request->keep, 2 << 20);
	assert_string_equal(request->approval, "0123456789abcdef");
	assert_string_equal(request->session, "s 1");
	assert_string_equal(request->description, "why");
	assert_true(request->pty);
	assert_int_equal(request->rows, 50);
	assert_int_equal(request->columns, 132);
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
	    {"sandbox", "./mine.yaml"}, {"read", "/a"}, {"read", "b"},
	    {"write", "."}, {"hide", "~/x"}, {"network", "host"},
	    {"hosts", "*.b.example"}, {"tmp", "memory"}, {"undo", "auto"},
	    {"stays", "true"}, {"tmp_size", "1K"}, {"best_effort", "true"},
	    {"explain_denials", "true"}, {"explain_denials", "false"},
	    {"agent", "ci"}, {"secrets", "x"}, {"secrets", "y"}, {"keep", "0"},
	    {"approval", "a1"}, {"session", "s2"}, {"pty", "true"},
	    {"rows", "1"}, {"columns", "2"}, {"description", "why"}};
	const writ_request *request = writ_draft_request(*state);
	size_t count;
	const struct w_draft_field *fields = w_draft_fields(&count);

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		set_ok(*state, pairs[i][0], pairs[i][1]);
	for (size_t i = 0; i < count; i++) {
		size_t at = 0;

		while (at < sizeof(pairs) / sizeof(pairs[0]) &&
		       strcmp(pairs[at][0], fields[i].name) != 0)
			at++;
		if (at == sizeof(pairs) / sizeof(pairs[0]) &&
		    fields[i].excludes == NULL)
			fail_msg("the key '%s' is not tried", fields[i].name);
	}
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
	assert_string_equal(request->sandbox, "./mine.yaml");
	assert_list(request->read, 2, "/a", "b");
	assert_list(request->write, 1, ".");
	assert_list(request->hide, 1, "~/x");
	assert_list(request->hosts, 1, "*.b.example");
	assert_int_equal(request->network, WRIT_NETWORK_HOST);
	assert_int_equal(request->tmp, WRIT_TMP_MEMORY);
	assert_int_equal(request->undo, WRIT_UNDO_AUTO);
	assert_true(request->stays);
	assert_int_equal(request->tmp_size, 1024);
	assert_true(request->best_effort);
	assert_false(request->explain_denials);
	assert_string_equal(request->agent, "ci");
	assert_list(request->secrets, 2, "x", "y");
	assert_true(request->keep == WRIT_ZERO);
	assert_string_equal(request->approval, "a1");
	assert_string_equal(request->session, "s2");
	assert_string_equal(request->description, "why");
	assert_true(request->pty);
	assert_int_equal(request->rows, 1);
	assert_int_equal(request->columns, 2);
}

static void
the_table_lists_each_key_once_with_its_help(void **state)
{
	size_t count;
	const writ_key *keys = writ_draft_keys(&count);

	(void)state;
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
a_later_document_overrides_keys_and_replaces_lists(void **state)
{
	const writ_request *request = read_ok(*state,
	    "{\"argv\":[\"a\",\"b\"],\"env\":{\"A\":\"1\"},\"nice\":3}");

	(void)read_ok(*state, "{\"argv\":[\"c\"],\"cwd\":\"/\"}");
	assert_list(request->argv, 1, "c");
	assert_list(request->env, 1, "A=1");
	assert_int_equal(request->nice, 3);
	(void)read_ok(*state, "{\"env\":{}}");
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_new_draft_is_the_empty_request),
	    TEST(every_key_can_be_read_from_json),
	    TEST(every_key_can_be_set_from_text),
	    TEST(the_table_lists_each_key_once_with_its_help),
	    TEST(a_zero_is_kept_where_it_means_something),
	    TEST(stdin_can_be_bytes_in_base64),
	    TEST(a_later_stdin_replaces_the_earlier_one),
	    TEST(a_later_document_overrides_keys_and_replaces_lists),
	    TEST(members_without_a_key_survive),
	    TEST(many_words_make_one_list),
	    TEST(a_variable_set_twice_has_its_last_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
