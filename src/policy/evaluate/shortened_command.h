/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_SHORTENED_COMMAND_H
#define W_POLICY_SHORTENED_COMMAND_H

#include "policy/evaluate/decision.h"

/*
 * A command of which some words were left out, judged like the whole one. What
 * was looked up for the case counts for it as well; a path or program that is
 * new in it is not known, and allowed by no rule.
 */
#define W_WORD_GONE SIZE_MAX

struct w_shortened_command {
	const char *const *argv; /* NULL-ended */
	size_t argc;
	const size_t *places; /* of the words of the whole argv: where each
				 stands now, or W_WORD_GONE */
};

/* Whether it is the same command, each word of it the same argument as before,
 * and allowed. *out_failed is set when there is no memory. */
bool w_shortened_is_allowed(const struct w_policy_set *policy_set,
    const struct w_policy_facts *facts,
    const struct w_shortened_command *shorter, bool *out_failed);

#endif /* W_POLICY_SHORTENED_COMMAND_H */
