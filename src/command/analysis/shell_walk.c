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

#include <string.h>

#include "base/basename.h"
#include "command/analysis/analyzer.h"

/* A loop over more values is walked through once, with none of them. */
#define VALUES_MAX   4
#define UNROLLED_MAX 16

/* Of a walk: nodes are walked again for calls and values. */
#define STEPS_MAX  20000
#define CALLS_MAX  16
#define PIECES_MAX 400000

/* One text while it is walked through. */
struct walker {
	struct w_analyzer *analyzer;
	const struct w_shell_text *shell;
	const struct w_shell *parsed;
	struct w_shell_walk state;
	struct defined *defined; /* all functions, newest first */
	size_t steps;
	size_t calls;
	size_t unrolled;   /* how often the current loops are repeated */
	size_t conditions; /* around what is walked */
	size_t pieces;     /* words that were expanded */
	bool has_hidden;   /* secrets are in variables */
	bool has_unseen;   /* a word is known only when it runs */
	struct assigned *assigned;
};

/* Where a value is in the text. */
struct assigned {
	size_t from;
	size_t to;
	struct assigned *next;
};

/* A function, and whether it was called. */
struct defined {
	struct w_shell_function function;
	bool is_walked;
	bool is_active;
	struct defined *next;
};

static void walk_node(struct walker *walker, const struct w_shell_node *node);
static void walk_list(struct walker *walker, const struct w_shell_node *list);

/* ---- state ---- */

static void
join_bases(struct walker *walker)
{
	walker->state.now = walker->state.seen;
}

/* What a branch has set is not known behind it. */
static void
forget(struct walker *walker, const struct w_shell_value *base)
{
	const struct w_shell_value *branch = walker->state.values;

	walker->state.values = base;
	for (; branch != NULL && branch != base; branch = branch->next)
		w_analyzer_set_value(walker->analyzer, &walker->state,
		    branch->name, branch->name_len, NULL);
}

static void
refuse_at(struct walker *walker, size_t at, const char *why)
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

/* In another process. */
static void
walk_apart(struct walker *walker, const struct w_shell_node *list)
{
	const struct w_shell_walk before = walker->state;

	walker->state.seen = walker->state.now;
	walker->state.may_cd = !walker->analyzer->context.is_cd_unknown;
	walk_list(walker, list);
	walker->state = before;
}

