/* SPDX-License-Identifier: Apache-2.0 */

/* Objects of git: compressed data, deltas, trees and commits, for any bytes at
 * all. */

#include "trigger/git_object.h"
#include "trigger/inflate.h"

#include "check.h"

static void
patch(const uint8_t *data, size_t size)
{
	char base_bytes[64];
	struct w_buf base, delta, out;

	memset(base_bytes, 'b', sizeof(base_bytes));
	w_buf_init(&base, 1024);
	w_buf_init(&delta, 1 << 20);
	w_buf_init(&out, 1 << 20);
	w_buf_add(&base, base_bytes, sizeof(base_bytes));
	w_buf_add(&delta, data, size);
	if (!delta.failed && w_git_object_patch(&base, &delta, &out))
		CHECK(!out.failed);
	w_buf_done(&base);
	w_buf_done(&delta);
	w_buf_done(&out);
}

static void
look_up(const uint8_t *data, size_t size)
{
	struct w_buf bytes;
	struct w_git_id id;
	unsigned mode;

	w_buf_init(&bytes, 1 << 20);
	w_buf_add(&bytes, data, size);
	if (!bytes.failed && size > 0) {
		(void)w_git_tree_get(&bytes, "a", 1, &mode, &id);
		(void)w_git_commit_get(&bytes, "parent", 1, &id);
	}
	w_buf_done(&bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum w_git_kind kind;
	struct w_buf out;

	w_buf_init(&out, 1 << 20);
	if (w_inflate(data, size, &out))
		CHECK(out.len <= 1 << 20);
	out.len = 0;
	(void)w_git_object_parse(data, size, &kind, &out);
	w_buf_done(&out);
	patch(data, size);
	look_up(data, size);
	return 0;
}
