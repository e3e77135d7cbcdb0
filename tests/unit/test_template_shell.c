/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expr/template/template.h"
#include "expressions.h"
#include "sampling.h"

/*
 * The promise: a real shell reads every value back unchanged, wherever in a
 * shell command it stands. In expected texts, @ is the value.
 */
static const struct {
	const char *text;
	const char *expected;
} places[] = {
    {"printf %s {{ Data.v }}", "@"},
    {"printf %s a{{ Data.v }}b", "a@b"},
    {"printf %s ${ Data.v }", "@"},
    {"printf %s {{ Data.v }}{{ Data.v }}", "@@"},
    {"printf %s '{{ Data.v }}'", "@"},
    {"printf %s 'a{{ Data.v }}b'", "a@b"},
    {"printf %s \"{{ Data.v }}\"", "@"},
    {"printf %s \"a{{ Data.v }}b\"", "a@b"},
    {"printf %s \"a'{{ Data.v }}'b\"", "a'@'b"},
    {"printf %s 'a\"{{ Data.v }}\"b'", "a\"@\"b"},
    {"printf %s 'a'{{ Data.v }}\"b\"", "a@b"},
    {"x=1; printf %s \"$x{{ Data.v }}\"", "1@"},
    {"x=1; printf %s \"$${x}{{ Data.v }}\"", "1@"},
    {"x=1; printf %s $x{{ Data.v }}", "1@"},
    {"x=1; printf %s \"${{ Data.v }}\"", "$@"},
    {"printf %s \"\\\\{{ Data.v }}\"", "\\@"},
    {"printf %s \"\\${{ Data.v }}\"", "$@"},
    {"printf %s \\${{ Data.v }}", "$@"},
    {"printf %s \\\\{{ Data.v }}", "\\@"},
    {"printf %s \"$(printf %s {{ Data.v }}.)\"", "@."},
    {"printf %s \"$(printf %s \"{{ Data.v }}.\")\"", "@."},
    {"printf %s \"$(printf %s '{{ Data.v }}.')\"", "@."},
    {"printf %s \"$( (printf %s {{ Data.v }}.) )\"", "@."},
    {"printf %s \"$(printf %s \"$(printf %s {{ Data.v }}.)\")\"", "@."},
    {"x={{ Data.v }}; printf %s \"$x\"", "@"},
    {"x='{{ Data.v }}' y=2; printf %s \"$x$y\"", "@2"},
    {"x=\"{{ Data.v }}\"; printf %s \"$x\"", "@"},
    {"case {{ Data.v }} in {{ Data.v }}) printf yes;; esac", "yes"},
    {"case \"{{ Data.v }}\" in '{{ Data.v }}') printf yes;; esac", "yes"},
    {"[ {{ Data.v }} = \"{{ Data.v }}\" ] && printf yes", "yes"},
    {"# a comment with 'one quote\nprintf %s {{ Data.v }}", "@"},
    {"printf %s x#{{ Data.v }}", "x#@"},
    {"printf %s `printf %s a`{{ Data.v }}", "a@"},
    {"printf %s $((1 + (2)))\"{{ Data.v }}\"", "3@"},
    {"cat <<E\nit's \"\nE\nprintf %s {{ Data.v }}", "it's \"\n@"},
    {"cat <<'E'\n$(it`s \"\nE\nprintf %s {{ Data.v }}", "$(it`s \"\n@"},
    {"cat <<-E\n\ta '\n\tE\nprintf %s \"{{ Data.v }}\"", "a '\n@"},
    {"printf %s {{ Data.v }} | cat", "@"},
    {"(printf %s {{ Data.v }})", "@"},
    {"f() { printf %s \"$1\"; }; f {{ Data.v }}", "@"},
    {"if true; then printf %s {{ Data.v }}; fi", "@"},
    {"printf %s \\\n{{ Data.v }}", "@"},
    {"printf %s \"a\\\n{{ Data.v }}\"", "a@"},
    {"printf %s $${x:-'}'}{{ Data.v }}", "}@"},
    {"printf %s $${x:-\"a b\"}\"{{ Data.v }}\"", "a b@"},
    {"for i in {{ Data.v }}; do printf %s \"$i\"; done", "@"},
    {"printf %s x 2>/dev/null >/dev/null; printf %s ~{{ Data.v }}", "~@"},
    {"printf %s {{ raw('\"a') }}{{ Data.v }}{{ raw('b\"') }}", "a@b"},
    {"printf %s {{ raw('a') }}{{ Data.v }}", "a@"},
};

