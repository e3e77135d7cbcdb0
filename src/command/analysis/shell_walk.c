/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Walks through a shell text in the order in which it runs. Every simple
 * command is a nested command, redirections are touches of their command, and
 * shell state (directory, variables, functions) carries over from one command
 * to the next.
 *
 * Directories: "cd a && b" runs b in a. Where it is unknown whether cd worked
 * or ran, both directories apply. What is set in a part that may not run is
 * unknown behind it; what happens in another process (sub-shells, pipes,
 * substitutions, the background) is forgotten.
 */

#include "command/analysis/shell_walk.h"

#include <stdint.h>
#include <string.h>

/* A loop over more values is walked through once, with none of them. */
#define VALUES_MAX   8
#define UNROLLED_MAX 16

#define CALLS_MAX    16

static void walk_node(struct w_walker *walker, const struct w_shell_node *node);
static void walk_list(struct w_walker *walker, const struct w_shell_node *list);

/* In another process. */
void
w_walker_apart(struct w_walker *walker, const struct w_shell_node *list)
{
	const struct w_shell_walk before = walker->state;

	walker->state.seen = walker->state.now;
	walker->state.may_cd = !walker->analyzer->context.is_cd_unknown;
	walk_list(walker, list);
	walker->state = before;
}

/* ---- functions ---- */

static struct w_walker_function *
find_function(const struct w_walker *walker, const char *name)
{
	for (const struct w_shell_function *one = walker->state.functions;
	     one != NULL; one = one->next) {
		const size_t len = one->node->name_len;

		if (strlen(name) == len &&
		    memcmp(one->node->name, name, len) == 0)
			/* It is the first member. */
			return (struct w_walker_function *)(uintptr_t)one;
	}
	return NULL;
}

static void
walk_body(struct w_walker *walker, struct w_walker_function *one)
{
	const size_t conditions = walker->conditions;

	one->is_walked = true;
	one->is_active = true;
	walker->calls++;
	if (one->function.node->first != NULL)
		walk_node(walker, one->function.node->first);
	walker->calls--;
	one->is_active = false;
	walker->conditions = conditions;
	/* It may return early. */
	w_walker_join_bases(walker);
}

/* A call counts as what is in the function. */
static void
call_function(struct w_walker *walker, const struct w_shell_node *node,
    struct w_walker_function *one)
{
	const struct w_command_source *source =
	    walker->analyzer->shared->source;
	const struct w_shell_node *made = one->function.node;

	if (!one->function.is_certain ||
	    source->find(source->ctx, made->name, made->name_len) != NULL)
		w_walker_refuse(walker, node->offset,
		    "whether this is a function or a program is not certain");
	if (one->is_active || walker->calls >= CALLS_MAX) {
		/* What it sets and where it goes is not known any more. */
		w_analyzer_set_value(
		    walker->analyzer, &walker->state, NULL, 0, NULL);
		w_walker_refuse(walker, node->offset,
		    "a function that calls itself is not followed");
		return;
	}
	walk_body(walker, one);
}

static void
define_function(struct w_walker *walker, const struct w_shell_node *node)
{
	struct w_walker_function *one =
	    w_analyzer_alloc(walker->analyzer, 1, sizeof(*one));

	if (one == NULL || node->name == NULL)
		return;
	one->function = (struct w_shell_function){.node = node,
	    .is_certain = walker->conditions == 0,
	    .next = walker->state.functions};
	one->next = walker->defined;
	walker->defined = one;
	walker->state.functions = &one->function;
}

/* ---- commands of all kinds ---- */

static void
walk_redirections(struct w_walker *walker, const struct w_redirection *one)
{
	for (; one != NULL; one = one->next)
		w_walker_substitutions(walker, one->word);
}

static void
note_assignments(struct w_walker *walker, const struct w_shell_word *word)
{
	for (; word != NULL; word = word->next) {
		struct w_walker_assigned *one =
		    w_analyzer_alloc(walker->analyzer, 1, sizeof(*one));

		if (one == NULL)
			return;
		one->from = word->offset + word->name_len + 1;
		one->to = word->end;
		one->next = walker->assigned;
		walker->assigned = one;
	}
}

