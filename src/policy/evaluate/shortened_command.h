/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_SHORTENED_COMMAND_H
#define W_POLICY_SHORTENED_COMMAND_H

#include "policy/evaluate/decision.h"

/*
 * A command with some words left out, evaluated like the original. Facts known
 * for the original apply to it too. A path or program that is new in it is
 * unknown, so no rule allows it.
 */
#define W_WORD_GONE SIZE_MAX

struct w_shortened_command {
	const char *const *argv; /* NULL-ended */
	size_t argc;
	const size_t *places; /* for each word of the original argv: its new
				 index, or W_WORD_GONE */
};

/* Whether it is the same command, with every remaining word in the same role,
 * and allowed. Sets *out_failed when memory runs out. */
bool w_shortened_is_allowed(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts,
    const struct w_shortened_command *shorter, bool *out_failed);

#endif /* W_POLICY_SHORTENED_COMMAND_H */
