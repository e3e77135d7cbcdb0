/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_DATA_JSON_FIELDS_H
#define W_DATA_JSON_FIELDS_H

#include "data/json.h"

/*
 * A struct and its JSON object, by one table:
 *
 *	#define AT(member) W_JSON_AT(struct point, member)
 *
 *	static const struct w_json_field point_fields[] = {
 *	    {"name", W_JSON_STRING, AT(name)},
 *	    {"x", W_JSON_UINT, AT(x), .flags = W_JSON_ZERO_NULL},
 *	    {.key = NULL},
 *	};
 *
 * The table has the order of the object's members.
 */
enum w_json_kind {
	W_JSON_STRING, /* const char *; any bytes. NULL: null */
	W_JSON_CHARS,  /* char[] */
	W_JSON_LIST,   /* const char *const *, ended by NULL. NULL: [] */
	W_JSON_BOOL,
	W_JSON_UINT,    /* unsigned, of any size */
	W_JSON_INT,     /* int */
	W_JSON_WORD,    /* an enum, as words[value] */
	W_JSON_TEXT,    /* const char *: JSON itself. NULL: null */
	W_JSON_VALUE,   /* yyjson_val *. NULL: null */
	W_JSON_OBJECT,  /* a struct in the struct */
	W_JSON_POINTER, /* a pointer to a struct. NULL: null */
	W_JSON_ARRAY,   /* a pointer to structs, and their count */
	W_JSON_ADDED,   /* what add() makes of the whole struct */
};

enum w_json_field_flag {
	W_JSON_ZERO_NULL = 1 << 0,  /* 0 and "" are written as null */
	W_JSON_OMIT_EMPTY = 1 << 1, /* NULL, 0, false and "" are left out */
	W_JSON_MAY_MISS = 1 << 2,   /* read: as if OMIT_EMPTY */
	W_JSON_NOT_NULL = 1 << 3,   /* read: null is refused */
};

struct w_json_field {
	const char *key; /* NULL ends a table */
	enum w_json_kind kind;
	size_t offset; /* of the member */
	size_t size;
	unsigned flags;
	const char *const *words;          /* WORD: ended by NULL */
	const struct w_json_field *fields; /* OBJECT, POINTER, ARRAY */
	size_t count_offset;               /* ARRAY: of a size_t */
	size_t item_size;                  /* ARRAY */
	void (*add)(struct w_buf *buf, const void *object); /* ADDED */
};

#define W_JSON_AT(type, member) \
	.offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/* Appends the members of an object, each with its comma. */
void w_json_add_fields(
    struct w_buf *buf, const struct w_json_field *fields, const void *object);

/* Appends an object with its braces. */
void w_json_add_object(
    struct w_buf *buf, const struct w_json_field *fields, const void *object);

/* Appends a member that is such an object; null for NULL. */
void w_json_add_object_member(struct w_buf *buf, const char *name,
    const struct w_json_field *fields, const void *object);

/*
 * Fills a struct from an object: STRING and TEXT borrow from the document.
 * Members that the object lacks must be OMIT_EMPTY or MAY_MISS and stay as they
 * are. On failure the struct is partly filled, and *out_at (NULL: not wanted)
 * is the value or the key that is wrong, or the object that lacks one.
 */
struct w_json_object_reader {
	const char *stage;
	const char *what;     /* of unknown keys: "key", "limit" */
	bool may_have_others; /* unknown keys are skipped */
};
writ_status w_json_get_fields(const struct w_json_object_reader *reader,
    const struct w_json_field *fields, yyjson_val *map, void *object,
    yyjson_val **out_at, writ_error *err);

#endif /* W_DATA_JSON_FIELDS_H */
