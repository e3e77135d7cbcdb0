/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of hosts, and what a command is understood to reach. */

#include "policy/hosts/host_touch.h"

#include <string.h>

static bool
names_text(const struct w_host_list *list, const char *text, size_t len)
{
	char host[W_HOST_PATTERN_MAX + 1];

	if (len >= sizeof(host))
		return false;
	memcpy(host, text, len);
	host[len] = '\0';
	return strlen(host) == len && w_host_list_names(list, host);
}

bool
w_host_list_has_touch(
    const struct w_host_list *list, const struct w_touch *touch)
{
	if (touch == NULL || touch->kind != W_TOUCH_HOST ||
	    touch->target == NULL)
		return false;
	return names_text(list, touch->target, touch->len) ||
	       (touch->manager != NULL &&
		   names_text(list, touch->manager, touch->manager_len));
}
