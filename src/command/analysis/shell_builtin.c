/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Shell builtins. Those that are also programs with the same effect (echo, pwd,
 * kill) are analyzed by the description of the program; anything neither listed
 * here nor described is not understood.
 */

#include <ctype.h>
#include <string.h>

#include "command/analysis/analyzer.h"

typedef void (*analyze_fn)(struct w_analyzer *, struct w_shell_walk *);

static bool
shell_builtin_is_name(const char *text, size_t len)
{
	if (len == 0 || isdigit((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	}
	return true;
}

/* It may do anything. */
static void
shell_builtin_refuse_word(struct w_analyzer *analyzer, size_t word)
{
	const struct w_source_place from = {.word = word};

	w_analyzer_effects(analyzer, W_EFFECT_CODE, &from);
	w_analyzer_refuse(analyzer, word, 0,
	    "'%.64s' of the shell with '%.64s'", analyzer->analysis->argv[0],
	    analyzer->analysis->argv[word]);
}

/* Only the shell itself is affected. */
static void
analyze_harmless(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	(void)analyzer;
	(void)walk;
}

static bool
is_set(const struct w_variable_set *set, const char *name)
{
	for (; set != NULL; set = set->next) {
		if (strcmp(set->name, name) == 0)
			return true;
	}
	return false;
}

static void
analyze_cd(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;
	const char *path = analysis->argc == 2 ? analysis->argv[1] : "";
	const struct w_unseen *unseen =
	    w_analyzer_unseen(analyzer, path, strlen(path));
	const bool is_home =
	    unseen != NULL && unseen->kind == W_UNSEEN_HOME &&
	    unseen->at == path &&
	    w_analyzer_unseen(analyzer, path + 1, strlen(path) - 1) == NULL;

	if ((unseen != NULL && !is_home) || path[0] == '\0' || path[0] == '-' ||
	    !walk->may_cd || (analyzer->context.how & W_INNER_ELSEWHERE) != 0 ||
	    is_set(analyzer->context.variables, "CDPATH") ||
	    is_set(analyzer->context.variables, "PWD")) {
		w_analyzer_refuse(analyzer, analysis->argc > 1 ? 1 : 0, 0,
		    "writ cannot tell which directory 'cd' goes to");
		return;
	}
	const bool is_known =
	    is_home ? w_bases_home(analyzer->shared, &walk->now, path)
		    : w_bases_cd(analyzer->shared, &walk->now, path);
	if (!is_known || !w_bases_join(&walk->seen, &walk->now))
		w_analyzer_refuse(analyzer, 1, 0,
		    "the directories it could be in are too many or too deep");
}

static void
analyze_export(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;

	if (analysis->argc == 2 && strcmp(analysis->argv[1], "-p") == 0)
		return;
	for (size_t i = 1; i < analysis->argc; i++) {
		const struct w_source_place from = {.word = i};

		if (!shell_builtin_is_name(
			analysis->argv[i], strcspn(analysis->argv[i], "="))) {
			shell_builtin_refuse_word(analyzer, i);
			return;
		}
		w_analyzer_assign(analyzer, analysis->argv[i], &from);
		/* What is read-only keeps its value whatever is set. */
		if (strcmp(analysis->argv[0], "readonly") == 0)
			w_analyzer_set_value(analyzer, walk, NULL, 0, NULL);
		else if (strchr(analysis->argv[i], '=') != NULL)
			w_analyzer_set_word(analyzer, walk, analysis->argv[i]);
	}
	walk->variables = analyzer->context.variables;
}

/* Without a PATH a shell searches the working directory: variables that matter
 * when set also matter when unset. */
static void
analyze_unset(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;

	w_analyzer_set_value(analyzer, walk, NULL, 0, NULL);
	for (size_t i = 1; i < analysis->argc; i++) {
		const struct w_source_place from = {.word = i};

		if (i == 1 && strcmp(analysis->argv[i], "-v") == 0)
			continue;
		/* bash evaluates 'a[...]' as an expression. */
		if (shell_builtin_is_name(
			analysis->argv[i], strlen(analysis->argv[i])))
			w_analyzer_assign(analyzer, analysis->argv[i], &from);
		else
			shell_builtin_refuse_word(analyzer, i);
	}
}

static bool
is_settable(const char *name)
{
	static const char *const names[] = {"errexit", "nounset", "xtrace",
	    "pipefail", "noglob", "noclobber", "verbose", NULL};

	for (size_t i = 0; name != NULL && names[i] != NULL; i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

/* Options that change what happens, but not what the words mean. */
static void
analyze_set(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;

	(void)walk;
	for (size_t i = 1; i < analysis->argc; i++) {
		const char *word = analysis->argv[i];
		size_t len = strlen(word);
		bool has_name = len > 1 && word[len - 1] == 'o';

		if ((word[0] != '-' && word[0] != '+') || len < 2 ||
		    strspn(word + 1, "euxvfC") + (has_name ? 1 : 0) + 1 !=
			len ||
		    (has_name && (i + 1 >= analysis->argc ||
				     !is_settable(analysis->argv[i + 1])))) {
			shell_builtin_refuse_word(analyzer, i);
			return;
		}
		i += has_name ? 1 : 0;
	}
}

static void
analyze_source(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;
	const struct w_source_place from = {
	    .word = 1, .why = "the shell runs what is in it"};

	w_analyzer_set_value(analyzer, walk, NULL, 0, NULL);
	if (analysis->argc < 2 || analysis->argv[1][0] == '-') {
		w_analyzer_refuse(analyzer, 0, 0,
		    "'%s' of the shell without a file", analysis->argv[0]);
		return;
	}
	w_analyzer_path(analyzer, W_EFFECT_READ | W_EFFECT_CODE,
	    analysis->argv[1], strlen(analysis->argv[1]), &from);
}

/* The words from there on; walk NULL: a program, never a builtin. */
static void
run_rest(struct w_analyzer *analyzer, size_t from, struct w_shell_walk *walk)
{
	const struct w_inner_words words = {
	    .argv = analyzer->analysis->argv + from,
	    .argc = analyzer->analysis->argc - from,
	    .word = from};
	struct w_analyzer inside;
	struct w_inner *inner = w_analyzer_enter(analyzer, &words, &inside);

	if (inner == NULL)
		return;
	if (walk == NULL || !w_analyzer_builtin(&inside, walk))
		w_analyzer_run(&inside);
	w_analyzer_leave(analyzer, inner, 0, false);
}

static void
analyze_exec(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;

	(void)walk;
	if (analysis->argc == 1)
		return;
	if (analysis->argv[1][0] == '-')
		shell_builtin_refuse_word(analyzer, 1);
	else
		run_rest(analyzer, 1, NULL);
}

static void
analyze_command(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;
	const char *first = analysis->argc > 1 ? analysis->argv[1] : "";

	if (strcmp(first, "-v") == 0 || strcmp(first, "-V") == 0)
		return;
	if (strcmp(first, "-p") == 0 && analysis->argc > 2)
		run_rest(analyzer, 2, walk);
	else if (first[0] == '-' || first[0] == '\0')
		w_analyzer_refuse(analyzer, 0, 0, "'command' of the shell");
	else
		run_rest(analyzer, 1, walk);
}

static void
analyze_eval(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;
	const struct w_inner_words words = {.argv = analysis->argv + 1,
	    .argc = analysis->argc - 1,
	    .how = W_INNER_JOINED,
	    .word = 1};

	w_analyzer_set_value(analyzer, walk, NULL, 0, NULL);
	analyzer->context.is_cd_unknown = true;
	if (words.argc > 0)
		w_analyzer_run_joined(analyzer, &words);
}

static bool
is_test_operator(const char *word)
{
	return strcmp(word, "=") == 0 || strcmp(word, "==") == 0 ||
	       strcmp(word, "!=") == 0 || (word[0] == '-' && word[1] != '\0');
}

/* Whether a word that is known only when it runs could be "-v". */
static bool
may_be_operator(const struct w_analyzer *analyzer, size_t i)
{
	const struct w_analysis *analysis = analyzer->analysis;
	const char *word = analysis->argv[i];
	const struct w_unseen *unseen =
	    w_analyzer_unseen(analyzer, word, strlen(word));

	if (unseen == NULL || unseen->kind == W_UNSEEN_NUMBER)
		return false;
	if (unseen->is_many)
		return true;
	return w_analyzer_is_placed_first(analyzer, word) &&
	       !is_test_operator(analysis->argv[i - 1]) &&
	       (i + 1 == analysis->argc ||
		   !is_test_operator(analysis->argv[i + 1]));
}

/* bash may evaluate an argument that names a variable as an expression, which
 * can contain a command. */
static void
analyze_test(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;

	(void)walk;
	for (size_t i = 1; i < analysis->argc; i++) {
		if (strcmp(analysis->argv[i], "-v") == 0 ||
		    strcmp(analysis->argv[i], "-R") == 0 ||
		    may_be_operator(analyzer, i)) {
			shell_builtin_refuse_word(analyzer, i);
			return;
		}
	}
	w_analyzer_run(analyzer);
}

/* Whether a format has %n, which sets a variable. */
static bool
sets_variable(const char *format)
{
	for (const char *at = strchr(format, '%'); at != NULL;
	     at = strchr(at, '%')) {
		at += 1 + strspn(at + 1, "#0- +'123456789.*hlLjtz");
		if (*at == 'n')
			return true;
		at += *at == '%' ? 1 : 0;
	}
	return false;
}

/* Whether what comes only when it runs could make it set a variable. */
static bool
is_open_format(const struct w_analyzer *analyzer, size_t at)
{
	const struct w_analysis *analysis = analyzer->analysis;
	const char *format = analysis->argv[at];
	const struct w_unseen *unseen =
	    w_analyzer_unseen(analyzer, format, strlen(format));

	return unseen != NULL && unseen->kind != W_UNSEEN_NUMBER &&
	       (unseen->is_many || at + 1 < analysis->argc);
}

static void
analyze_printf(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;

	(void)walk;
	size_t at =
	    analysis->argc > 2 && strcmp(analysis->argv[1], "--") == 0 ? 2 : 1;
	if (at < analysis->argc && (strncmp(analysis->argv[at], "-v", 2) == 0 ||
				       sets_variable(analysis->argv[at]) ||
				       is_open_format(analyzer, at)))
		shell_builtin_refuse_word(analyzer, at);
	else
		w_analyzer_run(analyzer);
}

static void
analyze_plain(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;

	const bool is_end = strcmp(analysis->argv[0], "exit") == 0 ||
			    strcmp(analysis->argv[0], "return") == 0;

	(void)walk;
	for (size_t i = 1; i < analysis->argc; i++) {
		const struct w_unseen *unseen =
		    w_analyzer_unseen(analyzer, analysis->argv[i], 1);

		/* A number, or nothing that is evaluated. */
		if (unseen != NULL &&
		    (is_end || unseen->kind == W_UNSEEN_NUMBER))
			continue;
		if (!isalnum((unsigned char)analysis->argv[i][0]) ||
		    strpbrk(analysis->argv[i], "=[(") != NULL)
			shell_builtin_refuse_word(analyzer, i);
	}
}

/* Reads a line into variables. */
static void
analyze_read(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const struct w_analysis *analysis = analyzer->analysis;

	for (size_t i = 1; i < analysis->argc; i++) {
		const struct w_source_place from = {.word = i};
		const char *word = analysis->argv[i];

		if (strcmp(word, "-r") == 0 && i == 1)
			continue;
		if (!shell_builtin_is_name(word, strlen(word))) {
			shell_builtin_refuse_word(analyzer, i);
			return;
		}
		w_analyzer_assign(analyzer, word, &from);
		w_analyzer_set_value(analyzer, walk, word, strlen(word), NULL);
	}
	walk->variables = analyzer->context.variables;
}

/* These change what later words mean, or run what their words do not show. A
 * program of the same name makes no difference. */
static const char *const refused[] = {"alias", "bg", "bind", "builtin",
    "caller", "chdir", "compgen", "complete", "compopt", "coproc", "declare",
    "dirs", "disown", "enable", "fc", "fg", "function", "getopts", "hash",
    "history", "jobs", "let", "local", "logout", "mapfile", "popd", "pushd",
    "readarray", "shopt", "suspend", "trap", "typeset", "unalias"};

static const struct {
	const char *name;
	analyze_fn shared;
} builtins[] = {
    {":", analyze_harmless},
    {"true", analyze_harmless},
    {"false", analyze_harmless},
    {"type", analyze_harmless},
    {"times", analyze_harmless},
    {"cd", analyze_cd},
    {"export", analyze_export},
    {"readonly", analyze_export},
    {"unset", analyze_unset},
    {"set", analyze_set},
    {".", analyze_source},
    {"source", analyze_source},
    {"exec", analyze_exec},
    {"command", analyze_command},
    {"eval", analyze_eval},
    {"test", analyze_test},
    {"[", analyze_test},
    {"printf", analyze_printf},
    {"read", analyze_read},
    {"shift", analyze_plain},
    {"break", analyze_plain},
    {"continue", analyze_plain},
    {"exit", analyze_plain},
    {"return", analyze_plain},
    {"umask", analyze_plain},
    {"wait", analyze_plain},
};

bool
w_analyzer_builtin(struct w_analyzer *analyzer, struct w_shell_walk *walk)
{
	const char *name = analyzer->analysis->argv[0];
	const struct w_source_place from = {.word = 0};

	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++) {
		if (strcmp(builtins[i].name, name) == 0) {
			builtins[i].shared(analyzer, walk);
			return true;
		}
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (strcmp(refused[i], name) != 0)
			continue;
		w_analyzer_effects(analyzer, W_EFFECT_CODE, &from);
		w_analyzer_refuse(
		    analyzer, 0, 0, "'%s' changes what the shell does", name);
		return true;
	}
	return false;
}
