/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/words.h"

#define WORDS_MAX 10

struct vector {
	const char *text;
	const char *words[WORDS_MAX];
};

static void
check_split(const char *text, size_t len, const char *const *want)
{
	W_AUTO_WORDS struct w_words words = {0};
	writ_error err = {0};
	assert_int_equal(w_words_split(text, len, &words, &err), WRIT_OK);

	size_t count = 0;
	for (; want[count] != NULL; count++) {
		assert_true(count < words.count);
		assert_string_equal(words.items[count], want[count]);
	}
	assert_int_equal(words.count, count);
	if (words.items != NULL)
		assert_null(words.items[count]);
}

static void
check_vectors(const struct vector *vectors, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		check_split(
		    vectors[i].text, strlen(vectors[i].text), vectors[i].words);
	}
}

static void
known_command_strings_split_as_documented(void **state)
{
	(void)state;
	static const struct vector vectors[] = {
	    {"hello goodbye", {"hello", "goodbye"}},
	    {"hello   goodbye", {"hello", "goodbye"}},
	    {"glob* test?", {"glob*", "test?"}},
	    {"don\\'t you know the dewey decimal system\\?",
		{"don't", "you", "know", "the", "dewey", "decimal", "system?"}},
	    {"'don'\\''t you know the dewey decimal system?'",
		{"don't you know the dewey decimal system?"}},
	    {"one '' two", {"one", "", "two"}},
	    {"text with\\\na backslash-escaped newline",
		{"text", "witha", "backslash-escaped", "newline"}},
	    {"text \"with\na\" quoted newline",
		{"text", "with\na", "quoted", "newline"}},
	    {"\"quoted\\d\\\\\\\" text with\\\na backslash-escaped newline\"",
		{"quoted\\d\\\" text witha backslash-escaped newline"}},
	    {"text with an escaped \\\n newline in the middle",
		{"text", "with", "an", "escaped", "newline", "in", "the",
		    "middle"}},
	};
	check_vectors(vectors, sizeof(vectors) / sizeof(vectors[0]));
}

static void
corner_cases_split_as_documented(void **state)
{
	(void)state;
	static const struct vector vectors[] = {
	    {"", {NULL}},
	    {" \t\n ", {NULL}},
	    {"\"a\\d\"", {"a\\d"}},
	    {"\\\n", {NULL}},
	    {"a \\\n", {"a"}},
	    {"a\\\n", {"a"}},
	    {"\\\n\\\na", {"a"}},
	    {"x\r\ny", {"x\r", "y"}},
	    {"a\vb\fc\xc2\xa0"
	     "d",
		{"a\vb\fc\xc2\xa0"
		 "d"}},
	    {"#not comment", {"#not", "comment"}},
	    {"a\\\n\\\nb", {"ab"}},
	    {"\"\\\n\"", {""}},
	    {"''", {""}},
	    {"\"\"", {""}},
	    {"'' \"\"", {"", ""}},
	    {"a''b", {"ab"}},
	    {"foo\"bar\"baz", {"foobarbaz"}},
	    {"'a'\"b\"c", {"abc"}},
	    {"\\ ", {" "}},
	    {"\\\\", {"\\"}},
	    {"\\a", {"a"}},
	    {"a\xff\\\xfe b", {"a\xff\xfe", "b"}},
	    {"$'a'", {"$a"}},
	    {"'a\\'", {"a\\"}},
	    {"'a\nb'", {"a\nb"}},
	    {"\"$x `y` \\$x \\`y\\`\"", {"$x `y` $x `y`"}},
	    {"a;b|c&d <e >f (g) {h} [i] ~ $j !k",
		{"a;b|c&d", "<e", ">f", "(g)", "{h}", "[i]", "~", "$j", "!k"}},
	};
	check_vectors(vectors, sizeof(vectors) / sizeof(vectors[0]));
}

static void
text_ends_at_its_length_not_at_a_nul(void **state)
{
	(void)state;
	static const char *const want[] = {"ab", NULL};
	check_split("abc d", 2, want);
	check_split(" ab\\", 3, want);
	static const char *const none[] = {NULL};
	check_split(NULL, 0, none);
}

