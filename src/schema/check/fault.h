/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_FAULT_H
#define W_SCHEMA_FAULT_H

#include "base/buf.h"
#include "schema/node.h"

/* The ways in which a value can be wrong, with the keyword that says so. */
#define W_FAULT_MAP(X)                              \
	X(NEVER, "")                                \
	X(TYPE, "type")                             \
	X(CONST, "const")                           \
	X(ENUM, "enum")                             \
	X(MINIMUM, "minimum")                       \
	X(MAXIMUM, "maximum")                       \
	X(ABOVE, "exclusiveMinimum")                \
	X(BELOW, "exclusiveMaximum")                \
	X(MULTIPLE, "multipleOf")                   \
	X(MIN_LENGTH, "minLength")                  \
	X(MAX_LENGTH, "maxLength")                  \
	X(PATTERN, "pattern")                       \
	X(FORMAT, "format")                         \
	X(MIN_ITEMS, "minItems")                    \
	X(MAX_ITEMS, "maxItems")                    \
	X(UNIQUE, "uniqueItems")                    \
	X(CONTAINS, "contains")                     \
	X(MIN_CONTAINS, "minContains")              \
	X(MAX_CONTAINS, "maxContains")              \
	X(EXTRA_ITEM, "items")                      \
	X(EXTRA_ITEM_07, "additionalItems")         \
	X(UNEVALUATED_ITEM, "unevaluatedItems")     \
	X(MIN_PROPERTIES, "minProperties")          \
	X(MAX_PROPERTIES, "maxProperties")          \
	X(REQUIRED, "required")                     \
	X(DEPENDENT, "dependentRequired")           \
	X(DEPENDENCY, "dependencies")               \
	X(FORBIDDEN_KEY, "properties")              \
	X(UNKNOWN_KEY, "additionalProperties")      \
	X(UNEVALUATED_KEY, "unevaluatedProperties") \
	X(KEY, "propertyNames")                     \
	X(NOT, "not")                               \
	X(ANY, "anyOf")                             \
	X(NONE_OF_ONE, "oneOf")                     \
	X(TWO_OF_ONE, "oneOf")                      \
	X(UNEXPLAINED, "")

enum w_fault_kind {
#define X(name, keyword) W_FAULT_##name,
	W_FAULT_MAP(X)
#undef X
};

struct w_fault {
	enum w_fault_kind kind;
	const struct w_node *node;
	yyjson_val *value;  /* what is wrong */
	yyjson_val *at;     /* its place: the value, or a key */
	yyjson_val *name;   /* a key that is missing, or asks for it */
	yyjson_val *other;  /* a key that asks for name; an equal item */
	const char *detail; /* what the nearest alternative says */
	size_t first;       /* which alternatives, from 1 */
	size_t second;
};

struct w_check;

/* Where the problems of a judgement go, or of one alternative in it. */
struct w_collector {
	struct w_schema_report *report;
	yyjson_val *value; /* what the alternative is tried on */
	unsigned types;    /* when its only problem is the type of the value:
			      those that it wants */
	bool is_far;       /* meant for values of another kind */
};

/* Adds a problem to the collector of check. */
void w_fault_add(struct w_check *check, const struct w_fault *fault);

/* Moves all problems of from to the collector of check. */
void w_fault_adopt(struct w_check *check, struct w_schema_report *from);

/* message.c: the sentence for a fault. */
void w_fault_message_add(struct w_buf *buf, const struct w_fault *fault);

/* suggestion.c: what could be meant instead; often nothing. */
void w_suggestion_add(struct w_buf *buf, const struct w_fault *fault);

/* "a string or an integer". */
void w_fault_message_add_types(struct w_buf *buf, unsigned types);

/* fault_quote.c: a value as a message shows it, short and harmless. */
void w_quote_value(struct w_buf *buf, yyjson_val *value);

/* A text without quotes around it, harmless too. */
void w_quote_bare(struct w_buf *buf, const char *text, size_t len);

#endif /* W_SCHEMA_FAULT_H */
