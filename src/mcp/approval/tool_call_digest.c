/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The digest of a call. Each value is hashed with its type and length, so that
 * different calls never hash the same bytes. Members of an object are hashed in
 * the order of their names, because clients order them freely.
 */

#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "mcp/approval/signed_token.h"
#include "mcp/protocol/rpc.h"

struct member {
	yyjson_val *key;
	yyjson_val *val;
};

static bool tool_call_digest_add_value(
    struct w_sha256 *sum, yyjson_val *val, unsigned depth);

static void
tool_call_digest_add_bytes(
    struct w_sha256 *sum, char kind, const void *bytes, size_t len)
{
	const uint64_t count = len;

	w_sha256_add(sum, &kind, 1);
	w_sha256_add(sum, &count, sizeof(count));
	w_sha256_add(sum, bytes, len);
}

static int
tool_call_digest_compare(const void *a, const void *b)
{
	const struct member *one = a;
	const struct member *other = b;
	const size_t len = yyjson_get_len(one->key);
	const size_t other_len = yyjson_get_len(other->key);
	const int order = memcmp(yyjson_get_str(one->key),
	    yyjson_get_str(other->key), len < other_len ? len : other_len);

	if (order != 0)
		return order;
	return len < other_len ? -1 : len > other_len;
}

static size_t
tool_call_digest_collect(
    yyjson_val *object, unsigned depth, struct member *members)
{
	size_t used = 0;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(object, i, count, key, val)
	{
		if (depth > 0 ||
		    (!yyjson_equals_str(key, "_meta") &&
			!yyjson_equals_str(key, "inputResponses") &&
			!yyjson_equals_str(key, "requestState")))
			members[used++] =
			    (struct member){.key = key, .val = val};
	}
	qsort(members, used, sizeof(members[0]), tool_call_digest_compare);
	return used;
}

static bool
tool_call_digest_add_object(
    struct w_sha256 *sum, yyjson_val *object, unsigned depth)
{
	const size_t size = yyjson_obj_size(object);
	W_AUTO_FREE struct member *members = calloc(size + 1, sizeof(*members));

	if (members == NULL)
		return false;
	const size_t used = tool_call_digest_collect(object, depth, members);
	tool_call_digest_add_bytes(sum, 'o', &used, sizeof(used));
	for (size_t i = 0; i < used; i++) {
		tool_call_digest_add_bytes(sum, 'k',
		    yyjson_get_str(members[i].key),
		    yyjson_get_len(members[i].key));
		if (!tool_call_digest_add_value(sum, members[i].val, depth + 1))
			return false;
	}
	return true;
}

static bool
tool_call_digest_add_list(
    struct w_sha256 *sum, yyjson_val *list, unsigned depth)
{
	const size_t size = yyjson_arr_size(list);
	size_t i;
	size_t count;
	yyjson_val *val;

	tool_call_digest_add_bytes(sum, 'a', &size, sizeof(size));
	yyjson_arr_foreach(list, i, count, val)
	{
		if (!tool_call_digest_add_value(sum, val, depth + 1))
			return false;
	}
	return true;
}

static void
tool_call_digest_add_number(struct w_sha256 *sum, yyjson_val *val)
{
	const uint64_t whole = yyjson_get_uint(val);
	const int64_t below = yyjson_get_sint(val);
	const double real = yyjson_get_real(val);

	/* yyjson reads "-0" as a signed integer. */
	if (yyjson_is_uint(val) || (yyjson_is_sint(val) && below == 0))
		tool_call_digest_add_bytes(sum, 'u', &whole, sizeof(whole));
	else if (yyjson_is_sint(val))
		tool_call_digest_add_bytes(sum, 'i', &below, sizeof(below));
	else
		tool_call_digest_add_bytes(sum, 'd', &real, sizeof(real));
}

static bool
tool_call_digest_add_value(
    struct w_sha256 *sum, yyjson_val *val, unsigned depth)
{
	if (depth > W_RPC_DEPTH_MAX)
		return false;
	if (yyjson_is_obj(val))
		return tool_call_digest_add_object(sum, val, depth);
	if (yyjson_is_arr(val))
		return tool_call_digest_add_list(sum, val, depth);
	if (yyjson_is_str(val))
		tool_call_digest_add_bytes(
		    sum, 's', yyjson_get_str(val), yyjson_get_len(val));
	else if (yyjson_is_raw(val))
		tool_call_digest_add_bytes(
		    sum, 'r', yyjson_get_raw(val), yyjson_get_len(val));
	else if (yyjson_is_num(val))
		tool_call_digest_add_number(sum, val);
	else
		tool_call_digest_add_bytes(sum,
		    yyjson_is_true(val)    ? 't'
		    : yyjson_is_false(val) ? 'f'
					   : 'n',
		    "", 0);
	return true;
}

bool
w_tool_call_digest(
    const char *method, yyjson_val *params, uint8_t out[W_SHA256_SIZE])
{
	struct w_sha256 sum;

	w_sha256_init(&sum);
	tool_call_digest_add_bytes(&sum, 'm', method, strlen(method));
	if (!tool_call_digest_add_value(&sum, params, 0))
		return false;
	w_sha256_end(&sum, out);
	return true;
}
