/* SPDX-License-Identifier: Apache-2.0 */

/* Globs of names and of paths. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <setjmp.h>

#include <cmocka.h>

#include "dice.h"
#include "policy/glob.h"

static bool
text_fits(const char *glob, const char *text, bool is_folded)
{
	return w_glob_text(glob, strlen(glob), text, strlen(text), is_folded);
}

static void
names_are_matched_as_a_whole(void **state)
{
	(void)state;
	assert_true(text_fits("git", "git", false));
	assert_false(text_fits("git", "gitk", false));
	assert_false(text_fits("git", "Git", false));
	assert_true(text_fits("git", "GIT", true));
	assert_true(text_fits("mkfs*", "mkfs.ext4", false));
	assert_true(text_fits("*", "", false));
	assert_false(text_fits("?", "", false));
	assert_true(text_fits("a*b*c", "axxbxxbc", false));
	assert_false(text_fits("a*b*c", "axxbxxb", false));
}

static void
classes_are_one_character(void **state)
{
	(void)state;
	assert_true(text_fits("[a-c]x", "bx", false));
	assert_false(text_fits("[!a-c]x", "bx", false));
	assert_true(text_fits("[*]", "*", false));
	assert_false(text_fits("[*]", "a", false));
	assert_true(text_fits("[]]", "]", false));
	assert_true(text_fits("[[]", "[", false));
	assert_true(text_fits("[", "[", false));
	assert_true(text_fits("[ab", "[ab", false));
	assert_true(text_fits("[A-C]", "b", true));
	assert_true(text_fits("[a-c]", "B", true));
	assert_false(text_fits("[a-c]", "B", false));
}

static void
a_star_of_a_path_stays_in_its_segment(void **state)
{
	(void)state;
	assert_true(w_glob_path("/a/*/c", "/a/b/c"));
	assert_false(w_glob_path("/a/*/c", "/a/b/b/c"));
	assert_false(w_glob_path("/a/*", "/a"));
	assert_true(w_glob_path("/a/**", "/a"));
	assert_true(w_glob_path("/a/**", "/a/b/c"));
	assert_false(w_glob_path("/a/**", "/ab"));
	assert_true(w_glob_path("/a/**/z", "/a/z"));
	assert_true(w_glob_path("/a/**/z", "/a/b/c/z"));
	assert_true(w_glob_path("**/z", "/z"));
	assert_true(w_glob_path("**/.git/hooks/**", "/p/.git/hooks/x"));
	assert_true(w_glob_path("**/.git/hooks/**", "/p/.git/.git/hooks"));
	assert_false(w_glob_path("**/.git/hooks/**", "/p/.git/hook"));
	assert_true(w_glob_path("**/a*/b/**/c", "/x/a1/a2/b/y/c"));
	assert_true(w_glob_path("/a//b/", "/a/b"));
	assert_true(w_glob_path("/", "/"));
	assert_true(w_glob_path("/**", "/"));
}

static void
a_directory_is_reached_where_a_segment_names_it(void **state)
{
	(void)state;
	assert_true(w_glob_reaches("/home/u/.ssh/**", "/home/u", false));
	assert_true(w_glob_reaches("/home/u/.ssh/**", "/home", false));
	assert_true(w_glob_reaches("/home/u/.ssh/**", "/", false));
	assert_false(w_glob_reaches("/home/u/.ssh/**", "/home/v", false));
	assert_true(w_glob_reaches("**/.git/hooks/**", "/p/.git", false));
	assert_false(w_glob_reaches("**/.git/hooks/**", "/p", true));
	assert_false(w_glob_reaches("/home/*/.ssh", "/home/u", false));
	assert_true(w_glob_reaches("/home/*/.ssh", "/home/u", true));
	assert_false(w_glob_reaches("**/*/.ssh", "/home/u", true));
	/* A match of the directory itself does not count as reaching into it.
	 */
	assert_false(w_glob_reaches("/home/u", "/home/u", true));
}

