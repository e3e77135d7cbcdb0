/* SPDX-License-Identifier: Apache-2.0 */

/* Messages of a report, one function for each kind of fault. Each says what is
 * expected and what was found, with the schema as written. */

#include <string.h>

#include "base/encode.h"
#include "schema/check/fault.h"
#include "schema/code_point.h"

/* Limits on the choices and the length of a key in a message. */
#define CHOICES_MAX 12
#define KEY_MAX     60

static const struct {
	unsigned bit;
	const char *name;
} type_names[] = {
    {W_SCHEMA_TYPE(YYJSON_TYPE_STR), "a string"},
    {W_SCHEMA_INTEGER, "an integer"},
    {W_SCHEMA_NUMBER, "a number"},
    {W_SCHEMA_TYPE(YYJSON_TYPE_BOOL), "a boolean"},
    {W_SCHEMA_TYPE(YYJSON_TYPE_ARR), "an array"},
    {W_SCHEMA_TYPE(YYJSON_TYPE_OBJ), "an object"},
    {W_SCHEMA_TYPE(YYJSON_TYPE_NULL), "null"},
};

void
w_fault_message_add_types(struct w_buf *buf, unsigned types)
{
	size_t count = sizeof(type_names) / sizeof(type_names[0]);
	unsigned left = types;

	/* "a number" includes integers. */
	if ((left & W_SCHEMA_NUMBER) != 0)
		left &= ~W_SCHEMA_INTEGER;
	for (size_t i = 0; i < count; i++) {
		if ((left & type_names[i].bit) == 0)
			continue;
		left &= ~type_names[i].bit;
		w_buf_add_str(buf, type_names[i].name);
		if (left == 0)
			return;
		bool is_last_but_one = (left & (left - 1)) == 0;
		w_buf_add_str(buf, is_last_but_one ? " or " : ", ");
	}
}

/* A keyword's value, from the original schema. */
static yyjson_val *
keyword(const struct w_fault *fault, const char *name)
{
	return yyjson_obj_get(fault->node->schema, name);
}

static void
fault_message_add_key(struct w_buf *buf, yyjson_val *key)
{
	size_t len = yyjson_get_len(key);
	const char *text = yyjson_get_str(key);
	size_t shown = w_utf8_trim_end(text, len < KEY_MAX ? len : KEY_MAX);

	w_buf_add_char(buf, '\'');
	w_quote_bare(buf, text, shown);
	w_buf_add_str(buf, shown < len ? "...'" : "'");
}

static void
add_got(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, ", got ");
	w_quote_value(buf, fault->value);
}

static void
describe_never(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "nothing may be here");
	add_got(buf, fault);
}

static void
describe_type(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "expected ");
	w_fault_message_add_types(buf, fault->node->types);
	add_got(buf, fault);
}

static void
describe_const(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "must be ");
	w_quote_value(buf, fault->node->logic->constant);
	add_got(buf, fault);
}

static void
describe_enum(struct w_buf *buf, const struct w_fault *fault)
{
	yyjson_val *choices = fault->node->logic->choices;
	size_t i;
	size_t count;
	yyjson_val *choice;

	if (yyjson_arr_size(choices) == 0)
		w_buf_add_str(buf, "no value is allowed");
	else if (yyjson_arr_size(choices) == 1)
		w_buf_add_str(buf, "must be ");
	else
		w_buf_add_str(buf, "must be one of ");
	yyjson_arr_foreach(choices, i, count, choice)
	{
		if (i == CHOICES_MAX) {
			w_buf_add_fmt(buf, " and %zu more", count - i);
			break;
		}
		w_buf_add_str(buf, i > 0 ? ", " : "");
		w_quote_value(buf, choice);
	}
	add_got(buf, fault);
}

/* "must be at least 1, got 0". */
static void
add_bound(struct w_buf *buf, const struct w_fault *fault, const char *words,
    yyjson_val *bound)
{
	w_buf_add_str(buf, words);
	w_quote_value(buf, bound);
	add_got(buf, fault);
}

static void
describe_minimum(struct w_buf *buf, const struct w_fault *fault)
{
	add_bound(
	    buf, fault, "must be at least ", fault->node->number->minimum);
}

static void
describe_maximum(struct w_buf *buf, const struct w_fault *fault)
{
	add_bound(buf, fault, "must be at most ", fault->node->number->maximum);
}

