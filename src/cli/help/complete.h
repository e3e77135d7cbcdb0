/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_COMPLETE_H
#define W_CLI_COMPLETE_H

#include "base/buf.h"

/*
 * The answer of `writ __complete`: what the last word of a command line may
 * be. The first line is for the shell's script and always there, so that no
 * candidate can be taken for it:
 *
 *     :                   the candidates are all there is
 *     :files [HEAD]       files too; the word begins with HEAD, then a path
 *     :directories [HEAD] likewise
 *     :users [HEAD]       and so on: what shells complete better
 *     :groups [HEAD]
 *     :command [HEAD]     the name of a program
 *     :program N          word N, counted from 0, is a program, and this word
 *                         is one of its arguments
 *
 * Each other line is a candidate: a whole word, then a tab and its description
 * if it has one. They are not limited to those that begin like the word:
 * shells differ in what matches.
 */
struct w_complete_answer {
	struct w_buf first; /* without the newline */
	struct w_buf rows;
};

/* Adds a candidate, head followed by word. about: its description, of which
 * the first sentence is shown; NULL: none. A candidate that one line cannot
 * hold is left out. */
void w_complete_add(struct w_complete_answer *answer, const char *head,
    const char *word, const char *about);

/* Makes the shell complete something itself, like "files". */
void w_complete_leave(
    struct w_complete_answer *answer, const char *kind, const char *head);

/* Adds the values that w_option.words stands for. The word is head, which
 * stays as it is, and rest. */
void w_complete_add_values(struct w_complete_answer *answer, const char *words,
    const char *head, const char *rest);

/* Adds the arguments of a module, or the values of the one at the end. before
 * is the word before the last one. */
void w_complete_add_module(struct w_complete_answer *answer, const char *id,
    const char *before, const char *word);

/* The scripts of completions/. */
extern const char w_complete_bash[];
extern const char w_complete_zsh[];
extern const char w_complete_fish[];

#endif /* W_CLI_COMPLETE_H */
