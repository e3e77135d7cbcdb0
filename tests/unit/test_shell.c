/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "command/shell/shell.h"
#include "shell_printed.h"

/* What a text is read as, whether it has faults or not. */
static void
expect_read(const char *text, bool is_bash, bool has_fault, const char *want)
{
	const struct w_shell_input input = {
	    .text = text, .len = strlen(text), .is_bash = is_bash};
	struct w_shell shell;
	struct w_arena arena = {.chunks = NULL};
	writ_error err = {.status = WRIT_OK};
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 65536);
	assert_int_equal(w_shell_parse(&input, &shell, &err), WRIT_OK);
	if (shell.has_fault != has_fault)
		fail_msg("%s: %s", text,
		    has_fault ? "no fault" : shell.fault.message);
	print_list(&buf, &arena, shell.list);
	w_buf_add_char(&buf, '\0');
	if (want != NULL && strcmp(buf.data, want) != 0)
		fail_msg("%s\n  is  %s\n  not %s", text, buf.data, want);
	w_shell_done(&shell);
	w_arena_done(&arena);
}

static void
expect(const char *text, const char *want)
{
	expect_read(text, false, false, want);
	expect_read(text, true, false, want);
}

/* Only bash takes it so; what is in it is known in any case. */
static void
expect_bash(const char *text, const char *want)
{
	expect_read(text, true, false, want);
	expect_read(text, false, true, want);
}

static void
fault_at(const char *text, size_t len, size_t offset, bool is_syntax_error)
{
	const struct w_shell_input input = {.text = text, .len = len};
	struct w_shell shell;
	writ_error err = {.status = WRIT_OK};

	assert_int_equal(w_shell_parse(&input, &shell, &err), WRIT_OK);
	if (!shell.has_fault)
		fail_msg("%s has no fault", text);
	assert_int_equal(shell.fault.status, WRIT_E_INVALID);
	assert_string_not_equal(shell.fault.message, "");
	assert_true(shell.fault.line > 0);
	if (shell.fault_offset != offset)
		fail_msg("%s: at %zu: %s", text, shell.fault_offset,
		    shell.fault.message);
	if (shell.is_syntax_error != is_syntax_error)
		fail_msg("%s: %s", text, shell.fault.message);
	assert_int_equal(is_syntax_error,
	    strncmp(shell.fault.message, "syntax error: ", 14) == 0);
	w_shell_done(&shell);
}

static void
words_are_split_and_unquoted(void **state)
{
	(void)state;
	expect("", "");
	expect(" \t\n ", "");
	expect("ls", "[ls]");
	expect("  ls \t -l  ", "[ls] [-l]");
	expect("echo 'a b' \"c d\" e\\ f", "[echo] [a b] [c d] [e f]");
	expect("echo a'b'\"c\"\\d", "[echo] [abcd]");
	expect("echo ''", "[echo] []");
	expect("echo \"\\$x \\` \\\" \\\\ \\n\"", "[echo] [$x ` \" \\ \\n]");
	expect("echo '$x `id` *'", "[echo] [$x `id` *]");
	expect("echo \"a*b ~ {x} !y\"", "[echo] [a*b ~ {x} !y]");
	expect("echo a\\\nb \"c\\\nd\" 'e\\\nf'", "[echo] [ab] [cd] [e\\\nf]");
	expect("echo \\\n  x", "[echo] [x]");
	expect("echo a#b HEAD^ a=b +x %y ,z @ ]", "[echo] [a#b] [HEAD^] [a=b] "
						  "[+x] [%y] [,z] [@] []]");
	expect("cat gr\xc3\xb6\xc3\x9f"
	       "e",
	    "[cat] [gr\xc3\xb6\xc3\x9f"
	    "e]");
	expect("\"if\" x; \\while y", "[if] [x] ; [while] [y]");
	expect("echo if then", "[echo] [if] [then]");
	expect("[ -f x ]&&[ -d y ]", "[[] [-f] [x] []] && [[] [-d] [y] []]");
	expect("find . ! -name x -exec rm {} \\;",
	    "[find] [.] [!] [-name] [x] [-exec] [rm] [{}] [;]");
	expect("git show HEAD~1 a^~2 x~", "[git] [show] [HEAD~1] [a^~2] [x~]");
	expect("xargs -I{} cp {} {}.old", "[xargs] [-I{}] [cp] [{}] [{}.old]");
}

