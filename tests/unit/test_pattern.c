/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "schema/pattern/pattern.h"
#include "suite_cases.h"

/* JIT code is made only for patterns used this often. */
#define OFTEN 100

/* Twice: interpreted, and with JIT. */
static enum w_pattern_answer
search_bytes(const char *pattern, const char *text, size_t len)
{
	struct w_pattern *compiled = NULL;
	writ_error err = {.status = WRIT_OK};

	if (w_pattern_compile(pattern, strlen(pattern), &compiled, &err) !=
	    WRIT_OK)
		fail_msg("%s: %s", pattern, err.message);

	enum w_pattern_answer first =
	    w_pattern_match(compiled, text, len, NULL);

	if (first != W_PATTERN_LIMIT) {
		/* A long text triggers JIT at once. */
		for (int i = 0; i < (len < 4096 ? OFTEN : 2); i++)
			assert_int_equal(
			    w_pattern_match(compiled, text, len, NULL), first);
	}
	w_pattern_free(compiled);
	return first;
}

static bool
finds(const char *pattern, const char *text)
{
	enum w_pattern_answer answer =
	    search_bytes(pattern, text, strlen(text));

	assert_int_not_equal(answer, W_PATTERN_LIMIT);
	return answer == W_PATTERN_YES;
}

static const char *
refusal(const char *pattern)
{
	static writ_error err;
	struct w_pattern *compiled = NULL;

	err = (writ_error){.status = WRIT_OK};
	if (w_pattern_compile(pattern, strlen(pattern), &compiled, &err) ==
	    WRIT_OK)
		fail_msg("%s is accepted", pattern);
	assert_int_equal(err.status, WRIT_E_INVALID);
	assert_null(compiled);
	return err.message;
}

/* Like patternProperties: true if every key found has a value of the expected
 * type, and there is no other key unless others are allowed. */
static bool
judge_properties(const struct suite_case *one, yyjson_val *properties)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(properties);
	const char *pattern = yyjson_get_str(yyjson_obj_iter_next(&iter));
	bool is_closed = yyjson_is_false(
	    yyjson_obj_get(one->schema, "additionalProperties"));
	size_t i;
	size_t max;
	yyjson_val *key;
	yyjson_val *value;
	bool valid = true;

	yyjson_obj_foreach(one->data, i, max, key, value)
	{
		bool found = finds(pattern, yyjson_get_str(key));

		if (is_closed)
			valid = valid && found;
		else
			valid = valid && (!found || yyjson_is_int(value));
	}
	return valid == one->valid;
}

static bool
judge(const struct suite_case *one, void *ctx)
{
	yyjson_val *pattern = yyjson_obj_get(one->schema, "pattern");
	yyjson_val *properties =
	    yyjson_obj_get(one->schema, "patternProperties");

	(void)ctx;
	if (pattern == NULL)
		return judge_properties(one, properties);
	return finds(yyjson_get_str(pattern), yyjson_get_str(one->data)) ==
	       one->valid;
}

static void
every_case_of_the_suite_comes_out_right(void **state)
{
	(void)state;
	static const char *const files[] = {
	    "draft7/optional/ecmascript-regex.json",
	    "draft7/optional/non-bmp-regex.json",
	    "draft2020-12/optional/ecmascript-regex.json",
	    "draft2020-12/optional/non-bmp-regex.json"};
	size_t wrong = 0;
	size_t count = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		count += suite_run(files[i], judge, NULL, &wrong);
	print_message("# patterns: %zu cases, %zu wrong\n", count, wrong);
	assert_int_equal(wrong, 0);
	assert_int_equal(count, 152);
}

