/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of hosts, and what a command is understood to reach. */

#include "policy/hosts/host_touch.h"

#include <string.h>

bool
w_host_list_has_touch(
    const struct w_host_list *list, const struct w_touch *touch)
{
	char host[W_HOST_PATTERN_MAX + 1];

	if (touch == NULL || touch->kind != W_TOUCH_HOST ||
	    touch->target == NULL || touch->len >= sizeof(host))
		return false;
	memcpy(host, touch->target, touch->len);
	host[touch->len] = '\0';
	return strlen(host) == touch->len && w_host_list_names(list, host);
}
