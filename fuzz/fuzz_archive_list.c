/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The list of an archive's members: whatever is accepted without links has no
 * "..". The first byte says of which program it is, the second what is
 * stripped.
 */

#include <string.h>

#include "base/error.h"
#include "manifest/types/archive.h"

#include "check.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	writ_error err = {.status = WRIT_OK};

	if (size < 2)
		return 0;
	const enum w_archive_kind kind =
	    data[0] == 'z' ? W_ARCHIVE_ZIP : W_ARCHIVE_TAR;
	const unsigned strip = data[1] - (unsigned)'0';
	const char *text = (const char *)data + 2;
	const size_t len = size - 2;
	writ_status status = w_archive_check(kind, strip, text, len, &err);

	if (status != WRIT_OK) {
		CHECK(status == WRIT_E_INVALID || status == WRIT_E_NOMEM);
		CHECK(err.message[0] != '\0');
	} else if (memmem(text, len, " -> ", 4) == NULL) {
		CHECK(memmem(text, len, "/../", 4) == NULL ||
		      kind == W_ARCHIVE_ZIP);
	}
	return 0;
}
