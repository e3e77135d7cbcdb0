/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Capabilities that survive an exec.
 *
 * In a new user namespace we have all capabilities and lose them with the next
 * exec unless we are its root. The helper, which builds the sandbox, is one
 * exec away; the capabilities that it needs are made ambient. The command gets
 * none of them.
 */

#include <linux/capability.h>
#include <linux/prctl.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"

static const int needed[] = {
    CAP_SYS_ADMIN,    /* mounts, namespaces, the host name */
    CAP_NET_ADMIN,    /* the loopback interface */
    CAP_SETPCAP,      /* to give up privileges for good */
    CAP_SYS_RESOURCE, /* to forbid further user namespaces */
};

long
w_enter_ambient(void)
{
	struct __user_cap_header_struct head = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
	long ret = 0;

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		data[CAP_TO_INDEX(needed[i])].permitted |=
		    CAP_TO_MASK((unsigned)needed[i]);
	for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].effective = data[i].permitted;
		data[i].inheritable = data[i].permitted;
	}
	ret = w_sys2(__NR_capset, &head, data);
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed) && ret == 0;
	     i++)
		ret = w_sys5(__NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE,
		    needed[i], 0, 0);
	return ret;
}
