/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_BASE_BASENAME_H
#define W_BASE_BASENAME_H

#include <string.h>

/* What follows the last slash of a path: all of it if there is none, nothing if
 * it ends with one. NULL for NULL. */
static inline const char *
w_basename(const char *path)
{
	const char *slash = path == NULL ? NULL : strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

#endif /* W_BASE_BASENAME_H */
