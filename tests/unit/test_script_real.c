/* SPDX-License-Identifier: Apache-2.0 */

/* Scripts are given to the real sed and awk: a file that they make, or that a
 * command of theirs makes, must have been foretold. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "command/grammar/effect.h"
#include "command/script/script.h"
#include "real.h"

/* What was said about a script. */
struct foretold {
	const char *script;
	struct w_buf files; /* each with a NUL behind it */
	bool has_any_file;
	struct w_buf commands; /* likewise */
	bool has_any_command;
	size_t made; /* by the real program */
};

static bool
see_touch(void *ctx, unsigned effect, const char *path, size_t len)
{
	struct foretold *foretold = ctx;

	if (effect != W_EFFECT_WRITE)
		return true;
	foretold->has_any_file |= path == NULL;
	if (path != NULL) {
		w_buf_add(&foretold->files, path, len);
		w_buf_add_char(&foretold->files, '\0');
	}
	return true;
}

static bool
see_run(void *ctx, const char *command, size_t len)
{
	struct foretold *foretold = ctx;

	foretold->has_any_command |= command == NULL;
	if (command != NULL) {
		w_buf_add(&foretold->commands, command, len);
		w_buf_add_char(&foretold->commands, '\0');
	}
	return true;
}

/* A command may make what it names. */
static bool
may_be_of_command(const struct foretold *foretold, const char *name)
{
	for (size_t i = 0; i < foretold->commands.len;
	     i += strlen(foretold->commands.data + i) + 1) {
		if (strstr(foretold->commands.data + i, name) != NULL)
			return true;
	}
	return foretold->has_any_command;
}

static void
see_file(void *ctx, const char *name)
{
	struct foretold *foretold = ctx;

	foretold->made++;
	if (foretold->has_any_file || may_be_of_command(foretold, name))
		return;
	for (size_t i = 0; i < foretold->files.len;
	     i += strlen(foretold->files.data + i) + 1) {
		if (strcmp(foretold->files.data + i, name) == 0)
			return;
	}
	fail_msg("nothing was said of '%s': %s", name, foretold->script);
}

struct language {
	enum w_script script;
	const char *program;
	const char *option; /* before the script */
	void (*make)(uint32_t *seed, struct w_buf *text);
};

/* Whether it was understood. */
static bool
try_script(const struct temp *temp, const struct language *language,
    const char *text, size_t *made)
{
	struct foretold foretold = {.script = text};
	const struct w_script_sink sink = {&foretold, see_touch, see_run};

	w_buf_init(&foretold.files, 65536);
	w_buf_init(&foretold.commands, 65536);
	writ_status status = w_script_read(
	    language->script, text, strlen(text), &sink, NULL, NULL);
	if (status == WRIT_OK) {
		real_run(temp, (const char *const[]){language->program,
				   language->option, text, "in1", "in2", NULL});
		real_sweep(temp, see_file, &foretold);
		*made += foretold.made;
	}
	w_buf_done(&foretold.commands);
	w_buf_done(&foretold.files);
	return status == WRIT_OK;
}