static void
commands_are_joined(void **state)
{
	(void)state;
	expect("a && b || c | d ; e", "[a] && [b] || [c] | [d] ; [e]");
	expect("a&&b||c|d;e", "[a] && [b] || [c] | [d] ; [e]");
	expect("a\nb\n\n\nc\n", "[a] ; [b] ; [c]");
	expect("a;\nb;", "[a] ; [b]");
	expect("a &&\n\n b |\n c", "[a] && [b] | [c]");
	expect("a &&\\\nb", "[a] && [b]");
	expect("cd /tmp && rm -rf x", "[cd] [/tmp] && [rm] [-rf] [x]");
}

static void
assignments_stand_before_the_command(void **state)
{
	(void)state;
	expect("A=1 B='x y' env C=3", "A=1 B=x y [env] [C=3]");
	expect("A=1", "A=1");
	expect("A= cmd", "A= [cmd]");
	expect(">f A=1 cmd", "A=1 [cmd] >f");
	expect("\"A\"=1 x", "[A=1] [x]");
	expect("A\\=1", "[A=1]");
	expect("A+\\=1", "[A+=1]");
	expect("a-b=1", "[a-b=1]");
	expect("cmd A=1", "[cmd] [A=1]");
	expect("a\\\nb=c", "ab=c");
	expect("_x9=:a:b=c y", "_x9=:a:b=c [y]");
}

static void
redirections_are_listed(void **state)
{
	(void)state;
	expect("a <in >out 2>err", "[a] <in >out >err");
	expect("a < in > out 2> 'e r'", "[a] <in >out >e r");
	expect("a >>log", "[a] >>log");
	expect("a >|x", "[a] >x");
	expect("a <>x", "[a] <>x");
	expect("a >out 2>&1", "[a] >out");
	expect("a >&2 2>&- <&3 <&-", "[a]");
	expect("a >& 2", "[a]");
	expect(">x", ">x");
	expect(">x a b", "[a] [b] >x");
	expect("a2>x", "[a2] >x");
	expect("a 2 >x", "[a] [2] >x");
	expect("a '2'>x", "[a] [2] >x");
	expect("a>x>y", "[a] >x >y");
	expect("a 2>&1|b", "[a] | [b]");
}

static void
quotes_keep_expansions_known(void **state)
{
	(void)state;
	expect("k $ a$ \"a$\" $% a#b", "[k] [$] [a$] [a$] [$%] [a#b]");
	expect("ls # all", "[ls]");
	expect("# all\nls #x\n#y", "[ls]");
	expect("k {a} a!b {a,b a~b /~", "[k] [{a}] [a!b] [{a,b] [a~b] [/~]");
	expect("k 'a'#b", "[k] [a#b]");
}

static void
expansions_are_known_only_when_it_runs(void **state)
{
	(void)state;
	expect("k $X \"$X\" a${X}b", "[k] [<$X..>] [<$X>] [a<$X..>b]");
	expect("k $? $# $$ \"$!\"", "[k] [<$?>] [<$#>] [<$$>] [<$!>]");
	expect(
	    "k $1 $@ \"$@\" \"$*\"", "[k] [<$1..>] [<$@..>] [<$@..>] [<$*>]");
	expect("k ${X:-a} \"${X%.c}\" ${#X}",
	    "[k] [<${...}..>] [<${...}>] [<${#X}>]");
	expect("k $(q a) `q b`",
	    "[k] [<$(...)..>] [<$(...)..>] $([q] [a]) $([q] [b])");
	expect("k \"$(q \"a b\")\"", "[k] [<$(...)>] $([q] [a b])");
	expect("k ${X:-$(q)}", "[k] [<${...}..>] $([q])");
	expect("k $((1 + 2))", "[k] [<$((1 + 2))>]");
	expect("k *.c a?b [a-z]x", "[k] [<*..>.c] [a<?..>b] [<[..>a-z]x]");
	expect("k ~ ~/x a~ \"~\"", "[k] [<~>] [<~>/x] [a~] [~]");
	expect("A=~/x B=* k", "A=<~>/x B=* [k]");
	expect("cat <~/x", "[cat] <<~>/x");
	expect_bash("k {a,b} x{1..3}", "[k] [<{a,b}..>] [x<{1..3}..>]");
	expect_bash("k <(q)", "[k] [/dev/fd/63] $([q])");
}