static void
describe_above(struct w_buf *buf, const struct w_fault *fault)
{
	add_bound(buf, fault, "must be more than ", fault->node->number->above);
}

static void
describe_below(struct w_buf *buf, const struct w_fault *fault)
{
	add_bound(buf, fault, "must be less than ", fault->node->number->below);
}

static void
describe_multiple(struct w_buf *buf, const struct w_fault *fault)
{
	add_bound(buf, fault, "must be a multiple of ",
	    fault->node->number->multiple);
}

/* "must have at least 2 items, got 1". */
static void
fault_message_add_count(struct w_buf *buf, const char *bound, size_t wanted,
    const char *unit, size_t got)
{
	w_buf_add_fmt(buf, "must have at %s %zu %s%s, got %zu", bound, wanted,
	    unit, wanted == 1 ? "" : "s", got);
}

static size_t
characters(yyjson_val *text)
{
	return w_code_point_count(yyjson_get_str(text), yyjson_get_len(text));
}

static void
describe_min_length(struct w_buf *buf, const struct w_fault *fault)
{
	if (yyjson_get_len(fault->value) == 0) {
		w_buf_add_str(buf, "must not be empty");
		return;
	}
	fault_message_add_count(buf, "least", fault->node->text->length.min,
	    "character", characters(fault->value));
}

static void
describe_max_length(struct w_buf *buf, const struct w_fault *fault)
{
	fault_message_add_count(buf, "most", fault->node->text->length.max,
	    "character", characters(fault->value));
}

static void
describe_pattern(struct w_buf *buf, const struct w_fault *fault)
{
	add_bound(
	    buf, fault, "must match the pattern ", keyword(fault, "pattern"));
}

static void
describe_format(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "must have the format ");
	fault_message_add_key(buf, keyword(fault, "format"));
	add_got(buf, fault);
}

static void
describe_min_items(struct w_buf *buf, const struct w_fault *fault)
{
	if (yyjson_arr_size(fault->value) == 0) {
		w_buf_add_str(buf, "must not be empty");
		return;
	}
	fault_message_add_count(buf, "least", fault->node->list->size.min,
	    "item", yyjson_arr_size(fault->value));
}

static void
describe_max_items(struct w_buf *buf, const struct w_fault *fault)
{
	fault_message_add_count(buf, "most", fault->node->list->size.max,
	    "item", yyjson_arr_size(fault->value));
}

static void
describe_unique(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "every item must be there once, but ");
	w_quote_value(buf, fault->value);
	w_buf_add_str(buf, " is there again");
}

static void
describe_contains(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "no item is what one of them must be: ");
	w_quote_value(buf, fault->node->list->contains->schema);
}

static void
describe_min_contains(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_fmt(buf, "at least %zu items must fit 'contains', %zu %s",
	    fault->node->list->found.min, fault->first,
	    fault->first == 1 ? "does" : "do");
}

static void
describe_max_contains(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_fmt(buf, "at most %zu item%s may fit 'contains', %zu do",
	    fault->node->list->found.max,
	    fault->node->list->found.max == 1 ? "" : "s", fault->first);
}

static void
describe_extra_item(struct w_buf *buf, const struct w_fault *fault)
{
	size_t count = fault->node->list->prefix.count;

	if (count == 0)
		w_buf_add_str(buf, "the array must be empty");
	else
		w_buf_add_fmt(buf, "there may be no more than %zu item%s",
		    count, count == 1 ? "" : "s");
	add_got(buf, fault);
}

static void
describe_unevaluated_item(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "this item is not expected");
	add_got(buf, fault);
}

static void
describe_min_properties(struct w_buf *buf, const struct w_fault *fault)
{
	if (yyjson_obj_size(fault->value) == 0) {
		w_buf_add_str(buf, "must not be empty");
		return;
	}
	fault_message_add_count(buf, "least", fault->node->object->size.min,
	    "key", yyjson_obj_size(fault->value));
}

static void
describe_max_properties(struct w_buf *buf, const struct w_fault *fault)
{
	fault_message_add_count(buf, "most", fault->node->object->size.max,
	    "key", yyjson_obj_size(fault->value));
}

static void
describe_required(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "missing key ");
	fault_message_add_key(buf, fault->name);
}

static void
describe_dependent(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "missing key ");
	fault_message_add_key(buf, fault->name);
	w_buf_add_str(buf, ", which the key ");
	fault_message_add_key(buf, fault->other);
	w_buf_add_str(buf, " needs");
}

