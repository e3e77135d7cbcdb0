/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "module/registry/registry_programs.h"
#include "module_dir.h"

static struct temp temp;

static int
set_up(void **state)
{
	int status = temp_begin(&temp, state);

	temp_dir(&temp, "user");
	temp_dir(&temp, "project");
	return status;
}

static void
describe(const char *dir, const char *program, const char *rest)
{
	char name[256];
	char text[1024];

	(void)snprintf(name, sizeof(name), "%s/%s.command.yaml", dir, program);
	(void)snprintf(text, sizeof(text), "command: %s\n%s\n", program, rest);
	module_put_text(&temp, name, text);
}

static struct w_registry *
load(void)
{
	char user[512];
	char project[512];
	const struct w_registry_dir dirs[] = {
	    {.path = project, .tier = "project", .may_only_add = true},
	    {.path = user, .tier = "user"},
	};
	const struct w_registry_options options = {
	    .dirs = dirs, .dir_count = 2, .has_builtin = true};
	struct w_registry *registry = NULL;
	writ_error err = {0};

	(void)snprintf(user, sizeof(user), "%s", temp_path(&temp, "user"));
	(void)snprintf(
	    project, sizeof(project), "%s", temp_path(&temp, "project"));
	if (w_registry_load(&options, &registry, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return registry;
}

/* The origin of what a name means; "" if it is unusable. */
static const char *
origin_of(struct w_registry *registry, const char *name)
{
	const struct w_command *command = NULL;
	const char *origin = "";
	writ_error err = {0};

	if (w_registry_command(registry, name, strlen(name), &command, &origin,
		&err) == WRIT_OK) {
		assert_non_null(command);
		assert_null(w_command_same_as(command));
		return origin;
	}
	assert_true(err.message[0] != '\0');
	return "";
}

static bool
ends_with(const char *text, const char *end)
{
	const size_t len = strlen(text);

	return len >= strlen(end) && strcmp(text + len - strlen(end), end) == 0;
}

static void
a_name_is_only_as_long_as_it_is(void **state)
{
	const struct w_command *command;
	const char *origin;
	struct w_registry *registry = load();

	(void)state;
	assert_int_equal(
	    w_registry_command(registry, "wcat", 2, &command, &origin, NULL),
	    WRIT_OK);
	assert_string_equal(w_command_root(command)->name, "wc");
	assert_string_equal(origin, "builtin");
	assert_int_equal(
	    w_registry_command(registry, "wcat", 4, &command, &origin, NULL),
	    WRIT_E_NOTFOUND);
	assert_int_equal(
	    w_registry_command(registry, "wc\0", 3, &command, &origin, NULL),
	    WRIT_E_NOTFOUND);
	assert_int_equal(
	    w_registry_command(registry, "", 0, &command, &origin, NULL),
	    WRIT_E_NOTFOUND);
	w_registry_free(registry);
}

static void
a_user_replaces_what_is_built_in_by_any_name(void **state)
{
	(void)state;
	describe("user", "mine", "also: [wc]\neffects: [net]");
	struct w_registry *registry = load();
	assert_true(
	    ends_with(origin_of(registry, "mine"), "user/mine.command.yaml"));
	assert_true(
	    ends_with(origin_of(registry, "wc"), "user/mine.command.yaml"));
	/* And the module that is overridden is gone. */
	assert_int_equal(w_registry_find(registry, "cli.wc"), SIZE_MAX);
	assert_int_not_equal(w_registry_find(registry, "cli.mine"), SIZE_MAX);
	assert_int_not_equal(w_registry_find(registry, "cli.ls"), SIZE_MAX);
	w_registry_free(registry);
}

static void
a_description_that_is_wrong_still_owns_the_name(void **state)
{
	const struct w_registry_problem *problems;

	(void)state;
	describe("user", "wc", "effect: []");
	describe("project", "wc", "effects: []");
	struct w_registry *registry = load();
	assert_string_equal(origin_of(registry, "wc"), "");
	assert_int_equal(w_registry_find(registry, "cli.wc"), SIZE_MAX);
	assert_int_equal(w_registry_problems(registry, &problems), 2);
	assert_int_equal(problems[0].error.line, 2);
	w_registry_free(registry);
}

static void
what_may_only_add_gets_no_name_that_another_has(void **state)
{
	const struct w_registry_problem *problems;

	(void)state;
	describe("project", "wc", "effects: []");
	describe("project", "thing", "also: [ls]\neffects: []");
	describe("project", "fresh", "effects: []");
	struct w_registry *registry = load();
	assert_string_equal(origin_of(registry, "wc"), "builtin");
	assert_string_equal(origin_of(registry, "ls"), "builtin");
	assert_string_equal(origin_of(registry, "thing"), "");
	assert_true(
	    ends_with(origin_of(registry, "fresh"), "fresh.command.yaml"));
	assert_int_equal(w_registry_find(registry, "cli.thing"), SIZE_MAX);
	assert_int_not_equal(w_registry_find(registry, "cli.fresh"), SIZE_MAX);
	assert_int_equal(w_registry_problems(registry, &problems), 2);
	w_registry_free(registry);
}

static void
one_program_is_another_but_not_in_circles(void **state)
{
	(void)state;
	describe("user", "count", "same_as: wc");
	describe("user", "x1", "same_as: x2");
	describe("user", "x2", "same_as: x1");
	describe("user", "x3", "same_as: nobody");
	describe("user", "x4", "same_as: x3");
	struct w_registry *registry = load();
	assert_string_equal(origin_of(registry, "count"), "builtin");
	assert_string_equal(origin_of(registry, "x1"), "");
	assert_string_equal(origin_of(registry, "x2"), "");
	assert_string_equal(origin_of(registry, "x3"), "");
	assert_string_equal(origin_of(registry, "x4"), "");
	assert_int_equal(w_registry_find(registry, "cli.count"), SIZE_MAX);
	w_registry_free(registry);
}

static void
a_module_of_a_description_renders_by_its_form(void **state)
{
	const struct w_module *module = NULL;

	(void)state;
	describe("user", "tool",
	    "options: {-n, --number <integer:1..9>: how many}\n"
	    "commands:\n"
	    "  go: {about: Goes, effects: [write .], operands: {to "
	    "<path:write>: x}}");
	struct w_registry *registry = load();
	const size_t place = w_registry_find(registry, "cli.tool.go");
	assert_int_not_equal(place, SIZE_MAX);
	assert_int_equal(w_registry_find(registry, "cli.tool"), SIZE_MAX);
	assert_int_equal(
	    w_registry_module(registry, place, &module, NULL), WRIT_OK);
	assert_non_null(module->by);
	assert_int_equal(module->by->count, module->grammar->count);
	assert_string_equal(module->words.items[0], "tool");
	assert_string_equal(module->words.items[1], "go");
	assert_string_equal(w_registry_at(registry, place)->command, "tool go");
	assert_false(module->annotations.is_readonly);
	w_registry_free(registry);
}

static void
one_file_or_what_is_built_in_is_all_that_is_read(void **state)
{
	(void)state;
	describe("user", "tool", "effects: []");
	struct w_registry *all = load();
	const char *const ids[] = {"cli.tool", "cli.wc"};
	for (size_t i = 0; i < 2; i++) {
		const struct w_registry_file file =
		    w_registry_file_of(all, w_registry_find(all, ids[i]));
		const struct w_registry_options options = {.only = &file};
		const struct w_module *module = NULL;
		struct w_registry *one = NULL;

		assert_int_equal(
		    w_registry_load(&options, &one, NULL), WRIT_OK);
		const size_t place = w_registry_find(one, ids[i]);
		assert_int_not_equal(place, SIZE_MAX);
		assert_int_equal(
		    w_registry_module(one, place, &module, NULL), WRIT_OK);
		w_registry_free(one);
	}
	w_registry_free(all);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_name_is_only_as_long_as_it_is),
	    TEST(a_user_replaces_what_is_built_in_by_any_name),
	    TEST(a_description_that_is_wrong_still_owns_the_name),
	    TEST(what_may_only_add_gets_no_name_that_another_has),
	    TEST(one_program_is_another_but_not_in_circles),
	    TEST(a_module_of_a_description_renders_by_its_form),
	    TEST(one_file_or_what_is_built_in_is_all_that_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
