/* SPDX-License-Identifier: Apache-2.0 */

/* Compiles and evaluates expressions: the entry points. */

#include "expr/expr.h"

#include <string.h>

#include "base/position.h"
#include "expr/eval/eval.h"
#include "expr/parse/expr_parser.h"

static writ_status
expr_refuse(writ_error *err, const char *text, size_t at, const char *what)
{
	(void)w_fail(err, WRIT_E_INVALID, W_EXPR_STAGE, 0, "%s", what);
	w_locate_offset(err, text, at);
	return WRIT_E_INVALID;
}

static writ_status
expr_check_text(const char *text, size_t from, size_t end, writ_error *err)
{
	const char *nul =
	    end > from ? memchr(text + from, '\0', end - from) : NULL;

	if (end - from > W_EXPR_TEXT_MAX) {
		(void)w_fail(err, WRIT_E_INVALID, W_EXPR_STAGE, 0,
		    "an expression of more than %zu bytes", W_EXPR_TEXT_MAX);
		w_locate_offset(err, text, from);
		return WRIT_E_INVALID;
	}
	if (nul != NULL)
		return expr_refuse(err, text, (size_t)(nul - text),
		    "a NUL byte cannot be in an expression");
	return WRIT_OK;
}

writ_status
w_expr_compile_part(struct w_arena *arena, const char *text, size_t from,
    size_t end, const struct w_expr **out_expr, writ_error *err)
{
	const struct w_expr_part part = {
	    .text = text, .from = from, .end = end};

	return w_expr_compile_within(arena, &part, out_expr, err);
}

writ_status
w_expr_compile_within(struct w_arena *arena, const struct w_expr_part *part,
    const struct w_expr **out_expr, writ_error *err)
{
	const char *text = part->text;
	const size_t from = part->from;
	const size_t end = part->end;
	struct w_expr_parser in = {.tokens = {.arena = arena,
				       .text = text,
				       .at = from,
				       .end = end,
				       .err = err},
	    .predicates = part->has_element};
	w_node_ref tree = NULL;

	if (part->locals != NULL)
		in.locals = *part->locals;
	writ_status status = expr_check_text(text, from, end, err);

	if (status == WRIT_OK)
		status = w_expr_parse_advance(&in);
	if (status == WRIT_OK && in.token.kind == W_TOKEN_END)
		return expr_refuse(err, text, from, "an empty expression");
	if (status == WRIT_OK)
		status = w_expr_parse_expression(&in, &tree);
	if (status == WRIT_OK && in.token.kind != W_TOKEN_END)
		status = w_expr_parse_unexpected(&in, "an operator");
	if (status != WRIT_OK)
		return status;

	struct w_expr *expr = w_arena_alloc(arena, 1, sizeof(*expr));
	if (expr == NULL)
		return w_fail_nomem(err, W_EXPR_STAGE);
	*expr = (struct w_expr){.text = text, .tree = tree, .uses = in.uses};
	*out_expr = expr;
	return WRIT_OK;
}

writ_status
w_expr_compile(struct w_arena *arena, const char *text, size_t len,
    const struct w_expr **out_expr, writ_error *err)
{
	if (len > W_EXPR_TEXT_MAX)
		return expr_check_text(text, 0, len, err);
	const char *copy = w_arena_text(arena, text, len);
	if (copy == NULL)
		return w_fail_nomem(err, W_EXPR_STAGE);
	return w_expr_compile_part(arena, copy, 0, len, out_expr, err);
}

unsigned
w_expr_uses(const struct w_expr *expr)
{
	return expr->uses;
}

static struct w_eval
expr_begin(const struct w_expr *expr, const struct w_expr_scope *scope,
    struct w_arena *arena, writ_error *err)
{
	return (struct w_eval){.expr = expr,
	    .scope = scope,
	    .arena = arena,
	    .err = err,
	    .steps = W_EXPR_STEPS_MAX,
	    .memory = W_EXPR_MEMORY_MAX};
}

writ_status
w_eval_for_text(const struct w_expr *expr, const struct w_expr_scope *scope,
    struct w_arena *arena, struct w_value *out_text, writ_error *err)
{
	struct w_eval eval = expr_begin(expr, scope, arena, err);
	struct w_value value;
	struct w_value text;
	bool is_secret = false;
	writ_status status = w_eval_node(&eval, expr->tree, &value);

	w_eval_done(&eval);
	if (status == WRIT_OK)
		status = w_eval_as_text(&eval, expr->tree, &value, &text);
	if (status == WRIT_OK)
		status = w_eval_taint(&eval, expr->tree, &value, &is_secret);
	if (status != WRIT_OK)
		return status;
	text.is_secret = is_secret;
	text.is_raw = value.is_raw;
	*out_text = text;
	return WRIT_OK;
}

writ_status
w_expr_eval(const struct w_expr *expr, const struct w_expr_scope *scope,
    struct w_arena *arena, struct w_value *out_value, writ_error *err)
{
	struct w_eval eval = expr_begin(expr, scope, arena, err);
	struct w_value value;
	writ_status status = w_eval_node(&eval, expr->tree, &value);

	w_eval_done(&eval);
	if (status == WRIT_OK)
		*out_value = value;
	return status;
}

writ_status
w_expr_test(const struct w_expr *expr, const struct w_expr_scope *scope,
    struct w_arena *arena, bool *out_holds, writ_error *err)
{
	struct w_value value;
	writ_status status = w_expr_eval(expr, scope, arena, &value, err);

	if (status != WRIT_OK)
		return status;
	if (value.kind != W_VALUE_BOOL) {
		(void)w_fail(err, WRIT_E_INVALID, W_EXPR_STAGE, 0,
		    "the expression must be true or false, and is %s",
		    w_value_kind_words(value.kind));
		w_locate_offset(err, expr->text, expr->tree->at);
		return WRIT_E_INVALID;
	}
	*out_holds = value.as.boolean;
	return WRIT_OK;
}
