/* SPDX-License-Identifier: Apache-2.0 */

/* The file of a name index: whatever it holds, it is an index or nothing, and
 * an index never leads out of its bits. */

#include "sandbox/path/name_index.h"

#include "check.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct w_name_index names = {.was_read = true};

	if (!w_name_index_parse(&names, data, size))
		CHECK(names.count == 0);
	CHECK(names.count < W_NAME_INDEX_DIRS);
	for (size_t i = 0; i < names.count; i++) {
		CHECK(names.dirs[i].bit_count <= W_NAME_INDEX_BITS);
		(void)w_name_index_lacks(&names.dirs[i], "name", 4);
		(void)w_name_index_lacks(
		    &names.dirs[i], (const char *)data, size < 64 ? size : 64);
	}
	w_name_index_done(&names);
	return 0;
}
