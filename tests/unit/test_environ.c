/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/resolve/environ.h"

static char *const host_env[] = {(char[]){"HOME=/home/u"}, (char[]){"USER=u"},
    (char[]){"LOGNAME=u"}, (char[]){"PATH=/bin"}, (char[]){"LANG=de_DE.UTF-8"},
    (char[]){"LC_ALL=de_DE.UTF-8"}, (char[]){"TERM=xterm"},
    (char[]){"SHELL=/bin/zsh"}, (char[]){"EMPTY="}, (char[]){"EQUALS=a=b"},
    (char[]){"LD_PRELOAD=/evil.so"}, (char[]){"BASH_ENV=/evil"},
    (char[]){"PYTHONPATH=/evil"}, (char[]){"GIT_SSH_COMMAND=evil"},
    (char[]){"APCORE_MODE=1"}, (char[]){"APCORE_API_KEY=s3cret"},
    (char[]){"WRIT_MODULE_X=2"}, (char[]){"WRIT_MODULE_TOKEN=s3cret"},
    (char[]){"=C:=odd"}, (char[]){"NOVALUE"}, NULL};

static const struct w_identity nobody_set = {0};

/* Builds, and checks that every name occurs once and has a value. */
static void
build_from(
    char *const *inherited, const writ_request *request, struct w_words *out)
{
	struct w_identity self = nobody_set;

	self.uid = geteuid();
	const struct w_environ_sources sources = {
	    .inherited = inherited,
	    .identity = &self,
	    .private_dir =
		request->env_mode == WRIT_ENV_ISOLATED ? "/private" : NULL,
	};
	*out = (struct w_words){0};
	assert_int_equal(
	    w_environ_build(request, &sources, out, NULL), WRIT_OK);
	for (size_t i = 0; i < out->count; i++) {
		size_t len = strcspn(out->items[i], "=");

		assert_true(len > 0 && out->items[i][len] == '=');
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(
			    strncmp(out->items[i], out->items[j], len + 1), 0);
	}
}

static void
build(const writ_request *request, struct w_words *out)
{
	build_from(host_env, request, out);
}

static writ_request
request_of(writ_env_mode mode)
{
	writ_request request = WRIT_REQUEST_INIT;

	request.env_mode = mode;
	return request;
}

static void
expect(const struct w_words *env, const char *name, const char *value)
{
	const char *got = w_environ_get(env->items, name);

	if (value == NULL) {
		assert_null(got);
		return;
	}
	assert_non_null(got);
	assert_string_equal(got, value);
}

static void
expect_no_code_runners(const struct w_words *env)
{
	for (size_t i = 0; i < env->count; i++) {
		size_t len = strcspn(env->items[i], "=");
		char *name = strndup(env->items[i], len);

		assert_non_null(name);
		assert_false(w_environ_runs_code(name));
		free(name);
	}
}

static void
minimal_is_six_variables(void **state)
{
	writ_request request = request_of(WRIT_ENV_MINIMAL);
	struct w_words env;

	(void)state;
	build(&request, &env);
	assert_int_equal(env.count, 6);
	expect(&env, "HOME", "/home/u");
	expect(&env, "USER", "u");
	expect(&env, "LOGNAME", "u");
	expect(&env, "PATH", "/bin");
	expect(&env, "LANG", "de_DE.UTF-8");
	expect(&env, "TERM", "dumb");
	w_words_done(&env);
}

static void
clean_takes_the_path_and_the_account_and_speaks_c(void **state)
{
	writ_request request = request_of(WRIT_ENV_CLEAN);
	struct w_account account;
	struct w_words env;

	(void)state;
	assert_int_equal(w_account_find(geteuid(), &account, NULL), WRIT_OK);
	build(&request, &env);
	expect(&env, "PATH", "/bin");
	expect(&env, "LANG", "C");
	expect(&env, "LC_ALL", "C");
	expect(&env, "HOME", account.home);
	expect(&env, "USER", account.name);
	expect(&env, "LOGNAME", account.name);
	expect(&env, "SHELL", account.shell);
	expect(&env, "TERM", NULL);
	assert_int_equal(env.count, account.name == NULL ? 3 : 7);
	w_words_done(&env);
	w_account_done(&account);
}

