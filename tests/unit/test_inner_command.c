/* SPDX-License-Identifier: Apache-2.0 */

/* Nested commands: wrappers, inserted and appended words, other machines, shell
 * strings. */

#include "analysis_text.h"

static const struct {
	const char *line;
	const char *means;
} wrappers[] = {
    {"env", "nothing"},
    {"env rm x", "delete; delete x"},
    {"env -i A=1 -u B rm x",
	"exec; exec -u; not understood: no description of '-u'"},
    {"env -i -u B A=1 rm x", "delete; delete x"},
    {"env -i -u B A=1 -- rm x", "exec; exec --; not understood: "},
    {"env -i -u B -- A=1 rm x", "delete; delete x"},
    {"env LD_PRELOAD=./x.so ls", "read code; code LD_PRELOAD; read ."},
    {"env -S 'cat -n' x",
	"read exec; read ?; exec x; not understood: no description of 'x'"},
    {"env -S 'ls -l'", "read; read .; read ?"},
    {"env -S 'a;b'", "code; code; not understood: "},
    {"env -S 'ls\\_x'",
	"exec code; exec; code; not understood: a command line with a "
	"backslash"},
    {"env -S 'A=1 ls'", "code; code; not understood: more than one plain"},
    {"timeout -k 1 5 rm x", "delete; delete x"},
    {"timeout 5 ./x", "exec code; exec ./x; code ./x; not understood: "},
    {"nice -n 5 rm x", "delete; delete x"},
    {"nice -n5 nice timeout 5 env A=1 rm x", "delete; delete x"},
    {"sudo -u x rm y", "delete priv; priv; delete y"},
    {"sudo rm", "exec priv; priv; exec rm; not understood: "},
    {"xargs", "nothing"},
    {"xargs ls", "read; read .; read ?"},
    {"xargs -n1 rm", "delete; delete ?"},
    {"xargs -n1 rm -f x", "delete; delete x; delete ?"},
    {"xargs sort", "read write exec code; read ?; write ?; exec; code"},
    {"xargs sort --", "read; read ?"},
    {"xargs sort -o --", "read write exec code; write --; read ?; write ?; "
			 "exec; code"},
    {"xargs echo", "nothing"},
    {"xargs env", "exec code; exec; code; not understood: what 'env'"},
    {"xargs env rm", "delete; delete ?"},
    {"xargs nice", "exec code; exec; code; not understood: what 'nice'"},
    {"xargs timeout 5",
	"exec code; exec; code; not understood: what 'timeout'"},
    {"xargs sh -c", "exec code; exec; code; not understood: what 'sh'"},
    {"xargs sh -c 'ls x'", "read; read x"},
    {"xargs git", "code; code; not understood: which command of 'git'"},
    {"xargs git add", "read write code; code; write .; read ?; write ?"},
    {"xargs frob", "exec; exec frob; not understood: no description"},
    {"xargs -I{} rm {}", "delete; delete ?"},
    {"xargs -I % cp % /tmp/%", "read write; read ?; write ?"},
    {"xargs -I % cp ./% x", "read write; read ?; write x"},
    {"xargs -I % sort %", "read write exec code; read ?; write ?; exec; code"},
    {"xargs -I % sort -- %", "read; read ?"},
    {"xargs -I % sort ./%", "read; read ?"},
    {"xargs -I % % x",
	"exec code; exec; code; not understood: which program it is"},
    {"xargs -I % sh -c 'rm %'",
	"exec code; exec; code; not understood: a part of the shell"},
    {"xargs -I % env rm x%", "delete; delete ?"},
    {"find -delete", "read delete; read .; delete ."},
    {"find a b -delete", "read delete; read a; read b; delete a; delete b"},
    {"find a -exec rm {} ;", "read delete; read a; delete ?"},
    {"find a -exec rm -f {} +", "read delete; read a; delete ?"},
    {"find a -exec cp {} /tmp/{}.bak ;", "read write; read a; read ?; write ?"},
    {"find a -exec env X=1 rm {} ;", "read delete; read a; delete ?"},
    {"find a -exec {} ;",
	"read exec code; read a; exec; code; not understood: which program"},
    {"find a -exec sh -c {} ;",
	"read exec code; read a; exec; code; not understood: a part of"},
    {"find a -exec sh -c 'rm {}' ;",
	"read exec code; read a; exec; code; not understood: a part of"},
    {"find a -exec echo {} ; -delete", "read delete; read a; delete a"},
    {"find a -execdir rm x ;", "read delete; read a; delete ?"},
    {"find a -execdir rm /x {} ;", "read delete; read a; delete /x; delete ?"},
    {"find a -execdir ./x ;",
	"read exec code; read a; exec ?; code ?; not understood: './x'"},
    {"sh -c 'rm x'", "delete; delete x"},
    {"bash -lc 'rm x'", "delete; delete x"},
    {"bash -l -c 'ls a | cat -n'", "read; read a"},
    {"sh -c 'rm $x'", "delete; delete ?"},
    {"sh -c ./x", "exec code; exec ./x; code ./x; not understood: "},
    {"sh x.sh", "read code; read x.sh; code"},
    {"sh", "code; code"},
    {"ssh host", "net; net host"},
    {"ssh host rm -rf /", "net publish; net host; publish host; delete"},
    {"ssh host ls", "net publish; net host; publish host; read"},
    {"ssh host sudo rm x",
	"net publish priv; net host; publish host; priv; delete"},
    {"ssh host 'ls; rm x'",
	"net publish; net host; publish host; read; delete"},
    {"ssh host ls '$x'", "net publish; net host; publish host; read"},
    {"ssh host ./x", "exec code net publish; net host; publish host; exec; "
		     "code; not understood: './x'"},
    {"sort --compress-program=gzip a",
	"read write delete; read a; read ?; write ?; delete ?"},
    {"sort --compress-program=./x a",
	"read exec code; read a; exec ./x; code ./x; not understood: "},
    {"timeout 5 nice env A=1 sudo sh -c 'xargs -n1 rm'",
	"delete priv; priv; delete ?"},
    {"python3 -c 'x'", "code; code"},
    {"sed s/a/b/ x", "read; read x"},
    {"sed -i s/a/b/ x", "read write; read x; write x"},
    {"sed -n 'w out' x", "read write; read x; write out"},
    {"sed -e 's/a/b/' -e 'w out' x", "read write; read x; write out"},
    {"sed -e 'a\\' -e 'w out' x", "read; read x"},
    {"sed '1e rm y' x", "read delete; read x; delete y"},
    {"sed 's/a/b/e' x", "read exec code; read x; exec; code; not understood: "},
    {"sed 'frob' x", "read code; read x; code; not understood: "},
    {"env -C d sed 'w out' x", "read write; read d/x; write d/out"},
    {"awk '{print > \"out\"}' x", "read write; read x; write out"},
    {"awk 'BEGIN {system(\"rm y\")}'", "delete; delete y"},
    {"awk 'BEGIN {system(x)}'", "exec code; exec; code; not understood: "},
    {"xargs sed -n p", "read write exec code; read ?; write ?; exec; code"},
    {"xargs sed -n p --", "read; read ?"},
    {"xargs sed -n -e p --", "read; read ?"},
    {"xargs sed -n", "read write exec code; read ?; write ?; exec; code; "
		     "not understood: what 'sed'"},
    {"find a -exec sed -i s/a/b/ {} +", "read write; read a; read ?; write ?"},
};

