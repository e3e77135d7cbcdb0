/* SPDX-License-Identifier: Apache-2.0 */
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
	return status;
}

static const struct w_registry_problem *
only_problem(const struct w_registry *registry)
{
	const struct w_registry_problem *problems = NULL;

	assert_int_equal(w_registry_problems(registry, &problems), 1);
	return problems;
}

static size_t
count_problems(const struct w_registry *registry)
{
	const struct w_registry_problem *problems = NULL;

	return w_registry_problems(registry, &problems);
}

static void
modules_are_listed_by_id_with_what_they_say(void **state)
{
	(void)state;
	module_put(&temp, "mods/a.binding.yaml", "cli.zeta");
	module_put(&temp, "mods/z.binding.yaml", "cli.alpha");
	struct w_registry *registry = module_load(&temp, "mods");
	const struct w_module_summary *first = w_registry_at(registry, 0);

	assert_int_equal(w_registry_count(registry), 2);
	assert_int_equal(count_problems(registry), 0);
	assert_string_equal(first->id, "cli.alpha");
	assert_string_equal(first->command, "/bin/echo cli.alpha");
	assert_string_equal(first->description, "Says its name");
	assert_string_equal(first->tags[0], "cli");
	assert_string_equal(first->tags[1], "sample");
	assert_null(first->tags[2]);
	assert_null(first->version);
	assert_string_equal(first->tier, "option");
	assert_string_equal(
	    first->file, temp_path(&temp, "mods/z.binding.yaml"));
	assert_int_equal(first->line, 3);
	assert_int_equal(first->column, 3);
	assert_string_equal(w_registry_at(registry, 1)->id, "cli.zeta");
	assert_null(w_registry_at(registry, 2));
	w_registry_free(registry);
}

static void
a_module_is_found_by_its_id_only(void **state)
{
	(void)state;
	for (char c = 'a'; c <= 'k'; c++) {
		char name[32];
		char id[16];

		(void)snprintf(name, sizeof(name), "mods/%c.binding.yaml", c);
		(void)snprintf(id, sizeof(id), "cli.%c", c);
		module_put(&temp, name, id);
	}
	struct w_registry *registry = module_load(&temp, "mods");
	for (char c = 'a'; c <= 'k'; c++) {
		char id[16];

		(void)snprintf(id, sizeof(id), "cli.%c", c);
		assert_int_equal(w_registry_find(registry, id), c - 'a');
	}
	assert_int_equal(w_registry_find(registry, "cli.A"), SIZE_MAX);
	assert_int_equal(w_registry_find(registry, "cli."), SIZE_MAX);
	assert_int_equal(w_registry_find(registry, ""), SIZE_MAX);
	assert_int_equal(w_registry_find(registry, "cli.z"), SIZE_MAX);
	w_registry_free(registry);
}

static void
a_module_is_made_once_and_stays(void **state)
{
	const struct w_module *first = NULL;
	const struct w_module *second = NULL;

	(void)state;
	module_put(&temp, "mods/a.binding.yaml", "cli.a");
	struct w_registry *registry = module_load(&temp, "mods");
	assert_int_equal(w_registry_module(registry, 0, &first, NULL), WRIT_OK);
	assert_string_equal(first->id, "cli.a");
	assert_string_equal(first->words.items[0], "/bin/echo");
	assert_int_equal(
	    w_registry_module(registry, 0, &second, NULL), WRIT_OK);
	assert_ptr_equal(first, second);
	assert_int_equal(
	    w_registry_module(registry, 1, &second, NULL), WRIT_E_INVALID);
	w_registry_free(registry);
}

static void
one_broken_file_does_not_hide_the_others(void **state)
{
	(void)state;
	module_put(&temp, "mods/a.binding.yaml", "cli.a");
	module_put_text(
	    &temp, "mods/b.binding.yaml", "spec_version: \"1.0\"\n\tx: [\n");
	module_put(&temp, "mods/c.binding.yaml", "cli.c");
	for (int i = 0; i < 2; i++) {
		struct w_registry *registry = module_load(&temp, "mods");
		const struct w_registry_problem *problem =
		    only_problem(registry);

		assert_int_equal(w_registry_count(registry), 2);
		assert_string_equal(
		    problem->file, temp_path(&temp, "mods/b.binding.yaml"));
		assert_int_equal(problem->error.status, WRIT_E_INVALID);
		assert_int_equal(problem->error.line, 2);
		assert_true(problem->error.column > 0);
		assert_non_null(strstr(problem->error.message, "YAML"));
		w_registry_free(registry);
		/* The second time it comes from the cache. */
		module_settle();
	}
}