static void
isolated_has_a_private_home_and_no_secrets(void **state)
{
	writ_request request = request_of(WRIT_ENV_ISOLATED);
	struct w_words env;

	(void)state;
	build(&request, &env);
	expect(&env, "PATH", "/bin");
	expect(&env, "LANG", "de_DE.UTF-8");
	expect(&env, "LC_ALL", "de_DE.UTF-8");
	expect(&env, "HOME", "/private");
	expect(&env, "TMPDIR", "/private");
	expect(&env, "APCORE_MODE", "1");
	expect(&env, "WRIT_MODULE_X", "2");
	expect(&env, "APCORE_API_KEY", NULL);
	expect(&env, "WRIT_MODULE_TOKEN", NULL);
	assert_int_equal(env.count, 7);
	w_words_done(&env);
}

static void
inherit_takes_all_but_what_runs_code(void **state)
{
	writ_request request = request_of(WRIT_ENV_INHERIT);
	struct w_words env;

	(void)state;
	build(&request, &env);
	expect(&env, "TERM", "xterm");
	expect(&env, "SHELL", "/bin/zsh");
	expect(&env, "EMPTY", "");
	expect(&env, "EQUALS", "a=b");
	expect(&env, "APCORE_API_KEY", "s3cret");
	expect(&env, "LD_PRELOAD", NULL);
	expect(&env, "GIT_SSH_COMMAND", NULL);
	expect_no_code_runners(&env);
	assert_int_equal(env.count, 14);
	w_words_done(&env);
}

static void
patterns_pass_more_but_never_what_runs_code(void **state)
{
	static const char *const pass[] = {"S*", "LD_*", "*", NULL};
	writ_request request = request_of(WRIT_ENV_MINIMAL);
	struct w_words env;

	(void)state;
	request.env_pass = pass;
	build(&request, &env);
	expect(&env, "SHELL", "/bin/zsh");
	expect(&env, "EMPTY", "");
	expect_no_code_runners(&env);
	w_words_done(&env);
}

static void
what_runs_code_passes_when_named_in_full(void **state)
{
	static const char *const pass[] = {"BASH_ENV", "PYTHON*", NULL};
	writ_request request = request_of(WRIT_ENV_MINIMAL);
	struct w_words env;

	(void)state;
	request.env_pass = pass;
	build(&request, &env);
	expect(&env, "BASH_ENV", "/evil");
	expect(&env, "PYTHONPATH", NULL);
	expect(&env, "LD_PRELOAD", NULL);
	w_words_done(&env);
}

static void
what_runs_code_passes_when_set(void **state)
{
	static const char *const set[] = {"LD_PRELOAD=/mine.so", NULL};

	(void)state;
	for (writ_env_mode mode = WRIT_ENV_MINIMAL; mode <= WRIT_ENV_INHERIT;
	     mode++) {
		writ_request request = request_of(mode);
		struct w_words env;

		request.env = set;
		build(&request, &env);
		expect(&env, "LD_PRELOAD", "/mine.so");
		w_words_done(&env);
	}
}

static void
secrets_pass_isolated_when_asked_for(void **state)
{
	static const char *const pass[] = {"APCORE_API_*", NULL};
	writ_request request = request_of(WRIT_ENV_ISOLATED);
	struct w_words env;

	(void)state;
	request.env_pass = pass;
	build(&request, &env);
	expect(&env, "APCORE_API_KEY", "s3cret");
	expect(&env, "WRIT_MODULE_TOKEN", NULL);
	w_words_done(&env);
}

static void
dropping_outweighs_passing_and_setting_outweighs_dropping(void **state)
{
	static const char *const pass[] = {"SHELL", "EMPTY", NULL};
	static const char *const drop[] = {"SHELL", "H*", "LANG", NULL};
	static const char *const set[] = {"LANG=C", "NEW=1", NULL};
	writ_request request = request_of(WRIT_ENV_MINIMAL);
	struct w_words env;

	(void)state;
	request.env_pass = pass;
	request.env_drop = drop;
	request.env = set;
	build(&request, &env);
	expect(&env, "SHELL", NULL);
	expect(&env, "HOME", NULL);
	expect(&env, "EMPTY", "");
	expect(&env, "LANG", "C");
	expect(&env, "NEW", "1");
	w_words_done(&env);
}

