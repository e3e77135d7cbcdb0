/* SPDX-License-Identifier: Apache-2.0 */

/* The version, set by the build. */

#include <writ/writ.h>

const char *
writ_version(void)
{
	return WRIT_VERSION;
}
