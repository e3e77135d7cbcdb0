/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A search that knows directories from earlier ones finds the same as one that
 * does not, whatever was done in between.
 */

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "temp.h"
#include "trigger/trigger.h"
#include "trigger/trigger_cache.h"

enum {
	DIRS = 20
};

static const struct temp *temp;
static struct w_trigger_cache *cache;

static void
put(const char *name, const char *text)
{
	FILE *file = fopen(temp_path(temp, name), "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void
make_dir(const char *name)
{
	assert_int_equal(mkdir(temp_path(temp, name), 0755), 0);
}

static struct timespec
coarse_now(void)
{
	struct timespec now;

	assert_int_equal(clock_gettime(CLOCK_REALTIME_COARSE, &now), 0);
	return now;
}

/* Until a new change of a file has a later time than all so far. The kernel may
 * take the exact clock for one, which is ahead of that of the ticks. */
static struct timespec
await_tick(void)
{
	struct timespec exact;
	struct timespec now;

	assert_int_equal(clock_gettime(CLOCK_REALTIME, &exact), 0);
	do
		now = coarse_now();
	while (now.tv_sec < exact.tv_sec ||
	       (now.tv_sec == exact.tv_sec && now.tv_nsec <= exact.tv_nsec));
	return now;
}

/* What changed since then, as "path path"; and directories that were known. */
static size_t
search(struct w_trigger_cache *with, const struct timespec *since,
    char out_found[1024])
{
	struct w_triggers triggers = {.count = 0};
	const size_t before = with == NULL ? 0 : w_trigger_cache_hits(with);
	char *at = out_found;

	w_triggers_find(&triggers, temp->path, W_TRIGGER_ANYWHERE, since, with);
	w_triggers_end(&triggers);
	*at = '\0';
	for (size_t i = 0; i < triggers.count; i++)
		at = stpcpy(stpcpy(at, triggers.items[i].path == NULL
					   ? "(cut)"
					   : triggers.items[i].path +
						 strlen(temp->path) + 1),
		    " ");
	w_triggers_done(&triggers);
	return with == NULL ? 0 : w_trigger_cache_hits(with) - before;
}

/* Returns the directories that were known. */
static size_t
expect_found(const struct timespec *since, const char *expected)
{
	char cached[1024], plain[1024];
	const size_t known = search(cache, since, cached);

	(void)search(NULL, since, plain);
	assert_string_equal(cached, expected);
	assert_string_equal(plain, expected);
	return known;
}

static int
begin(void **state)
{
	char name[32];

	if (temp_set_up(state) != 0)
		return -1;
	temp = *state;
	cache = w_trigger_cache_new(0);
	assert_non_null(cache);
	for (int i = 0; i < DIRS; i++) {
		(void)snprintf(name, sizeof(name), "d%d", i);
		make_dir(name);
		(void)snprintf(name, sizeof(name), "d%d/sub", i);
		make_dir(name);
		(void)snprintf(name, sizeof(name), "d%d/file", i);
		put(name, "");
	}
	put("d1/.envrc", "old\n");
	return 0;
}

static int
end(void **state)
{
	w_trigger_cache_free(cache);
	return temp_tear_down(state);
}

/* Fills the cache. Returns a time after all changes so far. */
static struct timespec
warm_up(void)
{
	const struct timespec since = await_tick();

	(void)expect_found(&since, "");
	if (expect_found(&since, "") == 0) {
		print_message("this file system is not kept\n");
		skip();
	}
	return await_tick();
}

static void
what_is_as_it_was_is_not_read_again(void **state)
{
	(void)state;
	const struct timespec since = warm_up();
	assert_int_equal(expect_found(&since, ""), 2 * DIRS + 1);
	put("d3/other", "");
	assert_int_equal(expect_found(&since, ""), 2 * DIRS);
}

static void
a_file_that_was_known_is_looked_at_again(void **state)
{
	(void)state;
	const struct timespec since = warm_up();
	put("d1/.envrc", "new\n");
	assert_int_equal(expect_found(&since, "d1/.envrc "), 2 * DIRS + 1);
}

static void
a_new_file_is_found_whatever_times_are_set(void **state)
{
	struct timespec times[2];
	struct stat st;

	(void)state;
	const struct timespec since = warm_up();
	assert_int_equal(stat(temp_path(temp, "d2/sub"), &st), 0);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	put("d2/sub/.envrc", "new\n");
	assert_int_equal(
	    utimensat(AT_FDCWD, temp_path(temp, "d2/sub"), times, 0), 0);
	assert_int_equal(
	    utimensat(AT_FDCWD, temp_path(temp, "d2/sub/.envrc"), times, 0), 0);
	(void)expect_found(&since, "d2/sub/.envrc ");
	(void)expect_found(&since, "d2/sub/.envrc ");
}

static void
new_and_moved_directories_are_looked_at(void **state)
{
	(void)state;
	const struct timespec since = warm_up();
	make_dir("d4/sub/deep");
	make_dir("d4/sub/deep/.vscode");
	put("d4/sub/deep/.vscode/tasks.json", "{}");
	(void)expect_found(&since, "d4/sub/deep/.vscode/tasks.json ");
	/* In the place of another. */
	assert_int_equal(rmdir(temp_path(temp, "d5/sub")), 0);
	char from[PATH_MAX];
	(void)snprintf(from, sizeof(from), "%s", temp_path(temp, "d4/sub"));
	assert_int_equal(rename(from, temp_path(temp, "d5/sub")), 0);
	(void)expect_found(&since, "d5/sub/deep/.vscode/tasks.json ");
}

/* "workflows" is a trigger in .github only. */
static void
a_directory_that_gets_another_name_is_judged_by_it(void **state)
{
	char from[PATH_MAX];

	(void)state;
	make_dir("github");
	make_dir("github/workflows");
	const struct timespec since = warm_up();
	put("github/workflows/a.yml", "");
	(void)expect_found(&since, "");
	(void)snprintf(from, sizeof(from), "%s", temp_path(temp, "github"));
	assert_int_equal(rename(from, temp_path(temp, ".github")), 0);
	(void)expect_found(&since, ".github/workflows/a.yml ");
}

static void
a_repository_that_appears_is_found(void **state)
{
	(void)state;
	const struct timespec since = warm_up();
	make_dir("d6/sub/.git");
	make_dir("d6/sub/.git/hooks");
	(void)expect_found(&since, "");
	await_tick();
	(void)expect_found(&since, "");
	/* Now the repository is known. */
	put("d6/sub/.git/hooks/post-checkout", "");
	(void)expect_found(&since, "d6/sub/.git/hooks/post-checkout ");
}

/* HEAD, objects and refs lie side by side: git takes it for a repository. */
static void
a_bare_repository_is_found(void **state)
{
	(void)state;
	make_dir("d7/objects");
	make_dir("d7/refs");
	put("d7/HEAD", "ref: refs/heads/main\n");
	make_dir("d7/hooks");
	const struct timespec since = warm_up();
	put("d7/hooks/post-receive", "");
	(void)expect_found(&since, "d7/hooks/post-receive ");
}

/* Its change time cannot tell what comes in the same tick. */
static void
what_has_just_changed_is_not_kept(void **state)
{
	struct timespec now, since;
	char found[1024];
	struct stat st;

	(void)state;
	for (int i = 0; i < 200; i++) {
		char name[64];

		since = await_tick();
		(void)snprintf(name, sizeof(name), "d8/sub/x%d", i);
		put(name, "");
		(void)search(cache, &since, found);
		put("d8/sub/.envrc", "new\n");
		assert_int_equal(stat(temp_path(temp, "d8/sub"), &st), 0);
		(void)search(cache, &since, found);
		assert_string_equal(found, "d8/sub/.envrc ");
		assert_int_equal(unlink(temp_path(temp, "d8/sub/.envrc")), 0);
	}
	now = coarse_now();
	assert_true(now.tv_sec >= since.tv_sec);
}

/* With the time of an engine, nothing of a moment ago is kept. */
static void
an_engine_waits_longer(void **state)
{
	char found[1024];

	(void)state;
	w_trigger_cache_free(cache);
	cache = w_trigger_cache_new(W_TRIGGER_CACHE_SETTLE_MS);
	assert_non_null(cache);
	const struct timespec since = coarse_now();
	(void)search(cache, &since, found);
	if (coarse_now().tv_sec - since.tv_sec > 1)
		skip();
	assert_int_equal(search(cache, &since, found), 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(what_is_as_it_was_is_not_read_again),
	    CASE(a_file_that_was_known_is_looked_at_again),
	    CASE(a_new_file_is_found_whatever_times_are_set),
	    CASE(new_and_moved_directories_are_looked_at),
	    CASE(a_directory_that_gets_another_name_is_judged_by_it),
	    CASE(a_repository_that_appears_is_found),
	    CASE(a_bare_repository_is_found),
	    CASE(what_has_just_changed_is_not_kept),
	    CASE(an_engine_waits_longer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