static void
walk_simple(struct w_walker *walker, const struct w_shell_node *node)
{
	struct w_expanded words;
	struct w_expanded assignments;

	w_walker_substitutions(walker, node->assignments);
	w_walker_substitutions(walker, node->words);
	walk_redirections(walker, node->redirections);
	if (!w_walker_expand(walker, node->words, false, &words) ||
	    !w_walker_expand(walker, node->assignments, true, &assignments))
		return;
	note_assignments(walker, node->assignments);
	struct w_walker_function *function =
	    words.argc > 0 ? find_function(walker, words.argv[0]) : NULL;
	if (function == NULL) {
		w_walker_run(walker, node, &assignments, &words);
		w_walker_here_documents(walker, node, &words);
		return;
	}
	if (node->redirections != NULL || assignments.argc > 0) {
		const struct w_expanded none = {.argc = 0};

		w_walker_run(walker, node, &assignments, &none);
	}
	call_function(walker, node, function);
}

/* Redirections around a compound command are those of a command without
 * words. */
static void
walk_around(struct w_walker *walker, const struct w_shell_node *node)
{
	const struct w_expanded none = {.argc = 0};
	bool has_file = false;

	walk_redirections(walker, node->redirections);
	for (const struct w_redirection *one = node->redirections; one != NULL;
	     one = one->next)
		has_file |= one->kind != W_REDIRECT_HERE;
	if (has_file)
		w_walker_run(walker, node, &none, &none);
}

/* Whether [[ ]] evaluates what a word holds, which could run something. */
static bool
is_evaluating(const char *word)
{
	static const char *const words[] = {
	    "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R", NULL};

	for (size_t i = 0; words[i] != NULL; i++) {
		if (strcmp(words[i], word) == 0)
			return true;
	}
	return false;
}

static void
walk_test(struct w_walker *walker, const struct w_shell_node *node)
{
	struct w_expanded words;

	w_walker_substitutions(walker, node->words);
	if (!w_walker_expand(walker, node->words, true, &words))
		return;
	for (size_t i = 0; i < words.argc; i++) {
		if (is_evaluating(words.argv[i]) &&
		    (words.unseen_count > 0 || words.argv[i][2] == '\0'))
			w_walker_refuse(walker, node->offset,
			    "'[[' evaluates what a variable holds");
	}
	walk_around(walker, node);
}

static void
walk_branches(struct w_walker *walker, const struct w_shell_node *node)
{
	const struct w_shell_value *base = walker->state.values;

	walker->conditions++;
	for (const struct w_shell_node *list = node->first; list != NULL;
	     list = list->next) {
		w_walker_substitutions(
		    walker, node->kind == W_NODE_CASE ? list->words : NULL);
		walk_list(walker, list);
		w_walker_forget(walker, base);
		base = walker->state.values;
		w_walker_join_bases(walker);
	}
	walker->conditions--;
}

/* What is set in a loop is not known in it, either: it may be run again. */
static void
walk_repeated(struct w_walker *walker, const struct w_shell_node *lists)
{
	const bool may_cd = walker->state.may_cd;

	walker->conditions++;
	for (const struct w_shell_node *list = lists; list != NULL;
	     list = list->next) {
		if (list->may_change || walker->parsed->has_functions) {
			walker->state.may_cd = false;
			w_analyzer_set_value(
			    walker->analyzer, &walker->state, NULL, 0, NULL);
		}
	}
	for (const struct w_shell_node *list = lists; list != NULL;
	     list = list->next) {
		const struct w_shell_value *base = walker->state.values;

		walk_list(walker, list);
		w_walker_forget(walker, base);
		w_walker_join_bases(walker);
	}
	walker->conditions--;
	walker->state.may_cd = may_cd;
}

/* The value that a loop gives its variable; *names_at as in struct
 * w_shell_value. false: it is not known. */
