/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <writ/config.h>
#include <writ/writ.h>

#include "engine/config/config_state.h"

static const char *const variables[] = {"WRIT_CONFIG_DIR", "WRIT_SYSTEM_DIR",
    "WRIT_STATE_DIR", "WRIT_CACHE_DIR", "WRIT_SPILL_DIR", "XDG_CONFIG_HOME",
    "XDG_STATE_HOME", "XDG_CACHE_HOME", "WRIT_AUDIT_DURABILITY",
    "WRIT_AUDIT_FAILURE", "WRIT_AUDIT_KEY", "WRIT_AUDIT_SIGN_KEY",
    "WRIT_AUDIT_SEGMENT", "WRIT_OUTPUTS_AGE", "WRIT_OUTPUTS_SIZE",
    "WRIT_OUTPUT_KEEP", "WRIT_UNDO_AGE", "WRIT_UNDO_SIZE", "WRIT_MODULES",
    "WRIT_POLICY"};

/* A user id that is in no user database. */
#define NOBODY_AT_ALL 3999999999U

static int
clear_variables(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		(void)unsetenv(variables[i]);
	return setenv("HOME", "/home/me", 1);
}

static writ_config *
new_config(void)
{
	writ_config *config;

	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	return config;
}

static const char *
origin_of(const writ_config *config, const char *key)
{
	size_t count;
	const writ_setting *settings = writ_config_all(config, &count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(settings[i].key, key) == 0)
			return settings[i].origin;
	}
	return NULL;
}

static void
defaults_follow_home(void **state)
{
	writ_config *config = new_config();
	const char *state_dir =
	    geteuid() == 0 ? "/var/lib/writ" : "/home/me/.local/state/writ";

	(void)state;
	assert_string_equal(
	    writ_config_get(config, "config_dir"), "/home/me/.config/writ");
	assert_string_equal(writ_config_get(config, "system_dir"), "/etc/writ");
	assert_string_equal(writ_config_get(config, "state_dir"), state_dir);
	assert_string_equal(
	    writ_config_get(config, "cache_dir"), "/home/me/.cache/writ");
	assert_string_equal(origin_of(config, "cache_dir"), "default");
	writ_config_free(config);
}

static void
xdg_variables_move_the_defaults(void **state)
{
	(void)state;
	(void)setenv("XDG_CONFIG_HOME", "/x/c/", 1);
	(void)setenv("XDG_CACHE_HOME", "relative", 1);
	writ_config *config = new_config();
	assert_string_equal(writ_config_get(config, "config_dir"), "/x/c/writ");
	assert_string_equal(
	    writ_config_get(config, "cache_dir"), "/home/me/.cache/writ");
	assert_string_equal(origin_of(config, "config_dir"), "default");
	writ_config_free(config);
}

static void
an_own_variable_outranks_the_default(void **state)
{
	(void)state;
	(void)setenv("XDG_CONFIG_HOME", "/x", 1);
	(void)setenv("WRIT_CONFIG_DIR", "/w", 1);
	(void)setenv("WRIT_STATE_DIR", "/s", 1);
	(void)setenv("WRIT_CACHE_DIR", "", 1);
	writ_config *config = new_config();
	assert_string_equal(writ_config_get(config, "config_dir"), "/w");
	assert_string_equal(origin_of(config, "config_dir"), "environment");
	assert_string_equal(writ_config_get(config, "spill_dir"), "/s/outputs");
	assert_string_equal(origin_of(config, "spill_dir"), "default");
	assert_string_equal(origin_of(config, "cache_dir"), "default");
	writ_config_free(config);
}

static void
an_own_variable_must_be_absolute(void **state)
{
	writ_config *config = NULL;
	writ_error err;

	(void)state;
	(void)setenv("WRIT_STATE_DIR", "here", 1);
	assert_int_equal(writ_config_new(&config, &err), WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "WRIT_STATE_DIR must be an absolute path, got 'here'");
	assert_null(config);
}

static void
an_option_outranks_everything(void **state)
{
	(void)state;
	(void)setenv("WRIT_STATE_DIR", "/env", 1);
	writ_config *config = new_config();
	assert_int_equal(
	    writ_config_set(config, "state_dir", "/opt/", NULL), WRIT_OK);
	assert_string_equal(writ_config_get(config, "state_dir"), "/opt/");
	assert_string_equal(origin_of(config, "state_dir"), "option");
	assert_string_equal(
	    writ_config_get(config, "spill_dir"), "/opt/outputs");
	assert_int_equal(
	    writ_config_set(config, "spill_dir", "/spill", NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "state_dir", "/two", NULL), WRIT_OK);
	assert_string_equal(writ_config_get(config, "spill_dir"), "/spill");
	writ_config_free(config);
}

