/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What an argv means. The outermost meaning owns the memory of all that are
 * inside it; only what parsing and the shell reader own themselves is given
 * back one by one.
 */

#include "module/meaning.h"

#include <stdlib.h>
#include <string.h>

#include "module/meaning_frame.h"

/* Most meanings need no more. */
#define FIRST_BYTES 1536

/* The outermost, with what has to be given back. */
struct outermost {
	struct w_meaning meaning; /* first: it is what the caller has */
	struct w_taken_apart *shells;
	size_t first[FIRST_BYTES / sizeof(size_t)]; /* of the arena */
};

/* No deeper than commands may be in commands. */
void
w_frame_done(struct w_meaning *meaning)
{
	for (size_t i = 0; i < meaning->inner_count; i++)
		w_frame_done(meaning->inner[i].meaning);
	if (meaning->parse.form != NULL)
		w_parse_done(&meaning->parse);
}

void
w_meaning_free(struct w_meaning *meaning)
{
	struct outermost *outer = (struct outermost *)meaning;

	if (meaning == NULL)
		return;
	w_frame_done(meaning);
	for (struct w_taken_apart *one = outer->shells; one != NULL;
	     one = one->next)
		w_shell_done(&one->shell);
	w_arena_done(&meaning->arena);
	free(outer);
}

static void
judge(struct w_frame *frame, const struct w_meaning_input *input)
{
	struct w_meaning *meaning = frame->meaning;
	const char *const *variable = input->env;
	const struct w_source_place from = {.word = meaning->argc};

	for (; variable != NULL && *variable != NULL; variable++)
		w_frame_assign(frame, *variable, &from);
	if (input->shell == NULL) {
		w_frame_judge(frame);
		return;
	}
	const struct w_shell_text shell = {
	    .text = input->shell, .len = strlen(input->shell)};
	w_frame_shell(frame, &shell);
}

writ_status
w_meaning_new(const struct w_command_source *source,
    const struct w_meaning_input *input, struct w_meaning **out_meaning,
    writ_error *err)
{
	struct outermost *outer = calloc(1, sizeof(*outer));

	if (outer == NULL)
		return w_fail_nomem(err, "meaning");
	struct w_meaning *meaning = &outer->meaning;
	struct w_judge state = {.source = source, .arena = &meaning->arena};
	struct w_frame frame = {.judge = &state,
	    .meaning = meaning,
	    .setting = {.bases = {.paths = {""}, .count = 1},
		.how = input->has_terminal ? W_INNER_TERMINAL : 0}};
	meaning->arena.at = (char *)outer->first;
	meaning->arena.left = sizeof(outer->first);
	meaning->is_understood = true;
	meaning->is_itself_understood = true;
	meaning->shell = input->shell;
	if (input->shell == NULL) {
		meaning->argv = input->argv;
		meaning->argc = input->argc;
	}
	judge(&frame, input);
	outer->shells = state.shells;
	if (state.is_out_of_memory) {
		w_meaning_free(meaning);
		return w_fail_nomem(err, "meaning");
	}
	*out_meaning = meaning;
	return WRIT_OK;
}