static void
compound_commands_are_read(void **state)
{
	(void)state;
	expect("(a; b)|c", "subshell {[a] ; [b]} | [c]");
	expect("{ a; b; } >f", "group {[a] ; [b]} >f");
	expect("if a; then b; elif c\nthen d; else e; fi",
	    "if {[a] / [b] / [c] / [d] / [e]}");
	expect("while a; do b; done <f", "loop {[a] / [b]} <f");
	expect("until a\ndo\nb\ndone", "loop {[a] / [b]}");
	expect("for x in a 'b c'; do k; done", "for x [a] [b c] {[k]}");
	expect("for x\ndo k; done", "for x {[k]}");
	expect("case $x in a) b;; (c|d) e;; *) ;; esac",
	    "case [<$x..>] {|a| [b] / |c| |d| [e] / |<*..>| }");
	expect("f() { a; }; f", "function f {group {[a]}} ; [f]");
	expect("f ()\n(a)", "function f {subshell {[a]}}");
	expect("! a && ! b", "! [a] && ! [b]");
	expect("a & b &", "[a] & [b] & ");
	expect("a && b & c", "[a] && [b] & [c]");
	expect("if (a) then b; fi", "if {subshell {[a]} / [b]}");
	expect(
	    "echo if then fi; \"if\" x", "[echo] [if] [then] [fi] ; [if] [x]");
	expect_bash("[[ -f x && $y == *.c ]] && a",
	    "test [-f] [x] [<$y..>] [==] [<*..>.c] {} && [a]");
	expect_bash("a |& b", "[a] | [b]");
	expect_bash("a &>f", "[a] >f");
	expect_bash("function f { a; }", "function f {group {[a]}}");
	expect_bash("time { a; }", NULL);
}

static void
here_documents_are_read(void **state)
{
	(void)state;
	expect("cat <<'E' >f\n$x `y`\nE\nls", "[cat] <<$x `y`\n >f ; [ls]");
	expect("cat <<E\na \"b\" \\$c\nE\n", "[cat] <<a \"b\" $c\n");
	expect("cat <<\\E; ls\na\nE\nk", "[cat] <<a\n ; [ls] ; [k]");
	expect("cat <<-E\n\ta\n\tE\nk", "[cat] <<\ta\n ; [k]");
	expect("cat <<-'E'\n\ta\n\tE\nk", "[cat] <<a\n ; [k]");
	expect("cat <<A <<B\na\nA\nb\nB\n", "[cat] <<a\n <<b\n");
	expect("cat <<E\n$(q)\nE", "[cat] <<<$(...)>\n $([q])");
	expect("x=$(cat <<'E'\na)\nE\n)", "x=<$(...)> $([cat] <<a)\n)");
	expect_bash("cat <<<'a b'", "[cat] <<a b");
}

/* What is behind the fault is read all the same. */
static void
known_parts_are_read(void **state)
{
	(void)state;
	expect_read("k $'a'; q", false, true, "[k] [<$'a'>] ; [q]");
	expect_read("A=(1 2); q", false, true, NULL);
	expect_read("((i++)); q", true, true, "other {} ; [q]");
	expect_read("for ((;;)); do q; done", true, true, NULL);
	expect_read("q; ls |", false, true, "[q] ; [ls] | ");
	expect_read("if q; then k", false, true, "if {[q] / [k]}");
	expect_read("for x in a; do q", false, true, "for x [a] {[q]}");
	expect_read("q; fi; k", false, true, "[q]");
	expect_read("k \"$(q)", false, true, "[k] [<$(...)>] $([q])");
	expect_read("k \001; q", false, true, "[k] [\001] ; [q]");
}