static void
wrappers_show_what_they_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrappers) / sizeof(wrappers[0]); i++)
		means(wrappers[i].line, wrappers[i].means);
}

static const struct {
	const char *text;
	const char *means;
} strings[] = {
    {"ls", "read; read ."},
    {"ls a && rm b", "read delete; read a; delete b"},
    {"ls > out", "read write; write out; read ."},
    {"cat < in >> out 2>/dev/null", "read write; read in; write out"},
    {"> out", "write; write out"},
    {"ls > /dev/tcp/h/80",
	"read write code; code; write /dev/tcp/h/80; read .; not understood: "},
    {"A=1 ls", "read; read ."},
    {"PATH=. ls", "read code; code PATH; read ."},
    {"PATH=.", "code; code PATH"},
    {"export PATH=.; ls", "read code; code PATH; read ."},
    {"cd a && rm b", "delete; delete a/b"},
    {"cd /a && cd b && rm c > d", "write delete; write /a/b/d; delete /a/b/c"},
    {"cd a && cd .. && rm b", "delete; delete b"},
    {"cd .. && rm b", "delete; delete ../b"},
    {"cd a/../b && ls", "read; read b"},
    {"cd /.. && rm b", "delete; delete /b"},
    {"cd a; rm b", "delete; delete b; delete a/b"},
    {"cd a && ls; rm b", "read delete; read a; delete b; delete a/b"},
    {"cd a; cd b; rm c",
	"delete; delete c; delete a/c; delete b/c; delete a/b/c"},
    {"cd a || rm b", "delete; delete b; delete a/b"},
    {"ls | cd a && rm b", "read delete; read .; delete b"},
    {"cd && rm b", "delete; delete b; not understood: writ cannot tell"},
    {"cd - && rm b", "delete; delete b; not understood: writ cannot tell"},
    {"CDPATH=/x cd a && rm b",
	"delete code; code CDPATH; delete b; not understood: writ "
	"cannot tell"},
    {"ls | cd a; rm b", "read delete; read .; delete b"},
    {"true && : x && false", "nothing"},
    {". ./x", "read code; read ./x; code ./x"},
    {"source x && ls", "read code; read x; code x; read ."},
    {".", "nothing; not understood: '.' of the shell without a file"},
    {"eval ls a", "read; read a"},
    {"eval 'rm a; ls'", "read delete; delete a; read ."},
    {"eval 'cd a' && rm b", "delete; delete b; not understood: writ cannot"},
    {"eval rm '$x'", "delete; delete ?"},
    {"exec rm x", "delete; delete x"},
    {"exec -a y rm x", "code; code; not understood: 'exec' of the shell"},
    {"exec > log", "write; write log"},
    {"command rm x", "delete; delete x"},
    {"command -v rm", "nothing"},
    {"command eval ls", "read; read ."},
    {"exec eval ls", "exec; exec eval; not understood: "},
    {"builtin cd a", "code; code; not understood: 'builtin' changes"},
    {"alias ls=rm; ls", "read code; code; read .; not understood: 'alias'"},
    {"command cd a && rm b", "delete; delete a/b"},
    {"command printf -v 'a[x]' y",
	"code; code; not understood: 'printf' of the shell"},
    {"command command command rm x", "delete; delete x"},
    {"printf %n PATH", "code; code; not understood: 'printf' of the shell"},
    {"printf '%5.3n' PATH", "code; code; not understood: 'printf' of"},
    {"printf -- %n PATH", "code; code; not understood: 'printf' of the shell"},
    {"printf '%%n %s' PATH", "exec; exec printf; not understood: no desc"},
    {"hash -p x ls; ls", "read code; code; read .; not understood: 'hash'"},
    {"set -euo pipefail; ls", "read; read ."},
    {"set -P; ls",
	"read code; code; read .; not understood: 'set' of the shell"},
    {"set -o physical", "code; code; not understood: 'set' of the shell"},
    {"unset A B", "nothing"},
    {"unset PATH; ls", "read code; code PATH; read ."},
    {"unset 'a[x]'", "code; code; not understood: 'unset' of the shell"},
    {"printf -v 'a[x]' y", "code; code; not understood: 'printf' of the shell"},
    {"test -v 'a[x]'", "code; code; not understood: 'test' of the shell"},
    {"exit 1", "nothing"},
    {"export -f x", "code; code; not understood: 'export' of the shell"},
    {"ls; frob", "read exec; read .; exec frob; not understood: no descr"},
    {"ls $(x)", "read exec; exec x; read ?; not understood: "},
    {"./x", "exec code; exec ./x; code ./x; not understood: "},
};

