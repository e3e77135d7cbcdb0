/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "command/grammar/effect.h"
#include "command/script/script.h"

static void
add_item(struct w_buf *log, const char *what, const char *text, size_t len)
{
	w_buf_add_fmt(log, "%s%s ", log->len > 0 ? ", " : "", what);
	if (text == NULL)
		w_buf_add_str(log, "?");
	else
		w_buf_add(log, text, len);
}

static bool
log_touch(void *ctx, unsigned effect, const char *path, size_t len)
{
	add_item(ctx, w_effect_word(effect), path, len);
	return true;
}

static bool
log_run(void *ctx, const char *command, size_t len)
{
	add_item(ctx, "run", command, len);
	return true;
}

static void
expect(enum w_script language, const char *text, const char *log)
{
	W_AUTO_BUF struct w_buf buf;
	const struct w_script_sink sink = {&buf, log_touch, log_run};
	writ_error err = {.status = WRIT_OK};

	w_buf_init(&buf, 4096);
	if (w_script_read(language, text, strlen(text), &sink, NULL, &err) !=
	    WRIT_OK)
		fail_msg("%s: %s", text, err.message);
	if (strcmp(buf.data, log) != 0)
		fail_msg("%s: %s", text, buf.data);
}

static void
refused(enum w_script language, const char *text, size_t len)
{
	W_AUTO_BUF struct w_buf buf;
	const struct w_script_sink sink = {&buf, log_touch, log_run};
	writ_error err = {.status = WRIT_OK};
	size_t offset = SIZE_MAX;

	w_buf_init(&buf, 4096);
	if (w_script_read(language, text, len, &sink, &offset, &err) !=
	    WRIT_E_INVALID)
		fail_msg("%s was understood: %s", text, buf.data);
	assert_true(offset <= len);
	assert_true(err.line > 0);
	assert_string_not_equal(err.message, "");
}

struct good {
	const char *text;
	const char *log;
};

static void
expect_all(enum w_script language, const struct good *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect(language, cases[i].text, cases[i].log);
}

static void
refuse_all(enum w_script language, const char *const *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		refused(language, cases[i], strlen(cases[i]));
}

#define COUNT(cases) (sizeof(cases) / sizeof((cases)[0]))

static void
ordinary_sed_scripts_do_nothing_else(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {"", ""},
	    {"p", ""},
	    {"1,10p", ""},
	    {"$d", ""},
	    {"2q", ""},
	    {"q5;p", ""},
	    {"/re/d", ""},
	    {"/a/,/b/p", ""},
	    {"\\,a/b,Ip", ""},
	    {"0,/x/s//y/", ""},
	    {"1~2d;2,~4p;3,+2p", ""},
	    {"$!N;$!D", ""},
	    {"1 ! G ; h ; $ ! d", ""},
	    {"s/a/b/", ""},
	    {"s/a/b/gIp2", ""},
	    {"s|/usr|/opt|g", ""},
	    {"s,a\\,w x,b,", ""},
	    {"s/[a-z/]*\\/x/y/", NULL},
	    {"s/[^]x]*$//;s/[[:space:]]*$//", ""},
	    {"s/\\[x\\]/y/", ""},
	    {"s/a/w file/", ""},
	    {"s/a/b/ ; s/c/d/ #w f", ""},
	    {"y/abc/xyz/;p", ""},
	    {":a;N;$!ba;s/\\n/ /g", ""},
	    {"/x/{s/a/b/;t end};p;:end", ""},
	    {"/x/{p;b}", ""},
	    {"/a/{/b/{p}}", ""},
	    {"a w file", ""},
	    {"a\\\nw file\\\ne ls\np", ""},
	    {"i\\  text;w f", ""},
	    {"2c text", ""},
	    {"$a\\", ""},
	    {"#n\n#w f\np # e ls", ""},
	    {"l 5;=;F;z;x;n;v 4.2", ""},
	    {"s/x/\\\n/", ""},
	    {"w /dev/stdout", ""},
	    {"s/a/b/w /dev/stderr", ""},
	    {"r /dev/stdin", ""},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		if (cases[i].log == NULL)
			refused(
			    W_SCRIPT_SED, cases[i].text, strlen(cases[i].text));
		else
			expect(W_SCRIPT_SED, cases[i].text, cases[i].log);
	}
}