static void
walk_substitutions(struct walker *walker, const struct w_shell_word *words)
{
	for (; words != NULL; words = words->next) {
		for (const struct w_shell_node *list = words->commands;
		     list != NULL; list = list->next)
			walk_apart(walker, list);
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
static bool
expand(struct walker *walker, const struct w_shell_word *words,
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
		refuse_at(walker, words == NULL ? 0 : words->offset,
		    "there are too many words");
		walker->steps = STEPS_MAX;
		words = NULL;
	}
	if (!w_shell_expand(&expander, words, are_assignments, out)) {
		walker->analyzer->shared->is_out_of_memory = true;
		return false;
	}
	walker->has_unseen |= out->unseen_count > 0;
	if (expander.refusal != NULL)
		refuse_at(walker, expander.refusal_offset, expander.refusal);
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
analyze_redirections(struct walker *walker, struct w_analyzer *inside,
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
		    !expand(walker, one->word, true, &path) || path.argc != 1 ||
		    shell_walk_is_stream(path.argv[0]))
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
assign(struct walker *walker, struct w_analyzer *inside,
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
analyze_part(struct walker *walker, struct w_analyzer *inside,
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

static void
run_part(struct walker *walker, const struct w_shell_node *node,
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
		walker->steps = STEPS_MAX;
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

static void
walk_here_documents(struct walker *walker, const struct w_shell_node *node,
    const struct w_expanded *words)
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

/* ---- functions ---- */

static struct defined *
find_function(const struct walker *walker, const char *name)
{
	for (const struct w_shell_function *one = walker->state.functions;
	     one != NULL; one = one->next) {
		const size_t len = one->node->name_len;

		if (strlen(name) == len &&
		    memcmp(one->node->name, name, len) == 0)
			/* It is the first member. */
			return (struct defined *)(uintptr_t)one;
	}
	return NULL;
}

static void
walk_body(struct walker *walker, struct defined *one)
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
	join_bases(walker);
}

/* A call counts as what is in the function. */
static void
call_function(
    struct walker *walker, const struct w_shell_node *node, struct defined *one)
{
	const struct w_command_source *source =
	    walker->analyzer->shared->source;
	const struct w_shell_node *made = one->function.node;

	if (!one->function.is_certain ||
	    source->find(source->ctx, made->name, made->name_len) != NULL)
		refuse_at(walker, node->offset,
		    "whether this is a function or a program is not certain");
	if (one->is_active || walker->calls >= CALLS_MAX) {
		/* What it sets and where it goes is not known any more. */
		w_analyzer_set_value(
		    walker->analyzer, &walker->state, NULL, 0, NULL);
		refuse_at(walker, node->offset,
		    "a function that calls itself is not followed");
		return;
	}
	walk_body(walker, one);
}

static void
define_function(struct walker *walker, const struct w_shell_node *node)
{
	struct defined *one =
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
walk_redirections(struct walker *walker, const struct w_redirection *one)
{
	for (; one != NULL; one = one->next)
		walk_substitutions(walker, one->word);
}

static void
note_assignments(struct walker *walker, const struct w_shell_word *word)
{
	for (; word != NULL; word = word->next) {
		struct assigned *one =
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
walk_simple(struct walker *walker, const struct w_shell_node *node)
{
	struct w_expanded words;
	struct w_expanded assignments;

	walk_substitutions(walker, node->assignments);
	walk_substitutions(walker, node->words);
	walk_redirections(walker, node->redirections);
	if (!expand(walker, node->words, false, &words) ||
	    !expand(walker, node->assignments, true, &assignments))
		return;
	note_assignments(walker, node->assignments);
	struct defined *function =
	    words.argc > 0 ? find_function(walker, words.argv[0]) : NULL;
	if (function == NULL) {
		run_part(walker, node, &assignments, &words);
		walk_here_documents(walker, node, &words);
		return;
	}
	if (node->redirections != NULL || assignments.argc > 0) {
		const struct w_expanded none = {.argc = 0};

		run_part(walker, node, &assignments, &none);
	}
	call_function(walker, node, function);
}

/* Redirections around a compound command are those of a command without
 * words. */
static void
walk_around(struct walker *walker, const struct w_shell_node *node)
{
	const struct w_expanded none = {.argc = 0};
	bool has_file = false;

	walk_redirections(walker, node->redirections);
	for (const struct w_redirection *one = node->redirections; one != NULL;
	     one = one->next)
		has_file |= one->kind != W_REDIRECT_HERE;
	if (has_file)
		run_part(walker, node, &none, &none);
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
walk_test(struct walker *walker, const struct w_shell_node *node)
{
	struct w_expanded words;

	walk_substitutions(walker, node->words);
	if (!expand(walker, node->words, true, &words))
		return;
	for (size_t i = 0; i < words.argc; i++) {
		if (is_evaluating(words.argv[i]) &&
		    (words.unseen_count > 0 || words.argv[i][2] == '\0'))
			refuse_at(walker, node->offset,
			    "'[[' evaluates what a variable holds");
	}
	walk_around(walker, node);
}

static void
walk_branches(struct walker *walker, const struct w_shell_node *node)
{
	const struct w_shell_value *base = walker->state.values;

	walker->conditions++;
	for (const struct w_shell_node *list = node->first; list != NULL;
	     list = list->next) {
		walk_substitutions(
		    walker, node->kind == W_NODE_CASE ? list->words : NULL);
		walk_list(walker, list);
		forget(walker, base);
		base = walker->state.values;
		join_bases(walker);
	}
	walker->conditions--;
}

/* What is set in a loop is not known in it, either: it may be run again. */
static void
walk_repeated(struct walker *walker, const struct w_shell_node *lists)
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
		forget(walker, base);
		join_bases(walker);
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
walk_for(struct walker *walker, const struct w_shell_node *node)
{
	const struct w_shell_value *base = walker->state.values;
	const size_t unrolled = walker->unrolled;
	struct w_expanded words;

	walk_substitutions(walker, node->words);
	if (!expand(walker, node->words, false, &words))
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
		forget(walker, base);
		join_bases(walker);
	}
	walker->unrolled = unrolled;
}

static void
walk_node(struct walker *walker, const struct w_shell_node *node)
{
	if (++walker->steps > STEPS_MAX) {
		refuse_at(walker, node->offset,
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
			walk_apart(walker, node->first);
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
		walk_substitutions(walker, node->words);
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
		walk_substitutions(walker, node->words);
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
walk_chain(struct walker *walker, const struct w_shell_node *node,
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
			join_bases(walker);
		walk_node(walker, node);
		if (is_piped)
			walker->state = before;
		if (previous == NULL)
			base = walker->state.values;
		is_loose |= node->control == W_CONTROL_OR || node->is_negated ||
			    node->kind != W_NODE_SIMPLE;
		if (node->control == W_CONTROL_OR)
			forget(walker, base);
		if (node == end)
			break;
		walker->conditions = conditions + 1;
	}
	walker->conditions = conditions;
	/* What follows the first one may not run. */
	if (previous != NULL)
		forget(walker, base);
	join_bases(walker);
}

static void
walk_list(struct walker *walker, const struct w_shell_node *list)
{
	const struct w_shell_node *node = list->first;

	while (node != NULL && !walker->analyzer->shared->is_out_of_memory) {
		const struct w_shell_node *end = end_of_chain(node);
		const struct w_shell_walk before = walker->state;

		walk_chain(walker, node, end);
		if (end->control == W_CONTROL_BACKGROUND)
			walker->state = before;
		node = end->next;
	}
}

/* ---- the text ---- */

/* Functions that nothing here calls may be called by what is not seen. */
static void
walk_uncalled(struct walker *walker)
{
	for (struct defined *one = walker->defined; one != NULL;
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
hide_assignments(struct walker *walker)
{
	for (const struct assigned *one = walker->assigned; one != NULL;
	     one = one->next)
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
	struct walker walker = {.analyzer = analyzer,
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
