/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/match.h"

static void
literal_globs_match_only_themselves(void **state)
{
	(void)state;
	assert_true(w_match_glob("", ""));
	assert_false(w_match_glob("", "a"));
	assert_false(w_match_glob("a", ""));
	assert_true(w_match_glob("PATH", "PATH"));
	assert_false(w_match_glob("PATH", "path"));
	assert_false(w_match_glob("PATH", "PATHS"));
	assert_false(w_match_glob("PATHS", "PATH"));
	assert_true(w_match_glob("]{b}\\[a", "]{b}\\[a"));
}

static void
star_matches_any_run(void **state)
{
	(void)state;
	assert_true(w_match_glob("*", ""));
	assert_true(w_match_glob("*", "anything/at all"));
	assert_true(w_match_glob("**", ""));
	assert_true(w_match_glob("LD_*", "LD_"));
	assert_true(w_match_glob("LD_*", "LD_PRELOAD"));
	assert_false(w_match_glob("LD_*", "XLD_PRELOAD"));
	assert_true(w_match_glob("*_KEY", "AWS_KEY"));
	assert_true(w_match_glob("*_KEY", "_KEY_KEY"));
	assert_false(w_match_glob("*_KEY", "AWS_KEYS"));
	assert_true(w_match_glob("a*b*c", "a-b-b-c-c"));
	assert_true(w_match_glob("a*b*c", "abc"));
	assert_false(w_match_glob("a*b*c", "acb"));
	assert_true(w_match_glob("*ab*ab", "abaab"));
	assert_false(w_match_glob("*aab", "aaba"));
}

static void
question_mark_matches_exactly_one_byte(void **state)
{
	(void)state;
	assert_true(w_match_glob("?", "x"));
	assert_false(w_match_glob("?", ""));
	assert_false(w_match_glob("?", "xy"));
	assert_true(w_match_glob("LC_???", "LC_ALL"));
	assert_true(w_match_glob("*?", "x"));
	assert_false(w_match_glob("*?", ""));
	assert_true(w_match_glob("?*?", "xy"));
	assert_false(w_match_glob("?*?", "x"));
}

static void
wildcard_bytes_in_a_name_are_ordinary(void **state)
{
	(void)state;
	assert_false(w_match_glob("a", "*"));
	assert_false(w_match_glob("ab", "a?"));
	assert_true(w_match_glob("a*", "a*b"));
	assert_true(w_match_glob("*b", "*b"));
}

static void
many_stars_stay_quick(void **state)
{
	(void)state;
	char glob[2001];
	char name[4001];
	for (size_t i = 0; i < 1000; i++)
		memcpy(glob + 2 * i, "a*", 3);
	glob[1999] = 'b';
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_false(w_match_glob(glob, name));
	name[sizeof(name) - 2] = 'b';
	assert_true(w_match_glob(glob, name));
}

static const char *const keys[] = {"argv", "cwd", "env", "env_mode", "timeout",
    "timeout_ms", "idle_timeout", "stdin", "output_limit", "umask", NULL};

static void
slips_find_the_word_that_was_meant(void **state)
{
	(void)state;
	static const struct {
		const char *word;
		const char *meant;
	} cases[] = {
	    {"argc", "argv"},
	    {"agrv", "argv"},
	    {"arv", "argv"},
	    {"evn", "env"},
	    {"envs", "env"},
	    {"cwdd", "cwd"},
	    {"tiemout", "timeout"},
	    {"timout", "timeout"},
	    {"TIMEOUT", "timeout"},
	    {"timeout-ms", "timeout_ms"},
	    {"timeoutms", "timeout_ms"},
	    {"output-limits", "output_limit"},
	    {"idletimeout", "idle_timeout"},
	    {"stdnni", "stdin"},
	    {"timeout", "timeout"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *near = w_match_nearest(cases[i].word, keys);
		assert_non_null(near);
		assert_string_equal(near, cases[i].meant);
	}
}

static void
far_words_find_nothing(void **state)
{
	(void)state;
	static const char *const words[] = {
	    "", "x", "no", "shell", "priority", "completely_different", "xyz"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *near = w_match_nearest(words[i], keys);
		assert_null(near);
	}
	const char *const none[] = {NULL};
	assert_null(w_match_nearest("env", none));
}

static void
first_of_equally_near_words_wins(void **state)
{
	(void)state;
	const char *const list[] = {"cat", "car", NULL};
	assert_string_equal(w_match_nearest("cas", list), "cat");
	const char *const better[] = {"cats!", "cat", NULL};
	assert_string_equal(w_match_nearest("cats", better), "cats!");
}

static void
overlong_words_are_left_alone(void **state)
{
	(void)state;
	char longest[66];
	memset(longest, 'a', sizeof(longest));
	longest[64] = '\0';
	const char *const list[] = {longest, NULL};
	assert_ptr_equal(w_match_nearest(longest, list), longest);

	char over[66];
	memset(over, 'a', sizeof(over));
	over[65] = '\0';
	assert_null(w_match_nearest(over, list));
	const char *const over_list[] = {over, NULL};
	assert_null(w_match_nearest(longest, over_list));
}

static void
what_was_meant_is_asked_for(void **state)
{
	(void)state;
	writ_error err;

	(void)w_fail(&err, WRIT_E_INVALID, "test", 0, "unknown key 'evn'");
	w_match_suggest(w_match_nearest("shell", keys), &err);
	assert_string_equal(err.suggestion, "");
	w_match_suggest(w_match_nearest("evn", keys), &err);
	assert_string_equal(err.suggestion, "did you mean 'env'?");
	w_match_suggest("env", NULL);
}

static void
classes_match_one_of_their_characters(void **state)
{
	(void)state;
	assert_true(w_match_glob("[a-c]x", "bx"));
	assert_false(w_match_glob("[a-c]x", "dx"));
	assert_false(w_match_glob("[a-c]x", "x"));
	assert_true(w_match_glob("*[2-7][0-7][0-7][0-7]", "04755"));
	assert_false(w_match_glob("*[2-7][0-7][0-7][0-7]", "0755"));
	assert_true(w_match_glob("*[+=]*s*", "u+s"));
	assert_true(w_match_glob("*[+=]*s*", "g=rwxs"));
	assert_false(w_match_glob("*[+=]*s*", "u-s"));
	assert_true(w_match_glob("[!a]", "b"));
	assert_false(w_match_glob("[!a]", "a"));
	assert_false(w_match_glob("[!a]", ""));
	assert_true(w_match_glob("[]a]", "]"));
	assert_false(w_match_glob("[!]a]", "]"));
	assert_true(w_match_glob("[a-]", "-"));
	assert_true(w_match_glob("a[", "a["));
	assert_true(w_match_glob("[!", "[!"));
	assert_true(w_match_glob("[\x80-\xff]", "\xc3"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(literal_globs_match_only_themselves),
	    cmocka_unit_test(classes_match_one_of_their_characters),
	    cmocka_unit_test(star_matches_any_run),
	    cmocka_unit_test(question_mark_matches_exactly_one_byte),
	    cmocka_unit_test(wildcard_bytes_in_a_name_are_ordinary),
	    cmocka_unit_test(many_stars_stay_quick),
	    cmocka_unit_test(slips_find_the_word_that_was_meant),
	    cmocka_unit_test(far_words_find_nothing),
	    cmocka_unit_test(first_of_equally_near_words_wins),
	    cmocka_unit_test(overlong_words_are_left_alone),
	    cmocka_unit_test(what_was_meant_is_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
