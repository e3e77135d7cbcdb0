/* SPDX-License-Identifier: Apache-2.0 */

/* Function calls; functions are resolved at compile time. */

#include <stdio.h>
#include <string.h>

#include "base/match.h"
#include "expr/eval/eval.h"
#include "expr/parse/expr_parser.h"

static writ_status
check_count(struct w_expr_parser *in, const struct w_token *name,
    const struct w_expr_function *function, size_t count)
{
	if (count >= function->min && count <= function->max)
		return WRIT_OK;
	if (function->min == function->max)
		return w_token_fail(&in->tokens, name->at,
		    "%s() takes %u argument%s, not %zu", function->name,
		    function->min, function->min == 1 ? "" : "s", count);
	return w_token_fail(&in->tokens, name->at,
	    "%s() takes %u to %u arguments, not %zu", function->name,
	    function->min, function->max, count);
}

writ_status
w_expr_parse_refuse_name(
    struct w_expr_parser *in, const struct w_token *token, bool is_function)
{
	char name[64];

	(void)snprintf(name, sizeof(name), "%.*s",
	    (int)(token->len < 60 ? token->len : 60),
	    in->tokens.text + token->at);
	(void)w_token_fail(&in->tokens, token->at, "unknown %s '%s'",
	    is_function ? "function" : "name", name);
	const char *nearest = is_function
				  ? w_function_nearest(name)
				  : w_match_nearest(name, w_expr_parse_roots);
	if (nearest != NULL)
		w_match_suggest(nearest, in->tokens.err);
	else if (is_function && strcmp(name, "matches") == 0)
		w_suggest(in->tokens.err, "write 'text matches pattern'");
	else if (!is_function)
		w_suggest(in->tokens.err,
		    "the names are Facts, Data and Environ; a text needs "
		    "quotes");
	return WRIT_E_INVALID;
}

/* Whether the next brace opens a map rather than a predicate. */
static bool
opens_map(const struct w_expr_parser *in)
{
	struct w_expr_parser ahead = *in;

	ahead.tokens.err = NULL;
	if (w_expr_parse_advance(&ahead) != WRIT_OK ||
	    w_expr_parse_sees(&ahead, "}"))
		return true;
	return (ahead.token.kind == W_TOKEN_NAME ||
		   ahead.token.kind == W_TOKEN_VALUE) &&
	       w_expr_parse_advance(&ahead) == WRIT_OK &&
	       w_expr_parse_sees(&ahead, ":");
}

static writ_status
parse_predicate(struct w_expr_parser *in, struct w_expr_parser_parts *parts)
{
	/* Only the second argument is evaluated for each element. */
	if (parts->count != 1)
		return w_expr_parse_item(in, parts);
	bool has_braces = w_expr_parse_sees(in, "{") && !opens_map(in);
	writ_status status = has_braces ? w_expr_parse_advance(in) : WRIT_OK;

	in->predicates++;
	if (status == WRIT_OK)
		status = w_expr_parse_item(in, parts);
	in->predicates--;
	if (status == WRIT_OK && has_braces)
		status = w_expr_parse_expect(in, "}");
	return status;
}

/* After the opening parenthesis. */
static writ_status
parse_arguments(struct w_expr_parser *in,
    const struct w_expr_function *function, struct w_expr_parser_parts *parts)
{
	writ_status status = WRIT_OK;

	/* The first argument was piped in, or is parsed here. */
	if (function->has_predicate && parts->count == 0 &&
	    !w_expr_parse_sees(in, ")")) {
		status = w_expr_parse_item(in, parts);
		if (status == WRIT_OK && w_expr_parse_sees(in, ","))
			status = w_expr_parse_advance(in);
		else if (status == WRIT_OK)
			return w_expr_parse_expect(in, ")");
	}
	if (status != WRIT_OK)
		return status;
	return w_expr_parse_items(in, ")",
	    function->has_predicate ? parse_predicate : w_expr_parse_item,
	    parts);
}

writ_status
w_expr_parse_call(struct w_expr_parser *in, const struct w_token *name,
    w_node_ref piped, w_node_ref *out_node)
{
	const struct w_expr_function *function =
	    w_function_find(in->tokens.text + name->at, name->len);
	struct w_expr_parser_parts parts = {0};
	struct w_expr_node *node = NULL;

	if (function == NULL)
		return w_expr_parse_refuse_name(in, name, true);
	writ_status status =
	    w_expr_parse_node(in, W_NODE_CALL, name->at, &node);
	if (status == WRIT_OK && piped != NULL)
		status = w_expr_parse_add_part(in, &parts, piped);
	/* x | upper needs no parentheses. */
	if (status == WRIT_OK &&
	    (piped == NULL || w_expr_parse_sees(in, "("))) {
		status = w_expr_parse_expect(in, "(");
		if (status == WRIT_OK)
			status = parse_arguments(in, function, &parts);
	}
	if (status == WRIT_OK)
		status = check_count(in, name, function, parts.count);
	if (status == WRIT_OK)
		status = w_expr_parse_link_parts(in, node, &parts);
	if (status != WRIT_OK)
		return status;
	if (function->lazy == w_function_lookup && parts.count > 0)
		in->uses |= w_function_lookup_uses(parts.items[0]);
	if (function->lazy == w_function_default)
		w_expr_parse_tolerate(parts.items[0]);
	in->uses |= function->uses;
	node->as.list.function = function;
	*out_node = node;
	return WRIT_OK;
}
