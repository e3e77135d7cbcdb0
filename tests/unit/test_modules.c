/* SPDX-License-Identifier: Apache-2.0 */
#include "calling.h"

/* A file with one module that echoes a word. */
static void
put_echo(const char *dir, const char *id, const char *word)
{
	char path[400];
	char text[200];

	(void)snprintf(path, sizeof(path), "%s/%s.binding.yaml", dir, id);
	(void)snprintf(text, sizeof(text),
	    "spec_version: \"1.0\"\nbindings:\n- module_id: %s\n"
	    "  target: exec:///bin/echo %s\n",
	    id, word);
	put_file(path, "", text);
}

static void
make_dir(const char *name)
{
	assert_int_equal(mkdir(in_home(name), 0700), 0);
}

static void
load_with(const writ_modules_options *options)
{
	writ_error err = {0};

	writ_modules_free(modules);
	modules = NULL;
	if (writ_modules_new(options, &modules, &err) != WRIT_OK)
		fail_msg("%s", err.message);
}

static void
expect_command(const char *id, const char *command, const char *tier)
{
	const writ_module *module = NULL;
	writ_error err = {0};

	if (writ_modules_find(modules, id, &module, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	assert_string_equal(module->command, command);
	assert_string_equal(module->tier, tier);
}

static void
modules_come_from_every_place_in_order(void **state)
{
	writ_modules_options options = plain_options();
	char both[600];

	(void)state;
	make_dir("option");
	make_dir("env1");
	make_dir("env2");
	make_dir("apcore");
	make_dir("system/modules");
	put_echo(in_home("option"), "cli.a", "option");
	put_echo(in_home("env1"), "cli.a", "env");
	put_echo(in_home("env1"), "cli.b", "env");
	put_echo(in_home("env2"), "cli.c", "env");
	put_echo(in_home("apcore"), "cli.d", "apcore");
	put_echo(in_home("config/modules"), "cli.d", "user");
	put_echo(in_home("config/modules"), "cli.e", "user");
	put_echo(in_home("system/modules"), "cli.e", "system");
	put_echo(in_home("system/modules"), "cli.f", "system");

	(void)snprintf(
	    both, sizeof(both), "%s/env1:%s/env2", home.path, home.path);
	(void)setenv("WRIT_MODULES", both, 1);
	(void)setenv("APCORE_EXTENSIONS_ROOT", in_home("apcore"), 1);
	const char *const dirs[] = {strdup(in_home("option")), NULL};
	writ_config *with = NULL;
	assert_int_equal(writ_config_new(&with, NULL), WRIT_OK);
	static const char *const keys[] = {
	    "config_dir", "system_dir", "state_dir", "cache_dir"};
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(writ_config_set(with, keys[i],
				     writ_config_get(settings, keys[i]), NULL),
		    WRIT_OK);
	options.config = with;
	options.dirs = dirs;
	load_with(&options);
	writ_config_free(with);
	free((void *)(uintptr_t)dirs[0]);

	expect_command("cli.a", "/bin/echo option", "option");
	expect_command("cli.b", "/bin/echo env", "environment");
	expect_command("cli.c", "/bin/echo env", "environment");
	expect_command("cli.d", "/bin/echo apcore", "environment");
	expect_command("cli.e", "/bin/echo user", "user");
	expect_command("cli.f", "/bin/echo system", "system");
	size_t count;
	(void)writ_modules_problems(modules, &count);
	assert_int_equal(count, 0);
	for (size_t i = 1; i < writ_modules_count(modules); i++)
		assert_true(strcmp(writ_modules_at(modules, i - 1)->id,
				writ_modules_at(modules, i)->id) < 0);
	assert_null(writ_modules_at(modules, writ_modules_count(modules)));
}

static void
a_project_adds_and_never_replaces(void **state)
{
	writ_modules_options options = plain_options();
	char deep[400];
	size_t count;

	(void)state;
	make_dir("project");
	make_dir("project/.writ");
	make_dir("project/.writ/modules");
	make_dir("project/src");
	put_echo(in_home("config/modules"), "cli.a", "user");
	put_echo(in_home("project/.writ/modules"), "cli.a", "project");
	put_echo(in_home("project/.writ/modules"), "cli.p", "project");
	(void)snprintf(deep, sizeof(deep), "%s", in_home("project/src"));
	options.no_project = false;
	options.project = deep;
	load_with(&options);
	expect_command("cli.a", "/bin/echo user", "user");
	expect_command("cli.p", "/bin/echo project", "project");
	(void)writ_modules_problems(modules, &count);
	assert_int_equal(count, 1);

	options.no_project = true;
	load_with(&options);
	assert_int_equal(writ_modules_count(modules), 1);
}

static void
a_home_is_a_project_only_from_itself(void **state)
{
	writ_modules_options options = plain_options();
	const char *before = getenv("HOME");
	char *kept = strdup(before == NULL ? "/" : before);
	char deep[400];

	(void)state;
	make_dir("me");
	make_dir("me/.writ");
	make_dir("me/.writ/modules");
	make_dir("me/src");
	put_echo(in_home("me/.writ/modules"), "cli.p", "home");
	(void)setenv("HOME", in_home("me"), 1);
	(void)snprintf(deep, sizeof(deep), "%s", in_home("me/src"));
	options.no_project = false;
	options.project = deep;
	load_with(&options);
	assert_int_equal(writ_modules_count(modules), 0);

	/* As for policies: only whoever works in it directly means it. */
	options.project = in_home("me");
	load_with(&options);
	expect_command("cli.p", "/bin/echo home", "project");

	/* Without HOME, home is what the user database says. */
	options.project = deep;
	(void)unsetenv("HOME");
	load_with(&options);
	assert_int_equal(writ_modules_count(modules), 1);
	(void)setenv("HOME", kept, 1);
	free(kept);
	load_with(&options);
	assert_int_equal(writ_modules_count(modules), 1);

	options.project = "/nonexistent/place";
	writ_modules *none = NULL;
	writ_error err = {0};
	assert_int_equal(
	    writ_modules_new(&options, &none, &err), WRIT_E_INVALID);
	assert_true(is_in("/nonexistent/place", err.message));
}

static void
only_dirs_means_only_them(void **state)
{
	writ_modules_options options = plain_options();
	writ_modules *none = NULL;
	writ_error err = {0};

	(void)state;
	make_dir("one");
	put_echo(in_home("one"), "cli.one", "one");
	put_echo(in_home("config/modules"), "cli.user", "user");
	char path[400];
	(void)snprintf(path, sizeof(path), "%s", in_home("one"));
	const char *dirs[] = {path, NULL};
	options.dirs = dirs;
	options.only_dirs = true;
	load_with(&options);
	assert_int_equal(writ_modules_count(modules), 1);

	dirs[0] = "/nonexistent/dir";
	assert_int_not_equal(writ_modules_new(&options, &none, &err), WRIT_OK);
	assert_true(is_in("/nonexistent/dir", err.message));
	assert_null(none);
}

static void
one_broken_file_does_not_hide_the_others(void **state)
{
	size_t count;

	(void)state;
	put_echo(in_home("config/modules"), "cli.good", "good");
	put_modules("broken", "- module_id: cli.bad\n"
			      "  taget: exec:///bin/true\n");
	load_modules();
	assert_int_equal(writ_modules_count(modules), 1);
	const writ_module_problem *problems =
	    writ_modules_problems(modules, &count);
	assert_int_equal(count, 1);
	assert_true(is_in("broken.binding.yaml", problems[0].file));
	assert_int_equal(problems[0].error.line, 4);
	assert_true(is_in("taget", problems[0].error.message));
	assert_true(is_in("target", problems[0].error.suggestion));

	const writ_module *module = NULL;
	writ_error err = {0};
	assert_int_equal(writ_modules_find(modules, "cli.bad", &module, &err),
	    WRIT_E_INVALID);
	assert_true(is_in("'cli.bad' cannot be used: ", err.message));
	assert_true(is_in("broken.binding.yaml:4:", err.message));
	assert_true(is_in("taget", err.message));
	assert_int_equal(writ_modules_find(modules, "cli.ba", &module, &err),
	    WRIT_E_NOTFOUND);
}

static void
words_of_a_query_find_modules(void **state)
{
	const writ_module **found = NULL;
	size_t count;

	(void)state;
	use_modules("- module_id: cli.git.log\n"
		    "  target: exec:///usr/bin/git log\n"
		    "  description: Show commit logs\n"
		    "- module_id: cli.git.status\n"
		    "  target: exec:///usr/bin/git status\n"
		    "  description: Show the working tree\n");
	assert_int_equal(
	    writ_modules_search(modules, "git tree", &found, &count, NULL),
	    WRIT_OK);
	assert_int_equal(count, 1);
	assert_string_equal(found[0]->id, "cli.git.status");
	free(found);
	assert_int_equal(
	    writ_modules_search(modules, "nothing", &found, &count, NULL),
	    WRIT_OK);
	assert_int_equal(count, 0);
	free(found);
}

static void
parameters_are_described_for_people(void **state)
{
	const writ_parameter *parameters = NULL;
	size_t count;

	(void)state;
	use_modules(
	    "- module_id: cli.x\n"
	    "  target: exec:///bin/echo\n"
	    "  input_schema:\n"
	    "    type: object\n"
	    "    required: [path]\n"
	    "    properties:\n"
	    "      max_count: {type: integer, default: 5, description: "
	    "\"How many.\\nMore text.\"}\n"
	    "      color: {type: [string, boolean], enum: [always, never, "
	    "true], "
	    "x-apexe-value-optional: true}\n"
	    "      key: {type: string, x-sensitive: true, x-apexe-flag: -k}\n"
	    "      path: {type: array, items: {type: string}, "
	    "x-apexe-positional: 0, x-apexe-path: true}\n"
	    "      any: {}\n");
	assert_int_equal(writ_modules_parameters(
			     modules, "cli.x", &parameters, &count, NULL),
	    WRIT_OK);
	assert_int_equal(count, 5);
	assert_string_equal(parameters[0].name, "max_count");
	assert_string_equal(parameters[0].flag, "--max-count");
	assert_string_equal(parameters[0].type, "integer");
	assert_string_equal(parameters[0].help, "How many.");
	assert_string_equal(parameters[0].standard, "5");
	assert_null(parameters[0].words);
	assert_int_equal(parameters[0].operand, -1);
	assert_string_equal(parameters[1].words, "always|never");
	assert_string_equal(parameters[1].type, "boolean|string");
	assert_true(parameters[1].is_value_optional);
	assert_string_equal(parameters[2].flag, "-k");
	assert_true(parameters[2].is_secret);
	assert_string_equal(parameters[2].help, "");
	assert_null(parameters[3].flag);
	assert_int_equal(parameters[3].operand, 0);
	assert_string_equal(parameters[3].type, "array");
	assert_string_equal(parameters[3].items, "string");
	assert_true(parameters[3].is_path && parameters[3].is_required);
	assert_string_equal(parameters[4].type, "any");

	const writ_parameter *again = NULL;
	assert_int_equal(
	    writ_modules_parameters(modules, "cli.x", &again, &count, NULL),
	    WRIT_OK);
	assert_ptr_equal(again, parameters);
}

/* ---- files that are not in use yet ---- */

struct heard {
	size_t count;
	writ_error first;
};

static void
hear(void *ctx, const writ_module_problem *problem)
{
	struct heard *heard = ctx;

	if (heard->count++ == 0)
		heard->first = problem->error;
}

static void
a_file_is_checked_down_to_its_schemas(void **state)
{
	struct heard heard = {0};
	size_t count = 9;

	(void)state;
	put_file(in_home("x.yaml"), "spec_version: \"1.0\"\nbindings:\n",
	    "- module_id: cli.good\n"
	    "  target: exec:///bin/true\n"
	    "- module_id: cli.schema\n"
	    "  target: exec:///bin/true\n"
	    "  input_schema: {type: object, properties: {a: {type: strnig}}}\n"
	    "- module_id: cli.good\n"
	    "  target: exec:///bin/false\n");
	assert_int_equal(
	    writ_modules_check(in_home("x.yaml"), hear, &heard, &count, NULL),
	    WRIT_OK);
	assert_int_equal(heard.count, 2);
	assert_true(heard.first.line >= 5);

	writ_error err = {0};
	assert_int_equal(
	    writ_modules_check("/nonexistent", hear, &heard, &count, &err),
	    WRIT_E_NOTFOUND);
	assert_int_equal(
	    writ_modules_check(home.path, hear, &heard, &count, &err),
	    WRIT_E_INVALID);
}

static void
a_file_is_taken_in_whole_or_not_at_all(void **state)
{
	static const char good[] = "- module_id: cli.one\n"
				   "  target: exec:///bin/echo one\n"
				   "- module_id: cli.two\n"
				   "  target: exec:///bin/echo two\n";
	size_t count = 0;
	writ_error err = {0};

	(void)state;
	put_file(in_home("x.yaml"), "spec_version: \"1.0\"\nbindings:\n", good);
	assert_int_equal(writ_modules_add(settings, in_home("x.yaml"), NULL,
			     false, &count, &err),
	    WRIT_OK);
	assert_int_equal(count, 2);
	load_modules();
	expect_command("cli.one", "/bin/echo one", "user");
	expect_command("cli.two", "/bin/echo two", "user");

	/* Existing files stay, and nothing else is written either. */
	assert_int_equal(
	    unlink(in_home("config/modules/cli.one.binding.yaml")), 0);
	assert_int_equal(writ_modules_add(settings, in_home("x.yaml"), NULL,
			     false, &count, &err),
	    WRIT_E_INVALID);
	assert_true(is_in("cli.two", err.message));
	assert_int_not_equal(
	    access(in_home("config/modules/cli.one.binding.yaml"), F_OK), 0);
	assert_int_equal(writ_modules_add(settings, in_home("x.yaml"), NULL,
			     true, &count, &err),
	    WRIT_OK);

	put_file(in_home("x.yaml"), "spec_version: \"1.0\"\nbindings:\n",
	    "- module_id: cli.three\n  target: exec:///bin/true\n"
	    "- module_id: cli.four\n  target: nowhere\n");
	assert_int_equal(writ_modules_add(settings, in_home("x.yaml"),
			     in_home("new/place"), false, &count, &err),
	    WRIT_E_INVALID);
	assert_int_not_equal(
	    access(in_home("new/place/cli.three.binding.yaml"), F_OK), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CALLING(modules_come_from_every_place_in_order),
	    CALLING(a_project_adds_and_never_replaces),
	    CALLING(a_home_is_a_project_only_from_itself),
	    CALLING(only_dirs_means_only_them),
	    CALLING(one_broken_file_does_not_hide_the_others),
	    CALLING(words_of_a_query_find_modules),
	    CALLING(parameters_are_described_for_people),
	    CALLING(a_file_is_checked_down_to_its_schemas),
	    CALLING(a_file_is_taken_in_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
