/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_GRAMMAR_SCHEMA_H
#define W_COMMAND_GRAMMAR_SCHEMA_H

#include "command/grammar/grammar.h"

/* The input schema that a form is: with types, limits, words and the keywords
 * by which w_grammar_new() makes a form of it that renders the same. The texts
 * are those of the form, which must outlive the document. NULL: no memory. */
yyjson_mut_val *w_grammar_schema(
    yyjson_mut_doc *doc, const struct w_grammar *grammar);

#endif /* W_COMMAND_GRAMMAR_SCHEMA_H */