static bool
is_loop_value(const struct w_expanded *words, size_t i, size_t *out_names_at)
{
	const char *word = words->argv[i];
	const size_t len = strlen(word);

	*out_names_at = len;
	for (size_t k = 0; k < words->unseen_count; k++) {
		const struct w_unseen *one = &words->unseen[k];

		if (one->at < word || one->at >= word + len)
			continue;
		if (one->kind != W_UNSEEN_NAMES)
			return false;
		if ((size_t)(one->at - word) < *out_names_at)
			*out_names_at = (size_t)(one->at - word);
	}
	return true;
}

static void
walk_for(struct w_walker *walker, const struct w_shell_node *node)
{
	const struct w_shell_value *base = walker->state.values;
	const size_t unrolled = walker->unrolled;
	struct w_expanded words;

	w_walker_substitutions(walker, node->words);
	if (!w_walker_expand(walker, node->words, false, &words))
		return;
	const size_t count = words.argc;
	bool is_each = node->has_values && count > 0 && count <= VALUES_MAX &&
		       unrolled * count <= UNROLLED_MAX;
	for (size_t i = 0; i < (is_each ? count : 1); i++) {
		struct w_shell_value value = {.value = NULL};
		size_t names_at = 0;

		walker->unrolled = is_each ? unrolled * count : unrolled;
		if (is_each && is_loop_value(&words, i, &names_at)) {
			value.value = words.argv[i];
			value.names_at = names_at;
		}
		/* Behind the barrier of what the body sets. */
		if (node->first != NULL &&
		    (node->first->may_change || walker->parsed->has_functions))
			w_analyzer_set_value(
			    walker->analyzer, &walker->state, NULL, 0, NULL);
		if (node->name != NULL)
			w_analyzer_set_value(walker->analyzer, &walker->state,
			    node->name, node->name_len,
			    value.value == NULL ? NULL : &value);
		const bool may_cd = walker->state.may_cd;
		if (node->first != NULL && node->first->may_change)
			walker->state.may_cd = false;
		walker->conditions++;
		if (node->first != NULL)
			walk_list(walker, node->first);
		walker->conditions--;
		walker->state.may_cd = may_cd;
		w_walker_forget(walker, base);
		w_walker_join_bases(walker);
	}
	walker->unrolled = unrolled;
}

static void
walk_node(struct w_walker *walker, const struct w_shell_node *node)
{
	if (++walker->steps > W_WALKER_STEPS_MAX) {
		w_walker_refuse(walker, node->offset,
		    "there are too many commands in one, or too deep");
		return;
	}
	switch (node->kind) {
	case W_NODE_SIMPLE:
		walk_simple(walker, node);
		return;
	case W_NODE_FUNCTION:
		define_function(walker, node);
		return;
	case W_NODE_TEST:
		walk_test(walker, node);
		return;
	case W_NODE_LIST:
		walk_list(walker, node);
		return;
	case W_NODE_SUBSHELL:
		walk_around(walker, node);
		if (node->first != NULL)
			w_walker_apart(walker, node->first);
		return;
	case W_NODE_GROUP:
		walk_around(walker, node);
		if (node->first != NULL)
			walk_list(walker, node->first);
		return;
	case W_NODE_IF:
		walk_around(walker, node);
		walk_branches(walker, node);
		return;
	case W_NODE_CASE:
		walk_around(walker, node);
		w_walker_substitutions(walker, node->words);
		walk_branches(walker, node);
		return;
	case W_NODE_LOOP:
		walk_around(walker, node);
		walk_repeated(walker, node->first);
		return;
	case W_NODE_FOR:
		walk_around(walker, node);
		walk_for(walker, node);
		return;
	case W_NODE_OTHER:
		walk_around(walker, node);
		w_walker_substitutions(walker, node->words);
		w_analyzer_set_value(
		    walker->analyzer, &walker->state, NULL, 0, NULL);
		return;
	}
}

/* ---- lists ---- */