static void
later_settings_of_a_name_replace_earlier_ones(void **state)
{
	static const char *const set[] = {
	    "A=1", "AB=2", "A=3", "TERM=vt100", "A=", NULL};
	writ_request request = request_of(WRIT_ENV_MINIMAL);
	struct w_words env;

	(void)state;
	request.env = set;
	build(&request, &env);
	expect(&env, "A", "");
	expect(&env, "AB", "2");
	expect(&env, "TERM", "vt100");
	w_words_done(&env);
}

static void
a_path_is_there_even_where_the_host_has_none(void **state)
{
	static const char *const drop[] = {"PATH", NULL};
	char *const empty[] = {NULL};
	struct w_words env;

	(void)state;
	for (writ_env_mode mode = WRIT_ENV_MINIMAL; mode <= WRIT_ENV_INHERIT;
	     mode++) {
		writ_request request = request_of(mode);

		build_from(empty, &request, &env);
		assert_non_null(
		    strstr(w_environ_get(env.items, "PATH"), "/usr/bin"));
		w_words_done(&env);
		request.env_drop = drop;
		build(&request, &env);
		expect(&env, "PATH", NULL);
		w_words_done(&env);
	}
}

static void
names_that_occur_twice_in_the_host_occur_once(void **state)
{
	char *const twice[] = {
	    (char[]){"PATH=/a"}, (char[]){"X=1"}, (char[]){"X=2"}, NULL};
	writ_request request = request_of(WRIT_ENV_INHERIT);
	struct w_words env;

	(void)state;
	build_from(twice, &request, &env);
	assert_int_equal(env.count, 2);
	w_words_done(&env);
}

static void
well_known_variables_that_run_code_are_known(void **state)
{
	static const char *const bad[] = {"LD_PRELOAD", "LD_LIBRARY_PATH",
	    "LD_AUDIT", "GCONV_PATH", "BASH_ENV", "ENV", "BASH_FUNC_ls%%",
	    "SHELLOPTS", "PS4", "IFS", "PROMPT_COMMAND", "GIT_SSH_COMMAND",
	    "GIT_SSH", "GIT_PAGER", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_COUNT",
	    "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PERL5LIB", "PERL5OPT",
	    "RUBYOPT", "RUBYLIB", "NODE_OPTIONS", "NODE_PATH",
	    "JAVA_TOOL_OPTIONS", "CLASSPATH", "LUA_INIT", "LESSOPEN", "PAGER",
	    "EDITOR", "MAKEFLAGS", "OPENSSL_CONF", "TERMINFO"};
	static const char *const good[] = {"PATH", "HOME", "USER", "LANG",
	    "LC_ALL", "TERM", "TZ", "SHELL", "LD", "ENVIRONMENT", "XENV",
	    "GITHUB_SHA", "MYPAGER", "TMPDIR", ""};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_true(w_environ_runs_code(bad[i]));
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_false(w_environ_runs_code(good[i]));
}

static void
a_value_is_looked_up_by_its_whole_name(void **state)
{
	char *const env[] = {
	    (char[]){"AB=1"}, (char[]){"A=2"}, (char[]){"C"}, NULL};

	(void)state;
	assert_string_equal(w_environ_get(env, "A"), "2");
	assert_string_equal(w_environ_get(env, "AB"), "1");
	assert_null(w_environ_get(env, "B"));
	assert_null(w_environ_get(env, "C"));
	assert_null(w_environ_get(NULL, "A"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(minimal_is_six_variables),
	    cmocka_unit_test(clean_takes_the_path_and_the_account_and_speaks_c),
	    cmocka_unit_test(isolated_has_a_private_home_and_no_secrets),
	    cmocka_unit_test(inherit_takes_all_but_what_runs_code),
	    cmocka_unit_test(patterns_pass_more_but_never_what_runs_code),
	    cmocka_unit_test(what_runs_code_passes_when_named_in_full),
	    cmocka_unit_test(what_runs_code_passes_when_set),
	    cmocka_unit_test(secrets_pass_isolated_when_asked_for),
	    cmocka_unit_test(
		dropping_outweighs_passing_and_setting_outweighs_dropping),
	    cmocka_unit_test(later_settings_of_a_name_replace_earlier_ones),
	    cmocka_unit_test(a_path_is_there_even_where_the_host_has_none),
	    cmocka_unit_test(names_that_occur_twice_in_the_host_occur_once),
	    cmocka_unit_test(well_known_variables_that_run_code_are_known),
	    cmocka_unit_test(a_value_is_looked_up_by_its_whole_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
