/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>

#include "base/buf.h"
#include "engine/request/request_reader.h"
#include "temp.h"

#define WORDS_MAX 64

static writ_config *config;
static struct temp place;

/* A reader with its last results. */
struct told {
	struct w_request_reader reader;
	struct w_redactor redactor;
	const char *module;
	writ_request request;
};

static void
ask(struct told *told, const char *const *argv)
{
	const writ_request standard = WRIT_REQUEST_INIT;

	told->request = standard;
	told->request.argv = argv;
	told->redactor.count = 0;
	assert_int_equal(w_request_read(&told->reader, config, &told->request,
			     &told->redactor, &told->module, NULL),
	    WRIT_OK);
}

static void
done(struct told *told)
{
	w_redactor_done(&told->redactor);
	w_request_reader_done(&told->reader);
}

/* The argv as a record would show it. */
static void
shows(struct told *told, const char *expected)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 65536);
	for (size_t i = 0; told->request.argv[i] != NULL; i++)
		w_redact_add_word(
		    &told->redactor, &buf, told->request.argv[i], i);
	assert_false(buf.failed);
	assert_string_equal(buf.data, expected);
}

static void
describe(const char *program, const char *text)
{
	char name[128];

	(void)mkdir(temp_path(&place, "config"), 0700);
	(void)mkdir(temp_path(&place, "config/modules"), 0700);
	(void)snprintf(
	    name, sizeof(name), "config/modules/%s.command.yaml", program);
	FILE *file = fopen(temp_path(&place, name), "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(temp_path(&place, name), 0600), 0);
}

static void
secrets_are_told_with_the_module(void **state)
{
	static const char *const words[] = {"/usr/bin/env", "A_TOKEN=pw",
	    "curl", "-u", "me:pw", "http://h/pw", NULL};
	struct told told = {.module = NULL};

	(void)state;
	ask(&told, words);
	assert_string_equal(told.module, "cli.env");
	shows(&told, "\"/usr/bin/env\"\"A_TOKEN=[secret]\"\"curl\"\"-u\""
		     "\"[secret]\"\"http://h/pw\"");
	done(&told);
}

static void
a_shell_string_has_places_too(void **state)
{
	struct told told = {.module = "x"};
	const writ_request standard = WRIT_REQUEST_INIT;
	W_AUTO_BUF struct w_buf buf;

	(void)state;
	told.request = standard;
	told.request.shell = "ls && curl -u 'me:pw' h";
	assert_int_equal(w_request_read(&told.reader, config, &told.request,
			     &told.redactor, &told.module, NULL),
	    WRIT_OK);
	assert_null(told.module);
	w_buf_init(&buf, 1024);
	w_redact_add_word(
	    &told.redactor, &buf, told.request.shell, W_REDACT_SHELL);
	assert_string_equal(buf.data, "\"ls && curl -u '[secret]' h\"");
	done(&told);
}

static void
many_secrets_go_where_they_stand(void **state)
{
	static char texts[WORDS_MAX][24];
	const char *words[WORDS_MAX + 2] = {"no-such-program"};
	struct told told = {.module = NULL};

	(void)state;
	for (size_t i = 0; i < WORDS_MAX; i++) {
		(void)snprintf(
		    texts[i], sizeof(texts[i]), "--token=abcdef%02zu", i);
		words[i + 1] = texts[i];
	}
	ask(&told, words);
	assert_null(told.module);
	assert_true(told.redactor.count <= W_REQUEST_VALUES_MAX);
	for (size_t i = 1; i < told.redactor.span_count; i++)
		assert_true(told.redactor.spans[i - 1].word <=
			    told.redactor.spans[i].word);
	words[3] = NULL;
	shows(&told, "\"no-such-program\"\"--token=[secret]\""
		     "\"--token=[secret]\"");
	done(&told);
}

static void
a_program_is_looked_for_once(void **state)
{
	static const char *const words[] = {"our-tool", "--pin", "4711", NULL};
	struct told told = {.module = NULL};
	struct told other = {.module = NULL};

	(void)state;
	ask(&told, words);
	assert_null(told.module);
	describe("our-tool", "command: our-tool\nabout: Ours\n"
			     "options:\n  --pin <secret>: hidden\n"
			     "effects: []\n");
	ask(&told, words);
	assert_null(told.module);
	ask(&other, words);
	assert_string_equal(other.module, "cli.our_tool");
	shows(&other, "\"our-tool\"\"--pin\"\"[secret]\"");
	done(&told);
	done(&other);
}

static void
a_file_that_is_wrong_leaves_what_is_built_in(void **state)
{
	static const char *const words[] = {
	    "curl", "-u", "me:pw", "http://h/", NULL};
	struct told told = {.module = NULL};

	(void)state;
	describe("curl", "command: [\n");
	ask(&told, words);
	assert_null(told.module);
	shows(&told, "\"curl\"\"-u\"\"[secret]\"\"http://h/\"");
	done(&told);
}

static void
another_name_leads_to_the_program(void **state)
{
	static const char *const words[] = {"fetch", "-u", "me:pw", "h", NULL};
	static const char *const round[] = {"ring", "x", NULL};
	struct told told = {.module = NULL};

	(void)state;
	describe("fetch", "command: fetch\nabout: Ours\nsame_as: curl\n");
	describe("ring", "command: ring\nabout: Ours\nsame_as: ring\n");
	ask(&told, words);
	assert_string_equal(told.module, "cli.curl");
	shows(&told, "\"fetch\"\"-u\"\"[secret]\"\"h\"");
	ask(&told, round);
	assert_null(told.module);
	done(&told);
}

static void
names_that_nobody_knows_are_not_all_remembered(void **state)
{
	struct told told = {.module = NULL};
	char name[32];
	const char *words[] = {name, NULL};

	(void)state;
	for (int i = 0; i < 2000; i++) {
		(void)snprintf(name, sizeof(name), "no-such-%d", i);
		ask(&told, words);
		assert_null(told.module);
	}
	assert_true(told.reader.known.by_name.count < 1000);
	done(&told);
}

static void *
ask_often(void *unused)
{
	static const char *const words[] = {
	    "timeout", "1", "curl", "-u", "me:pw", "h", NULL};
	struct told told = {.module = NULL};

	(void)unused;
	for (int i = 0; i < 50; i++)
		ask(&told, words);
	void *good = told.module != NULL && told.redactor.span_count > 0
			 ? &config
			 : NULL;
	done(&told);
	return good;
}

static void
threads_have_readers_of_their_own(void **state)
{
	pthread_t threads[4];

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(
		    pthread_create(&threads[i], NULL, ask_often, NULL), 0);
	for (size_t i = 0; i < 4; i++) {
		void *good = NULL;

		assert_int_equal(pthread_join(threads[i], &good), 0);
		assert_non_null(good);
	}
}

static int
set_up(void **state)
{
	(void)state;
	temp_open(&place);
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	assert_int_equal(writ_config_set(config, "config_dir",
			     temp_path(&place, "config"), NULL),
	    WRIT_OK);
	assert_int_equal(writ_config_set(config, "system_dir",
			     temp_path(&place, "system"), NULL),
	    WRIT_OK);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	writ_config_free(config);
	temp_close(&place);
	return 0;
}

#define PLACED(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    PLACED(secrets_are_told_with_the_module),
	    PLACED(a_shell_string_has_places_too),
	    PLACED(many_secrets_go_where_they_stand),
	    PLACED(a_program_is_looked_for_once),
	    PLACED(a_file_that_is_wrong_leaves_what_is_built_in),
	    PLACED(another_name_leads_to_the_program),
	    PLACED(names_that_nobody_knows_are_not_all_remembered),
	    PLACED(threads_have_readers_of_their_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
