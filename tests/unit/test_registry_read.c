/* SPDX-License-Identifier: Apache-2.0 */

/* A registry of one file that has already been checked. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "module_dir.h"

static struct temp temp;

static int
set_up(void **state)
{
	int status = temp_begin(&temp, state);

	temp_dir(&temp, "mods");
	module_put(&temp, "mods/a.binding.yaml", "cli.a");
	module_put(&temp, "mods/b.binding.yaml", "cli.b");
	return status;
}

/* The file of a module, with its path in room. */
static struct w_registry_file
find(const char *id, char room[512])
{
	struct w_registry *registry = module_load(&temp, "mods");
	const size_t place = w_registry_find(registry, id);

	assert_int_not_equal(place, SIZE_MAX);
	struct w_registry_file file = w_registry_file_of(registry, place);
	(void)snprintf(room, 512, "%s", file.path);
	file.path = room;
	file.id = id;
	w_registry_free(registry);
	return file;
}

static void
expect_refusal(const struct w_registry_file *file, const char *message)
{
	const struct w_registry_options options = {.only = file};
	struct w_registry *registry = NULL;
	writ_error err = {0};

	assert_int_equal(
	    w_registry_load(&options, &registry, &err), WRIT_E_INVALID);
	assert_null(registry);
	if (strstr(err.message, message) == NULL)
		fail_msg("'%s' is not in '%s'", message, err.message);
}

static void
one_file_is_all_that_is_read(void **state)
{
	char room[512];
	const struct w_registry_file file = find("cli.b", room);
	const struct w_registry_options options = {.only = &file};
	const struct w_module *module = NULL;
	struct w_registry *registry = NULL;
	writ_error err = {0};

	(void)state;
	assert_int_equal(w_registry_load(&options, &registry, &err), WRIT_OK);
	assert_int_equal(w_registry_count(registry), 1);
	assert_string_equal(w_registry_at(registry, 0)->file, room);
	assert_int_equal(w_registry_at(registry, 0)->line, 3);
	assert_int_equal(
	    w_registry_module(registry, 0, &module, &err), WRIT_OK);
	assert_string_equal(module->words.items[1], "cli.b");
	w_registry_free(registry);
}

/* Other modules take no time, and cannot cause a failure. */
static void
one_module_is_all_that_is_looked_at(void **state)
{
	static const char text[] =
	    "spec_version: \"1.0\"\n"
	    "bindings:\n"
	    "- {module_id: cli.bad, target: 7}\n"
	    "- {module_id: cli.a, target: 'exec:///bin/true', description: x,"
	    " input_schema: {type: nothing}}\n"
	    "- {module_id: cli.a, target: 'exec:///bin/true', description: y,"
	    " input_schema: {type: object}}\n"
	    "- {module_id: cli.c, target: 'exec:///bin/true', description: z,"
	    " input_schema: {type: object}}\n";
	const struct w_registry_problem *problems = NULL;
	struct w_registry *registry = NULL;
	char room[512];

	(void)state;
	module_put_text(&temp, "mods/a.binding.yaml", text);
	struct w_registry_file file = find("cli.a", room);
	const struct w_registry_options options = {.only = &file};

	assert_int_equal(w_registry_load(&options, &registry, NULL), WRIT_OK);
	assert_int_equal(w_registry_count(registry), 1);
	assert_string_equal(w_registry_at(registry, 0)->description, "y");
	assert_int_equal(w_registry_problems(registry, &problems), 1);
	w_registry_free(registry);
	file.id = NULL;
	assert_int_equal(w_registry_load(&options, &registry, NULL), WRIT_OK);
	assert_int_equal(w_registry_count(registry), 2);
	assert_int_equal(w_registry_problems(registry, &problems), 2);
	w_registry_free(registry);
}

static void
who_owns_it_is_not_asked(void **state)
{
	char room[512];
	struct w_registry_file file = find("cli.a", room);
	const struct w_registry_options options = {.only = &file};
	struct w_registry *registry = NULL;

	(void)state;
	file.identity.uid++;
	assert_int_equal(w_registry_load(&options, &registry, NULL), WRIT_OK);
	w_registry_free(registry);
}

static void
a_file_that_is_not_what_it_was_is_refused(void **state)
{
	char room[512];
	const struct w_registry_file file = find("cli.a", room);

	(void)state;
	module_put(&temp, "mods/new", "cli.a");
	assert_int_equal(
	    renameat(temp.fd, "mods/a.binding.yaml", temp.fd, "mods/old"), 0);
	expect_refusal(&file, "cannot open");
	assert_int_equal(symlinkat("old", temp.fd, "mods/a.binding.yaml"), 0);
	expect_refusal(&file, "is a symbolic link");
	assert_int_equal(
	    renameat(temp.fd, "mods/new", temp.fd, "mods/a.binding.yaml"), 0);
	expect_refusal(&file, "has changed since");
}

static void
a_change_of_its_mode_is_a_change(void **state)
{
	char room[512];
	const struct w_registry_file file = find("cli.a", room);

	(void)state;
	assert_int_equal(fchmodat(temp.fd, "mods/a.binding.yaml", 0666, 0), 0);
	expect_refusal(&file, "has changed since");
}

static void
a_path_that_is_not_whole_is_refused(void **state)
{
	const struct w_registry_file file = {.path = "mods/a.binding.yaml"};
	const struct w_registry_file none = {.path = ""};

	(void)state;
	expect_refusal(&file, "not an absolute path");
	expect_refusal(&none, "not an absolute path");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(one_file_is_all_that_is_read),
	    TEST(one_module_is_all_that_is_looked_at),
	    TEST(who_owns_it_is_not_asked),
	    TEST(a_file_that_is_not_what_it_was_is_refused),
	    TEST(a_change_of_its_mode_is_a_change),
	    TEST(a_path_that_is_not_whole_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