static void
files_and_commands_of_sed_are_found(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {"w out", "write out"},
	    {"1w  a b;p }", "write a b;p }"},
	    {"W out\nR in\nr in2", "write out, read in, read in2"},
	    {"/x/{w out\n}", "write out"},
	    {"s/a/b/w out", "write out"},
	    {"s/a/b/gpw out;p", "write out;p"},
	    {"s/a/b/e", "run ?"},
	    {"s,x,y,Ie", "run ?"},
	    {"s/a/b/ew out", "run ?, write out"},
	    {"1e ls -l", "run ls -l"},
	    {"e", "run ?"},
	    {"1e;p", "run ;p"},
	    {"e a \\\nb", "run ?"},
	    {"a text\nw out", "write out"},
	    {"a text\\\\\nw out", "write out"},
	    {"a\\\ntext\nw out", "write out"},
	    {"$!{$!N;w out\n}", "write out"},
	    {"#n\nw out", "write out"},
	    {"p;#x\ne id", "run id"},
	    {"s/[\\/]/x/w out", "write out"},
	    {"\\wxwwout", "write out"},
	    {"s w w  w out", "write out"},
	    {"sexeyee", "run ?"},
	};
	expect_all(W_SCRIPT_SED, cases, COUNT(cases));
}

static void
unclear_sed_scripts_are_refused(void **state)
{
	(void)state;
	static const char *const cases[] = {"L", "s/a/b", "s/a", "s", "sa", "w",
	    "s/a/b/w", "k", "{p", "p}", "1}", "1:a", "1!!p", "p p", "{p}p",
	    "s/a\nb/c/", "s/a/b\nc/", "s/[/]/x/w f", "s/[^]/]/x/",
	    "s/[[:alpha:]/]/x/", "s/[\\]/x/", "/x", "\\", "\\x", "1,", "1,p",
	    "+1p", "1,+p", "s\\a\\b\\", "s\na\nb\n", "a", "a\nfoo",
	    "a\\  \nw f", "a\\\\\nw f", "b#x;w f", "b x #y", ":a#b\np", "p\r",
	    "1", "s/a/b/k", "y/a/b/p", "y/a/b", "\001", "p;\fp",
	    "s\xc3\xa4"
	    "a\xc3\xa4"
	    "b\xc3\xa4",
	    "p\xff"};
	refuse_all(W_SCRIPT_SED, cases, COUNT(cases));
	refused(W_SCRIPT_SED, "p\0p", 3);
}

static void
ordinary_awk_programs_do_nothing_else(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {"", ""},
	    {"{print}", ""},
	    {"{print $1, $NF}", ""},
	    {"NR > 1 {s += $3} END {print s / NR}", ""},
	    {"/re/", ""},
	    {"!seen[$0]++", ""},
	    {"$1 ~ /^a\\/b/ && $2 > 3", ""},
	    {"{print ($1 > $2)}", ""},
	    {"{print ($1 > $2) ? \"a\" : \"b\"}", ""},
	    {"{if ($1 > 2) print \"x | y > z\"}", ""},
	    {"BEGIN {FS = \":\"} {printf \"%s\\n\", $1}", ""},
	    {"{gsub(/[a-z]+/, \"x\"); print}", ""},
	    {"{print length($0) / 2, a[1] / 2}", ""},
	    {"# system(\"id\")\n{print} # > \"x\"", ""},
	    {"{x = \"system(1)\" ; print x}", ""},
	    {"function f(a, b) { return a / b } {print f($1, 2)}", ""},
	    {"{while ((getline line) > 0) n++}", ""},
	    {"{getline; print}", ""},
	    {"{print > \"/dev/stderr\"}", ""},
	    {"BEGIN {while ((getline l < \"-\") > 0) n++}", ""},
	    {"{print $1 \\\n, $2}", ""},
	    {"BEGIN{for(i=0;i<10;i++)print i}", ""},
	    {"{x /= 2; print x /2/ 3}", ""},
	    {"{print ENVIRON[\"HOME\"]}", ""},
	    {"{a[$1] = a[$1] \",\" $2} END {for (k in a) print k, a[k]}", ""},
	    {"NF && $0 !~ /[[:space:]]$/ {print; next}", ""},
	    {"{print 1e5, 1.5e-3, .5}", ""},
	};
	expect_all(W_SCRIPT_AWK, cases, COUNT(cases));
}

