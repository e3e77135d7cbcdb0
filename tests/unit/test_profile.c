/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "leftovers.h"
#include "sandbox/profile/profile.h"
#include "sandbox/profile/resolved_profile.h"
#include "temp.h"

static struct temp temp;
static char dir[300];
static const char *const dirs[] = {dir, NULL};

static int
set_up(void **state)
{
	(void)temp_begin(&temp, state);
	temp_dir(&temp, "profiles");
	(void)snprintf(dir, sizeof(dir), "%s/profiles", temp.path);
	return 0;
}

static writ_status
find(const char *name, struct w_profile *profile, writ_error *err)
{
	*err = (writ_error){.message = ""};
	return w_profile_find(name, dirs, profile, err);
}

static void
not_found(const char *name, const char *part)
{
	struct w_profile profile;
	writ_error err;

	assert_int_equal(find(name, &profile, &err), WRIT_E_INVALID);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' does not have '%s'", err.message, part);
}

static void
builtin_profiles_are_found_by_name(void **state)
{
	static const struct {
		const char *name;
		enum w_walls walls;
		enum w_network network;
	} rows[] = {
	    {"none", W_WALLS_NONE, W_NETWORK_HOST},
	    {"env", W_WALLS_ENV, W_NETWORK_HOST},
	    {"readonly", W_WALLS_READONLY, W_NETWORK_OFF},
	    {"workspace", W_WALLS_WORKSPACE, W_NETWORK_LOOPBACK},
	    {"strict", W_WALLS_STRICT, W_NETWORK_OFF},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct w_profile profile;
		writ_error err;

		assert_int_equal(find(rows[i].name, &profile, &err), WRIT_OK);
		assert_string_equal(profile.name, rows[i].name);
		assert_string_equal(profile.origin, "built in");
		assert_true(profile.description[0] != '\0');
		assert_int_equal(profile.walls, rows[i].walls);
		assert_int_equal(profile.network, rows[i].network);
		assert_int_equal(profile.builtins.hide, profile.hide.count);
		w_profile_done(&profile);
	}
}

static void
profiles_build_on_each_other(void **state)
{
	struct w_profile profile;
	writ_error err;

	(void)state;
	temp_file(&temp, "profiles/base.yaml", 0600,
	    "extends: workspace\nread: [/opt/a]\nnetwork: host\n"
	    "limits: {timeout: 1m, memory: 1GiB}\n");
	temp_file(&temp, "profiles/top.yaml", 0600,
	    "extends: base\nread: [/opt/b]\nlimits: {timeout: 2m}\n");
	assert_int_equal(find("top", &profile, &err), WRIT_OK);
	assert_string_equal(profile.name, "top");
	assert_string_equal(
	    profile.origin, temp_path(&temp, "profiles/top.yaml"));
	assert_int_equal(profile.walls, W_WALLS_WORKSPACE);
	assert_int_equal(profile.read.count, 4);
	assert_string_equal(profile.read.items[2], "/opt/a");
	assert_string_equal(profile.read.items[3], "/opt/b");
	assert_int_equal(profile.network, W_NETWORK_HOST);
	assert_int_equal(profile.limits.timeout_ms, 120000);
	assert_int_equal(profile.limits.memory, 1 << 30);
	w_profile_done(&profile);
}

static void
an_error_in_an_extended_profile_has_its_place_there(void **state)
{
	(void)state;
	temp_file(&temp, "profiles/base.yaml", 0600, "netwrk: off\n");
	temp_file(&temp, "profiles/top.yaml", 0600, "extends: base\n");
	not_found("top", "/base.yaml:1:1: unknown key 'netwrk'");
	temp_file(&temp, "profiles/lost.yaml", 0600, "extends: nothing\n");
	not_found("lost", "/lost.yaml:1:10: there is no profile 'nothing'");
}

static void
a_loop_is_refused_and_shown(void **state)
{
	(void)state;
	temp_file(&temp, "profiles/a.yaml", 0600, "extends: b\n");
	temp_file(&temp, "profiles/b.yaml", 0600, "extends: ./a.yaml\n");
	temp_file(&temp, "profiles/self.yaml", 0600, "extends: self\n");
	temp_link(&temp, "other.yaml", "profiles/link.yaml");
	temp_file(&temp, "profiles/other.yaml", 0600, "extends: link\n");
	not_found("a", "a profile extends itself: ");
	not_found("a", "/b.yaml:1:10: a profile extends itself: "
		       "a.yaml -> b.yaml -> a.yaml");
	not_found("self", "a profile extends itself: ");
	not_found("other", "a profile extends itself: ");
}

static void
a_chain_has_an_end(void **state)
{
	char name[64], text[64];
	struct w_profile profile;
	writ_error err;

	(void)state;
	for (int i = 0; i < 9; i++) {
		(void)snprintf(name, sizeof(name), "profiles/p%d.yaml", i);
		(void)snprintf(text, sizeof(text), "extends: p%d\n", i + 1);
		temp_file(&temp, name, 0600, i < 8 ? text : "{}\n");
	}
	assert_int_equal(find("p1", &profile, &err), WRIT_OK);
	w_profile_done(&profile);
	not_found("p0", "more than 8 profiles extend each other");
}

