/* SPDX-License-Identifier: Apache-2.0 */

/* Keywords for numbers and strings, and counts of everything. */

#include <stdint.h>

#include "schema/compile/keyword.h"
#include "schema/number.h"

writ_status
w_keyword_count(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	size_t *out_count = place;
	double real = yyjson_get_num(value);

	(void)node;
	if (!yyjson_is_num(value) || real < 0 || !w_number_is_whole(value))
		return w_compile_fail(
		    compiler, value, "must be a whole number, 0 or more");
	if (yyjson_is_uint(value))
		*out_count = yyjson_get_uint(value);
	else
		*out_count = real < 1e18 ? (size_t)real : SIZE_MAX;
	return WRIT_OK;
}

writ_status
w_compile_pattern(struct w_compiler *compiler, yyjson_val *text,
    const struct w_pattern **out_pattern)
{
	struct w_schema *schema = compiler->schema;
	writ_error why = {.status = WRIT_OK};
	struct w_owned_pattern *owned =
	    w_arena_alloc(&schema->arena, 1, sizeof(*owned));

	if (owned == NULL)
		return w_compile_nomem(compiler);
	if (!yyjson_is_str(text))
		return w_compile_fail_type(compiler, text, "a string");
	writ_status status = w_pattern_compile(
	    yyjson_get_str(text), yyjson_get_len(text), &owned->pattern, &why);
	if (status == WRIT_E_INVALID) {
		status = w_compile_fail(compiler, text, "'%s': %s",
		    yyjson_get_str(text), why.message);
		if (why.suggestion[0] != '\0')
			w_suggest(compiler->err, "%s", why.suggestion);
		return status;
	}
	if (status != WRIT_OK)
		return w_compile_nomem(compiler);
	owned->next = schema->patterns;
	schema->patterns = owned;
	*out_pattern = owned->pattern;
	return WRIT_OK;
}

writ_status
w_keyword_number(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	yyjson_val **number = place;

	(void)node;
	if (!w_number_is(value))
		return w_compile_fail_type(compiler, value, "a number");
	*number = value;
	return WRIT_OK;
}

writ_status
w_keyword_multiple_of(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	writ_status status = w_keyword_number(compiler, node, value, place);

	if (status != WRIT_OK)
		return status;
	if (yyjson_is_raw(value))
		return w_compile_fail(compiler, value, "is too big a number");
	if (yyjson_get_num(value) <= 0)
		return w_compile_fail(compiler, value, "must be more than 0");
	return WRIT_OK;
}

writ_status
w_keyword_pattern(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	(void)node;
	return w_compile_pattern(compiler, value, place);
}

/* The standard: an unknown format asserts nothing. */
writ_status
w_keyword_format(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	unsigned vocabularies = node->resource->vocabularies;

	(void)place;
	if (!yyjson_is_str(value))
		return w_compile_fail_type(compiler, value, "a string");
	if ((vocabularies & W_VOCABULARY_FORMAT_ASSERTION) == 0)
		return WRIT_OK;
	w_format_fn format =
	    w_format_find(yyjson_get_str(value), yyjson_get_len(value));
	if (format == NULL)
		return WRIT_OK;
	struct w_text_rules *rules =
	    w_keyword_rules(compiler, node, W_KEYWORD_HOME_TEXT);
	if (rules == NULL)
		return w_compile_nomem(compiler);
	rules->format = format;
	return WRIT_OK;
}