static void
files_and_commands_of_awk_are_found(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {"BEGIN{system(\"id\")}", "run id"},
	    {"{system (\"id\") }", "run id"},
	    {"{system(\"id \" $1)}", "run ?"},
	    {"{system($0)}", "run ?"},
	    {"{system(\"a\\\"b\")}", "run ?"},
	    {"BEGIN{ENVIRON[\"PATH\"]=\".\"; system(\"ls\")}", "run ?"},
	    {"{print > \"out\"}", "write out"},
	    {"{print $1, $2 >> \"out\"}", "write out"},
	    {"{print($1, $2) > \"out\" ; x = 1}", "write out"},
	    {"{printf \"%s\", $1 > $2 \".txt\"}", "write ?"},
	    {"{print > \"a\" \"b\"}", "write ?"},
	    {"{print a,\n b > \"out\"\n}", "write out"},
	    {"{if ($1) print $1 > \"out\"\nelse print}", "write out"},
	    {"{print 1 ?\n 2 :\n 3 > \"out\"}", "write out"},
	    {"{print 1\n2 > \"x\"}", ""},
	    {"{getline a[1,\n2] < \"in\"}", "read ?"},
	    {"{x = y ? z :\n\"cmd\" | getline}", "run ?"},
	    {"{print | \"sort\"}", "run sort"},
	    {"{print $1 | \"sort -\" x}", "run ?"},
	    {"{print | cmd}", "run ?"},
	    {"BEGIN{\"date\" | getline d; print d}", "run date"},
	    {"BEGIN{while ((\"ls\" | getline f) > 0) print f}", "run ls"},
	    {"BEGIN{\"echo \" \"date\" | getline}", "run ?"},
	    {"BEGIN{cmd | getline}", "run ?"},
	    {"{print \"date\" | getline}", "run date"},
	    {"BEGIN{getline < \"in\"}", "read in"},
	    {"BEGIN{while ((getline l < \"in\") > 0) print l}", "read in"},
	    {"{getline a[$1] < \"in\"}", "read ?"},
	    {"{getline x < $1}", "read ?"},
	    {"{getline < \"a\" \"b\"}", "read ?"},
	    {"BEGIN{ARGV[1]=\"x\"; ARGC=2}", "read ?, read ?"},
	    {"BEGIN{print \"x\" |& \"cat\"}", "run cat"},
	    {"BEGIN{s=\"/inet/tcp/0/h/80\"; print |& s}", "net ?, run ?"},
	    {"BEGIN{\"/inet/tcp/0/h/80\" |& getline}",
		"net ?, run /inet/tcp/0/h/80"},
	    {"BEGIN{print > \"/inet/tcp/0/h/80\"}",
		"net ?, write /inet/tcp/0/h/80"},
	    {"{x = a / b; system(\"id\") / 2}", "run id"},
	    {"$1 /2/ 3 {system(\"id\")}", "run id"},
	    {"/a\"/ {system(\"id\")} /\"/", "run id"},
	    {"{a[1] / 2; print \"/\" > \"x\"}", "write x"},
	};
	expect_all(W_SCRIPT_AWK, cases, COUNT(cases));
}

static void
unclear_awk_programs_are_refused(void **state)
{
	(void)state;
	static const char *const cases[] = {"@include \"x\"", "@load \"x\"",
	    "BEGIN{f=\"system\"; @f(\"id\")}", "BEGIN{awk::system(\"id\")}",
	    "BEGIN{SYMTAB[\"x\"]=1}", "BEGIN{print FUNCTAB[\"x\"]}",
	    "{if (1) /\"/; system(\"id\"); x = \"/ }", "{print \"x}", "/x",
	    "/[/]/ {print}", "/[]/]/", "/[[:alpha:]/]/", "/[\\]/]/",
	    "{getline /x/}", "{print /a// 2 > \"x\"/ 1}", "{print length / 2}",
	    "{x = 1system}", "{x = 1e}", "{x = a | b}", "{x >> y}",
	    "{print a[1 > 2]}", "{system}", "\r", "{print \\x}", "# x\\\n{}",
	    "{x = ++ /2}", "{x++ /2; print \"/\" > \"x\"}", "{print (1}",
	    "{print 1 /=/ 2}", "/a\\\\/ {print}", "{print 1)", "{a[1)]}", "{",
	    ")", "\"a\nb\"", "/a\nb/", "{\xc3\xa4}", "{`id`}"};
	refuse_all(W_SCRIPT_AWK, cases, COUNT(cases));
}

