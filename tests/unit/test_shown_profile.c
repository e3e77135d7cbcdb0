/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <writ/writ.h>

#include "engine/profile/shown_profile.h"
#include "temp.h"

static struct temp temp;
static writ_config *config;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	assert_int_equal(writ_config_set(config, "config_dir",
			     temp_path(&temp, "user"), NULL),
	    WRIT_OK);
	assert_int_equal(writ_config_set(config, "system_dir",
			     temp_path(&temp, "machine"), NULL),
	    WRIT_OK);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	writ_config_free(config);
	temp_close(&temp);
	return 0;
}

static void
put_profile(const char *tier, const char *name, const char *text)
{
	char path[400];

	(void)snprintf(path, sizeof(path), "%s/%s", temp.path, tier);
	(void)mkdir(path, 0755);
	(void)snprintf(path, sizeof(path), "%s/%s/profiles", temp.path, tier);
	(void)mkdir(path, 0755);
	(void)snprintf(
	    path, sizeof(path), "%s/%s/profiles/%s", temp.path, tier, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(close(fd), 0);
}

static bool
has(const char *const *list, const char *word)
{
	while (*list != NULL && strcmp(*list, word) != 0)
		list++;
	return *list != NULL;
}

static void
a_built_in_profile_is_found_without_any_settings(void **state)
{
	writ_profile *profile;

	(void)state;
	assert_int_equal(
	    writ_profile_find(NULL, "workspace", &profile, NULL), WRIT_OK);
	assert_string_equal(profile->name, "workspace");
	assert_string_equal(profile->origin, "built in");
	assert_string_equal(profile->walls, "workspace");
	assert_string_equal(profile->network, "loopback");
	assert_true(has(profile->layers, "seccomp"));
	assert_true(has(profile->layers, "netns"));
	assert_int_equal(has(profile->layers, "userns"), geteuid() != 0);
	assert_true(has(profile->write, "."));
	assert_true(has(profile->hide, "~/.ssh"));
	assert_true(has(profile->protect, ".git/hooks"));
	assert_null(profile->execute[0]);
	assert_int_equal(profile->memory, 0);
	writ_profile_free(profile);
}

static void
lists_and_texts_are_never_null(void **state)
{
	writ_profile *profile;

	(void)state;
	put_profile("user", "bare.yaml", "extends: none\n");
	assert_int_equal(
	    writ_profile_find(config, "bare", &profile, NULL), WRIT_OK);
	assert_non_null(profile->description);
	assert_null(profile->layers[0]);
	assert_null(profile->read[0]);
	assert_null(profile->write[0]);
	assert_null(profile->execute[0]);
	assert_null(profile->hide[0]);
	writ_profile_free(profile);
	writ_profile_free(NULL);
}

static void
the_users_profile_comes_before_the_machines(void **state)
{
	writ_profile *profile;

	(void)state;
	put_profile("machine", "ci.yaml", "network: host\n");
	assert_int_equal(
	    writ_profile_find(config, "ci", &profile, NULL), WRIT_OK);
	assert_string_equal(profile->network, "host");
	assert_false(has(profile->layers, "netns"));
	writ_profile_free(profile);
	put_profile("user", "ci.yaml", "network: loopback\n");
	assert_int_equal(
	    writ_profile_find(config, "ci", &profile, NULL), WRIT_OK);
	assert_string_equal(profile->network, "loopback");
	writ_profile_free(profile);
}

static void
what_is_not_found_leaves_no_profile(void **state)
{
	writ_profile *profile = NULL;
	writ_error err;

	(void)state;
	assert_int_equal(writ_profile_find(config, "worksapce", &profile, &err),
	    WRIT_E_INVALID);
	assert_null(profile);
	assert_string_equal(err.suggestion, "did you mean 'workspace'?");
}

static void
limits_are_shown_in_both_languages(void **state)
{
	writ_profile *profile;
	char *text;
	size_t len;

	(void)state;
	put_profile("user", "tight.yaml",
	    "limits: {timeout: 90s, memory: 64MiB, processes: 7}\n");
	assert_int_equal(
	    writ_profile_find(config, "tight", &profile, NULL), WRIT_OK);
	assert_int_equal(profile->timeout_ms, 90000);
	assert_int_equal(
	    writ_profile_yaml(profile, &text, &len, NULL), WRIT_OK);
	assert_int_equal(strlen(text), len);
	assert_non_null(strstr(text,
	    "\nlimits:\n  timeout: 1m30s\n  memory: 64MiB\n  processes: "
	    "7\n"));
	assert_non_null(strstr(text, "\nextends: strict\n"));
	free(text);
	assert_int_equal(
	    writ_profile_json(profile, &text, &len, NULL), WRIT_OK);
	assert_int_equal(strlen(text), len);
	assert_non_null(strstr(text, "\"timeout_ms\":90000,"));
	assert_non_null(strstr(text, "\"tmp_size\":null,\"tmp\":null}}"));
	free(text);
	writ_profile_free(profile);
}

static void
a_list_has_the_good_and_the_bad(void **state)
{
	writ_profile_list *list;
	size_t count;

	(void)state;
	put_profile("user", "b.yaml", "extends: strict\ndescription: good\n");
	put_profile("user", "a.yaml", "nonsense: 1\n");
	put_profile("user", "README", "not one");
	put_profile("machine", "b.yaml", "extends: none\n");
	put_profile("machine", "none.yaml", "extends: none\n");
	assert_int_equal(writ_profile_list_new(config, &list, NULL), WRIT_OK);
	const writ_profile_entry *all = writ_profile_list_all(list, &count);
	assert_int_equal(count, 10);
	assert_string_equal(all[0].name, "none");
	assert_string_equal(all[0].origin, "built in");
	assert_null(all[0].problem);
	assert_string_equal(all[6].name, "a");
	assert_non_null(strstr(all[6].problem, "unknown key 'nonsense'"));
	assert_string_equal(all[6].description, "");
	assert_string_equal(all[7].name, "b");
	assert_string_equal(all[7].description, "good");
	assert_string_equal(
	    all[7].origin, temp_path(&temp, "user/profiles/b.yaml"));
	assert_null(all[7].problem);
	assert_non_null(all[8].problem);
	assert_non_null(strstr(all[9].problem, "built in"));
	writ_profile_list_free(list);
	writ_profile_list_free(NULL);
}

static void
no_configuration_is_no_problem(void **state)
{
	writ_profile_list *list;
	size_t count;

	(void)state;
	assert_int_equal(writ_profile_list_new(config, &list, NULL), WRIT_OK);
	(void)writ_profile_list_all(list, &count);
	assert_int_equal(count, 6);
	writ_profile_list_free(list);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(a_built_in_profile_is_found_without_any_settings),
	    CASE(lists_and_texts_are_never_null),
	    CASE(the_users_profile_comes_before_the_machines),
	    CASE(what_is_not_found_leaves_no_profile),
	    CASE(limits_are_shown_in_both_languages),
	    CASE(a_list_has_the_good_and_the_bad),
	    CASE(no_configuration_is_no_problem),
	};

	(void)umask(022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
