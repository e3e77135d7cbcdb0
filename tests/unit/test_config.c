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

static const char *const variables[] = {"WRIT_CONFIG_DIR", "WRIT_SYSTEM_DIR",
    "WRIT_STATE_DIR", "WRIT_CACHE_DIR", "WRIT_SPILL_DIR", "XDG_CONFIG_HOME",
    "XDG_STATE_HOME", "XDG_CACHE_HOME"};

/* A user id that no user database has. */
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

/* Runs in a process of its own, which has no user and no HOME. */
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
	return is_same ? 0 : 6;
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
	assert_int_equal(count, 5);
	for (size_t i = 0; i < count; i++) {
		assert_non_null(settings[i].key);
		assert_int_equal(strncmp(settings[i].env, "WRIT_", 5), 0);
		assert_int_equal(settings[i].value[0], '/');
		assert_non_null(settings[i].origin);
		assert_true(strlen(settings[i].help) > 0);
		assert_ptr_equal(settings[i].value,
		    writ_config_get(config, settings[i].key));
	}
	writ_config_free(config);
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

#define TEST(function) cmocka_unit_test_setup(function, clear_variables)

int
main(void)
{
	const struct CMUnitTest tests[] = {
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
	    TEST(the_version_has_three_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