static void
a_spill_directory_from_the_environment_stays(void **state)
{
	(void)state;
	(void)setenv("WRIT_SPILL_DIR", "/spill", 1);
	writ_config *config = new_config();
	assert_int_equal(
	    writ_config_set(config, "state_dir", "/s", NULL), WRIT_OK);
	assert_string_equal(writ_config_get(config, "spill_dir"), "/spill");
	writ_config_free(config);
}

static void
bad_options_are_refused_and_change_nothing(void **state)
{
	writ_config *config = new_config();
	char path[PATH_MAX + 1];
	writ_error err;

	(void)state;
	assert_int_equal(
	    writ_config_set(config, "state_dri", "/x", &err), WRIT_E_INVALID);
	assert_string_equal(err.message, "unknown setting 'state_dri'");
	assert_string_equal(err.suggestion, "did you mean 'state_dir'?");
	assert_int_equal(
	    writ_config_set(config, "cache_dir", "x", &err), WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "cache_dir must be an absolute path, got 'x'");
	memset(path, '/', sizeof(path));
	path[PATH_MAX] = '\0';
	assert_int_equal(
	    writ_config_set(config, "cache_dir", path, &err), WRIT_E_INVALID);
	assert_string_equal(
	    writ_config_get(config, "cache_dir"), "/home/me/.cache/writ");
	assert_null(writ_config_get(config, "state_dri"));
	writ_config_free(config);
	writ_config_free(NULL);
}

static void
without_home_the_user_database_is_asked(void **state)
{
	const struct passwd *entry = getpwuid(geteuid());
	char expected[PATH_MAX];

	(void)state;
	if (entry == NULL || entry->pw_dir[0] != '/') {
		skip();
		return;
	}
	(void)snprintf(
	    expected, sizeof(expected), "%s/.config/writ", entry->pw_dir);
	(void)unsetenv("HOME");
	writ_config *config = new_config();
	assert_string_equal(writ_config_get(config, "config_dir"), expected);
	writ_config_free(config);
}

/* Runs in a process of its own, without a user entry and HOME. */
static int
homeless(void)
{
	writ_config *config;
	writ_error err;

	(void)unsetenv("HOME");
	if (setresuid(NOBODY_AT_ALL, NOBODY_AT_ALL, NOBODY_AT_ALL) != 0)
		return 2;
	if (writ_config_new(&config, &err) != WRIT_E_INVALID)
		return 3;
	if (strcmp(err.suggestion, "set WRIT_CONFIG_DIR or HOME") != 0)
		return 4;
	(void)setenv("WRIT_CONFIG_DIR", "/c", 1);
	(void)setenv("XDG_STATE_HOME", "/s", 1);
	(void)setenv("WRIT_CACHE_DIR", "/k", 1);
	if (writ_config_new(&config, &err) != WRIT_OK)
		return 5;
	int is_same = strcmp(writ_config_get(config, "spill_dir"),
			  "/s/writ/outputs") == 0;
	writ_config_free(config);
	if (!is_same)
		return 6;
	(void)unsetenv("XDG_STATE_HOME");
	if (w_config_new_lenient(&config, &err) != WRIT_OK)
		return 7;
	if (w_config_path(config, W_SET_STATE_DIR) != NULL ||
	    w_config_need(config, W_SET_CACHE_DIR, &err) != WRIT_OK ||
	    w_config_need(config, W_SET_STATE_DIR, &err) != WRIT_E_INVALID)
		return 8;
	writ_config_free(config);
	return strcmp(err.suggestion, "set WRIT_STATE_DIR or HOME") == 0 ? 0
									 : 9;
}

