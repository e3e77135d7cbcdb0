/* SPDX-License-Identifier: Apache-2.0 */

/* Messages of a report, by the kind of fault. Each says what is expected and
 * what was found, with the schema as written. */

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

/* "must have at least 2 items, got 1". */
static void
describe_count(struct w_buf *buf, const struct w_fault *fault)
{
	const struct w_node *node = fault->node;
	const bool is_min = fault->kind == W_FAULT_MIN_LENGTH ||
			    fault->kind == W_FAULT_MIN_ITEMS ||
			    fault->kind == W_FAULT_MIN_PROPERTIES;
	const struct w_size_range *range;
	const char *unit;
	size_t got;

	if (yyjson_is_str(fault->value)) {
		range = &node->text->length;
		unit = "character";
		got = w_code_point_count(
		    yyjson_get_str(fault->value), yyjson_get_len(fault->value));
	} else if (yyjson_is_arr(fault->value)) {
		range = &node->list->size;
		unit = "item";
		got = yyjson_arr_size(fault->value);
	} else {
		range = &node->object->size;
		unit = "key";
		got = yyjson_obj_size(fault->value);
	}
	const size_t wanted = is_min ? range->min : range->max;
	if (is_min && got == 0)
		w_buf_add_str(buf, "must not be empty");
	else
		w_buf_add_fmt(buf, "must have at %s %zu %s%s, got %zu",
		    is_min ? "least" : "most", wanted, unit,
		    wanted == 1 ? "" : "s", got);
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

/*
 * A template or, where it depends on more, a function. In a template %v is the
 * value, %= the value of the keyword, %f that as a name, %t the types, %n and
 * %o a key, %1 and %2 the numbers of alternatives.
 */
static const struct {
	const char *text;
	void (*describe)(struct w_buf *buf, const struct w_fault *fault);
} messages[] = {
    [W_FAULT_NEVER] = {"nothing may be here, got %v", NULL},
    [W_FAULT_TYPE] = {"expected %t, got %v", NULL},
    [W_FAULT_CONST] = {"must be %=, got %v", NULL},
    [W_FAULT_ENUM] = {NULL, describe_enum},
    [W_FAULT_MINIMUM] = {"must be at least %=, got %v", NULL},
    [W_FAULT_MAXIMUM] = {"must be at most %=, got %v", NULL},
    [W_FAULT_ABOVE] = {"must be more than %=, got %v", NULL},
    [W_FAULT_BELOW] = {"must be less than %=, got %v", NULL},
    [W_FAULT_MULTIPLE] = {"must be a multiple of %=, got %v", NULL},
    [W_FAULT_MIN_LENGTH] = {NULL, describe_count},
    [W_FAULT_MAX_LENGTH] = {NULL, describe_count},
    [W_FAULT_PATTERN] = {"must match the pattern %=, got %v", NULL},
    [W_FAULT_FORMAT] = {"must have the format %f, got %v", NULL},
    [W_FAULT_MIN_ITEMS] = {NULL, describe_count},
    [W_FAULT_MAX_ITEMS] = {NULL, describe_count},
    [W_FAULT_UNIQUE] = {"every item must be there once, but %v is there again",
	NULL},
    [W_FAULT_CONTAINS] = {"no item is what one of them must be: %=", NULL},
    [W_FAULT_MIN_CONTAINS] = {NULL, describe_min_contains},
    [W_FAULT_MAX_CONTAINS] = {NULL, describe_max_contains},
    [W_FAULT_EXTRA_ITEM] = {NULL, describe_extra_item},
    [W_FAULT_EXTRA_ITEM_07] = {NULL, describe_extra_item},
    [W_FAULT_UNEVALUATED_ITEM] = {"this item is not expected, got %v", NULL},
    [W_FAULT_MIN_PROPERTIES] = {NULL, describe_count},
    [W_FAULT_MAX_PROPERTIES] = {NULL, describe_count},
    [W_FAULT_REQUIRED] = {"missing key %n", NULL},
    [W_FAULT_DEPENDENT] = {"missing key %n, which the key %o needs", NULL},
    [W_FAULT_DEPENDENCY] = {"missing key %n, which the key %o needs", NULL},
    [W_FAULT_FORBIDDEN_KEY] = {"the key %n may not be here", NULL},
    [W_FAULT_UNKNOWN_KEY] = {"unknown key %n", NULL},
    [W_FAULT_UNEVALUATED_KEY] = {"unknown key %n", NULL},
    [W_FAULT_KEY] = {NULL, describe_key},
    [W_FAULT_NOT] = {NULL, describe_not},
    [W_FAULT_ANY] = {NULL, describe_alternatives},
    [W_FAULT_NONE_OF_ONE] = {NULL, describe_alternatives},
    [W_FAULT_TWO_OF_ONE] = {"must fit one alternative only, but fits number %1 "
			    "and number %2",
	NULL},
    [W_FAULT_UNEXPLAINED] = {"does not fit the schema", NULL},
};

static void
add_piece(struct w_buf *buf, const struct w_fault *fault, char what)
{
	/* As written in the schema. */
	yyjson_val *written =
	    yyjson_obj_get(fault->node->schema, w_fault_keywords[fault->kind]);

	switch (what) {
	case 'v':
		w_quote_value(buf, fault->value);
		break;
	case '=':
		w_quote_value(buf, written);
		break;
	case 'f':
		fault_message_add_key(buf, written);
		break;
	case 't':
		w_fault_message_add_types(buf, fault->node->types);
		break;
	case 'n':
		fault_message_add_key(buf, fault->name);
		break;
	case 'o':
		fault_message_add_key(buf, fault->other);
		break;
	default:
		w_buf_add_fmt(
		    buf, "%zu", what == '1' ? fault->first : fault->second);
		break;
	}
}

void
w_fault_message_add(struct w_buf *buf, const struct w_fault *fault)
{
	const char *at = messages[fault->kind].text;

	if (at == NULL) {
		messages[fault->kind].describe(buf, fault);
		return;
	}
	for (; *at != '\0'; at++) {
		if (*at == '%')
			add_piece(buf, fault, *++at);
		else
			w_buf_add_char(buf, *at);
	}
}
