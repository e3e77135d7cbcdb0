/* SPDX-License-Identifier: Apache-2.0 */

/* Functions on the bits of whole numbers. */

#include "expr/eval/eval.h"

static writ_status
want_numbers(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args)
{
	writ_status status = WRIT_OK;

	for (unsigned i = 0; status == WRIT_OK && i < call->as.list.count; i++)
		status = w_function_want(eval, call, args, i, W_VALUE_INT);
	return status;
}

static void
put_bits(uint64_t bits, struct w_value *out_value)
{
	*out_value =
	    (struct w_value){.kind = W_VALUE_INT, .as.integer = (int64_t)bits};
}

W_FUNCTION(bitand)
{
	writ_status status = want_numbers(eval, call, args);

	put_bits((uint64_t)args[0].as.integer & (uint64_t)args[1].as.integer,
	    out_value);
	return status;
}

W_FUNCTION(bitor)
{
	writ_status status = want_numbers(eval, call, args);

	put_bits((uint64_t)args[0].as.integer | (uint64_t)args[1].as.integer,
	    out_value);
	return status;
}

W_FUNCTION(bitxor)
{
	writ_status status = want_numbers(eval, call, args);

	put_bits((uint64_t)args[0].as.integer ^ (uint64_t)args[1].as.integer,
	    out_value);
	return status;
}

W_FUNCTION(bitnot)
{
	writ_status status = want_numbers(eval, call, args);

	put_bits(~(uint64_t)args[0].as.integer, out_value);
	return status;
}

/* A shift by 64 or more leaves nothing. */
static writ_status
shift(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, bool is_left, struct w_value *out_value)
{
	writ_status status = want_numbers(eval, call, args);

	if (status != WRIT_OK)
		return status;
	const int64_t by = args[1].as.integer;
	const int64_t number = args[0].as.integer;
	if (by < 0)
		return w_eval_fail(eval, call->as.list.items[1],
		    "%s() cannot shift by a negative number",
		    call->as.list.function->name);
	if (is_left)
		put_bits(by > 63 ? 0 : (uint64_t)number << by, out_value);
	else if (number < 0)
		put_bits(by > 63 ? UINT64_MAX : ~(~(uint64_t)number >> by),
		    out_value);
	else
		put_bits(by > 63 ? 0 : (uint64_t)number >> by, out_value);
	return WRIT_OK;
}

W_FUNCTION(bitshl)
{
	return shift(eval, call, args, true, out_value);
}

W_FUNCTION(bitshr)
{
	return shift(eval, call, args, false, out_value);
}