static void
describe_forbidden_key(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "the key ");
	fault_message_add_key(buf, fault->name);
	w_buf_add_str(buf, " may not be here");
}

static void
describe_unknown_key(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "unknown key ");
	fault_message_add_key(buf, fault->name);
}

static void
describe_key(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_str(buf, "the key ");
	fault_message_add_key(buf, fault->name);
	w_buf_add_str(buf, " is not allowed");
	if (fault->detail != NULL)
		w_buf_add_fmt(buf, ": %s", fault->detail);
}

static void
describe_not(struct w_buf *buf, const struct w_fault *fault)
{
	yyjson_val *negated = fault->node->logic->negated->schema;

	w_buf_add_str(buf, "not valid here: ");
	w_quote_value(buf, fault->value);
	if (yyjson_is_obj(negated) && yyjson_obj_size(negated) > 0) {
		w_buf_add_str(buf, " fits what it must not: ");
		w_quote_value(buf, negated);
	}
}

static void
describe_alternatives(struct w_buf *buf, const struct w_fault *fault)
{
	if (fault->first == 0) {
		w_buf_add_str(buf, fault->detail);
		return;
	}
	w_buf_add_fmt(buf,
	    "fits none of %zu alternatives; the nearest is number %zu: %s",
	    fault->second, fault->first, fault->detail);
}

static void
describe_two(struct w_buf *buf, const struct w_fault *fault)
{
	w_buf_add_fmt(buf,
	    "must fit one alternative only, but fits number %zu and number "
	    "%zu",
	    fault->first, fault->second);
}

static void
describe_unexplained(struct w_buf *buf, const struct w_fault *fault)
{
	(void)fault;
	w_buf_add_str(buf, "does not fit the schema");
}

static void (*const describers[])(
    struct w_buf *buf, const struct w_fault *fault) = {
    [W_FAULT_NEVER] = describe_never,
    [W_FAULT_TYPE] = describe_type,
    [W_FAULT_CONST] = describe_const,
    [W_FAULT_ENUM] = describe_enum,
    [W_FAULT_MINIMUM] = describe_minimum,
    [W_FAULT_MAXIMUM] = describe_maximum,
    [W_FAULT_ABOVE] = describe_above,
    [W_FAULT_BELOW] = describe_below,
    [W_FAULT_MULTIPLE] = describe_multiple,
    [W_FAULT_MIN_LENGTH] = describe_min_length,
    [W_FAULT_MAX_LENGTH] = describe_max_length,
    [W_FAULT_PATTERN] = describe_pattern,
    [W_FAULT_FORMAT] = describe_format,
    [W_FAULT_MIN_ITEMS] = describe_min_items,
    [W_FAULT_MAX_ITEMS] = describe_max_items,
    [W_FAULT_UNIQUE] = describe_unique,
    [W_FAULT_CONTAINS] = describe_contains,
    [W_FAULT_MIN_CONTAINS] = describe_min_contains,
    [W_FAULT_MAX_CONTAINS] = describe_max_contains,
    [W_FAULT_EXTRA_ITEM] = describe_extra_item,
    [W_FAULT_EXTRA_ITEM_07] = describe_extra_item,
    [W_FAULT_UNEVALUATED_ITEM] = describe_unevaluated_item,
    [W_FAULT_MIN_PROPERTIES] = describe_min_properties,
    [W_FAULT_MAX_PROPERTIES] = describe_max_properties,
    [W_FAULT_REQUIRED] = describe_required,
    [W_FAULT_DEPENDENT] = describe_dependent,
    [W_FAULT_DEPENDENCY] = describe_dependent,
    [W_FAULT_FORBIDDEN_KEY] = describe_forbidden_key,
    [W_FAULT_UNKNOWN_KEY] = describe_unknown_key,
    [W_FAULT_UNEVALUATED_KEY] = describe_unknown_key,
    [W_FAULT_KEY] = describe_key,
    [W_FAULT_NOT] = describe_not,
    [W_FAULT_ANY] = describe_alternatives,
    [W_FAULT_NONE_OF_ONE] = describe_alternatives,
    [W_FAULT_TWO_OF_ONE] = describe_two,
    [W_FAULT_UNEXPLAINED] = describe_unexplained,
};

void
w_fault_message_add(struct w_buf *buf, const struct w_fault *fault)
{
	describers[fault->kind](buf, fault);
}