static void
shell_strings_are_taken_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++)
		shell_means(strings[i].text, strings[i].means);
}

/* A command in that many wrappers. */
static void
nested(size_t depth, const char *want)
{
	const char *argv[64];
	size_t argc = 0;

	while (argc < depth)
		argv[argc++] = "env";
	argv[argc++] = "rm";
	argv[argc++] = "x";
	const struct w_analysis_input input = {.argv = argv, .argc = argc};
	struct w_analysis *analysis = analysis_of(&input);
	assert_text(analysis, "env env ... rm x", want);
	w_analysis_free(analysis);
}

static void
depth_has_a_limit(void **state)
{
	(void)state;
	nested(5, "delete; delete x");
	nested(W_ANALYSIS_DEPTH_MAX, "delete; delete x");
	nested(W_ANALYSIS_DEPTH_MAX + 1,
	    "nothing; not understood: there are too many commands in one");
}

static void
the_place_of_a_reason_is_one_of_the_outer_argv(void **state)
{
	const char *const argv[] = {
	    "env", "A=1", "timeout", "5", "ls", "-q", NULL};
	const struct w_analysis_input input = {.argv = argv, .argc = 6};
	struct w_analysis *analysis = analysis_of(&input);

	(void)state;
	assert_false(analysis->is_understood);
	assert_int_equal(analysis->reason_word, 5);
	assert_int_equal(analysis->reason_offset, 1);
	w_analysis_free(analysis);

	const char *const shell[] = {"env", "sh", "-c", "ls a && frob", NULL};
	const struct w_analysis_input other = {.argv = shell, .argc = 4};
	analysis = analysis_of(&other);
	assert_false(analysis->is_understood);
	assert_int_equal(analysis->reason_word, 3);
	assert_int_equal(analysis->reason_offset, 8);
	w_analysis_free(analysis);

	const char *const joined[] = {"ssh", "h", "ls", "a;", "frob", NULL};
	const struct w_analysis_input third = {.argv = joined, .argc = 5};
	analysis = analysis_of(&third);
	assert_false(analysis->is_understood);
	assert_int_equal(analysis->reason_word, 4);
	assert_int_equal(analysis->reason_offset, 0);
	w_analysis_free(analysis);
}

