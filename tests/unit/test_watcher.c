/* SPDX-License-Identifier: Apache-2.0 */

/* Whether policies and modules have changed. */

#include <writ/watch.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char base[64];
static writ_config *config;
static writ_watch *watch;

static const char *
at(const char *name)
{
	static char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", base, name);
	return path;
}

static void
put(const char *name, const char *text)
{
	FILE *file = fopen(at(name), "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void
make_dir(const char *name)
{
	assert_int_equal(mkdir(at(name), 0700), 0);
}

static void
set_place(const char *key, const char *name)
{
	assert_int_equal(writ_config_set(config, key, at(name), NULL), WRIT_OK);
}

static int
set_up(void **state)
{
	writ_error err;

	(void)state;
	(void)snprintf(base, sizeof(base), "/tmp/writ-watch-XXXXXX");
	assert_non_null(mkdtemp(base));
	make_dir("home");
	make_dir("project");
	assert_int_equal(setenv("HOME", at("home"), 1), 0);
	assert_int_equal(unsetenv("WRIT_POLICY"), 0);
	assert_int_equal(writ_config_new(&config, &err), WRIT_OK);
	set_place("config_dir", "home/config/writ");
	set_place("system_dir", "system");
	set_place("state_dir", "state");
	set_place("cache_dir", "cache");
	watch = NULL;
	return 0;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *place)
{
	(void)st;
	(void)type;
	(void)place;
	return remove(path);
}

static int
tear_down(void **state)
{
	(void)state;
	writ_watch_free(watch);
	writ_config_free(config);
	return nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void
begin(void)
{
	writ_error err;

	if (writ_watch_new(config, at("project"), NULL, &watch, &err) !=
	    WRIT_OK)
		fail_msg("%s", err.message);
}

static void
expect(unsigned what)
{
	assert_int_equal(writ_watch_take(watch), what);
	assert_int_equal(writ_watch_take(watch), 0);
}

static bool
is_told(void)
{
	struct pollfd fd = {.fd = writ_watch_fd(watch), .events = POLLIN};

	return poll(&fd, 1, 0) == 1;
}

static void
when_nothing_happens_nothing_is_told(void **state)
{
	(void)state;
	begin();
	assert_false(is_told());
	expect(0);
}

static void
a_policy_that_comes_with_its_directories_is_told(void **state)
{
	(void)state;
	begin();
	make_dir("home/config");
	assert_true(is_told());
	(void)writ_watch_take(watch);
	make_dir("home/config/writ");
	(void)writ_watch_take(watch);
	put("home/config/writ/policy.yaml", "writ: policy/1\n");
	assert_true(is_told());
	expect(WRIT_CHANGED_POLICY);
}

static void
directories_that_come_at_once_are_looked_into(void **state)
{
	(void)state;
	begin();
	make_dir("home/config");
	make_dir("home/config/writ");
	put("home/config/writ/policy.yaml", "writ: policy/1\n");
	expect(WRIT_CHANGED_POLICY);
	put("home/config/writ/policy.yaml", "writ: policy/1\n#\n");
	expect(WRIT_CHANGED_POLICY);
}

static void
a_policy_that_an_editor_replaces_is_told_each_time(void **state)
{
	char other[PATH_MAX];

	(void)state;
	make_dir("system");
	put("system/policy.yaml", "a: 1\n");
	begin();
	for (int i = 0; i < 3; i++) {
		put("system/policy.yaml.new", "a: 2\n");
		(void)snprintf(
		    other, sizeof(other), "%s", at("system/policy.yaml.new"));
		assert_int_equal(rename(other, at("system/policy.yaml")), 0);
		expect(WRIT_CHANGED_POLICY);
	}
}

static void
the_same_text_written_within_a_tick_is_told(void **state)
{
	(void)state;
	make_dir("system");
	put("system/policy.yaml", "a: 1\n");
	begin();
	for (int i = 0; i < 20; i++) {
		put("system/policy.yaml", i % 2 == 0 ? "a: 2\n" : "a: 1\n");
		expect(WRIT_CHANGED_POLICY);
	}
}

static void
a_policy_that_goes_is_told(void **state)
{
	(void)state;
	make_dir("system");
	put("system/policy.yaml", "a: 1\n");
	begin();
	assert_int_equal(unlink(at("system/policy.yaml")), 0);
	expect(WRIT_CHANGED_POLICY);
}

static void
a_file_that_a_policy_includes_is_told(void **state)
{
	(void)state;
	make_dir("system");
	put("system/more.yaml", "writ: policy/1\nrules: []\n");
	put("system/policy.yaml",
	    "writ: policy/1\ninclude: [more.yaml]\nrules: []\n");
	begin();
	put("system/more.yaml", "writ: policy/1\nrules:\n  - allow: ls\n");
	expect(WRIT_CHANGED_POLICY);
}

static void
what_is_behind_a_link_is_told(void **state)
{
	char target[PATH_MAX];

	(void)state;
	make_dir("system");
	make_dir("elsewhere");
	put("elsewhere/mine.yaml", "a: 1\n");
	(void)snprintf(target, sizeof(target), "%s", at("elsewhere/mine.yaml"));
	assert_int_equal(symlink(target, at("system/policy.yaml")), 0);
	begin();
	put("elsewhere/mine.yaml", "a: 2\n");
	expect(WRIT_CHANGED_POLICY);
}

static void
a_project_that_gets_its_own_is_told(void **state)
{
	(void)state;
	begin();
	make_dir("project/.writ");
	make_dir("project/.writ/modules");
	put("project/.writ/policy.yaml", "writ: policy/1\n");
	put("project/.writ/modules/a.binding.yaml", "bindings: []\n");
	expect(WRIT_CHANGED_POLICY | WRIT_CHANGED_MODULES);
	put("project/.writ/modules/b.binding.yaml", "bindings: []\n");
	expect(WRIT_CHANGED_MODULES);
	assert_int_equal(unlink(at("project/.writ/modules/a.binding.yaml")), 0);
	expect(WRIT_CHANGED_MODULES);
}

static void
other_files_of_the_project_do_not_count(void **state)
{
	(void)state;
	begin();
	put("project/main.c", "int main;\n");
	make_dir("project/.git");
	expect(0);
}

static void
a_directory_of_modules_that_is_replaced_is_told(void **state)
{
	char other[PATH_MAX];

	(void)state;
	make_dir("system");
	make_dir("system/modules");
	begin();
	(void)snprintf(other, sizeof(other), "%s", at("system/modules"));
	assert_int_equal(rename(other, at("system/old")), 0);
	(void)writ_watch_take(watch);
	make_dir("system/modules");
	put("system/modules/a.binding.yaml", "bindings: []\n");
	expect(WRIT_CHANGED_MODULES);
	put("system/modules/b.binding.yaml", "bindings: []\n");
	expect(WRIT_CHANGED_MODULES);
	put("system/old/b.binding.yaml", "bindings: []\n");
	expect(0);
}

static void
what_an_editor_leaves_beside_does_not_count(void **state)
{
	(void)state;
	make_dir("system");
	make_dir("system/modules");
	begin();
	put("system/modules/.a.swp", "x");
	put("system/modules/a.binding.yaml~", "x");
	put("system/other.yaml", "x");
	expect(0);
}

static void
more_events_than_the_kernel_keeps_are_no_loss(void **state)
{
	(void)state;
	make_dir("system");
	put("system/policy.yaml", "a: 1\n");
	begin();
	for (int i = 0; i < 20000; i++) {
		assert_int_equal(chmod(at("system/policy.yaml"), 0600), 0);
		assert_int_equal(unlink(at("system/policy.yaml")), 0);
		put("system/policy.yaml", "a: 3\n");
	}
	put("system/policy.yaml", "a: 22\n");
	expect(WRIT_CHANGED_POLICY);
	put("system/policy.yaml", "a: 333\n");
	expect(WRIT_CHANGED_POLICY);
}

static void
a_directory_that_is_not_there_is_refused(void **state)
{
	writ_error err;

	(void)state;
	assert_int_equal(
	    writ_watch_new(config, at("nowhere"), NULL, &watch, &err),
	    WRIT_E_INVALID);
	assert_null(watch);
}

#define WITH_PLACES(name) \
	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_PLACES(when_nothing_happens_nothing_is_told),
	    WITH_PLACES(a_policy_that_comes_with_its_directories_is_told),
	    WITH_PLACES(directories_that_come_at_once_are_looked_into),
	    WITH_PLACES(a_policy_that_an_editor_replaces_is_told_each_time),
	    WITH_PLACES(the_same_text_written_within_a_tick_is_told),
	    WITH_PLACES(a_policy_that_goes_is_told),
	    WITH_PLACES(a_file_that_a_policy_includes_is_told),
	    WITH_PLACES(what_is_behind_a_link_is_told),
	    WITH_PLACES(a_project_that_gets_its_own_is_told),
	    WITH_PLACES(other_files_of_the_project_do_not_count),
	    WITH_PLACES(a_directory_of_modules_that_is_replaced_is_told),
	    WITH_PLACES(what_an_editor_leaves_beside_does_not_count),
	    WITH_PLACES(more_events_than_the_kernel_keeps_are_no_loss),
	    WITH_PLACES(a_directory_that_is_not_there_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
