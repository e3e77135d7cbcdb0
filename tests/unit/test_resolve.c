/* SPDX-License-Identifier: Apache-2.0 */

/* Resolves paths: existing ones, future ones, valid and dangling links. */

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "os/file.h"
#include "os/resolve.h"

static char base[PATH_MAX];
static int base_fd = -1;

static void
put(const char *path)
{
	int fd = openat(base_fd, path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	(void)close(fd);
}

static void
put_link(const char *target, const char *path)
{
	assert_int_equal(symlinkat(target, base_fd, path), 0);
}

static int
set_up(void **state)
{
	char room[] = "/tmp/writ-resolve-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(room));
	assert_non_null(realpath(room, base));
	base_fd = open(base, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(mkdirat(base_fd, "dir", 0700), 0);
	put("dir/file");
	put_link("dir/file", "to-file");
	put_link("dir", "to-dir");
	put_link("dir/new", "to-new");
	put_link("to-new", "to-to-new");
	put_link("loop", "loop");
	put_link("/proc/self/root", "magic");
	return base_fd < 0;
}

static int
tear_down(void **state)
{
	(void)state;
	(void)close(base_fd);
	return w_file_remove_tree(base) ? 0 : -1;
}

/* expected is below the base; NULL: unknown. */
/* The same as realpath(), which asks for each name. */
static void
a_real_path_is_that_of_realpath(void **state)
{
	static const char *const ends[] = {"", "/", "/dir", "/dir/", "//dir",
	    "/./dir", "/dir/../dir/file", "/dir/file", "/dir/file/", "/to-dir",
	    "/to-dir/file", "/to-file", "/to-new", "/loop", "/missing",
	    "/dir/missing", "/dir/file/below"};
	char path[PATH_MAX], expected[PATH_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		(void)snprintf(path, sizeof(path), "%s%s", base, ends[i]);
		const char *found = realpath(path, expected);
		const int error = errno;
		char *real = w_resolve_real(path);

		if (found == NULL) {
			assert_null(real);
			assert_int_equal(errno, error);
			continue;
		}
		assert_non_null(real);
		assert_string_equal(real, expected);
		free(real);
	}
	char *root = w_resolve_real("/");
	assert_string_equal(root, "/");
	free(root);
	assert_int_equal(chdir(base), 0);
	char *here = w_resolve_real(".");
	assert_string_equal(here, base);
	free(here);
	assert_int_equal(chdir("/"), 0);
}

static const struct w_resolved_path *
expect(const char *path, bool is_entry, const char *expected)
{
	static struct w_resolved_path resolved;
	static char whole[2 * PATH_MAX];

	w_resolve(base_fd, path, is_entry, &resolved);
	if (expected == NULL) {
		assert_string_equal(resolved.path, "");
		return &resolved;
	}
	(void)snprintf(whole, sizeof(whole), "%s%s%s", base,
	    expected[0] == '\0' ? "" : "/", expected);
	assert_string_equal(resolved.path, whole);
	return &resolved;
}

static void
what_exists_is_found_through_its_links(void **state)
{
	(void)state;
	assert_true(expect("dir/file", false, "dir/file")->exists);
	assert_true(expect("to-file", false, "dir/file")->exists);
	assert_true(expect("to-dir/file", false, "dir/file")->exists);
	assert_true(expect("to-dir", false, "dir")->is_directory);
	assert_true(expect(".", false, "")->is_directory);
	assert_true(expect("dir/../dir/./file", false, "dir/file")->exists);
}

static void
what_does_not_exist_is_where_it_would_be(void **state)
{
	(void)state;
	assert_false(expect("new", false, "new")->exists);
	expect("to-dir/new", false, "dir/new");
	expect("to-dir/a/b/c", false, "dir/a/b/c");
	expect("a/../b", false, "b");
	expect("a/./b/", false, "a/b");
}

static void
a_link_to_nothing_is_followed_to_what_would_be_written(void **state)
{
	(void)state;
	expect("to-new", false, "dir/new");
	expect("to-to-new", false, "dir/new");
	expect("to-new/below", false, "dir/new/below");
}

static void
who_deletes_a_link_deletes_the_link(void **state)
{
	(void)state;
	assert_true(expect("to-file", true, "to-file")->exists);
	assert_true(expect("to-new", true, "to-new")->exists);
	expect("to-dir", true, "to-dir");
	/* With a slash it is the directory. */
	expect("to-dir/", true, "dir");
	expect("to-dir/file", true, "dir/file");
}

static void
what_cannot_be_told_is_not_told(void **state)
{
	char longest[PATH_MAX + 2];

	(void)state;
	memset(longest, 'a', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	expect("loop", false, NULL);
	expect("magic/etc", false, NULL);
	expect(longest, false, NULL);
	expect("", false, NULL);
}

static void
links_of_proc_are_told_from_what_is_not_there(void **state)
{
	struct w_resolved_path resolved;

	(void)state;
	w_resolve(base_fd, "magic/etc", false, &resolved);
	assert_true(resolved.is_elusive);
	w_resolve(base_fd, "magic/none/such", false, &resolved);
	assert_true(resolved.is_elusive);
	w_resolve(base_fd, "dir/none/such", false, &resolved);
	assert_false(resolved.is_elusive);
	w_resolve(base_fd, "dir/file", false, &resolved);
	assert_false(resolved.is_elusive);
}

static void
texts_are_joined_by_their_words_alone(void **state)
{
	static const char *const cases[][3] = {
	    {"/a/b", "c", "/a/b/c"},
	    {"/a/b", "../c", "/a/c"},
	    {"/a/b", "../../../..", "/"},
	    {"/", "x//y/./z/", "/x/y/z"},
	    {"/a", "/b/../c", "/c"},
	    {"/a", "...", "/a/..."},
	    {"/a", "", "/a"},
	};
	char path[PATH_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_true(w_resolve_text(cases[i][0], cases[i][1], path));
		assert_string_equal(path, cases[i][2]);
	}
}

static void
a_directory_holds_what_is_in_it_and_nothing_beside_it(void **state)
{
	(void)state;
	assert_true(w_resolve_is_in("/a/b", "/a"));
	assert_true(w_resolve_is_in("/a", "/a"));
	assert_true(w_resolve_is_in("/a", "/"));
	assert_false(w_resolve_is_in("/ab", "/a"));
	assert_false(w_resolve_is_in("/", "/a"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_real_path_is_that_of_realpath),
	    cmocka_unit_test(what_exists_is_found_through_its_links),
	    cmocka_unit_test(what_does_not_exist_is_where_it_would_be),
	    cmocka_unit_test(
		a_link_to_nothing_is_followed_to_what_would_be_written),
	    cmocka_unit_test(who_deletes_a_link_deletes_the_link),
	    cmocka_unit_test(what_cannot_be_told_is_not_told),
	    cmocka_unit_test(links_of_proc_are_told_from_what_is_not_there),
	    cmocka_unit_test(texts_are_joined_by_their_words_alone),
	    cmocka_unit_test(
		a_directory_holds_what_is_in_it_and_nothing_beside_it),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
