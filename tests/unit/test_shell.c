/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "command/shell/shell.h"

static const char *const joints[] = {
    [W_CONTROL_END] = "",
    [W_CONTROL_PIPE] = " | ",
    [W_CONTROL_AND] = " && ",
    [W_CONTROL_OR] = " || ",
    [W_CONTROL_THEN] = " ; ",
};

static const char *const arrows[] = {
    [W_REDIRECT_READ] = "<",
    [W_REDIRECT_WRITE] = ">",
    [W_REDIRECT_APPEND] = ">>",
    [W_REDIRECT_READ_WRITE] = "<>",
};

/* "A=1 [cat] [a b] >out && [true]". */
static void
add_part(struct w_buf *buf, const struct w_simple_command *part)
{
	const char *blank = "";

	for (size_t i = 0;
	     part->assignments != NULL && part->assignments[i] != NULL; i++) {
		w_buf_add_fmt(buf, "%s%s", blank, part->assignments[i]);
		blank = " ";
	}
	for (size_t i = 0; i < part->argc; i++) {
		w_buf_add_fmt(buf, "%s[%s]", blank, part->argv[i]);
		blank = " ";
	}
	if (part->argc > 0)
		assert_null(part->argv[part->argc]);
	else
		assert_null(part->argv);
	for (size_t i = 0; i < part->redirection_count; i++) {
		w_buf_add_fmt(buf, "%s%s%s", blank,
		    arrows[part->redirections[i].kind],
		    part->redirections[i].path);
		blank = " ";
	}
	w_buf_add_str(buf, joints[part->control]);
}

static void
expect(const char *text, const char *parts)
{
	struct w_shell shell;
	writ_error err = {.status = WRIT_OK};
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	if (w_shell_parse(text, strlen(text), &shell, NULL, &err) != WRIT_OK)
		fail_msg("%s: %s", text, err.message);
	for (size_t i = 0; i < shell.count; i++)
		add_part(&buf, &shell.parts[i]);
	assert_string_equal(buf.data, parts);
	w_shell_done(&shell);
}

