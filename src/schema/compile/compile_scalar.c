/* SPDX-License-Identifier: Apache-2.0 */

/* Keywords for numbers and strings. */

#include <stdint.h>

#include "schema/compile/keyword.h"
#include "schema/number.h"

/* Also used by keywords of other types. */
writ_status
w_compile_count(
    struct w_compiler *compiler, yyjson_val *value, size_t *out_count)
{
	double real = yyjson_get_num(value);

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

static writ_status
compile_scalar_read_number(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, struct w_number_rules **out_rules)
{
	if (!w_number_is(value))
		return w_compile_fail_type(compiler, value, "a number");
	if (node->number == NULL)
		node->number = w_arena_alloc(
		    &compiler->schema->arena, 1, sizeof(*node->number));
	if (node->number == NULL)
		return w_compile_nomem(compiler);
	*out_rules = node->number;
	return WRIT_OK;
}

writ_status
w_keyword_minimum(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_number_rules *rules = NULL;
	writ_status status =
	    compile_scalar_read_number(compiler, node, value, &rules);

	if (status == WRIT_OK)
		rules->minimum = value;
	return status;
}

writ_status
w_keyword_maximum(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_number_rules *rules = NULL;
	writ_status status =
	    compile_scalar_read_number(compiler, node, value, &rules);

	if (status == WRIT_OK)
		rules->maximum = value;
	return status;
}

writ_status
w_keyword_exclusive_minimum(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_number_rules *rules = NULL;
	writ_status status =
	    compile_scalar_read_number(compiler, node, value, &rules);

	if (status == WRIT_OK)
		rules->above = value;
	return status;
}

writ_status
w_keyword_exclusive_maximum(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_number_rules *rules = NULL;
	writ_status status =
	    compile_scalar_read_number(compiler, node, value, &rules);

	if (status == WRIT_OK)
		rules->below = value;
	return status;
}

writ_status
w_keyword_multiple_of(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_number_rules *rules = NULL;
	writ_status status =
	    compile_scalar_read_number(compiler, node, value, &rules);

	if (status != WRIT_OK)
		return status;
	if (yyjson_is_raw(value))
		return w_compile_fail(compiler, value, "is too big a number");
	if (yyjson_get_num(value) <= 0)
		return w_compile_fail(compiler, value, "must be more than 0");
	rules->multiple = value;
	return WRIT_OK;
}

static struct w_text_rules *
text_rules(struct w_compiler *compiler, struct w_node *node)
{
	if (node->text != NULL)
		return node->text;
	node->text =
	    w_arena_alloc(&compiler->schema->arena, 1, sizeof(*node->text));
	if (node->text != NULL)
		node->text->length.max = SIZE_MAX;
	return node->text;
}

writ_status
w_keyword_min_length(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_text_rules *rules = text_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_count(compiler, value, &rules->length.min);
}

writ_status
w_keyword_max_length(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_text_rules *rules = text_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_count(compiler, value, &rules->length.max);
}

writ_status
w_keyword_pattern(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	struct w_text_rules *rules = text_rules(compiler, node);

	if (rules == NULL)
		return w_compile_nomem(compiler);
	return w_compile_pattern(compiler, value, &rules->pattern);
}

/* The standard: an unknown format asserts nothing. */
writ_status
w_keyword_format(
    struct w_compiler *compiler, struct w_node *node, yyjson_val *value)
{
	unsigned vocabularies = node->resource->vocabularies;
	w_format_fn format;

	if (!yyjson_is_str(value))
		return w_compile_fail_type(compiler, value, "a string");
	if ((vocabularies & W_VOCABULARY_FORMAT_ASSERTION) == 0)
		return WRIT_OK;
	format = w_format_find(yyjson_get_str(value), yyjson_get_len(value));
	if (format == NULL)
		return WRIT_OK;
	struct w_text_rules *rules = text_rules(compiler, node);
	if (rules == NULL)
		return w_compile_nomem(compiler);
	rules->format = format;
	return WRIT_OK;
}
