/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_GRAMMAR_SCHEMA_H
#define W_COMMAND_GRAMMAR_SCHEMA_H

#include "command/grammar/grammar.h"

/* The input schema of a grammar, with types, limits, enums and the keywords
 * from which w_grammar_new() makes an equivalent grammar. Texts are borrowed
 * from the grammar, which must outlive the document. NULL: no memory. */
yyjson_mut_val *w_grammar_schema(
    yyjson_mut_doc *doc, const struct w_grammar *grammar);

#endif /* W_COMMAND_GRAMMAR_SCHEMA_H */
