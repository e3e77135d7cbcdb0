/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/profile/profile.h"

static struct w_profile
parse_ok(const char *text)
{
	struct w_profile profile;
	writ_error err = {.message = ""};
	writ_status status = w_profile_parse(
	    text, strlen(text), "dir/mine.yaml", NULL, &profile, &err);

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
	    w_profile_parse(text, len, "mine.yaml", NULL, &profile, &err),
	    WRIT_E_INVALID);
	assert_string_equal(err.message, message);
	if (suggestion != NULL)
		assert_string_equal(err.suggestion, suggestion);
	assert_null(profile.name);
	assert_int_equal(
	    w_profile_parse(text, len, "mine.yaml", NULL, &profile, NULL),
	    WRIT_E_INVALID);
}

static void
refused(const char *text, const char *message, const char *suggestion)
{
	check_refused(text, strlen(text), message, suggestion);
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
	assert_int_equal(profile.builtins.read, 2);
	assert_string_equal(profile.read.items[2], "/opt/sdk");
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
	    "mine.yaml:1:10: network must be off, loopback, host, or a map "
	    "with a list of hosts",
	    NULL);
	refused("network: hots\n",
	    "mine.yaml:1:10: network must be off, loopback, host, or a map "
	    "with a list of hosts",
	    "did you mean 'hosts'?");
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
	refused("[read]\n",
	    "mine.yaml:1:1: a profile must be a map, not a list", NULL);
	refused("read: /opt\n",
	    "mine.yaml:1:7: read must be a list of paths, not text",
	    "write it as a list: [ ... ]");
	refused("read: [1]\n",
	    "mine.yaml:1:8: a path must be text, not a number", NULL);
	refused("read: [/a, {b: c}]\n",
	    "mine.yaml:1:12: a path must be text, not a map", NULL);
	refused("limits: 5\n",
	    "mine.yaml:1:9: limits must be a map, not a number", NULL);
	refused("extends: [strict]\n",
	    "mine.yaml:1:10: extends must be the name of a profile, not a list",
	    NULL);
	refused("description: 5\n",
	    "mine.yaml:1:14: description must be text, not a number", NULL);
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
				     "mine.yaml", NULL, &profile, &err),
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
	    "mine.yaml:2:7: hide needs a sandbox, and 'env' has none", NULL);
	refused("extends: none\nnetwork: off\n",
	    "mine.yaml:2:10: network needs a sandbox, and 'none' has none",
	    NULL);
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
		(void)w_profile_parse(text, len, path, NULL, &profile, &err);
		assert_string_equal(err.message, "");
		assert_string_equal(profile.name, names[i]);
		w_profile_done(&profile);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_key_is_read),
	    cmocka_unit_test(a_profile_extends_strict_unless_it_says_otherwise),
	    cmocka_unit_test(off_is_a_word_and_not_a_boolean),
	    cmocka_unit_test(unknown_keys_are_refused_with_a_suggestion),
	    cmocka_unit_test(wrong_types_are_refused),
	    cmocka_unit_test(empty_lists_say_nothing_and_are_refused),
	    cmocka_unit_test(misleading_paths_are_refused),
	    cmocka_unit_test(absurd_limits_are_refused),
	    cmocka_unit_test(sizes_beyond_everything_are_refused),
	    cmocka_unit_test(
		what_the_walls_cannot_do_is_refused_where_it_stands),
	    cmocka_unit_test(bad_yaml_has_its_place_too),
	    cmocka_unit_test(the_shipped_examples_are_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