static void
one_broken_element_does_not_hide_the_others_of_its_file(void **state)
{
	(void)state;
	module_put_text(&temp, "mods/a.binding.yaml",
	    "spec_version: \"1.0\"\n"
	    "bindings:\n"
	    "- {module_id: cli.a, target: 'exec:///bin/echo a'}\n"
	    "- {module_id: cli.b, target: 'invalid'}\n"
	    "- {module_id: cli.c, target: 'exec:///bin/echo c'}\n");
	struct w_registry *registry = module_load(&temp, "mods");
	const struct w_registry_problem *problem = only_problem(registry);

	assert_int_equal(w_registry_count(registry), 2);
	assert_int_equal(problem->error.line, 4);
	assert_int_equal(w_registry_at(registry, 1)->line, 5);
	w_registry_free(registry);
}

static void
a_schema_that_is_none_is_told_when_the_file_is_read(void **state)
{
	(void)state;
	module_put(&temp, "mods/a.binding.yaml", "cli.a");
	module_put_text(&temp, "mods/b.binding.yaml",
	    "spec_version: \"1.0\"\n"
	    "bindings:\n"
	    "- module_id: cli.b\n"
	    "  target: exec:///bin/echo b\n"
	    "  input_schema:\n"
	    "    type: object\n"
	    "    properties:\n"
	    "      name: {type: string, pattern: \"(\"}\n");
	struct w_registry *registry = module_load(&temp, "mods");
	const struct w_registry_problem *problem = only_problem(registry);

	assert_int_equal(w_registry_count(registry), 1);
	assert_int_equal(problem->error.line, 8);
	assert_non_null(strstr(problem->error.message, "cli.b"));
	assert_non_null(
	    strstr(problem->error.message, "/properties/name/pattern"));
	w_registry_free(registry);
}

static void
a_second_claim_to_an_id_names_the_first(void **state)
{
	(void)state;
	module_put(&temp, "mods/a.binding.yaml", "cli.same");
	module_put(&temp, "mods/b.binding.yaml", "cli.same");
	struct w_registry *registry = module_load(&temp, "mods");
	const struct w_registry_problem *problem = only_problem(registry);

	assert_int_equal(w_registry_count(registry), 1);
	assert_string_equal(w_registry_at(registry, 0)->file,
	    temp_path(&temp, "mods/a.binding.yaml"));
	assert_string_equal(
	    problem->file, temp_path(&temp, "mods/b.binding.yaml"));
	assert_non_null(strstr(problem->error.message, "cli.same"));
	assert_non_null(
	    strstr(problem->error.message, "/mods/a.binding.yaml' line 3"));
	assert_int_equal(problem->error.line, 3);
	w_registry_free(registry);
}

static struct w_registry *
load_two(bool first_adds, bool second_adds)
{
	const struct w_registry_dir dirs[] = {
	    {.path = temp_path(&temp, "mods"),
		.tier = "user",
		.may_only_add = first_adds},
	    {.path = temp_path(&temp, "more"),
		.tier = "system",
		.may_only_add = second_adds},
	    {.path = temp_path(&temp, "missing"), .tier = "project"},
	};
	const struct w_registry_options options = {
	    .dirs = dirs, .dir_count = 3};
	struct w_registry *registry = NULL;

	assert_int_equal(w_registry_load(&options, &registry, NULL), WRIT_OK);
	return registry;
}

static void
the_first_directory_that_has_an_id_has_it(void **state)
{
	(void)state;
	temp_dir(&temp, "more");
	module_put(&temp, "mods/x.binding.yaml", "cli.b");
	module_put(&temp, "more/x.binding.yaml", "cli.b");
	module_put(&temp, "more/y.binding.yaml", "cli.a");
	struct w_registry *registry = load_two(false, false);

	assert_int_equal(w_registry_count(registry), 2);
	assert_int_equal(count_problems(registry), 0);
	assert_string_equal(w_registry_at(registry, 0)->tier, "system");
	assert_string_equal(w_registry_at(registry, 1)->tier, "user");
	w_registry_free(registry);
}

static void
a_directory_that_may_only_add_replaces_nothing(void **state)
{
	(void)state;
	temp_dir(&temp, "more");
	module_put(&temp, "mods/x.binding.yaml", "cli.b");
	module_put(&temp, "more/x.binding.yaml", "cli.b");
	module_put(&temp, "more/y.binding.yaml", "cli.a");

	struct w_registry *registry = load_two(false, true);
	assert_int_equal(w_registry_count(registry), 2);
	assert_string_equal(w_registry_at(registry, 1)->tier, "user");
	assert_string_equal(only_problem(registry)->file,
	    temp_path(&temp, "more/x.binding.yaml"));
	w_registry_free(registry);

	/* Not even if it is listed first. */
	registry = load_two(true, false);
	assert_int_equal(w_registry_count(registry), 2);
	assert_string_equal(w_registry_at(registry, 1)->tier, "system");
	assert_string_equal(only_problem(registry)->file,
	    temp_path(&temp, "mods/x.binding.yaml"));
	w_registry_free(registry);
}

