/* SPDX-License-Identifier: Apache-2.0 */

/* Keywords for values of any type, and annotations, of which only the type is
 * checked. */

#include <string.h>

#include "base/match.h"
#include "schema/compile/keyword.h"

static const struct {
	const char *name;
	unsigned bits;
} types[] = {
    {"array", W_SCHEMA_TYPE(YYJSON_TYPE_ARR)},
    {"boolean", W_SCHEMA_TYPE(YYJSON_TYPE_BOOL)},
    {"integer", W_SCHEMA_INTEGER},
    {"null", W_SCHEMA_TYPE(YYJSON_TYPE_NULL)},
    {"number", W_SCHEMA_NUMBER},
    {"object", W_SCHEMA_TYPE(YYJSON_TYPE_OBJ)},
    {"string", W_SCHEMA_TYPE(YYJSON_TYPE_STR)},
};

#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

static writ_status
compile_value_refuse_type(struct w_compiler *compiler, yyjson_val *name)
{
	const char *names[TYPE_COUNT + 1];

	for (size_t i = 0; i < TYPE_COUNT; i++)
		names[i] = types[i].name;
	names[TYPE_COUNT] = NULL;
	writ_status status = w_compile_fail(
	    compiler, name, "unknown type '%s'", yyjson_get_str(name));
	const char *nearest = w_match_nearest(yyjson_get_str(name), names);
	if (nearest != NULL)
		w_match_suggest(nearest, compiler->err);
	else
		w_suggest(compiler->err,
		    "array, boolean, integer, null, number, object and string "
		    "are types");
	return status;
}

static writ_status
compile_value_read_type(
    struct w_compiler *compiler, yyjson_val *name, unsigned *bits)
{
	if (!yyjson_is_str(name))
		return w_compile_fail(compiler, name,
		    "a type must be a string, got %s",
		    w_compile_type_name(name));
	for (size_t i = 0; i < TYPE_COUNT; i++) {
		if (!yyjson_equals_str(name, types[i].name))
			continue;
		if ((*bits & types[i].bits) != 0)
			return w_compile_fail(compiler, name,
			    "the type '%s' is given twice", types[i].name);
		*bits |= types[i].bits;
		return WRIT_OK;
	}
	return compile_value_refuse_type(compiler, name);
}

writ_status
w_keyword_type(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	writ_status status = WRIT_OK;
	size_t i;
	size_t count;
	yyjson_val *name;

	(void)place;
	node->types = 0;
	if (!yyjson_is_arr(value))
		return compile_value_read_type(compiler, value, &node->types);
	if (yyjson_arr_size(value) == 0)
		return w_compile_fail(
		    compiler, value, "must have at least one type");
	yyjson_arr_foreach(value, i, count, name)
	{
		status = compile_value_read_type(compiler, name, &node->types);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_keyword_const(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	yyjson_val **constant = place;

	(void)compiler;
	(void)node;
	*constant = value;
	return WRIT_OK;
}

writ_status
w_keyword_enum(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	yyjson_val **choices = place;

	(void)node;
	if (!yyjson_is_arr(value))
		return w_compile_fail_type(
		    compiler, value, "an array of values");
	*choices = value;
	return WRIT_OK;
}

static writ_status
expect(struct w_compiler *compiler, bool holds, const char *what,
    yyjson_val *value)
{
	if (holds)
		return WRIT_OK;
	return w_compile_fail_type(compiler, value, what);
}

writ_status
w_keyword_string(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	(void)node;
	(void)place;
	return expect(compiler, yyjson_is_str(value), "a string", value);
}

writ_status
w_keyword_boolean(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	(void)node;
	(void)place;
	return expect(compiler, yyjson_is_bool(value), "true or false", value);
}

writ_status
w_keyword_array(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	(void)node;
	(void)place;
	return expect(compiler, yyjson_is_arr(value), "an array", value);
}

writ_status
w_keyword_object(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	(void)node;
	(void)place;
	return expect(compiler, yyjson_is_obj(value), "an object", value);
}