static void
refused_at(const char *text, size_t len, size_t offset)
{
	struct w_shell shell;
	writ_error err = {.status = WRIT_OK};
	size_t at = SIZE_MAX;
	writ_status status = w_shell_parse(text, len, &shell, &at, &err);

	if (status == WRIT_OK)
		fail_msg("%s was taken apart", text);
	assert_int_equal(status, WRIT_E_INVALID);
	assert_int_equal(err.status, WRIT_E_INVALID);
	assert_string_not_equal(err.message, "");
	assert_true(err.line > 0);
	if (at != offset)
		fail_msg("%s: at %zu: %s", text, at, err.message);
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
places_are_said(void **state)
{
	(void)state;
	static const char text[] = "ls ; A=1 rm x >out";
	struct w_shell shell;

	assert_int_equal(
	    w_shell_parse(text, sizeof(text) - 1, &shell, NULL, NULL), WRIT_OK);
	assert_int_equal(shell.count, 2);
	assert_int_equal(shell.parts[0].offset, 0);
	assert_int_equal(shell.parts[1].offset, 5);
	assert_int_equal(shell.parts[1].redirections[0].offset, 14);
	w_shell_done(&shell);
	assert_int_equal(shell.count, 0);
	assert_null(shell.parts);
}

static void
what_cannot_be_known_is_opaque(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t offset;
	} cases[] = {
	    {"echo $HOME", 5},
	    {"echo \"$HOME\"", 6},
	    {"echo \"a$\"", 7},
	    {"echo $'x'", 5},
	    {"echo `id`", 5},
	    {"echo \"`id`\"", 6},
	    {"echo *", 5},
	    {"/usr/bin/su?o", 11},
	    {"echo a[b]", 6},
	    {"[a ]", 0},
	    {"echo ''[", 7},
	    {"echo [\\\na]", 5},
	    {"k ''~", 4},
	    {"k a:~", 4},
	    {"k /~", 3},
	    {"k a\\\n~", 5},
	    {"k {a}", 2},
	    {"k {{}}", 2},
	    {"k !a", 2},
	    {"k a!", 3},
	    {"A=1 ! k", 4},
	    {"k >! x", 3},
	    {"k | ! q", 4},
	    {"[[ x ]]", 0},
	    {"cat ~/.ssh/id", 4},
	    {"A=~/x y", 2},
	    {"A=x:~ y", 4},
	    {"cat <~/x", 5},
	    {"echo >*", 6},
	    {"A=* x", 2},
	    {"echo {a,b}", 5},
	    {"{ ls; }", 0},
	    {"(ls)", 0},
	    {"f() { rm x; }", 1},
	    {"cat <(ls)", 5},
	    {"A=(1 2)", 2},
	    {"! ls", 0},
	    {"echo hi!", 7},
	    {"ls &", 3},
	    {"ls & rm x", 3},
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
	    {"ls <<E\nx\nE", 3},
	    {"ls <<<x", 3},
	    {"ls >\\\n>f", 4},
	    {"ls |\\\n| x", 4},
	    {"ls ;\\\n; x", 4},
	    {"cat </dev/tcp/127.0.0.1/80", 5},
	    {"echo x >'/dev/udp/127.0.0.1/80'", 8},
	    {"ls # all", 3},
	    {"# all", 0},
	    {"ls >#f", 4},
	    {"A+=1 ls", 0},
	    {"A+='1' ls", 0},
	    {"1A=1", 0},
	    {"\xc3\xa4=1 ls", 0},
	    {"A=1 if x", 4},
	    {"if true; then rm x; fi", 0},
	    {"ls; for i in x; do rm x; done", 4},
	    {"while x; do y; done", 0},
	    {"case x in esac", 0},
	    {"time rm x", 0},
	    {"coproc x", 0},
	    {"x; '%1' y", 3},
	    {"function f", 0},
	    {"i\\\nf x", 0},
	    {"echo a\rrm x", 6},
	    {"echo '\001'", 6},
	    {"echo \177", 5},
	    {"echo a\xff", 6},
	    {"echo \xc3\xa4\xc3", 7},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refused_at(
		    cases[i].text, strlen(cases[i].text), cases[i].offset);
	refused_at("a\0b", 3, 1);
}

static void
what_is_no_command_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t offset;
	} cases[] = {
	    {";", 0},
	    {"; ls", 0},
	    {"ls ;; rm", 4},
	    {"ls ; ; rm", 5},
	    {"ls\n; rm", 3},
	    {"&& ls", 0},
	    {"ls &&", 5},
	    {"ls && \n ", 8},
	    {"ls | ; x", 5},
	    {"ls || && x", 6},
	    {"ls >", 4},
	    {"ls > ; x", 5},
	    {"ls > > x", 5},
	    {"echo 'a", 5},
	    {"echo \"a", 5},
	    {"echo \"a\\", 5},
	    {"echo \\", 5},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refused_at(
		    cases[i].text, strlen(cases[i].text), cases[i].offset);
}

static void
there_are_only_so_many_commands(void **state)
{
	(void)state;
	W_AUTO_BUF struct w_buf buf;
	struct w_shell shell;

	w_buf_init(&buf, 8192);
	for (int i = 0; i < W_SHELL_PARTS_MAX; i++)
		w_buf_add_str(&buf, "a;");
	assert_int_equal(
	    w_shell_parse(buf.data, buf.len, &shell, NULL, NULL), WRIT_OK);
	assert_int_equal(shell.count, W_SHELL_PARTS_MAX);
	w_shell_done(&shell);
	w_buf_add_str(&buf, "a");
	refused_at(buf.data, buf.len, buf.len - 1);
}

static void
the_place_of_a_fault_is_a_line_too(void **state)
{
	(void)state;
	struct w_shell shell;
	writ_error err;

	assert_int_equal(
	    w_shell_parse("ls\nx *\n", 7, &shell, NULL, &err), WRIT_E_INVALID);
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(words_are_split_and_unquoted),
	    cmocka_unit_test(commands_are_joined),
	    cmocka_unit_test(assignments_stand_before_the_command),
	    cmocka_unit_test(redirections_are_listed),
	    cmocka_unit_test(places_are_said),
	    cmocka_unit_test(what_cannot_be_known_is_opaque),
	    cmocka_unit_test(what_is_no_command_is_refused),
	    cmocka_unit_test(there_are_only_so_many_commands),
	    cmocka_unit_test(the_place_of_a_fault_is_a_line_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