static void
characters_mean_what_they_mean_in_ecmascript(void **state)
{
	(void)state;
	assert_true(finds("", ""));
	assert_true(finds("", "anything"));
	assert_true(finds("b", "abc"));
	assert_false(finds("^b", "abc"));
	assert_true(finds("\\u0061\\u{62}\\x63", "abc"));
	assert_true(finds("^\\ud83d\\udc32$", "\xf0\x9f\x90\xb2"));
	assert_true(finds("^[\\ud83d\\udc32]$", "\xf0\x9f\x90\xb2"));
	assert_true(finds("^\\u{1F432}+$", "\xf0\x9f\x90\xb2"));
	assert_true(finds("^.$", "\xf0\x9f\x90\xb2"));
	assert_false(finds("^.$", "\n"));
	assert_false(finds("^.$", "\r"));
	assert_false(finds("^.$", "\xe2\x80\xa8"));
	assert_true(finds("^.$", "\v"));
	assert_true(finds("a\\/b", "a/b"));
	assert_true(finds("^\\cJ\\cj$", "\n\n"));
	assert_int_equal(search_bytes("^a\\0b$", "a\0b", 3), W_PATTERN_YES);
	assert_true(finds("\\bfoo\\b", "a foo b"));
	assert_false(finds("\\bfoo\\B", "a foo b"));
	assert_true(finds("^#x y$", "#x y"));
	assert_true(finds("^a b\\tc$", "a b\tc"));
	assert_true(finds("^-_@&!~`:;,<>'\"%=$", "-_@&!~`:;,<>'\"%="));
}

static void
classes_hold_what_they_hold_in_ecmascript(void **state)
{
	(void)state;
	assert_true(finds("^[^]$", "\n"));
	assert_false(finds("[]", "a"));
	assert_true(finds("^[]*$", ""));
	assert_true(finds("^[[:alpha:]$", "["));
	assert_true(finds("^[[:alpha:]$", "h"));
	assert_false(finds("^[[:alpha:]$", "b"));
	assert_true(finds("^[\\]\\-\\\\\\b]+$", "]-\\\b"));
	assert_true(finds("^[a-]$", "-"));
	assert_true(finds("^[-a]$", "-"));
	assert_true(finds("^[\\d-]+$", "1-2"));
	assert_true(finds("^[\\s\\S]$", "\n"));
	assert_true(finds("^[^\\s]$", "x"));
	assert_false(finds("^[^\\S]$", "x"));
	assert_true(finds("^[^\\S]$", "\xef\xbb\xbf"));
	assert_true(finds("^[\\W]$", "\xc3\xa9"));
	assert_true(finds("^[.*+?(){}|$^]+$", "()*+?{}|$^."));
	assert_true(finds("^[(*]ACCEPT[)]$", "(ACCEPT)"));
}

static void
half_a_pair_is_no_character(void **state)
{
	(void)state;
	assert_false(finds("\\ud83d", "\xf0\x9f\x90\xb2"));
	assert_false(finds("[\\ud800]", "a"));
	assert_true(finds("^[^\\ud800-\\udfff]$", "\xf0\x9f\x90\xb2"));
	assert_true(finds("^[\\u0000-\\udbff]$", "a"));
	assert_true(finds("^[\\ud800-\\uffff]$", "\xee\x80\x80"));
	assert_false(finds("^[\\ud800-\\uffff]$", "a"));
}