#define PLACE_COUNT (sizeof(places) / sizeof(places[0]))

static const char *const values[] = {"", "plain", "a b", "'", "''", "\"", "\\",
    "\\\\", "$", "$HOME", "$(id)", "`id`", "${HOME}", "$((1))", "#x",
    "a'b\"c\\d$e`f", "\n", "a\nb", "\n'\n", ";id", "|id", "&", "&&id", ">x",
    "<x", "(x)", "*", "?", "[a-z]", "~", "~root", "-n", "--", "!", "!!", "%s",
    "\\n", "x=1", "if", "case", "esac", "}", "{", "{{ 1 }}", "$'a'", "'$(id)'",
    "\"$(id)\"", "\t", "\r", "\x01", "\x7f", "\xff\x81\x88", "caf\xc3\xa9",
    "'\\''", "\\'", "\\\"", "EOF\n", "E", "E\n$(id)\n", "<<E", "))", ")",
    "a[$(id)]", "\\\n", "x\\"};

#define VALUE_COUNT (sizeof(values) / sizeof(values[0]))

struct scene {
	struct expressing expressing;
	struct w_value_member member;
};

static const struct w_value *
scene_root(void *ctx, enum w_expr_root root, writ_error *err)
{
	struct scene *scene = ctx;

	(void)root;
	(void)err;
	return &scene->expressing.roots[W_ROOT_DATA];
}

static void
scene_open(struct scene *scene, const char *value)
{
	*scene =
	    (struct scene){.member = {.name = "v",
			       .len = 1,
			       .value = w_value_text(value, strlen(value))}};
	scene->expressing.roots[W_ROOT_DATA] =
	    (struct w_value){.kind = W_VALUE_MAP,
		.as.map = {.members = &scene->member, .count = 1}};
	scene->expressing.scope =
	    (struct w_expr_scope){.root = scene_root, .ctx = scene};
}

static writ_status
render(const char *text, const char *value, struct w_buf *out, writ_error *err)
{
	struct scene scene;
	struct w_template template;
	const char *rendered;
	struct w_arena *arena = &scene.expressing.arena;

	scene_open(&scene, value);
	writ_status status =
	    w_template_parse(arena, text, strlen(text), &template, err);
	if (status == WRIT_OK)
		status = w_template_shell(
		    &template, &scene.expressing.scope, arena, &rendered, err);
	if (status == WRIT_OK)
		w_buf_add_str(out, rendered);
	w_arena_done(arena);
	return status;
}

static void
run_shell(const char *shell, const char *script, struct w_buf *out)
{
	int fds[2];
	char chunk[4096];
	ssize_t got;
	int status;

	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	if (pid == 0) {
		(void)dup2(fds[1], STDOUT_FILENO);
		(void)close(fds[0]);
		(void)close(fds[1]);
		(void)execlp(shell, shell, "-c", script, (char *)NULL);
		_exit(127);
	}
	(void)close(fds[1]);
	while ((got = read(fds[0], chunk, sizeof(chunk))) > 0)
		w_buf_add(out, chunk, (size_t)got);
	(void)close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
}

static void
add_expected(struct w_buf *out, const char *expected, const char *value)
{
	for (; *expected != '\0'; expected++) {
		if (*expected == '@')
			w_buf_add_str(out, value);
		else
			w_buf_add_char(out, *expected);
	}
	w_buf_add_char(out, '\036');
}

/* Many values in one script, separated by a marker. */
static void
check_place(
    const char *shell, size_t which, const char *const *some, size_t count)
{
	W_AUTO_BUF struct w_buf script;
	W_AUTO_BUF struct w_buf expected;
	W_AUTO_BUF struct w_buf got;

	w_buf_init(&script, 1 << 20);
	w_buf_init(&expected, 1 << 20);
	w_buf_init(&got, 1 << 20);
	for (size_t i = 0; i < count; i++) {
		writ_error err = {0};
		writ_status status =
		    render(places[which].text, some[i], &script, &err);

		if (status != WRIT_OK)
			print_error(
			    "%s: %s\n", places[which].text, err.message);
		assert_int_equal(status, WRIT_OK);
		w_buf_add_str(&script, "\nprintf '\\036'\n");
		add_expected(&expected, places[which].expected, some[i]);
	}
	run_shell(shell, script.data, &got);
	if (strcmp(got.data, expected.data) != 0)
		print_error("%s: %s\n", shell, places[which].text);
	assert_string_equal(got.data, expected.data);
}