static void
try_generated(const struct temp *temp, const struct language *language)
{
	uint32_t seed = 6;
	size_t wanted = real_rounds(500);
	size_t understood = 0;
	size_t made = 0;

	for (size_t tried = 0; understood < wanted; tried++) {
		W_AUTO_BUF struct w_buf text;

		assert_true(tried < 200 * wanted);
		w_buf_init(&text, 4096);
		language->make(&seed, &text);
		understood += try_script(temp, language, text.data, &made);
	}
	/* Else they were all too wrong to be run. */
	assert_true(made > wanted / 20);
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const char *const sed_fragments[] = {"p", "w o1", "w o2\n", "\n", "\n",
    ";", ";", " ", "1", "$", "!", ",", "/a/", "s/a/b/", "s/a/b/w o3", "e",
    "1e touch t4\n", "s/.*/touch t5/e", "a", "a\\\n", "a foo", "\\", "i\\", "c",
    "text", "{", "}", "{", "}\n", "#", ":a", "b", "ba", "t", "T", "r in1",
    "R in2", "W o6", "y/a/b/", "[", "]", "[^]", "s/[", "/", "/", "/", "s", "g",
    "I", "M", "\\/", "\\n", "[[:alpha:]]", "q", "l 1", "=", "N", "D", "x", "G",
    "+1", "~2", "0", "2", "|", "s|a|b|", "\\|a|", "w", "e touch t7", "\\\\",
    "\t", "n", "d", "&", "F", "z", "v", "sxaxbx", "swawbwwo8"};

static void
make_sed(uint32_t *seed, struct w_buf *text)
{
	size_t count = 1 + real_random(seed, 8);
	bool is_around = real_random(seed, 2) == 0;

	w_buf_add_str(text, is_around ? "/a/{p\n" : "");
	for (size_t i = 0; i < count; i++)
		w_buf_add_str(text,
		    sed_fragments[real_random(seed, COUNT(sed_fragments))]);
	w_buf_add_str(text, is_around ? "\n}" : "");
}

/* Rules of awk: in each, a capital letter stands for one of another list. */
static const char *const awk_programs[] = {"{S}", "{S;S}", "BEGIN{S\nS}",
    "R{S;S}", "E{S}", "END{S;S;S}", "R,R{S}", "{S}#E\n{S}", "{S;S\n}R",
    "BEGIN{getline;S;S}"};
static const char *const awk_statements[] = {"print E", "print E,E", "print(E)",
    "print E>F", "print E >> F", "print(E,E)>F", "printf \"%s\",E>F", "x=E",
    "if(E)S", "if(E)S;else S", "E", "system(E)", "E|getline", "E|getline y",
    "getline<F", "getline y<F", "{S;S}", "print E|F", "a[E]=E", "x+=E", "x/=E",
    "while((getline y<F)>0)S", "print>F", "print E,\nE>F", "print E \\\n >F",
    "S #E", "return", "next", "delete a[E]", "print|F", "for(k in a)S",
    "for(;0;)S", "do S;while(0)", "print -E>F", "print E>E"};
static const char *const awk_expressions[] = {"x", "1", "$1", "\"touch t1\"",
    "\"o2\"", "E/E", "(E)", "R", "E~R", "x++/2", "E E", "(E>E)", "a[E]",
    "length(E)", "\"a\\\"b\"", "!E", "E?E:E", "-E", "E /E/ E", "\"/\"", "NF",
    "E in a", "E&&E", "E||R", "++x", "x--", "E==E", "E<E", "$NF/E", "length",
    "(getline y<F)", "(\"touch t3\"|getline)", "E>=E", "2.5e1", "\"#\"",
    "substr(E,1)/2", "split(E,a,R)", "(E)/E", "\"\\\\\"", "E%E", "x /E/ 2"};
static const char *const awk_regexes[] = {"/a/", "/\"/", "/[a\"]/", "/\\//",
    "/=/", "/ x/", "/[/]/", "/[^]a]/", "/[[:alpha:]]\"/", "/#/", "/a|b{1}/"};
static const char *const awk_files[] = {
    "\"o4\"", "\"touch t5\"", "\"o\" 6", "x", "E", "(\"o7\")", "$1"};

#define DEPTH_MAX 6

static void make_awk_part(
    uint32_t *seed, struct w_buf *text, char rule, unsigned depth);

static const char *
choose(uint32_t *seed, char rule, unsigned depth)
{
	switch (rule) {
	case 'S':
		return awk_statements[real_random(
		    seed, depth < DEPTH_MAX ? COUNT(awk_statements) : 1)];
	case 'E':
		return awk_expressions[real_random(
		    seed, depth < DEPTH_MAX ? COUNT(awk_expressions) : 5)];
	case 'F':
		return awk_files[real_random(
		    seed, depth < DEPTH_MAX ? COUNT(awk_files) : 3)];
	default:
		return awk_regexes[real_random(seed, COUNT(awk_regexes))];
	}
}

/* Words in capital letters are no rules. */
static void
make_awk_text(
    uint32_t *seed, struct w_buf *text, const char *from, unsigned depth)
{
	for (; *from != '\0'; from++) {
		bool is_word = from[1] >= 'A' && from[1] <= 'Z';

		if (*from >= 'A' && *from <= 'Z' && is_word) {
			for (; *from >= 'A' && *from <= 'Z'; from++)
				w_buf_add_char(text, *from);
			from--;
		} else if (strchr("SEFR", *from) != NULL) {
			make_awk_part(seed, text, *from, depth + 1);
		} else {
			w_buf_add_char(text, *from);
		}
	}
}

static void
make_awk_part(uint32_t *seed, struct w_buf *text, char rule, unsigned depth)
{
	make_awk_text(seed, text, choose(seed, rule, depth), depth);
}

/* Some have a character less, which no rule foresees. */
static void
make_awk(uint32_t *seed, struct w_buf *text)
{
	make_awk_text(seed, text,
	    awk_programs[real_random(seed, COUNT(awk_programs))], 0);
	if (text->len == 0 || real_random(seed, 4) > 0)
		return;
	size_t gone = real_random(seed, (uint32_t)text->len);
	memmove(text->data + gone, text->data + gone + 1, text->len - gone);
	text->len--;
}

static const struct language sed = {W_SCRIPT_SED, "sed", "-n", make_sed};
static const struct language sed_with_all = {
    W_SCRIPT_SED, "sed", "-E", make_sed};
static const struct language mawk = {W_SCRIPT_AWK, "mawk", "--", make_awk};
static const struct language gawk = {W_SCRIPT_AWK, "gawk", "--", make_awk};

static void
generated_sed_scripts_make_only_what_was_said(void **state)
{
	if (!real_is_there(sed.program))
		skip();
	try_generated(*state, &sed);
}

static void
listed_sed_scripts_make_only_what_was_said(void **state)
{
	static const char *const scripts[] = {"w o1", "1w o1;p }", "s/a/b/w o1",
	    "s/a/b/;w o1", "$!{N;w o1\n}", "1e touch t1", "s/.*/touch t1/e",
	    "1a foo\\\\\nw o1", "1a foo\\\nw o1", "1a\\\nfoo\nw o1",
	    "1a\\foo\nw o1", "i\\  x\nw o1", "#n\nw o1", "p;#x\nw o1",
	    "b#x;w o1", "b x#;w o1\n:x", "bx\n:x;w o1", "s/[/]/x/w o1",
	    "s/[^]/]/x/;w o1", "s/[\\]/x/;w o1", "s/[a\\]/x/;w o1",
	    "s/\\[/x/;w o1", "y/[/]/;w o1", "/[/]/w o1", "sxaxbx;w o1",
	    "sw\\waw\\wbww o1", "\\wawwo1", "W o1", "1!w o1", "1,+1w o1",
	    "{{w o1\n}}", "s/x/\\\n/;w o1", "a\\  \nw o1", "a\\\\\nw o1",
	    "c\\\nw o1", "c\\\n\\\nw o1", "s/a/b/ w o1", "s/a/b/3gpIw o1",
	    "l 1;w o1", "q;w o1", "v 4.2\nw o1", ":a;w o1", ":a w o1", "}w o1",
	    "p}w o1", "s,a\\,b,c,w o1", "r x\nw o1", "r x;w o1",
	    "w /dev/stdout", "a\\", "a", "a\nw o1", "e\nw o1",
	    "s/a/touch t1/;e", "s\na\nb\nw o1", "s\\a\\b\\w o1"};

	size_t made = 0;

	if (!real_is_there(sed.program))
		skip();
	for (size_t i = 0; i < COUNT(scripts); i++) {
		try_script(*state, &sed, scripts[i], &made);
		try_script(*state, &sed_with_all, scripts[i], &made);
	}
	assert_true(made > 50);
}

static void
generated_awk_programs_make_only_what_was_said(void **state)
{
	if (!real_is_there(mawk.program) && !real_is_there(gawk.program))
		skip();
	if (real_is_there(mawk.program))
		try_generated(*state, &mawk);
	if (real_is_there(gawk.program))
		try_generated(*state, &gawk);
}

static void
listed_awk_programs_make_only_what_was_said(void **state)
{
	static const char *const programs[] = {"{print > \"o1\"}",
	    "{print $1 > \"o\" NR}", "{print >> \"o1\"}",
	    "BEGIN{system(\"touch t1\")}", "BEGIN{\"touch t1\" | getline}",
	    "BEGIN{print | \"touch t1\"}", "{print (1 > \"o1\")}",
	    "{print(1) > \"o1\"}", "{print (1)(2) > \"o1\"}",
	    "{print 1, 2 > \"o1\" ; print}", "{print 1 > 2 ? 3 : 4}",
	    "{print a[1 > \"o1\"]}", "{x = 1 > \"o1\"}", "{print -1 > \"o1\"}",
	    "{print 1,\n 2 > \"o1\"}", "{print 1 \\\n > \"o1\"}",
	    "{if (1) /\"/; system(\"touch t1\"); x = \"/ }",
	    "{if (1) /x/; print > \"o1\"}", "/[/]/ {print > \"o1\"}",
	    "/[\"/]/ {print > \"o1\"} # \"/", "{x = 2 /1/ 1; print > \"o1\"}",
	    "{x = NF /\"/; print > \"o1\"; y = \"/}",
	    "{a[1]++ /\"/; print > \"o1\"; y = \"/}",
	    "{x = \"a\\\"\"; print > \"o1\"}", "{x = \"\\\\\"; print > \"o1\"}",
	    "# \\\n{print > \"o1\"}",
	    "{print length /\"/; print > \"o1\" #\"/}",
	    "BEGIN{c = \"touch t1\"; c | getline}", "{print > $1}",
	    "{printf \"%s\", 1 > \"o1\"}", "{printf(\"%s\", 1) > \"o1\"}",
	    "{getline x < \"in1\"; print x > \"o1\"}",
	    "{print getline < \"in1\"}", "{print \"touch t1\" | getline}",
	    "BEGIN{while ((\"touch t1\" | getline x) > 0) y = x}",
	    "function f(a) {print a > \"o1\"} {f(1)}",
	    "{print $1 /2/ 3 > \"o1\"}", "BEGIN{printf \"\" > \"o1\"}",
	    "BEGIN{print /a/ > \"o1\"}", "BEGIN{print 1>\"o1\">\"o2\"}",
	    "{print 1 | \"cat > t1\"}", "NR>1{print>\"o1\"}"};

	size_t made = 0;

	if (!real_is_there(mawk.program) && !real_is_there(gawk.program))
		skip();
	for (size_t i = 0; i < COUNT(programs); i++) {
		if (real_is_there(mawk.program))
			try_script(*state, &mawk, programs[i], &made);
		if (real_is_there(gawk.program))
			try_script(*state, &gawk, programs[i], &made);
	}
	assert_true(made > 20);
}

static int
set_up(void **state)
{
	temp_set_up(state);
	temp_file(*state, "in1", 0600, "a b\nxax\n");
	temp_file(*state, "in2", 0600, "/ ]a[\n");
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(listed_sed_scripts_make_only_what_was_said),
	    TEST(generated_sed_scripts_make_only_what_was_said),
	    TEST(listed_awk_programs_make_only_what_was_said),
	    TEST(generated_awk_programs_make_only_what_was_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
