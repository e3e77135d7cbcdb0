/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_GRAMMAR_SECRET_H
#define W_COMMAND_GRAMMAR_SECRET_H

#include "command/grammar/grammar.h"

/* Marks the parameters whose values the schema calls secret, in whole or in
 * part, and the grammar if that may apply to keys that it does not list. */
void w_grammar_mark_secrets(struct w_grammar *grammar, yyjson_val *schema);

#endif /* W_COMMAND_GRAMMAR_SECRET_H */