static void
unfinished_strings_are_refused_with_their_place(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *message;
		unsigned line;
		unsigned column;
	} cases[] = {
	    {"don't worry", "this single quote is never closed", 1, 4},
	    {"'test'\\''ing", "this single quote is never closed", 1, 9},
	    {"\"foo'bar", "this double quote is never closed", 1, 1},
	    {"\"abc\\", "this double quote is never closed", 1, 1},
	    {"\"abc\\\"", "this double quote is never closed", 1, 1},
	    {"\"", "this double quote is never closed", 1, 1},
	    {"'", "this single quote is never closed", 1, 1},
	    {"foo\\", "nothing follows this backslash", 1, 4},
	    {"   \\", "nothing follows this backslash", 1, 4},
	    {"\\", "nothing follows this backslash", 1, 1},
	    {"a\nbc 'd", "this single quote is never closed", 2, 4},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct w_words words = {.count = 77};
		writ_error err;
		assert_int_equal(w_words_split(cases[i].text,
				     strlen(cases[i].text), &words, &err),
		    WRIT_E_INVALID);
		assert_int_equal(words.count, 77);
		assert_string_equal(err.stage, "words");
		assert_string_equal(err.message, cases[i].message);
		assert_int_equal(err.line, cases[i].line);
		assert_int_equal(err.column, cases[i].column);
		assert_int_equal(w_words_split(cases[i].text,
				     strlen(cases[i].text), &words, NULL),
		    WRIT_E_INVALID);
	}
}

static void
nul_byte_is_refused_wherever_it_stands(void **state)
{
	(void)state;
	static const char text[] = "ab\0'c d";
	struct w_words words = {.count = 77};
	writ_error err;
	assert_int_equal(w_words_split(text, sizeof(text) - 1, &words, &err),
	    WRIT_E_INVALID);
	assert_string_equal(err.message, "a NUL byte cannot be in a command");
	assert_int_equal(err.column, 3);
	assert_int_equal(words.count, 77);
	assert_int_equal(
	    w_words_split("'\0'", 3, &words, &err), WRIT_E_INVALID);
	assert_int_equal(err.column, 2);
}

/* Fed byte by byte, a text is split like the whole. */
static void
pieces_are_split_like_the_whole(void **state)
{
	static const char text[] =
	    "a 'b c'\\ d \"e\\\"f\\g\"\\\nh \\\n i''\t\"\"";
	W_AUTO_WORDS struct w_words words = {0};
	char room[sizeof(text)];
	struct w_splitter splitter;

	(void)state;
	assert_int_equal(
	    w_words_split(text, sizeof(text) - 1, &words, NULL), WRIT_OK);
	w_splitter_init(&splitter, room);
	for (size_t i = 0; i < sizeof(text) - 1; i++)
		w_splitter_feed(&splitter, text + i, 1, i);
	assert_int_equal(w_splitter_end(&splitter, text, NULL), WRIT_OK);
	assert_int_equal(splitter.count, words.count);
	assert_true(splitter.len <= sizeof(room));
	const char *at = room;
	for (size_t i = 0; i < words.count; i++) {
		assert_string_equal(at, words.items[i]);
		at += strlen(at) + 1;
	}
}

static void
values_are_parts_of_words(void **state)
{
	char room[64];
	struct w_splitter splitter;

	(void)state;
	w_splitter_init(&splitter, room);
	assert_true(w_splitter_value(&splitter, "a b'", 4));
	w_splitter_feed(&splitter, "c '", 3, 0);
	assert_true(w_splitter_value(&splitter, "'\"", 2));
	w_splitter_feed(&splitter, "' ", 2, 3);
	assert_true(w_splitter_value(&splitter, "", 0));
	w_splitter_feed(&splitter, " \\", 2, 5);
	assert_false(w_splitter_value(&splitter, "x", 1));
	w_splitter_feed(&splitter, "y", 1, 7);
	assert_int_equal(w_splitter_end(&splitter, "", NULL), WRIT_OK);
	assert_int_equal(splitter.count, 4);
	assert_memory_equal(room, "a b'c\0'\"\0\0y", splitter.len);
}

static void
lists_grow_and_stay_null_ended(void **state)
{
	(void)state;
	W_AUTO_WORDS struct w_words words = {0};
	for (size_t i = 0; i < 1000; i++) {
		assert_true(w_words_add(&words, "abcdef", i % 7));
		assert_int_equal(words.count, i + 1);
		assert_int_equal(strlen(words.items[i]), i % 7);
		assert_null(words.items[i + 1]);
	}
	w_words_done(&words);
	assert_int_equal(words.count, 0);
	assert_null(words.items);
}

