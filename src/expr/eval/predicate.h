/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_PREDICATE_H
#define W_EXPR_PREDICATE_H

#include "expr/eval/eval.h"

/* A walk through the list that is the first argument of a call. The second one
 * is evaluated for each element. */
struct w_predicate_walk {
	struct w_eval *eval;
	const struct w_expr_node *call;
	struct w_value list;
	const struct w_expr_node *predicate; /* NULL: none */
	const struct w_value *outer;         /* outer value of # */
	size_t outer_index;
	bool is_secret; /* a secret has decided */
};

/* Evaluates the list. */
writ_status w_predicate_begin(struct w_predicate_walk *walk);

/* Evaluates the predicate for one element; without one, the element itself. */
writ_status w_predicate_apply(
    struct w_predicate_walk *walk, size_t which, struct w_value *out_value);

/* Likewise, where it must be true or false. */
writ_status w_predicate_decide(
    struct w_predicate_walk *walk, size_t which, bool *out_holds);

#endif /* W_EXPR_PREDICATE_H */