static void
properties_are_those_of_unicode(void **state)
{
	(void)state;
	assert_true(finds("^\\p{L}\\p{Lu}\\p{Letter}$", "aBc"));
	assert_true(finds("^\\p{General_Category=Nd}\\p{gc=digit}$", "12"));
	assert_true(finds("^\\p{Script=Greek}\\p{sc=Grek}$", "\u03b1\u03b2"));
	assert_true(finds("^\\p{scx=Old_Italic}$", "\xf0\x90\x8c\x80"));
	assert_true(finds("^\\P{L}$", "1"));
	assert_true(finds("^[\\P{L}a]+$", "1a"));
	assert_true(finds("^\\p{ASCII}\\P{ASCII}$", "a\u00e9"));
	assert_true(finds("^\\p{Any}$", "\n"));
	assert_false(finds("\\P{Any}", "a"));
	assert_true(finds("^\\p{Assigned}$", "a"));
	assert_true(finds("^\\p{Alphabetic}\\p{White_Space}$", "a "));
	assert_true(finds("^\\p{Emoji_Presentation}$", "\xf0\x9f\x90\xb2"));
	assert_true(finds("^\\p{LC}\\p{Cased_Letter}$", "aB"));
	assert_non_null(strstr(refusal("\\p{letter}"), "property"));
	assert_non_null(strstr(refusal("\\p{Lx}"), "property"));
	assert_non_null(strstr(refusal("\\pL"), "property"));
	assert_non_null(strstr(refusal("\\p{L"), "property"));
	assert_non_null(strstr(refusal("\\p"), "property"));
	assert_non_null(strstr(refusal("\\p{Script=greek}"), "property"));
	(void)refusal("\\p{Script=Nowhere}");
	(void)refusal("\\p{^L}");
	(void)refusal("\\p{L&}");
}

static void
groups_are_those_of_ecmascript(void **state)
{
	(void)state;
	assert_true(finds("^(a)(?:b)(?<c>c)$", "abc"));
	assert_true(finds("^(a|b)\\1$", "aa"));
	assert_false(finds("^(a|b)\\1$", "ab"));
	assert_true(finds("^(?<x>a|b)\\k<x>$", "bb"));
	assert_true(finds("^\\k<x>(?<x>a)$", "a"));
	assert_true(finds("^(a)?\\1b$", "b"));
	assert_true(finds("^(?=a)\\w(?!c)b$", "ab"));
	assert_true(finds("(?<=a)b", "ab"));
	assert_false(finds("(?<!a)b", "ab"));
	assert_true(finds("(?<=a|b)c", "bc"));
	assert_true(
	    finds("^(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)\\10$", "abcdefghijj"));
	assert_true(finds("^(a)\\1{2}$", "aaa"));
	assert_true(finds("^(a(b)?)+$", "aba"));
}

static void
repetitions_count(void **state)
{
	(void)state;
	assert_true(finds("^a{2}$", "aa"));
	assert_false(finds("^a{2}$", "aaa"));
	assert_true(finds("^a{2,}$", "aaaa"));
	assert_true(finds("^a{0,2}?b*?c+?$", "aac"));
	assert_true(finds("^(ab){2,3}$", "ababab"));
	assert_false(finds("^(ab){2,3}$", "abababab"));
	assert_true(finds("^(?:a{1,100}){1,100}$", "aaaa"));
	assert_non_null(strstr(refusal("a{2,1}"), "swapped"));
	assert_non_null(strstr(refusal("a{70000}"), "65535"));
	assert_non_null(strstr(refusal("a{99999999999999999999}"), "65535"));
	(void)refusal("(((a{1000}){1000}){1000}){1000}");
}

static void
what_only_other_dialects_have_is_refused(void **state)
{
	(void)state;
	static const char *const patterns[] = {"a++", "a*+", "a?+", "a{1}+",
	    "\\Aa", "a\\Z", "a\\z", "\\h", "\\R", "\\Qa\\E", "\\G", "\\K",
	    "\\X", "\\N", "\\C", "\\a", "\\e", "\\x{61}", "\\o{61}", "\\x6",
	    "\\u006", "\\u{110000}", "\\u{}", "\\u", "\\c1", "\\c", "\\01",
	    "\\-", "\\_", "\\\"", "\\ ", "(?i)a", "(?i:a)", "(?-i)a", "(?#c)a",
	    "(?>a)", "(?|a)", "(?P<n>a)", "(?P=n)", "(?'n'a)", "(?R)", "(?1)",
	    "(?&n)", "(?C)", "(?C1)", "(?(1)a|b)", "(?", "(?<", "(?<n",
	    "(?<1>a)", "(?<a b>a)", "(?<>a)", "(*ACCEPT)", "(*LIMIT_MATCH=1)a",
	    "(*NO_JIT)a", "(*UTF)a", "(*F)", "(?:(*SKIP)a)", "[a-\\d]",
	    "[\\d-a]", "[b-a]", "[\\B]", "[\\1]", "[a", "[", "a]", "a}", "{",
	    "a{", "a{1", "a{,1}", "a{1,2", "*a", "+", "?", "^*", "$+", "\\b*",
	    "(?=a)*", "(?!a)?", "(?<=a)+", "a**", "(", "a)", "(a", "\\", "\\1",
	    "(a)\\2", "\\k<a>", "\\k", "(?<a>b)\\k<c>", "(?<a>b)\\k<a",
	    "(?<a>b)|(?<a>c)"};

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		assert_non_null(
		    strstr(refusal(patterns[i]), "not a regular expression: "));
}

