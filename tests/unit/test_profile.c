/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "leftovers.h"
#include "sandbox/confine.h"
#include "sandbox/profile.h"
#include "temp.h"

static struct temp temp;
static char dir[300];
static const char *const dirs[] = {dir, NULL};

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	temp_dir(&temp, "profiles");
	(void)snprintf(dir, sizeof(dir), "%s/profiles", temp.path);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	temp_close(&temp);
	return 0;
}

static struct w_profile
parse_ok(const char *text)
{
	struct w_profile profile;
	writ_error err = {.message = ""};
	writ_status status = w_profile_parse(
	    text, strlen(text), "dir/mine.yaml", dirs, &profile, &err);

	assert_string_equal(err.message, "");
	assert_int_equal(status, WRIT_OK);
	return profile;
}

static void
check_refused(
    const char *text, size_t len, const char *message, const char *suggestion)
{
	struct w_profile profile = {.name = NULL};
	writ_error err = {.message = ""};

	assert_int_equal(
	    w_profile_parse(text, len, "mine.yaml", dirs, &profile, &err),
	    WRIT_E_INVALID);
	assert_string_equal(err.message, message);
	if (suggestion != NULL)
		assert_string_equal(err.suggestion, suggestion);
	assert_null(profile.name);
	assert_int_equal(
	    w_profile_parse(text, len, "mine.yaml", dirs, &profile, NULL),
	    WRIT_E_INVALID);
}

