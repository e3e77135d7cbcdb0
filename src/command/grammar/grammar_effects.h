/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_GRAMMAR_EFFECTS_H
#define W_COMMAND_GRAMMAR_EFFECTS_H

#include "command/grammar/grammar.h"

#define W_EFFECTS_ALL ((1U << W_EFFECT_COUNT) - 1)

/*
 * Every effect that some argv of this grammar could have by the command's
 * purpose: for annotations, which are hints. A command that can run any other,
 * or whose effects are not described, can have all of them. Options of the
 * levels above a sub-command, and what the description calls incidental, are
 * left out.
 */
unsigned w_grammar_purpose(const struct w_grammar *grammar);

#endif /* W_COMMAND_GRAMMAR_EFFECTS_H */