static void
places_are_said(void **state)
{
	(void)state;
	static const char text[] = "ls ; A=1 rm x >out";
	const struct w_shell_input input = {
	    .text = text, .len = sizeof(text) - 1};
	struct w_shell shell;

	assert_int_equal(w_shell_parse(&input, &shell, NULL), WRIT_OK);
	const struct w_shell_node *second = shell.list->first->next;
	assert_int_equal(shell.command_count, 2);
	assert_int_equal(shell.list->first->offset, 0);
	assert_int_equal(second->offset, 5);
	assert_int_equal(second->end, 18);
	assert_int_equal(second->words->next->offset, 12);
	assert_int_equal(second->redirections->offset, 14);
	w_shell_done(&shell);
	assert_null(shell.list);
}

static void
what_shells_read_differently_is_a_fault(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t offset;
	} cases[] = {
	    {"echo $'x'", 5},
	    {"echo $\"x\"", 5},
	    {"k $[1]", 2},
	    {"k a:~", 4},
	    {"k a=~/x", 4},
	    {"k ~root", 2},
	    {"A=1 ! k", 4},
	    {"k >! x", 3},
	    {"! ! k", 2},
	    {"[[ x ]]", 0},
	    {"A=x:~ y", 4},
	    {"echo >*", 6},
	    {"echo {a,b}", 5},
	    {"cat <(ls)", 4},
	    {"A=(1 2)", 2},
	    {"ls |& cat", 3},
	    {"ls &>f", 3},
	    {"ls >&f", 5},
	    {"ls >&12", 5},
	    {"ls >&\"2\"", 5},
	    {"ls 2>&1-", 6},
	    {"ls 10>f", 3},
	    {"ls 2\\\n>f", 3},
	    {"ls >1>f", 4},
	    {"ls 2>&1>f", 6},
	    {"ls {fd}>f", 3},
	    {"ls <<E\nx", 3},
	    {"ls <<E", 3},
	    {"ls <<E\na\\\nb\nE", 7},
	    {"ls <<<x", 3},
	    {"ls >\\\n>f", 4},
	    {"ls |\\\n| x", 4},
	    {"ls ;\\\n; x", 4},
	    {"cat </dev/tcp/127.0.0.1/80", 5},
	    {"echo x >'/dev/udp/127.0.0.1/80'", 8},
	    {"ls >#f", 4},
	    {"A+=1 ls", 0},
	    {"A+='1' ls", 0},
	    {"A[0]=1 ls", 0},
	    {"1A=1", 0},
	    {"\xc3\xa4=1 ls", 0},
	    {"A=1 if x", 4},
	    {"coproc x", 0},
	    {"time rm x", 0},
	    {"x; '%1' y", 3},
	    {"function f { a; }", 0},
	    {"select x in a; do b; done", 0},
	    {"case x in a) b;& esac", 14},
	    {"i\\\nf x", 0},
	    {"((1))", 0},
	    {"k $((`id`))", 2},
	    {"k `a \\`b\\``", 2},
	    {"k ${!X}", 2},
	    {"k ${X@P}", 2},
	    {"k ${X[1]}", 2},
	    {"k @(a)", 3},
	    {"f() ls", 4},
	    {"f-g() { ls; }", 0},
	    {"echo \\", 5},
	    {"echo a\rrm x", 6},
	    {"echo '\001'", 6},
	    {"echo \177", 5},
	    {"echo a\xff", 6},
	    {"echo \xc3\xa4\xc3", 7},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		fault_at(cases[i].text, strlen(cases[i].text), cases[i].offset,
		    false);
	fault_at("a\0b", 3, 1, false);
}

