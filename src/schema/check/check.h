/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_CHECK_H
#define W_SCHEMA_CHECK_H

#include "schema/check/evaluated.h"
#include "schema/check/fault.h"
#include "schema/node.h"

/* The resources entered on the way to a schema, innermost first. A $dynamicRef
 * resolves to the outermost one with its anchor. */
struct w_dynamic_scope {
	const struct w_schema_resource *resource;
	const struct w_dynamic_scope *outer;
};

/*
 * State of one validation. Without a collector it stops at the first error. A
 * value that cannot be validated makes status negative; from then on every
 * result is false and meaningless.
 */
struct w_check {
	const struct w_schema *schema;
	yyjson_val *root;
	struct w_collector *collector;
	const struct w_dynamic_scope *scope;
	size_t steps;           /* remaining; 0 after a failure */
	uint64_t pattern_steps; /* remaining, for all patterns together */
	unsigned depth;
	unsigned alternatives; /* nesting of alternatives being explained */
	writ_status status;
	writ_error *err;
};

#define W_CHECK_STEPS_MIN       ((size_t)1 << 20)
#define W_CHECK_STEPS_PER_VALUE 512
#define W_CHECK_DEPTH_MAX       1024

/* Budget of w_pattern_match(): a fraction of a second, plus more for each value
 * than a short text and an ordinary pattern take. */
#define W_CHECK_PATTERN_STEPS_MIN       ((uint64_t)1 << 23)
#define W_CHECK_PATTERN_STEPS_PER_VALUE 64

bool w_check_rules(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated);

/* Whether the value is valid against the node. evaluated may be NULL. */
static inline bool
w_check_node(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated)
{
	if ((node->plain >> unsafe_yyjson_get_type(value) & 1) != 0)
		return true;
	return w_check_rules(check, node, value, evaluated);
}

/* The parts of a node; each takes a value of its own type. */
bool w_check_number(
    struct w_check *check, const struct w_node *node, yyjson_val *value);
bool w_check_text(
    struct w_check *check, const struct w_node *node, yyjson_val *value);
bool w_check_list(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated);
bool w_check_object(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated);
bool w_check_logic(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated);
bool w_check_alternatives(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated);

/* Ends validation with an error; returns false. */
bool w_check_give_up(struct w_check *check, yyjson_val *value, const char *why)
    __attribute__((cold));
bool w_check_nomem(struct w_check *check) __attribute__((cold));

/* Whether a text matches; ends validation if the pattern hits its limit. */
bool w_check_pattern(
    struct w_check *check, const struct w_pattern *pattern, yyjson_val *text);

/* Like w_check_node(), but reports nothing, and marks parts as evaluated only
 * if the value is valid. */
bool w_check_try(struct w_check *check, const struct w_node *node,
    yyjson_val *value, struct w_evaluated *evaluated);

/* Adds an error if there is a collector; returns false. */
static inline bool
w_check_fault(struct w_check *check, const struct w_node *node,
    enum w_fault_kind kind, yyjson_val *value)
{
	if (check->collector != NULL)
		w_fault_add(check, &(struct w_fault){.kind = kind,
				       .node = node,
				       .value = value,
				       .at = value});
	return false;
}

/* The same for an error with details. */
static inline bool
w_check_fault_about(struct w_check *check, const struct w_fault *fault)
{
	if (check->collector != NULL)
		w_fault_add(check, fault);
	return false;
}

#endif /* W_SCHEMA_CHECK_H */
