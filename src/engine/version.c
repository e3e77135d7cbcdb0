/* SPDX-License-Identifier: Apache-2.0 */

/* The version, as the build gave it. */

#include <writ/writ.h>

const char *
writ_version(void)
{
	return WRIT_VERSION;
}