static void
nor_does_it_stand_in_for_what_is_broken(void **state)
{
	(void)state;
	temp_dir(&temp, "more");
	temp_file(&temp, "mods/x.binding.yaml", 0644,
	    "spec_version: \"1.0\"\nbindings:\n"
	    "- {module_id: cli.b, target: \"exec:///bin/true\", odd: 1}\n");
	temp_file(&temp, "mods/cli.c.binding.yaml", 0644, "spec_version: {\n");
	module_put(&temp, "more/a.binding.yaml", "cli.a");
	module_put(&temp, "more/b.binding.yaml", "cli.b");
	module_put(&temp, "more/c.binding.yaml", "cli.c");

	struct w_registry *registry = load_two(false, true);
	assert_int_equal(w_registry_count(registry), 1);
	assert_string_equal(w_registry_at(registry, 0)->id, "cli.a");
	assert_int_equal(count_problems(registry), 4);
	w_registry_free(registry);

	/* Others may. */
	registry = load_two(false, false);
	assert_int_equal(w_registry_count(registry), 3);
	w_registry_free(registry);
}

static void
the_same_directory_twice_counts_once(void **state)
{
	(void)state;
	module_put(&temp, "mods/x.binding.yaml", "cli.b");
	temp_link(&temp, "mods", "more");
	struct w_registry *registry = load_two(false, true);

	assert_int_equal(w_registry_count(registry), 1);
	assert_int_equal(count_problems(registry), 0);
	w_registry_free(registry);
}

static void
a_directory_that_must_exist_and_does_not_is_a_failure(void **state)
{
	const struct w_registry_dir dir = {
	    .path = temp_path(&temp, "missing"), .must_exist = true};
	const struct w_registry_options options = {
	    .dirs = &dir, .dir_count = 1};
	struct w_registry *registry = NULL;
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    w_registry_load(&options, &registry, &err), WRIT_E_INVALID);
	assert_null(registry);
	assert_non_null(strstr(err.message, "/missing'"));
	assert_non_null(strstr(err.message, "No such file"));
}

static void
a_file_where_a_directory_should_be_is_a_problem(void **state)
{
	(void)state;
	temp_file(&temp, "more", 0644, "");
	struct w_registry *registry = load_two(false, false);

	assert_non_null(
	    strstr(only_problem(registry)->error.message, "Not a directory"));
	w_registry_free(registry);
}

static void
a_directory_that_others_can_write_is_not_used(void **state)
{
	(void)state;
	module_put(&temp, "mods/x.binding.yaml", "cli.b");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
		    fchmodat(temp.fd, "mods", i == 0 ? 0777 : 0770, 0), 0);
		struct w_registry *registry = module_load(&temp, "mods");
		const struct w_registry_problem *problem =
		    only_problem(registry);

		assert_int_equal(w_registry_count(registry), 0);
		assert_string_equal(problem->file, temp_path(&temp, "mods"));
		assert_non_null(
		    strstr(problem->error.suggestion, "chmod go-w"));
		w_registry_free(registry);
	}
	/* An older cache does not help. */
	assert_int_equal(fchmodat(temp.fd, "mods", 0755, 0), 0);
	module_settle();
	assert_int_equal(module_load_count(&temp, "mods"), 1);
	assert_int_equal(fchmodat(temp.fd, "mods", 0777, 0), 0);
	struct w_registry *registry = module_load(&temp, "mods");
	assert_int_equal(w_registry_count(registry), 0);
	w_registry_free(registry);
}

static void
a_file_that_others_can_write_is_not_used(void **state)
{
	(void)state;
	module_put(&temp, "mods/a.binding.yaml", "cli.a");
	module_put(&temp, "mods/b.binding.yaml", "cli.b");
	module_settle();
	assert_int_equal(module_load_count(&temp, "mods"), 2);
	assert_int_equal(fchmodat(temp.fd, "mods/a.binding.yaml", 0666, 0), 0);
	struct w_registry *registry = module_load(&temp, "mods");

	assert_int_equal(w_registry_count(registry), 1);
	assert_string_equal(only_problem(registry)->file,
	    temp_path(&temp, "mods/a.binding.yaml"));
	w_registry_free(registry);
}

static void
a_link_among_the_files_is_not_followed(void **state)
{
	(void)state;
	module_put(&temp, "elsewhere.yaml", "cli.a");
	temp_link(&temp, "../elsewhere.yaml", "mods/a.binding.yaml");
	module_put(&temp, "mods/b.binding.yaml", "cli.b");
	struct w_registry *registry = module_load(&temp, "mods");

	assert_int_equal(w_registry_count(registry), 1);
	assert_non_null(strstr(only_problem(registry)->error.message, "link"));
	w_registry_free(registry);
}

