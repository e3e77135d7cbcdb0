/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_RENDERER_H
#define W_COMMAND_RENDERER_H

#include "command/parse/argv_parse.h"
#include "command/render/argument.h"
#include "command/render/render.h"

/* The value given for a parameter. */
struct w_given {
	yyjson_val *val;
	bool is_effective; /* by itself, or as a step of a sequence */
};

/* An argv while it is rendered. */
struct w_renderer {
	const struct w_grammar *grammar;
	yyjson_val *args;
	struct w_given *given; /* by index of the parameter */
	size_t unlisted;       /* keys that the grammar does not list */
	size_t cursor;         /* in the order of the grammar */
	size_t first;          /* the word after the names of the command */
	bool has_ended;        /* no following word is an option */
	bool has_dashes;       /* because of "--" */
	bool is_described;     /* by a command description: the result is parsed
				  back */
	struct w_match *notes; /* what each word is meant to be */
	size_t note_count;
	size_t flag_from; /* words of the JSON flag, which is not in the
			     input */
	size_t flag_to;
	struct w_words words;
	struct w_argument now; /* the current argument */
};

/* The parameter of a key of the input; NULL: the grammar does not list it. */
const struct w_param *w_renderer_find(
    const struct w_renderer *render, yyjson_val *key);

/* Reads one step of a sequence, {"key": value}. */
writ_status w_renderer_step(const struct w_renderer *render, yyjson_val *step,
    const struct w_param **out_param, yyjson_val **out_val);

writ_status w_renderer_refuse_key(
    const struct w_renderer *render, yyjson_val *key);

writ_status w_renderer_add(
    struct w_renderer *render, const char *word, size_t len);

/* Notes what a word is meant to be, if the argv will be parsed back. */
writ_status w_renderer_note(
    struct w_renderer *render, const struct w_match *match);

/* Parses all of it back. The first words are fixed. */
writ_status w_renderer_check(const struct w_renderer *render, size_t fixed);

/* Adds the words of one option or operand, in that slot. */
writ_status w_renderer_value(struct w_renderer *render,
    const struct w_param *param, enum w_slot slot, yyjson_val *val);

/* Adds a list of steps, each by its own parameter. */
writ_status w_renderer_sequence(struct w_renderer *render, yyjson_val *steps);

/* Adds "--", unless it is already there. */
writ_status w_renderer_add_dashes(struct w_renderer *render);

/* Adds it if one of the trailing operands needs it. */
writ_status w_renderer_end_options(struct w_renderer *render);

/* Whether an operand added now might be taken for an option. */
bool w_renderer_is_risky(const struct w_renderer *render,
    const struct w_param *param, yyjson_val *val);

/* Whether words after "--" are different operands. */
bool w_renderer_parts_operands(const struct w_grammar *grammar);

/* Adds a nested command, or several: each a list of words. */
writ_status w_renderer_commands(
    struct w_renderer *render, const struct w_param *param, yyjson_val *val);

/* Adds all words, in command-line order. */
writ_status w_renderer_words(
    struct w_renderer *render, const struct w_render_plan *plan);

#endif /* W_COMMAND_RENDERER_H */
