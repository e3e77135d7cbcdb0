/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_GRAMMAR_PARAM_H
#define W_COMMAND_GRAMMAR_PARAM_H

#include "command/grammar/grammar.h"

/* A grammar while it is built, and where an error is. */
struct w_grammar_builder {
	struct w_grammar *grammar;
	yyjson_val *schema; /* the whole schema */
	yyjson_val *at;     /* the key or value at fault */
	writ_error *err;
};

/* Reads the keywords of one property into a zeroed parameter. References to
 * other properties are left to w_grammar_link(). */
writ_status w_grammar_param_read(struct w_grammar_builder *builder,
    yyjson_val *key, yyjson_val *schema, struct w_param *param);

/* Resolves conflicts, requirements and the members of sequences, once all
 * parameters are known. */
writ_status w_grammar_link(struct w_grammar_builder *builder);

/* Reads the type of the words of a property's values, if it has x-writ-type. */
struct w_grammar_reader;
writ_status w_grammar_read_type(const struct w_grammar_reader *in);

/* Fills in names and values for parsing, in a grammar made from a schema. Call
 * it once, last. false: no memory. */
bool w_grammar_complete(struct w_grammar *grammar);

/* Orders the parameters, once all are known. false: no memory. */
bool w_grammar_make_order(struct w_grammar *grammar);

/* Note that two parameters exclude each other, or that one needs the other;
 * then sort each list and drop duplicates. */
bool w_grammar_note_conflict(struct w_param *param, struct w_param *peer,
    const struct w_grammar *grammar);
bool w_grammar_note_need(struct w_param *param, struct w_param *peer,
    const struct w_grammar *grammar);
void w_grammar_sort_links(struct w_grammar *grammar);

#endif /* W_COMMAND_GRAMMAR_PARAM_H */
