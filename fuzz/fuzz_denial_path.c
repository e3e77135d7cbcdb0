/* SPDX-License-Identifier: Apache-2.0 */

/* Paths that a confined command hands to the kernel: whatever they are, they
 * become absolute and plain, never longer, and stay so. */

#include "run/denials/denial_context.h"

#include "check.h"

static void
check_plain(const char *path)
{
	size_t len = strlen(path);

	CHECK(path[0] == '/');
	CHECK(len == 1 || path[len - 1] != '/');
	CHECK(strstr(path, "//") == NULL);
	CHECK(strstr(path, "/./") == NULL);
	CHECK(strstr(path, "/../") == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char spelled[PATH_MAX], path[PATH_MAX], again[PATH_MAX];

	if (size >= PATH_MAX - 1)
		return 0;
	spelled[0] = '/';
	if (size > 0)
		memcpy(spelled + 1, data, size);
	spelled[size + 1] = '\0';
	memcpy(path, spelled, sizeof(path));
	w_denial_flatten_path(path);
	check_plain(path);
	CHECK(strlen(path) <= strlen(spelled));
	memcpy(again, path, sizeof(again));
	w_denial_flatten_path(again);
	CHECK(strcmp(again, path) == 0);
	if (w_denial_resolve_path(spelled, size % 2 == 0, path))
		check_plain(path);
	return 0;
}
