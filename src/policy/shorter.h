/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_SHORTER_H
#define W_POLICY_SHORTER_H

#include "policy/judge.h"

/*
 * A command of which some words were left out, judged like the whole one. What
 * was looked up for the case counts for it as well; a path or program that is
 * new in it is not known, and allowed by no rule.
 */
#define W_WORD_GONE SIZE_MAX

struct w_shorter {
	const char *const *argv; /* NULL-ended */
	size_t argc;
	const size_t *places; /* of the words of the whole argv: where each
				 stands now, or W_WORD_GONE */
};

/* Whether it is the same command, each word of it the same argument as before,
 * and allowed. *out_failed is set when there is no memory. */
bool w_shorter_is_allowed(const struct w_bench *bench, const struct w_case *c,
    const struct w_shorter *shorter, bool *out_failed);

#endif /* W_POLICY_SHORTER_H */