/* dash and bash refuse these; test_shell_real.c asks them. */
static void
what_no_shell_runs_is_a_syntax_error(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t offset;
	} cases[] = {
	    {";", 0},
	    {"; ls", 0},
	    {"ls ;; rm", 3},
	    {"ls ; ; rm", 5},
	    {"ls\n; rm", 3},
	    {"&& ls", 0},
	    {"ls &&", 3},
	    {"ls && \n ", 3},
	    {"ls |", 3},
	    {"ls | ; x", 5},
	    {"ls || && x", 6},
	    {"ls & ; x", 5},
	    {"ls >", 4},
	    {"ls > ; x", 5},
	    {"ls > > x", 5},
	    {"echo 'a", 5},
	    {"echo \"a", 5},
	    {"echo \"a\\", 5},
	    {"echo $(ls", 5},
	    {"echo `ls", 5},
	    {"echo ${x", 5},
	    {"(ls", 0},
	    {"()", 1},
	    {"ls )", 3},
	    {"{ ls", 4},
	    {"{ ls; } }", 8},
	    {"fi", 0},
	    {"ls; done", 4},
	    {"if ls; fi", 7},
	    {"if ls; then rm", 14},
	    {"for x in a; do done", 15},
	    {"while ls; done", 10},
	    {"case x in a) ls", 15},
	    {"(ls) x", 5},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		fault_at(cases[i].text, strlen(cases[i].text), cases[i].offset,
		    true);
}

static void
there_are_only_so_many_commands(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	struct w_shell shell;

	w_buf_init(&buf, 8192);
	for (int i = 0; i < W_SHELL_COMMANDS_MAX; i++)
		w_buf_add_str(&buf, "a;");
	const struct w_shell_input input = {.text = buf.data, .len = buf.len};
	assert_int_equal(w_shell_parse(&input, &shell, NULL), WRIT_OK);
	assert_false(shell.has_fault);
	assert_int_equal(shell.command_count, W_SHELL_COMMANDS_MAX);
	w_shell_done(&shell);
	w_buf_add_str(&buf, "a");
	fault_at(buf.data, buf.len, buf.len - 1, false);
}

/* Neither slow nor out of stack: what repeats a piece very often. */
static void
huge_texts_are_read_fast(void **state)
{
	(void)state;
	static const char *const pieces[] = {"(", "{ ", "$(", "\"$(", "`",
	    "${a", "if a; then ", "while ", "f() ", "$((", "a ", "*", "$a", "{",
	    "{a,", "<<E ", "<<E\n", "a\n", "case a in a) ", "[[ ", "'a'", "\\",
	    "!", "A=1 ", ">f ", "a;", "#", "((", "~", "[", "<(", "a&&", "\xff"};
	enum {
		SIZE = 4 << 20
	};
	char *text = malloc(SIZE);

	assert_non_null(text);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		const size_t len = strlen(pieces[i]);
		const struct w_shell_input input = {.text = text, .len = SIZE};
		struct w_shell shell;

		for (size_t at = 0; at < SIZE; at++)
			text[at] = pieces[i][at % len];
		assert_int_equal(w_shell_parse(&input, &shell, NULL), WRIT_OK);
		assert_true(shell.fault_offset <= SIZE);
		w_shell_done(&shell);
	}
	free(text);
}

static void
the_place_of_a_fault_is_a_line_too(void **state)
{
	(void)state;
	const struct w_shell_input input = {.text = "ls\nx |& y\n", .len = 10};
	struct w_shell shell;

	assert_int_equal(w_shell_parse(&input, &shell, NULL), WRIT_OK);
	assert_int_equal(shell.fault.line, 2);
	assert_int_equal(shell.fault.column, 3);
	w_shell_done(&shell);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_are_split_and_unquoted),
	    cmocka_unit_test(commands_are_joined),
	    cmocka_unit_test(assignments_stand_before_the_command),
	    cmocka_unit_test(redirections_are_listed),
	    cmocka_unit_test(quotes_keep_expansions_known),
	    cmocka_unit_test(expansions_are_known_only_when_it_runs),
	    cmocka_unit_test(compound_commands_are_read),
	    cmocka_unit_test(here_documents_are_read),
	    cmocka_unit_test(known_parts_are_read),
	    cmocka_unit_test(places_are_said),
	    cmocka_unit_test(what_shells_read_differently_is_a_fault),
	    cmocka_unit_test(what_no_shell_runs_is_a_syntax_error),
	    cmocka_unit_test(there_are_only_so_many_commands),
	    cmocka_unit_test(huge_texts_are_read_fast),
	    cmocka_unit_test(the_place_of_a_fault_is_a_line_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
