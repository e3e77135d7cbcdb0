/* SPDX-License-Identifier: Apache-2.0 */

/* One simple command of a shell text: its words, assignments, redirections and
 * here documents, in the state that the text has there. */

#include <string.h>

#include "base/basename.h"
#include "command/analysis/shell_walk.h"

/* Words that are expanded in one text. */
#define PIECES_MAX 400000

/* ---- state ---- */

void
w_walker_join_bases(struct w_walker *walker)
{
	walker->state.now = walker->state.seen;
}

/* What a branch has set is not known behind it. */
void
w_walker_forget(struct w_walker *walker, const struct w_shell_value *base)
{
	const struct w_shell_value *branch = walker->state.values;

	walker->state.values = base;
	for (; branch != NULL && branch != base; branch = branch->next)
		w_analyzer_set_value(walker->analyzer, &walker->state,
		    branch->name, branch->name_len, NULL);
}

void
w_walker_refuse(struct w_walker *walker, size_t at, const char *why)
{
	const struct w_source_place from = {.word = walker->shell->word,
	    .why = "shell commands that writ cannot tell"};
	size_t word;
	size_t offset;

	w_analyzer_effects(walker->analyzer, W_EFFECT_CODE, &from);
	w_analyzer_shell_place(
	    walker->analyzer, walker->shell, at, &word, &offset);
	w_analyzer_refuse(walker->analyzer, word, offset, "%s", why);
}

/* ---- words ---- */

void
w_walker_substitutions(
    struct w_walker *walker, const struct w_shell_word *words)
{
	for (; words != NULL; words = words->next) {
		for (const struct w_shell_node *list = words->commands;
		     list != NULL; list = list->next)
			w_walker_apart(walker, list);
	}
}

static bool
is_variable_set(const struct w_variable_set *set, const char *name)
{
	for (; set != NULL; set = set->next) {
		if (strcmp(set->name, name) == 0)
			return true;
	}
	return false;
}

/* false: no memory. */
bool
w_walker_expand(struct w_walker *walker, const struct w_shell_word *words,
    bool are_assignments, struct w_expanded *out)
{
	struct w_shell_expander expander = {
	    .arena = walker->analyzer->shared->arena,
	    .values = walker->state.values,
	    .is_home_known = !is_variable_set(walker->state.variables, "HOME"),
	    .is_ifs_known = !is_variable_set(walker->state.variables, "IFS")};

	for (const struct w_shell_word *word = words; word != NULL;
	     word = word->next)
		walker->pieces++;
	if (walker->pieces > PIECES_MAX) {
		w_walker_refuse(walker, words == NULL ? 0 : words->offset,
		    "there are too many words");
		walker->steps = W_WALKER_STEPS_MAX;
		words = NULL;
	}
	if (!w_shell_expand(&expander, words, are_assignments, out)) {
		walker->analyzer->shared->is_out_of_memory = true;
		return false;
	}
	walker->has_unseen |= out->unseen_count > 0;
	if (expander.refusal != NULL)
		w_walker_refuse(
		    walker, expander.refusal_offset, expander.refusal);
	if (expander.is_assigning)
		w_analyzer_set_value(
		    walker->analyzer, &walker->state, NULL, 0, NULL);
	return true;
}

/* ---- simple commands ---- */

/* What has no name in the file system. */
static bool
shell_walk_is_stream(const char *path)
{
	static const char *const streams[] = {
	    "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", NULL};

	for (size_t i = 0; streams[i] != NULL; i++) {
		if (strcmp(path, streams[i]) == 0)
			return true;
	}
	return strncmp(path, "/dev/fd/", 8) == 0;
}

static void
analyze_redirections(struct w_walker *walker, struct w_analyzer *inside,
    const struct w_redirection *one)
{
	static const unsigned effects[] = {[W_REDIRECT_READ] = W_EFFECT_READ,
	    [W_REDIRECT_WRITE] = W_EFFECT_WRITE,
	    [W_REDIRECT_APPEND] = W_EFFECT_WRITE,
	    [W_REDIRECT_READ_WRITE] = W_EFFECT_READ | W_EFFECT_WRITE};
	const struct w_source_place from = {
	    .word = inside->analysis->argc, .why = "redirected"};
	const struct w_command_context context = inside->context;

	for (; one != NULL; one = one->next) {
		struct w_expanded path;

		if (one->kind == W_REDIRECT_HERE ||
		    !w_walker_expand(walker, one->word, true, &path) ||
		    path.argc != 1 || shell_walk_is_stream(path.argv[0]))
			continue;
		inside->context.unseen = path.unseen;
		inside->context.unseen_count = path.unseen_count;
		w_analyzer_path(inside, effects[one->kind], path.argv[0],
		    strlen(path.argv[0]), &from);
	}
	inside->context.unseen = context.unseen;
	inside->context.unseen_count = context.unseen_count;
}

/* Assignments stay without a command. Before one they are those of the program;
 * of a builtin or function in some shells also of what follows. */
