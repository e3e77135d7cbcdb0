/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "../unit/module_dir.h"
#include "base/auto.h"
#include "inject.h"
#include "os/file.h"

/*
 * Every allocation and every call to the system fails once while modules are
 * loaded, with and without a cache. What comes out is an error, or all modules,
 * or a problem that says which file is missing: never fewer without a word.
 */

static struct temp temp;

static int
set_up(void **state)
{
	int status = module_begin(&temp, state);

	module_settle();
	return status;
}

static writ_status
use(struct w_registry *registry, writ_error *err)
{
	const struct w_registry_problem *problems = NULL;
	const struct w_module *module = NULL;
	size_t problem_count = w_registry_problems(registry, &problems);
	size_t place = w_registry_find(registry, "cli.b");
	size_t *places = NULL;
	size_t count = 0;

	for (size_t i = 0; i < problem_count; i++)
		assert_true(problems[i].error.message[0] != '\0');
	if (w_registry_count(registry) < 2 || place == SIZE_MAX) {
		assert_true(problem_count > 0);
		return WRIT_OK;
	}
	writ_status status =
	    w_registry_search(registry, "name", &places, &count, err);
	if (status == WRIT_OK)
		assert_int_equal(count, 2);
	free(places);
	(void)w_registry_nearest(registry, "cli.bb");
	if (status == WRIT_OK)
		status = w_registry_module(registry, place, &module, err);
	if (status == WRIT_OK)
		assert_string_equal(module->words.items[1], "cli.b");
	return status;
}

static writ_status
load_and_use(writ_error *err)
{
	const struct w_registry_dir dir = {
	    .path = temp_path(&temp, "mods"), .tier = "user"};
	const struct w_registry_options options = {.dirs = &dir,
	    .dir_count = 1,
	    .cache_dir = temp_path(&temp, "cache")};
	struct w_registry *registry = NULL;
	writ_status status = w_registry_load(&options, &registry, err);

	if (status != WRIT_OK) {
		assert_null(registry);
		return status;
	}
	status = use(registry, err);
	w_registry_free(registry);
	return status;
}

enum cache {
	NO_CACHE,
	OLD_CACHE, /* of one file, while there are two */
	GOOD_CACHE,
};

static void
prepare(enum cache cache)
{
	W_AUTO_FREE char *path = strdup(temp_path(&temp, "cache"));

	(void)w_file_remove_tree(path);
	if (cache == NO_CACHE)
		return;
	if (cache == OLD_CACHE)
		assert_int_equal(renameat(temp.fd, "mods/b.binding.yaml",
				     temp.fd, "mods/away"),
		    0);
	(void)module_load_count(&temp, "mods");
	if (cache == OLD_CACHE)
		assert_int_equal(renameat(temp.fd, "mods/away", temp.fd,
				     "mods/b.binding.yaml"),
		    0);
}

static void
fail_each(const char *function, int error)
{
	size_t hit_count = 0;

	for (int cache = NO_CACHE; cache <= GOOD_CACHE; cache++) {
		bool was_hit = true;

		for (unsigned nth = 1; was_hit; nth++) {
			writ_error err = {0};

			prepare((enum cache)cache);
			inject_arm(function, nth, 1, error);
			writ_status status = load_and_use(&err);
			was_hit = inject_disarm();
			hit_count += was_hit;
			if (!was_hit)
				assert_int_equal(status, WRIT_OK);
			if (status != WRIT_OK)
				assert_true(err.message[0] != '\0');
			/* What was left behind does no harm. */
			struct w_registry *registry =
			    module_load(&temp, "mods");
			assert_int_equal(w_registry_count(registry), 2);
			w_registry_free(registry);
		}
	}
	assert_true(hit_count > 0);
}

static writ_status
load_file(const struct w_registry_file *file, writ_error *err)
{
	const struct w_registry_options options = {.only = file};
	struct w_registry *registry = NULL;
	writ_status status = w_registry_load(&options, &registry, err);

	if (status == WRIT_OK)
		assert_int_equal(w_registry_count(registry), 1);
	else
		assert_null(registry);
	w_registry_free(registry);
	return status;
}

static void
one_file_is_read_whole_or_it_is_an_error(void **state)
{
	struct w_registry *registry = module_load(&temp, "mods");
	const struct w_registry_file file = w_registry_file_of(registry, 0);
	bool was_hit = true;

	(void)state;
	for (unsigned nth = 1; was_hit; nth++) {
		writ_error err = {0};

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = load_file(&file, &err);
		was_hit = inject_disarm();
		assert_int_equal(status, was_hit ? WRIT_E_NOMEM : WRIT_OK);
	}
	w_registry_free(registry);
}

static void
without_memory_it_is_an_error_or_whole(void **state)
{
	(void)state;
	fail_each("allocation", ENOMEM);
}

static void
a_call_that_fails_leaves_an_error_a_problem_or_all_modules(void **state)
{
	static const struct {
		const char *function;
		int error;
	} calls[] = {
	    {"open", EMFILE},
	    {"openat", EMFILE},
	    {"read", EIO},
	    {"read", EINTR},
	    {"write", ENOSPC},
	    {"short write", ENOSPC},
	    {"ftruncate64", EIO},
	    {"fchmod", EPERM},
	    {"flock", EWOULDBLOCK},
	    {"mkdir", EACCES},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		fail_each(calls[i].function, calls[i].error);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(one_file_is_read_whole_or_it_is_an_error),
	    TEST(without_memory_it_is_an_error_or_whole),
	    TEST(a_call_that_fails_leaves_an_error_a_problem_or_all_modules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
