/* SPDX-License-Identifier: Apache-2.0 */

/* The table of functions, and calling one. */

#include <string.h>

#include "base/match.h"
#include "expr/eval/eval.h"

#define ANY        W_FUNCTION_ARGS_MAX
#define FILE_USE   W_EXPR_USES_FILE
#define SECRET_USE W_EXPR_USES_SECRET

static const struct w_expr_function functions[] = {
    {"abs", 1, 1, false, false, 0, w_function_abs, NULL},
    {"all", 2, 2, false, true, 0, NULL, w_function_all},
    {"any", 2, 2, false, true, 0, NULL, w_function_any},
    {"count", 1, 2, false, true, 0, NULL, w_function_count},
    {"default", 2, 2, false, false, 0, NULL, w_function_default},
    {"file", 1, 1, false, false, FILE_USE, w_function_file, NULL},
    {"filter", 2, 2, false, true, 0, NULL, w_function_filter},
    {"first", 1, 1, true, false, 0, w_function_first, NULL},
    {"float", 1, 1, false, false, 0, w_function_float, NULL},
    {"fromJSON", 1, 1, false, false, 0, w_function_from_json, NULL},
    {"int", 1, 1, false, false, 0, w_function_int, NULL},
    {"join", 1, 2, false, false, 0, w_function_join, NULL},
    {"keys", 1, 1, true, false, 0, w_function_keys, NULL},
    {"last", 1, 1, true, false, 0, w_function_last, NULL},
    {"len", 1, 1, true, false, 0, w_function_len, NULL},
    {"lookup", 1, 2, false, false, 0, NULL, w_function_lookup},
    {"lower", 1, 1, false, false, 0, w_function_lower, NULL},
    {"map", 2, 2, false, true, 0, NULL, w_function_map},
    {"max", 1, ANY, false, false, 0, w_function_max, NULL},
    {"min", 1, ANY, false, false, 0, w_function_min, NULL},
    {"none", 2, 2, false, true, 0, NULL, w_function_none},
    {"one", 2, 2, false, true, 0, NULL, w_function_one},
    {"raw", 1, 1, true, false, W_EXPR_USES_RAW, w_function_raw, NULL},
    {"readFile", 1, 1, false, false, FILE_USE, w_function_file, NULL},
    {"replace", 3, 3, false, false, 0, w_function_replace, NULL},
    {"round", 1, 1, false, false, 0, w_function_round, NULL},
    {"sensitive", 1, 1, true, false, SECRET_USE, w_function_sensitive, NULL},
    {"sort", 1, 1, false, false, 0, w_function_sort, NULL},
    {"split", 2, 2, false, false, 0, w_function_split, NULL},
    {"string", 1, 1, false, false, 0, w_function_string, NULL},
    {"toJSON", 1, 1, false, false, 0, w_function_to_json, NULL},
    {"trim", 1, 1, false, false, 0, w_function_trim, NULL},
    {"unique", 1, 1, false, false, 0, w_function_unique, NULL},
    {"upper", 1, 1, false, false, 0, w_function_upper, NULL},
    {"values", 1, 1, true, false, 0, w_function_values, NULL},
};

#define FUNCTION_COUNT (sizeof(functions) / sizeof(functions[0]))

const struct w_expr_function *
w_function_find(const char *name, size_t len)
{
	for (size_t i = 0; i < FUNCTION_COUNT; i++) {
		const char *known = functions[i].name;

		if (strlen(known) == len && memcmp(known, name, len) == 0)
			return &functions[i];
	}
	return NULL;
}

const char *
w_function_nearest(const char *name)
{
	const char *names[FUNCTION_COUNT + 1];

	for (size_t i = 0; i < FUNCTION_COUNT; i++)
		names[i] = functions[i].name;
	names[FUNCTION_COUNT] = NULL;
	return w_match_nearest(name, names);
}

writ_status
w_function_want(struct w_eval *eval, const struct w_expr_node *call,
    const struct w_value *args, unsigned which, enum w_value_kind kind)
{
	if (args[which].kind == kind)
		return WRIT_OK;
	return w_eval_fail(eval, call->as.list.items[which],
	    "%s() wants %s here, not %s", call->as.list.function->name,
	    w_value_kind_words(kind), w_value_kind_words(args[which].kind));
}

writ_status
w_function_call(struct w_eval *eval, const struct w_expr_node *call,
    struct w_value *out_value)
{
	const struct w_expr_function *function = call->as.list.function;
	struct w_value args[W_FUNCTION_ARGS_MAX];
	bool is_secret = false;
	writ_status status = WRIT_OK;

	if (function->lazy != NULL)
		return function->lazy(eval, call, out_value);
	for (size_t i = 0; status == WRIT_OK && i < call->as.list.count; i++) {
		status = w_eval_node(eval, call->as.list.items[i], &args[i]);
		if (status != WRIT_OK)
			break;
		is_secret = is_secret || args[i].is_secret;
		if (!is_secret && !function->is_structural)
			status = w_eval_taint(eval, call, &args[i], &is_secret);
	}
	if (status == WRIT_OK)
		status = function->run(eval, call, args, out_value);
	if (status != WRIT_OK)
		return status;
	return w_eval_mark(eval, call, is_secret, out_value);
}
