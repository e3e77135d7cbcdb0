/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SCHEMA_FAULT_H
#define W_SCHEMA_FAULT_H

#include "base/buf.h"
#include "schema/node.h"

/* The kinds of errors, each with its keyword. */
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

/* The keyword of each kind. */
extern const char *const w_fault_keywords[];

struct w_fault {
	enum w_fault_kind kind;
	const struct w_node *node;
	yyjson_val *value;  /* the invalid value */
	yyjson_val *at;     /* the location: the value or a key */
	yyjson_val *name;   /* a missing or unexpected key */
	yyjson_val *other;  /* the key that requires name; an equal item */
	const char *detail; /* error of the nearest alternative */
	size_t first;       /* index of an alternative, from 1 */
	size_t second;
};

struct w_check;

/* Receives the errors of a validation, or of one alternative in it. */
struct w_collector {
	struct w_schema_report *report;
	yyjson_val *value; /* the alternative's value; NULL: no alternative */
	unsigned types; /* if the only error is the type: the expected types */
	bool is_far;    /* the alternative is for another kind of value */
};

/* Adds an error to the collector of check. */
void w_fault_add(struct w_check *check, const struct w_fault *fault);

/* Moves all errors of from to the collector of check. */
void w_fault_adopt(struct w_check *check, struct w_schema_report *from);

/* fault_message.c: the message of a fault. */
void w_fault_message_add(struct w_buf *buf, const struct w_fault *fault);

/* suggestion.c: what may have been meant; often nothing. */
void w_suggestion_add(struct w_buf *buf, const struct w_fault *fault);

/* "a string or an integer". */
void w_fault_message_add_types(struct w_buf *buf, unsigned types);

/* fault_quote.c: a value for a message, shortened and escaped. */
void w_quote_value(struct w_buf *buf, yyjson_val *value);

/* A text without quotes, escaped too. */
void w_quote_bare(struct w_buf *buf, const char *text, size_t len);

#endif /* W_SCHEMA_FAULT_H */
