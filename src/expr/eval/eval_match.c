/* SPDX-License-Identifier: Apache-2.0 */

/*
 * text matches pattern. Patterns are those of JSON Schema (src/schema/pattern),
 * which bounds the time of a match for every pattern. The last pattern stays
 * compiled while an expression is evaluated: it is often the same one for each
 * element of a list.
 */

#include <string.h>

#include "base/encode.h"
#include "expr/eval/eval.h"
#include "schema/pattern/pattern.h"

/* A step of an expression is worth that many of a match. */
#define MATCH_STEPS 64

/* Steps that compiling takes. */
#define COMPILE_COST 200

void
w_eval_done(struct w_eval *eval)
{
	if (eval->pattern != NULL)
		w_pattern_free(eval->pattern);
	eval->pattern = NULL;
}

static writ_status
eval_match_compile(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *pattern)
{
	writ_error err = {0};

	if (eval->pattern != NULL &&
	    strcmp(eval->pattern_text, pattern->as.string.text) == 0)
		return WRIT_OK;
	w_eval_done(eval);
	writ_status status = w_eval_spend(eval, node, COMPILE_COST);
	if (status != WRIT_OK)
		return status;
	status = w_pattern_compile(pattern->as.string.text,
	    pattern->as.string.len, &eval->pattern, &err);
	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(eval->err, W_EXPR_STAGE);
	if (status != WRIT_OK)
		return w_eval_fail(eval, node, "%s",
		    pattern->is_secret ? "not a regular expression"
				       : err.message);
	eval->pattern_text = pattern->as.string.text;
	return WRIT_OK;
}

writ_status
w_eval_matches(struct w_eval *eval, const struct w_expr_node *node,
    const struct w_value *text, const struct w_value *pattern, bool *out_holds)
{
	if (text->kind != W_VALUE_STRING || pattern->kind != W_VALUE_STRING)
		return w_eval_fail(eval, node,
		    "both sides of it must be strings, and are %s and %s",
		    w_value_kind_words(text->kind),
		    w_value_kind_words(pattern->kind));
	if (!w_utf8_valid(text->as.string.text, text->as.string.len))
		return w_eval_fail(
		    eval, node, "the text that is matched is not UTF-8");
	writ_status status = eval_match_compile(eval, node, pattern);
	if (status != WRIT_OK)
		return status;
	const uint64_t budget = (uint64_t)eval->steps * MATCH_STEPS;
	uint64_t left = budget;
	const enum w_pattern_answer answer = w_pattern_match(
	    eval->pattern, text->as.string.text, text->as.string.len, &left);
	if (answer == W_PATTERN_LIMIT)
		return w_eval_fail(
		    eval, node, "the expression takes too long to evaluate");
	*out_holds = answer == W_PATTERN_YES;
	return w_eval_spend(
	    eval, node, (size_t)((budget - left) / MATCH_STEPS));
}