static void
a_name_that_is_not_there_is_refused_with_a_suggestion(void **state)
{
	struct w_profile profile;
	writ_error err;

	(void)state;
	temp_file(&temp, "profiles/node-project.yaml", 0600, "{}\n");
	assert_int_equal(find("node-projcet", &profile, &err), WRIT_E_INVALID);
	assert_string_equal(err.message, "there is no profile 'node-projcet'");
	assert_string_equal(err.suggestion, "did you mean 'node-project'?");
	assert_int_equal(find("worksapce", &profile, &err), WRIT_E_INVALID);
	assert_string_equal(err.suggestion, "did you mean 'workspace'?");
	assert_int_equal(find("zzz", &profile, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.suggestion, "/zzz.yaml"));
}

static void
names_that_are_none_are_refused(void **state)
{
	(void)state;
	not_found("", "is not the name of a profile");
	not_found("..", "is not the name of a profile");
	not_found("a b", "is not the name of a profile");
	not_found("-x", "is not the name of a profile");
	not_found("a\nb", "is not the name of a profile");
	not_found("./none.yaml", "cannot open profile './none.yaml'");
	not_found("/", "is not a file");
}

static void
built_in_names_cannot_be_taken(void **state)
{
	struct w_profile profile;
	writ_error err;

	(void)state;
	temp_file(&temp, "profiles/strict.yaml", 0600, "network: host\n");
	assert_int_equal(find("strict", &profile, &err), WRIT_OK);
	assert_int_equal(profile.network, W_NETWORK_OFF);
	w_profile_done(&profile);
	not_found(temp_path(&temp, "profiles/strict.yaml"),
	    "'strict' is the name of a built-in profile");
}

static void
a_file_that_others_can_change_is_refused(void **state)
{
	(void)state;
	temp_file(&temp, "profiles/group.yaml", 0660, "{}\n");
	temp_file(&temp, "profiles/world.yaml", 0606, "{}\n");
	not_found("group", "can be changed by other users");
	not_found("world", "can be changed by other users");
	if (geteuid() == 0) {
		temp_file(&temp, "profiles/theirs.yaml", 0644, "{}\n");
		assert_int_equal(
		    fchownat(temp.fd, "profiles/theirs.yaml", 1234, 1234, 0),
		    0);
		not_found("theirs", "can be changed by other users");
	}
	temp_file(&temp, "profiles/fine.yaml", 0600, "{}\n");
	assert_int_equal(fchmodat(temp.fd, "profiles", 0777, 0), 0);
	not_found("fine", "in a directory that other users can change");
}

static void
what_is_not_a_file_or_too_large_is_refused(void **state)
{
	enum {
		LARGE = 70000
	};
	char *text = malloc(LARGE);

	(void)state;
	assert_non_null(text);
	memset(text, '#', LARGE);
	temp_bytes(&temp, "profiles/large.yaml", 0600, text, LARGE);
	free(text);
	not_found("large", "is larger than 64 KiB");
	temp_dir(&temp, "profiles/dir.yaml");
	not_found("dir", "is not a file");
	assert_int_equal(mkfifoat(temp.fd, "profiles/pipe.yaml", 0600), 0);
	not_found("pipe", "is not a file");
}

static void
a_profile_in_the_workspace_protects_itself(void **state)
{
	struct w_profile profile;
	struct w_resolved_profile resolved;
	char cwd[300];
	const struct w_profile_context context = {
	    .cwd = cwd, .home = "/nonexistent"};
	writ_error err;

	(void)state;
	temp_dir(&temp, "project");
	(void)snprintf(cwd, sizeof(cwd), "%s/project", temp.path);
	temp_file(&temp, "project/ci.yaml", 0600, "limits: {cpu: 1s}\n");
	assert_int_equal(
	    find(temp_path(&temp, "project/ci.yaml"), &profile, &err), WRIT_OK);
	assert_int_equal(
	    w_profile_resolve(&profile, &context, &resolved, &err), WRIT_OK);
	assert_false(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "project/ci.yaml"), W_MAY_WRITE));
	assert_true(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "project/ci.yaml2"), W_MAY_WRITE));
	w_resolved_profile_done(&resolved);
	w_profile_done(&profile);
}

static void
nothing_is_left_open(void **state)
{
	struct w_profile profile;
	writ_error err;
	int fds = count_fds();

	(void)state;
	temp_file(&temp, "profiles/a.yaml", 0600, "extends: a\n");
	temp_file(&temp, "profiles/b.yaml", 0600, "{}\n");
	not_found("a", "extends itself");
	assert_int_equal(find("b", &profile, &err), WRIT_OK);
	w_profile_done(&profile);
	assert_int_equal(count_fds(), fds);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(builtin_profiles_are_found_by_name),
	    CASE(profiles_build_on_each_other),
	    CASE(an_error_in_an_extended_profile_has_its_place_there),
	    CASE(a_loop_is_refused_and_shown),
	    CASE(a_chain_has_an_end),
	    CASE(a_name_that_is_not_there_is_refused_with_a_suggestion),
	    CASE(names_that_are_none_are_refused),
	    CASE(built_in_names_cannot_be_taken),
	    CASE(a_file_that_others_can_change_is_refused),
	    CASE(what_is_not_a_file_or_too_large_is_refused),
	    CASE(a_profile_in_the_workspace_protects_itself),
	    CASE(nothing_is_left_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
