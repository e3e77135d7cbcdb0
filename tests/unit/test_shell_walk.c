/* SPDX-License-Identifier: Apache-2.0 */

/* What shell texts mean: state that carries over from one command to the next,
 * words that are known only when it runs, and what is not followed. */

#include "analysis_text.h"

struct row {
	const char *text;
	const char *means;
};

static void
all_mean(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		shell_means(rows[i].text, rows[i].means);
}

#define ALL_MEAN(rows) all_mean(rows, sizeof(rows) / sizeof(rows[0]))

static void
variables_that_the_text_sets_are_known(void **state)
{
	static const struct row rows[] = {
	    {"X=a; rm $X", "delete; delete a"},
	    {"X=a; rm \"$X/b\"", "delete; delete a/b"},
	    {"X='a b'; rm \"$X\"", "delete; delete a b"},
	    {"X='a b'; rm $X", "delete; delete ?"},
	    {"X='*'; rm $X", "delete; delete ?"},
	    {"X=; rm $X a", "delete; delete a"},
	    {"X=a; X=$X/b; rm $X", "delete; delete a/b"},
	    {"X=a Y=$X; rm $Y", "delete; delete ?"},
	    {"X=a; Y=1 rm $X", "delete; delete a"},
	    {"X=a; X=b rm $X; rm $X", "delete; delete a; delete ?"},
	    {"export X=a; rm $X", "delete; delete a"},
	    {"rm x && X=a; rm $X", "delete; delete x; delete ?"},
	    {"X=a; if ls; then X=b; fi; rm $X",
		"read delete; read .; delete ?"},
	    {"(X=a; rm $X); rm $X", "delete; delete a; delete ?"},
	    {"X=a | ls; rm $X", "read delete; read .; delete ?"},
	    {"X=a; for i in 1 2; do rm $X; X=b; done",
		"delete; delete ?; delete ?"},
	    {"RANDOM=a; rm $RANDOM", "delete; delete ?"},
	    {"X=a; read -r X; rm $X", "delete; delete ?"},
	};

	(void)state;
	ALL_MEAN(rows);
}

/* Names of files have no slash, so no pattern becomes an address; and what is
 * in the home directory is a path. */
static void
names_of_files_are_no_addresses(void **state)
{
	static const struct row rows[] = {
	    {"getter -e .[dev]", "nothing"},
	    {"getter a[b] c?d", "publish; publish site"},
	    {"getter http://a[b]", "net publish; net ?; publish site"},
	    {"getter a[b]\"$X\"", "net publish; net ?; publish site"},
	    {"getter -e .[dev]\"$X\"", "net; net ?"},
	    {"getter -f ~/w a", "read publish; read ~/w; publish site"},
	    {"getter -f \"$HOME/w\" a", "read publish; read ~/w; publish site"},
	    {"getter -f ~/$X a",
		"read net publish; net ?; read ?; publish site; publish ?"},
	    {"HOME=x; getter -f ~/w a", "read code net publish; code HOME; net "
					"?; read ?; publish site"},
	};

	(void)state;
	ALL_MEAN(rows);
}

static void
what_keeps_programs_from_the_network_reaches_nobody(void **state)
{
	static const struct row rows[] = {
	    {"export GOPROXY=off; ls a", "read; read a"},
	    {"GOPROXY=off ls a", "read; read a"},
	    {"GOPROXY=off,direct ls a",
		"read code net; code GOPROXY; net GOPROXY; read a"},
	    {"GOPROXY=$X ls a",
		"read code net; code GOPROXY; net GOPROXY; read a"},
	    {"GOPROXY=https://h ls a",
		"read code net; code GOPROXY; net GOPROXY; read a"},
	    {"env NPM_CONFIG_OFFLINE=true ls a", "read; read a"},
	};

	(void)state;
	ALL_MEAN(rows);
}