static void
values_come_back_as_they_were(void **state)
{
	(void)state;
	for (size_t i = 0; i < PLACE_COUNT; i++) {
		check_place("sh", i, values, VALUE_COUNT);
		if (access("/bin/bash", X_OK) == 0)
			check_place("/bin/bash", i, values, VALUE_COUNT);
	}
}

/* Mostly shell metacharacters. */
static void
make_random(char *out, size_t size, unsigned *seed)
{
	static const char special[] =
	    "'\"\\$`\n (){}[];&|<>*?~#!=-%aE1\t\r\x01\xc3\xa9\xff";
	size_t len = (size_t)rand_r(seed) % (size - 1);

	for (size_t i = 0; i < len; i++)
		out[i] = special[(size_t)rand_r(seed) % (sizeof(special) - 1)];
	out[len] = '\0';
}

static void
random_values_come_back_as_they_were(void **state)
{
	enum {
		COUNT = 150
	};
	static char texts[COUNT][24];
	const char *some[COUNT];
	unsigned seed = 1;

	(void)state;
	for (size_t place = sample_begin(); place < PLACE_COUNT;
	     place += sample_step()) {
		for (size_t i = 0; i < COUNT; i++) {
			make_random(texts[i], sizeof(texts[i]), &seed);
			some[i] = texts[i];
		}
		check_place("sh", place, some, COUNT);
		if (access("/bin/bash", X_OK) == 0)
			check_place("/bin/bash", place, some, COUNT);
	}
}

static void
values_are_quoted_for_their_place(void **state)
{
	static const struct {
		const char *text;
		const char *value;
		const char *rendered;
	} cases[] = {
	    {"echo {{ Data.v }}", "it's", "echo 'it'\\''s'"},
	    {"echo '{{ Data.v }}'", "it's", "echo 'it'\\''s'"},
	    {"echo \"{{ Data.v }}\"", "a$b`c\"d\\e",
		"echo \"a\\$b\\`c\\\"d\\\\e\""},
	    {"echo \"$x{{ Data.v }}\"", "y", "echo \"$x\"\"y\""},
	    {"echo {{ raw(Data.v) }}", "a; b", "echo a; b"},
	    {"echo $${HOME} $HOME", "", "echo ${HOME} $HOME"},
	    {"echo {{{{ 1 }}", "", "echo {{ 1 }}"},
	    {"echo {{ 1 + 1 }} {{ null }} {{ [1, 'a'] }}", "",
		"echo '2' '' '[1,\"a\"]'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		W_AUTO_BUF struct w_buf got;

		w_buf_init(&got, 1000);
		assert_int_equal(
		    render(cases[i].text, cases[i].value, &got, NULL), WRIT_OK);
		assert_string_equal(got.data, cases[i].rendered);
	}
}

static void
where_it_cannot_be_done_it_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *message;
		unsigned column;
	} cases[] = {
	    {"echo `echo {{ Data.v }}`", "a value cannot be put into backticks",
		12},
	    {"echo $((1 + {{ Data.v }}))", "a value cannot be put into (( ))",
		13},
	    {"((x = {{ Data.v }}))", "a value cannot be put into (( ))", 7},
	    {"echo $${x:-{{ Data.v }}}", "a value cannot be put into ${ }", 12},
	    {"echo \"$${x:-{{ Data.v }}}\"", "a value cannot be put into ${ }",
		13},
	    {"echo # {{ Data.v }}", "a value cannot be put into a comment", 8},
	    {"cat <<E {{ 1 }}\n{{ Data.v }}\nE",
		"a value cannot be put into a here-document", 1},
	    {"cat <<{{ Data.v }}",
		"a value cannot be where a here-document begins", 7},
	    {"cat <<'{{ Data.v }}'",
		"a value cannot be where a here-document begins", 8},
	    {"cat <<E {{ Data.v }}\nE",
		"a value cannot be where a here-document begins", 9},
	    {"echo $'{{ Data.v }}'", "a value cannot be put into $'...'", 8},
	    {"echo ${{ Data.v }}", "a value cannot come after '$'", 7},
	    {"echo \\{{ Data.v }}", "a value cannot come after a backslash", 7},
	    {"echo \"\\{{ Data.v }}\"", "a value cannot come after a backslash",
		8},
	    {"x[{{ Data.v }}]=1", "a value cannot be put into name[ ]", 3},
	    {"x[\"{{ Data.v }}\"]=1", "a value cannot be put into name[ ]", 4},
	    {"echo \"$(case x in x) echo {{ Data.v }};; esac)\"",
		"a value cannot be put safely behind 'case' in $( )", 27},
	    {"cat <<E\n$(\nE\n{{ Data.v }}",
		"a value cannot be put safely behind a here-document", 1},
	    {"cat <<\\E\nE\n{{ Data.v }}",
		"a value cannot be put safely behind a here-document", 1},
	    {"echo $(cat <<E) {{ Data.v }}",
		"a value cannot be put safely behind a here-document in $( )",
		17},
	    {"echo \"$${x#'}'}{{ Data.v }}\"",
		"a value cannot be put safely behind quotes in \"${ }\"", 16},
	    {"echo `it's` {{ Data.v }}",
		"a value cannot be put safely behind quotes in backticks", 13},
	    {"echo $((1) ) {{ Data.v }}",
		"a value cannot be put safely behind '((' without '))'", 14},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		W_AUTO_BUF struct w_buf got;
		writ_error err = {0};

		w_buf_init(&got, 1000);
		writ_status status = render(cases[i].text, "a\nb", &got, &err);
		if (status == WRIT_OK ||
		    strcmp(err.message, cases[i].message) != 0)
			print_error("%s\n", cases[i].text);
		assert_int_equal(status, WRIT_E_INVALID);
		assert_string_equal(err.message, cases[i].message);
		assert_int_equal(err.column, cases[i].column);
		assert_true(err.suggestion[0] != '\0');
	}
}