static void
filters_of_jq_only_read_modules(void **state)
{
	(void)state;
	static const struct good cases[] = {
	    {".", ""},
	    {".a | .b", ""},
	    {".[] | select(.x == \"import\") | {include: .include}", "read ?"},
	    {".include, .import, $import", ""},
	    {"\"a \\(.b | \"c \\(.d)\") import\"", ""},
	    {"\"\\(import)\"", "read ?"},
	    {"# import\n.", ""},
	    {"env.HOME, $ENV.PATH, input_filename, @sh", ""},
	    {"import \"m\" as m; .", "read ?"},
	    {"include \"m\"; .", "read ?"},
	    {"import \"d\" as $d {search: \"/etc\"}; $d", "read ?"},
	    {"\"m\" | modulemeta", "read ?"},
	    {"\"m\" | {a:modulemeta}", "read ?"},
	    {"important, includes", ""},
	    {"\"\\\"import\\\\\"", ""},
	};
	expect_all(W_SCRIPT_JQ, cases, COUNT(cases));
	static const char *const unclear[] = {
	    "\"x", "\"\\(x", "\"\\(x)", "# a\\\ninclude \"m\"; .", "# a\r."};
	refuse_all(W_SCRIPT_JQ, unclear, COUNT(unclear));
}

static void
other_languages_are_not_understood(void **state)
{
	(void)state;
	refused(W_SCRIPT_OTHER, "x", 1);
	refused(W_SCRIPT_SH, "ls", 2);
}

static bool
touch_nothing(void *ctx, unsigned effect, const char *path, size_t len)
{
	(void)ctx;
	(void)effect;
	(void)path;
	(void)len;
	return false;
}

static bool
run_nothing(void *ctx, const char *command, size_t len)
{
	(void)ctx;
	(void)command;
	(void)len;
	return false;
}

static void
a_sink_that_is_full_ends_the_reading(void **state)
{
	(void)state;
	static const struct {
		enum w_script language;
		const char *text;
	} cases[] = {
	    {W_SCRIPT_SED, "w x"},
	    {W_SCRIPT_SED, "e x"},
	    {W_SCRIPT_SED, "s/a/b/e"},
	    {W_SCRIPT_AWK, "{print > \"x\"}"},
	    {W_SCRIPT_AWK, "{print |& x}"},
	    {W_SCRIPT_AWK, "{print > \"/inet/x\"}"},
	    {W_SCRIPT_AWK, "{system(x)}"},
	    {W_SCRIPT_JQ, "import \"a\" as a; ."},
	};
	const struct w_script_sink sink = {NULL, touch_nothing, run_nothing};

	for (size_t i = 0; i < COUNT(cases); i++) {
		writ_error err = {.status = WRIT_OK};

		assert_int_equal(w_script_read(cases[i].language, cases[i].text,
				     strlen(cases[i].text), &sink, NULL, &err),
		    WRIT_E_NOMEM);
		assert_int_equal(err.status, WRIT_E_NOMEM);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ordinary_sed_scripts_do_nothing_else),
	    cmocka_unit_test(files_and_commands_of_sed_are_found),
	    cmocka_unit_test(unclear_sed_scripts_are_refused),
	    cmocka_unit_test(ordinary_awk_programs_do_nothing_else),
	    cmocka_unit_test(files_and_commands_of_awk_are_found),
	    cmocka_unit_test(unclear_awk_programs_are_refused),
	    cmocka_unit_test(filters_of_jq_only_read_modules),
	    cmocka_unit_test(other_languages_are_not_understood),
	    cmocka_unit_test(a_sink_that_is_full_ends_the_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
