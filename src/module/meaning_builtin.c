/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Commands that a shell has of its own. Those that are programs as well and do
 * the same (echo, pwd, kill) are judged by the description of the program; what
 * is neither listed here nor described is not understood.
 */

#include <ctype.h>
#include <string.h>

#include "module/meaning_frame.h"

typedef void (*judge_fn)(struct w_frame *, struct w_shell_walk *);

static bool
is_name(const char *text, size_t len)
{
	if (len == 0 || isdigit((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	}
	return true;
}

/* It may be anything then. */
static void
refuse_word(struct w_frame *frame, size_t word)
{
	const struct w_source_place from = {.word = word};

	w_frame_effects(frame, W_EFFECT_CODE, &from);
	w_frame_refuse(frame, word, 0, "'%.64s' of the shell with '%.64s'",
	    frame->meaning->argv[0], frame->meaning->argv[word]);
}

/* Nothing but the shell itself notices. */
static void
judge_harmless(struct w_frame *frame, struct w_shell_walk *walk)
{
	(void)frame;
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
judge_cd(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;
	const char *path = meaning->argc == 2 ? meaning->argv[1] : "";

	if (path[0] == '\0' || path[0] == '-' || !walk->may_cd ||
	    (frame->setting.how & W_INNER_ELSEWHERE) != 0 ||
	    is_set(frame->setting.variables, "CDPATH") ||
	    is_set(frame->setting.variables, "PWD")) {
		w_frame_refuse(frame, meaning->argc > 1 ? 1 : 0, 0,
		    "it cannot be told which directory 'cd' goes to");
		return;
	}
	if (!w_bases_cd(frame->judge, &walk->now, path) ||
	    !w_bases_join(&walk->seen, &walk->now))
		w_frame_refuse(frame, 1, 0,
		    "the directories it could be in are too many or too deep");
}

static void
judge_export(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;

	if (meaning->argc == 2 && strcmp(meaning->argv[1], "-p") == 0)
		return;
	for (size_t i = 1; i < meaning->argc; i++) {
		const struct w_source_place from = {.word = i};

		if (!is_name(
			meaning->argv[i], strcspn(meaning->argv[i], "="))) {
			refuse_word(frame, i);
			return;
		}
		w_frame_assign(frame, meaning->argv[i], &from);
	}
	walk->variables = frame->setting.variables;
}

/* Without a PATH a shell looks for programs in the working directory: what
 * matters when it is set matters when it goes. */
static void
judge_unset(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;

	(void)walk;
	for (size_t i = 1; i < meaning->argc; i++) {
		const struct w_source_place from = {.word = i};

		if (i == 1 && strcmp(meaning->argv[i], "-v") == 0)
			continue;
		/* To bash 'a[...]' is an expression that is evaluated. */
		if (is_name(meaning->argv[i], strlen(meaning->argv[i])))
			w_frame_assign(frame, meaning->argv[i], &from);
		else
			refuse_word(frame, i);
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
judge_set(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;

	(void)walk;
	for (size_t i = 1; i < meaning->argc; i++) {
		const char *word = meaning->argv[i];
		size_t len = strlen(word);
		bool has_name = len > 1 && word[len - 1] == 'o';

		if ((word[0] != '-' && word[0] != '+') || len < 2 ||
		    strspn(word + 1, "euxvfC") + (has_name ? 1 : 0) + 1 !=
			len ||
		    (has_name && (i + 1 >= meaning->argc ||
				     !is_settable(meaning->argv[i + 1])))) {
			refuse_word(frame, i);
			return;
		}
		i += has_name ? 1 : 0;
	}
}

static void
judge_source(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;
	const struct w_source_place from = {
	    .word = 1, .why = "the shell runs what is in it"};

	(void)walk;
	if (meaning->argc < 2 || meaning->argv[1][0] == '-') {
		w_frame_refuse(frame, 0, 0, "'%s' of the shell without a file",
		    meaning->argv[0]);
		return;
	}
	w_frame_path(frame, W_EFFECT_READ | W_EFFECT_CODE, meaning->argv[1],
	    strlen(meaning->argv[1]), &from);
}

/* The words from there on; walk NULL: a program, whatever the shell has. */
static void
run_rest(struct w_frame *frame, size_t from, struct w_shell_walk *walk)
{
	const struct w_inner_words words = {.argv = frame->meaning->argv + from,
	    .argc = frame->meaning->argc - from,
	    .word = from};
	struct w_frame inside;
	struct w_inner *inner = w_frame_enter(frame, &words, &inside);

	if (inner == NULL)
		return;
	if (walk == NULL || !w_frame_builtin(&inside, walk))
		w_frame_judge(&inside);
	w_frame_leave(frame, inner, 0, false);
}

static void
judge_exec(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;

	(void)walk;
	if (meaning->argc == 1)
		return;
	if (meaning->argv[1][0] == '-')
		refuse_word(frame, 1);
	else
		run_rest(frame, 1, NULL);
}

static void
judge_command(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;
	const char *first = meaning->argc > 1 ? meaning->argv[1] : "";

	if (strcmp(first, "-v") == 0 || strcmp(first, "-V") == 0)
		return;
	if (strcmp(first, "-p") == 0 && meaning->argc > 2)
		run_rest(frame, 2, walk);
	else if (first[0] == '-' || first[0] == '\0')
		w_frame_refuse(frame, 0, 0, "'command' of the shell");
	else
		run_rest(frame, 1, walk);
}

static void
judge_eval(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;
	const struct w_inner_words words = {.argv = meaning->argv + 1,
	    .argc = meaning->argc - 1,
	    .how = W_INNER_JOINED,
	    .word = 1};

	(void)walk;
	frame->setting.is_cd_unknown = true;
	if (words.argc > 0)
		w_frame_run_joined(frame, &words);
}

/* An argument that bash takes for the name of a variable can be an expression
 * with a command in it. */
static void
judge_test(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;

	(void)walk;
	for (size_t i = 1; i < meaning->argc; i++) {
		if (strcmp(meaning->argv[i], "-v") == 0 ||
		    strcmp(meaning->argv[i], "-R") == 0) {
			refuse_word(frame, i);
			return;
		}
	}
	w_frame_judge(frame);
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

static void
judge_printf(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;

	(void)walk;
	size_t at =
	    meaning->argc > 2 && strcmp(meaning->argv[1], "--") == 0 ? 2 : 1;
	if (at < meaning->argc && (strncmp(meaning->argv[at], "-v", 2) == 0 ||
				      sets_variable(meaning->argv[at])))
		refuse_word(frame, at);
	else
		w_frame_judge(frame);
}

static void
judge_plain(struct w_frame *frame, struct w_shell_walk *walk)
{
	const struct w_meaning *meaning = frame->meaning;

	(void)walk;
	for (size_t i = 1; i < meaning->argc; i++) {
		if (!isalnum((unsigned char)meaning->argv[i][0]) ||
		    strpbrk(meaning->argv[i], "=[(") != NULL)
			refuse_word(frame, i);
	}
}

/* These change what later words mean, or run what their words do not show. That
 * a program is called the same does not help. */
static const char *const refused[] = {"alias", "bg", "bind", "builtin",
    "caller", "chdir", "compgen", "complete", "compopt", "coproc", "declare",
    "dirs", "disown", "enable", "fc", "fg", "function", "getopts", "hash",
    "history", "jobs", "let", "local", "logout", "mapfile", "popd", "pushd",
    "read", "readarray", "shift", "shopt", "suspend", "trap", "typeset",
    "unalias"};

static const struct {
	const char *name;
	judge_fn judge;
} builtins[] = {
    {":", judge_harmless},
    {"true", judge_harmless},
    {"false", judge_harmless},
    {"type", judge_harmless},
    {"times", judge_harmless},
    {"cd", judge_cd},
    {"export", judge_export},
    {"readonly", judge_export},
    {"unset", judge_unset},
    {"set", judge_set},
    {".", judge_source},
    {"source", judge_source},
    {"exec", judge_exec},
    {"command", judge_command},
    {"eval", judge_eval},
    {"test", judge_test},
    {"[", judge_test},
    {"printf", judge_printf},
    {"exit", judge_plain},
    {"return", judge_plain},
    {"umask", judge_plain},
    {"wait", judge_plain},
};

bool
w_frame_builtin(struct w_frame *frame, struct w_shell_walk *walk)
{
	const char *name = frame->meaning->argv[0];
	const struct w_source_place from = {.word = 0};

	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++) {
		if (strcmp(builtins[i].name, name) == 0) {
			builtins[i].judge(frame, walk);
			return true;
		}
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (strcmp(refused[i], name) != 0)
			continue;
		w_frame_effects(frame, W_EFFECT_CODE, &from);
		w_frame_refuse(
		    frame, 0, 0, "'%s' changes what the shell does", name);
		return true;
	}
	return false;
}
