/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXPR_VALUE_H
#define W_EXPR_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

/*
 * A value of an expression: what JSON has, with whole numbers kept whole.
 *
 * Values never change once made, and live in an arena, so parts of one may be
 * parts of another. A value that is secret, or was computed from one that is,
 * carries that mark wherever it goes: who shows or records a value asks for
 * it.
 */
enum w_value_kind {
	W_VALUE_NULL,
	W_VALUE_BOOL,
	W_VALUE_INT,
	W_VALUE_FLOAT,
	W_VALUE_STRING,
	W_VALUE_LIST,
	W_VALUE_MAP,
};

struct w_value {
	enum w_value_kind kind;
	bool is_secret;  /* sensitive(), or computed from what is */
	bool is_raw;     /* raw(): goes into a shell text as it stands */
	bool is_indexed; /* a map: the order of its names lies behind the
			    members, for w_value_member() alone */
	union {
		bool boolean;
		int64_t integer;
		double number;
		struct {
			const char *text; /* a NUL behind it, and none in it */
			size_t len;
		} string;
		struct {
			const struct w_value *items;
			size_t count;
		} list;
		struct {
			const struct w_value_member *members; /* in order */
			size_t count;
		} map;
	} as;
};

struct w_value_member {
	const char *name;
	size_t len;
	struct w_value value;
};

/* The longest text, and the deepest nesting, that a value may have. */
#define W_VALUE_TEXT_MAX  ((size_t)16 << 20)
#define W_VALUE_DEPTH_MAX 64

/* A copy of a tree that was read; texts with a NUL in them are refused. */
writ_status w_value_from_json(struct w_arena *arena, yyjson_val *val,
    struct w_value *out_value, writ_error *err);

/* A text; borrowed. */
struct w_value w_value_text(const char *text, size_t len);

/* A map of members that lie in what w_value_new_members() gave: of a large one
 * members are found quickly. NULL: no memory. */
struct w_value_member *w_value_new_members(struct w_arena *arena, size_t count);
struct w_value w_value_map(struct w_value_member *members, size_t count);

/* The member of that name; NULL: it is no map, or has none. */
const struct w_value *w_value_member(
    const struct w_value *map, const char *name, size_t len);

/* The same with the mark of a secret, on all that is in it too. */
writ_status w_value_hide(struct w_arena *arena, const struct w_value *value,
    struct w_value *out_value, writ_error *err);

/* Whether it or anything in it is secret. */
bool w_value_has_secret(const struct w_value *value);

/* Appends it as JSON. What is secret becomes W_VALUE_HIDDEN unless shown. */
#define W_VALUE_HIDDEN "(sensitive)"
void w_value_add_json(
    struct w_buf *buf, const struct w_value *value, bool shows_secrets);

/* Appends it as a text that a template puts in place of an expression: a
 * string as it is, a number in its shortest form, true and false, nothing for
 * null; lists and maps as JSON. Secrets are shown: that is what they are for.
 */
void w_value_add_text(struct w_buf *buf, const struct w_value *value);

/* How many bytes w_value_add_text() needs for all but lists and maps, and the
 * text in that room (no NUL behind it). */
#define W_VALUE_NUMBER_MAX 32
size_t w_value_put_number(
    char out[W_VALUE_NUMBER_MAX], const struct w_value *value);

/* Whether two values are equal: 1 and 1.0 are. Marks do not count. Adds what
 * it looked at to *cost: values, and KiB of text. */
bool w_value_equal(
    const struct w_value *a, const struct w_value *b, size_t *cost);

/* Less than, equal to or more than 0, for two numbers. */
int w_value_order_numbers(const struct w_value *a, const struct w_value *b);

/* "a string", "a list": for messages. */
const char *w_value_kind_words(enum w_value_kind kind);

#endif /* W_EXPR_VALUE_H */