/* The analysis of a line after other words. */
static void
is_the_same_behind(const char *before, const char *line, bool is_quoted)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf quoted;
	W_AUTO_WORDS struct w_words words = {0};
	W_AUTO_WORDS struct w_words wrapped = {0};

	w_buf_init(&text, 65536);
	w_buf_init(&quoted, 65536);
	assert_int_equal(
	    w_words_split(line, strlen(line), &words, NULL), WRIT_OK);
	for (size_t i = 0; i < words.count; i++) {
		if (i > 0)
			w_buf_add_char(&quoted, ' ');
		w_words_quote(&quoted, words.items[i]);
	}
	w_buf_add_fmt(&text, "%s ", before);
	if (is_quoted)
		w_words_quote(&text, quoted.data);
	else
		w_buf_add_str(&text, quoted.data);
	assert_int_equal(
	    w_words_split(text.data, text.len, &wrapped, NULL), WRIT_OK);
	const struct w_analysis_input plain = {
	    .argv = (const char *const *)words.items, .argc = words.count};
	const struct w_analysis_input behind = {
	    .argv = (const char *const *)wrapped.items, .argc = wrapped.count};
	struct w_analysis *one = analysis_of(&plain);
	struct w_analysis *other = analysis_of(&behind);
	char *want = analysis_text(one);
	assert_text(other, text.data, want);
	free(want);
	w_analysis_free(one);
	w_analysis_free(other);
}

/* A command means the same wherever it is. */
static void
a_wrapper_changes_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrappers) / sizeof(wrappers[0]); i++) {
		const char *line = wrappers[i].line;

		is_the_same_behind("env", line, false);
		is_the_same_behind("timeout -k 1 5", line, false);
		is_the_same_behind("nice -n 3 env -- A=1", line, false);
		is_the_same_behind("/bin/sh -c", line, true);
		is_the_same_behind("env -i bash -lc", line, true);
	}
}

static void
inner_commands_say_how_they_are_run(void **state)
{
	const char *const argv[] = {"ssh", "h", "ls", "a", NULL};
	const struct w_analysis_input input = {.argv = argv, .argc = 4};
	struct w_analysis *analysis = analysis_of(&input);

	(void)state;
	assert_int_equal(analysis->inner_count, 1);
	assert_int_equal(
	    analysis->inner[0].how, W_INNER_REMOTE | W_INNER_JOINED);
	assert_true(analysis->inner[0].is_shell);
	assert_int_equal(analysis->inner[0].word, 2);
	assert_string_equal(analysis->inner[0].analysis->id, "cli.ls");
	w_analysis_free(analysis);
}

/* A shell string with more commands than anybody reads. */
static void
the_number_of_commands_has_a_limit(void **state)
{
	W_AUTO_BUF struct w_buf text;

	(void)state;
	w_buf_init(&text, 1024 * 1024);
	for (int i = 0; i < 30; i++)
		w_buf_add_str(
		    &text, i > 0 ? ";env env env rm x" : "env env env rm x");
	const struct w_analysis_input few = {.shell = text.data};
	struct w_analysis *analysis = analysis_of(&few);
	assert_true(analysis->is_understood);
	w_analysis_free(analysis);
	for (int i = 0; i < 300; i++)
		w_buf_add_str(&text, ";env env env rm x");
	const struct w_analysis_input input = {.shell = text.data};
	analysis = analysis_of(&input);
	assert_false(analysis->is_understood);
	w_analysis_free(analysis);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TABLE_TEST(wrappers_show_what_they_run),
	    TABLE_TEST(shell_strings_are_taken_apart),
	    TABLE_TEST(depth_has_a_limit),
	    TABLE_TEST(the_place_of_a_reason_is_one_of_the_outer_argv),
	    TABLE_TEST(a_wrapper_changes_nothing),
	    TABLE_TEST(inner_commands_say_how_they_are_run),
	    TABLE_TEST(the_number_of_commands_has_a_limit),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
