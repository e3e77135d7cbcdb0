/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_GRAMMAR_EFFECTS_H
#define W_COMMAND_GRAMMAR_EFFECTS_H

#include "command/grammar/grammar.h"

#define W_EFFECTS_ALL ((1U << W_EFFECT_COUNT) - 1)

/*
 * Every effect that some argv of this form could have by what the command is
 * for: for annotations, which are hints. What can run any command, or of which
 * nobody has said what it does, can have all of them. Left out are options of
 * the levels above a sub-command, and what the description calls incidental.
 */
unsigned w_grammar_purpose(const struct w_grammar *grammar);

#endif /* W_COMMAND_GRAMMAR_EFFECTS_H */
