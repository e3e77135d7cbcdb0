/* SPDX-License-Identifier: Apache-2.0 */

/* Validates objects: one pass over the members, each looked up in the table of
 * names. */

#include "schema/check/check.h"
#include "schema/compile/property_names.h"

static bool
check_object_refuse_key(struct w_check *check, const struct w_node *node,
    yyjson_val *object, yyjson_val *key, enum w_fault_kind kind)
{
	return w_check_fault_about(check, &(struct w_fault){.kind = kind,
					      .node = node,
					      .value = object,
					      .at = key,
					      .name = key});
}

/* Checks patternProperties; sets *is_known if a pattern matches the key. */
static bool
check_by_patterns(struct w_check *check, const struct w_node *node,
    yyjson_val *key, bool *is_known)
{
	const struct w_object_rules *rules = node->object;
	bool fits = true;

	for (size_t i = 0; i < rules->pattern_count; i++) {
		const struct w_pattern_rule *rule = &rules->patterns[i];
		if (!w_check_pattern(check, rule->pattern, key))
			continue;
		*is_known = true;
		if (!w_check_node(check, rule->node, key + 1, NULL))
			fits = false;
	}
	return fits;
}

/* Checks propertyNames. An error in the key is an error of the object. */
static bool
check_object_check_key(struct w_check *check, const struct w_node *node,
    yyjson_val *object, yyjson_val *key)
{
	W_AUTO_REPORT struct w_schema_report report = {.problems = NULL};
	struct w_collector mine = {.report = &report, .value = key};
	struct w_collector *collector = check->collector;

	check->collector = collector != NULL ? &mine : NULL;
	bool fits = w_check_node(check, node->object->key, key, NULL);
	check->collector = collector;
	if (fits)
		return true;
	return w_check_fault_about(
	    check, &(struct w_fault){.kind = W_FAULT_KEY,
		       .node = node,
		       .value = object,
		       .at = key,
		       .name = key,
		       .detail = report.count > 0 ? report.problems[0].message
						  : NULL});
}

/* Checks one member; its value is key + 1. *is_known: some keyword evaluates
 * it. */
static bool
check_member(struct w_check *check, const struct w_node *node,
    yyjson_val *object, yyjson_val *key, struct w_evaluated *noted,
    bool *is_known)
{
	const struct w_object_rules *rules = node->object;
	const struct w_name *name = w_names_find(
	    rules, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key));
	bool fits = true;

	*is_known = name != NULL && name->node != NULL;
	if (name != NULL && name->bit != 0)
		w_evaluated_add(noted, name->bit - 1);
	if (*is_known && name->node->is_never)
		fits = check_object_refuse_key(
		    check, name->node, object, key, W_FAULT_FORBIDDEN_KEY);
	else if (*is_known && !w_check_node(check, name->node, key + 1, NULL))
		fits = false;
	if (rules->pattern_count > 0 &&
	    !check_by_patterns(check, node, key, is_known))
		fits = false;
	if (!*is_known && rules->additional != NULL) {
		*is_known = true;
		if (rules->additional->is_never)
			fits = check_object_refuse_key(
			    check, node, object, key, W_FAULT_UNKNOWN_KEY);
		else if (!w_check_node(check, rules->additional, key + 1, NULL))
			fits = false;
	}
	if (rules->key != NULL &&
	    !check_object_check_key(check, node, object, key))
		fits = false;
	return fits;
}

static bool
check_members(struct w_check *check, const struct w_node *node,
    yyjson_val *object, struct w_evaluated *noted,
    struct w_evaluated *evaluated)
{
	size_t count = yyjson_obj_size(object);
	yyjson_val *key = count > 0 ? unsafe_yyjson_get_first(object) : NULL;
	bool fits = true;