static void
a_mistake_is_placed_by_characters(void **state)
{
	(void)state;
	assert_non_null(strstr(refusal("\u00e9\u00e9(a"),
	    "the group is not closed (character 3)"));
	assert_non_null(strstr(refusal("abc)"), "(character 4)"));
	assert_non_null(strstr(refusal("ab[c"), "(character 3)"));
}

static void
a_lookbehind_of_any_length_is_refused_with_a_reason(void **state)
{
	(void)state;
	assert_non_null(strstr(refusal("(?<=a+)b"), "lookbehind"));
}

static void
large_patterns_are_refused(void **state)
{
	(void)state;
	enum {
		SIZE = 40000
	};
	static char text[SIZE + 1];
	struct w_pattern *pattern = NULL;
	writ_error err;

	memset(text, 'a', SIZE);
	assert_int_equal(
	    w_pattern_compile(text, SIZE, &pattern, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "too long"));
	memset(text, '(', 200);
	assert_int_equal(
	    w_pattern_compile(text, 200, &pattern, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "too deeply"));
	for (size_t i = 0; i < 5460; i++)
		memcpy(text + i * 3, "\\S*", 3);
	assert_int_equal(
	    w_pattern_compile(text, (size_t)5460 * 3, &pattern, &err),
	    WRIT_E_INVALID);
	assert_int_equal(
	    w_pattern_compile("\xff", 1, &pattern, &err), WRIT_E_INVALID);
	assert_null(pattern);
}

static double
cpu_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

struct hostile {
	const char *pattern;
	const char *unit; /* repeated over the text */
	const char *end;
	size_t len;
};

/* A bound that a slow, busy machine meets too. */
static void
check_hostile(const struct hostile *hostile, char *text)
{
	const size_t unit = strlen(hostile->unit);
	const size_t end = strlen(hostile->end);
	struct w_pattern *pattern = NULL;
	writ_error err;
	size_t len = 0;

	while (len < hostile->len) {
		memcpy(text + len, hostile->unit, unit);
		len += unit;
	}
	memcpy(text + len, hostile->end, end);
	len += end;
	assert_int_equal(w_pattern_compile(hostile->pattern,
			     strlen(hostile->pattern), &pattern, &err),
	    WRIT_OK);
	for (int i = 0; i < (len < 4096 ? 80 : 2); i++) {
		const double before = cpu_ms();

		assert_int_not_equal(
		    w_pattern_match(pattern, text, len, NULL), W_PATTERN_YES);

		const double took = cpu_ms() - before;

		if (took > 300)
			fail_msg("%s took %.1f ms", hostile->pattern, took);
	}
	w_pattern_free(pattern);
}