static const struct {
	const char *word;
	const char *quoted;
} quotes[] = {
    {"", "''"},
    {"plain", "plain"},
    {"/usr/bin/git", "/usr/bin/git"},
    {"--opt=a,b:c@d%e+f", "--opt=a,b:c@d%e+f"},
    {"-x", "-x"},
    {"a_b.c-d", "a_b.c-d"},
    {"1=2", "1=2"},
    {"two words", "'two words'"},
    {"tab\there", "'tab\there'"},
    {"new\nline", "'new\nline'"},
    {"it's", "'it'\\''s'"},
    {"'", "''\\'''"},
    {"''", "''\\'''\\'''"},
    {"\"", "'\"'"},
    {"\\", "'\\'"},
    {"a\\\nb", "'a\\\nb'"},
    {"#x", "'#x'"},
    {"~x", "'~x'"},
    {"a~", "'a~'"},
    {"=x", "'=x'"},
    {"NAME=x", "'NAME=x'"},
    {"_9+=x", "'_9+=x'"},
    {"$HOME", "'$HOME'"},
    {"`id`", "'`id`'"},
    {"*", "'*'"},
    {"?", "'?'"},
    {"[a]", "'[a]'"},
    {"{a,b}", "'{a,b}'"},
    {"!", "'!'"},
    {"^x", "'^x'"},
    {"a;b", "'a;b'"},
    {"a|b", "'a|b'"},
    {"a&b", "'a&b'"},
    {"<a>", "'<a>'"},
    {"(a)", "'(a)'"},
    {"if", "'if'"},
    {"time", "'time'"},
    {"ifx", "ifx"},
    {"caf\xc3\xa9", "'caf\xc3\xa9'"},
    {"\xff\x81\x88", "'\xff\x81\x88'"},
    {"\x01\x1b\x7f", "'\x01\x1b\x7f'"},
    {"\r", "'\r'"},
};

#define QUOTE_COUNT (sizeof(quotes) / sizeof(quotes[0]))

static void
words_are_quoted_only_when_needed(void **state)
{
	(void)state;
	for (size_t i = 0; i < QUOTE_COUNT; i++) {
		W_AUTO_BUF struct w_buf buf;
		w_buf_init(&buf, 1000);
		w_words_quote(&buf, quotes[i].word);
		assert_false(buf.failed);
		assert_string_equal(buf.data, quotes[i].quoted);
	}
}

static void
quoted_words_split_back(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf all;
	w_buf_init(&all, 10000);
	for (size_t i = 0; i < QUOTE_COUNT; i++) {
		w_words_quote(&all, quotes[i].word);
		w_buf_add_char(&all, ' ');
	}
	W_AUTO_WORDS struct w_words words = {0};
	assert_int_equal(
	    w_words_split(all.data, all.len, &words, NULL), WRIT_OK);
	assert_int_equal(words.count, QUOTE_COUNT);
	for (size_t i = 0; i < QUOTE_COUNT; i++)
		assert_string_equal(words.items[i], quotes[i].word);
}

static void
every_byte_splits_back(void **state)
{
	(void)state;
	for (int byte = 1; byte < 256; byte++) {
		const char word[] = {'x', (char)byte, '\0'};
		for (size_t from = 0; from < 2; from++) {
			W_AUTO_BUF struct w_buf buf;
			w_buf_init(&buf, 100);
			w_words_quote(&buf, word + from);
			const char *const want[] = {word + from, NULL};
			check_split(buf.data, buf.len, want);
		}
	}
}

static void
shell_reads_quoted_words_back(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf script;
	W_AUTO_BUF struct w_buf want;
	w_buf_init(&script, 10000);
	w_buf_init(&want, 10000);
	w_buf_add_str(&script, "printf '<%s>'");
	for (size_t i = 0; i < QUOTE_COUNT; i++) {
		w_buf_add_char(&script, ' ');
		w_words_quote(&script, quotes[i].word);
		w_buf_add_fmt(&want, "<%s>", quotes[i].word);
	}

	char got[10000];
	/* NOLINTNEXTLINE(cert-env33-c): a shell is what is asked here. */
	FILE *shell = popen(script.data, "r");
	assert_non_null(shell);
	size_t len = fread(got, 1, sizeof(got), shell);
	assert_int_equal(pclose(shell), 0);
	assert_int_equal(len, want.len);
	assert_memory_equal(got, want.data, len);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(known_command_strings_split_as_documented),
	    cmocka_unit_test(corner_cases_split_as_documented),
	    cmocka_unit_test(text_ends_at_its_length_not_at_a_nul),
	    cmocka_unit_test(unfinished_strings_are_refused_with_their_place),
	    cmocka_unit_test(nul_byte_is_refused_wherever_it_stands),
	    cmocka_unit_test(pieces_are_split_like_the_whole),
	    cmocka_unit_test(values_are_parts_of_words),
	    cmocka_unit_test(lists_grow_and_stay_null_ended),
	    cmocka_unit_test(words_are_quoted_only_when_needed),
	    cmocka_unit_test(quoted_words_split_back),
	    cmocka_unit_test(every_byte_splits_back),
	    cmocka_unit_test(shell_reads_quoted_words_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
