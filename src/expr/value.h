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
 * A value of an expression: a JSON value, with integers kept exact.
 *
 * Values are immutable and live in an arena, so values may share parts. A
 * secret, and whatever is computed from one, carries a mark. Code that shows or
 * records a value checks it.
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
	bool is_secret;  /* sensitive(), or computed from a secret */
	bool is_raw;     /* raw(): goes into a shell command unquoted */
	bool is_indexed; /* a map with a sorted index after its members, for
			    w_value_member() */
	union {
		bool boolean;
		int64_t integer;
		double number;
		struct {
			const char *text; /* NUL-terminated, no NUL inside */
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

/* Limits of a value. */
#define W_VALUE_TEXT_MAX  ((size_t)16 << 20)
#define W_VALUE_DEPTH_MAX 64

/* Copies a parsed tree; a text with a NUL in it is an error. */
writ_status w_value_from_json(struct w_arena *arena, yyjson_val *val,
    struct w_value *out_value, writ_error *err);

/* A string value; borrows the text. */
struct w_value w_value_text(const char *text, size_t len);

/* A map from members allocated by w_value_new_members(), which reserves room
 * for the index of a large map. NULL: no memory. */
struct w_value_member *w_value_new_members(struct w_arena *arena, size_t count);
struct w_value w_value_map(struct w_value_member *members, size_t count);

/* The member of that name; NULL: not a map, or no such member. */
const struct w_value *w_value_member(
    const struct w_value *map, const char *name, size_t len);

/* A copy marked as secret, with all its parts. */
writ_status w_value_hide(struct w_arena *arena, const struct w_value *value,
    struct w_value *out_value, writ_error *err);

/* Whether the value or any part of it is secret. */
bool w_value_has_secret(const struct w_value *value);

/* Appends the value as JSON. Secrets become W_VALUE_HIDDEN unless
 * shows_secrets. */
#define W_VALUE_HIDDEN "(sensitive)"
void w_value_add_json(
    struct w_buf *buf, const struct w_value *value, bool shows_secrets);

/* Appends the value as a template inserts it: a string as it is, a number in
 * its shortest form, true and false, nothing for null, lists and maps as JSON.
 * Secrets are shown. */
void w_value_add_text(struct w_buf *buf, const struct w_value *value);

/* Writes a scalar as w_value_add_text() does, without a NUL; returns its
 * length. */
#define W_VALUE_NUMBER_MAX 32
size_t w_value_put_number(
    char out[W_VALUE_NUMBER_MAX], const struct w_value *value);

/* Whether two values are equal: 1 equals 1.0, marks are ignored. Adds the work
 * to *cost: values, and KiB of text. */
bool w_value_equal(
    const struct w_value *a, const struct w_value *b, size_t *cost);

/* Compares two numbers, like strcmp(). */
int w_value_order_numbers(const struct w_value *a, const struct w_value *b);

/* "a string", "a list": for messages. */
const char *w_value_kind_words(enum w_value_kind kind);

#endif /* W_EXPR_VALUE_H */