static void
hostile_patterns_end_soon(void **state)
{
	(void)state;
	enum {
		ROOM = 70000
	};
	static const struct hostile cases[] = {
	    {"^(a+)+$", "a", "b", 40},
	    {"^(a|a)*$", "a", "b", 40},
	    {"^(a*)*$", "a", "b", 40},
	    {"(a+)+b", "a", "c", 40},
	    {"^(?:a?){40}a{40}$", "a", "", 39},
	    {"^(?:a|ab|b)+$", "ab", "c", 60},
	    {"[ab]*[cd]", "a", "", 65536},
	    {"(?:[ab]*c|[ab]*d|[ab]*e)f", "a", "", 65536},
	    {"(?:(?=[ab]*)a)*[cd]", "a", "", 65536},
	    {"\\s+$", " ", "x", 65536},
	    {".*.*.*.*=.*", "a", "", 65536},
	    {"(.*)\\1\\1[bc]", "a", "", 65536},
	    {"^(([a-z])+.)+[A-Z]([a-z])+$", "a", "", 40},
	    {"(?<=[ab]{2000})[cd]", "a", "", 65536},
	    {"[ab]{30000}[cd]", "a", "", 65536},
	};
	char *text = malloc(ROOM);

	assert_non_null(text);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_hostile(&cases[i], text);
	free(text);
}

static void
long_texts_are_searched(void **state)
{
	(void)state;
	enum {
		SIZE = 1 << 20
	};
	char *text = malloc(SIZE);

	assert_non_null(text);
	memset(text, 'a', SIZE);
	text[SIZE - 1] = 'b';
	assert_int_equal(search_bytes("b$", text, SIZE), W_PATTERN_YES);
	assert_int_equal(search_bytes("^[ab]*$", text, SIZE), W_PATTERN_YES);
	assert_int_equal(
	    search_bytes("^[\\s\\S]+b$", text, SIZE), W_PATTERN_YES);
	assert_int_equal(search_bytes("c", text, SIZE), W_PATTERN_NO);
	assert_int_equal(
	    search_bytes("^(?:aa|b)*$", text, 100000), W_PATTERN_YES);
	assert_int_equal(
	    search_bytes("^(?:aa|b)*$", text, 100001), W_PATTERN_NO);
	assert_int_equal(search_bytes("^a{65535}", text, SIZE), W_PATTERN_YES);
	free(text);
}

/* From here on this process cannot map executable memory. */
static bool
forbid_machine_code(void)
{
	struct sock_filter rules[] = {
	    BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 1, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		offsetof(struct seccomp_data, args[2])),
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {
	    .len = sizeof(rules) / sizeof(rules[0]), .filter = rules};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 &&
	       mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

static bool
matches_often(void)
{
	struct w_pattern *pattern = NULL;
	bool good = w_pattern_compile("^(a+)+$", 7, &pattern, NULL) == WRIT_OK;

	for (int i = 0; good && i < OFTEN; i++)
		good =
		    w_pattern_match(pattern, "aaa", 3, NULL) == W_PATTERN_YES &&
		    w_pattern_match(pattern, "aab", 3, NULL) == W_PATTERN_NO;
	w_pattern_free(pattern);
	return good;
}

static void
no_machine_code_is_needed(void **state)
{
	(void)state;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(forbid_machine_code() && matches_often() ? 0 : 1);

	int status = 0;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_case_of_the_suite_comes_out_right),
	    cmocka_unit_test(characters_mean_what_they_mean_in_ecmascript),
	    cmocka_unit_test(classes_hold_what_they_hold_in_ecmascript),
	    cmocka_unit_test(half_a_pair_is_no_character),
	    cmocka_unit_test(properties_are_those_of_unicode),
	    cmocka_unit_test(groups_are_those_of_ecmascript),
	    cmocka_unit_test(repetitions_count),
	    cmocka_unit_test(what_only_other_dialects_have_is_refused),
	    cmocka_unit_test(a_mistake_is_placed_by_characters),
	    cmocka_unit_test(
		a_lookbehind_of_any_length_is_refused_with_a_reason),
	    cmocka_unit_test(large_patterns_are_refused),
	    cmocka_unit_test(hostile_patterns_end_soon),
	    cmocka_unit_test(long_texts_are_searched),
	    cmocka_unit_test(no_machine_code_is_needed),
	};
	return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
