/* SPDX-License-Identifier: Apache-2.0 */

/* Keywords with lists of property names. compile_names.c combines what they
 * say.
 */

#include "schema/compile/keyword.h"

static writ_status
compile_object_check_names(struct w_compiler *compiler, yyjson_val *value)
{
	size_t i;
	size_t count;
	yyjson_val *name;

	if (!yyjson_is_arr(value))
		return w_compile_fail_type(compiler, value, "an array of keys");
	yyjson_arr_foreach(value, i, count, name)
	{
		if (!yyjson_is_str(name))
			return w_compile_fail(compiler, name,
			    "a key must be a string, got %s",
			    w_compile_type_name(name));
	}
	return WRIT_OK;
}

writ_status
w_keyword_required(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	yyjson_val **names = place;

	(void)node;
	*names = value;
	return compile_object_check_names(compiler, value);
}

writ_status
w_keyword_dependent_required(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	yyjson_val **object = place;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *names;

	*object = value;
	writ_status status = w_keyword_object(compiler, node, value, NULL);
	if (status != WRIT_OK)
		return status;
	yyjson_obj_foreach(value, i, count, key, names)
	{
		status = compile_object_check_names(compiler, names);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

/* Of draft 07: each member is a list of names or a schema. */
writ_status
w_keyword_dependencies(struct w_compiler *compiler, struct w_node *node,
    yyjson_val *value, void *place)
{
	yyjson_val **object = place;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *needs;

	*object = value;
	writ_status status = w_keyword_object(compiler, node, value, NULL);
	if (status != WRIT_OK)
		return status;
	yyjson_obj_foreach(value, i, count, key, needs)
	{
		status = yyjson_is_arr(needs)
			     ? compile_object_check_names(compiler, needs)
			     : w_keyword_sub(compiler, node, needs, NULL);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}
