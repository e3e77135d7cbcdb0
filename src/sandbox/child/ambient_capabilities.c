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

/* An overlay works on its layer with those of who mounted it: its work
 * directory is closed to everybody. They apply to files of our own user. */
static const int of_layer[] = {
    CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_CHOWN,
    CAP_NET_BIND_SERVICE, /* the DNS of a session with hosts */
};

static void
add_all(struct __user_cap_data_struct *data, const int *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		data[CAP_TO_INDEX(list[i])].permitted |=
		    CAP_TO_MASK((unsigned)list[i]);
}

static long
raise_all(const int *list, size_t count)
{
	long ret = 0;

	for (size_t i = 0; i < count && ret == 0; i++)
		ret = w_sys5(__NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE,
		    list[i], 0, 0);
	return ret;
}

long
w_enter_ambient(int makes_layer)
{
	struct __user_cap_header_struct head = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};
	const size_t count = sizeof(needed) / sizeof(*needed);
	const size_t more =
	    makes_layer ? sizeof(of_layer) / sizeof(*of_layer) : 0;

	add_all(data, needed, count);
	add_all(data, of_layer, more);
	for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].effective = data[i].permitted;
		data[i].inheritable = data[i].permitted;
	}
	long ret = w_sys2(__NR_capset, &head, data);
	if (ret == 0)
		ret = raise_all(needed, count);
	return ret == 0 ? raise_all(of_layer, more) : ret;
}
