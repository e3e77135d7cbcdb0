/* SPDX-License-Identifier: Apache-2.0 */

/* Assigns words to operands by counting. */

#include "command/parse/operand_share.h"

void
w_operand_share_add(struct w_operand_share *share, const struct w_param *param)
{
	share->needed += param->min_count;
	if (param->is_repeatable)
		share->lists++;
	else if (param->min_count == 0)
		share->optional++;
}

void
w_operand_share_begin(
    struct w_operand_share *share, size_t words, bool is_short)
{
	size_t spare = words > share->needed ? words - share->needed : 0;

	share->words = words;
	share->is_short = is_short;
	share->for_optional = spare < share->optional ? spare : share->optional;
	share->for_list = share->lists > 0 ? spare - share->for_optional : 0;
}

size_t
w_operand_share_next(struct w_operand_share *share, const struct w_param *param)
{
	size_t take = param->min_count;

	if (share->is_short) {
		/* Too few words: the last operands get none. */
		take = param->is_repeatable ? share->words : 1;
	} else if (param->is_repeatable) {
		take += share->for_list;
		share->for_list = 0;
	} else if (take == 0 && share->for_optional > 0) {
		take = 1;
		share->for_optional--;
	}
	if (take > share->words)
		take = share->words;
	share->words -= take;
	return take;
}
