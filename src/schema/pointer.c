/* SPDX-License-Identifier: Apache-2.0 */

/*
 * JSON Pointers (RFC 6901).
 *
 * yyjson stores the values of a document in one array in document order, each
 * container before its contents. So the path to a value follows from its
 * address alone, and nothing has to be recorded for messages.
 */

#include "schema/pointer.h"

#include <string.h>

#include "base/encode.h"

#define POINTER_MAX ((size_t)1 << 20)

/* Longest pointer in a message. */
#define PLACE_MAX 120

bool
w_pointer_is_inside(yyjson_val *root, const yyjson_val *target)
{
	return target >= root && target < unsafe_yyjson_get_next(root);
}

void
w_pointer_add_name(struct w_buf *buf, const char *name, size_t len)
{
	size_t start = 0;

	w_buf_add_char(buf, '/');
	for (size_t i = 0; i < len; i++) {
		if (name[i] != '~' && name[i] != '/')
			continue;
		w_buf_add(buf, name + start, i - start);
		w_buf_add_str(buf, name[i] == '~' ? "~0" : "~1");
		start = i + 1;
	}
	w_buf_add(buf, name + start, len - start);
}

/* The member of an object that contains target; NULL if target is a key. */
static yyjson_val *
enter_object(struct w_buf *buf, yyjson_val *object, const yyjson_val *target)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(object);
	yyjson_val *key = yyjson_obj_iter_next(&iter);

	for (; key != NULL; key = yyjson_obj_iter_next(&iter)) {
		yyjson_val *member = yyjson_obj_iter_get_val(key);
		if (!w_pointer_is_inside(member, target))
			continue;
		w_pointer_add_name(
		    buf, yyjson_get_str(key), yyjson_get_len(key));
		return member;
	}
	return NULL;
}

static yyjson_val *
enter_array(struct w_buf *buf, yyjson_val *array, const yyjson_val *target)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(array, i, count, item)
	{
		if (!w_pointer_is_inside(item, target))
			continue;
		w_buf_add_fmt(buf, "/%zu", i);
		return item;
	}
	return NULL;
}

void
w_pointer_add(struct w_buf *buf, yyjson_val *root, const yyjson_val *target)
{
	while (root != NULL && root != target) {
		root = yyjson_is_obj(root) ? enter_object(buf, root, target)
					   : enter_array(buf, root, target);
	}
}

void
w_pointer_add_place(
    struct w_buf *buf, yyjson_val *root, const yyjson_val *target)
{
	W_AUTO_BUF struct w_buf whole;

	w_buf_init(&whole, POINTER_MAX);
	w_pointer_add(&whole, root, target);
	if (whole.len == 0)
		return;
	if (whole.len <= PLACE_MAX) {
		w_buf_add(buf, whole.data, whole.len);
	} else {
		const char *end = whole.data + whole.len - PLACE_MAX / 2;
		end += w_utf8_trim_start(end, PLACE_MAX / 2);
		w_buf_add(buf, whole.data,
		    w_utf8_trim_end(whole.data, PLACE_MAX / 2));
		w_buf_add_str(buf, "...");
		w_buf_add_str(buf, end);
	}
	w_buf_add_str(buf, ": ");
}

/* Whether a pointer segment, unescaped, equals this key. */
static bool
pointer_is_key(const char *part, size_t len, yyjson_val *key)
{
	const char *text = yyjson_get_str(key);
	size_t left = yyjson_get_len(key);

	for (size_t i = 0; i < len; i++, text++, left--) {
		char c = part[i];
		if (c == '~' && i + 1 < len)
			c = part[++i] == '1' ? '/' : '~';
		if (left == 0 || *text != c)
			return false;
	}
	return left == 0;
}

static yyjson_val *
get_member(yyjson_val *object, const char *part, size_t len)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *member;

	yyjson_obj_foreach(object, i, count, key, member)
	{
		if (pointer_is_key(part, len, key))
			return member;
	}
	return NULL;
}

/* An index as in RFC 6901: no sign, no leading zero. */
static yyjson_val *
get_item(yyjson_val *array, const char *part, size_t len)
{
	size_t index = 0;

	if (len == 0 || len > 9 || (len > 1 && part[0] == '0'))
		return NULL;
	for (size_t i = 0; i < len; i++) {
		if (part[i] < '0' || part[i] > '9')
			return NULL;
		index = index * 10 + (size_t)(part[i] - '0');
	}
	return yyjson_arr_get(array, index);
}

yyjson_val *
w_pointer_step(yyjson_val *value, const char **text, size_t *len)
{
	if (*len == 0 || **text != '/')
		return NULL;
	const char *part = *text + 1;
	const char *slash = memchr(part, '/', *len - 1);
	size_t part_len = slash != NULL ? (size_t)(slash - part) : *len - 1;

	*text = part + part_len;
	*len -= part_len + 1;
	if (yyjson_is_obj(value))
		return get_member(value, part, part_len);
	return get_item(value, part, part_len);
}
