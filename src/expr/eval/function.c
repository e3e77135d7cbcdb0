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
    {"bitand", 2, 2, false, false, 0, w_function_bitand, NULL},
    {"bitnot", 1, 1, false, false, 0, w_function_bitnot, NULL},
    {"bitor", 2, 2, false, false, 0, w_function_bitor, NULL},
    {"bitshl", 2, 2, false, false, 0, w_function_bitshl, NULL},
    {"bitshr", 2, 2, false, false, 0, w_function_bitshr, NULL},
    {"bitxor", 2, 2, false, false, 0, w_function_bitxor, NULL},
    {"ceil", 1, 1, false, false, 0, w_function_ceil, NULL},
    {"concat", 1, ANY, true, false, 0, w_function_concat, NULL},
    {"count", 1, 2, false, true, 0, NULL, w_function_count},
    {"countBy", 2, 2, false, true, 0, NULL, w_function_count_by},
    {"default", 2, 2, false, false, 0, NULL, w_function_default},
    {"file", 1, 1, false, false, FILE_USE, w_function_file, NULL},
    {"filter", 2, 2, false, true, 0, NULL, w_function_filter},
    {"find", 2, 2, false, true, 0, NULL, w_function_find_element},
    {"findIndex", 2, 2, false, true, 0, NULL, w_function_find_index},
    {"findLast", 2, 2, false, true, 0, NULL, w_function_find_last},
    {"findLastIndex", 2, 2, false, true, 0, NULL, w_function_find_last_index},
    {"first", 1, 1, true, false, 0, w_function_first, NULL},
    {"flatten", 1, 1, true, false, 0, w_function_flatten, NULL},
    {"float", 1, 1, false, false, 0, w_function_float, NULL},
    {"floor", 1, 1, false, false, 0, w_function_floor, NULL},
    {"fromBase64", 1, 1, false, false, 0, w_function_from_base64, NULL},
    {"fromJSON", 1, 1, false, false, 0, w_function_from_json, NULL},
    {"fromPairs", 1, 1, false, false, 0, w_function_from_pairs, NULL},
    {"get", 2, 3, true, false, 0, w_function_get, NULL},
    {"groupBy", 2, 2, false, true, 0, NULL, w_function_group_by},
    {"hasPrefix", 2, 2, false, false, 0, w_function_has_prefix, NULL},
    {"hasSuffix", 2, 2, false, false, 0, w_function_has_suffix, NULL},
    {"indexOf", 2, 2, false, false, 0, w_function_index_of, NULL},
    {"int", 1, 1, false, false, 0, w_function_int, NULL},
    {"isDuration", 1, 1, false, false, 0, w_function_is_duration, NULL},
    {"isFloat", 1, 1, false, false, 0, w_function_is_float, NULL},
    {"isFQDN", 1, 1, false, false, 0, w_function_is_fqdn, NULL},
    {"isHostname", 1, 1, false, false, 0, w_function_is_hostname, NULL},
    {"isInt", 1, 1, false, false, 0, w_function_is_int, NULL},
    {"isIP", 1, 1, false, false, 0, w_function_is_ip, NULL},
    {"isIPv4", 1, 1, false, false, 0, w_function_is_ipv4, NULL},
    {"isIPv6", 1, 1, false, false, 0, w_function_is_ipv6, NULL},
    {"isRegex", 2, 2, false, false, 0, w_function_is_regex, NULL},
    {"isShellSafe", 1, 1, false, false, 0, w_function_is_shell_safe, NULL},
    {"join", 1, 2, false, false, 0, w_function_join, NULL},
    {"keys", 1, 1, true, false, 0, w_function_keys, NULL},
    {"last", 1, 1, true, false, 0, w_function_last, NULL},
    {"lastIndexOf", 2, 2, false, false, 0, w_function_last_index_of, NULL},
    {"len", 1, 1, true, false, 0, w_function_len, NULL},
    {"lookup", 1, 2, false, false, 0, NULL, w_function_lookup},
    {"lower", 1, 1, false, false, 0, w_function_lower, NULL},
    {"map", 2, 2, false, true, 0, NULL, w_function_map},
    {"max", 1, ANY, false, false, 0, w_function_max, NULL},
    {"mean", 1, ANY, false, false, 0, w_function_mean, NULL},
    {"median", 1, ANY, false, false, 0, w_function_median, NULL},
    {"merge", 1, ANY, true, false, 0, w_function_merge, NULL},
    {"min", 1, ANY, false, false, 0, w_function_min, NULL},
    {"none", 2, 2, false, true, 0, NULL, w_function_none},
    {"now", 0, 1, false, false, W_EXPR_USES_CLOCK, w_function_now, NULL},
    {"one", 2, 2, false, true, 0, NULL, w_function_one},
    {"raw", 1, 1, true, false, W_EXPR_USES_RAW, w_function_raw, NULL},
    {"readFile", 1, 1, false, false, FILE_USE, w_function_file, NULL},
    {"reduce", 2, 3, false, true, 0, NULL, w_function_reduce},
    {"repeat", 2, 2, false, false, 0, w_function_repeat, NULL},
    {"replace", 3, 3, false, false, 0, w_function_replace, NULL},
    {"reverse", 1, 1, true, false, 0, w_function_reverse, NULL},
    {"round", 1, 1, false, false, 0, w_function_round, NULL},
    {"sensitive", 1, 1, true, false, SECRET_USE, w_function_sensitive, NULL},
    {"sort", 1, 2, false, false, 0, w_function_sort, NULL},
    {"sortBy", 2, 3, false, true, 0, NULL, w_function_sort_by},
    {"split", 2, 2, false, false, 0, w_function_split, NULL},
    {"string", 1, 1, false, false, 0, w_function_string, NULL},
    {"sum", 1, 2, false, true, 0, NULL, w_function_sum},
    {"take", 2, 2, true, false, 0, w_function_take, NULL},
    {"template", 1, 1, false, false, FILE_USE, w_function_template, NULL},
    {"toBase64", 1, 1, false, false, 0, w_function_to_base64, NULL},
    {"toJSON", 1, 1, false, false, 0, w_function_to_json, NULL},
    {"toPairs", 1, 1, true, false, 0, w_function_to_pairs, NULL},
    {"trim", 1, 1, false, false, 0, w_function_trim, NULL},
    {"trimPrefix", 2, 2, false, false, 0, w_function_trim_prefix, NULL},
    {"trimSuffix", 2, 2, false, false, 0, w_function_trim_suffix, NULL},
    {"type", 1, 1, true, false, 0, w_function_type, NULL},
    {"uniq", 1, 1, false, false, 0, w_function_unique, NULL},
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