static void
refused(const char *text, const char *message, const char *suggestion)
{
	check_refused(text, strlen(text), message, suggestion);
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

static bool
has(const struct w_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++) {
		if (strcmp(words->items[i], text) == 0)
			return true;
	}
	return false;
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
	    {"workspace", W_WALLS_WORKSPACE, W_NETWORK_OFF},
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
every_key_is_read(void **state)
{
	struct w_profile profile = parse_ok("version: 1\n"
					    "description: for builds\n"
					    "extends: workspace\n"
					    "read: [/opt/sdk]\n"
					    "write: [~/.cache/x, out]\n"
					    "execute: [/usr/bin]\n"
					    "hide: [~/private]\n"
					    "protect: [.ci]\n"
					    "network: loopback\n"
					    "limits:\n"
					    "  timeout: 10m\n"
					    "  idle: 90s\n"
					    "  max_output: 1MiB\n"
					    "  cpu: 1h\n"
					    "  memory: 2GiB\n"
					    "  processes: 64\n"
					    "  open_files: 512\n"
					    "  file_size: 4096\n"
					    "  tmp: 256MiB\n");

	(void)state;
	assert_string_equal(profile.name, "mine");
	assert_string_equal(profile.origin, "dir/mine.yaml");
	assert_string_equal(profile.description, "for builds");
	assert_int_equal(profile.walls, W_WALLS_WORKSPACE);
	assert_int_equal(profile.network, W_NETWORK_LOOPBACK);
	assert_string_equal(profile.read.items[0], "/");
	assert_string_equal(profile.read.items[2], "/opt/sdk");
	assert_int_equal(profile.builtins.read, 2);
	assert_string_equal(profile.write.items[0], ".");
	assert_string_equal(profile.write.items[2], "out");
	assert_string_equal(profile.execute.items[0], "/usr/bin");
	assert_true(has(&profile.hide, "~/.ssh"));
	assert_string_equal(
	    profile.hide.items[profile.builtins.hide], "~/private");
	assert_true(has(&profile.protect, ".ci"));
	assert_true(has(&profile.protect, ".git/hooks"));
	assert_int_equal(profile.limits.timeout_ms, 600000);
	assert_int_equal(profile.limits.idle_timeout_ms, 90000);
	assert_int_equal(profile.limits.max_output, 1 << 20);
	assert_int_equal(profile.limits.cpu_ms, 3600000);
	assert_int_equal(profile.limits.memory, INT64_C(2) << 30);
	assert_int_equal(profile.limits.processes, 64);
	assert_int_equal(profile.limits.open_files, 512);
	assert_int_equal(profile.limits.file_size, 4096);
	assert_int_equal(profile.limits.tmp_size, 256 << 20);
	w_profile_done(&profile);
}

static void
a_profile_extends_strict_unless_it_says_otherwise(void **state)
{
	struct w_profile profile = parse_ok("{}");

	(void)state;
	assert_int_equal(profile.walls, W_WALLS_STRICT);
	assert_int_equal(profile.network, W_NETWORK_OFF);
	w_profile_done(&profile);
}

static void
off_is_a_word_and_not_a_boolean(void **state)
{
	struct w_profile profile =
	    parse_ok("extends: workspace\nnetwork: off\n");

	(void)state;
	assert_int_equal(profile.network, W_NETWORK_OFF);
	w_profile_done(&profile);
	refused("network: false\n",
	    "mine.yaml:1:10: network must be off, loopback or host", NULL);
	refused("network: hots\n",
	    "mine.yaml:1:10: network must be off, loopback or host",
	    "did you mean 'host'?");
}

static void
unknown_keys_are_refused_with_a_suggestion(void **state)
{
	(void)state;
	refused("read: [/opt]\nwirte: [.]\n",
	    "mine.yaml:2:1: unknown key 'wirte'", "did you mean 'write'?");
	refused("limits: {memroy: 1GiB}\n",
	    "mine.yaml:1:10: unknown limit 'memroy'", "did you mean 'memory'?");
	refused("zzzzzz: 1\n", "mine.yaml:1:1: unknown key 'zzzzzz'", "");
	refused("read: [/opt]\nread: [/srv]\n",
	    "mine.yaml:2:1: duplicate key 'read', first at 1:1", NULL);
}

static void
wrong_types_are_refused(void **state)
{
	(void)state;
	refused("[read]\n", "mine.yaml:1:1: a profile must be a map, not array",
	    NULL);
	refused("read: /opt\n",
	    "mine.yaml:1:7: read must be a list of paths, not string",
	    "write it as a list: [ ... ]");
	refused("read: [1]\n", "mine.yaml:1:8: a path must be text, not uint",
	    NULL);
	refused("read: [/a, {b: c}]\n",
	    "mine.yaml:1:12: a path must be text, not a map", NULL);
	refused("limits: 5\n", "mine.yaml:1:9: limits must be a map, not uint",
	    NULL);
	refused("extends: [strict]\n",
	    "mine.yaml:1:10: extends must be the name of a profile, not array",
	    NULL);
	refused("description: 5\n",
	    "mine.yaml:1:14: description must be text, not uint", NULL);
	refused("version: 2\n", "mine.yaml:1:10: version must be 1", NULL);
	refused("limits: {memory: true}\n",
	    "mine.yaml:1:18: memory must be a number, with its unit, not true",
	    NULL);
}

static void
empty_lists_say_nothing_and_are_refused(void **state)
{
	(void)state;
	refused("read: []\n",
	    "mine.yaml:1:7: read has 0 entries; it may have 1 to 256",
	    "leave it out: a list only adds to the extended profile");
	refused("write:\n",
	    "mine.yaml:1:7: write must be a list of paths, not null", NULL);
}

static void
misleading_paths_are_refused(void **state)
{
	static const char nul[] = "hide: [\"a\\0b\"]\n";

	(void)state;
	refused("read:\n  - ../x\n",
	    "mine.yaml:2:5: read path '../x' contains '..'", NULL);
	refused("write: [a/../../b]\n",
	    "mine.yaml:1:9: write path 'a/../../b' contains '..'", NULL);
	refused("read: [\"a\\nb\"]\n",
	    "mine.yaml:1:8: read path '/a\\x0ab' contains a newline", NULL);
	refused("protect: ['']\n", "mine.yaml:1:11: protect path '' is empty",
	    NULL);
	refused("read: [~root]\n",
	    "mine.yaml:1:8: read path '~root' names another user", NULL);
	refused(nul, "mine.yaml:1:8: hide path 'a' contains a NUL byte", NULL);
}

static void
absurd_limits_are_refused(void **state)
{
	(void)state;
	refused("limits: {timeout: 30}\n",
	    "mine.yaml:1:19: bad duration '30': a unit is missing", NULL);
	refused("limits: {memory: 0}\n", "mine.yaml:1:18: memory must not be 0",
	    "leave it out for no limit");
	refused("limits: {processes: 99999999999}\n",
	    "mine.yaml:1:21: processes must be a number from 1 to 4194304",
	    NULL);
	refused("limits: {processes: -1}\n",
	    "mine.yaml:1:21: processes must be a number from 1 to 4194304",
	    NULL);
	refused("limits: {processes: '8'}\n",
	    "mine.yaml:1:21: processes must be a number from 1 to 4194304",
	    NULL);
}

static void
sizes_beyond_everything_are_refused(void **state)
{
	static const char *const texts[] = {"limits: {memory: 99999999TiB}",
	    "limits: {memory: 99999999999999999999999}",
	    "limits: {timeout: 99999999d}", "limits: {tmp: -1}",
	    "limits: {tmp: 1.5}", "limits: {cpu: soon}"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct w_profile profile;
		writ_error err;

		assert_int_equal(w_profile_parse(texts[i], strlen(texts[i]),
				     "mine.yaml", dirs, &profile, &err),
		    WRIT_E_INVALID);
		assert_int_equal(strncmp(err.message, "mine.yaml:1:1", 13), 0);
	}
}

static void
what_the_walls_cannot_do_is_refused_where_it_stands(void **state)
{
	(void)state;
	refused("extends: readonly\nwrite: [out]\n",
	    "mine.yaml:2:8: a profile that extends 'readonly' cannot have "
	    "writable paths",
	    "extend 'workspace' or 'strict'");
	refused("extends: env\nhide: [~/x]\n",
	    "mine.yaml:2:7: hide needs walls, and 'env' has none", NULL);
	refused("extends: none\nnetwork: off\n",
	    "mine.yaml:2:10: network needs walls, and 'none' has none", NULL);
}

static void
bad_yaml_has_its_place_too(void **state)
{
	(void)state;
	refused("a: b: c\n",
	    "mine.yaml:1:5: not valid YAML: mapping values are not allowed in "
	    "this context",
	    NULL);
	refused("", "mine.yaml: the document is empty", NULL);
	refused("read: &x [/a]\nhide: *x\n",
	    "mine.yaml:1:7: anchors and aliases are not allowed", NULL);
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
	struct w_confine confine;
	char cwd[300];
	const struct w_confine_context context = {
	    .cwd = cwd, .home = "/nonexistent"};
	writ_error err;

	(void)state;
	temp_dir(&temp, "project");
	(void)snprintf(cwd, sizeof(cwd), "%s/project", temp.path);
	temp_file(&temp, "project/ci.yaml", 0600, "limits: {cpu: 1s}\n");
	assert_int_equal(
	    find(temp_path(&temp, "project/ci.yaml"), &profile, &err), WRIT_OK);
	assert_int_equal(
	    w_confine_resolve(&profile, &context, &confine, &err), WRIT_OK);
	assert_false(w_confine_allows(
	    &confine, temp_path(&temp, "project/ci.yaml"), W_MAY_WRITE));
	assert_true(w_confine_allows(
	    &confine, temp_path(&temp, "project/ci.yaml2"), W_MAY_WRITE));
	w_confine_done(&confine);
	w_profile_done(&profile);
}

static void
the_shipped_examples_are_good(void **state)
{
	static const char *const names[] = {
	    "node-project", "python-project", "ci-build"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[512];
		char text[8192];
		struct w_profile profile;
		writ_error err = {.message = ""};

		(void)snprintf(path, sizeof(path),
		    "%s/examples/profiles/%s.yaml", getenv("WRIT_SOURCE"),
		    names[i]);
		FILE *file = fopen(path, "re");
		assert_non_null(file);
		size_t len = fread(text, 1, sizeof(text), file);
		(void)fclose(file);
		(void)w_profile_parse(text, len, path, dirs, &profile, &err);
		assert_string_equal(err.message, "");
		assert_string_equal(profile.name, names[i]);
		w_profile_done(&profile);
	}
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

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(builtin_profiles_are_found_by_name),
	    CASE(every_key_is_read),
	    CASE(a_profile_extends_strict_unless_it_says_otherwise),
	    CASE(off_is_a_word_and_not_a_boolean),
	    CASE(unknown_keys_are_refused_with_a_suggestion),
	    CASE(wrong_types_are_refused),
	    CASE(empty_lists_say_nothing_and_are_refused),
	    CASE(misleading_paths_are_refused),
	    CASE(absurd_limits_are_refused),
	    CASE(sizes_beyond_everything_are_refused),
	    CASE(what_the_walls_cannot_do_is_refused_where_it_stands),
	    CASE(bad_yaml_has_its_place_too),
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
	    CASE(the_shipped_examples_are_good),
	    CASE(nothing_is_left_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
