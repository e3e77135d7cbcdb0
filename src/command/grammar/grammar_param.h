/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_GRAMMAR_PARAM_H
#define W_COMMAND_GRAMMAR_PARAM_H

#include "command/grammar/grammar.h"

/* A form in the making, and where to put what is wrong with it. */
struct w_grammar_builder {
	struct w_grammar *grammar;
	yyjson_val *schema; /* the whole one */
	yyjson_val *at;     /* the key or value at fault */
	writ_error *err;
};

/* Reads the keywords of one property into a parameter that is all zero. What
 * it says about other properties is left to w_grammar_link(). */
writ_status w_grammar_param_read(struct w_grammar_builder *builder,
    yyjson_val *key, yyjson_val *schema, struct w_param *param);

/* Resolves conflicts, what is required by another, and the members of
 * sequences, once all parameters can be found. */
writ_status w_grammar_link(struct w_grammar_builder *builder);

/* Reads the type of the words that a property's values are, when it says one
 * (x-writ-type). */
struct w_grammar_reader;
writ_status w_grammar_read_type(const struct w_grammar_reader *in);

/* Names and values as parsing needs them, of a form that is made from a schema.
 * To be called once, when all else is there. false: no memory. */
bool w_grammar_complete(struct w_grammar *grammar);

/* In which order parameters stand, once all are there. false: no memory. */
bool w_grammar_make_order(struct w_grammar *grammar);

/* That two parameters exclude each other, or that one needs the other; then,
 * once all is noted, each list in order and without repetition. */
bool w_grammar_note_conflict(struct w_param *param, struct w_param *peer,
    const struct w_grammar *grammar);
bool w_grammar_note_need(struct w_param *param, struct w_param *peer,
    const struct w_grammar *grammar);
void w_grammar_sort_links(struct w_grammar *grammar);

#endif /* W_COMMAND_GRAMMAR_PARAM_H */