static void
assign(struct w_walker *walker, struct w_analyzer *inside,
    const struct w_expanded *assignments)
{
	const struct w_source_place from = {.word = inside->analysis->argc};
	const struct w_analysis *analysis = inside->analysis;
	const bool is_alone = analysis->argc == 0;
	/* "IFS= read" reads a line as it is. */
	const bool is_read =
	    analysis->argc > 0 && strcmp(analysis->argv[0], "read") == 0;

	inside->context.unseen = assignments->unseen;
	inside->context.unseen_count = assignments->unseen_count;
	for (size_t i = 0; i < assignments->argc; i++) {
		const char *word = assignments->argv[i];

		if (is_read && strncmp(word, "IFS=", 4) == 0)
			continue;
		w_analyzer_assign(inside, word, &from);
		/* Each sees the ones before it. */
		if (is_alone && assignments->argc == 1)
			w_analyzer_set_word(inside, &walker->state, word);
		else
			w_analyzer_set_value(inside, &walker->state, word,
			    strcspn(word, "="), NULL);
	}
	/* Keeping one too long only adds effects. */
	walker->state.variables = inside->context.variables;
}

static void
analyze_part(struct w_walker *walker, struct w_analyzer *inside,
    const struct w_shell_node *node, const struct w_expanded *assignments,
    const struct w_expanded *words)
{
	struct w_analysis *analysis = inside->analysis;

	inside->context.bases = walker->state.now;
	inside->context.variables = walker->state.variables;
	assign(walker, inside, assignments);
	inside->context.unseen = words->unseen;
	inside->context.unseen_count = words->unseen_count;
	analyze_redirections(walker, inside, node->redirections);
	analysis->is_builtin = analysis->argc == 0 ||
			       (!walker->shell->is_one_command &&
				   w_analyzer_builtin(inside, &walker->state));
	if (!analysis->is_builtin) {
		w_analyzer_run(inside);
		if (!analysis->is_itself_understood)
			w_analyzer_guessed_words(inside);
	}
	/* It may have set any of them. */
	if (analysis->is_builtin && !analysis->is_understood)
		w_analyzer_set_value(inside, &walker->state, NULL, 0, NULL);
}

void
w_walker_run(struct w_walker *walker, const struct w_shell_node *node,
    const struct w_expanded *assignments, const struct w_expanded *words)
{
	struct w_quoted_command quoted = {.shell = walker->shell,
	    .assignments = assignments->argv,
	    .begin = node->offset,
	    .end = node->end};
	struct w_inner_words given = {.argv = words->argv,
	    .argc = words->argc,
	    .how = walker->shell->how};
	struct w_analyzer inside;
	size_t offset;

	w_analyzer_shell_place(walker->analyzer, walker->shell, node->offset,
	    &given.word, &offset);
	given.offset = offset;
	struct w_inner *inner =
	    w_analyzer_enter(walker->analyzer, &given, &inside);
	if (inner == NULL) {
		w_analyzer_guessed_secrets(walker->analyzer, walker->shell);
		walker->steps = W_WALKER_STEPS_MAX;
		return;
	}
	size_t count = 0;
	for (const struct w_shell_word *one = node->words; one != NULL;
	     one = one->next)
		count++;
	quoted.words = count == words->argc ? node->words : NULL;
	inner->is_shell = true;
	analyze_part(walker, &inside, node, assignments, words);
	/* The list of nested commands may have moved. */
	w_analyzer_leave(walker->analyzer, inner, offset, true);
	quoted.analysis = inner->analysis;
	if (!w_analyzer_quoted_secrets(walker->analyzer, &quoted))
		walker->has_hidden = true;
}

/* ---- here documents ---- */

/* Whether a shell reads commands from its input: no operand, or -s. */
static bool
reads_commands(const struct w_expanded *words, bool *out_is_bash)
{
	const char *name = words->argc > 0 ? w_basename(words->argv[0]) : "";

	*out_is_bash = strcmp(name, "bash") == 0;
	if (!*out_is_bash && strcmp(name, "sh") != 0 &&
	    strcmp(name, "dash") != 0)
		return false;
	for (size_t i = 1; i < words->argc; i++) {
		const char *word = words->argv[i];

		if (strcmp(word, "-s") == 0)
			return true;
		if (word[0] != '-' || word[1] == '\0' ||
		    word[1 + strspn(word + 1, "eux")] != '\0')
			return false;
	}
	return true;
}

/* A here document that is as it is written. */
static bool
is_verbatim(const struct w_shell_word *word, const char *text)
{
	for (const struct w_shell_part *part = word->parts; part != NULL;
	     part = part->next) {
		if (part->kind != W_PART_TEXT)
			return false;
	}
	return !word->is_continued && word->parts != NULL &&
	       word->parts->next == NULL &&
	       word->parts->len == word->end - word->offset &&
	       memcmp(word->parts->text, text + word->offset,
		   word->parts->len) == 0;
}

void
w_walker_here_documents(struct w_walker *walker,
    const struct w_shell_node *node, const struct w_expanded *words)
{
	struct w_analyzer *analyzer = walker->analyzer;
	struct w_shell_text text = *walker->shell;
	const struct w_command_context context = analyzer->context;
	const struct w_redirection *last = NULL;

	for (const struct w_redirection *one = node->redirections; one != NULL;
	     one = one->next) {
		if (one->kind == W_REDIRECT_HERE)
			last = one;
	}
	if (last == NULL || !reads_commands(words, &text.is_bash) ||
	    words->unseen_count > 0 ||
	    !is_verbatim(last->word, walker->shell->text))
		return;
	text.text += last->word->offset;
	text.len = last->word->end - last->word->offset;
	text.offset += last->word->offset;
	analyzer->context.bases = walker->state.now;
	analyzer->context.variables = walker->state.variables;
	analyzer->context.depth++;
	w_analyzer_shell(analyzer, &text);
	analyzer->context = context;
}
