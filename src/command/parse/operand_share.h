/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_OPERAND_SHARE_H
#define W_COMMAND_OPERAND_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "command/grammar/grammar.h"

/*
 * How words are distributed over operands: each gets what it needs, then those
 * that can take one more, from the left, then the one that takes any number. So
 * operands after that one are counted from the end.
 */
struct w_operand_share {
	size_t needed;   /* by all of them */
	size_t optional; /* how many can take one more */
	size_t lists;    /* how many take any number */
	size_t words;
	size_t for_optional; /* words left for these */
	size_t for_list;
	bool is_short; /* fewer words than needed: filled from the left */
};

/* Adds an operand. */
void w_operand_share_add(
    struct w_operand_share *share, const struct w_param *param);

/* Call it once all are added. is_short: missing words are accepted, for
 * instance because more will follow. */
void w_operand_share_begin(
    struct w_operand_share *share, size_t words, bool is_short);

/* How many words the next operand gets; call it in the order of the
 * operands. */
size_t w_operand_share_next(
    struct w_operand_share *share, const struct w_param *param);

#endif /* W_COMMAND_OPERAND_SHARE_H */
