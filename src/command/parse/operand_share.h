/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_OPERAND_SHARE_H
#define W_COMMAND_OPERAND_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "command/grammar/grammar.h"

/*
 * How words are shared out among operands: each gets what it needs, then those
 * that can have one more, from the left, then the one that takes any number.
 * So what stands behind that one is counted from the end.
 */
struct w_operand_share {
	size_t needed;   /* by all together */
	size_t optional; /* how many can have one more */
	size_t lists;    /* how many take any number */
	size_t words;
	size_t for_optional; /* words that are left for these */
	size_t for_list;
	bool is_short; /* fewer words than needed: from left to right */
};

/* Counts an operand in. */
void w_operand_share_add(
    struct w_operand_share *share, const struct w_param *param);

/* Once all are counted in. is_short: nothing is missing, for instance because
 * more words will follow. */
void w_operand_share_begin(
    struct w_operand_share *share, size_t words, bool is_short);

/* How many words the next operand gets; they are asked for in their order. */
size_t w_operand_share_next(
    struct w_operand_share *share, const struct w_param *param);

#endif /* W_COMMAND_OPERAND_SHARE_H */