static void
loops_take_each_value(void **state)
{
	static const struct row rows[] = {
	    {"for x in a b; do rm $x; done", "delete; delete a; delete b"},
	    {"for x in a b c d e; do rm $x; done",
		"delete; delete a; delete b; delete c; delete d; delete e"},
	    {"for x in 1 2 3 4 5 6 7 8 9; do rm $x; done", "delete; delete ?"},
	    {"for x in d/*; do rm \"$x\"; done", "delete; delete d"},
	    {"for x; do rm \"$x\"; done", "delete; delete ?"},
	    {"while ls; do rm a; done", "read delete; read .; delete a"},
	    {"for x in a; do (cd $x; rm b); done",
		"delete; delete b; delete a/b"},
	    {"while ls; do cd a; done; rm b",
		"read delete; read .; delete b; not understood: writ cannot"},
	};

	(void)state;
	ALL_MEAN(rows);
}

static void
directories_are_joined(void **state)
{
	static const struct row rows[] = {
	    {"(cd a && rm b); rm c", "delete; delete a/b; delete c"},
	    {"cd a & rm b", "delete; delete b"},
	    {"{ cd a; }; rm b", "delete; delete b; delete a/b"},
	    {"if cd a; then rm b; fi", "delete; delete b; delete a/b"},
	    {"cd a || cd c && rm b",
		"delete; delete b; delete a/b; delete c/b; delete a/c/b"},
	    {"cd ~/a && rm b", "delete; delete ~/a/b"},
	    {"cd ~/a && rm /b", "delete; delete /b"},
	    {"cd '~' && rm b", "delete; delete b; not understood: "},
	    {"cd ~/a && cd .. && rm b", "delete; delete ~/a/b; not understood"},
	    {"cd $X && rm b", "delete; delete b; not understood: writ cannot"},
	};

	(void)state;
	ALL_MEAN(rows);
}

static void
patterns_and_home_are_places(void **state)
{
	static const struct row rows[] = {
	    {"rm d/*.o", "delete; delete d"},
	    {"rm d/e/*.o f?", "delete; delete d/e; delete ."},
	    {"rm /*", "delete; delete /"},
	    {"rm d/.*", "delete; delete ?"},
	    {"rm d/*/../x", "delete; delete ?"},
	    {"rm d/$X", "delete; delete ?"},
	    {"rm ~/a ~", "delete; delete ~/a; delete ~"},
	    {"rm $HOME/a", "delete; delete ~/a"},
	    {"HOME=x; rm ~/a", "delete code; code HOME; delete ?"},
	    {"rm '~/a' \\*", "delete; delete ~/a; delete *"},
	    {"cd d && rm *.o", "delete; delete d; delete ?"},
	};

	(void)state;
	ALL_MEAN(rows);
}

static void
substitutions_are_commands(void **state)
{
	static const struct row rows[] = {
	    {"ls \"$(rm a)\"", "read delete; delete a; read ?"},
	    {"X=`rm a`; ls", "read delete; delete a; read ."},
	    {"ls <<E\n$(rm a)\nE", "read delete; delete a; read ."},
	    {"ls $((1+2))", "read; read ?"},
	    {"$X a", "exec code; exec; code; not understood: which program"},
	    {"$(rm a)",
		"delete exec code; delete a; exec; code; not understood"},
	};

	(void)state;
	ALL_MEAN(rows);
}

static void
functions_count_as_their_body(void **state)
{
	static const struct row rows[] = {
	    {"f() { rm a; }; f", "delete; delete a"},
	    {"f() { rm a; }", "delete; delete a"},
	    {"f() { rm a; }; cd b && f", "delete; delete b/a"},
	    {"f() { cd a; }; f; rm b", "delete; delete b; delete a/b"},
	    {"f() { rm \"$1\"; }; f a", "delete; delete ?"},
	    {"f() { rm a; f; }; f",
		"delete code; code; delete a; not understood: a function that"},
	    {"ls() { rm a; }; ls",
		"delete code; code; delete a; not understood: whether this"},
	    {"if ls; then f() { rm a; }; fi; f",
		"read delete code; code; read .; delete a; not understood: "},
	};

	(void)state;
	ALL_MEAN(rows);
}

