/* SPDX-License-Identifier: Apache-2.0 */

/* A list of changes as a file. Whatever is read is written the same, and its
 * paths stay beneath the project. */

#include "undo/change_list.h"

#include "check.h"

/* The hash at the end is made here, or nothing would be looked at. */
static void
finish(const uint8_t *data, size_t size, struct w_buf *out)
{
	static const char magic[16] = "writ changes 2\n";
	uint8_t sum[W_SHA256_SIZE];

	w_buf_add(out, magic, sizeof(magic));
	w_buf_add(out, data, size);
	w_sha256(out->data, out->len, sum);
	w_buf_add(out, sum, sizeof(sum));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct w_undo_list list = {0};
	struct w_buf bytes, again;

	w_buf_init(&bytes, 1 << 20);
	w_buf_init(&again, 1 << 20);
	finish(data, size, &bytes);
	if (!bytes.failed &&
	    w_undo_list_read(bytes.data, bytes.len, &list, NULL) == WRIT_OK) {
		for (size_t i = 0; i < list.count; i++) {
			const char *path = list.items[i].path;

			CHECK(path[0] != '/' && path[0] != '\0');
			CHECK(strstr(path, "/../") == NULL);
			CHECK(strncmp(path, "../", 3) != 0);
		}
		CHECK(w_undo_list_write(&list, &again));
		CHECK(again.len == bytes.len);
		w_undo_list_done(&list);
	}
	w_buf_done(&bytes);
	w_buf_done(&again);
	return 0;
}
