/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "module_dir.h"

static struct temp temp;
static struct w_registry *registry;

static const char *const modules =
    "spec_version: \"1.0\"\n"
    "bindings:\n"
    "- {module_id: cli.git.commit, target: 'exec:///bin/git commit',\n"
    "   description: Records changes, tags: [vcs]}\n"
    "- {module_id: cli.git.commit_tree, target: 'exec:///bin/git x',\n"
    "   description: Makes a new object, tags: [vcs]}\n"
    "- {module_id: cli.git.log, target: 'exec:///bin/git log',\n"
    "   description: Shows the history of commit objects}\n"
    "- {module_id: cli.hg.ci, target: 'exec:///bin/hg ci',\n"
    "   description: Like others, tags: [commit]}\n"
    "- {module_id: cli.svn, target: 'exec:///bin/svn',\n"
    "   description: Recommits nothing}\n"
    "- {module_id: docker.container.list, target: 'exec:///bin/docker ps',\n"
    "   description: Lists Containers}\n";

static int
set_up(void **state)
{
	int status = temp_begin(&temp, state);

	temp_dir(&temp, "mods");
	module_put_text(&temp, "mods/a.binding.yaml", modules);
	registry = module_load(&temp, "mods");
	assert_int_equal(w_registry_count(registry), 6);
	return status;
}

static int
tear_down(void **state)
{
	w_registry_free(registry);
	return temp_tear_down(state);
}

/* What a query finds, in order, separated by blanks. */
static const char *
found(const char *query)
{
	static char list[1024];
	size_t *places = NULL;
	size_t count = 0;

	list[0] = '\0';
	assert_int_equal(
	    w_registry_search(registry, query, &places, &count, NULL), WRIT_OK);
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(list);

		(void)snprintf(list + len, sizeof(list) - len, "%s%s",
		    i == 0 ? "" : " ", w_registry_at(registry, places[i])->id);
	}
	free(places);
	return list;
}

static void
the_best_comes_first(void **state)
{
	(void)state;
	assert_string_equal(found("commit"),
	    "cli.git.commit cli.git.commit_tree cli.hg.ci cli.git.log cli.svn");
}

static void
every_word_must_match(void **state)
{
	(void)state;
	assert_string_equal(found("git commit"),
	    "cli.git.commit cli.git.commit_tree cli.git.log");
	assert_string_equal(found(" \thistory   GIT "), "cli.git.log");
	assert_string_equal(found("git nothing_like_it"), "");
}

static void
letters_count_the_same_in_either_case(void **state)
{
	(void)state;
	assert_string_equal(found("CONTAINERS"), "docker.container.list");
	assert_string_equal(found("Vcs"), "cli.git.commit cli.git.commit_tree");
	assert_string_equal(found("/BIN/DOCKER"), "docker.container.list");
}

static void
a_whole_id_is_better_than_all_else(void **state)
{
	(void)state;
	assert_string_equal(
	    found("cli.git.commit"), "cli.git.commit cli.git.commit_tree");
	assert_string_equal(found("git.l"), "cli.git.log");
}

static void
no_words_match_all_in_order(void **state)
{
	size_t *places = NULL;
	size_t count = 0;

	(void)state;
	assert_int_equal(
	    w_registry_search(registry, "  ", &places, &count, NULL), WRIT_OK);
	assert_int_equal(count, 6);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(places[i], i);
	free(places);
}

static void
too_many_words_are_refused(void **state)
{
	size_t *places = NULL;
	size_t count = 0;
	writ_error err = {0};

	(void)state;
	assert_int_equal(
	    w_registry_search(registry,
		"a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a "
		"a a",
		&places, &count, &err),
	    WRIT_E_INVALID);
	assert_null(places);
	assert_non_null(strstr(err.message, "at most 32 words"));
}

static const char *
near(const char *id)
{
	const char *found_id = w_registry_nearest(registry, id);

	return found_id == NULL ? "(none)" : found_id;
}

static void
an_id_that_is_nearly_right_is_recognized(void **state)
{
	(void)state;
	assert_string_equal(near("cli.git.comit"), "cli.git.commit");
	assert_string_equal(near("cli.git.comimt"), "cli.git.commit");
	assert_string_equal(near("git.comit"), "cli.git.commit");
	assert_string_equal(near("git.commit"), "cli.git.commit");
	assert_string_equal(near("comit"), "cli.git.commit");
	assert_string_equal(near("log"), "cli.git.log");
	assert_string_equal(near("containr.list"), "docker.container.list");
	assert_string_equal(near("quite.another.thing"), "(none)");
	assert_string_equal(near(""), "(none)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(the_best_comes_first),
	    TEST(every_word_must_match),
	    TEST(letters_count_the_same_in_either_case),
	    TEST(a_whole_id_is_better_than_all_else),
	    TEST(no_words_match_all_in_order),
	    TEST(too_many_words_are_refused),
	    TEST(an_id_that_is_nearly_right_is_recognized),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
