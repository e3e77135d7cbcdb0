/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The analysis of an argv. The outermost analysis owns the memory of all nested
 * ones; only what the parser and the shell reader own is freed separately.
 */

#include "command/analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "command/analysis/analyzer.h"

/* Enough for most analyses. */
#define FIRST_BYTES 1536

/* The outermost analysis, with what has to be freed. */
struct outermost {
	struct w_analysis analysis; /* first: the caller has a pointer to it */
	struct w_parsed_shell *shells;
	size_t first[FIRST_BYTES / sizeof(size_t)]; /* of the arena */
};

/* Recursion is bounded by W_ANALYSIS_DEPTH_MAX. */
void
w_analysis_release(struct w_analysis *analysis)
{
	for (size_t i = 0; i < analysis->inner_count; i++)
		w_analysis_release(analysis->inner[i].analysis);
	if (analysis->parse.grammar != NULL)
		w_argv_parse_done(&analysis->parse);
}

void
w_analysis_free(struct w_analysis *analysis)
{
	struct outermost *outer = (struct outermost *)analysis;

	if (analysis == NULL)
		return;
	w_analysis_release(analysis);
	for (struct w_parsed_shell *one = outer->shells; one != NULL;
	     one = one->next)
		w_shell_done(&one->shell);
	w_arena_done(&analysis->arena);
	free(outer);
}

static void
analysis_judge(
    struct w_analyzer *analyzer, const struct w_analysis_input *input)
{
	struct w_analysis *analysis = analyzer->analysis;
	const char *const *variable = input->env;
	const struct w_source_place from = {.word = analysis->argc};

	for (; variable != NULL && *variable != NULL; variable++)
		w_analyzer_assign(analyzer, *variable, &from);
	if (input->shell == NULL) {
		w_analyzer_run(analyzer);
		return;
	}
	const struct w_shell_text shell = {.text = input->shell,
	    .len = strlen(input->shell),
	    .is_bash = input->is_bash};
	w_analyzer_shell(analyzer, &shell);
}

writ_status
w_analysis_new(const struct w_command_source *source,
    const struct w_analysis_input *input, struct w_analysis **out_analysis,
    writ_error *err)
{
	struct outermost *outer = calloc(1, sizeof(*outer));

	if (outer == NULL)
		return w_fail_nomem(err, "meaning");
	struct w_analysis *analysis = &outer->analysis;
	struct w_analysis_shared state = {
	    .source = source, .arena = &analysis->arena};
	struct w_analyzer analyzer = {.shared = &state,
	    .analysis = analysis,
	    .context = {.bases = {.paths = {""}, .count = 1},
		.how = input->has_terminal ? W_INNER_TERMINAL : 0}};
	analysis->arena.at = (char *)outer->first;
	analysis->arena.left = sizeof(outer->first);
	analysis->is_understood = true;
	analysis->is_itself_understood = true;
	analysis->shell = input->shell;
	if (input->shell == NULL) {
		analysis->argv = input->argv;
		analysis->argc = input->argc;
	}
	analysis_judge(&analyzer, input);
	outer->shells = state.shells;
	if (state.is_out_of_memory) {
		w_analysis_free(analysis);
		return w_fail_nomem(err, "meaning");
	}
	*out_analysis = analysis;
	return WRIT_OK;
}

bool
w_analysis_needs_network(const struct w_analysis *analysis)
{
	const unsigned abroad = W_EFFECT_NET | W_EFFECT_PUBLISH;

	return analysis->needs_network ||
	       (analysis->effects & abroad) == W_EFFECT_PUBLISH;
}
