/* SPDX-License-Identifier: Apache-2.0 */

#include "sandbox/child/enter.h"

/* An unprivileged process may map only its own ids, and its group only after
 * giving up setgroups(). */
long
w_enter_id_maps(const char *uid_map, const char *gid_map)
{
	long ret = w_enter_write("/proc/self/setgroups", "deny");

	if (ret == 0)
		ret = w_enter_write("/proc/self/gid_map", gid_map);
	if (ret == 0)
		ret = w_enter_write("/proc/self/uid_map", uid_map);
	return ret;
}