static void
other_and_hidden_files_are_none_of_its_business(void **state)
{
	static const char *const names[] = {"mods/.a.binding.yaml",
	    "mods/a.binding.yml", "mods/a.yaml", "mods/a.binding.yaml~",
	    "mods/.binding.yaml", "mods/README"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		module_put_text(&temp, names[i], "{");
	temp_dir(&temp, "mods/deeper");
	module_put(&temp, "mods/deeper/a.binding.yaml", "cli.a");
	struct w_registry *registry = module_load(&temp, "mods");

	assert_int_equal(w_registry_count(registry), 0);
	assert_int_equal(count_problems(registry), 0);
	w_registry_free(registry);
}

static void
json_is_read_like_yaml(void **state)
{
	(void)state;
	module_put_text(&temp, "mods/a.binding.json",
	    "{\"spec_version\":\"1.0\",\"bindings\":[{\"module_id\":\"cli.a\","
	    "\"target\":\"exec:///bin/echo\"}]}");
	struct w_registry *registry = module_load(&temp, "mods");

	assert_int_equal(w_registry_count(registry), 1);
	assert_int_equal(count_problems(registry), 0);
	w_registry_free(registry);
}

static void
an_unreadable_file_is_read_as_soon_as_it_can_be(void **state)
{
	(void)state;
	if (geteuid() == 0)
		skip();
	module_put(&temp, "mods/a.binding.yaml", "cli.a");
	assert_int_equal(fchmodat(temp.fd, "mods/a.binding.yaml", 0000, 0), 0);
	module_settle();
	for (int i = 0; i < 2; i++) {
		struct w_registry *registry = module_load(&temp, "mods");

		assert_int_equal(module_read_count(registry), 1);
		assert_non_null(strstr(only_problem(registry)->error.message,
		    "Permission denied"));
		w_registry_free(registry);
	}
}

static void
what_is_beyond_the_most_files_is_told(void **state)
{
	(void)state;
	for (int i = 0; i < W_REGISTRY_FILES_MAX + 3; i++) {
		char name[40];
		char id[16];

		(void)snprintf(
		    name, sizeof(name), "mods/m%05d.binding.yaml", i);
		(void)snprintf(id, sizeof(id), "cli.m%05d", i);
		module_put(&temp, name, id);
	}
	struct w_registry *registry = module_load(&temp, "mods");

	assert_int_equal(w_registry_count(registry), W_REGISTRY_FILES_MAX);
	assert_non_null(strstr(
	    only_problem(registry)->error.message, "the last 3 of them"));
	assert_int_equal(w_registry_find(registry, "cli.m10000"), SIZE_MAX);
	assert_int_equal(w_registry_find(registry, "cli.m09999"), 9999);
	w_registry_free(registry);
}

static void
more_problems_than_anyone_reads_are_counted(void **state)
{
	const struct w_registry_problem *problems = NULL;

	(void)state;
	for (int i = 0; i < 1100; i++) {
		char name[40];

		(void)snprintf(
		    name, sizeof(name), "mods/m%05d.binding.yaml", i);
		module_put_text(&temp, name, "[");
	}
	struct w_registry *registry = module_load(&temp, "mods");
	assert_int_equal(w_registry_problems(registry, &problems), 1000);
	assert_string_equal(problems[999].error.message,
	    "101 more problems, here and in other files");
	w_registry_free(registry);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(modules_are_listed_by_id_with_what_they_say),
	    TEST(a_module_is_found_by_its_id_only),
	    TEST(a_module_is_made_once_and_stays),
	    TEST(one_broken_file_does_not_hide_the_others),
	    TEST(one_broken_element_does_not_hide_the_others_of_its_file),
	    TEST(a_schema_that_is_none_is_told_when_the_file_is_read),
	    TEST(a_second_claim_to_an_id_names_the_first),
	    TEST(the_first_directory_that_has_an_id_has_it),
	    TEST(a_directory_that_may_only_add_replaces_nothing),
	    TEST(nor_does_it_stand_in_for_what_is_broken),
	    TEST(the_same_directory_twice_counts_once),
	    TEST(a_directory_that_must_exist_and_does_not_is_a_failure),
	    TEST(a_file_where_a_directory_should_be_is_a_problem),
	    TEST(a_directory_that_others_can_write_is_not_used),
	    TEST(a_file_that_others_can_write_is_not_used),
	    TEST(a_link_among_the_files_is_not_followed),
	    TEST(other_and_hidden_files_are_none_of_its_business),
	    TEST(json_is_read_like_yaml),
	    TEST(an_unreadable_file_is_read_as_soon_as_it_can_be),
	    TEST(what_is_beyond_the_most_files_is_told),
	    TEST(more_problems_than_anyone_reads_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