static void
a_user_without_a_home_is_told_what_to_set(void **state)
{
	int status;

	(void)state;
	if (geteuid() != 0)
		skip();
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(homeless());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
all_settings_are_complete(void **state)
{
	writ_config *config = new_config();
	size_t count;
	const writ_setting *settings = writ_config_all(config, &count);

	(void)state;
	assert_int_equal(count, W_SETTING_COUNT);
	for (size_t i = 0; i < count; i++) {
		assert_non_null(settings[i].key);
		assert_int_equal(strncmp(settings[i].env, "WRIT_", 5), 0);
		assert_true(strlen(settings[i].value) > 0);
		assert_non_null(settings[i].origin);
		assert_true(strlen(settings[i].help) > 0);
		assert_ptr_equal(settings[i].value,
		    writ_config_get(config, settings[i].key));
	}
	writ_config_free(config);
}

static void
settings_of_the_record_have_defaults(void **state)
{
	static const char *const expected[][2] = {{"audit_durability", "batch"},
	    {"audit_failure", "refuse"}, {"audit_key", "none"},
	    {"audit_sign_key", "none"}, {"audit_segment", "64MiB"},
	    {"outputs_age", "14d"}, {"outputs_size", "1GiB"},
	    {"output_keep", "1MiB"}};
	writ_config *config = new_config();

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		assert_string_equal(
		    writ_config_get(config, expected[i][0]), expected[i][1]);
	assert_int_equal(w_config_number(config, W_SET_AUDIT_DURABILITY), 1);
	assert_int_equal(w_config_number(config, W_SET_AUDIT_FAILURE), 0);
	assert_int_equal(w_config_number(config, W_SET_OUTPUTS_AGE),
	    UINT64_C(14) * 24 * 3600 * 1000);
	assert_int_equal(w_config_number(config, W_SET_OUTPUT_KEEP), 1 << 20);
	assert_null(w_config_path(config, W_SET_AUDIT_KEY));
	assert_non_null(w_config_path(config, W_SET_STATE_DIR));
	writ_config_free(config);
}

static void
values_are_brought_into_one_form(void **state)
{
	(void)state;
	(void)setenv("WRIT_OUTPUTS_AGE", "48h", 1);
	(void)setenv("WRIT_AUDIT_SEGMENT", "1048576", 1);
	(void)setenv("WRIT_AUDIT_KEY", "/k", 1);
	writ_config *config = new_config();
	assert_string_equal(writ_config_get(config, "outputs_age"), "2d");
	assert_string_equal(writ_config_get(config, "audit_segment"), "1MiB");
	assert_string_equal(origin_of(config, "audit_segment"), "environment");
	assert_string_equal(w_config_path(config, W_SET_AUDIT_KEY), "/k");
	assert_int_equal(
	    writ_config_set(config, "audit_key", "none", NULL), WRIT_OK);
	assert_null(w_config_path(config, W_SET_AUDIT_KEY));
	assert_int_equal(
	    writ_config_set(config, "output_keep", "0", NULL), WRIT_OK);
	assert_int_equal(w_config_number(config, W_SET_OUTPUT_KEEP), 0);
	assert_int_equal(
	    writ_config_set(config, "audit_durability", "sync", NULL), WRIT_OK);
	assert_int_equal(w_config_number(config, W_SET_AUDIT_DURABILITY), 0);
	writ_config_free(config);
}

static void
expect_bad(const char *variable, const char *value, const char *message)
{
	writ_config *config = NULL;
	writ_error err;

	(void)setenv(variable, value, 1);
	assert_int_equal(writ_config_new(&config, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, message);
	assert_int_equal(w_config_new_lenient(&config, &err), WRIT_E_INVALID);
	assert_null(config);
	(void)unsetenv(variable);
}

static void
a_bad_value_names_its_variable(void **state)
{
	(void)state;
	expect_bad("WRIT_AUDIT_DURABILITY", "snyc",
	    "WRIT_AUDIT_DURABILITY must be sync, batch or none, got 'snyc'");
	expect_bad("WRIT_AUDIT_FAILURE", "no",
	    "WRIT_AUDIT_FAILURE must be refuse or run, got 'no'");
	expect_bad("WRIT_AUDIT_KEY", "key",
	    "WRIT_AUDIT_KEY must be an absolute path, got 'key'");
	expect_bad("WRIT_AUDIT_SEGMENT", "1KiB",
	    "WRIT_AUDIT_SEGMENT must be at least 4KiB, got '1KiB'");
	expect_bad("WRIT_OUTPUTS_AGE", "0",
	    "WRIT_OUTPUTS_AGE must be at least 1ms, got '0'");
	expect_bad("WRIT_OUTPUTS_SIZE", "0",
	    "WRIT_OUTPUTS_SIZE must be at least 1B, got '0'");
	writ_config *config = NULL;
	writ_error err;
	(void)setenv("WRIT_OUTPUTS_AGE", "14", 1);
	assert_int_equal(writ_config_new(&config, &err), WRIT_E_INVALID);
	assert_int_equal(strncmp(err.message, "WRIT_OUTPUTS_AGE: ", 18), 0);
}

static void
a_copy_is_the_same_and_independent(void **state)
{
	writ_config *config = new_config();
	writ_config *copy;

	(void)state;
	assert_int_equal(
	    writ_config_set(config, "state_dir", "/s", NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "output_keep", "7", NULL), WRIT_OK);
	assert_int_equal(w_config_copy(config, &copy, NULL), WRIT_OK);
	writ_config_free(config);
	assert_string_equal(writ_config_get(copy, "spill_dir"), "/s/outputs");
	assert_string_equal(origin_of(copy, "state_dir"), "option");
	assert_int_equal(w_config_number(copy, W_SET_OUTPUT_KEEP), 7);
	writ_config_free(copy);
}

static void
the_version_has_three_parts(void **state)
{
	size_t dots = 0;

	(void)state;
	for (const char *at = writ_version(); *at != '\0'; at++)
		dots += *at == '.';
	assert_int_equal(dots, 2);
}

static void
a_list_of_paths_is_made_absolute(void **state)
{
	char cwd[PATH_MAX];
	char expected[PATH_MAX + 32];

	(void)state;
	assert_non_null(getcwd(cwd, sizeof(cwd)));
	(void)setenv("WRIT_MODULES", ":/a b::mine:", 1);
	writ_config *config = new_config();
	(void)snprintf(expected, sizeof(expected), "/a b:%s/mine", cwd);
	assert_string_equal(writ_config_get(config, "modules"), expected);
	assert_string_equal(origin_of(config, "modules"), "environment");
	assert_int_equal(
	    writ_config_set(config, "modules", "none", NULL), WRIT_OK);
	assert_null(w_config_path(config, W_SET_MODULES));
	assert_int_equal(
	    writ_config_set(config, "modules", "::", NULL), WRIT_OK);
	assert_null(w_config_path(config, W_SET_MODULES));
	writ_config_free(config);
}

static void
a_path_of_a_list_that_is_too_long_is_refused(void **state)
{
	static char path[PATH_MAX + 2];
	writ_config *config = new_config();

	(void)state;
	memset(path, 'a', sizeof(path) - 1);
	assert_int_equal(
	    writ_config_set(config, "modules", path, NULL), WRIT_E_INVALID);
	path[0] = '/';
	assert_int_equal(
	    writ_config_set(config, "modules", path, NULL), WRIT_E_INVALID);
	assert_string_equal(writ_config_get(config, "modules"), "none");
	writ_config_free(config);
}

static void
a_policy_without_a_name_or_with_too_long_a_one_is_refused(void **state)
{
	static char path[PATH_MAX + 2];
	writ_config *config = new_config();

	(void)state;
	memset(path, 'a', sizeof(path) - 1);
	assert_int_equal(
	    writ_config_set(config, "policy", "", NULL), WRIT_E_INVALID);
	assert_int_equal(
	    writ_config_set(config, "policy", path, NULL), WRIT_E_INVALID);
	assert_string_equal(writ_config_get(config, "policy"), "none");
	writ_config_free(config);
}

#define TEST(function) cmocka_unit_test_setup(function, clear_variables)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_list_of_paths_is_made_absolute),
	    TEST(a_path_of_a_list_that_is_too_long_is_refused),
	    TEST(a_policy_without_a_name_or_with_too_long_a_one_is_refused),
	    TEST(defaults_follow_home),
	    TEST(xdg_variables_move_the_defaults),
	    TEST(an_own_variable_outranks_the_default),
	    TEST(an_own_variable_must_be_absolute),
	    TEST(an_option_outranks_everything),
	    TEST(a_spill_directory_from_the_environment_stays),
	    TEST(bad_options_are_refused_and_change_nothing),
	    TEST(without_home_the_user_database_is_asked),
	    TEST(a_user_without_a_home_is_told_what_to_set),
	    TEST(all_settings_are_complete),
	    TEST(settings_of_the_record_have_defaults),
	    TEST(values_are_brought_into_one_form),
	    TEST(a_bad_value_names_its_variable),
	    TEST(a_copy_is_the_same_and_independent),
	    TEST(the_version_has_three_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