/* What is not followed is refused; the rest applies. */
static void
known_parts_apply(void **state)
{
	static const struct row rows[] = {
	    {"rm a; k $'x'",
		"delete exec code; code; delete a; exec k; not understood"},
	    {"rm a |", "delete code; code; delete a; not understood: syntax "
		       "error: a command is missing"},
	    {"if rm a; then rm b",
		"delete code; code; delete a; delete b; not understood: "
		"syntax error"},
	    {"rm a; fi", "delete code; code; delete a; not understood: syntax"},
	    {"[[ -f x ]] && rm a",
		"delete code; code; delete a; not understood: '[['"},
	    {"A=(1); rm a",
		"delete code; code; delete a; not understood: arrays"},
	    {"rm a 'b", "delete code; code; delete a; delete b; not "
			"understood: syntax error: this single quote"},
	};

	(void)state;
	ALL_MEAN(rows);
}

/* Whether it deletes `a`, whatever else it may be. */
static bool
deletes_a(const char *text)
{
	const struct w_analysis_input input = {.shell = text};
	struct w_analysis *analysis = analysis_of(&input);
	bool is_found = false;

	for (size_t i = 0; i < analysis->inner_count && !is_found; i++) {
		const struct w_analysis *inner = analysis->inner[i].analysis;

		is_found = inner->argc == 2 &&
			   strcmp(inner->argv[0], "rm") == 0 &&
			   (inner->effects & W_EFFECT_DELETE) != 0;
	}
	w_analysis_free(analysis);
	return is_found;
}

/* A text that is cut anywhere, or broken there by a byte that is no UTF-8, has
 * still what stands before the cut. */
static void
a_broken_text_keeps_what_is_known(void **state)
{
	static const char *const rests[] = {
	    "if ls; then k \"$(q x)\" `ls`; elif [ -f x ]; then :; fi",
	    "for x in a 'b c' \"$d\"; do k \"$x\" >\"o $x\" 2>&1; done | q",
	    "while ! ls; do case $x in (a|b) k ;; *) q ;& esac; done",
	    "cat <<E <<-'F' && q\n$(k ${x:-\"y\"})\nE\n\tz\n\tF\nls",
	    "f() { local x=1; (cd a && k) & }; f $((1 + (2 * $#)))",
	    "[[ $a == b* && -n ${c%%.*} ]] && k <(ls) <<<\"$x\" |& q",
	    "A=(1 2); k ${A[@]} $'\\n' {a,b}{1..3} ~/x ~q \"\\\"\" # no\nq",
	    "time { k; q; } &>o; coproc k; select x in a; do q; done",
	};
	static const char *const breaks[] = {"", "\xff", "\x01", "|", "\n)"};

	(void)state;
	for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++) {
		for (size_t cut = 0; cut <= strlen(rests[i]); cut++) {
			for (size_t k = 0;
			     k < sizeof(breaks) / sizeof(breaks[0]); k++) {
				char text[256];

				(void)snprintf(text, sizeof(text),
				    "rm a; %.*s%s", (int)cut, rests[i],
				    breaks[k]);
				if (deletes_a(text))
					continue;
				print_error("%s\n", text);
				mismatches++;
			}
		}
	}
}

static void
syntax_errors_are_told(void **state)
{
	static const char *const errors[] = {"ls |", "ls 'a", "fi", "(ls"};
	static const char *const others[] = {"ls", "k $'x", "[[ a", "! "};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const struct w_analysis_input bad = {.shell = errors[i]};
		const struct w_analysis_input good = {.shell = others[i]};
		struct w_analysis *analysis = analysis_of(&bad);

		assert_true(analysis->is_syntax_error);
		assert_false(analysis->is_understood);
		w_analysis_free(analysis);
		analysis = analysis_of(&good);
		assert_false(analysis->is_syntax_error);
		w_analysis_free(analysis);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TABLE_TEST(variables_that_the_text_sets_are_known),
	    TABLE_TEST(names_of_files_are_no_addresses),
	    TABLE_TEST(what_keeps_programs_from_the_network_reaches_nobody),
	    TABLE_TEST(loops_take_each_value),
	    TABLE_TEST(directories_are_joined),
	    TABLE_TEST(patterns_and_home_are_places),
	    TABLE_TEST(substitutions_are_commands),
	    TABLE_TEST(functions_count_as_their_body),
	    TABLE_TEST(known_parts_apply),
	    TABLE_TEST(a_broken_text_keeps_what_is_known),
	    cmocka_unit_test(syntax_errors_are_told),
	};

	return cmocka_run_group_tests(tests, read_known, free_known);
}