	for (size_t i = 0; i < count; i++) {
		bool is_known;
		if (!check_member(check, node, object, key, noted, &is_known)) {
			fits = false;
			if (check->collector == NULL)
				return false;
		}
		if (evaluated != NULL && is_known)
			w_evaluated_add(evaluated, i);
		key = unsafe_yyjson_get_next(key + 1);
	}
	return fits;
}

/* Reports each missing required key; always false. */
static bool
report_missing(struct w_check *check, const struct w_node *node,
    yyjson_val *object, const struct w_evaluated *noted)
{
	const struct w_object_rules *rules = node->object;
	yyjson_val *required = yyjson_obj_get(node->schema, "required");
	size_t i;
	size_t count;
	yyjson_val *text;

	yyjson_arr_foreach(required, i, count, text)
	{
		const struct w_name *name = w_names_find(
		    rules, yyjson_get_str(text), yyjson_get_len(text));
		if (!w_evaluated_has(noted, name->bit - 1))
			(void)w_check_fault_about(
			    check, &(struct w_fault){.kind = W_FAULT_REQUIRED,
				       .node = node,
				       .value = object,
				       .at = object,
				       .name = text});
	}
	return false;
}

static bool
check_required(struct w_check *check, const struct w_node *node,
    yyjson_val *object, const struct w_evaluated *noted)
{
	const struct w_object_rules *rules = node->object;

	for (size_t i = 0; i < rules->noted / 64 + 1; i++) {
		if ((rules->required[i] & ~noted->bits[i]) != 0)
			return report_missing(check, node, object, noted);
	}
	return true;
}

static bool
check_needs(struct w_check *check, const struct w_node *node,
    yyjson_val *object, const struct w_dependency *dependency,
    const struct w_evaluated *noted)
{
	bool fits = true;

	for (size_t i = 0; i < dependency->need_count; i++) {
		if (w_evaluated_has(noted, dependency->needs[i] - 1))
			continue;
		fits = w_check_fault_about(
		    check, &(struct w_fault){.kind = dependency->is_old
							 ? W_FAULT_DEPENDENCY
							 : W_FAULT_DEPENDENT,
			       .node = node,
			       .value = object,
			       .at = object,
			       .name = yyjson_arr_get(dependency->names, i),
			       .other = dependency->key});
	}
	return fits;
}

static bool
check_dependencies(struct w_check *check, const struct w_node *node,
    yyjson_val *object, const struct w_evaluated *noted,
    struct w_evaluated *evaluated)
{
	const struct w_object_rules *rules = node->object;
	bool fits = true;

	for (size_t i = 0; i < rules->dependency_count; i++) {
		const struct w_dependency *dependency = &rules->dependencies[i];
		if (!w_evaluated_has(noted, dependency->bit - 1))
			continue;
		if (!check_needs(check, node, object, dependency, noted))
			fits = false;
		if (dependency->node != NULL &&
		    !w_check_node(check, dependency->node, object, evaluated))
			fits = false;
		if (!fits && check->collector == NULL)
			return false;
	}
	return fits;
}

bool
w_check_object(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated)
{
	const struct w_object_rules *rules = node->object;
	W_AUTO_EVALUATED struct w_evaluated noted;
	size_t count = yyjson_obj_size(value);
	bool fits = true;

	if (!w_evaluated_init(&noted, rules->noted))
		return w_check_nomem(check);
	if (count < rules->size.min)
		fits =
		    w_check_fault(check, node, W_FAULT_MIN_PROPERTIES, value);
	else if (count > rules->size.max)
		fits =
		    w_check_fault(check, node, W_FAULT_MAX_PROPERTIES, value);
	if (!fits && check->collector == NULL)
		return false;
	if (!check_members(check, node, value, &noted, evaluated))
		fits = false;
	if (!fits && check->collector == NULL)
		return false;
	if (!check_required(check, node, value, &noted))
		fits = false;
	if (!fits && check->collector == NULL)
		return false;
	if (rules->dependency_count > 0 &&
	    !check_dependencies(check, node, value, &noted, evaluated))
		fits = false;
	return fits;
}