/* Reference implementation: tries every split; slow but obviously right. */
static bool
fits_slowly(const char *glob, const char *text)
{
	if (*glob == '\0')
		return *text == '\0';
	if (*glob == '*')
		return fits_slowly(glob + 1, text) ||
		       (*text != '\0' && fits_slowly(glob, text + 1));
	return *text != '\0' && (*glob == '?' || *glob == *text) &&
	       fits_slowly(glob + 1, text + 1);
}

static void
paths_split(const char *path, const char **segments, size_t *count)
{
	static char copies[2][64];
	static int turn;
	char *copy = strcpy(copies[turn++ % 2], path);
	char *rest = NULL;

	*count = 0;
	for (char *one = strtok_r(copy, "/", &rest); one != NULL;
	     one = strtok_r(NULL, "/", &rest))
		segments[(*count)++] = one;
}

static bool
segments_fit(const char **glob, size_t globs, const char **path, size_t paths)
{
	if (globs == 0)
		return paths == 0;
	if (strcmp(glob[0], "**") == 0)
		return segments_fit(glob + 1, globs - 1, path, paths) ||
		       (paths > 0 &&
			   segments_fit(glob, globs, path + 1, paths - 1));
	return paths > 0 && fits_slowly(glob[0], path[0]) &&
	       segments_fit(glob + 1, globs - 1, path + 1, paths - 1);
}

static void
fill(struct dice *dice, char *text, const char *letters, size_t max)
{
	size_t len = pick(dice, max);

	for (size_t i = 0; i < len; i++)
		text[i] = letters[pick(dice, strlen(letters))];
	text[len] = '\0';
}

static void
texts_match_as_if_every_way_had_been_tried(void **state)
{
	struct dice dice = {.state = 7};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char glob[16];
		char text[16];

		fill(&dice, glob, "ab*?*", 8);
		fill(&dice, text, "ab", 12);
		if (text_fits(glob, text, false) != fits_slowly(glob, text))
			fail_msg("'%s' '%s'", glob, text);
	}
}

static void
paths_match_as_if_every_way_had_been_tried(void **state)
{
	struct dice dice = {.state = 11};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char glob[32] = "";
		char path[32] = "";
		const char *globs[16];
		const char *paths[16];
		size_t glob_count;
		size_t path_count;
		static const char *const parts[] = {
		    "/a", "/b", "/*", "/**", "/a*", "/?"};
		static const char *const names[] = {"/a", "/b", "/ab"};

		for (size_t k = pick(&dice, 6); k > 0; k--)
			(void)strcat(glob, PICK(&dice, parts));
		for (size_t k = pick(&dice, 6); k > 0; k--)
			(void)strcat(path, PICK(&dice, names));
		paths_split(glob, globs, &glob_count);
		paths_split(path, paths, &path_count);
		if (w_glob_path(glob, path) !=
		    segments_fit(globs, glob_count, paths, path_count))
			fail_msg("'%s' '%s'", glob, path);
	}
}

/* Exponential if stars were tried in every combination. */
static void
no_glob_takes_long(void **state)
{
	char text[4096];
	char path[4096];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (size_t i = 0; i + 2 < sizeof(path); i += 2)
		memcpy(path + i, "/a", 3);
	clock_t start = clock();
	assert_false(text_fits("*a*a*a*a*a*a*a*a*a*a*b", text, true));
	assert_false(w_glob_path("/**/a/**/*a/**/a/**/?/**/b", path));
	assert_false(w_glob_reaches("/**/*/**/*b/**/?b/**/b/c", path, true));
	assert_true((clock() - start) / CLOCKS_PER_SEC < 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_are_matched_as_a_whole),
	    cmocka_unit_test(classes_are_one_character),
	    cmocka_unit_test(a_star_of_a_path_stays_in_its_segment),
	    cmocka_unit_test(a_directory_is_reached_where_a_segment_names_it),
	    cmocka_unit_test(texts_match_as_if_every_way_had_been_tried),
	    cmocka_unit_test(paths_match_as_if_every_way_had_been_tried),
	    cmocka_unit_test(no_glob_takes_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