static writ_status
check_text(const char *text, writ_error *err)
{
	struct w_arena arena = {0};
	struct w_template template;

	assert_int_equal(
	    w_template_parse(&arena, text, strlen(text), &template, err),
	    WRIT_OK);
	writ_status status = w_template_check_shell(&template, err);
	w_arena_done(&arena);
	return status;
}

static void
it_is_refused_before_there_are_values(void **state)
{
	writ_error err = {0};

	(void)state;
	for (size_t i = 0; i < PLACE_COUNT; i++)
		assert_int_equal(check_text(places[i].text, &err), WRIT_OK);
	assert_int_equal(
	    check_text("a {{ 1 }} `{{ Data.x }}`", &err), WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "a value cannot be put into backticks");
	assert_int_equal(err.column, 12);
	assert_int_equal(
	    check_text("a {{ raw('`') }} {{ Data.x }}`", &err), WRIT_OK);
	assert_int_equal(check_text("cat <<E {{ 1 }}\nE", &err), WRIT_OK);
}

static void
secrets_are_refused(void **state)
{
	W_AUTO_BUF struct w_buf got;
	writ_error err = {0};

	(void)state;
	w_buf_init(&got, 1000);
	assert_int_equal(
	    render("echo {{ sensitive(Data.v) }}", "hunter2", &got, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "a secret cannot be a part"));
	assert_null(strstr(err.message, "hunter2"));
	assert_int_equal(err.column, 6);
	assert_int_equal(
	    render("echo {{ raw(sensitive(Data.v)) }}", "hunter2", &got, &err),
	    WRIT_E_INVALID);
	assert_int_equal(render("echo {{ [1, {a: sensitive(Data.v)}] }}",
			     "hunter2", &got, &err),
	    WRIT_E_INVALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_are_quoted_for_their_place),
	    cmocka_unit_test(where_it_cannot_be_done_it_is_refused),
	    cmocka_unit_test(it_is_refused_before_there_are_values),
	    cmocka_unit_test(secrets_are_refused),
	    cmocka_unit_test(values_come_back_as_they_were),
	    cmocka_unit_test(random_values_come_back_as_they_were),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