/* The last command of the list up to the next ";" or "&". */
static const struct w_shell_node *
end_of_chain(const struct w_shell_node *node)
{
	while (node->next != NULL && (node->control == W_CONTROL_PIPE ||
					 node->control == W_CONTROL_AND ||
					 node->control == W_CONTROL_OR))
		node = node->next;
	return node;
}

/* Commands joined by "&&", "||" and "|". */
static void
walk_chain(struct w_walker *walker, const struct w_shell_node *node,
    const struct w_shell_node *end)
{
	const struct w_shell_node *previous = NULL;
	const struct w_shell_value *base = NULL;
	const size_t conditions = walker->conditions;
	bool is_loose = false;

	for (;; previous = node, node = node->next) {
		const bool is_piped =
		    node->control == W_CONTROL_PIPE ||
		    (previous != NULL && previous->control == W_CONTROL_PIPE);
		const struct w_shell_walk before = walker->state;

		if (is_loose)
			w_walker_join_bases(walker);
		walk_node(walker, node);
		if (is_piped)
			walker->state = before;
		if (previous == NULL)
			base = walker->state.values;
		is_loose |= node->control == W_CONTROL_OR || node->is_negated ||
			    node->kind != W_NODE_SIMPLE;
		if (node->control == W_CONTROL_OR)
			w_walker_forget(walker, base);
		if (node == end)
			break;
		walker->conditions = conditions + 1;
	}
	walker->conditions = conditions;
	/* What follows the first one may not run. */
	if (previous != NULL)
		w_walker_forget(walker, base);
	w_walker_join_bases(walker);
}

static void
walk_list(struct w_walker *walker, const struct w_shell_node *list)
{
	const struct w_shell_node *node = list->first;

	while (node != NULL && !walker->analyzer->shared->is_out_of_memory) {
		const struct w_shell_node *end = end_of_chain(node);
		const struct w_shell_walk before = walker->state;

		walk_chain(walker, node, end);
		if (end->control == W_CONTROL_BACKGROUND) {
			walker->state = before;
			walker->analyzer->analysis->has_background = true;
		}
		node = end->next;
	}
}

/* ---- the text ---- */

/* Functions that nothing here calls may be called by what is not seen. */
static void
walk_uncalled(struct w_walker *walker)
{
	for (struct w_walker_function *one = walker->defined; one != NULL;
	     one = one->next) {
		const struct w_shell_walk before = walker->state;

		if (one->is_walked)
			continue;
		walker->state.may_cd = false;
		w_analyzer_set_value(
		    walker->analyzer, &walker->state, NULL, 0, NULL);
		walk_body(walker, one);
		walker->state = before;
	}
}

/* A secret that came from a variable is where the variable is set. */
static void
hide_assignments(struct w_walker *walker)
{
	for (const struct w_walker_assigned *one = walker->assigned;
	     one != NULL; one = one->next)
		w_analyzer_shell_secret(walker->analyzer, walker->shell,
		    one->from,
		    one->from +
			w_shell_plain_len(walker->shell->text + one->from,
			    one->to - one->from));
	w_analyzer_guessed_secrets(walker->analyzer, walker->shell);
}

void
w_analyzer_walk(struct w_analyzer *analyzer, const struct w_shell_text *shell,
    const struct w_shell *parsed)
{
	struct w_walker walker = {.analyzer = analyzer,
	    .shell = shell,
	    .parsed = parsed,
	    .unrolled = 1,
	    .state = {.now = analyzer->context.bases,
		.seen = analyzer->context.bases,
		.variables = analyzer->context.variables,
		.may_cd = !analyzer->context.is_cd_unknown}};
	const struct w_command_context context = analyzer->context;

	analyzer->context.unseen_count = 0;
	walk_list(&walker, parsed->list);
	walk_uncalled(&walker);
	if (walker.has_hidden)
		hide_assignments(&walker);
	/* Where its commands are is certain only in what is understood. */
	if (walker.has_unseen && !analyzer->analysis->is_understood)
		w_analyzer_guessed_secrets(analyzer, shell);
	analyzer->context = context;
}
