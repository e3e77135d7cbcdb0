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

struct tool_call_digest {
	struct w_sha256 sum;
	bool is_exec; /* the call is one of the tool exec */
};

struct member {
	yyjson_val *key;
	yyjson_val *val;
};

static bool tool_call_digest_add_value(
    struct tool_call_digest *digest, yyjson_val *val, unsigned depth);

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

/* What belongs to the question and not to the call; and what an agent says of a
 * call of exec, which it says in other words the next time. */
static bool
is_left_out(
    const struct tool_call_digest *digest, yyjson_val *key, unsigned depth)
{
	static const char *const of_params[] = {
	    "_meta", "inputResponses", "requestState", NULL};
	static const char *const of_exec[] = {
	    "description", "explanation", "justification", NULL};
	const char *const *names = depth == 0                      ? of_params
				   : depth == 1 && digest->is_exec ? of_exec
								   : NULL;

	while (names != NULL && *names != NULL) {
		if (yyjson_equals_str(key, *names++))
			return true;
	}
	return false;
}

static size_t
tool_call_digest_collect(const struct tool_call_digest *digest,
    yyjson_val *object, unsigned depth, struct member *members)
{
	size_t used = 0;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(object, i, count, key, val)
	{
		if (!is_left_out(digest, key, depth))
			members[used++] =
			    (struct member){.key = key, .val = val};
	}
	qsort(members, used, sizeof(members[0]), tool_call_digest_compare);
	return used;
}

static bool
tool_call_digest_add_object(
    struct tool_call_digest *digest, yyjson_val *object, unsigned depth)
{
	const size_t size = yyjson_obj_size(object);
	W_AUTO_FREE struct member *members = calloc(size + 1, sizeof(*members));

	if (members == NULL)
		return false;
	const size_t used =
	    tool_call_digest_collect(digest, object, depth, members);
	tool_call_digest_add_bytes(&digest->sum, 'o', &used, sizeof(used));
	for (size_t i = 0; i < used; i++) {
		tool_call_digest_add_bytes(&digest->sum, 'k',
		    yyjson_get_str(members[i].key),
		    yyjson_get_len(members[i].key));
		if (!tool_call_digest_add_value(
			digest, members[i].val, depth + 1))
			return false;
	}
	return true;
}

static bool
tool_call_digest_add_list(
    struct tool_call_digest *digest, yyjson_val *list, unsigned depth)
{
	const size_t size = yyjson_arr_size(list);
	size_t i;
	size_t count;
	yyjson_val *val;

	tool_call_digest_add_bytes(&digest->sum, 'a', &size, sizeof(size));
	yyjson_arr_foreach(list, i, count, val)
	{
		if (!tool_call_digest_add_value(digest, val, depth + 1))
			return false;
	}
	return true;
}

static void
tool_call_digest_add_number(struct tool_call_digest *digest, yyjson_val *val)
{
	const uint64_t whole = yyjson_get_uint(val);
	const int64_t below = yyjson_get_sint(val);
	const double real = yyjson_get_real(val);

	/* yyjson reads "-0" as a signed integer. */
	if (yyjson_is_uint(val) || (yyjson_is_sint(val) && below == 0))
		tool_call_digest_add_bytes(
		    &digest->sum, 'u', &whole, sizeof(whole));
	else if (yyjson_is_sint(val))
		tool_call_digest_add_bytes(
		    &digest->sum, 'i', &below, sizeof(below));
	else
		tool_call_digest_add_bytes(
		    &digest->sum, 'd', &real, sizeof(real));
}

static bool
tool_call_digest_add_value(
    struct tool_call_digest *digest, yyjson_val *val, unsigned depth)
{
	if (depth > W_RPC_DEPTH_MAX)
		return false;
	if (yyjson_is_obj(val))
		return tool_call_digest_add_object(digest, val, depth);
	if (yyjson_is_arr(val))
		return tool_call_digest_add_list(digest, val, depth);
	if (yyjson_is_str(val))
		tool_call_digest_add_bytes(&digest->sum, 's',
		    yyjson_get_str(val), yyjson_get_len(val));
	else if (yyjson_is_raw(val))
		tool_call_digest_add_bytes(&digest->sum, 'r',
		    yyjson_get_raw(val), yyjson_get_len(val));
	else if (yyjson_is_num(val))
		tool_call_digest_add_number(digest, val);
	else
		tool_call_digest_add_bytes(&digest->sum,
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
	struct tool_call_digest digest = {
	    .is_exec =
		yyjson_equals_str(yyjson_obj_get(params, "name"), "exec"),
	};

	w_sha256_init(&digest.sum);
	tool_call_digest_add_bytes(&digest.sum, 'm', method, strlen(method));
	if (!tool_call_digest_add_value(&digest, params, 0))
		return false;
	w_sha256_end(&digest.sum, out);
	return true;
}
